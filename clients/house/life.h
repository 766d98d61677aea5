// Who owns what at the end: the average over boards played out, and what it says about chains and
// territory.
#pragma once

#include <array>
#include <vector>

#include "rules/board.h"

namespace tengen::house {

class Ownership {
 public:
  void add(const rules::Board& played_out);

  int playouts() const { return playouts_; }
  /// Per cent of the playouts in which the point was the colour's.
  int percent(rules::Point point, rules::Color color) const;

 private:
  int playouts_ = 0;
  std::array<std::array<int, rules::kCells>, 2> owned_{};  // by colour
};

/// The chains of `color` that the other side mostly owns in the end, whole, sorted by point.
std::vector<rules::Point> lost_chains(const rules::Board& board, rules::Color color,
                                      const Ownership& ownership);

/// Per point the colour whose it surely is, else Empty: stones that mostly stay; and empty regions,
/// lost chains lifted, that touch one colour only and are mostly owned by it.
using Owners = std::array<rules::Cell, rules::kCells>;
Owners settled_owners(const rules::Board& board, const Ownership& ownership);

}  // namespace tengen::house
