#include "rules/score.h"

#include <gtest/gtest.h>

#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

using tengen::tests::board_of;
using tengen::tests::vertex;

TEST(Score, AnEmptyBoardBelongsToNobody) { EXPECT_EQ(area(Board({19, 19})), (Area{0, 0})); }

TEST(Score, ALoneStoneOwnsTheBoard) {
  EXPECT_EQ(area(board_of({".....", "..O.."})), (Area{0, 10}));
}

TEST(Score, ARegionThatReachesBothColoursIsNobodys) {
  // Columns: two empty, black, empty, white, two empty. The middle column reaches both.
  const Board board = board_of({"..X.O..", "..X.O..", "..X.O.."});
  EXPECT_EQ(area(board), (Area{9, 9}));
}

TEST(Score, ExactlyTheGivenPointsAreLifted) {
  // Lifting one of the two white stones leaves the other: the region reaches both colours.
  const Board board = board_of({"XX...", ".XOO.", "XXX.."});
  const Size size = board.size();
  EXPECT_EQ(area(board, {vertex("C2", size)}), (Area{7, 1}));
  EXPECT_EQ(area(board, {vertex("C2", size), vertex("D2", size)}), (Area{15, 0}));
}

TEST(Score, AnEmptyOrRepeatedPointInTheListChangesNothing) {
  const Board board = board_of({"XX...", ".XOO.", "XXX.."});
  const Size size = board.size();
  EXPECT_EQ(area(board, {vertex("A2", size), vertex("E1", size)}), area(board));
  EXPECT_EQ(area(board, {vertex("C2", size), vertex("C2", size)}), (Area{7, 1}));
}

TEST(Score, AFull25By25BoardIsCounted) {
  std::vector<std::string> rows(25, std::string(25, 'X'));
  rows[12][12] = '.';
  EXPECT_EQ(area(board_of(rows)), (Area{625, 0}));
}

TEST(Score, PointsAreWidenedToWholeChains) {
  const Board board = board_of({"XX.OO", ".X..O", "XX..."});
  const Size size = board.size();
  const auto whole = whole_chains(board, {vertex("E2", size), vertex("A1", size)});
  ASSERT_TRUE(whole);
  EXPECT_EQ(*whole, (std::vector<Point>{vertex("A3", size), vertex("B3", size), vertex("D3", size),
                                        vertex("E3", size), vertex("B2", size), vertex("E2", size),
                                        vertex("A1", size), vertex("B1", size)}));
  EXPECT_EQ(whole_chains(board, *whole), whole);
}

TEST(Score, AListThatNamesAnEmptyPointOrNoPointIsRefused) {
  const Board board = board_of({"XX.OO", ".X..O", "XX..."});
  EXPECT_FALSE(whole_chains(board, {vertex("A3", board.size()), vertex("C3", board.size())}));
  EXPECT_FALSE(whole_chains(board, {Point()}));
  EXPECT_FALSE(whole_chains(board, {Point(65535)}));
  EXPECT_EQ(whole_chains(board, {}), std::vector<Point>{});
}

}  // namespace
}  // namespace tengen::rules
