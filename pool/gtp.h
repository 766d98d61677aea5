// GTP as bytes: the only reader of answers and the only writer of commands. The reader takes any
// chunking, never trusts the engine and never grows without limit; matching ids to commands is
// Engine's business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pool/limits.h"

namespace tengen::pool {

/// One complete answer, or one line of a stream's answer, which is told as it comes. `id` is 0 when
/// it had none.
struct Answer {
  std::uint32_t id = 0;
  bool is_success = true;
  std::string text;  // lines joined by '\n'; trailing blanks and surrounding empty lines dropped
  bool is_update = false;  // a line of a stream that goes on
  /// The lines outside answers since the one before, joined by '\n': an empty line inside an answer
  /// ends it for us, and what follows is here. The first kAnswerBytesMax bytes.
  std::string before{};
};

/// Reads an engine's standard output. Control characters are dropped and tabs are blanks, as the
/// GTP 2 specification says. Lines outside answers are noise: counted, the first one kept.
class AnswerReader {
 public:
  /// Appends the answers that are complete. Once framing is lost everything is ignored.
  void feed(std::string_view bytes, std::vector<Answer>& out);

  /// The answer with this id is a stream: its lines that begin with "info" or "rootInfo" are
  /// updates and no part of its text.
  void expect_stream(std::uint32_t id) { stream_id_ = id; }

  /// Why nothing that follows can be trusted; empty while all is well.
  std::string_view lost() const { return lost_; }
  std::uint64_t noise_lines() const { return noise_lines_; }
  const std::string& first_noise() const { return first_noise_; }

 private:
  void extend_line(std::string_view text);
  void end_line(std::vector<Answer>& out);
  void take_noise();
  void begin_answer();
  void continue_answer(std::vector<Answer>& out);
  bool is_update() const;
  std::size_t line_bytes_max() const;
  void finish_answer(std::vector<Answer>& out);
  void lose(std::string_view reason);

  std::string line_;
  bool is_in_answer_ = false;
  Answer answer_;
  std::uint32_t stream_id_ = 0;
  std::string_view lost_;  // a literal
  std::uint64_t noise_lines_ = 0;
  std::string first_noise_;
  std::string noise_;  // since the last answer
};

/// Whether the text can be sent as a command: printable ASCII, not empty, no blank or digit in
/// front (a digit would be read as an id), no comment sign, and with any id and the newline a line
/// of at most `line_bytes_max` bytes.
bool is_command(std::string_view text, std::size_t line_bytes_max = Limits::kCommandLineBytesMax);

/// Numbers and writes commands. Ids run from `first_id` to kCommandIdMax and start again at 1.
class CommandWriter {
 public:
  explicit CommandWriter(std::uint32_t first_id = 1) : next_id_(first_id) {}
  /// Appends one line to `out` and returns its id. The text must be is_command(), with whatever
  /// length the engine takes.
  std::uint32_t write(std::string_view command, std::string& out);
  /// The newest id given; 0 before the first.
  std::uint32_t last_id() const { return next_id_ - 1; }

 private:
  std::uint32_t next_id_;
};

/// Engine text made fit for logs and messages: one line of printable ASCII, cut at `bytes_max`.
std::string printable(std::string_view text, std::size_t bytes_max = Limits::kQuotedBytesMax);

/// The parts of a text between blanks and line ends.
std::vector<std::string_view> words(std::string_view text);

}  // namespace tengen::pool
