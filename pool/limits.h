// Every limit of the pool that is not a profile's own, in one place. Reaching one is a normal
// outcome with a name, never a surprise.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tengen::pool {

struct Limits {
  // Towards the engine. GNU Go cuts lines at 1000 bytes and michi-c at 256, newline included.
  static constexpr std::size_t kCommandLineBytesMax = 255;
  static constexpr std::uint32_t kCommandIdMax = 999'999'999;  // KataGo reads nine digits

  // From the engine; more is lost framing.
  static constexpr std::size_t kAnswerLineBytesMax = 16 * 1024;
  static constexpr std::size_t kAnswerBytesMax = 64 * 1024;
  static constexpr std::size_t kStreamLineBytesMax = 256 * 1024;  // with ownership of every move
  static constexpr int kLateAnswersMax = 8;   // answers to ids that were answered before
  static constexpr int kLooksRefusedMax = 3;  // in a row, then its board is not asked for any more
  static constexpr int kBadUpdatesMax = 8;    // lines of one stream that cannot be read
  static constexpr std::size_t kErrorTailBytesMax = 4 * 1024;  // stderr that is remembered
  static constexpr std::size_t kQuotedBytesMax = 400;          // engine text quoted in one line

  // A job.
  static constexpr int kEnginesPerJobMax = 2;  // failures on this many engines end it
  static constexpr int kRefusalsPerJobMax = 3;
  static constexpr int kOvertakesMax = 8;  // later jobs that may pass the one whose turn it is
  static constexpr std::size_t kLookaheadMax = 32;     // jobs looked at for the same board size
  static constexpr std::size_t kQuarantineMax = 1024;  // jobs remembered
  static constexpr std::size_t kFlowsMax = 4096;       // clients remembered for their shares
  /// Kept back from a clock: a quarter of what is left within these, at most half (search_time.h).
  static constexpr std::chrono::milliseconds kReserveMin{200};
  static constexpr std::chrono::milliseconds kReserveMax{10'000};
  static constexpr std::chrono::milliseconds kSearchTimeMin{10};  // watched, whatever is left
  /// A clock that leaves less for a move when a game begins is refused for engines.
  static constexpr std::chrono::milliseconds kMoveBudgetMin{100};
  /// A stream that was given its turn runs at least so long before a move takes its engine.
  static constexpr std::chrono::milliseconds kStreamQuantum{200};

  // Starting and stopping.
  static constexpr int kStartFailuresMax = 6;
  static constexpr std::size_t kDeadlyJobsMin = 3;  // deaths at work count from so many jobs on
  static constexpr std::chrono::milliseconds kBackoffFirst{250};
  static constexpr std::chrono::milliseconds kBackoffMax{30'000};
  static constexpr std::chrono::milliseconds kQuitGrace{2'000};
  /// A search that nobody wants is waited out when that takes no longer than this and two starts.
  static constexpr std::chrono::milliseconds kSpareWait{50};

  // The shell.
  static constexpr std::size_t kWriteBacklogMax = 1024 * 1024;
  static constexpr std::chrono::milliseconds kPipeGrace{200};  // after exit, for the output's end
};

}  // namespace tengen::pool
