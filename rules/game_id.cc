#include "rules/game_id.h"

namespace tengen::rules {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kHalf = 16;  // digits per 64 bits

void append(std::uint64_t value, std::string& text) {
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(value >> shift) & 15u];
}

std::optional<std::uint64_t> parse_half(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value << 4 | digit;
  }
  return value;
}

}  // namespace

std::string to_text(GameId id) {
  std::string text;
  append(id.high, text);
  append(id.low, text);
  return text;
}

std::optional<GameId> parse_game_id(std::string_view text) {
  if (text.size() != 2 * kHalf) return std::nullopt;
  const auto high = parse_half(text.substr(0, kHalf));
  const auto low = parse_half(text.substr(kHalf));
  if (!high || !low) return std::nullopt;
  return GameId{*high, *low};
}

}  // namespace tengen::rules
