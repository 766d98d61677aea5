// Where things begin and end in the bytes of an SGF file. Used by the reader of trees alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rules/sgf_charset.h"
#include "rules/sgf_tree.h"

namespace tengen::rules {

inline constexpr std::size_t kNotFound = std::string_view::npos;

/// Everything up to the blank counts as white space, so that a NUL does not stop the reader.
std::size_t skip_space(std::string_view text, std::size_t at);

/// The first "(" at or after `at` that white space and ";" follow, or kNotFound.
std::size_t find_tree(std::string_view text, std::size_t at);

/// The "]" that ends the value whose text begins at `at`, or kNotFound.
std::size_t end_of_value(std::string_view text, std::size_t at, SgfCharset& charset);

bool is_letter(char c);
/// The name of a property, small letters and digits before the first capital left out; `at` moves
/// behind it.
std::string read_identifier(std::string_view text, std::size_t& at);

/// What the root of the tree whose "(" is at `tree` says in CA, or the empty text. CA may come
/// after a text that only CA explains, so the root is read in each way until the answer fits the
/// way it was found. At most `spare` bytes are read and taken off: read in the wrong way, a root
/// may seem to go on to the end of the file.
std::string declared_charset(std::string_view text, std::size_t tree, std::size_t& spare);

/// Lines up to an offset; offsets must not decrease, so that all calls together are one pass.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  SgfPlace place(std::size_t offset) {
    while (at_ < offset) {
      const char c = text_[at_++];
      if (c != '\n' && c != '\r') continue;
      const bool is_pair =
          at_ < offset && (text_[at_] == '\n' || text_[at_] == '\r') && text_[at_] != c;
      if (is_pair) ++at_;
      ++line_;
      line_start_ = at_;
    }
    return {line_, static_cast<std::uint32_t>(offset - line_start_ + 1)};
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace tengen::rules
