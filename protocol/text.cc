#include "protocol/text.h"

#include <algorithm>
#include <optional>

namespace tengen::protocol {
namespace {

struct Character {
  char32_t value = 0;
  std::size_t bytes = 0;
};

/// How many bytes a character has that begins with this one; 0 when none does.
std::size_t length_from(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

bool is_scalar(char32_t value, std::size_t bytes) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  return value >= kSmallest[bytes] && value <= 0x10ffff && !is_surrogate;
}

/// The character the text begins with; nothing when it begins with none. The text is not empty.
std::optional<Character> first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = length_from(lead);
  if (bytes == 0 || bytes > text.size()) return std::nullopt;
  char32_t value = bytes == 1 ? lead : lead & (0x7fu >> bytes);
  for (const char next : text.substr(1, bytes - 1)) {
    const auto byte = static_cast<unsigned char>(next);
    if ((byte & 0xc0u) != 0x80u) return std::nullopt;
    value = value << 6 | (byte & 0x3fu);
  }
  if (!is_scalar(value, bytes)) return std::nullopt;
  return Character{value, bytes};
}

bool is_clean(char32_t value) {
  if (value < 0x20 || (value >= 0x7f && value < 0xa0)) return false;
  const bool separates_lines = value == 0x2028 || value == 0x2029;
  const bool turns_direction = value == 0x200e || value == 0x200f || value == 0x061c ||
                               (value >= 0x202a && value <= 0x202e) ||
                               (value >= 0x2066 && value <= 0x2069);
  return !separates_lines && !turns_direction;
}

bool is_visible(char c) { return c > 0x20 && c < 0x7f; }
bool is_printable(char c) { return c >= 0x20 && c < 0x7f; }

}  // namespace

bool is_clean_text(std::string_view text) {
  while (!text.empty()) {
    const std::optional<Character> next = first_character(text);
    if (!next || !is_clean(next->value)) return false;
    text.remove_prefix(next->bytes);
  }
  return true;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_visible);
}

bool is_printable_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_printable);
}

std::string clean_text(std::string_view text, std::size_t bytes_max) {
  std::string clean;
  while (!text.empty()) {
    const std::optional<Character> next = first_character(text);
    const std::size_t bytes = next ? next->bytes : 1;
    const std::string_view kept = next && is_clean(next->value) ? text.substr(0, bytes) : "?";
    if (clean.size() + kept.size() > bytes_max) break;
    clean += kept;
    text.remove_prefix(bytes);
  }
  return clean;
}

}  // namespace tengen::protocol
