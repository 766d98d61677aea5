// The confirmation of document 004: expected values are counted by hand beside each board.
#include <gtest/gtest.h>

#include "tests/rules/game_table.h"

namespace tengen::rules {
namespace {

using namespace std::chrono_literals;

// Black's wall encloses A5 to B3; the white stone A4 is inside. Right of the wall all is black's
// but for white's corner: E1 and its eye-less stones D2, E2, D1.
const std::vector<std::string> kPosition = {"..X..", "O.X..", "..X..", "XXXOO", "..XO."};

struct Confirmation : ::testing::Test {
  Table table{header_of(kPosition, "japanese")};
  Game& game = table.game;

  void SetUp() override { table.pass_twice(); }
  Refusal mark(Color color, std::string_view name) {
    return game.mark(color, table.at(name), table.stamp());
  }
  Refusal mark_seki(Color color, std::string_view name) {
    return game.mark_seki(color, table.at(name), table.stamp());
  }
  Refusal done(Color color) { return game.done(color, table.stamp()); }
  Refusal accept(Color color) { return game.accept(color, table.stamp()); }
  Refusal dispute(Color color) { return game.dispute(color, table.stamp()); }
  void expect_waiting_on(Color color) {
    EXPECT_TRUE(game.is_waiting_on(color));
    EXPECT_FALSE(game.is_waiting_on(other(color)));
  }
  void expect_replays() {
    const auto again = Game::replay(game.header(), game.events());
    ASSERT_TRUE(std::holds_alternative<Game>(again)) << std::get<ReplayError>(again).reason;
    EXPECT_EQ(std::get<Game>(again).events(), game.events());
    EXPECT_EQ(std::get<Game>(again).marked_dead(), game.marked_dead());
    EXPECT_EQ(std::get<Game>(again).phase(), game.phase());
  }
};

TEST_F(Confirmation, TheSideThatPassedFirstProposesAndNothingStartsMarked) {
  EXPECT_EQ(game.phase(), Phase::Marking);
  EXPECT_EQ(game.proposer(), kBlack);
  EXPECT_TRUE(game.marked_dead().empty());
  EXPECT_TRUE(game.marked_seki().empty());
  EXPECT_FALSE(game.turn());
  EXPECT_TRUE(game.legal_points(kBlack).empty());
  EXPECT_FALSE(game.awaits_list(kBlack)) << "lists are for another end of game";
  expect_waiting_on(kBlack);
}

TEST_F(Confirmation, WhitePassingFirstProposes) {
  Table other_way(header_of(kPosition, "japanese"));
  ASSERT_EQ(other_way.play(kBlack, "E5"), Refusal::None);
  other_way.pass_twice();
  EXPECT_EQ(other_way.game.proposer(), kWhite);
}

TEST_F(Confirmation, AMarkIsForTheWholeChainByItsLowestPointAndTogglesIt) {
  ASSERT_EQ(mark(kBlack, "E2"), Refusal::None);
  EXPECT_EQ(game.marked_dead(), table.at_all({"D2", "E2", "D1"}));
  EXPECT_EQ(std::get<Marked>(game.events().back().body).point, table.at("D2"))
      << "indexes grow from the top left";
  ASSERT_EQ(mark(kBlack, "A4"), Refusal::None);
  EXPECT_EQ(game.marked_dead(), table.at_all({"A4", "D2", "E2", "D1"}));
  ASSERT_EQ(mark(kBlack, "D1"), Refusal::None);
  EXPECT_EQ(game.marked_dead(), table.at_all({"A4"}));
  expect_replays();
}

// Territory: A5 B5 B4 A3 B3 and A4 under the dead stone are six of black's, and A1 B1; D3 to E5
// are six more, since D2 E2 D1 live in E1 by agreement alone: they touch D3 and E3, so that the
// region of D3 is nobody's. White's E1 is one.
TEST_F(Confirmation, AcceptedMarksAreCountedByTerritory) {
  ASSERT_EQ(mark(kBlack, "A4"), Refusal::None);
  expect_waiting_on(kBlack);
  ASSERT_EQ(done(kBlack), Refusal::None);
  EXPECT_TRUE(game.is_proposed());
  expect_waiting_on(kWhite);
  ASSERT_EQ(accept(kWhite), Refusal::None);
  ASSERT_TRUE(game.is_finished());
  const Scored& score = *game.score();
  EXPECT_EQ(score.by, Scoring::Territory);
  EXPECT_EQ(score.removed, table.at_all({"A4"}));
  EXPECT_EQ(score.black_half, 2 * (6 + 2 + 1)) << "six, two, and the prisoner";
  EXPECT_EQ(score.white_half, 2 * 1 + 1) << "an eye, and half a point of komi";
  EXPECT_EQ(result_text(*game.result()), "B+7.5");
  expect_replays();
}

// All of the right hand side is black's when the corner is dead: D3 to E5, and D2 E2 D1 E1 below.
TEST_F(Confirmation, DeadStonesAreTerritoryAndPrisoners) {
  ASSERT_EQ(mark(kBlack, "A4"), Refusal::None);
  ASSERT_EQ(mark(kBlack, "D1"), Refusal::None);
  ASSERT_EQ(done(kBlack), Refusal::None);
  ASSERT_EQ(accept(kWhite), Refusal::None);
  EXPECT_EQ(game.score()->black_half, 2 * (6 + 2 + 6 + 4 + 1 + 3));
  EXPECT_EQ(game.score()->white_half, 1);
}

TEST_F(Confirmation, ASekiMarkTakesARegionFromItsOwner) {
  ASSERT_EQ(mark_seki(kBlack, "E1"), Refusal::None);
  ASSERT_EQ(mark_seki(kBlack, "A1"), Refusal::None);
  ASSERT_EQ(mark_seki(kBlack, "A1"), Refusal::None);
  EXPECT_EQ(game.marked_seki(), table.at_all({"E1"}));
  EXPECT_EQ(mark_seki(kBlack, "A4"), Refusal::Occupied);
  ASSERT_EQ(done(kBlack), Refusal::None);
  ASSERT_EQ(accept(kWhite), Refusal::None);
  EXPECT_EQ(game.score()->white_half, 1);
  EXPECT_EQ(game.score()->seki, table.at_all({"E1"}));
  expect_replays();
}

TEST_F(Confirmation, EachVerbBelongsToOneSideAtOneTime) {
  EXPECT_EQ(mark(kWhite, "A4"), Refusal::NotYourTurn);
  EXPECT_EQ(mark_seki(kWhite, "A1"), Refusal::NotYourTurn);
  EXPECT_EQ(done(kWhite), Refusal::NotYourTurn);
  EXPECT_EQ(accept(kWhite), Refusal::NotYourTurn) << "nothing is proposed yet";
  EXPECT_EQ(dispute(kBlack), Refusal::NotYourTurn);
  EXPECT_EQ(mark(kBlack, "A1"), Refusal::NoStone);
  EXPECT_EQ(game.mark(kBlack, Point(), {}), Refusal::OffBoard);
  EXPECT_EQ(table.list(kBlack, std::vector<Point>{}), Refusal::WrongPhase);
  EXPECT_EQ(table.play(kBlack, "E5"), Refusal::WrongPhase);
  const std::uint32_t seq = game.seq();
  ASSERT_EQ(done(kBlack), Refusal::None);
  EXPECT_EQ(game.seq(), seq + 1);
  EXPECT_EQ(mark(kBlack, "A4"), Refusal::NotYourTurn);
  EXPECT_EQ(done(kBlack), Refusal::NotYourTurn);
  EXPECT_EQ(accept(kBlack), Refusal::NotYourTurn);
  ASSERT_EQ(accept(kWhite), Refusal::None);
  EXPECT_EQ(dispute(kWhite), Refusal::GameOver);
}

// Two eyes that only black could fill: Benson's algorithm proves the chain alive.
// Both kinds count together, and nothing that was refused does. The proposal can still be made.
TEST_F(Confirmation, ThereIsAnEndToMarks) {
  for (int i = 0; i < kMarksMax / 2; ++i) {
    ASSERT_EQ(mark(kBlack, "A4"), Refusal::None);
    EXPECT_EQ(mark_seki(kBlack, "A4"), Refusal::Occupied);
    ASSERT_EQ(mark_seki(kBlack, "A5"), Refusal::None);
  }
  const std::uint32_t seq = game.seq();
  EXPECT_EQ(mark(kBlack, "A4"), Refusal::MarkedTooOften);
  EXPECT_EQ(mark_seki(kBlack, "A5"), Refusal::MarkedTooOften);
  EXPECT_EQ(game.seq(), seq);
  expect_replays();
  ASSERT_EQ(done(kBlack), Refusal::None);
  ASSERT_EQ(dispute(kWhite), Refusal::None);
  table.pass_twice();
  EXPECT_EQ(mark(kBlack, "A4"), Refusal::None) << "another confirmation";
  expect_replays();
}

TEST(ConfirmationVeto, AChainThatNothingCanKillCannotBeMarked) {
  Table table(header_of({".X.X.", "XXXX.", ".....", "..OO.", "..O.O"}, "japanese"));
  table.pass_twice();
  EXPECT_EQ(table.game.mark(kBlack, table.at("B5"), table.stamp()), Refusal::AliveChain);
  EXPECT_EQ(table.game.mark(kBlack, table.at("C2"), table.stamp()), Refusal::None);
  EXPECT_EQ(name_of(Refusal::AliveChain), "alive-chain");
}

TEST_F(Confirmation, ADisputeGoesBackToTheBoardWithTheProposerToMove) {
  ASSERT_EQ(mark(kBlack, "D1"), Refusal::None);
  ASSERT_EQ(done(kBlack), Refusal::None);
  ASSERT_EQ(dispute(kWhite), Refusal::None);
  EXPECT_EQ(game.phase(), Phase::Play);
  EXPECT_EQ(game.turn(), kBlack);
  EXPECT_EQ(game.disputes(), 1);
  EXPECT_TRUE(game.marked_dead().empty());
  EXPECT_EQ(game.events().back().body, EventBody(Continued{ContinueReason::Dispute}));
  EXPECT_FALSE(game.legal_points(kBlack).empty());
  ASSERT_EQ(table.pass(kBlack), Refusal::None);
  EXPECT_EQ(game.phase(), Phase::Play) << "the passes before the dispute are over";
  expect_replays();
}

// Black: ten stones, and A1 B1 A5 B5 B4 A3 B3 touch... A5 to B3 hold a living white stone, so only
// A1 and B1 are black's. White: A4, three stones and E1. D3 to E5 touch both.
TEST_F(Confirmation, AfterThreeDisputesTheNextStopIsCountedByAreaAllAlive) {
  for (int i = 1; i <= 3; ++i) {
    const Color proposer = *game.proposer();
    ASSERT_EQ(done(proposer), Refusal::None);
    ASSERT_EQ(dispute(other(proposer)), Refusal::None);
    EXPECT_EQ(game.disputes(), i);
    table.pass_twice();
  }
  ASSERT_TRUE(game.is_finished());
  EXPECT_EQ(game.score()->by, Scoring::Area);
  EXPECT_TRUE(game.score()->removed.empty());
  EXPECT_EQ(game.score()->black_half, 2 * (7 + 2));
  EXPECT_EQ(game.score()->white_half, 2 * (1 + 3 + 1) + 1);
  expect_replays();
}

TEST_F(Confirmation, ResignTimeoutAndAbandonWorkHere) {
  Game copy = game;
  ASSERT_EQ(copy.resign(kWhite, {}), Refusal::None);
  EXPECT_EQ(result_text(*copy.result()), "B+R");
  EXPECT_FALSE(copy.score());
  copy = game;
  EXPECT_EQ(copy.time_out(kWhite, {}), Refusal::WrongPhase) << "black is waited for";
  ASSERT_EQ(copy.time_out(kBlack, {}), Refusal::None);
  EXPECT_EQ(result_text(*copy.result()), "W+T");
  ASSERT_EQ(game.abandon(kBlack, {}), Refusal::None);
  EXPECT_EQ(result_text(*game.result()), "W+F");
  EXPECT_EQ(game.result()->kind, ResultKind::Abandon);
  expect_replays();
}

TEST_F(Confirmation, AForgedMarkIsFoundByItsNumber) {
  ASSERT_EQ(mark(kBlack, "D2"), Refusal::None);
  ASSERT_EQ(done(kBlack), Refusal::None);
  std::vector<Event> events = game.events();
  std::get<Marked>(events[3].body).point = table.at("E2");
  auto again = Game::replay(game.header(), events);
  ASSERT_TRUE(std::holds_alternative<ReplayError>(again)) << "a chain has one name";
  EXPECT_EQ(std::get<ReplayError>(again).seq, 4u);
  std::get<Marked>(events[3].body) = {kWhite, table.at("D2")};
  again = Game::replay(game.header(), events);
  ASSERT_TRUE(std::holds_alternative<ReplayError>(again));
  EXPECT_EQ(std::get<ReplayError>(again).reason, "mark is refused: not-your-turn");
}

}  // namespace
}  // namespace tengen::rules
