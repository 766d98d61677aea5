// Boards as engines show them. GNU Go 3.8's, Leela Zero 0.17's and our own engine's texts were
// captured from the programs (Leela Zero draws on standard error, so only its layout matters);
// Pachi's layout is that of the drawings in its josekifix documentation, and KataGo's that of the
// expected output of its own SGF tests and of Board::printBoard in cpp/game/board.cpp.
#include "pool/board_check.h"

#include <gtest/gtest.h>

#include <random>

#include "pool/gtp.h"
#include "tests/support/drawn_board.h"

namespace tengen::pool {
namespace {

using rules::Board;
using tests::board_of;

/// An answer's text as the reader of answers leaves it.
std::string text_of(const std::string& answer) {
  AnswerReader reader;
  std::vector<Answer> answers;
  reader.feed(answer + "\n\n", answers);
  return answers.size() == 1 ? answers.front().text : std::string("not one answer");
}

BoardCheck shown(const std::string& answer, const Board& board) {
  return check_board(VerifyBy::Showboard, {text_of(answer)}, board);
}

BoardCheck listed(const std::string& black, const std::string& white, const Board& board) {
  return check_board(VerifyBy::ListStones, {black, white}, board);
}

Board small_board() {
  return board_of({".........",  //
                   ".........",  //
                   ".........",  //
                   ".........",  //
                   "....X....",  //
                   ".........",  //
                   "..O......",  //
                   "X........",  //
                   ".X......."});
}

// GNU Go after B E5, W C3, B B1, W A1, B A2; `tengen gtp --local` gives the same text.
constexpr const char* kGnuGo =
    "=7 \n"
    "   A B C D E F G H J\n"
    " 9 . . . . . . . . . 9\n"
    " 8 . . . . . . . . . 8\n"
    " 7 . . + . . . + . . 7\n"
    " 6 . . . . . . . . . 6\n"
    " 5 . . . . X . . . . 5\n"
    " 4 . . . . . . . . . 4\n"
    " 3 . . O . . . + . . 3\n"
    " 2 X . . . . . . . . 2     WHITE (O) has captured 0 stones\n"
    " 1 . X . . . . . . . 1     BLACK (X) has captured 1 stones\n"
    "   A B C D E F G H J";

constexpr const char* kPachi =
    "=7 \n"
    "Move:   6  Komi: 7.5  Handicap: 0  Captures B: 1 W: 0\n"
    "      A B C D E F G H J  \n"
    "    +-------------------+\n"
    "  9 | . . . . . . . . . |\n"
    "  8 | . . . . . . . . . |\n"
    "  7 | . . . . . . . . . |\n"
    "  6 | . . . . . . . . . |\n"
    "  5 | . . . . X . . . . |\n"
    "  4 | . . . . . . . . . |\n"
    "  3 | . . O . . . . . . |\n"
    "  2 | X). . . . . . . . |\n"
    "  1 | . X . . . . . . . |\n"
    "    +-------------------+";

// While it searches Pachi draws whose the points are beside the board.
constexpr const char* kPachiWithOwners =
    "=7 Move:   6  Komi: 7.5  Handicap: 0  Captures B: 1 W: 0 [15 0 15 0]\n"
    "      A B C D E F G H J        A B C D E F G H J  \n"
    "    +-------------------+    +-------------------+\n"
    "  9 | . . . . . . . . . |  9 | : : : : : : : : X |\n"
    "  8 | . . . . . . . . . |  8 | : : : : : : : : X |\n"
    "  7 | . . . . . . . . . |  7 | : : : : : : : : X |\n"
    "  6 | . . . . . . . . . |  6 | : : : : : : : : X |\n"
    "  5 | . . . . X . . . . |  5 | : : : : : : : : X |\n"
    "  4 | . . . . . . . . . |  4 | : : : : : : : : X |\n"
    "  3 | . . O . . . . . . |  3 | : : : : : : : : X |\n"
    "  2 | X). . . . . . . . |  2 | : : : : : : : : X |\n"
    "  1 | . X . . . . . . . |  1 | : : : : : : : : X |\n"
    "    +-------------------+    +-------------------+";

// The last three moves are numbered, here B1, A1 (captured since) and A2.
constexpr const char* kKataGo =
    "=7 MoveNum: 5 HASH: 8FF4DE5FEC9AA30E0B7F337FA8338312\n"
    "   A B C D E F G H J\n"
    " 9 . . . . . . . . .\n"
    " 8 . . . . . . . . .\n"
    " 7 . . . . . . . . .\n"
    " 6 . . . . . . . . .\n"
    " 5 . . . . X . . . .\n"
    " 4 . . . . . . . . .\n"
    " 3 . . O . . . . . .\n"
    " 2 X3. . . . . . . .\n"
    " 1 .2X1. . . . . . .\n"
    "Next player: White\n"
    "Rules: {\"ko\":\"POSITIONAL\",\"scoring\":\"AREA\",\"suicide\":false}\n"
    "B stones captured: 0\n"
    "W stones captured: 1";

TEST(BoardCheck, ReadsTheDrawingsOfEachEngine) {
  for (const char* answer : {kGnuGo, kPachi, kPachiWithOwners, kKataGo}) {
    EXPECT_EQ(shown(answer, small_board()), BoardCheck::Same) << answer;
  }
}

TEST(BoardCheck, ReadsTwoDigitRowsAndTheLastMoveInBrackets) {
  // Leela Zero after B D4, W Q16.
  std::string text =
      "=1 \n"
      "Passes: 0            Black (X) Prisoners: 0\n"
      "Black (X) to move    White (O) Prisoners: 0\n"
      "\n"
      "   a b c d e f g h j k l m n o p q r s t \n";
  std::vector<std::string> rows;
  for (int number = 19; number >= 1; --number) {
    std::string cells = " . . . . . . . . . . . . . . . . . . . ";
    rows.emplace_back(19, '.');
    if (number == 16) cells = " . . . + . . . . . + . . . . .(O). . . ", rows.back()[15] = 'O';
    if (number == 10) cells = " . . . + . . . . . + . . . . . + . . . ";
    if (number == 4) cells = " . . . X . . . . . + . . . . . + . . . ", rows.back()[3] = 'X';
    const std::string label = (number < 10 ? " " : "") + std::to_string(number);
    text += label + cells + label + "\n";
  }
  text += "   a b c d e f g h j k l m n o p q r s t \n\nHash: B0B4D9E9AE8F3B3F";
  // An empty line ends an answer, so it is not fed through the reader.
  EXPECT_EQ(check_board(VerifyBy::Showboard, {text}, board_of(rows)), BoardCheck::Same);
  rows[3][15] = '.';
  EXPECT_EQ(check_board(VerifyBy::Showboard, {text}, board_of(rows)), BoardCheck::Different);
}

TEST(BoardCheck, ReadsTheSmallestBoardsAndRectangles) {
  // GNU Go's.
  EXPECT_EQ(shown("= \n   A\n 1 + 1     BLACK (X) has captured 0 stones\n   A", board_of({"."})),
            BoardCheck::Same);
  // Our own engine's.
  EXPECT_EQ(shown("= \n"
                  "   A B C\n"
                  " 2 . X . 2     WHITE (O) has captured 0 stones\n"
                  " 1 . . O 1     BLACK (X) has captured 0 stones\n"
                  "   A B C",
                  board_of({".X.", "..O"})),
            BoardCheck::Same);
}

TEST(BoardCheck, LettersThatLostTheirIndentAreTakenFromBelow) {
  const std::string below =
      "= A B\n"
      " 2 X . 2\n"
      " 1 . O 1\n"
      "   A B";
  EXPECT_EQ(shown(below, board_of({"X.", ".O"})), BoardCheck::Same);
  EXPECT_EQ(shown("= A B\n 2 X . 2\n 1 . O 1", board_of({"X.", ".O"})), BoardCheck::Unreadable);
}

// Every cell in turn holds every other thing.
TEST(BoardCheck, ABoardThatDiffersAnywhereIsNeverTheSame) {
  for (const char* answer : {kGnuGo, kPachi, kPachiWithOwners, kKataGo}) {
    const std::string text = text_of(answer);
    const std::size_t letters = text.find("A B C");
    const std::size_t indent = letters - (text.rfind('\n', letters) + 1);
    std::size_t line = text.find(" 9 ");
    line = text.rfind('\n', line) + 1;
    for (int row = 0; row < 9; ++row) {
      for (std::size_t col = 0; col < 9; ++col) {
        const std::size_t at = line + indent + 2 * col;
        const bool is_stone = text[at] == 'X' || text[at] == 'O';
        for (const char other : std::string_view(" .+XOxo#@?1a|(:\n")) {
          if (other == text[at]) continue;
          std::string changed = text;
          changed[at] = other;
          const auto check = check_board(VerifyBy::Showboard, {changed}, small_board());
          const bool is_empty = other == '.' || other == '+';
          const auto expected = other == 'X' || other == 'O' || (is_empty && is_stone)
                                    ? BoardCheck::Different
                                : is_empty ? BoardCheck::Same
                                           : BoardCheck::Unreadable;
          EXPECT_EQ(check, expected) << "'" << other << "' in\n" << changed;
        }
      }
      line = text.find('\n', line) + 1;
    }
  }
}

TEST(BoardCheck, ADrawingThatIsCutIsUnreadable) {
  const std::string text = text_of(kGnuGo);
  const std::size_t last_cell = text.find(" 1 . X . . . . . . .") + 19;
  for (std::size_t size = 0; size <= last_cell; ++size) {
    EXPECT_EQ(check_board(VerifyBy::Showboard, {text.substr(0, size)}, small_board()),
              BoardCheck::Unreadable)
        << size;
  }
}

TEST(BoardCheck, AnotherSizeIsDifferent) {
  EXPECT_EQ(shown("= \n   A B\n 2 . . 2\n 1 . . 1\n   A B", board_of({"...", "...", "..."})),
            BoardCheck::Different);
  EXPECT_EQ(shown("= \n   A B\n 2 . . 2\n 1 . . 1\n   A B", board_of({".."})),
            BoardCheck::Different);
}

TEST(BoardCheck, WhatIsNoSingleCleanDrawingIsUnreadable) {
  const Board board = board_of({"X.", ".O"});
  const char* cases[] = {
      "=",                                                   // as Leela Zero answers
      "= \n 2 X . 2\n 1 . O 1",                              // no letters
      "= \n   A B\n 2 X . 2",                                // a row is missing
      "= \n   A B\n 1 . O 1\n 2 X . 2\n   A B",              // counted upwards
      "= \n   A B\n 2 X . 2\n   and\n 1 . O 1\n   A B",      // something in between
      "= \n   A B\n 2 X . . 2\n 1 . O . 1\n   A B",          // wider than its letters
      "= \n   A B C\n 2 X . 2\n 1 . O 1\n   A B C",          // narrower
      "= \n   A B\n 2 X . 2\n 1 . O 1\n\t A B\n    A B",     // letters in two places
      "= \n   A B\n 2 X . 2\n 1 . O 1\n 2 . . 2\n 1 . . 1",  // two boards
      "= \n   A C\n 2 X . 2\n 1 . O 1\n   A C",              // no such letters
      "= \n   A B\n 2X  . 2\n 1. O  1\n   A B",              // cells elsewhere
      "= \n   A B\n 2 # . 2\n 1 . O 1\n   A B",              // a sign we do not know
      "= \n   A B\n 2 X4. 2\n 1 . O 1\n   A B",              // a mark we do not know
      "= \n   A B\n28 X . 28\n27 . O 27\n   A B",            // rows that no board has
  };
  for (const char* answer : cases) {
    EXPECT_EQ(shown(answer, board), BoardCheck::Unreadable) << answer;
  }
}

TEST(BoardCheck, RubbishIsNeverTheSame) {
  std::mt19937 random(1);
  const std::string_view signs = " .XO19AB+\n|()";
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::size_t i = random() % 60; i > 0; --i) text += signs[random() % signs.size()];
    EXPECT_NE(check_board(VerifyBy::Showboard, {text}, small_board()), BoardCheck::Same) << text;
    EXPECT_NE(listed(text, text, small_board()), BoardCheck::Same) << text;
  }
}

TEST(BoardCheck, ReadsListsOfStonesInAnyOrder) {
  // GNU Go's answers for the same board.
  EXPECT_EQ(listed("E5 A2 B1", "C3", small_board()), BoardCheck::Same);
  EXPECT_EQ(listed("b1\ne5  a2", "c3 ", small_board()), BoardCheck::Same);
  EXPECT_EQ(listed("", "", board_of({"..", ".."})), BoardCheck::Same);
}

TEST(BoardCheck, ListsThatAreNotTheBoardAreDifferent) {
  EXPECT_EQ(listed("E5 A2", "C3", small_board()), BoardCheck::Different);
  EXPECT_EQ(listed("E5 A2 B1 C4", "C3", small_board()), BoardCheck::Different);
  EXPECT_EQ(listed("E5 A2 B1", "", small_board()), BoardCheck::Different);
  EXPECT_EQ(listed("C3", "E5 A2 B1", small_board()), BoardCheck::Different);
  EXPECT_EQ(listed("E5 A2 B1 C3", "C3", small_board()), BoardCheck::Different);
  EXPECT_EQ(listed("", "", small_board()), BoardCheck::Different);
  // A stone where this board has no point.
  EXPECT_EQ(listed("E5 A2 B1 T19", "C3", small_board()), BoardCheck::Different);
}

TEST(BoardCheck, ListsThatAreNoListsAreUnreadable) {
  EXPECT_EQ(listed("E5 A2 B1 PASS", "C3", small_board()), BoardCheck::Unreadable);
  EXPECT_EQ(listed("E5,A2,B1", "C3", small_board()), BoardCheck::Unreadable);
  EXPECT_EQ(listed("E5 A2 B1 E5", "C3", small_board()), BoardCheck::Unreadable);
  EXPECT_EQ(listed("E5 A2 B1", "C3 white stones", small_board()), BoardCheck::Unreadable);
  EXPECT_EQ(listed("E5 A2 B1 I4", "C3", small_board()), BoardCheck::Unreadable);
}

TEST(BoardCheck, AsksForAsManyAnswersAsItReads) {
  using Commands = std::vector<std::string>;
  EXPECT_EQ(verify_commands(VerifyBy::ListStones),
            (Commands{"list_stones black", "list_stones white"}));
  EXPECT_EQ(verify_commands(VerifyBy::Showboard), Commands{"showboard"});
  EXPECT_EQ(verify_commands(VerifyBy::None), Commands{});
  const Board empty = board_of({".."});
  EXPECT_EQ(check_board(VerifyBy::None, {}, empty), BoardCheck::Unreadable);
  EXPECT_EQ(check_board(VerifyBy::ListStones, {""}, empty), BoardCheck::Unreadable);
  EXPECT_EQ(check_board(VerifyBy::Showboard, {}, empty), BoardCheck::Unreadable);
}

}  // namespace
}  // namespace tengen::pool
