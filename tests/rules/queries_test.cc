#include "rules/queries.h"

#include <gtest/gtest.h>

#include "tests/rules/game_table.h"

namespace tengen::rules {
namespace {

using tengen::tests::drawn;

Game game_on(const std::vector<std::string>& rows, std::string_view preset = "chinese") {
  return Game(header_of(rows, preset));
}

// Black A3 and B3 are one chain with the liberties C3, A2, B2; white C1 has B1 and C2.
TEST(QueriesTest, GroupsAreWholeChainsWithTheirLiberties) {
  const Game game = game_on({"XX.",  //
                             "...",  //
                             "..O"});
  const Board& board = game.record().board();
  const auto at = [](int col, int row) { return Point::at(col, row); };
  const Group black{kBlack, {at(0, 0), at(1, 0)}, {at(2, 0), at(0, 1), at(1, 1)}};
  const Group white{kWhite, {at(2, 2)}, {at(2, 1), at(1, 2)}};
  EXPECT_EQ(groups_of(board), (std::vector<Group>{black, white}));
  EXPECT_EQ(group_at(board, at(1, 0)), black);
}

TEST(QueriesTest, AnEmptyBoardHasNoGroups) { EXPECT_TRUE(groups_of(Board({9, 9})).empty()); }

TEST(QueriesTest, ANeighborhoodIsClippedAtTheEdges) {
  EXPECT_EQ(neighborhood({19, 19}, Point::at(9, 9), 2), (Window{7, 7, 5, 5}));
  EXPECT_EQ(neighborhood({19, 19}, Point::at(0, 0), 2), (Window{0, 0, 3, 3}));
  EXPECT_EQ(neighborhood({19, 19}, Point::at(18, 17), 4), (Window{14, 13, 5, 6}));
  EXPECT_EQ(neighborhood({2, 3}, Point::at(1, 1), 4), (Window{0, 0, 2, 3}));
}

// Area: stones count with what they surround. Territory: only what is surrounded.
TEST(QueriesTest, TheMapFollowsTheGamesScoring) {
  const std::vector<std::string> rows = {".XO.",  //
                                         ".XO.",  //
                                         ".XO."};
  const auto area = territory_map(game_on(rows));
  const auto territory = territory_map(game_on(rows, "japanese"));
  EXPECT_EQ(area[Point::at(0, 1).index()], Cell::Black);
  EXPECT_EQ(area[Point::at(1, 1).index()], Cell::Black);
  EXPECT_EQ(area[Point::at(3, 1).index()], Cell::White);
  EXPECT_EQ(territory[Point::at(0, 1).index()], Cell::Black);
  EXPECT_EQ(territory[Point::at(1, 1).index()], Cell::Empty);
  EXPECT_EQ(territory[Point::at(3, 1).index()], Cell::White);
}

TEST(QueriesTest, TheMapOfACountedGameIsWithoutTheAgreedDead) {
  Table table(header_of({".X.O.",  //
                         ".XXX.",  //
                         "....."},
                        "chinese"));
  table.pass_twice();
  EXPECT_EQ(territory_map(table.game)[Point::at(4, 0).index()], Cell::Empty);
  const auto dead = table.at_all({"D3"});
  ASSERT_EQ(table.list(kBlack, dead), Refusal::None);
  ASSERT_EQ(table.list(kWhite, dead), Refusal::None);
  ASSERT_TRUE(table.game.is_finished());
  EXPECT_EQ(territory_map(table.game)[Point::at(4, 0).index()], Cell::Black);
  EXPECT_EQ(territory_map(table.game)[table.at("D3").index()], Cell::Black);
}

}  // namespace
}  // namespace tengen::rules
