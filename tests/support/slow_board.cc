#include "tests/support/slow_board.h"

namespace tengen::tests {

SlowBoard::SlowBoard(int width, int height)
    : width_(width), height_(height), cells_(static_cast<std::size_t>(width * height), '.') {}

SlowBoard::Chain SlowBoard::chain(int col, int row) const {
  Chain chain;
  const char stone = at(col, row);
  std::string met(cells_.size(), ' ');
  met[index(col, row)] = 'x';
  chain.stones.push_back(row * width_ + col);
  for (std::size_t next = 0; next < chain.stones.size(); ++next) {
    for (const int near : neighbours(chain.stones[next])) {
      const auto at_near = static_cast<std::size_t>(near);
      if (met[at_near] == 'x') continue;
      met[at_near] = 'x';
      if (cells_[at_near] == '.') chain.liberties.push_back(near);
      if (cells_[at_near] == stone) chain.stones.push_back(near);
    }
  }
  return chain;
}

int SlowBoard::play(char stone, int col, int row) {
  cells_[index(col, row)] = stone;
  const int point = row * width_ + col;
  int lifted = 0;
  for (const int near : neighbours(point)) {
    const char cell = cells_[static_cast<std::size_t>(near)];
    if (cell != '.' && cell != stone) lifted += lift_if_dead(near);
  }
  return lifted + lift_if_dead(point);
}

std::vector<int> SlowBoard::neighbours(int point) const {
  const int col = point % width_;
  const int row = point / width_;
  std::vector<int> near;
  if (row > 0) near.push_back(point - width_);
  if (col > 0) near.push_back(point - 1);
  if (col + 1 < width_) near.push_back(point + 1);
  if (row + 1 < height_) near.push_back(point + width_);
  return near;
}

int SlowBoard::lift_if_dead(int point) {
  const Chain dead = chain(point % width_, point / width_);
  if (!dead.liberties.empty()) return 0;
  for (const int stone : dead.stones) cells_[static_cast<std::size_t>(stone)] = '.';
  return static_cast<int>(dead.stones.size());
}

}  // namespace tengen::tests
