// A point of the board and its names. A point is an index into a field of fixed stride with a
// ring of sentinels, so that neighbours need no bounds test; the stride is part of the log format
// and never changes. Columns and rows count from the top left, from 0.
// One table ties the spellings together: agent (0,0) = GTP A19 = SGF "aa" on 19x19.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tengen::rules {

inline constexpr int kMaxSize = 25;
inline constexpr int kStride = kMaxSize + 2;
inline constexpr int kCells = kStride * kStride;

/// A board's width and height, 1..25 each.
struct Size {
  std::uint8_t width = 19;
  std::uint8_t height = 19;

  constexpr bool is_valid() const {
    return width >= 1 && width <= kMaxSize && height >= 1 && height <= kMaxSize;
  }
  constexpr int area() const { return width * height; }
  friend constexpr bool operator==(Size, Size) = default;
};

class Point {
 public:
  constexpr Point() = default;
  constexpr explicit Point(std::uint16_t index) : index_(index) {}
  /// The point in column `col` (from the left) and row `row` (from the top), both from 0.
  static constexpr Point at(int col, int row) {
    return Point(static_cast<std::uint16_t>((row + 1) * kStride + col + 1));
  }

  constexpr std::uint16_t index() const { return index_; }
  constexpr int col() const { return index_ % kStride - 1; }
  constexpr int row() const { return index_ / kStride - 1; }
  constexpr bool is_on(Size size) const {
    return index_ < kCells && col() >= 0 && col() < size.width && row() >= 0 && row() < size.height;
  }
  /// The four neighbours; some may be sentinels. Only for a point on a board.
  constexpr std::array<Point, 4> neighbours() const {
    return {Point(index_ - kStride), Point(index_ - 1), Point(index_ + 1), Point(index_ + kStride)};
  }

  friend constexpr auto operator<=>(Point, Point) = default;

 private:
  std::uint16_t index_ = 0;
};

/// GTP vertex of a point on the board: letters skip I, rows count from the bottom ("D4", "A19").
std::string gtp_vertex(Point point, Size size);
/// The point named by a GTP vertex, in either case; nothing when it is malformed or off the board.
/// "pass" and "resign" are not points.
std::optional<Point> parse_gtp_vertex(std::string_view text, Size size);

/// SGF point of a point on the board: two letters, column first, from the top left ("aa").
std::string sgf_point(Point point);
std::optional<Point> parse_sgf_point(std::string_view text, Size size);

/// The agent view's coordinates: x from the left, y from the top, both from 0.
struct AgentPoint {
  int x = 0;
  int y = 0;
  friend constexpr bool operator==(AgentPoint, AgentPoint) = default;
};
AgentPoint agent_point(Point point);
std::optional<Point> from_agent(AgentPoint at, Size size);

}  // namespace tengen::rules
