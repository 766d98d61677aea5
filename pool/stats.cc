#include "pool/stats.h"

#include <algorithm>

namespace tengen::pool {

void Histogram::add(std::chrono::nanoseconds duration) {
  // A sum that is exported as a counter must never fall.
  const auto counted = std::max(duration, std::chrono::nanoseconds(0));
  for (std::size_t i = 0; i < kBoundsMs.size(); ++i) {
    if (counted <= std::chrono::milliseconds(kBoundsMs[i])) ++counts_[i];
  }
  ++counts_.back();
  sum_ += counted;
}

}  // namespace tengen::pool
