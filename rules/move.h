// One coloured move: a play or a pass. A resignation is a result, not a move.
#pragma once

#include <optional>

#include "rules/color.h"
#include "rules/point.h"

namespace tengen::rules {

struct Stone {
  Color color = Color::Black;
  Point point;
  friend bool operator==(const Stone&, const Stone&) = default;
};

/// A point set from outside: to a stone, or to nothing.
struct Placement {
  Point point;
  Cell cell = Cell::Empty;  // never Border
  friend bool operator==(const Placement&, const Placement&) = default;
};

struct Move {
  Color color = Color::Black;
  std::optional<Point> point;  // absent: a pass

  static Move play(Color color, Point point) { return {color, point}; }
  static Move pass(Color color) { return {color, std::nullopt}; }
  bool is_pass() const { return !point.has_value(); }
  friend bool operator==(const Move&, const Move&) = default;
};

}  // namespace tengen::rules
