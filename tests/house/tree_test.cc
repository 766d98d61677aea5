// The search tree's bookkeeping: its limit, its sums and what the two ways of scoring say.
#include "clients/house/tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/drawn_board.h"

namespace tengen::house {
namespace {

using rules::Color;
using rules::Point;
using rules::Record;
using rules::Scoring;
using tengen::tests::drawn;
using Rows = std::vector<std::string>;

Position position_of(const Rows& rows, Color to_move) {
  Record record(drawn(rows).size, rules::KoRule::Simple, rules::SuicideRule::No);
  EXPECT_TRUE(record.set_up(drawn(rows).stones));
  return Position(record, to_move);
}

std::vector<Point> moves_of(const Position& position) {
  std::vector<Point> moves;
  position.find_moves(moves);
  return moves;
}

TEST(Tree, GrowsToItsLimitAndPlaysOn) {
  const Position root = position_of(Rows(5, "....."), Color::Black);
  Tree tree(root, moves_of(root), Goal{}, 1, TreeLimits{.nodes = 200});
  EXPECT_EQ(tree.size(), 1u + 1u + 25u);  // the root, a pass and the points
  for (int i = 0; i < 1000; ++i) tree.simulate();
  EXPECT_LE(tree.size(), 200u);
  EXPECT_GT(tree.size(), 200u - 26u);
  EXPECT_EQ(tree.root().playouts, 1000u);
}

TEST(Tree, EveryPlayoutOfTheRootIsOneOfAChild) {
  const Position root = position_of(Rows(5, "....."), Color::White);
  Tree tree(root, moves_of(root), Goal{}, 1);
  for (int i = 0; i < 100; ++i) tree.simulate();
  for (int i = 0; i < 7; ++i) tree.simulate_child(3);
  std::uint32_t playouts = 0;
  std::uint64_t value = 0;
  for (const Tree::Node& child : tree.children()) {
    playouts += child.playouts;
    value += child.value;
  }
  EXPECT_EQ(playouts, 107u);
  EXPECT_EQ(value + tree.root().value, 107u * kFullValue);
  EXPECT_GE(tree.children()[3].playouts, 7u);
}

// Nothing is left to play but eyes, so every playout is this board: 10 points of area to 15. White
// gets 4.5 points less, which makes it 10 to 10.5, and black wins by one stone's worth more.
TEST(Tree, CountsAreaOrTerritoryByTheStonesPlayed) {
  const Position root = position_of({".XO.O", "XXOOO", "XXOOO", "XXOOO", ".XO.O"}, Color::Black);
  const auto value = [&](Scoring scoring, int plays_margin) {
    const Goal goal{.scoring = scoring,
                    .white_extra_half = -9,
                    .plays_margin = plays_margin,
                    .margin_share = 0};
    Tree tree(root, moves_of(root), goal, 1);
    tree.simulate();
    return tree.children().front().mean();
  };
  EXPECT_EQ(value(Scoring::Area, -1), 0);
  EXPECT_EQ(value(Scoring::Territory, 0), 0);
  EXPECT_EQ(value(Scoring::Territory, -1), kFullValue);
}

}  // namespace
}  // namespace tengen::house
