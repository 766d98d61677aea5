#include "rules/score.h"

#include <algorithm>

namespace tengen::rules {
namespace {

/// A maximal set of connected empty points and the colours on its border.
struct Region {
  std::vector<Point> points;
  std::array<bool, 2> reaches{};
  bool is_seki = false;

  std::optional<Color> owner() const {
    if (is_seki || reaches[0] == reaches[1]) return std::nullopt;
    return reaches[0] ? Color::Black : Color::White;
  }
};

Owners cells_without(const Board& board, const std::vector<Point>& removed) {
  Owners cells;
  for (std::uint16_t i = 0; i < kCells; ++i) cells[i] = board.at(Point(i));
  for (const Point point : removed) cells[point.index()] = Cell::Empty;
  return cells;
}

/// The region around an empty point; its cells are set to Border, so that it is met once.
Region take_region(Owners& cells, Point start) {
  Region region;
  region.points.push_back(start);
  cells[start.index()] = Cell::Border;
  for (std::size_t next = 0; next < region.points.size(); ++next) {
    for (const Point near : region.points[next].neighbours()) {
      Cell& cell = cells[near.index()];
      if (is_stone(cell)) region.reaches[static_cast<std::size_t>(index_of(color_of(cell)))] = true;
      if (cell != Cell::Empty) continue;
      cell = Cell::Border;
      region.points.push_back(near);
    }
  }
  return region;
}

std::vector<Region> regions_of(Owners cells) {
  std::vector<Region> regions;
  for (std::uint16_t i = 0; i < kCells; ++i) {
    if (cells[i] == Cell::Empty) regions.push_back(take_region(cells, Point(i)));
  }
  return regions;
}

/// The marked points, with every stone of a marked living chain.
std::array<bool, kCells> seki_points(const Board& board, const Owners& cells,
                                     const std::vector<Point>& marks) {
  std::array<bool, kCells> is_seki{};
  for (const Point mark : marks) {
    if (is_seki[mark.index()]) continue;
    is_seki[mark.index()] = true;
    if (!is_stone(cells[mark.index()])) continue;
    for (const Point stone : board.chain(mark)) is_seki[stone.index()] = true;
  }
  return is_seki;
}

/// Regions once the dead are lifted, those of a seki marked so.
std::vector<Region> marked_regions(const Board& board, const Marks& marks) {
  const Owners cells = cells_without(board, marks.dead);
  std::vector<Region> regions = regions_of(cells);
  if (marks.seki.empty()) return regions;
  const auto is_seki = seki_points(board, cells, marks.seki);
  for (Region& region : regions) {
    for (const Point point : region.points) {
      if (is_seki[point.index()]) region.is_seki = true;
      for (const Point near : point.neighbours()) {
        if (is_stone(cells[near.index()]) && is_seki[near.index()]) region.is_seki = true;
      }
    }
  }
  return regions;
}

Owners owners_of(const Board& board, const std::vector<Region>& regions) {
  Owners owners;
  for (std::uint16_t i = 0; i < kCells; ++i) {
    owners[i] = board.at(Point(i)) == Cell::Border ? Cell::Border : Cell::Empty;
  }
  for (const Region& region : regions) {
    const auto owner = region.owner();
    if (!owner) continue;
    for (const Point point : region.points) owners[point.index()] = cell_of(*owner);
  }
  return owners;
}

}  // namespace

Owners area_owners(const Board& board, const std::vector<Point>& removed) {
  const Owners cells = cells_without(board, removed);
  Owners owners = owners_of(board, regions_of(cells));
  for (std::uint16_t i = 0; i < kCells; ++i) {
    if (is_stone(cells[i])) owners[i] = cells[i];
  }
  return owners;
}

Area area(const Board& board, const std::vector<Point>& removed) {
  const Owners owners = area_owners(board, removed);
  return {static_cast<int>(std::count(owners.begin(), owners.end(), Cell::Black)),
          static_cast<int>(std::count(owners.begin(), owners.end(), Cell::White))};
}

Owners territory_owners(const Board& board, const Marks& marks) {
  return owners_of(board, marked_regions(board, marks));
}

Territory territory(const Board& board, const Marks& marks, DeadOutsideTerritory outside) {
  const Owners owners = territory_owners(board, marks);
  Territory total;
  total.black = static_cast<int>(std::count(owners.begin(), owners.end(), Cell::Black));
  total.white = static_cast<int>(std::count(owners.begin(), owners.end(), Cell::White));
  for (const Point stone : marks.dead) {
    const bool is_owned = owners[stone.index()] != Cell::Empty;
    if (!is_owned && outside == DeadOutsideTerritory::Stays) continue;
    (board.at(stone) == Cell::Black ? total.dead_black : total.dead_white) += 1;
  }
  return total;
}

Points count(const Record& record, Scoring scoring, const Marks& marks) {
  if (scoring == Scoring::Area) {
    const Area points = area(record.board(), marks.dead);
    return {points.black, points.white};
  }
  const Territory points = territory(record.board(), marks);
  return {points.black + points.dead_white + record.captured_by(Color::Black),
          points.white + points.dead_black + record.captured_by(Color::White)};
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
