#include "rules/sgf_scan.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "rules/ascii.h"

namespace tengen::rules {
namespace {

/// Longer than the name of any charset; the decoder is handed the name again and again.
constexpr std::size_t kLongestCharsetName = 40;

bool is_space(char c) { return static_cast<std::uint8_t>(c) <= ' '; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// CA's value in the root of the tree at `at`, if the bytes are split as in `charset`; `at` moves
/// to where the search ended.
std::optional<std::string> root_charset(std::string_view text, std::size_t& at,
                                        SgfCharset& charset) {
  at = std::min(text.size(), skip_space(text, skip_space(text, at + 1) + 1));
  while (at < text.size() && is_letter(text[at])) {
    const std::string id = read_identifier(text, at);
    at = skip_space(text, at);
    while (at < text.size() && text[at] == '[') {
      const std::size_t begin = at + 1;
      const std::size_t end = end_of_value(text, begin, charset);
      at = end == kNotFound ? text.size() : skip_space(text, end + 1);
      if (end == kNotFound) return std::nullopt;
      const std::string_view value = text.substr(begin, end - begin);
      if (id == "CA") return std::string(value.size() > kLongestCharsetName ? "" : value);
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || is_small(c); }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::size_t find_tree(std::string_view text, std::size_t at) {
  while ((at = text.find('(', at)) != kNotFound) {
    const std::size_t next = skip_space(text, at + 1);
    if (next < text.size() && text[next] == ';') return at;
    at = next;
  }
  return kNotFound;
}

std::size_t end_of_value(std::string_view text, std::size_t at, SgfCharset& charset) {
  while (at < text.size() && text[at] != ']') {
    if (text[at] == '\\') ++at;
    if (at < text.size()) at += charset.character_length(text.substr(at));
  }
  return at < text.size() ? at : kNotFound;
}

std::string read_identifier(std::string_view text, std::size_t& at) {
  std::string id;
  for (; at < text.size() && (is_letter(text[at]) || is_digit(text[at])); ++at) {
    const bool may_begin = !is_digit(text[at]) || !id.empty();
    if (!is_small(text[at]) && may_begin) id += text[at];
  }
  return id;
}

std::string declared_charset(std::string_view text, std::size_t tree, std::size_t& spare) {
  const CharsetDecoder no_decoder;
  std::optional<std::string> first;
  for (const char* guess : {"UTF-8", "GBK", "Shift_JIS"}) {
    SgfCharset charset(guess, no_decoder);
    std::size_t at = tree;
    const std::size_t end = tree + std::min(spare, text.size() - tree);
    const std::optional<std::string> found = root_charset(text.substr(0, end), at, charset);
    spare -= std::min(spare, at - tree);
    if (!found) continue;
    const CharsetKind kind = kind_of_charset(*found);
    if (kind == charset.kind()) return *found;
    if (!hides_brackets(kind) && !hides_brackets(charset.kind())) return *found;
    if (!first) first = found;
  }
  return first.value_or("");
}

}  // namespace tengen::rules
