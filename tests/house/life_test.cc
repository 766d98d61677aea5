// Which stones the house engine calls dead, on drawn positions whose status is derived by hand, and
// what it takes from a set of boards played out.
#include "clients/house/life.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "clients/house/search.h"
#include "tests/support/drawn_board.h"

namespace tengen::house {
namespace {

using rules::Cell;
using rules::Color;
using rules::Point;
using rules::Record;
using tengen::tests::board_of;
using tengen::tests::drawn;
using tengen::tests::vertex;
using Rows = std::vector<std::string>;

constexpr Color kBoth[] = {Color::Black, Color::White};

/// The dead stones as GTP vertices, in the order they are listed.
std::string dead(const Rows& rows, Color to_move) {
  Record record(drawn(rows).size, rules::KoRule::Positional, rules::SuicideRule::No);
  EXPECT_TRUE(record.set_up(drawn(rows).stones));
  std::string names;
  for (const Point stone : dead_stones(record, to_move, 600, 1)) {
    names += rules::gtp_vertex(stone, record.size()) + ' ';
  }
  return names;
}

TEST(DeadStones, AreLoneStonesInTheOthersArea) {
  for (const Color color : kBoth) {
    EXPECT_EQ(dead({"..XO..",  //
                    ".XXOO.",  //
                    "..XO.X",  //
                    ".XXOO.",  //
                    "O.XO..",  //
                    ".XXOO.",  //
                    "..XO.."},
                   color),
              "F5 A3 ");
  }
}

// White's eye space is A7 B7 C7 with a black stone in the middle: one eye. The black stone is not
// dead, it lives when white is taken.
TEST(DeadStones, AreWholeChainsWithOneEye) {
  for (const Color color : kBoth) {
    EXPECT_EQ(dead({".X.OX.X",  //
                    "OOOOXXX",  //
                    "XXXXXXX",  //
                    "X.X.X.X",  //
                    "XXXXXXX",  //
                    "X.X.X.X",  //
                    "XXXXXXX"},
                   color),
              "D7 A6 B6 C6 D6 ");
  }
}

// With the middle free white can still make two eyes when its turn comes.
TEST(DeadStones, AreNotChainsThatTheirOwnerCanSave) {
  for (const Color color : kBoth) {
    EXPECT_EQ(dead({"...OX.X",  //
                    "OOOOXXX",  //
                    "XXXXXXX",  //
                    "X.X.X.X",  //
                    "XXXXXXX",  //
                    "X.X.X.X",  //
                    "XXXXXXX"},
                   color),
              "");
  }
}

TEST(DeadStones, AreNotChainsWithTwoEyes) {
  for (const Color color : kBoth) {
    EXPECT_EQ(dead({".XO.O",  //
                    "XXOOO",  //
                    "XXOOO",  //
                    "XXOOO",  //
                    ".XO.O"},
                   color),
              "");
  }
}

// Both chains in the corner have the liberties A2 and C2 and no other; who fills one is taken.
TEST(DeadStones, AreNotInSeki) {
  for (const Color color : kBoth) {
    EXPECT_EQ(dead({".O.O.O.O",  //
                    "OOOOOOOO",  //
                    "OOOOOOOO",  //
                    "XXXXXXOO",  //
                    ".O.OOXOO",  //
                    "OOOOOXO."},
                   color),
              "");
  }
}

// The end of the game of the gtp package's description: whoever moves first around H9 and H8 loses
// there, and GNU Go lists them in seki.
TEST(DeadStones, AreNotAShortChainInSekiWithAnEye) {
  const Rows rows{"..XXXOOX.", "..XOOO.XO", "XXXXXOOO.", "OXOX.XXOO", "OOOXXXXXO",
                  "..OOOXXOO", ".OOXXX.XO", "..OX.X.XO", "..OOX.XOO"};
  for (const Color color : kBoth) EXPECT_EQ(dead(rows, color), "");
}

TEST(DeadStones, AreTheSameForTheSameSeed) {
  const Rows rows = {"..XO.", ".OXO.", "..XO.", "..XOX", "..XO."};
  EXPECT_EQ(dead(rows, Color::Black), dead(rows, Color::Black));
}

TEST(DeadStones, AreNoneOnAnEmptyOrTinyBoard) {
  EXPECT_EQ(dead({"."}, Color::Black), "");
  EXPECT_EQ(dead({"X"}, Color::White), "");
  EXPECT_EQ(dead({".....", "....."}, Color::Black), "");
}

Ownership ownership_of(const std::vector<Rows>& played_out) {
  Ownership ownership;
  for (int i = 0; i < 16; ++i) {
    for (const Rows& rows : played_out) ownership.add(board_of(rows));
  }
  return ownership;
}

// Four boards out of four give black the left side; the right side is black's in one of them.
TEST(Ownership, IsTheShareOfBoardsAStoneOrEyeIsOn) {
  const Rows white_right = {".XO.", "XXOO"};
  const Ownership ownership =
      ownership_of({white_right, white_right, white_right, {".XX.", "XXXX"}});
  const rules::Size size{4, 2};
  EXPECT_EQ(ownership.playouts(), 64);
  EXPECT_EQ(ownership.percent(vertex("A2", size), Color::Black), 100);
  EXPECT_EQ(ownership.percent(vertex("A2", size), Color::White), 0);
  EXPECT_EQ(ownership.percent(vertex("D2", size), Color::White), 75);
  EXPECT_EQ(ownership.percent(vertex("D2", size), Color::Black), 25);
}

// White's stone at A1 ends as black's area every time, so all left of the wall is black's. D1 and
// D2 touch both walls.
TEST(SettledOwners, CountALostChainAsTerritoryAndAPointBetweenTheColoursAsNobodys) {
  const rules::Board board = board_of({"..X.O.", "O.X.O."});
  const Ownership ownership = ownership_of({{"X.XOO.", ".XXOOO"}});
  const Owners owners = settled_owners(board, ownership);
  const auto at = [&](std::string_view name) { return owners[vertex(name, board.size()).index()]; };
  for (const char* name : {"A1", "A2", "B1", "B2", "C1", "C2"}) EXPECT_EQ(at(name), Cell::Black);
  for (const char* name : {"D1", "D2"}) EXPECT_EQ(at(name), Cell::Empty);
  for (const char* name : {"E1", "E2", "F1", "F2"}) EXPECT_EQ(at(name), Cell::White);
}

TEST(SettledOwners, AreNoneBeforeEnoughPlayouts) {
  const rules::Board board = board_of({".XO.", "XXOO"});
  Ownership ownership;
  ownership.add(board);
  for (const Cell cell : settled_owners(board, ownership)) EXPECT_EQ(cell, Cell::Empty);
}

}  // namespace
}  // namespace tengen::house
