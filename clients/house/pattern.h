// Shapes of 3x3 points that make their empty middle a natural move: hane, cut, push and the
// commonest edge moves. Source of the set: the pattern figures of Gelly, Wang, Munos, Teytaud,
// "Modification of UCT with Patterns in Monte-Carlo Go" (2006), some left out and some added.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "rules/board.h"

namespace tengen::house {

class Patterns {
 public:
  Patterns();

  /// Whether the shape around an empty point asks `to_move` to play there.
  bool match(const rules::Board& board, rules::Point point, rules::Color to_move) const {
    return table_[static_cast<std::size_t>(index_of(to_move))][code(board, point)];
  }

 private:
  static constexpr std::size_t kCodes = std::size_t{1} << 16;  // eight cells of two bits

  static std::size_t code(const rules::Board& board, rules::Point point) {
    std::size_t code = 0;
    for (const int step : kSteps) {
      const auto index = static_cast<std::uint16_t>(point.index() + step);
      code = code << 2 | static_cast<std::size_t>(board.at(rules::Point(index)));
    }
    return code;
  }

  /// The eight points around one, row by row.
  static constexpr std::array<int, 8> kSteps = {
      -rules::kStride - 1, -rules::kStride, -rules::kStride + 1, -1, 1,
      rules::kStride - 1,  rules::kStride,  rules::kStride + 1};

  std::array<std::bitset<kCodes>, 2> table_;  // by the colour to move
};

}  // namespace tengen::house
