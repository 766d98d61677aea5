// How each engine hears bytes: where it cuts lines, which ids it loses, what it strips and what it
// chokes on. Its own reader on purpose: a fake that shared the pool's code would share its
// mistakes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/persona.h"

namespace tengen::tests {

/// Cuts a stream of bytes into the lines that a persona reads.
class LineCutter {
 public:
  explicit LineCutter(Persona persona) : piece_bytes_(traits_of(persona).piece_bytes) {}

  /// The lines that are complete, without their newlines.
  std::vector<std::string> feed(std::string_view bytes);
  /// What has come without a newline so far.
  const std::string& rest() const { return rest_; }

 private:
  std::size_t piece_bytes_;
  std::string rest_;
};

/// What a persona makes of one line.
struct Heard {
  enum class Kind : std::uint8_t {
    Nothing,   // no answer follows
    Command,   // words, with id and text
    Rejected,  // `reply` is all that it says
  };
  Kind kind = Kind::Nothing;
  std::string id;  // as the answer echoes it; empty: none
  std::vector<std::string> words;
  std::string text;   // the command with its arguments, as it stood
  std::string reply;  // for Rejected, with its newlines
};

Heard hear(Persona persona, std::string_view line);

}  // namespace tengen::tests
