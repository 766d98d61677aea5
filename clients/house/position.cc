#include "clients/house/position.h"

namespace tengen::house {

using rules::Cell;
using rules::Color;
using rules::Point;

Position::Position(const rules::Record& record, Color to_move)
    : board_(record.board()), to_move_(to_move) {
  const rules::Size size = board_.size();
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) {
      const Point point = Point::at(col, row);
      if (board_.at(point) == Cell::Empty) add_empty(point);
    }
  }
  if (!record.moves().empty()) last_ = record.moves().back().point;
  const std::optional<rules::Stone> ban = record.ko_ban();
  if (ban && ban->color == to_move) ko_ = ban->point;
}

bool Position::is_playable(Point point) const {
  if (ko_ == point) return false;
  const Cell own = rules::cell_of(to_move_);
  for (const Point near : point.neighbours()) {
    const Cell cell = board_.at(near);
    if (cell == Cell::Empty) return true;
    if (cell == Cell::Border) continue;
    if ((cell == own) == (board_.liberties(near) > 1)) return true;
  }
  return false;
}

bool Position::is_eye(Point point, Color color) const {
  bool is_at_edge = false;
  for (const Point near : point.neighbours()) {
    const Cell cell = board_.at(near);
    if (cell == Cell::Border) is_at_edge = true;
    if (cell != Cell::Border && cell != rules::cell_of(color)) return false;
  }
  int enemies = 0;
  for (const int step :
       {-rules::kStride - 1, -rules::kStride + 1, rules::kStride - 1, rules::kStride + 1}) {
    const Point diagonal(static_cast<std::uint16_t>(point.index() + step));
    if (board_.at(diagonal) == rules::cell_of(other(color))) ++enemies;
  }
  return enemies <= (is_at_edge ? 0 : 1);
}

void Position::find_moves(std::vector<Point>& moves) const {
  moves.clear();
  for (const Point point : empty_points()) {
    if (is_playable(point) && !is_eye(point, to_move_)) moves.push_back(point);
  }
}

void Position::play(Point point, std::vector<Point>& taken) {
  drop_empty(point);
  board_.play(to_move_, point, taken);
  for (const Point stone : taken) add_empty(stone);
  ko_.reset();
  if (taken.size() == 1 && board_.chain_size(point) == 1 && board_.liberties(point) == 1) {
    ko_ = taken.front();
  }
  last_ = point;
  passes_ = 0;
  to_move_ = other(to_move_);
}

void Position::pass() {
  ko_.reset();
  last_.reset();
  ++passes_;
  to_move_ = other(to_move_);
}

void Position::add_empty(Point point) {
  place_[point.index()] = static_cast<std::uint16_t>(empty_count_);
  empty_[empty_count_++] = point;
}

void Position::drop_empty(Point point) {
  const Point moved = empty_[--empty_count_];
  empty_[place_[point.index()]] = moved;
  place_[moved.index()] = place_[point.index()];
}

}  // namespace tengen::house
