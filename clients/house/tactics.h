// Reading one move deep: the liberties of chains in trouble, and the moves that save or take them.
// Keeps the scratch memory of its chain walks, so one object serves one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "clients/house/position.h"

namespace tengen::house {

class Tactics {
 public:
  /// A liberty of the chain at `stone` other than `except`, if it has one. For a chain in atari
  /// and no exception that is its only one.
  std::optional<rules::Point> liberty(const rules::Board& board, rules::Point stone,
                                      std::optional<rules::Point> except = std::nullopt);

  /// How many liberties the chain made by a play of the side to move would have, 2 standing for
  /// more. The point must be playable.
  int liberties_after(const Position& position, rules::Point point);

  /// How many stones that chain would have.
  int size_after(const Position& position, rules::Point point);

  /// Whether a play leaves its chain in atari without taking anything and is no throw-in: up to
  /// two stones may die inside an eye to break it. With three, chains in a seki would kill
  /// themselves.
  bool is_blunder(const Position& position, rules::Point point);

  /// Appends the playable moves that save the chain of the side to move at `stone`, which must be
  /// in atari: taking a neighbour in atari, or extending to two liberties.
  void add_rescues(const Position& position, rules::Point stone, std::vector<rules::Point>& moves);

 private:
  /// Calls `visit` for each stone of the chain until it answers true.
  template <typename Visit>
  void walk(const rules::Board& board, rules::Point stone, Visit visit);
  /// True the first time a point is named after next_walk().
  bool mark(rules::Point point);
  void next_walk();

  std::uint32_t walk_ = 0;
  std::array<std::uint32_t, rules::kCells> marks_{};  // the walk that saw the point last
  std::array<rules::Point, rules::kMaxSize * rules::kMaxSize> open_{};
};

}  // namespace tengen::house
