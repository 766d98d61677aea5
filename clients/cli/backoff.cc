// Doubling delays with jitter.
#include "clients/cli/backoff.h"

#include <algorithm>

namespace tengen::cli {

std::chrono::milliseconds Backoff::next(Random& random) {
  std::uniform_int_distribution<long> jitter(step_.count() / 2, step_.count());
  const std::chrono::milliseconds delay(jitter(random));
  step_ = std::min(step_ * 2, kMax);
  return delay;
}

}  // namespace tengen::cli
