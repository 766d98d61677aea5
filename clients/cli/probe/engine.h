// What a probe needs of the engine: a process to start, to talk to and to end. The shell in
// probe_process.h has real ones; tests have fakes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/gtp.h"

namespace tengen::cli {

/// How waiting for answers ended.
enum class WaitEnd : std::uint8_t {
  All,       // as many answers as were waited for, or more
  Silence,   // the time was over
  Closed,    // the engine closed its output or ended
  Unframed,  // what it wrote cannot be cut into answers any more
};

struct Exchange {
  WaitEnd heard = WaitEnd::All;
  std::vector<pool::Answer> answers;  // all that have come since the last call
  std::chrono::milliseconds took{0};
  std::string reason;  // of Unframed
};

class ProbeEngine {
 public:
  ProbeEngine() = default;
  ProbeEngine(const ProbeEngine&) = delete;
  ProbeEngine& operator=(const ProbeEngine&) = delete;
  virtual ~ProbeEngine() = default;

  /// Starts a fresh process, after the last one was killed or seen to end. Says why it cannot.
  virtual std::optional<std::string> start() = 0;
  /// Writes the bytes and waits until so many answers have come.
  virtual Exchange ask(std::string_view bytes, std::size_t answers,
                       std::chrono::milliseconds timeout) = 0;
  /// The answer with this id is a stream, whose updates count as answers (pool/gtp.h); 0: none is.
  virtual void expect_stream(std::uint32_t id) = 0;
  virtual void close_input() = 0;
  /// How the process ended, like "exit code 0"; nothing if it still runs after the time.
  virtual std::optional<std::string> wait_exit(std::chrono::milliseconds timeout) = 0;
  /// Ends the process and its whole group at once; nothing happens if there is none.
  virtual void kill() = 0;
  /// Bytes on standard error, and lines outside answers, since the first start.
  virtual std::uint64_t error_bytes() const = 0;
  virtual std::uint64_t noise_lines() const = 0;
  /// The end of what came on standard error.
  virtual std::string error_tail() const = 0;
};

}  // namespace tengen::cli
