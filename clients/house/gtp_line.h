// GTP's line rules as pure parsing: bytes in, commands out, and an answer as text. A line is
// cleaned while it is read (comments and control characters go), so nothing grows past the limit.
// Source: GTP 2, draft 2, sections 2.2 to 2.6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/color.h"

namespace tengen::house {

struct GtpLimits {
  std::size_t line_bytes = 16'384;  // after cleaning; a list of 624 vertices is 2.5 kB
  std::size_t id_digits = 18;       // more digits are not an id but an unknown command
  std::size_t moves = 100'000;      // in one game, edits of a file included
  int playouts = 1'000'000;         // for one move
};

/// One line as its sender meant it: no comment, tabs as spaces, no control characters, no newline.
/// Bytes above 126 stay: no command or vertex has any, but a file's name may.
struct GtpLine {
  std::string text;
  bool is_too_long = false;  // then the text is only its beginning
};

/// Cuts bytes into lines.
class LineReader {
 public:
  explicit LineReader(const GtpLimits& limits = {}) : limits_(limits) {}

  void on_bytes(std::string_view bytes);
  /// A last line without a newline becomes a line.
  void on_end();
  /// The next whole line, oldest first.
  std::optional<GtpLine> take();

 private:
  void add(char byte);
  void end_line();

  GtpLimits limits_;
  std::deque<GtpLine> lines_;
  GtpLine partial_;
  bool is_comment_ = false;
};

struct Command {
  std::optional<std::uint64_t> id;
  std::string name;  // empty when the line holds an id alone
  std::vector<std::string> arguments;
};

/// The command of a line; nothing when the line is blank. A first word of digits is the id.
std::optional<Command> parse_command(std::string_view line, const GtpLimits& limits = {});

struct Response {
  bool is_success = true;
  std::string text;  // without blank lines
};
inline Response success(std::string text = {}) { return {true, std::move(text)}; }
inline Response failure(std::string text) { return {false, std::move(text)}; }

/// The answer as it is sent: "=12 text" or "?12 text" and two newlines.
std::string answer_text(std::optional<std::uint64_t> id, const Response& response);

/// b, black, w or white in any case.
std::optional<rules::Color> parse_color(std::string_view word);
/// A number of 0 and more, of digits only, within the type.
std::optional<std::uint64_t> parse_number(std::string_view word);

}  // namespace tengen::house
