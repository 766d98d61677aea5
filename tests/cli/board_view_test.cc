// Boards as text, against files a person drew.
#include "clients/cli/board_view.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace tengen::cli {
namespace {

using rules::Color;
using rules::Point;

std::string golden(const std::string& name) {
  const std::ifstream file(TENGEN_SOURCE_DIR "/tests/golden/cli/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A board with the stones at GTP vertices; the last one is marked.
std::string drawn(rules::Size size, const std::vector<std::pair<Color, const char*>>& stones,
                  BoardStyle style = BoardStyle::Plain) {
  rules::Board board(size);
  std::optional<Point> last;
  for (const auto& [color, vertex] : stones) {
    last = *rules::parse_gtp_vertex(vertex, size);
    board.place({color, *last});
  }
  return board_text(board, last, style);
}

TEST(BoardView, DrawsStonesStarsAndTheLastMove) {
  EXPECT_EQ(
      drawn(
          {9, 9},
          {{Color::Black, "E5"}, {Color::White, "C3"}, {Color::Black, "J1"}, {Color::Black, "H7"}}),
      golden("board_9x9.txt"));
  EXPECT_EQ(drawn({13, 2}, {{Color::Black, "N1"}, {Color::White, "A2"}}),
            golden("board_corners_13x2.txt"));
  EXPECT_EQ(drawn({19, 19}, {{Color::Black, "T1"}}), golden("board_19x19.txt"));
}

TEST(BoardView, ColouredRowsEndWithTheColoursReset) {
  const std::string text =
      drawn({2, 1}, {{Color::Black, "A1"}, {Color::White, "B1"}}, BoardStyle::Color);
  EXPECT_EQ(text,
            "   A B\n"
            " 1\x1b[48;5;179m \x1b[38;5;16m● \x1b[38;5;231m◉ \x1b[0m1\n"
            "   A B\n");
}

}  // namespace
}  // namespace tengen::cli
