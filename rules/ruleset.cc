#include "rules/ruleset.h"

#include <array>
#include <cstdlib>

namespace tengen::rules {
namespace {

constexpr std::array<Preset, 5> kPresets{{
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
    {"go-chinese-19-0.3",
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
constexpr std::array<Word<Scoring>, 1> kScoringWords{{{Scoring::Area, "area"}}};
constexpr std::array<Word<HandicapBonus>, 3> kBonusWords{
    {{HandicapBonus::None, "none"}, {HandicapBonus::N, "n"}, {HandicapBonus::NMinusOne, "n-1"}}};
constexpr std::array<Word<EndRule>, 2> kEndWords{
    {{EndRule::AllAlive, "all-alive"}, {EndRule::CompareLists, "compare-lists"}}};

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

std::string komi_text(int komi_half) {
  const std::string sign = komi_half < 0 ? "-" : "";
  const std::string half = komi_half % 2 != 0 ? ".5" : "";
  return sign + std::to_string(std::abs(komi_half) / 2) + half;
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
