#include "rules/board.h"

#include <algorithm>
#include <utility>

#include "rules/zobrist.h"

namespace tengen::rules {
namespace {

/// The distinct chains around one point: at most four roots.
class Roots {
 public:
  /// Adds a root; false when it was there already.
  bool add(std::uint16_t root) {
    for (int i = 0; i < count_; ++i) {
      if (roots_[i] == root) return false;
    }
    roots_[count_++] = root;
    return true;
  }

 private:
  std::array<std::uint16_t, 4> roots_{};
  int count_ = 0;
};

/// Calls `visit` with the four neighbours, unrolled: the hot paths are made of this.
template <typename Visit>
inline void each_neighbour(Point point, Visit visit) {
  const std::uint16_t index = point.index();
  visit(Point(static_cast<std::uint16_t>(index - kStride)));
  visit(Point(static_cast<std::uint16_t>(index - 1)));
  visit(Point(static_cast<std::uint16_t>(index + 1)));
  visit(Point(static_cast<std::uint16_t>(index + kStride)));
}

char letter_of(Cell cell) {
  if (cell == Cell::Black) return 'X';
  return cell == Cell::White ? 'O' : '.';
}

}  // namespace

Board::Board(Size size) : size_(size) {
  cells_.fill(Cell::Border);
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) cells_[Point::at(col, row).index()] = Cell::Empty;
  }
}

Point Board::chain_id(Point stone) const {
  std::uint16_t lowest = stone.index();
  for (std::uint16_t i = next_[lowest]; i != stone.index(); i = next_[i]) {
    lowest = std::min(lowest, i);
  }
  return Point(lowest);
}

std::vector<Point> Board::chain(Point stone) const {
  std::vector<Point> points{stone};
  for (std::uint16_t i = next_[stone.index()]; i != stone.index(); i = next_[i]) {
    points.push_back(Point(i));
  }
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<Point> Board::chain_liberties(Point stone) const {
  std::vector<Point> liberties;
  for (const Point member : chain(stone)) {
    for (const Point near : member.neighbours()) {
      if (at(near) == Cell::Empty) liberties.push_back(near);
    }
  }
  std::sort(liberties.begin(), liberties.end());
  liberties.erase(std::unique(liberties.begin(), liberties.end()), liberties.end());
  return liberties;
}

Board::Outcome Board::preview(Color color, Point point) const {
  const Cell own = cell_of(color);
  Outcome outcome;
  outcome.hash = hash_ ^ zobrist_key(color, point);
  std::uint64_t own_hash = zobrist_key(color, point);
  int own_stones = 1;
  bool lives = false;
  Roots seen;
  each_neighbour(point, [&](Point near) {
    const Cell cell = at(near);
    if (cell == Cell::Empty) lives = true;
    if (!is_stone(cell)) return;
    const Chain& chain = chains_[root_[near.index()]];
    if (chain.liberties > 1) {
      lives = lives || cell == own;
    } else if (seen.add(root_[near.index()])) {
      if (cell == own) {
        if (!lives) own_hash ^= chain_hash(near);
        own_stones += chain.size;
      } else {
        outcome.hash ^= chain_hash(near);
        outcome.captured += chain.size;
      }
    }
  });
  if (!lives && outcome.captured == 0) {
    outcome.suicided = own_stones;
    outcome.hash ^= own_hash;
  }
  return outcome;
}

void Board::play(Color color, Point point, std::vector<Point>& taken) {
  taken.clear();
  add_stone(color, point);
  const Cell enemy = cell_of(other(color));
  each_neighbour(point, [&](Point near) {
    if (at(near) == enemy && liberties(near) == 0) lift(near, taken);
  });
  if (taken.empty() && liberties(point) == 0) lift(point, taken);
}

// The own chain is lifted and put back without the stone, because it may fall apart.
void Board::take_back(Color color, Point point, const std::vector<Point>& taken) {
  const bool stands = at(point) == cell_of(color);
  if (stands) {
    std::vector<Point> chain;
    lift(point, chain);
    for (const Point stone : chain) {
      if (stone != point) add_stone(color, stone);
    }
  }
  for (const Point stone : taken) {
    if (stone != point) add_stone(stands ? other(color) : color, stone);
  }
}

void Board::place(Stone stone) { add_stone(stone.color, stone.point); }

void Board::remove(const std::vector<Point>& points) {
  std::array<Cell, kCells> cells = cells_;
  for (const Point point : points) cells[point.index()] = Cell::Empty;
  *this = Board(size_);
  for (std::uint16_t i = 0; i < kCells; ++i) {
    if (is_stone(cells[i])) add_stone(color_of(cells[i]), Point(i));
  }
}

std::string Board::to_text() const {
  std::string text;
  for (int row = 0; row < size_.height; ++row) {
    for (int col = 0; col < size_.width; ++col) text += letter_of(at(Point::at(col, row)));
    text += '\n';
  }
  return text;
}

std::uint64_t Board::chain_hash(Point stone) const {
  const Color color = color_of(at(stone));
  std::uint64_t hash = 0;
  std::uint16_t i = stone.index();
  do {
    hash ^= zobrist_key(color, Point(i));
    i = next_[i];
  } while (i != stone.index());
  return hash;
}

void Board::add_stone(Color color, Point point) {
  const std::uint16_t index = point.index();
  const Cell own = cell_of(color);
  cells_[index] = own;
  hash_ ^= zobrist_key(color, point);
  ++stones_;
  root_[index] = index;
  next_[index] = index;
  std::uint16_t liberties = 0;
  Roots seen;
  each_neighbour(point, [&](Point near) {
    const Cell cell = at(near);
    if (cell == Cell::Empty) ++liberties;
    if (is_stone(cell) && seen.add(root_[near.index()])) --chain_at(near).liberties;
  });
  chains_[index] = {liberties, 1};
  each_neighbour(point, [&](Point near) {
    if (at(near) == own) join(root_[index], root_[near.index()]);
  });
}

void Board::join(std::uint16_t mine, std::uint16_t theirs) {
  if (mine == theirs) return;
  if (chains_[mine].size > chains_[theirs].size) {
    merge(mine, theirs);
  } else {
    merge(theirs, mine);
  }
}

// Each stone of `from` counts the liberties `into` does not know yet and joins it before the next
// stone is looked at, so a liberty shared by two stones of `from` counts once.
void Board::merge(std::uint16_t into, std::uint16_t from) {
  std::uint16_t gained = 0;
  std::uint16_t i = from;
  do {
    each_neighbour(Point(i), [&](Point near) {
      if (at(near) == Cell::Empty && !touches(near, into)) ++gained;
    });
    root_[i] = into;
    i = next_[i];
  } while (i != from);
  chains_[into].liberties = static_cast<std::uint16_t>(chains_[into].liberties + gained);
  chains_[into].size = static_cast<std::uint16_t>(chains_[into].size + chains_[from].size);
  std::swap(next_[into], next_[from]);
}

void Board::lift(Point stone, std::vector<Point>& taken) {
  const Color color = color_of(at(stone));
  const Cell enemy = cell_of(other(color));
  std::uint16_t i = stone.index();
  do {
    const Point point(i);
    cells_[i] = Cell::Empty;
    root_[i] = kNoRoot;
    hash_ ^= zobrist_key(color, point);
    --stones_;
    taken.push_back(point);
    Roots seen;
    each_neighbour(point, [&](Point near) {
      if (at(near) == enemy && seen.add(root_[near.index()])) ++chain_at(near).liberties;
    });
    i = next_[i];
  } while (i != stone.index());
}

}  // namespace tengen::rules
