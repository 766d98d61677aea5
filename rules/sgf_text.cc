#include "rules/sgf_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "rules/ascii.h"
#include "rules/ruleset.h"

namespace tengen::rules {
namespace {

constexpr int kLargestNumber = 1'000'000;
/// From here on a komi without a point is in hundredths: of zi, then of points.
constexpr int kFirstHundredths = 200;
constexpr int kFirstHundredthsOfPoints = 500;
constexpr int kHundredthsOfHalfPoint = 50;

bool is_blank(char c) { return static_cast<std::uint8_t>(c) <= ' ' || c == 0x7f; }
bool is_break(char c) { return c == '\n' || c == '\r'; }

/// Length of the line break at `at`: 2 for CRLF and LFCR.
std::size_t break_length(std::string_view text, std::size_t at) {
  const bool is_pair = at + 1 < text.size() && is_break(text[at + 1]) && text[at + 1] != text[at];
  return is_pair ? 2 : 1;
}

std::string unescaped(std::string_view value, char line_break) {
  std::string text;
  text.reserve(value.size());
  for (std::size_t at = 0; at < value.size();) {
    const bool is_escaped = value[at] == '\\';
    if (is_escaped && ++at == value.size()) break;
    if (is_break(value[at])) {
      at += break_length(value, at);
      if (!is_escaped) text += line_break;
    } else {
      text += is_blank(value[at]) ? ' ' : value[at];
      ++at;
    }
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string in_small_letters(std::string_view text) {
  std::string small;
  for (const char c : text) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

/// A decimal number at the start of a text, in hundredths.
struct Decimal {
  int hundredths = 0;
  bool has_point = false;
  std::string_view rest;
};

/// Takes the digits that begin the text.
std::string_view take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

/// Nothing without a digit, with more than two decimals that matter, and beyond a million.
std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal number;
  const std::string_view digits = take_digits(text);
  const std::optional<int> whole = digits.empty() ? 0 : parse_number(digits);
  if (!whole) return std::nullopt;
  number.has_point = text.starts_with('.') || text.starts_with(',');
  if (number.has_point) text.remove_prefix(1);
  std::string_view decimals = number.has_point ? take_digits(text) : std::string_view();
  if (digits.empty() && decimals.empty()) return std::nullopt;
  while (decimals.ends_with('0')) decimals.remove_suffix(1);
  if (decimals.size() > 2) return std::nullopt;
  number.hundredths = *whole * 100;
  if (!decimals.empty()) number.hundredths += (decimals[0] - '0') * 10;
  if (decimals.size() == 2) number.hundredths += decimals[1] - '0';
  number.rest = text;
  return number;
}

/// Half points of an amount without sign.
std::optional<int> komi_half_of(const Decimal& number) {
  const int whole = number.hundredths / 100;
  if (!number.has_point && whole >= kFirstHundredths) {
    const int hundredths = whole < kFirstHundredthsOfPoints ? 2 * whole : whole;
    if (hundredths % kHundredthsOfHalfPoint != 0) return std::nullopt;
    return hundredths / kHundredthsOfHalfPoint;
  }
  const bool is_quarter = number.hundredths % 50 == 25;
  const int hundredths = is_quarter ? 2 * number.hundredths : number.hundredths;
  if (hundredths % kHundredthsOfHalfPoint != 0) return std::nullopt;
  return hundredths / kHundredthsOfHalfPoint;
}

SgfResult won(Color winner, SgfResultKind kind, std::optional<int> margin_half = {}) {
  return {kind, winner, margin_half};
}

/// What follows "B+" or "W+", in small letters.
SgfResult parse_win(Color winner, std::string_view how) {
  if (how == "r" || how == "resign") return won(winner, SgfResultKind::Resign);
  if (how == "t" || how == "time") return won(winner, SgfResultKind::Time);
  if (how == "f" || how == "forfeit" || how == "illegal" || how == "repetition") {
    return won(winner, SgfResultKind::Forfeit);
  }
  const std::optional<Decimal> margin = read_decimal(how);
  if (!margin) return won(winner, SgfResultKind::UnknownMargin);
  if (margin->rest.starts_with('/')) return {SgfResultKind::FreeText, {}, {}};
  if (margin->hundredths % kHundredthsOfHalfPoint != 0) {
    return won(winner, SgfResultKind::UnknownMargin);
  }
  return won(winner, SgfResultKind::Score, margin->hundredths / kHundredthsOfHalfPoint);
}

struct RulesWord {
  std::string_view word;
  std::string_view preset;
};

constexpr std::array<RulesWord, 13> kRulesWords = {{{"chinese", "chinese"},
                                                    {"cn", "chinese"},
                                                    {"japanese", "japanese"},
                                                    {"jp", "japanese"},
                                                    {"korean", "korean"},
                                                    {"kr", "korean"},
                                                    {"aga", "aga"},
                                                    {"nz", "new-zealand"},
                                                    {"newzealand", "new-zealand"},
                                                    {"tromptaylor", "tromp-taylor"},
                                                    {"tt", "tromp-taylor"},
                                                    {"日本", "japanese"},
                                                    {"中国", "chinese"}}};

struct PresetWord {
  std::string_view preset;
  std::string_view rules;
};

constexpr std::array<PresetWord, 6> kPresetWords = {{{"chinese", "Chinese"},
                                                     {"japanese", "Japanese"},
                                                     {"korean", "Korean"},
                                                     {"aga", "AGA"},
                                                     {"new-zealand", "NZ"},
                                                     {"tromp-taylor", "Tromp-Taylor"}}};

/// In small letters, without blanks and punctuation of ASCII and without the word for rules.
std::string rules_word(std::string_view value) {
  std::string word;
  for (const char c : in_small_letters(value)) {
    if ((c >= 'a' && c <= 'z') || is_digit(c) || static_cast<std::uint8_t>(c) >= 0x80) word += c;
  }
  for (const std::string_view ending : {"rules", "ruleset", "规则", "ルール"}) {
    if (word.ends_with(ending)) word.resize(word.size() - ending.size());
  }
  return word;
}

}  // namespace

std::string text_of(std::string_view value) { return unescaped(value, '\n'); }

std::string simple_text_of(std::string_view value) { return unescaped(value, ' '); }

std::string escaped_text(std::string_view text) {
  std::string value;
  value.reserve(text.size());
  for (const char c : text) {
    if (c == '\\' || c == ']') value += '\\';
    value += c;
  }
  return value;
}

std::string escaped_simple_text(std::string_view text) {
  std::string value = escaped_text(text);
  std::replace_if(value.begin(), value.end(), is_blank, ' ');
  return value;
}

std::optional<std::pair<std::string_view, std::string_view>> composed(std::string_view value) {
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] == '\\') {
      ++at;
    } else if (value[at] == ':') {
      return std::pair(value.substr(0, at), value.substr(at + 1));
    }
  }
  return std::nullopt;
}

std::string bare(std::string_view value) {
  std::string text = simple_text_of(value);
  std::erase_if(text, is_blank);
  return text;
}

std::optional<int> parse_number(std::string_view value) {
  std::string_view digits = trimmed(value);
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty()) return std::nullopt;
  int number = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
    if (number > kLargestNumber) return std::nullopt;
  }
  return is_negative ? -number : number;
}

std::optional<int> parse_komi_half(std::string_view value) {
  std::string_view digits = trimmed(value);
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.remove_prefix(1);
  const std::optional<Decimal> number = read_decimal(digits);
  if (!number || !number->rest.empty()) return std::nullopt;
  const std::optional<int> half = komi_half_of(*number);
  if (!half) return std::nullopt;
  return is_negative ? -*half : *half;
}

std::string komi_value(int komi_half) {
  const bool looks_like_hundredths =
      komi_half % 2 == 0 && std::abs(komi_half) >= 2 * kFirstHundredths;
  return komi_text(komi_half) + (looks_like_hundredths ? ".0" : "");
}

SgfResult parse_result_text(std::string_view value) {
  const std::string full = in_small_letters(simple_text_of(value));
  const std::string_view text = trimmed(full);
  if (text.empty()) return {};
  if (text == "?") return {SgfResultKind::Unknown, {}, {}};
  if (text == "void") return {SgfResultKind::NoResult, {}, {}};
  if (text == "0" || text == "draw") return {SgfResultKind::Draw, {}, 0};
  if (text.starts_with("b+")) return parse_win(Color::Black, text.substr(2));
  if (text.starts_with("w+")) return parse_win(Color::White, text.substr(2));
  return {SgfResultKind::FreeText, {}, {}};
}

std::optional<std::string_view> preset_of_rules(std::string_view value) {
  const std::string text = in_small_letters(trimmed(value));
  if (const Preset* preset = find_preset(text)) return preset->name;
  const std::string word = rules_word(value);
  const auto* found = std::find_if(kRulesWords.begin(), kRulesWords.end(),
                                   [&word](const RulesWord& known) { return known.word == word; });
  if (found == kRulesWords.end()) return std::nullopt;
  return found->preset;
}

std::string_view rules_of_preset(std::string_view preset) {
  const auto* found =
      std::find_if(kPresetWords.begin(), kPresetWords.end(),
                   [preset](const PresetWord& known) { return known.preset == preset; });
  return found == kPresetWords.end() ? preset : found->rules;
}

}  // namespace tengen::rules
