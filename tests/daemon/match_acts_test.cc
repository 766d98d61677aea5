// What people do in a match: turns, stale positions, requests sent twice.
#include <gtest/gtest.h>

#include "tests/daemon/match_rig.h"

namespace tengen::daemon {
namespace {

using protocol::Accepted;
using protocol::ErrorCode;
using rules::Color;

// Black E5, white C3, black F5, white G3: sequences 1 to 4.
MatchRig four_moves() {
  MatchRig rig = two_people();
  rig.play(1, "E5", "a");
  rig.play(2, "C3", "b");
  rig.play(1, "F5", "c");
  rig.play(2, "G3", "d");
  return rig;
}

TEST(MatchActsTest, PlayersTakeTurnsAndEachActHasTheNextNumber) {
  MatchRig rig = two_people();
  EXPECT_EQ(accepted_in(rig.play(1, "E5", "a")), (Accepted{kRigGame, 1, 1, std::nullopt}));
  EXPECT_EQ(accepted_in(rig.play(2, "C3", "a")), (Accepted{kRigGame, 2, 2, std::nullopt}));
  EXPECT_EQ(accepted_in(rig.pass(1, "b")), (Accepted{kRigGame, 3, 3, std::nullopt}));
  EXPECT_EQ(rig.game().turn(), Color::White);
  EXPECT_TRUE(rig.jobs().empty());
}

TEST(MatchActsTest, SlotOneIsNotAlwaysBlack) {
  auto header = rig_header(human_seat(), human_seat());
  header.slot1_color = Color::White;
  MatchRig rig(std::move(header));
  EXPECT_EQ(error_in(rig.play(1, "E5", "a")).code, ErrorCode::NotYourTurn);
  EXPECT_EQ(accepted_in(rig.play(2, "E5", "a")), (Accepted{kRigGame, 1, 1, std::nullopt}));
}

TEST(MatchActsTest, AnEventCarriesTheTimeAndTheRequestThatMadeIt) {
  MatchRig rig = two_people();
  rig.play(1, "E5", "req-7");
  EXPECT_EQ(
      rig.game().events().front(),
      (rules::Event{1, {rig.now().unix_ms, "req-7"}, rules::Played{Color::Black, vertex("E5")}}));
}

TEST(MatchActsTest, ActingOutOfTurnIsRefused) {
  MatchRig rig = two_people();
  EXPECT_EQ(error_in(rig.play(2, "E5", "a")).code, ErrorCode::NotYourTurn);
  EXPECT_EQ(error_in(rig.pass(2, "a")).code, ErrorCode::NotYourTurn);
  EXPECT_EQ(rig.game().seq(), 0u);
}

TEST(MatchActsTest, AVertexOffThisBoardIsRefused) {
  MatchRig rig = two_people();
  for (const char* text : {"K1", "A10", "I5", "", "pass", "E5 ", "5E", "\nE5"}) {
    EXPECT_EQ(error_in(rig.play(1, text, "a")).code, ErrorCode::InvalidVertex) << text;
  }
  EXPECT_EQ(rig.game().seq(), 0u);
}

TEST(MatchActsTest, AnIllegalMoveIsRefusedWithTheRulesReasonAndChangesNothing) {
  MatchRig rig = two_people();
  rig.play(1, "E5", "a");
  const auto error = error_in(rig.play(2, "E5", "b"));
  EXPECT_EQ(error.code, ErrorCode::IllegalMove);
  EXPECT_EQ(error.reason, "occupied");
  EXPECT_EQ(rig.game().seq(), 1u);
  EXPECT_EQ(accepted_in(rig.play(2, "E4", "b")).seq, 2u)
      << "a refused request_id may be used again";
}

TEST(MatchActsTest, AnActOnAnOlderPositionIsStaleAndComesWithThePresentState) {
  MatchRig rig = two_people();
  rig.play(1, "E5", "a");
  rig.play(2, "C3", "b");
  const auto error = error_in(rig.play_at(1, "F5", "c", 1));
  EXPECT_EQ(error.code, ErrorCode::Stale);
  ASSERT_TRUE(error.state);
  EXPECT_EQ(error.state->seq, 2u);
  EXPECT_EQ(error.state->position_seq, 2u);
  EXPECT_EQ(error.state->turn, Color::Black);
  // Row 5 of 9 from the bottom is the fifth from the top; C3 is in the seventh from the top.
  EXPECT_EQ(error.state->rows.at(4), "....X....");
  EXPECT_EQ(error.state->rows.at(6), "..O......");
  EXPECT_EQ(rig.game().seq(), 2u);
}

TEST(MatchActsTest, APositionThatIsYetToComeIsStaleToo) {
  MatchRig rig = two_people();
  EXPECT_EQ(error_in(rig.play_at(1, "E5", "a", 1)).code, ErrorCode::Stale);
}

TEST(MatchActsTest, CapturesDoNotMoveThePositionThatTheNextActNames) {
  MatchRig rig = two_people();
  // Black takes the corner stone A1 with A2 and B1.
  rig.play(1, "A2", "1");
  rig.play(2, "A1", "2");
  EXPECT_EQ(accepted_in(rig.play(1, "B1", "3")), (Accepted{kRigGame, 3, 3, std::nullopt}));
  EXPECT_EQ(rig.game().seq(), 4u);  // the capture is the fourth event
  EXPECT_EQ(accepted_in(rig.play_at(2, "E5", "4", 3)), (Accepted{kRigGame, 5, 5, std::nullopt}));
}

TEST(MatchActsTest, ARequestSentAgainGetsItsFirstAnswerAndIsNotDoneTwice) {
  MatchRig rig = four_moves();
  EXPECT_EQ(accepted_in(rig.play_at(1, "E5", "a", 0)), (Accepted{kRigGame, 1, 1, std::nullopt}));
  EXPECT_EQ(accepted_in(rig.play_at(2, "C3", "b", 1)), (Accepted{kRigGame, 2, 2, std::nullopt}));
  EXPECT_EQ(accepted_in(rig.play_at(2, "c3", "b", 1)), (Accepted{kRigGame, 2, 2, std::nullopt}));
  EXPECT_EQ(rig.game().seq(), 4u);
}

TEST(MatchActsTest, ARequestIdUsedForAnotherActIsAConflict) {
  MatchRig rig = four_moves();
  EXPECT_EQ(error_in(rig.play(1, "E4", "a")).code, ErrorCode::RequestIdConflict);
  EXPECT_EQ(error_in(rig.pass(1, "a")).code, ErrorCode::RequestIdConflict);
  EXPECT_EQ(error_in(rig.resign(1, "a")).code, ErrorCode::RequestIdConflict);
  EXPECT_EQ(rig.game().seq(), 4u);
}

TEST(MatchActsTest, TheTwoSidesMayUseTheSameRequestId) {
  MatchRig rig = two_people();
  EXPECT_EQ(accepted_in(rig.play(1, "E5", "same")).seq, 1u);
  EXPECT_EQ(accepted_in(rig.play(2, "C3", "same")).seq, 2u);
}

TEST(MatchActsTest, RequestsAreStillKnownAfterTheMatchIsRebuiltFromItsLog) {
  const MatchRig before = four_moves();
  auto game = rules::Game::replay(before.game().header(), before.game().events());
  MatchRig rig(std::get<rules::Game>(std::move(game)));
  EXPECT_EQ(accepted_in(rig.play_at(1, "F5", "c", 2)), (Accepted{kRigGame, 3, 3, std::nullopt}));
  EXPECT_EQ(error_in(rig.play(1, "E4", "c")).code, ErrorCode::RequestIdConflict);
  EXPECT_EQ(accepted_in(rig.play(1, "E4", "e")), (Accepted{kRigGame, 5, 5, std::nullopt}));
}

TEST(MatchActsTest, ResigningNeedsNoTurnAndGivesTheGameToTheOther) {
  MatchRig rig = two_people();
  rig.play(1, "E5", "a");
  EXPECT_EQ(accepted_in(rig.resign(1, "b")), (Accepted{kRigGame, 2, 1, std::nullopt}));
  ASSERT_TRUE(rig.game().result());
  EXPECT_EQ(*rig.game().result(), (rules::Result{rules::ResultKind::Resign, Color::White, 0}));
}

TEST(MatchActsTest, AResignationSentAgainAfterTheEndGetsItsFirstAnswer) {
  MatchRig rig = two_people();
  const auto first = accepted_in(rig.resign(2, "r"));
  EXPECT_EQ(first.seq, 1u);
  EXPECT_EQ(accepted_in(rig.resign(2, "r")), first);
  EXPECT_EQ(error_in(rig.resign(1, "r")).code, ErrorCode::GameOver);
}

TEST(MatchActsTest, NothingIsAcceptedAfterTheEnd) {
  MatchRig rig = two_people();
  rig.resign(1, "r");
  EXPECT_EQ(error_in(rig.play(1, "E5", "a")).code, ErrorCode::GameOver);
  EXPECT_EQ(error_in(rig.pass(2, "b")).code, ErrorCode::GameOver);
  EXPECT_EQ(rig.game().seq(), 2u);
}

TEST(MatchActsTest, TheSecondPassIsAnsweredWithItsOwnNumberNotThatOfTheEnd) {
  MatchRig rig(rig_header(human_seat(), human_seat(), rules::EndRule::AllAlive));
  rig.pass(1, "a");
  EXPECT_EQ(accepted_in(rig.pass(2, "b")), (Accepted{kRigGame, 2, 2, std::nullopt}));
  EXPECT_TRUE(rig.game().is_finished());
  // An empty board: nothing to black, the komi to white.
  EXPECT_EQ(*rig.game().result(), (rules::Result{rules::ResultKind::Score, Color::White, 15}));
  EXPECT_EQ(accepted_in(rig.pass(2, "b")), (Accepted{kRigGame, 2, 2, std::nullopt}));
}

}  // namespace
}  // namespace tengen::daemon
