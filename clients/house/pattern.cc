#include "clients/house/pattern.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tengen::house {
namespace {

enum class Mover { Either, First };  // First: only the colour drawn as X plays here

struct Shape {
  std::string_view cells;  // nine, row by row, the move in the middle
  Mover mover = Mover::Either;
};

// X and O are the two colours, `.` empty, `#` off the board, `?` anything; `x` and `o` are
// everything but that colour.
constexpr std::array kShapes = {
    Shape{"XOX"
          ".*."
          "???"},  // hane between two stones
    Shape{"XO."
          ".*."
          "?.?"},  // hane
    Shape{"XO?"
          "X*."
          "x.?"},  // turn
    Shape{"XOO"
          ".*."
          "?.?",
          Mover::First},  // hane against a wall
    Shape{".O."
          "X*."
          "..."},  // contact by the diagonal
    Shape{"XO?"
          "O*o"
          "?o?"},  // cut
    Shape{"XO?"
          "O*X"
          "???"},  // cut that is peeped at
    Shape{"?X?"
          "O*O"
          "ooo"},  // push through
    Shape{"OX?"
          "o*O"
          "???"},  // cut of a knight's move
    Shape{"X.?"
          "O*?"
          "##?"},  // chase along the edge
    Shape{"OX?"
          "X*O"
          "###"},  // block a cut at the edge
    Shape{"?X?"
          "x*O"
          "###"},  // block a connection at the edge
    Shape{"?OX"
          "X*O"
          "###"},  // cut at the edge
};

/// The same shape turned by a quarter.
std::string turned(const std::string& cells) {
  std::string out(9, ' ');
  for (std::size_t i = 0; i < 9; ++i) out[i % 3 * 3 + 2 - i / 3] = cells[i];
  return out;
}

std::string mirrored(const std::string& cells) {
  std::string out(9, ' ');
  for (std::size_t i = 0; i < 9; ++i) out[i / 3 * 3 + 2 - i % 3] = cells[i];
  return out;
}

std::string with_colours_swapped(std::string cells) {
  for (char& c : cells) {
    if (c == 'X' || c == 'x') {
      c = c == 'X' ? 'O' : 'o';
    } else if (c == 'O' || c == 'o') {
      c = c == 'O' ? 'X' : 'x';
    }
  }
  return cells;
}

/// The codes of the cells a letter stands for: empty 0, black 1, white 2, off the board 3.
std::vector<std::size_t> meanings(char c) {
  switch (c) {
    case 'X':
      return {1};
    case 'O':
      return {2};
    case '.':
      return {0};
    case '#':
      return {3};
    case 'x':
      return {0, 2, 3};
    case 'o':
      return {0, 1, 3};
    default:
      return {0, 1, 2, 3};
  }
}

/// Every code the shape stands for, with X black.
std::vector<std::size_t> codes_of(const std::string& cells) {
  std::vector<std::size_t> codes{0};
  for (std::size_t i = 0; i < 9; ++i) {
    if (i == 4) continue;
    std::vector<std::size_t> longer;
    for (const std::size_t code : codes) {
      for (const std::size_t cell : meanings(cells[i])) longer.push_back(code << 2 | cell);
    }
    codes = std::move(longer);
  }
  return codes;
}

}  // namespace

Patterns::Patterns() {
  for (const Shape& shape : kShapes) {
    std::string cells(shape.cells);
    for (int i = 0; i < 8; ++i) {
      cells = i == 4 ? mirrored(cells) : turned(cells);
      const bool either = shape.mover == Mover::Either;
      for (const std::size_t code : codes_of(cells)) {
        table_[0].set(code);
        if (either) table_[1].set(code);
      }
      for (const std::size_t code : codes_of(with_colours_swapped(cells))) {
        table_[1].set(code);
        if (either) table_[0].set(code);
      }
    }
  }
}

}  // namespace tengen::house
