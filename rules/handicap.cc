#include "rules/handicap.h"

#include <algorithm>

namespace tengen::rules {

int fixed_handicap_max(Size size) {
  if (size.width != size.height || size.width < 7) return 0;
  return size.width % 2 == 1 && size.width >= 9 ? 9 : 4;
}

std::vector<Point> fixed_handicap(Size size, int stones) {
  if (stones < 2 || stones > fixed_handicap_max(size)) return {};
  const int low = size.width < 13 ? 2 : 3;  // the third line, or the fourth
  const int high = size.width - 1 - low;
  const int mid = size.width / 2;
  const Point center = Point::at(mid, mid);
  // Rows count from the top: lower left is (low, high).
  std::vector<Point> points{Point::at(low, high), Point::at(high, low), Point::at(low, low),
                            Point::at(high, high)};
  if (stones <= 4) {
    points.resize(static_cast<std::size_t>(stones));
    return points;
  }
  if (stones >= 6) points.insert(points.end(), {Point::at(low, mid), Point::at(high, mid)});
  if (stones >= 8) points.insert(points.end(), {Point::at(mid, high), Point::at(mid, low)});
  if (stones % 2 == 1) points.push_back(center);
  return points;
}

std::vector<Point> star_points(Size size) {
  const bool has_stars = size == Size{9, 9} || size == Size{13, 13} || size == Size{19, 19};
  if (!has_stars) return {};
  std::vector<Point> points = fixed_handicap(size, size.width == 19 ? 9 : 5);
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace tengen::rules
