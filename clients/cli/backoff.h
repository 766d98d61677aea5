// How long to wait before trying again: doubling delays with jitter, so that many clients of one
// restarted daemon do not come back at the same instant.
#pragma once

#include <chrono>
#include <random>

namespace tengen::cli {

/// Seeded by main; tests seed it with a number.
using Random = std::mt19937_64;

class Backoff {
 public:
  static constexpr std::chrono::milliseconds kFirst{100};
  static constexpr std::chrono::milliseconds kMax{3'000};

  /// The next delay: between half of the present step and the whole of it. The step then doubles.
  std::chrono::milliseconds next(Random& random);
  void reset() { step_ = kFirst; }

 private:
  std::chrono::milliseconds step_ = kFirst;
};

}  // namespace tengen::cli
