// A probe's conversation with one engine process: ids, answers and what went wrong. After the first
// failure every command is refused here without being sent, so that a check can be written as if
// engines never failed; the list in probe.cc looks at failure() when the check is over.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/probe/engine.h"
#include "pool/gtp.h"

namespace tengen::cli {

/// What stands for an answer that was not to be had: a refusal without text.
pool::Answer no_answer();

/// A search that tells what it thinks, as it was heard.
struct Stream {
  pool::Answer end = no_answer();             // to its command
  std::vector<std::string> updates;           // each a line
  std::chrono::milliseconds first_update{0};  // after the command
  std::chrono::milliseconds listened{0};      // before the fence
  std::chrono::milliseconds ending{0};        // from the fence to its answer
  bool ended_by_itself = false;
};

class ProbeSession {
 public:
  ProbeSession(ProbeEngine& engine, std::chrono::milliseconds timeout)
      : engine_(engine), timeout_(timeout) {}

  /// A fresh process, no failure. Says why it cannot be started.
  std::optional<std::string> start();
  bool is_running() const { return is_running_; }
  /// Kills the process if there is one.
  void stop();

  /// The answer to one command; a refusal without text when something failed.
  pool::Answer ask(const std::string& command);
  /// Whether the command succeeds.
  bool accepts(const std::string& command) { return ask(command).is_success; }
  /// Whether all succeed; stops at the first that does not.
  bool accepts_all(const std::vector<std::string>& commands);
  /// The answers to the commands sent in one write, in order; fewer when something failed.
  std::vector<pool::Answer> ask_at_once(const std::vector<std::string>& commands);
  /// Sends the bytes as they are and gives back so many answers, whatever their ids.
  std::vector<pool::Answer> ask_raw(const std::string& bytes, std::size_t answers);
  /// Starts a stream that goes on until something is written, hears so many updates unless the time
  /// is over first, and sends a fence: a harmless command whose answer comes behind the stream's
  /// end.
  Stream stream(const std::string& command, std::size_t updates);
  /// A search that tells updates and ends by itself.
  Stream search(const std::string& command);
  /// Asks the process to quit, or closes its input, and says how it ended; nothing if it did not
  /// within the time and had to be killed.
  std::optional<std::string> quit(std::chrono::milliseconds timeout);
  std::optional<std::string> close_input(std::chrono::milliseconds timeout);

  /// The answers are not those of the commands: a failure like any other.
  void lose_framing(std::string why);
  /// What failed, and at which command; empty while all is well.
  const std::string& failure() const { return failure_; }
  /// The first failure to match answers to commands, in any process; empty if there was none.
  const std::string& lost_framing() const { return lost_framing_; }
  /// Second answers to one command, dropped; in any process.
  std::uint64_t surplus_answers() const { return surplus_answers_; }
  /// The time from the last write to its last answer.
  std::chrono::milliseconds took() const { return took_; }
  std::chrono::milliseconds timeout() const { return timeout_; }
  std::uint64_t error_bytes() const { return engine_.error_bytes(); }
  std::uint64_t noise_lines() const { return engine_.noise_lines(); }
  std::string error_tail() const { return engine_.error_tail(); }

 private:
  std::vector<pool::Answer> hear(const std::string& bytes, std::uint32_t first_id,
                                 const std::vector<std::string>& commands);
  void take(Exchange& exchange, std::uint32_t first_id, std::size_t count,
            std::vector<pool::Answer>& taken);
  std::vector<pool::Answer> listen(const std::string& bytes, std::uint32_t id,
                                   const std::string& command, std::size_t updates, Stream& stream);
  void fence(std::uint32_t id, const std::string& command, std::vector<pool::Answer> answers,
             Stream& stream);
  bool can_ask() const { return failure_.empty() && is_running_; }
  void fail(const Exchange& exchange, const std::string& command);
  std::optional<std::string> wait_exit(std::chrono::milliseconds timeout);

  ProbeEngine& engine_;
  std::chrono::milliseconds timeout_;
  std::chrono::milliseconds took_{0};
  pool::CommandWriter writer_;
  bool is_running_ = false;
  bool is_first_ = true;              // the first answer may wait for the engine to load
  std::vector<std::string> updates_;  // of the newest stream or search
  std::uint64_t surplus_answers_ = 0;
  std::string failure_;
  std::string lost_framing_;
};

}  // namespace tengen::cli
