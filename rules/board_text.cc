#include "rules/board_text.h"

#include <algorithm>
#include <vector>

#include "rules/handicap.h"

namespace tengen::rules {
namespace {

std::string column_letters(Size size) {
  std::string line = "  ";
  for (int col = 0; col < size.width; ++col) {
    line += ' ';
    line += gtp_vertex(Point::at(col, 0), size).front();
  }
  return line;
}

char letter(Cell cell, bool is_star) {
  if (cell == Cell::Black) return 'X';
  if (cell == Cell::White) return 'O';
  return is_star ? '+' : '.';
}

std::string prisoners(const Record& record, Color color) {
  const std::string who = color == Color::Black ? "BLACK (X)" : "WHITE (O)";
  return "     " + who + " has captured " + std::to_string(record.captured_by(color)) + " stones";
}

/// What stands beside the row with that number.
std::string margin_note(const Record& record, int number) {
  std::string note;
  if (number == std::min<int>(2, record.size().height)) note += prisoners(record, Color::White);
  if (number == 1) note += prisoners(record, Color::Black);
  return note;
}

}  // namespace

std::string board_text(const Record& record) {
  const Size size = record.size();
  const std::vector<Point> stars = star_points(size);
  std::string text = column_letters(size) + '\n';
  for (int row = 0; row < size.height; ++row) {
    const int number = size.height - row;
    text += (number < 10 ? " " : "") + std::to_string(number);
    for (int col = 0; col < size.width; ++col) {
      const Point point = Point::at(col, row);
      text += ' ';
      text +=
          letter(record.board().at(point), std::binary_search(stars.begin(), stars.end(), point));
    }
    text += ' ' + std::to_string(number) + margin_note(record, number) + '\n';
  }
  return text + column_letters(size);
}

}  // namespace tengen::rules
