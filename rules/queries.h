// Facts about a board that players ask for (document 002): chains with their liberties, a part of
// the board, who owns which point. They judge nothing.
#pragma once

#include <vector>

#include "rules/board.h"
#include "rules/game.h"
#include "rules/score.h"

namespace tengen::rules {

inline constexpr int kNeighborhoodRadius = 2;  // where none is given
inline constexpr int kNeighborhoodRadiusMax = 4;

/// A chain; both lists sorted.
struct Group {
  Color color = Color::Black;
  std::vector<Point> stones;
  std::vector<Point> liberties;
  friend bool operator==(const Group&, const Group&) = default;
};
/// The chain on a stone.
Group group_at(const Board& board, Point stone);
/// Every chain, by its lowest stone.
std::vector<Group> groups_of(const Board& board);

/// A part of the board: columns and rows from 0 at the top left.
struct Window {
  int x0 = 0;
  int y0 = 0;
  int width = 0;
  int height = 0;
  friend bool operator==(Window, Window) = default;
};
/// The square around a point, without what is off the board.
Window neighborhood(Size size, Point center, int radius);

/// Who owns which point by the game's scoring: with the dead and seki that a counted game was
/// counted with, else with every stone alive.
Owners territory_map(const Game& game);

}  // namespace tengen::rules
