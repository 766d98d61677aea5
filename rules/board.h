// Stones, chains and liberties on a board of 1..25 by 1..25 points. It knows captures and suicide
// but no history: ko and superko are Record's. Chains are circular lists; each root keeps the exact
// number of distinct liberties, so capture and suicide need no search.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/color.h"
#include "rules/move.h"
#include "rules/point.h"

namespace tengen::rules {

class Board {
 public:
  explicit Board(Size size);

  Size size() const { return size_; }
  Cell at(Point point) const { return cells_[point.index()]; }
  /// 64-bit Zobrist hash of the stones alone; 0 for the empty board.
  std::uint64_t hash() const { return hash_; }
  int stones() const { return stones_; }

  /// Distinct liberties of the chain at a stone.
  int liberties(Point stone) const { return chains_[root_[stone.index()]].liberties; }
  int chain_size(Point stone) const { return chains_[root_[stone.index()]].size; }
  /// The chain's lowest point by index: its stable name.
  Point chain_id(Point stone) const;
  std::vector<Point> chain(Point stone) const;
  std::vector<Point> chain_liberties(Point stone) const;

  /// What a play of `color` at an empty point would do, without doing it.
  struct Outcome {
    int captured = 0;        // enemy stones taken
    int suicided = 0;        // own stones taken, the played one included; 0 when it lives
    std::uint64_t hash = 0;  // of the board afterwards
  };
  Outcome preview(Color color, Point point) const;

  /// Places a stone on an empty point and removes what has no liberty: the enemy first, then, when
  /// nothing was taken, the own chain. `taken` gets the removed stones (cleared first).
  void play(Color color, Point point, std::vector<Point>& taken);

  /// Takes back the last play: `taken` is what it removed, the suicided stone itself included.
  void take_back(Color color, Point point, const std::vector<Point>& taken);

  /// Places a stone on an empty point without removing anything; for setup. Chains may end up
  /// without liberties.
  void place(Stone stone);
  /// Empties the points, stones or not, and recomputes everything; for setup and scoring, not play.
  void remove(const std::vector<Point>& points);

  /// Rows from the top, `X`, `O` and `.`, a newline after each.
  std::string to_text() const;
  friend bool operator==(const Board& a, const Board& b) {
    return a.size_ == b.size_ && a.cells_ == b.cells_;
  }

 private:
  struct Chain {
    std::uint16_t liberties = 0;
    std::uint16_t size = 0;
  };

  /// The root of a point without a stone; a corner of the ring, so never a chain's.
  static constexpr std::uint16_t kNoRoot = 0;

  Chain& chain_at(Point stone) { return chains_[root_[stone.index()]]; }
  bool touches(Point empty, std::uint16_t root) const {
    const auto near = empty.neighbours();
    return root_[near[0].index()] == root || root_[near[1].index()] == root ||
           root_[near[2].index()] == root || root_[near[3].index()] == root;
  }
  std::uint64_t chain_hash(Point stone) const;
  void add_stone(Color color, Point point);
  void join(std::uint16_t mine, std::uint16_t theirs);
  void merge(std::uint16_t into, std::uint16_t from);
  void lift(Point stone, std::vector<Point>& taken);

  Size size_;
  int stones_ = 0;
  std::uint64_t hash_ = 0;
  std::array<Cell, kCells> cells_;
  std::array<std::uint16_t, kCells> root_{};  // kNoRoot where there is no stone
  std::array<std::uint16_t, kCells> next_{};
  std::array<Chain, kCells> chains_{};  // valid at roots
};

}  // namespace tengen::rules
