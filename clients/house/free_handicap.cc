#include "clients/house/free_handicap.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "rules/handicap.h"

namespace tengen::house {
namespace {

using rules::Point;
using rules::Size;

/// How much room there is around each point: steps to the nearest stone, or twice those over the
/// edge, whichever is fewer. A stone's own point has none.
class Room {
 public:
  explicit Room(Size size) {
    for (int row = 0; row < size.height; ++row) {
      for (int col = 0; col < size.width; ++col) {
        const int edge = std::min({col, row, size.width - 1 - col, size.height - 1 - row});
        points_.push_back({Point::at(col, row), 2 * (edge + 1)});
      }
    }
  }

  void add_stone(Point stone) {
    for (Spot& spot : points_) {
      const int steps =
          std::abs(spot.point.col() - stone.col()) + std::abs(spot.point.row() - stone.row());
      spot.room = std::min(spot.room, steps);
    }
  }

  /// The first one with the most room.
  Point widest() const {
    const auto less = [](const Spot& a, const Spot& b) { return a.room < b.room; };
    return std::max_element(points_.begin(), points_.end(), less)->point;
  }

 private:
  struct Spot {
    Point point;
    int room = 0;
  };

  std::vector<Spot> points_;
};

}  // namespace

std::vector<Point> free_handicap(Size size, int stones) {
  std::vector<Point> points =
      rules::fixed_handicap(size, std::min(stones, rules::fixed_handicap_max(size)));
  Room room(size);
  for (const Point point : points) room.add_stone(point);
  while (points.size() < static_cast<std::size_t>(stones)) {
    points.push_back(room.widest());
    room.add_stone(points.back());
  }
  return points;
}

}  // namespace tengen::house
