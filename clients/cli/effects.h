// What the client's cores ask of the shell around them. A core appends effects; the loop in net/
// carries them out first in, first out.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "protocol/messages.h"

namespace tengen::cli {

using TimePoint = std::chrono::steady_clock::time_point;

/// What the process says to whoever started it.
enum class ExitCode : int {
  Done = 0,
  No = 1,      // the answer is no: the daemon's, or that of the rules
  Usage = 2,   // the command line is wrong
  Failed = 3,  // could not be carried out: no server, a file that cannot be written
};

enum class Output : std::uint8_t { Text, Json };

/// Open a connection; exactly one on_connected or on_disconnected follows, unless Disconnect came
/// first.
struct Connect {};
/// Drop the connection, or the attempt at one; nothing more is heard of it.
struct Disconnect {};
struct Send {
  protocol::ClientFrame frame;
};
/// Text for standard output, newlines included.
struct Print {
  std::string text;
};
/// Text for standard error, newlines included.
struct Warn {
  std::string text;
};
/// Replace the file as a whole or not at all. When that fails the process says so and ends as
/// Failed.
struct WriteFile {
  std::string path;
  std::string text;
};
/// The last effect a core gives.
struct Finish {
  ExitCode code = ExitCode::Done;
};

using Effect = std::variant<Connect, Disconnect, Send, Print, Warn, WriteFile, Finish>;
using Effects = std::vector<Effect>;

}  // namespace tengen::cli
