// A network for Leela Zero that knows nothing: the right shape, random weights. Its moves are
// nonsense, but the program around it is real.
#pragma once

#include <cstdint>
#include <string>

namespace tengen::tests {

/// A version 1 network as text, a few megabytes, the same for the same seed.
std::string random_network(std::uint64_t seed);

}  // namespace tengen::tests
