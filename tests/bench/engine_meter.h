// The CPU time of one engine process, split job by job at the last answer before the search. The
// process's own CPU clock is read, to the nanosecond: when a job is written (the engine sleeps
// then), when we have read the last answer of the sync, and when we have read the answer to the
// search (the engine sleeps again). Only the second reading is late, by what the engine has already
// searched until we were given a core; that time is booked as sync, so the share of the searches
// is never overstated.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/gtp.h"

namespace tengen::tests {

/// One write and its answers.
struct Metered {
  std::size_t commands = 0;  // before the search
  std::chrono::nanoseconds sync{0};
  std::chrono::nanoseconds sync_wall{0};  // from the write to the last answer of the sync
  std::chrono::nanoseconds search{0};     // 0 when the last command was no search for a move
  std::string answer;                     // the last one's text
};

class EngineMeter {
 public:
  /// The process must be there for as long as the meter is used; everything throws when it is not.
  explicit EngineMeter(pid_t pid);

  /// Just before these whole lines are written; those before them have been answered.
  void on_write(std::string_view lines);
  /// Gives the account of the write when its last answer is among what was read.
  std::optional<Metered> on_read(std::string_view bytes);

  /// CPU time since the meter was made.
  std::chrono::nanoseconds used() const { return cpu() - first_; }

 private:
  struct Open {
    std::uint32_t last_id = 0;
    std::uint32_t sync_id = 0;  // of the command before; 0: there is none
    bool is_search = false;
    std::chrono::nanoseconds begin{0};
    std::chrono::steady_clock::time_point begin_wall;
    Metered metered;
  };

  std::chrono::nanoseconds cpu() const;

  clockid_t clock_{};
  std::chrono::nanoseconds first_{0};
  pool::AnswerReader reader_;
  std::optional<Open> open_;
};

}  // namespace tengen::tests
