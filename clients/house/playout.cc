#include "clients/house/playout.h"

namespace tengen::house {

using rules::Board;
using rules::Cell;
using rules::Point;

namespace {

// How often a playout follows a heuristic that has something to say. Below always, so that no
// position has a single future.
constexpr std::uint32_t kOften = 9;
constexpr std::uint32_t kOutOf = 10;

}  // namespace

void Playout::run(Position& position, FirstPlays& first) {
  const int limit = 3 * position.board().size().area();
  int passes = 0;
  for (int moves = 0; moves < limit && passes < 2; ++moves) {
    const std::optional<Point> point = choose(position);
    if (!point) {
      position.pass();
      ++passes;
      continue;
    }
    passes = 0;
    Cell& cell = first[point->index()];
    if (cell == Cell::Empty) cell = rules::cell_of(position.to_move());
    position.play(*point, taken_);
  }
}

std::optional<Point> Playout::choose(const Position& position) {
  if (const std::optional<Point> last = position.last()) {
    if (random_.chance(kOften, kOutOf)) {
      if (const std::optional<Point> point = answer_atari(position, *last)) return point;
    }
    if (random_.chance(kOften, kOutOf)) {
      if (const std::optional<Point> point = follow_shape(position, *last)) return point;
    }
  }
  return anywhere(position);
}

/// Takes the chain of the last move if it is in atari, or saves own chains that it put in atari.
std::optional<Point> Playout::answer_atari(const Position& position, Point last) {
  const Board& board = position.board();
  const Cell own = rules::cell_of(position.to_move());
  candidates_.clear();
  if (board.at(last) == rules::cell_of(other(position.to_move())) && board.liberties(last) == 1) {
    const Point taking = *tactics_.liberty(board, last);
    if (position.is_playable(taking)) candidates_.push_back(taking);
  }
  for (const Point near : last.neighbours()) {
    if (board.at(near) == own && board.liberties(near) == 1) {
      tactics_.add_rescues(position, near, candidates_);
    }
  }
  return any_candidate();
}

std::optional<Point> Playout::follow_shape(const Position& position, Point last) {
  const Board& board = position.board();
  candidates_.clear();
  for (int row = -1; row <= 1; ++row) {
    for (int col = -1; col <= 1; ++col) {
      const Point point(static_cast<std::uint16_t>(last.index() + row * rules::kStride + col));
      if (board.at(point) != Cell::Empty) continue;
      if (!patterns_.match(board, point, position.to_move())) continue;
      if (!position.is_playable(point) || tactics_.liberties_after(position, point) < 2) continue;
      candidates_.push_back(point);
    }
  }
  return any_candidate();
}

std::optional<Point> Playout::anywhere(const Position& position) {
  const auto points = position.empty_points();
  if (points.empty()) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(points.size());
  std::uint32_t at = random_.below(count);
  for (std::uint32_t tried = 0; tried < count; ++tried) {
    const Point point = points[at];
    if (!position.is_eye(point, position.to_move()) && position.is_playable(point) &&
        !tactics_.is_blunder(position, point)) {
      return point;
    }
    at = at + 1 == count ? 0 : at + 1;
  }
  return std::nullopt;
}

std::optional<Point> Playout::any_candidate() {
  if (candidates_.empty()) return std::nullopt;
  return candidates_[random_.below(static_cast<std::uint32_t>(candidates_.size()))];
}

Cell owner(const Board& board, Point point) {
  if (board.at(point) != Cell::Empty) return board.at(point);
  Cell owner = Cell::Empty;
  for (const Point near : point.neighbours()) {
    const Cell cell = board.at(near);
    if (cell == Cell::Border) continue;
    if (cell == Cell::Empty || (owner != Cell::Empty && owner != cell)) return Cell::Empty;
    owner = cell;
  }
  return owner;
}

}  // namespace tengen::house
