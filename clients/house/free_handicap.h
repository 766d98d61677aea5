// Where the house engine puts the stones of a free handicap.
#pragma once

#include <vector>

#include "rules/point.h"

namespace tengen::house {

/// Exactly that many different points, from 1 to all of the board but one: those of the fixed
/// handicap as far as the board has one, then the points farthest from stones and edges.
std::vector<rules::Point> free_handicap(rules::Size size, int stones);

}  // namespace tengen::house
