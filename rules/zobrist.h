// The random keys of the Zobrist hash: one 64-bit key per colour and point, made by splitmix64 from
// a fixed seed. No file holds a hash, so the seed may change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rules/color.h"
#include "rules/point.h"

namespace tengen::rules {

/// The `n`th number of the splitmix64 sequence that starts at `seed`.
constexpr std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t n) {
  std::uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

using ZobristKeys = std::array<std::array<std::uint64_t, kCells>, 2>;

constexpr ZobristKeys make_zobrist_keys() {
  constexpr std::uint64_t kSeed = 0x74656e67656e3031u;
  ZobristKeys keys{};
  for (std::size_t color = 0; color < 2; ++color) {
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      keys[color][cell] = splitmix64(kSeed, color * kCells + cell);
    }
  }
  return keys;
}

inline constexpr ZobristKeys kZobristKeys = make_zobrist_keys();

constexpr std::uint64_t zobrist_key(Color color, Point point) {
  return kZobristKeys[index_of(color)][point.index()];
}

}  // namespace tengen::rules
