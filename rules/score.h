// Area scoring: stones plus empty regions that reach only one colour.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/board.h"

namespace tengen::rules {

/// Points on the board, without komi. Regions that touch no stone or both colours are nobody's.
struct Area {
  int black = 0;
  int white = 0;
  friend bool operator==(Area, Area) = default;
};

/// The area as the board stands after lifting exactly the points in `removed` (whole chains are the
/// caller's business; see whole_chains).
Area area(const Board& board, const std::vector<Point>& removed = {});

/// Every chain that holds one of the points, whole, sorted by index and without repeats. Nothing
/// when a point is empty or off the board.
std::optional<std::vector<Point>> whole_chains(const Board& board,
                                               const std::vector<Point>& points);

}  // namespace tengen::rules
