// The board drawn for `showboard`. The 9x9 board is as GNU Go 3.8 prints it; on other sizes the
// prisoners stay beside the two lowest rows, and stars are where the rules have star points (GNU Go
// moves the former and knows more of the latter).
#include "rules/board_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

using tests::vertex;

struct Step {
  Color color;
  const char* name;
};

std::string drawn(Size size, const std::vector<Step>& steps) {
  Record record(size, KoRule::Simple, SuicideRule::No);
  for (const Step& step : steps) {
    EXPECT_EQ(record.play(Move::play(step.color, vertex(step.name, size))), Refusal::None);
  }
  return board_text(record);
}

TEST(BoardText, NineByNineIsAsGnuGoDrawsIt) {
  EXPECT_EQ(drawn({9, 9}, {{Color::Black, "B1"}, {Color::White, "A1"}, {Color::Black, "A2"}}),
            "   A B C D E F G H J\n"
            " 9 . . . . . . . . . 9\n"
            " 8 . . . . . . . . . 8\n"
            " 7 . . + . . . + . . 7\n"
            " 6 . . . . . . . . . 6\n"
            " 5 . . . . + . . . . 5\n"
            " 4 . . . . . . . . . 4\n"
            " 3 . . + . . . + . . 3\n"
            " 2 X . . . . . . . . 2     WHITE (O) has captured 0 stones\n"
            " 1 . X . . . . . . . 1     BLACK (X) has captured 1 stones\n"
            "   A B C D E F G H J");
}

TEST(BoardText, TwoDigitRowsAndStarsOn13x13) {
  EXPECT_EQ(drawn({13, 13}, {{Color::White, "N13"}, {Color::Black, "K4"}}),
            "   A B C D E F G H J K L M N\n"
            "13 . . . . . . . . . . . . O 13\n"
            "12 . . . . . . . . . . . . . 12\n"
            "11 . . . . . . . . . . . . . 11\n"
            "10 . . . + . . . . . + . . . 10\n"
            " 9 . . . . . . . . . . . . . 9\n"
            " 8 . . . . . . . . . . . . . 8\n"
            " 7 . . . . . . + . . . . . . 7\n"
            " 6 . . . . . . . . . . . . . 6\n"
            " 5 . . . . . . . . . . . . . 5\n"
            " 4 . . . + . . . . . X . . . 4\n"
            " 3 . . . . . . . . . . . . . 3\n"
            " 2 . . . . . . . . . . . . . 2     WHITE (O) has captured 0 stones\n"
            " 1 . . . . . . . . . . . . . 1     BLACK (X) has captured 0 stones\n"
            "   A B C D E F G H J K L M N");
}

TEST(BoardText, NineStarsOn19x19) {
  const std::string text = drawn({19, 19}, {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '+'), 9);
  EXPECT_NE(text.find("\n16 . . . + . . . . . + . . . . . + . . . 16\n"), std::string::npos);
  EXPECT_NE(text.find("\n10 . . . + . . . . . + . . . . . + . . . 10\n"), std::string::npos);
  EXPECT_NE(text.find("\n 4 . . . + . . . . . + . . . . . + . . . 4\n"), std::string::npos);
}

TEST(BoardText, RectanglesAndTheSmallestBoards) {
  EXPECT_EQ(drawn({25, 2}, {{Color::Black, "Z1"}}),
            "   A B C D E F G H J K L M N O P Q R S T U V W X Y Z\n"
            " 2 . . . . . . . . . . . . . . . . . . . . . . . . . 2     WHITE (O) has captured 0 "
            "stones\n"
            " 1 . . . . . . . . . . . . . . . . . . . . . . . . X 1     BLACK (X) has captured 0 "
            "stones\n"
            "   A B C D E F G H J K L M N O P Q R S T U V W X Y Z");
  EXPECT_EQ(drawn({1, 3}, {}),
            "   A\n"
            " 3 . 3\n"
            " 2 . 2     WHITE (O) has captured 0 stones\n"
            " 1 . 1     BLACK (X) has captured 0 stones\n"
            "   A");
  EXPECT_EQ(drawn({2, 1}, {}),
            "   A B\n"
            " 1 . . 1     WHITE (O) has captured 0 stones     BLACK (X) has captured 0 stones\n"
            "   A B");
}

}  // namespace
}  // namespace tengen::rules
