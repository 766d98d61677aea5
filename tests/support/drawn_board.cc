#include "tests/support/drawn_board.h"

namespace tengen::tests {

using rules::Color;
using rules::Point;

DrawnBoard drawn(const std::vector<std::string>& rows) {
  DrawnBoard board;
  board.size = {static_cast<std::uint8_t>(rows.front().size()),
                static_cast<std::uint8_t>(rows.size())};
  for (int row = 0; row < board.size.height; ++row) {
    for (int col = 0; col < board.size.width; ++col) {
      const char c = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
      if (c == 'X') board.stones.push_back({Color::Black, Point::at(col, row)});
      if (c == 'O') board.stones.push_back({Color::White, Point::at(col, row)});
    }
  }
  return board;
}

rules::Board board_of(const std::vector<std::string>& rows) {
  const DrawnBoard board = drawn(rows);
  rules::Board out(board.size);
  for (const rules::Stone& stone : board.stones) out.place(stone);
  return out;
}

Point vertex(std::string_view text, rules::Size size) {
  return rules::parse_gtp_vertex(text, size).value();
}

}  // namespace tengen::tests
