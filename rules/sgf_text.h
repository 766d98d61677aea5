// What the values of SGF properties say: texts with their escapes, numbers, and the words people
// use for komi, results and rules. Each function takes one value as the file has it.
// Formats: https://www.red-bean.com/sgf/sgf4.html#types and https://www.red-bean.com/sgf/go.html
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rules/color.h"

namespace tengen::rules {

/// A Text: escapes resolved, an escaped line break gone, other line breaks (CRLF, LFCR, CR, LF) as
/// "\n", other white space as blanks.
std::string text_of(std::string_view value);
/// A SimpleText: the same, with line breaks as blanks.
std::string simple_text_of(std::string_view value);

/// The text as a value that text_of() reads back; `:` needs no escape outside composed values.
std::string escaped_text(std::string_view text);
/// The text as a value on one line: every control character becomes a blank.
std::string escaped_simple_text(std::string_view text);

/// The two halves of a composed value, still escaped; nothing when no `:` stands unescaped.
std::optional<std::pair<std::string_view, std::string_view>> composed(std::string_view value);

/// The value without its white space and escapes: for points, numbers and single words.
std::string bare(std::string_view value);

/// A Number: digits with an optional sign and white space around; nothing beyond a million.
std::optional<int> parse_number(std::string_view value);

/// Komi in half points from "6.5", "6,5", "-3", "7.50". Chinese files count in zi, of two points
/// each: a quarter (3.75) is only possible there, and Fox writes hundredths without a point, of zi
/// below 500 (375 is 7.5 points) and of points from there on (650 is 6.5). So a whole number from
/// 200 up is read as hundredths; komi_value() writes 300 points as "300.0". Nothing for an empty or
/// unreadable value and for other fractions.
std::optional<int> parse_komi_half(std::string_view value);
/// The komi so that parse_komi_half() gives it back.
std::string komi_value(int komi_half);

enum class SgfResultKind : std::uint8_t {
  Missing,        // an empty value
  Unknown,        // "?"
  FreeText,       // nothing FF[4] knows
  NoResult,       // "Void"
  Draw,           // "0", "Draw"
  Score,          // "B+3.5", with or without text behind the number
  UnknownMargin,  // "B+", or a word FF[4] does not know behind it
  Resign,
  Time,
  Forfeit,  // also "W+Illegal" and "W+Repetition"
};

struct SgfResult {
  SgfResultKind kind = SgfResultKind::Missing;
  std::optional<Color> winner;     // only from Score on
  std::optional<int> margin_half;  // Score, and 0 for a draw

  friend bool operator==(const SgfResult&, const SgfResult&) = default;
};

SgfResult parse_result_text(std::string_view value);

/// Our preset for the rules named in RU ("Chinese", "NZ", "Tromp/Taylor", "japanese rules"), in any
/// case and punctuation; also a preset's own name. Nothing for others, such as "GOE".
std::optional<std::string_view> preset_of_rules(std::string_view value);
/// What RU says for a preset: FF[4]'s word where it has one, else the name.
std::string_view rules_of_preset(std::string_view preset);

}  // namespace tengen::rules
