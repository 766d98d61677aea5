// The cheap game state of the search: a board, whose turn it is, the simple ko and a list of the
// empty points. It knows no superko; the moves at the root are judged by the Record instead.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/board.h"
#include "rules/record.h"

namespace tengen::house {

class Position {
 public:
  Position(const rules::Record& record, rules::Color to_move);

  const rules::Board& board() const { return board_; }
  rules::Color to_move() const { return to_move_; }
  /// The last play, absent after a pass and at the start.
  std::optional<rules::Point> last() const { return last_; }
  /// Passes in a row up to now, those of the record not counted.
  int passes() const { return passes_; }
  std::span<const rules::Point> empty_points() const { return {empty_.data(), empty_count_}; }

  /// Whether the side to move may play at an empty point: no simple ko, no suicide of any kind.
  bool is_playable(rules::Point point) const;
  /// Whether an empty point is an eye of `color`: its own stones or the edge on all four sides, and
  /// at most one enemy diagonal, none at the edge.
  bool is_eye(rules::Point point, rules::Color color) const;

  /// Every playable point that is no own eye, in no order; `moves` is the caller's buffer.
  void find_moves(std::vector<rules::Point>& moves) const;

  /// Plays at a playable point. `taken` is the caller's buffer for the captured stones.
  void play(rules::Point point, std::vector<rules::Point>& taken);
  void pass();

 private:
  void add_empty(rules::Point point);
  void drop_empty(rules::Point point);

  rules::Board board_;
  rules::Color to_move_;
  std::optional<rules::Point> last_;
  std::optional<rules::Point> ko_;
  int passes_ = 0;
  std::size_t empty_count_ = 0;
  std::array<rules::Point, rules::kMaxSize * rules::kMaxSize> empty_{};
  std::array<std::uint16_t, rules::kCells> place_{};  // of an empty point in empty_
};

}  // namespace tengen::house
