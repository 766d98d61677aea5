// Unconditional life by Benson's algorithm (David B. Benson, "Life in the Game of Go", 1976): which
// chains cannot be captured even if their owner passes for ever. Everything found is certain;
// what is not found may well be alive.
#pragma once

#include <vector>

#include "rules/board.h"
#include "rules/ruleset.h"

namespace tengen::rules {

struct PassAlive {
  std::vector<Point> stones;     // of the chains that are unconditionally alive
  std::vector<Point> territory;  // points and dead stones in regions where the enemy cannot live
};

/// The chains of `color`, sorted by point. A region counts as an eye of a chain when all its empty
/// points are liberties of the chain; where suicide of several stones is legal, when all its points
/// touch the chain. A region is territory when only unconditionally alive chains border it and
/// at most one of its points touches none of them.
PassAlive pass_alive(const Board& board, Color color, SuicideRule suicide);

}  // namespace tengen::rules
