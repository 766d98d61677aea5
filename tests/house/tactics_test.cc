// The one-move reading of the house engine's playouts, on boards drawn for each question.
#include "clients/house/tactics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/drawn_board.h"

namespace tengen::house {
namespace {

using rules::Color;
using rules::Point;
using rules::Record;
using tengen::tests::drawn;
using tengen::tests::vertex;
using Rows = std::vector<std::string>;

Position black_to_move(const Rows& rows) {
  Record record(drawn(rows).size, rules::KoRule::Simple, rules::SuicideRule::No);
  EXPECT_TRUE(record.set_up(drawn(rows).stones));
  return Position(record, Color::Black);
}

int liberties_after(const Rows& rows, std::string_view at) {
  const Position position = black_to_move(rows);
  return Tactics().liberties_after(position, vertex(at, position.board().size()));
}

bool is_blunder(const Rows& rows, std::string_view at) {
  const Position position = black_to_move(rows);
  return Tactics().is_blunder(position, vertex(at, position.board().size()));
}

std::string rescues(const Rows& rows, std::string_view stone) {
  const Position position = black_to_move(rows);
  std::vector<Point> moves;
  Tactics().add_rescues(position, vertex(stone, position.board().size()), moves);
  std::sort(moves.begin(), moves.end());
  std::string names;
  for (const Point move : moves) names += rules::gtp_vertex(move, position.board().size()) + ' ';
  return names;
}

TEST(Tactics, CountsTheLibertiesOfTheChainAPlayMakes) {
  EXPECT_EQ(liberties_after({"...", "...", "..."}, "B2"), 2);     // four, which is many
  EXPECT_EQ(liberties_after({".O.", "...", "..."}, "A3"), 1);     // A2
  EXPECT_EQ(liberties_after({".O.", "XO.", "..."}, "A3"), 1);     // A1, by the stone at A2
  EXPECT_EQ(liberties_after({".O.", "X..", "..."}, "A3"), 2);     // A1 and B2, by the same stone
  EXPECT_EQ(liberties_after({".OX", "OX.", "..."}, "A3"), 1);     // B3, where white is taken
  EXPECT_EQ(liberties_after({"OX.O", ".XOO", "OOOO"}, "A2"), 2);  // C3, and A3 taken
}

// A2 makes three stones with the one liberty A3; the shorter row makes two, a throw-in at most.
TEST(Tactics, CallsASelfAtariOfMoreThanTwoStonesABlunder) {
  EXPECT_TRUE(is_blunder({".OOO", ".XXO", "OOO."}, "A2"));
  EXPECT_FALSE(is_blunder({".OO", ".XO", "OO."}, "A2"));
}

TEST(Tactics, CallsATakingMoveNoBlunder) {
  // A3 takes A4 and has that one liberty then.
  const Rows rows = {"OXXXO", ".XXXO", "OOOOO", "....."};
  EXPECT_EQ(liberties_after(rows, "A3"), 1);
  EXPECT_FALSE(is_blunder(rows, "A3"));
}

TEST(Tactics, SavesAChainByExtendingOrTaking) {
  EXPECT_EQ(rescues({".O.", "OX.", ".O."}, "B2"), "C2 ");
  // White at C3 has one liberty, B3: taking it frees black's C2, and so does running to D2.
  EXPECT_EQ(rescues({"..OX.", ".OX..", "..O.."}, "C2"), "B3 D2 ");
  // White at C3 has one liberty, C2; running to B2 gains B1 and C2.
  EXPECT_EQ(rescues({"OXO", "O..", "..."}, "B3"), "B2 C2 ");
  // Running to A2 would be suicide.
  EXPECT_EQ(rescues({"XO.", ".O.", "O.."}, "A3"), "");
}

TEST(Position, ForbidsTheRetakeOfAKoUntilAPass) {
  // Black takes B2 at C2; white may not take back at B2 at once.
  Position position = black_to_move({".XO.", "XO.O", ".XO."});
  const auto at = [&](std::string_view name) { return vertex(name, position.board().size()); };
  std::vector<Point> taken;
  position.play(at("C2"), taken);
  EXPECT_EQ(taken, std::vector<Point>{at("B2")});
  EXPECT_FALSE(position.is_playable(at("B2")));
  position.pass();
  position.pass();
  EXPECT_TRUE(position.is_playable(at("B2")));
}

TEST(Position, ListsPlayableMovesButNoOwnEyes) {
  // A1 and A3 are black's eyes, C1 and C3 suicide.
  const Position position = black_to_move({".XO.O", "XXOOO", ".XO.O"});
  std::vector<Point> moves;
  position.find_moves(moves);
  EXPECT_TRUE(moves.empty());
}

}  // namespace
}  // namespace tengen::house
