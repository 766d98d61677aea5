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
  static constexpr std::size_t kErrorTailBytesMax = 4 * 1024;  // stderr that is remembered
  static constexpr std::size_t kQuotedBytesMax = 400;          // engine text quoted in one line

  // A job.
  static constexpr int kEnginesPerJobMax = 2;  // failures on this many engines end it
  static constexpr int kRefusalsPerJobMax = 3;
  static constexpr int kOvertakesMax = 8;  // later jobs that may pass the oldest one

  // Starting and stopping.
  static constexpr int kStartFailuresMax = 6;
  static constexpr std::chrono::milliseconds kBackoffFirst{250};
  static constexpr std::chrono::milliseconds kBackoffMax{30'000};
  static constexpr std::chrono::milliseconds kQuitGrace{2'000};

  // The shell.
  static constexpr std::size_t kWriteBacklogMax = 1024 * 1024;
  static constexpr std::chrono::milliseconds kPipeGrace{200};  // after exit, for the output's end
};

}  // namespace tengen::pool
