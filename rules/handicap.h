// Where handicap stones go, and the star points that boards are drawn with: two different tables.
// Source of the handicap table: GTP 2, draft 2, section 4.1.1.
#pragma once

#include <vector>

#include "rules/point.h"

namespace tengen::rules {

/// The most stones a fixed handicap can have: 9 on odd sizes from 9, 4 on 7x7 and on even sizes
/// from 8, else 0. Only square boards have one.
int fixed_handicap_max(Size size);

/// The points of a fixed handicap of 2..fixed_handicap_max stones, in GTP's order (lower left,
/// upper right, upper left, lower right, ...); empty for any other number.
std::vector<Point> fixed_handicap(Size size, int stones);

/// The points drawn as stars: 9 on 19x19, 5 on 9x9 and 13x13, none elsewhere; in index order.
std::vector<Point> star_points(Size size);

}  // namespace tengen::rules
