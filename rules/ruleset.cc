#include "rules/ruleset.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace tengen::rules {
namespace {

constexpr std::array<Preset, 8> kPresets{{
    {"chinese",
     {KoRule::Positional, SuicideRule::No, Scoring::Area, HandicapBonus::N, EndRule::CompareLists},
     15,
     std::nullopt},
    {"tromp-taylor",
     {KoRule::Positional, SuicideRule::Any, Scoring::Area, HandicapBonus::None, EndRule::AllAlive},
     15,
     std::nullopt},
    {"aga",
     {KoRule::Situational, SuicideRule::No, Scoring::Area, HandicapBonus::NMinusOne,
      EndRule::CompareLists},
     15,
     std::nullopt},
    {"new-zealand",
     {KoRule::Situational, SuicideRule::Any, Scoring::Area, HandicapBonus::None,
      EndRule::CompareLists},
     14,
     std::nullopt},
    {"japanese",
     {KoRule::Simple, SuicideRule::No, Scoring::Territory, HandicapBonus::None,
      EndRule::Confirmation},
     13,
     std::nullopt},
    {"korean",
     {KoRule::Simple, SuicideRule::No, Scoring::Territory, HandicapBonus::None,
      EndRule::Confirmation},
     13,
     std::nullopt},
    {"japanese-superko",
     {KoRule::Positional, SuicideRule::No, Scoring::Territory, HandicapBonus::None,
      EndRule::Confirmation},
     13,
     std::nullopt},
    {kAgentPreset,
     {KoRule::Positional, SuicideRule::No, Scoring::Area, HandicapBonus::None, EndRule::AllAlive},
     15,
     Size{19, 19}},
}};

template <typename Value>
struct Word {
  Value value;
  std::string_view text;
};

constexpr std::array<Word<KoRule>, 3> kKoWords{{{KoRule::Simple, "simple"},
                                                {KoRule::Positional, "positional"},
                                                {KoRule::Situational, "situational"}}};
constexpr std::array<Word<SuicideRule>, 3> kSuicideWords{
    {{SuicideRule::No, "no"}, {SuicideRule::Multi, "multi"}, {SuicideRule::Any, "any"}}};
constexpr std::array<Word<Scoring>, 2> kScoringWords{
    {{Scoring::Area, "area"}, {Scoring::Territory, "territory"}}};
constexpr std::array<Word<HandicapBonus>, 3> kBonusWords{
    {{HandicapBonus::None, "none"}, {HandicapBonus::N, "n"}, {HandicapBonus::NMinusOne, "n-1"}}};
constexpr std::array<Word<EndRule>, 3> kEndWords{{{EndRule::AllAlive, "all-alive"},
                                                  {EndRule::CompareLists, "compare-lists"},
                                                  {EndRule::Confirmation, "confirmation"}}};

template <typename Words, typename Value>
std::string_view text_of(const Words& words, Value value) {
  for (const auto& word : words) {
    if (word.value == value) return word.text;
  }
  return "unknown";
}

template <typename Value, std::size_t kCount>
std::optional<Value> value_of(const std::array<Word<Value>, kCount>& words, std::string_view text) {
  for (const auto& word : words) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

std::optional<std::string> problem(const Ruleset& rules) {
  if (rules.scoring == Scoring::Territory && rules.end == EndRule::CompareLists) {
    return "territory scoring does not go with the comparison of dead lists";
  }
  return std::nullopt;
}

int bonus_points(HandicapBonus bonus, int stones) {
  if (stones < 2 || bonus == HandicapBonus::None) return 0;
  return bonus == HandicapBonus::N ? stones : stones - 1;
}

std::string komi_text(int komi_half) {
  std::string text = komi_half < 0 ? "-" : "";
  text += std::to_string(std::abs(komi_half) / 2);
  if (komi_half % 2 != 0) text += ".5";
  return text;
}

std::optional<int> parse_komi(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const std::size_t dot = text.find('.');
  const std::string_view digits = text.substr(0, dot);
  int whole = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (digits.empty() || digits.starts_with('-') || error != std::errc() ||
      stop != digits.data() + digits.size() || whole > kMaxKomiHalf / 2) {
    return std::nullopt;
  }
  int half = whole * 2;
  if (dot != std::string_view::npos) {
    const std::string_view fraction = text.substr(dot + 1);
    const bool is_half = fraction.starts_with('5');
    if (fraction.empty() || fraction.find_first_not_of('0', is_half ? 1 : 0) != fraction.npos) {
      return std::nullopt;
    }
    half += is_half ? 1 : 0;
  }
  if (half > kMaxKomiHalf) return std::nullopt;
  return is_negative ? -half : half;
}

std::string_view name_of(KoRule ko) { return text_of(kKoWords, ko); }
std::string_view name_of(SuicideRule suicide) { return text_of(kSuicideWords, suicide); }
std::string_view name_of(Scoring scoring) { return text_of(kScoringWords, scoring); }
std::string_view name_of(HandicapBonus bonus) { return text_of(kBonusWords, bonus); }
std::string_view name_of(EndRule end) { return text_of(kEndWords, end); }

std::optional<KoRule> parse_ko(std::string_view text) { return value_of(kKoWords, text); }
std::optional<SuicideRule> parse_suicide(std::string_view text) {
  return value_of(kSuicideWords, text);
}
std::optional<Scoring> parse_scoring(std::string_view text) {
  return value_of(kScoringWords, text);
}
std::optional<HandicapBonus> parse_bonus(std::string_view text) {
  return value_of(kBonusWords, text);
}
std::optional<EndRule> parse_end(std::string_view text) { return value_of(kEndWords, text); }

}  // namespace tengen::rules
