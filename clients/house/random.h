// The engine's only source of chance: a splitmix64 sequence that a seed fixes on every machine.
#pragma once

#include <cstdint>

#include "rules/zobrist.h"

namespace tengen::house {

class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(rules::splitmix64(seed, 0)) {}

  /// A number below `bound`, which must not be 0.
  std::uint32_t below(std::uint32_t bound) {
    const std::uint64_t high = rules::splitmix64(seed_, drawn_++) >> 32;
    return static_cast<std::uint32_t>(high * bound >> 32);
  }
  bool chance(std::uint32_t of, std::uint32_t out_of) { return below(out_of) < of; }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

}  // namespace tengen::house
