// A Go board that is obviously right and slow: everything is found by flood fill over a plain array
// when it is asked for. Tests compare the real board with it.
#pragma once

#include <string>
#include <vector>

namespace tengen::tests {

class SlowBoard {
 public:
  SlowBoard(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  /// '.', 'X' or 'O'; columns and rows from the top left, from 0.
  char at(int col, int row) const { return cells_[index(col, row)]; }
  /// All points, row after row from the top: equal boards have equal text.
  const std::string& text() const { return cells_; }

  struct Chain {
    std::vector<int> stones;  // row * width + col, each once, in no order
    std::vector<int> liberties;
  };
  /// The chain at a stone.
  Chain chain(int col, int row) const;

  /// Plays 'X' or 'O' on an empty point: lifts enemy chains without liberties, then the own chain
  /// if it has none. Returns how many stones went.
  int play(char stone, int col, int row);

 private:
  std::size_t index(int col, int row) const { return static_cast<std::size_t>(row * width_ + col); }
  std::vector<int> neighbours(int point) const;
  int lift_if_dead(int point);

  int width_;
  int height_;
  std::string cells_;
};

}  // namespace tengen::tests
