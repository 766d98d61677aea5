#include "clients/house/life.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "clients/house/playout.h"
#include "clients/house/search.h"
#include "clients/house/tree.h"

namespace tengen::house {

using rules::Board;
using rules::Cell;
using rules::Color;
using rules::Point;

namespace {

/// Averages over a chain or region; single points vary more than that.
constexpr int kLostPercent = 60;
constexpr int kSettledPercent = 75;
/// With fewer playouts nothing is lost or settled.
constexpr int kPlayoutsMin = 16;

template <typename Visit>
void each_point(rules::Size size, Visit visit) {
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) visit(Point::at(col, row));
  }
}

/// Calls `visit` with the stones of each chain, sorted by point, in the order of the lowest.
template <typename Visit>
void each_chain(const Board& board, Visit visit) {
  std::array<bool, rules::kCells> seen{};
  each_point(board.size(), [&](Point point) {
    if (!rules::is_stone(board.at(point)) || seen[point.index()]) return;
    const std::vector<Point> chain = board.chain(point);
    for (const Point stone : chain) seen[stone.index()] = true;
    visit(chain);
  });
}

bool is_mostly(const Ownership& ownership, const std::vector<Point>& points, Color color,
               int percent) {
  if (ownership.playouts() < kPlayoutsMin) return false;
  int sum = 0;
  for (const Point point : points) sum += ownership.percent(point, color);
  return sum >= percent * static_cast<int>(points.size());
}

struct Region {
  std::vector<Point> points;
  std::array<bool, 2> touches{};  // by colour
};

/// The region of empty cells around `start`, which are marked as border so that it is met once.
Region take_region(Owners& cells, Point start) {
  Region region{{start}, {}};
  cells[start.index()] = Cell::Border;
  for (std::size_t i = 0; i < region.points.size(); ++i) {
    for (const Point near : region.points[i].neighbours()) {
      Cell& cell = cells[near.index()];
      if (rules::is_stone(cell)) {
        region.touches[static_cast<std::size_t>(index_of(rules::color_of(cell)))] = true;
      }
      if (cell != Cell::Empty) continue;
      cell = Cell::Border;
      region.points.push_back(near);
    }
  }
  return region;
}

/// Whose a region is: the one colour's that it touches, if it mostly ends up with it.
Cell owner_of(const Region& region, const Ownership& ownership) {
  for (const Color color : {Color::Black, Color::White}) {
    const auto own = static_cast<std::size_t>(index_of(color));
    if (!region.touches[own] || region.touches[1 - own]) continue;
    if (is_mostly(ownership, region.points, color, kSettledPercent)) return rules::cell_of(color);
  }
  return Cell::Empty;
}

}  // namespace

void Ownership::add(const Board& played_out) {
  ++playouts_;
  each_point(played_out.size(), [&](Point point) {
    const Cell cell = owner(played_out, point);
    if (cell == Cell::Empty) return;
    ++owned_[static_cast<std::size_t>(index_of(rules::color_of(cell)))][point.index()];
  });
}

int Ownership::percent(Point point, Color color) const {
  if (playouts_ == 0) return 0;
  return 100 * owned_[static_cast<std::size_t>(index_of(color))][point.index()] / playouts_;
}

std::vector<Point> lost_chains(const Board& board, Color color, const Ownership& ownership) {
  std::vector<Point> lost;
  each_chain(board, [&](const std::vector<Point>& chain) {
    if (board.at(chain.front()) != rules::cell_of(color)) return;
    if (!is_mostly(ownership, chain, other(color), kLostPercent)) return;
    lost.insert(lost.end(), chain.begin(), chain.end());
  });
  std::sort(lost.begin(), lost.end());
  return lost;
}

Owners settled_owners(const Board& board, const Ownership& ownership) {
  Owners cells{};
  Owners owners{};
  for (std::uint16_t i = 0; i < rules::kCells; ++i) cells[i] = board.at(Point(i));
  each_chain(board, [&](const std::vector<Point>& chain) {
    const Color color = rules::color_of(board.at(chain.front()));
    const bool stays = is_mostly(ownership, chain, color, kSettledPercent);
    const bool is_lost = is_mostly(ownership, chain, other(color), kLostPercent);
    for (const Point stone : chain) {
      if (stays) owners[stone.index()] = rules::cell_of(color);
      if (is_lost) cells[stone.index()] = Cell::Empty;
    }
  });
  each_point(board.size(), [&](Point point) {
    if (cells[point.index()] != Cell::Empty) return;
    const Region region = take_region(cells, point);
    const Cell owner = owner_of(region, ownership);
    for (const Point member : region.points) owners[member.index()] = owner;
  });
  return owners;
}

/// Half of the playouts start with a pass, so that each side's chains are judged with their owner
/// to move first: what can still be saved is not dead.
std::vector<Point> dead_stones(const rules::Record& record, Color to_move, int playouts,
                               std::uint64_t seed) {
  const Position root(record, to_move);
  std::vector<Point> moves;
  root.find_moves(moves);
  Tree tree(root, moves, Goal{.margin_share = kFullValue}, seed);
  Ownership own_first;
  Ownership other_first;
  for (int i = 0; i < std::min(playouts, kPlayoutsMax); i += 2) {
    own_first.add(tree.simulate());
    other_first.add(tree.simulate_child(0));
  }
  std::vector<Point> dead = lost_chains(record.board(), to_move, own_first);
  const std::vector<Point> others = lost_chains(record.board(), other(to_move), other_first);
  dead.insert(dead.end(), others.begin(), others.end());
  std::sort(dead.begin(), dead.end());
  return dead;
}

}  // namespace tengen::house
