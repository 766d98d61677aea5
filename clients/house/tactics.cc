#include "clients/house/tactics.h"

namespace tengen::house {

using rules::Board;
using rules::Cell;
using rules::Point;

std::optional<Point> Tactics::liberty(const Board& board, Point stone,
                                      std::optional<Point> except) {
  std::optional<Point> found;
  walk(board, stone, [&](Point member) {
    for (const Point near : member.neighbours()) {
      if (board.at(near) == Cell::Empty && near != except) found = near;
    }
    return found.has_value();
  });
  return found;
}

int Tactics::liberties_after(const Position& position, Point point) {
  constexpr int kMany = 2;
  const Board& board = position.board();
  const Cell own = rules::cell_of(position.to_move());
  std::optional<Point> known;
  bool has_many = false;
  const auto note = [&](Point liberty) {
    has_many = has_many || (known && known != liberty);
    known = liberty;
  };
  for (const Point near : point.neighbours()) {
    const Cell cell = board.at(near);
    if (cell == Cell::Border) continue;
    const int liberties = cell == Cell::Empty ? 0 : board.liberties(near);
    if (cell == Cell::Empty || (cell != own && liberties == 1)) {
      note(near);
    } else if (cell == own && liberties > kMany) {
      has_many = true;
    }
    if (has_many) return kMany;
  }
  for (const Point near : point.neighbours()) {
    if (board.at(near) != own || board.liberties(near) != kMany) continue;
    if (const std::optional<Point> other = liberty(board, near, point)) note(*other);
    if (has_many) return kMany;
  }
  return known ? 1 : 0;
}

int Tactics::size_after(const Position& position, Point point) {
  const Board& board = position.board();
  const Cell own = rules::cell_of(position.to_move());
  int size = 1;
  next_walk();
  for (const Point near : point.neighbours()) {
    if (board.at(near) != own) continue;
    const Point id = board.chain_id(near);
    if (mark(id)) size += board.chain_size(near);
  }
  return size;
}

bool Tactics::is_blunder(const Position& position, Point point) {
  constexpr int kThrowInMax = 2;
  if (liberties_after(position, point) > 1) return false;
  const Cell enemy = rules::cell_of(other(position.to_move()));
  for (const Point near : point.neighbours()) {
    if (position.board().at(near) == enemy && position.board().liberties(near) == 1) return false;
  }
  return size_after(position, point) > kThrowInMax;
}

void Tactics::add_rescues(const Position& position, Point stone, std::vector<Point>& moves) {
  const Board& board = position.board();
  const Cell enemy = rules::cell_of(other(position.to_move()));
  std::array<Point, 4> preys{};
  std::size_t count = 0;
  walk(board, stone, [&](Point member) {
    for (const Point near : member.neighbours()) {
      if (count < preys.size() && board.at(near) == enemy && board.liberties(near) == 1) {
        preys[count++] = near;
      }
    }
    return count == preys.size();
  });
  for (std::size_t i = 0; i < count; ++i) {
    const Point taking = *liberty(board, preys[i]);
    if (position.is_playable(taking)) moves.push_back(taking);
  }
  const std::optional<Point> exit = liberty(board, stone);
  if (exit && position.is_playable(*exit) && liberties_after(position, *exit) > 1) {
    moves.push_back(*exit);
  }
}

template <typename Visit>
void Tactics::walk(const Board& board, Point stone, Visit visit) {
  const Cell color = board.at(stone);
  next_walk();
  mark(stone);
  std::size_t count = 0;
  open_[count++] = stone;
  while (count > 0) {
    const Point member = open_[--count];
    if (visit(member)) return;
    for (const Point near : member.neighbours()) {
      if (board.at(near) == color && mark(near)) open_[count++] = near;
    }
  }
}

bool Tactics::mark(Point point) {
  if (marks_[point.index()] == walk_) return false;
  marks_[point.index()] = walk_;
  return true;
}

void Tactics::next_walk() {
  if (++walk_ != 0) return;
  marks_.fill(0);
  walk_ = 1;
}

}  // namespace tengen::house
