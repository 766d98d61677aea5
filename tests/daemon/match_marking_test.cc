// Cleanup questions, the confirmation and free handicaps in matches with people and engines.
#include <gtest/gtest.h>

#include "tests/daemon/match_rig.h"

namespace tengen::daemon {
namespace {

using pool::EngineStones;
using pool::JobError;
using pool::Want;
using protocol::ErrorCode;
using rules::Color;
using rules::Phase;
using rules::ResultKind;

// All alive: an engine's pass is not played at once.

MatchRig all_alive_against_engine() {
  return MatchRig(rig_header(human_seat(), engine_seat(), rules::EndRule::AllAlive));
}

TEST(MatchAllAliveTest, APassIsPlayedOnlyWhenTheCleanupMoveIsAPassToo) {
  MatchRig rig = all_alive_against_engine();
  rig.play(1, "E5", "a");
  EXPECT_EQ(rig.jobs().back().want, Want::Genmove);
  rig.engine_passes();
  EXPECT_EQ(rig.game().turn(), Color::White) << "nothing is played yet";
  EXPECT_EQ(rig.jobs().back().want, Want::CleanupGenmove);
  rig.engine_plays("C3");
  EXPECT_EQ(rig.game().turn(), Color::Black);
  rig.pass(1, "b");
  EXPECT_EQ(rig.jobs().back().want, Want::Genmove) << "the question is asked at each pass";
  rig.engine_passes();
  rig.engine_passes();
  EXPECT_TRUE(rig.game().is_finished());
}

TEST(MatchAllAliveTest, BothSearchesAreOnTheEnginesClock) {
  rules::Header header = rig_header(human_seat(), engine_seat(), rules::EndRule::AllAlive);
  header.clock = time_control("absolute:60");
  MatchRig rig(header);
  rig.play(1, "E5", "a");
  rig.done(rig.jobs().back().id, pool::EngineMove{pool::EngineMove::Kind::Pass, {}},
           std::chrono::seconds(3));
  EXPECT_EQ(rig.jobs().back().clock->faces[1].main_left, std::chrono::seconds(57));
  rig.engine_plays("C3", std::chrono::seconds(4));
  EXPECT_EQ(rig.game().clocks()[1].main_left, std::chrono::seconds(53));
}

TEST(MatchAllAliveTest, AnEngineWithoutCleanupMovesPasses) {
  MatchRig rig = all_alive_against_engine();
  rig.pass(1, "a");
  rig.engine_passes();
  rig.engine_fails(JobError::NotSupported);
  EXPECT_TRUE(rig.game().is_finished());
}

// Confirmation. Black has the chain E5 E6, white C3: on an open board nothing is proved alive.

rules::Header confirmation(rules::Seat black, rules::Seat white) {
  rules::Header header = rig_header(std::move(black), std::move(white));
  header.preset = "japanese";
  header.rules = rules::find_preset("japanese")->rules;
  header.komi_half = 13;
  header.marking_time = std::chrono::seconds(60);
  return header;
}

/// Stopped with black to propose.
MatchRig people() {
  MatchRig rig(confirmation(human_seat(), human_seat()));
  rig.play(1, "E5", "1");
  rig.play(2, "C3", "2");
  rig.pass(1, "3");
  rig.pass(2, "4");
  return rig;
}

TEST(MatchConfirmationTest, PeopleAgree) {
  MatchRig rig = people();
  EXPECT_EQ(rig.game().phase(), Phase::Marking);
  ASSERT_NE(accepted_in(rig.act(1, protocol::MarkChain{"C3"}, "m")).seq, 0u);
  ASSERT_NE(accepted_in(rig.act(1, protocol::MarkSekiPoint{"A9"}, "s")).seq, 0u);
  ASSERT_NE(accepted_in(rig.act(1, protocol::MarkSekiPoint{"A9"}, "t")).seq, 0u);
  ASSERT_NE(accepted_in(rig.act(1, protocol::ProposeMarks{}, "d")).seq, 0u);
  const auto snapshot = rig.match().snapshot(rig.now());
  ASSERT_TRUE(snapshot.marking);
  EXPECT_EQ(snapshot.marking->proposer, Color::Black);
  EXPECT_TRUE(snapshot.marking->is_proposed);
  EXPECT_EQ(snapshot.marking->dead, std::vector{vertex("C3")});
  EXPECT_TRUE(snapshot.marking->seki.empty());
  ASSERT_NE(accepted_in(rig.act(2, protocol::AcceptMarks{}, "a")).seq, 0u);
  ASSERT_TRUE(rig.game().is_finished());
  // 80 points, the one under the dead stone too, and the prisoner; white has its komi.
  EXPECT_EQ(rig.game().score()->black_half, 2 * 81);
  EXPECT_EQ(rig.game().score()->white_half, 13);
}

TEST(MatchConfirmationTest, EachMarkSentAgainIsMadeOnce) {
  MatchRig rig = people();
  const auto first = rig.act(1, protocol::MarkChain{"C3"}, "m");
  EXPECT_EQ(accepted_in(rig.act(1, protocol::MarkChain{"C3"}, "m")), accepted_in(first));
  EXPECT_EQ(rig.game().marked_dead(), std::vector{vertex("C3")});
  MatchRig next = restarted(rig);
  EXPECT_EQ(accepted_in(next.act(1, protocol::MarkChain{"C3"}, "m")), accepted_in(first));
  EXPECT_EQ(next.game().marked_dead(), std::vector{vertex("C3")});
}

TEST(MatchConfirmationTest, EveryRefusalSaysWhy) {
  MatchRig rig = people();
  EXPECT_EQ(error_in(rig.act(2, protocol::MarkChain{"C3"}, "a")).code, ErrorCode::NotYourTurn);
  EXPECT_EQ(error_in(rig.act(1, protocol::MarkChain{"A1"}, "b")).reason, "no-stone");
  EXPECT_EQ(error_in(rig.act(1, protocol::MarkSekiPoint{"C3"}, "c")).reason, "occupied");
  EXPECT_EQ(error_in(rig.act(1, protocol::MarkChain{"pass"}, "d")).code, ErrorCode::InvalidVertex);
  EXPECT_EQ(error_in(rig.act(1, protocol::ListDead{}, "e")).code, ErrorCode::WrongPhase);
  EXPECT_EQ(error_in(rig.act(1, protocol::PlaceHandicap{{"A1", "A2"}}, "f")).code,
            ErrorCode::WrongPhase);
  EXPECT_EQ(error_in(rig.play(1, "A1", "g")).code, ErrorCode::WrongPhase);
  EXPECT_EQ(rig.game().disputes(), 0);
}

TEST(MatchConfirmationTest, AnActAtAnOlderPositionIsStale) {
  MatchRig rig = people();
  const auto old = rig.game().position_seq();
  rig.act(1, protocol::ProposeMarks{}, "a");
  rig.act(2, protocol::DisputeMarks{}, "b");
  EXPECT_EQ(rig.game().phase(), Phase::Play);
  EXPECT_EQ(rig.game().turn(), Color::Black);
  EXPECT_EQ(rig.game().position_seq(), old) << "marks change no position";
  rig.play(1, "E7", "c");
  rig.pass(2, "d");
  rig.pass(1, "e");
  EXPECT_EQ(rig.game().proposer(), Color::White);
}

TEST(MatchConfirmationTest, WhoeverDoesNotMarkInTimeHasLost) {
  MatchRig rig = people();
  rig.advance(std::chrono::seconds(50));
  rig.act(1, protocol::MarkChain{"C3"}, "a");
  rig.advance(std::chrono::seconds(9));
  EXPECT_FALSE(rig.game().is_finished());
  rig.advance(std::chrono::seconds(1));
  EXPECT_EQ(rig.game().result(), (rules::Result{ResultKind::Timeout, Color::White, 0}))
      << "a mark is no new time";
}

TEST(MatchConfirmationTest, ThereIsAnEndToMarks) {
  MatchRig rig = people();
  for (int i = 0; i < rules::kMarksMax; ++i) {
    ASSERT_NE(accepted_in(rig.act(1, protocol::MarkChain{"C3"}, "m" + std::to_string(i))).seq, 0u);
  }
  for (const protocol::ActBody& more :
       {protocol::ActBody(protocol::MarkChain{"C3"}), {protocol::MarkSekiPoint{"A9"}}}) {
    const auto refused = error_in(rig.act(1, more, "one more"));
    EXPECT_EQ(refused.code, ErrorCode::IllegalMove);
    EXPECT_EQ(refused.reason, "marked-too-often");
  }
  EXPECT_NE(accepted_in(rig.act(1, protocol::MarkChain{"C3"}, "m0")).seq, 0u)
      << "a resend is no mark";
  EXPECT_NE(accepted_in(rig.act(1, protocol::ProposeMarks{}, "d")).seq, 0u);
}

TEST(MatchConfirmationTest, TheAnswererHasTimeOfItsOwn) {
  MatchRig rig = people();
  rig.advance(std::chrono::seconds(59));
  rig.act(1, protocol::ProposeMarks{}, "a");
  rig.advance(std::chrono::seconds(59));
  EXPECT_FALSE(rig.game().is_finished());
  rig.advance(std::chrono::seconds(1));
  EXPECT_EQ(rig.game().result(), (rules::Result{ResultKind::Timeout, Color::Black, 0}));
}

/// A person with black who passed first, or second.
MatchRig person_and_engine(bool person_passes_first) {
  MatchRig rig(confirmation(human_seat(), engine_seat()));
  rig.play(1, "E5", "1");
  rig.engine_plays("C3");
  if (!person_passes_first) {
    rig.play(1, "E6", "2");
    rig.engine_passes();
    rig.pass(1, "3");
  } else {
    rig.pass(1, "3");
    rig.engine_passes();
  }
  return rig;
}

TEST(MatchConfirmationTest, AnEngineAcceptsWhatItFindsDeadItself) {
  MatchRig rig = person_and_engine(true);
  const auto jobs = rig.jobs().size();
  rig.act(1, protocol::MarkChain{"C3"}, "m");
  EXPECT_EQ(rig.jobs().size(), jobs) << "nothing is asked before the proposal";
  rig.act(1, protocol::ProposeMarks{}, "d");
  ASSERT_EQ(rig.jobs().back().want, Want::DeadList);
  EXPECT_EQ(rig.jobs().back().color, Color::White);
  rig.done(rig.jobs().back().id, dead({"C3"}));
  EXPECT_EQ(rig.game().result()->winner, Color::Black);
  EXPECT_EQ(rig.game().score()->removed, std::vector{vertex("C3")});
}

TEST(MatchConfirmationTest, AnEngineDisputesAnythingElse) {
  MatchRig rig = person_and_engine(true);
  rig.act(1, protocol::MarkChain{"C3"}, "m");
  rig.act(1, protocol::ProposeMarks{}, "d");
  rig.done(rig.jobs().back().id, dead({}));
  EXPECT_EQ(rig.game().phase(), Phase::Play);
  EXPECT_EQ(rig.game().disputes(), 1);
  EXPECT_EQ(rig.game().turn(), Color::Black);
}

TEST(MatchConfirmationTest, AnEngineThatCannotListAccepts) {
  MatchRig rig = person_and_engine(true);
  rig.act(1, protocol::MarkChain{"C3"}, "m");
  rig.act(1, protocol::ProposeMarks{}, "d");
  rig.engine_fails(JobError::NotSupported);
  EXPECT_TRUE(rig.game().is_finished());
  EXPECT_EQ(rig.game().score()->removed, std::vector{vertex("C3")});
}

TEST(MatchConfirmationTest, AnEngineProposesItsList) {
  MatchRig rig = person_and_engine(false);
  ASSERT_EQ(rig.game().proposer(), Color::White);
  ASSERT_EQ(rig.jobs().back().want, Want::DeadList);
  rig.done(rig.jobs().back().id, dead({"E6", "E5", "C3"}));
  EXPECT_TRUE(rig.game().is_proposed());
  EXPECT_EQ(rig.game().marked_dead(), (std::vector{vertex("E6"), vertex("E5"), vertex("C3")}));
  rig.act(1, protocol::DisputeMarks{}, "x");
  EXPECT_EQ(rig.game().turn(), Color::White);
  EXPECT_EQ(rig.jobs().back().want, Want::Genmove);
}

TEST(MatchConfirmationTest, AnEngineThatCannotListProposesNothing) {
  MatchRig rig = person_and_engine(false);
  rig.engine_fails(JobError::EnginesFailed);
  EXPECT_TRUE(rig.game().is_proposed());
  EXPECT_TRUE(rig.game().marked_dead().empty());
}

// White's wall has two eyes in the corner: Benson's algorithm proves it alive.
TEST(MatchConfirmationTest, AnEnginesProposalSkipsWhatNothingCanKill) {
  rules::Header header = confirmation(engine_seat(), human_seat());
  for (const char* stone : {"A2", "B2", "B1", "C2", "D2", "D1"}) {
    header.setup.push_back({Color::White, vertex(stone)});
  }
  header.setup.push_back({Color::White, vertex("G7")});
  MatchRig rig(header);
  rig.engine_passes();
  rig.pass(2, "a");
  rig.done(rig.jobs().back().id, dead({"A2", "B2", "B1", "C2", "D2", "D1", "G7"}));
  EXPECT_TRUE(rig.game().is_proposed());
  EXPECT_EQ(rig.game().marked_dead(), std::vector{vertex("G7")});
}

TEST(MatchConfirmationTest, TwoEnginesThatDisagreeComeToAnEnd) {
  MatchRig rig(confirmation(engine_seat(), engine_seat()));
  rig.engine_plays("E5");
  for (int stop = 1; stop <= 4; ++stop) {
    rig.engine_passes();
    rig.engine_passes();
    if (rig.game().is_finished()) break;
    rig.done(rig.jobs().back().id, dead({}));
    rig.done(rig.jobs().back().id, dead({"E5"}));
    EXPECT_EQ(rig.game().disputes(), stop);
  }
  ASSERT_TRUE(rig.game().is_finished());
  EXPECT_EQ(rig.game().score()->by, rules::Scoring::Area);
  EXPECT_TRUE(rig.match().awaited_jobs().empty());
}

TEST(MatchConfirmationTest, LeavingIsAForfeitAtAnyTime) {
  MatchRig rig = people();
  const auto answer = rig.act(2, protocol::Leave{}, "l");
  EXPECT_NE(accepted_in(answer).seq, 0u);
  EXPECT_EQ(rig.game().result(), (rules::Result{ResultKind::Forfeit, Color::Black, 0}));
  EXPECT_EQ(accepted_in(rig.act(2, protocol::Leave{}, "l")), accepted_in(answer));
}

// Free handicap, case 11.

rules::Header free_handicap(rules::Seat black, int stones) {
  rules::Header header = rig_header(std::move(black), human_seat());
  header.first = Color::White;
  header.free_handicap = stones;
  return header;
}

TEST(MatchHandicapTest, APersonPlacesIt) {
  MatchRig rig(free_handicap(human_seat(), 4));
  EXPECT_EQ(rig.match().snapshot(rig.now()).phase, Phase::Handicap);
  EXPECT_EQ(error_in(rig.act(2, protocol::PlaceHandicap{{"C3", "G7"}}, "a")).code,
            ErrorCode::NotYourTurn);
  EXPECT_EQ(error_in(rig.play(2, "E5", "b")).code, ErrorCode::WrongPhase);
  EXPECT_EQ(error_in(rig.act(1, protocol::PlaceHandicap{{"C3"}}, "c")).reason, "bad-handicap");
  const auto placed = rig.act(1, protocol::PlaceHandicap{{"G7", "C3"}}, "d");
  EXPECT_EQ(accepted_in(placed).position_seq, 1u);
  EXPECT_EQ(accepted_in(rig.act(1, protocol::PlaceHandicap{{"C3", "G7"}}, "d")),
            accepted_in(placed));
  EXPECT_EQ(rig.game().turn(), Color::White);
}

TEST(MatchHandicapTest, AnEngineMayPlaceFewerStones) {
  MatchRig rig(free_handicap(engine_seat(), 4));
  ASSERT_EQ(rig.jobs().back().want, Want::FreeHandicap);
  EXPECT_EQ(rig.jobs().back().stones, 4);
  rig.done(rig.jobs().back().id, dead({"C3", "G7"}));
  EXPECT_EQ(rig.game().handicap(), 2);
  EXPECT_EQ(rig.game().turn(), Color::White);
  rig.play(2, "E5", "a");
  EXPECT_EQ(rig.jobs().back().record.setup().size(), 2u);
}

TEST(MatchHandicapTest, AnEngineThatPlacesRubbishIsGivenUp) {
  MatchRig rig(free_handicap(engine_seat(), 4));
  rig.done(rig.jobs().back().id, dead({"C3"}));
  EXPECT_FALSE(rig.game().is_finished());
  EXPECT_EQ(rig.jobs().back().want, Want::FreeHandicap);
  rig.done(rig.jobs().back().id, dead({}));
  EXPECT_EQ(rig.game().result(), (rules::Result{ResultKind::Forfeit, Color::White, 0}));
}

// What needs both sides.

MatchRig annullable_people(std::string_view clock = "none") {
  rules::Header header = rig_header(human_seat(), human_seat());
  header.clock = time_control(clock);
  header.annul_before = 2;
  return MatchRig(header);
}

protocol::AskOpponent undo(int moves) { return {rules::AskKind::Undo, moves}; }

TEST(MatchAskTest, AnUndoIsAskedForAndAgreedTo) {
  MatchRig rig = annullable_people();
  rig.play(1, "E5", "a");
  const auto asked = rig.act(1, undo(1), "u");
  EXPECT_EQ(accepted_in(asked).seq, 2u);
  EXPECT_EQ(rig.match().snapshot(rig.now()).asked,
            (rules::Asked{Color::Black, rules::AskKind::Undo, 1}));
  EXPECT_EQ(error_in(rig.act(1, protocol::Agree{rig.game().asked_seq()}, "v")).code,
            ErrorCode::NotYourTurn);
  const auto agreed = rig.act(2, protocol::Agree{rig.game().asked_seq()}, "w");
  EXPECT_EQ(accepted_in(agreed).position_seq, rig.game().position_seq());
  EXPECT_TRUE(rig.game().record().moves().empty());
  EXPECT_EQ(rig.game().turn(), Color::Black);
  EXPECT_EQ(accepted_in(rig.act(2, protocol::Agree{rig.game().asked_seq()}, "w")),
            accepted_in(agreed));
  EXPECT_EQ(error_in(rig.act(2, protocol::Decline{}, "w")).code, ErrorCode::RequestIdConflict);
  MatchRig next = restarted(rig);
  EXPECT_EQ(accepted_in(next.act(2, protocol::Agree{next.game().asked_seq()}, "w")),
            accepted_in(agreed));
}

TEST(MatchAskTest, NobodyAgreesToAQuestionThatWasNotSeen) {
  MatchRig rig = annullable_people();
  rig.play(1, "E5", "a");
  rig.play(2, "E6", "b");
  rig.act(1, undo(1), "c");
  const auto seen = rig.game().asked_seq();
  rig.act(1, protocol::Decline{}, "d");
  rig.act(1, undo(2), "e");
  const auto error = error_in(rig.act(2, protocol::Agree{seen}, "f"));
  EXPECT_EQ(error.code, ErrorCode::Stale);
  ASSERT_TRUE(error.state);
  EXPECT_EQ(error.state->asked_seq, rig.game().asked_seq());
  EXPECT_EQ(rig.game().record().moves().size(), 2u);
}

TEST(MatchAskTest, ThereIsAnEndToQuestions) {
  MatchRig rig = annullable_people();
  rig.play(1, "E5", "a");
  for (int i = 0; i < rules::kQuestionsMax; ++i) {
    ASSERT_NE(accepted_in(rig.act(1, undo(1), "q" + std::to_string(i))).seq, 0u);
    rig.act(2, protocol::Decline{}, "d" + std::to_string(i));
  }
  EXPECT_EQ(error_in(rig.act(1, undo(1), "one more")).reason, "asked-too-often");
  EXPECT_NE(accepted_in(rig.act(2, undo(1), "of the other side")).seq, 0u);
}

TEST(MatchAskTest, ARefusedQuestionIsGone) {
  MatchRig rig = annullable_people();
  EXPECT_EQ(error_in(rig.act(2, protocol::Agree{rig.game().asked_seq()}, "a")).reason,
            "nothing-asked");
  EXPECT_EQ(error_in(rig.act(1, undo(1), "b")).reason, "nothing-to-undo");
  rig.play(1, "E5", "c");
  rig.act(1, undo(1), "d");
  rig.act(2, protocol::Decline{}, "e");
  EXPECT_EQ(error_in(rig.act(2, protocol::Agree{rig.game().asked_seq()}, "f")).reason,
            "nothing-asked");
  EXPECT_EQ(rig.game().record().moves().size(), 1u);
}

TEST(MatchAskTest, AnEngineAgreesAtOnceAndItsSearchIsCancelled) {
  MatchRig rig(rig_header(human_seat(), engine_seat()));
  rig.play(1, "E5", "a");
  const auto job = rig.jobs().back().id;
  rig.act(1, undo(1), "u");
  EXPECT_EQ(rig.cancelled(), std::vector{job});
  EXPECT_TRUE(rig.game().record().moves().empty());
  EXPECT_EQ(rig.game().turn(), Color::Black);
  EXPECT_TRUE(rig.match().awaited_jobs().empty());
  rig.done(job, pool::EngineMove{pool::EngineMove::Kind::Play, vertex("C3")});
  EXPECT_TRUE(rig.game().record().moves().empty()) << "what comes late is not played";
  rig.play(1, "E6", "b");
  EXPECT_EQ(rig.jobs().back().color, Color::White);
}

/// A person with black against an engine that grants so much.
MatchRig against_engine_that_grants(int undos, int pauses, std::string_view clock = "none") {
  rules::Seat engine = engine_seat();
  engine.undos = undos;
  engine.pauses = pauses;
  rules::Header header = rig_header(human_seat(), engine);
  header.clock = time_control(clock);
  return MatchRig(header);
}

/// What came of a question: the last event of the game.
const rules::EventBody& last_body(const MatchRig& rig) { return rig.game().events().back().body; }

TEST(MatchAskTest, AnEngineGrantsAsManyUndosAsItsSeatSays) {
  MatchRig rig = against_engine_that_grants(2, 0);
  for (const char* request : {"a", "b"}) {
    rig.play(1, "E5", request);
    ASSERT_NE(accepted_in(rig.act(1, undo(1), std::string("u") + request)).seq, 0u);
    EXPECT_EQ(last_body(rig), rules::EventBody(rules::Undone{Color::Black, 1}));
  }
  rig.play(1, "E5", "c");
  const auto job = rig.jobs().back().id;
  const auto asked = rig.act(1, undo(1), "uc");
  EXPECT_EQ(accepted_in(asked).seq, rig.game().seq() - 1) << "it was asked";
  EXPECT_EQ(last_body(rig), rules::EventBody(rules::Declined{Color::White}));
  EXPECT_FALSE(rig.game().asked());
  EXPECT_EQ(rig.game().record().moves().size(), 1u);
  EXPECT_NE(rig.cancelled().back(), job) << "the engine goes on with its search";
  rig.engine_plays("C3");
  EXPECT_EQ(rig.game().record().moves().size(), 2u);
}

TEST(MatchAskTest, AnEngineGrantsAsManyPausesAsItsSeatSaysAndNoMoreAfterARestart) {
  MatchRig rig = against_engine_that_grants(0, 1, "absolute:60");
  rig.act(1, protocol::AskOpponent{rules::AskKind::Pause, 0}, "p");
  EXPECT_TRUE(rig.game().is_paused());
  rig.act(1, protocol::Unpause{}, "q");
  MatchRig next = restarted(rig);
  next.act(1, protocol::AskOpponent{rules::AskKind::Pause, 0}, "r");
  EXPECT_FALSE(next.game().is_paused());
  EXPECT_EQ(last_body(next), rules::EventBody(rules::Declined{Color::White}));
  next.play(1, "E5", "a");
  next.act(1, undo(1), "u");
  EXPECT_EQ(last_body(next), rules::EventBody(rules::Declined{Color::White}));
}

// The 60 s are the server's grace; what it had to pause is not what black was granted.
TEST(MatchAskTest, APauseForTheServerIsNoPauseThatWasGranted) {
  MatchRig rig = against_engine_that_grants(0, 1, "absolute:60");
  rig.play(1, "E5", "a");
  rig.advance(std::chrono::seconds(60));
  ASSERT_TRUE(rig.game().is_paused());
  rig.search_begins();
  rig.engine_plays("C3");
  rig.act(1, protocol::AskOpponent{rules::AskKind::Pause, 0}, "p");
  EXPECT_EQ(rig.game().pause_reason(), rules::PauseReason::Agreed);
}

// Case 17: black at 41.2 s, ten minutes of pause, and a restart in between.
TEST(MatchAskTest, APauseKeepsTheTimeAlsoOverARestart) {
  MatchRig rig = annullable_people("absolute:60");
  rig.advance(std::chrono::milliseconds(18'800));
  rig.act(2, protocol::AskOpponent{rules::AskKind::Pause, 0}, "p");
  rig.act(1, protocol::Agree{rig.game().asked_seq()}, "q");
  EXPECT_TRUE(rig.game().is_paused());
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  EXPECT_EQ(rig.match().snapshot(rig.now()).clocks->running, std::nullopt);
  EXPECT_EQ(error_in(rig.play(1, "E5", "a")).reason, "paused");
  rig.advance(std::chrono::minutes(10));
  EXPECT_FALSE(rig.game().is_finished());
  MatchRig next = restarted(rig);
  EXPECT_TRUE(next.game().is_paused());
  EXPECT_EQ(next.game().turn(), Color::Black);
  EXPECT_EQ(next.game().clocks()[0].main_left, std::chrono::milliseconds(41'200));
  next.act(1, protocol::Unpause{}, "r");
  next.advance(std::chrono::milliseconds(1'200));
  next.play(1, "E5", "a");
  EXPECT_EQ(next.game().clocks()[0].main_left, std::chrono::seconds(40));
}

TEST(MatchAskTest, AnEngineIsAskedAgainAfterAPause) {
  MatchRig rig(rig_header(human_seat(), engine_seat()));
  rig.play(1, "E5", "a");
  rig.act(1, protocol::AskOpponent{rules::AskKind::Pause, 0}, "p");
  EXPECT_TRUE(rig.game().is_paused());
  EXPECT_TRUE(rig.match().awaited_jobs().empty());
  rig.act(1, protocol::Unpause{}, "u");
  EXPECT_EQ(rig.match().awaited_jobs().size(), 1u);
}

TEST(MatchAskTest, AQuestionIsNoNewTurn) {
  MatchRig rig = annullable_people("permove:10");
  rig.play(1, "E5", "a");
  rig.let_pass(std::chrono::seconds(6));
  rig.act(1, undo(1), "b");
  rig.let_pass(std::chrono::seconds(1));
  rig.act(2, protocol::Decline{}, "c");
  rig.let_pass(std::chrono::seconds(2));
  rig.play(2, "E6", "d");
  EXPECT_EQ(std::get<rules::Played>(rig.game().events().back().body).time.used,
            std::chrono::seconds(9));
}

TEST(MatchAskTest, AGameCanBeAnnulledBeforeTheMoveThatItSays) {
  MatchRig rig = annullable_people();
  rig.play(1, "E5", "a");
  MatchRig late = annullable_people();
  late.play(1, "E5", "a");
  late.play(2, "E6", "b");
  EXPECT_EQ(error_in(late.act(1, protocol::Annul{}, "c")).code, ErrorCode::WrongPhase);
  const auto answer = rig.act(2, protocol::Annul{}, "c");
  EXPECT_EQ(rig.game().result(), (rules::Result{ResultKind::Annulled, std::nullopt, 0}));
  EXPECT_EQ(accepted_in(rig.act(2, protocol::Annul{}, "c")), accepted_in(answer));
}

}  // namespace
}  // namespace tengen::daemon
