#include "rules/score.h"

#include <algorithm>
#include <array>

namespace tengen::rules {
namespace {

using Cells = std::array<Cell, kCells>;

/// One empty region: its size and which colours its border shows.
struct Region {
  int points = 0;
  bool reaches_black = false;
  bool reaches_white = false;
};

Cells cells_without(const Board& board, const std::vector<Point>& removed) {
  Cells cells{};
  for (std::uint16_t i = 0; i < kCells; ++i) cells[i] = board.at(Point(i));
  for (const Point point : removed) cells[point.index()] = Cell::Empty;
  return cells;
}

/// Collects the region around an empty point and marks it as border, so that it is met once.
Region take_region(Cells& cells, Point start) {
  Region region;
  std::vector<Point> open{start};
  cells[start.index()] = Cell::Border;
  while (!open.empty()) {
    const Point point = open.back();
    open.pop_back();
    ++region.points;
    for (const Point near : point.neighbours()) {
      Cell& cell = cells[near.index()];
      if (cell == Cell::Black) region.reaches_black = true;
      if (cell == Cell::White) region.reaches_white = true;
      if (cell != Cell::Empty) continue;
      cell = Cell::Border;
      open.push_back(near);
    }
  }
  return region;
}

}  // namespace

Area area(const Board& board, const std::vector<Point>& removed) {
  Cells cells = cells_without(board, removed);
  Area total;
  for (std::uint16_t i = 0; i < kCells; ++i) {
    if (cells[i] == Cell::Black) ++total.black;
    if (cells[i] == Cell::White) ++total.white;
    if (cells[i] != Cell::Empty) continue;
    const Region region = take_region(cells, Point(i));
    if (region.reaches_black == region.reaches_white) continue;
    (region.reaches_black ? total.black : total.white) += region.points;
  }
  return total;
}

std::optional<std::vector<Point>> whole_chains(const Board& board,
                                               const std::vector<Point>& points) {
  std::array<bool, kCells> chosen{};
  std::vector<Point> whole;
  for (const Point point : points) {
    if (!point.is_on(board.size()) || !is_stone(board.at(point))) return std::nullopt;
    if (chosen[point.index()]) continue;
    for (const Point member : board.chain(point)) {
      chosen[member.index()] = true;
      whole.push_back(member);
    }
  }
  std::sort(whole.begin(), whole.end());
  return whole;
}

}  // namespace tengen::rules
