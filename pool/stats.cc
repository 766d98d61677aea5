#include "pool/stats.h"

#include <algorithm>
#include <numeric>

namespace tengen::pool {

void Histogram::add(std::chrono::nanoseconds duration) {
  // A sum that is exported as a counter must never fall.
  const auto counted = std::max(duration, std::chrono::nanoseconds(0));
  std::size_t bucket = 0;
  while (bucket < kBoundsMs.size() && counted > std::chrono::milliseconds(kBoundsMs[bucket])) {
    ++bucket;
  }
  ++buckets_[bucket];
  sum_ += counted;
}

Histogram::Counts Histogram::counts() const {
  Counts counts{};
  std::partial_sum(buckets_.begin(), buckets_.end(), counts.begin());
  return counts;
}

}  // namespace tengen::pool
