// Draws a board row by row.
#include "clients/cli/board_view.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "rules/handicap.h"

namespace tengen::cli {

namespace {

using rules::Cell;
using rules::Point;

constexpr std::string_view kWood = "\x1b[48;5;179m";
constexpr std::string_view kReset = "\x1b[0m";

std::string column_letters(rules::Size size) {
  std::string line = "   ";
  for (int col = 0; col < size.width; ++col) {
    line += static_cast<char>('A' + col + (col >= 8 ? 1 : 0));
    if (col + 1 < size.width) line += ' ';
  }
  return line + '\n';
}

std::string row_number(int number) { return (number < 10 ? " " : "") + std::to_string(number); }

struct Drawing {
  const rules::Board& board;
  std::optional<Point> last;
  std::vector<Point> stars;

  bool is_star(Point point) const {
    return std::find(stars.begin(), stars.end(), point) != stars.end();
  }

  char letter(Point point) const {
    const Cell cell = board.at(point);
    if (cell == Cell::Black) return 'X';
    if (cell == Cell::White) return 'O';
    return is_star(point) ? '+' : '.';
  }

  std::string plain_row(int row) const {
    std::string line;
    for (int col = 0; col < board.size().width; ++col) {
      const Point point = Point::at(col, row);
      const bool after_last = last && col > 0 && *last == Point::at(col - 1, row);
      line += last == point ? '(' : after_last ? ')' : ' ';
      line += letter(point);
    }
    const bool ends_with_last = last == Point::at(board.size().width - 1, row);
    return line + (ends_with_last ? ')' : ' ');
  }

  std::string color_row(int row) const {
    std::string line(kWood);
    for (int col = 0; col < board.size().width; ++col) {
      const Point point = Point::at(col, row);
      const Cell cell = board.at(point);
      if (rules::is_stone(cell)) {
        line += cell == Cell::Black ? " \x1b[38;5;16m" : " \x1b[38;5;231m";
        line += last == point ? "◉" : "●";
      } else {
        line += " \x1b[38;5;94m";
        line += is_star(point) ? "+" : "·";
      }
    }
    return line + " " + std::string(kReset);
  }
};

}  // namespace

std::string board_text(const rules::Board& board, std::optional<Point> last, BoardStyle style) {
  const Drawing drawing{board, last, rules::star_points(board.size())};
  std::string text = column_letters(board.size());
  for (int row = 0; row < board.size().height; ++row) {
    const std::string number = row_number(board.size().height - row);
    text += number;
    text += style == BoardStyle::Plain ? drawing.plain_row(row) : drawing.color_row(row);
    text += number.substr(number.find_first_not_of(' ')) + '\n';
  }
  return text + column_letters(board.size());
}

}  // namespace tengen::cli
