// An answer before it is framed, and the words of a command.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/color.h"

namespace tengen::tests {

using Words = std::vector<std::string>;

struct Reply {
  bool is_success = true;
  std::string text;
  bool kills = false;        // the process is gone instead
  bool is_careless = false;  // no careful client would have asked
  std::string before;        // an error that is answered first, in a frame of its own
  bool has_id = true;
  int newlines = 2;  // behind the text
};

inline Reply said(std::string text = {}) {
  Reply reply;
  reply.text = std::move(text);
  return reply;
}
/// A refusal that the best client may meet.
inline Reply declined(std::string text) {
  Reply reply = said(std::move(text));
  reply.is_success = false;
  return reply;
}
/// A refusal that a careful client never sees.
inline Reply careless(std::string text) {
  Reply reply = declined(std::move(text));
  reply.is_careless = true;
  return reply;
}
inline Reply killed() {
  Reply reply;
  reply.kills = true;
  return reply;
}

/// The n-th word, empty when there are not so many.
inline std::string_view word_at(const Words& words, std::size_t n) {
  return n < words.size() ? std::string_view(words[n]) : std::string_view();
}

template <typename Number>
std::optional<Number> parse_number(std::string_view word) {
  Number value{};
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
  return value;
}

inline std::optional<rules::Color> parse_color(std::string_view word) {
  if (word == "B" || word == "b" || word == "black" || word == "Black") return rules::Color::Black;
  if (word == "W" || word == "w" || word == "white" || word == "White") return rules::Color::White;
  return std::nullopt;
}

}  // namespace tengen::tests
