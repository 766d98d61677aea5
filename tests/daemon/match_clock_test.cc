// The clocks of a match in virtual time: people pay for their turns, engines for their searches.
#include <gtest/gtest.h>

#include "tests/daemon/match_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using pool::EngineMove;
using pool::JobError;
using protocol::ErrorCode;
using rules::ClockFace;
using rules::Color;
using rules::MoveTime;
using rules::Result;
using rules::ResultKind;

const Result kBlackTimedOut{ResultKind::Timeout, Color::White, 0};
const Result kWhiteTimedOut{ResultKind::Timeout, Color::Black, 0};

rules::Header timed(rules::Seat black, rules::Seat white, std::string_view clock) {
  auto header = rig_header(std::move(black), std::move(white));
  header.clock = time_control(clock);
  return header;
}

/// Ten seconds for the whole game, unless another clock is asked for.
MatchRig timed_people(std::string_view clock = "absolute:10") {
  return MatchRig(timed(human_seat(), human_seat(), clock));
}
MatchRig timed_against_engine(std::string_view clock = "absolute:10") {
  return MatchRig(timed(human_seat(), engine_seat(), clock));
}

const ClockFace& face(const MatchRig& rig, Color color) {
  return rig.game().clocks()[static_cast<std::size_t>(index_of(color))];
}
/// What the last play took.
MoveTime last_time(const MatchRig& rig) {
  MoveTime time;
  for (const auto& event : rig.game().events()) {
    if (const auto* played = std::get_if<rules::Played>(&event.body)) time = played->time;
  }
  return time;
}

TEST(MatchClockTest, APersonPaysFromTheBeginningOfTheTurnToTheMove) {
  MatchRig rig = timed_people();
  rig.advance(3s);
  rig.play(1, "E5", "a");
  rig.advance(4s + 5ns);
  rig.play(2, "C3", "b");
  rig.advance(1s);
  rig.pass(1, "c");
  EXPECT_EQ(face(rig, Color::Black).main_left, 10s - 3s - 1s);
  EXPECT_EQ(face(rig, Color::White).main_left, 10s - 4s - 5ns);
  EXPECT_EQ(last_time(rig), (MoveTime{4s + 5ns, 0ns}));
}

TEST(MatchClockTest, AMoveInTheVeryLastInstantIsInTime) {
  MatchRig rig = timed_people();
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 10s + 1ns);
  rig.advance(10s);
  EXPECT_FALSE(rig.game().is_finished());
  EXPECT_EQ(accepted_in(rig.play(1, "E5", "a")).seq, 1u);
  EXPECT_EQ(face(rig, Color::Black).main_left, 0s);
  EXPECT_EQ(last_time(rig), (MoveTime{10s, 0ns}));
}

TEST(MatchClockTest, TheFlagFallsANanosecondLater) {
  MatchRig rig = timed_people();
  rig.advance(10s + 1ns);
  EXPECT_EQ(rig.game().result(), kBlackTimedOut);
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  EXPECT_EQ(error_in(rig.play(1, "E5", "a")).code, ErrorCode::GameOver);
}

// The loop was late by 5 ms: that is not the player's fault.
TEST(MatchClockTest, AMoveBeatsTheFlagOfTheSameTurnOfTheLoop) {
  MatchRig rig = timed_people();
  rig.let_pass(10s + 5ms);
  EXPECT_EQ(accepted_in(rig.play(1, "E5", "a")).seq, 1u);
  EXPECT_EQ(last_time(rig), (MoveTime{10s, 5ms}));
  rig.advance(0s);
  EXPECT_FALSE(rig.game().is_finished());
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 10s + 1ns);
}

TEST(MatchClockTest, AnIllegalMoveDoesNotStopTheClock) {
  MatchRig rig = timed_people();
  rig.play(1, "E5", "a");
  rig.let_pass(10s + 5ms);
  EXPECT_EQ(error_in(rig.play(2, "E5", "b")).code, ErrorCode::IllegalMove);
  rig.advance(0s);
  EXPECT_EQ(rig.game().result(), kWhiteTimedOut);
}

TEST(MatchClockTest, AResentOrStaleActIsAnsweredAsEverAndCostsNothing) {
  MatchRig rig = timed_people();
  rig.advance(2s);
  const auto first = accepted_in(rig.play(1, "E5", "a"));
  rig.advance(3s);
  EXPECT_EQ(accepted_in(rig.play_at(1, "E5", "a", 0)), first);
  EXPECT_EQ(error_in(rig.play_at(1, "E4", "a", 0)).code, ErrorCode::RequestIdConflict);
  EXPECT_EQ(error_in(rig.play_at(2, "C3", "b", 0)).code, ErrorCode::Stale);
  EXPECT_EQ(face(rig, Color::Black).main_left, 8s);
  EXPECT_EQ(face(rig, Color::White).main_left, 10s);
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 7s + 1ns);
  rig.advance(7s + 1ns);
  EXPECT_EQ(rig.game().result(), kWhiteTimedOut);
  EXPECT_EQ(accepted_in(rig.play_at(1, "E5", "a", 0)), first);
}

TEST(MatchClockTest, ASnapshotSaysHowLongTheTurnHasBeenGoingOn) {
  MatchRig rig = timed_people();
  rig.advance(2s);
  rig.play(1, "E5", "a");
  rig.advance(3s);
  const rules::ClockFaces faces{ClockFace{8s, 0s, 0, 0}, ClockFace{10s, 0s, 0, 0}};
  const protocol::Clocks clocks{faces, Color::White, 3s};
  EXPECT_EQ(rig.match().snapshot(rig.now()).clocks, clocks);
  const auto stale = error_in(rig.play_at(2, "C3", "b", 0));
  ASSERT_TRUE(stale.state);
  EXPECT_EQ(stale.state->clocks, clocks);
}

// One second, then two periods of three: 1 + 2 * 3 in all.
TEST(MatchClockTest, TheFlagFallsAfterTheLastPeriod) {
  MatchRig rig = timed_people("byoyomi:1+2x3");
  rig.advance(7s);
  EXPECT_FALSE(rig.game().is_finished());
  rig.advance(1ns);
  EXPECT_EQ(rig.game().result(), kBlackTimedOut);
}

TEST(MatchClockTest, AGameWithoutAClockHasNoFlagAndNoTimes) {
  MatchRig rig(rig_header(human_seat(), human_seat()));
  rig.advance(24h);
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  rig.play(1, "E5", "a");
  EXPECT_EQ(last_time(rig), MoveTime{});
  EXPECT_EQ(rig.match().snapshot(rig.now()).clocks, std::nullopt);
}

TEST(MatchClockTest, ARestartKeepsTheClocksAndBeginsTheTurnAgain) {
  MatchRig before = timed_people();
  before.advance(4s);
  before.play(1, "E5", "a");
  before.advance(9s);  // white was thinking when the daemon went down
  MatchRig rig = restarted(before);
  EXPECT_EQ(rig.game().clocks(), before.game().clocks());
  EXPECT_EQ(face(rig, Color::Black).main_left, 6s);
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 10s + 1ns);
  rig.advance(2s);
  rig.play(2, "C3", "b");
  EXPECT_EQ(face(rig, Color::White).main_left, 8s);
}

// Nearly a minute in the queue, two seconds of search.
TEST(MatchClockTest, AnEnginePaysForItsSearchAlone) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.advance(59s);
  rig.search_begins();
  rig.advance(2s);
  EXPECT_FALSE(rig.game().is_finished());
  rig.engine_plays("C3", 2s);
  EXPECT_EQ(face(rig, Color::White).main_left, 8s);
  EXPECT_EQ(last_time(rig), (MoveTime{2s, 59s}));
}

TEST(MatchClockTest, AnEnginesFlagDoesNotFallWhileItsJobWaitsOrRuns) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.advance(1h);
  EXPECT_FALSE(rig.game().is_finished());
  rig.search_begins();
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  rig.advance(1h);
  EXPECT_FALSE(rig.game().is_finished());
}

/// The last pause and the last end of one.
std::optional<rules::Paused> last_pause(const MatchRig& rig) {
  std::optional<rules::Paused> pause;
  for (const auto& event : rig.game().events()) {
    if (const auto* paused = std::get_if<rules::Paused>(&event.body)) pause = *paused;
  }
  return pause;
}

// The grace is 60 s (DESIGN 5: "up to a named grace, beyond which the game pauses with the
// reason").
TEST(MatchServerLagTest, AGameWhoseEngineIsNotToBeHadPausesUntilOneSearches) {
  MatchRig rig = timed_against_engine();
  rig.advance(1s);
  rig.play(1, "E5", "a");
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 60s);
  rig.advance(60s - 1ns);
  EXPECT_FALSE(rig.game().is_paused());
  rig.advance(1ns);
  EXPECT_EQ(
      last_pause(rig),
      (rules::Paused{Color::White, {0s, 60s}, {10s, 0s, 0, 0}, rules::PauseReason::ServerLag}));
  const auto snapshot = rig.match().snapshot(rig.now());
  EXPECT_EQ(snapshot.paused, rules::PauseReason::ServerLag);
  EXPECT_EQ(snapshot.clocks->running, std::nullopt);
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  EXPECT_EQ(rig.match().awaited_jobs().size(), 1u) << "the engine is still wanted";
  const auto refused = error_in(rig.act(1, protocol::Unpause{}, "u"));
  EXPECT_EQ(refused.code, ErrorCode::WrongPhase);
  EXPECT_EQ(refused.reason, "paused");
  rig.advance(1h);
  rig.search_begins();
  EXPECT_FALSE(rig.game().is_paused());
  EXPECT_EQ(rig.match().snapshot(rig.now()).clocks->running, Color::White);
  rig.advance(3s);
  rig.engine_plays("C3", 3s);
  EXPECT_EQ(last_time(rig), (MoveTime{3s, 0s}));
  EXPECT_EQ(face(rig, Color::White).main_left, 7s);
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 9s + 1ns) << "black's clock as it was";
  EXPECT_EQ(restarted(rig).game().clocks(), rig.game().clocks());
}

TEST(MatchServerLagTest, ASearchIsNotTheServersLag) {
  MatchRig rig = timed_against_engine("absolute:600");
  rig.play(1, "E5", "a");
  rig.advance(50s);
  rig.search_begins();
  rig.advance(100s);
  EXPECT_FALSE(rig.game().is_paused());
  rig.engine_plays("C3", 100s);
  EXPECT_EQ(last_time(rig), (MoveTime{100s, 50s}));
}

// 50 s in the queue, 5 s on an engine that dies, 10 s more in the queue: that is the whole grace.
TEST(MatchServerLagTest, WhatALostEngineSearchedIsItsSidesToPayAndNoLag) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.advance(50s);
  rig.search_begins();
  rig.advance(5s);
  rig.engine_is_lost(5s);
  rig.advance(10s - 1ns);
  EXPECT_FALSE(rig.game().is_paused());
  rig.advance(1ns);
  ASSERT_TRUE(last_pause(rig));
  EXPECT_EQ(last_pause(rig)->time, (MoveTime{0s, 60s})) << "the job has not ended: it pays then";
  rig.advance(7s);
  rig.search_begins();
  rig.advance(2s);
  rig.engine_plays("C3", 7s);
  EXPECT_EQ(face(rig, Color::White).main_left, 3s);
}

// Failed searches of 3 s, after which the pool has none: asked again every 2 s, and the pause pays.
TEST(MatchServerLagTest, APausedGameAsksAgainAndPaysForFailedSearches) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.search_begins();
  rig.advance(3s);
  rig.engine_fails(JobError::EnginesFailed, "died", 3s);
  rig.advance(2s);
  rig.advance(58s);
  ASSERT_TRUE(last_pause(rig));
  EXPECT_EQ(last_pause(rig)->time, (MoveTime{3s, 60s}));
  EXPECT_EQ(last_pause(rig)->left.main_left, 7s);
  rig.engine_fails(JobError::QueueFull);
  EXPECT_TRUE(rig.game().is_paused());
  const auto asked = rig.jobs().size();
  rig.advance(2s);
  ASSERT_EQ(rig.jobs().size(), asked + 1);
  EXPECT_EQ(rig.jobs().back().clock->faces[1].main_left, 7s);
  rig.engine_fails(JobError::EnginesFailed, "died", 4s);
  EXPECT_FALSE(rig.game().is_paused()) << "it has been searched";
  rig.advance(2s);
  EXPECT_EQ(rig.jobs().back().clock->faces[1].main_left, 3s);
}

TEST(MatchServerLagTest, ASearchThatTookTooLongLosesAlsoAfterAPause) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.advance(60s);
  ASSERT_TRUE(rig.game().is_paused());
  rig.engine_fails(JobError::EnginesFailed, "hung", 10s + 1ns);
  EXPECT_EQ(rig.game().result(), kWhiteTimedOut);
}

TEST(MatchServerLagTest, ARestartKeepsThePauseAndAsksForTheEngine) {
  MatchRig before = timed_against_engine();
  before.play(1, "E5", "a");
  before.advance(60s);
  MatchRig rig = restarted(before);
  EXPECT_EQ(rig.game().pause_reason(), rules::PauseReason::ServerLag);
  ASSERT_EQ(rig.jobs().size(), 1u);
  rig.advance(1h);
  EXPECT_EQ(rig.game().seq(), before.game().seq());
  rig.search_begins();
  rig.engine_plays("C3", 1s);
  EXPECT_EQ(face(rig, Color::White).main_left, 9s);
}

TEST(MatchServerLagTest, APausedGameCanBeGivenUpAndEndedButNotTalkedAbout) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.advance(60s);
  const auto asked = rig.act(1, protocol::AskOpponent{rules::AskKind::Undo, 1}, "u");
  EXPECT_EQ(error_in(asked).reason, "paused");
  rig.resign(1, "r");
  EXPECT_TRUE(rig.game().is_finished());
  EXPECT_TRUE(rig.match().awaited_jobs().empty());
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
}

TEST(MatchServerLagTest, AGameWithoutAClockWaitsWithoutAPause) {
  MatchRig rig(rig_header(human_seat(), engine_seat()));
  rig.play(1, "E5", "a");
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  rig.advance(1h);
  EXPECT_FALSE(rig.game().is_paused());
}

// Listing is on no player's clock (SPEC 4): 20 s for white's list, and black goes on with all it
// had.
TEST(MatchServerLagTest, AnEnginesListCostsThePersonWhoGoesOnNothing) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.engine_plays("C3");
  rig.pass(1, "b");
  rig.engine_passes();
  rig.act(1, protocol::ListDead{std::vector<std::string>{}}, "l");
  rig.advance(20s);
  rig.done(rig.job_of(Color::White), pool::EngineStones{{vertex("E5")}});
  ASSERT_EQ(rig.game().phase(), rules::Phase::Cleanup);
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 10s + 1ns);
  rig.advance(4s);
  EXPECT_FALSE(rig.game().is_finished());
  rig.pass(1, "c");
  EXPECT_EQ(face(rig, Color::Black).main_left, 6s);
}

TEST(MatchClockTest, APersonsClockRunsFromTheEnginesMove) {
  MatchRig rig = timed_against_engine();
  rig.advance(1s);
  rig.play(1, "E5", "a");
  rig.advance(30s);
  rig.engine_plays("C3", 1s);
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + 9s + 1ns);
}

TEST(MatchClockTest, AJobCarriesTheClocks) {
  MatchRig rig = timed_against_engine("fischer:10+2");
  rig.advance(3s);
  rig.play(1, "E5", "a");
  const auto& clock = rig.jobs().back().clock;
  ASSERT_TRUE(clock);
  EXPECT_EQ(clock->control, time_control("fischer:10+2"));
  EXPECT_EQ(clock->faces[0].main_left, 9s);
  EXPECT_EQ(clock->faces[1].main_left, 10s);
  EXPECT_EQ(rig.jobs().back().priority, pool::Priority::Move);
}

TEST(MatchClockTest, AJobOfAGameWithoutAClockHasNone) {
  MatchRig rig(rig_header(engine_seat(), human_seat()));
  EXPECT_FALSE(rig.jobs().back().clock);
}

TEST(MatchClockTest, FailedSearchesArePaidForAndOffTheClockOfTheNextJob) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::EnginesFailed, "died", 3s);
  rig.advance(2s);
  EXPECT_EQ(rig.jobs().back().clock->faces[1].main_left, 7s);
  EXPECT_EQ(face(rig, Color::White).main_left, 10s) << "the turn is not over";
  rig.advance(9s);
  rig.engine_plays("C3", 4s);
  EXPECT_EQ(face(rig, Color::White).main_left, 3s);
  EXPECT_EQ(last_time(rig), (MoveTime{7s, 4s}));
}

// Four seconds of search in byo-yomi without main time: the second period has two seconds left.
TEST(MatchClockTest, PeriodsLostBySearchesAreOffTheClockOfTheNextJob) {
  MatchRig rig = timed_against_engine("byoyomi:0+3x3");
  rig.play(1, "E5", "a");
  rig.engine_plays("E5", 4s);
  EXPECT_EQ(rig.jobs().back().clock->faces[1], (ClockFace{0s, 2s, 2, 0}));
}

TEST(MatchClockTest, ASearchThatTookAllTheTimeThereWasIsInTime) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.advance(20s);
  rig.engine_plays("C3", 10s);
  EXPECT_FALSE(rig.game().is_finished());
  EXPECT_EQ(face(rig, Color::White).main_left, 0s);
}

TEST(MatchClockTest, ASearchThatTookLongerLosesWhateverItFound) {
  const pool::JobResult kResults[] = {EngineMove{EngineMove::Kind::Play, vertex("C3")},
                                      EngineMove{EngineMove::Kind::Resign, {}},
                                      EngineMove{EngineMove::Kind::Play, vertex("E5")},
                                      pool::JobFailure{JobError::EnginesFailed, "hung"},
                                      pool::JobFailure{JobError::PositionRefused, "no"}};
  for (const auto& result : kResults) {
    MatchRig rig = timed_against_engine();
    rig.play(1, "E5", "a");
    rig.advance(20s);
    rig.done(rig.jobs().back().id, result, 10s + 1ns);
    EXPECT_EQ(rig.game().result(), kWhiteTimedOut);
    EXPECT_EQ(rig.match().deadline(), std::nullopt);
    EXPECT_TRUE(rig.match().awaited_jobs().empty());
  }
}

TEST(MatchClockTest, SearchesOfOneTurnAreAddedUp) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.engine_plays("E5", 6s);  // illegal
  EXPECT_FALSE(rig.game().is_finished());
  rig.engine_plays("C3", 4s + 1ns);
  EXPECT_EQ(rig.game().result(), kWhiteTimedOut);
}

TEST(MatchClockTest, ANewTurnBeginsWithNothingSearched) {
  MatchRig rig = timed_against_engine("permove:10");
  for (const auto& [mine, engines] : {std::pair{"E5", "C3"}, {"E6", "C4"}, {"E7", "C5"}}) {
    rig.play(1, mine, mine);
    rig.engine_plays(engines, 9s);
  }
  EXPECT_FALSE(rig.game().is_finished());
}

TEST(MatchClockTest, ADrainingPoolCostsNoTime) {
  MatchRig rig = timed_against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::Draining, "", 11s);
  EXPECT_FALSE(rig.game().is_finished());
  MatchRig next = restarted(rig);
  EXPECT_EQ(next.jobs().back().clock->faces[1].main_left, 10s);
}

TEST(MatchClockTest, ListingTheDeadIsOnNobodysClock) {
  MatchRig rig = timed_against_engine();
  rig.pass(1, "a");
  rig.engine_passes();
  EXPECT_EQ(rig.game().phase(), rules::Phase::Marking);
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + rules::kMarkingTime);
  EXPECT_EQ(rig.match().snapshot(rig.now()).clocks->running, std::nullopt);
  rig.advance(1h);
  const auto faces = rig.game().clocks();
  rig.done(rig.jobs().back().id, pool::EngineStones{}, 1h);
  EXPECT_EQ(rig.game().result()->kind, ResultKind::Score);
  EXPECT_EQ(rig.game().clocks(), faces);
}

TEST(MatchClockTest, AClockedLogIsReplayedToTheSameClocks) {
  for (const char* clock :
       {"absolute:60", "fischer:5+2", "byoyomi:3+3x2", "canadian:2+2/9", "permove:4", "none"}) {
    MatchRig rig = timed_against_engine(clock);
    int used_ms = 0;
    for (const auto& [mine, engines] : {std::pair{"E5", "C3"}, {"E6", "C4"}, {"E7", "C5"}}) {
      rig.advance(std::chrono::milliseconds(used_ms += 703));
      rig.play(1, mine, mine);
      rig.advance(5s);
      rig.engine_plays(engines, 1'234'567'891ns);
    }
    EXPECT_EQ(rig.game().seq(), 6u) << clock;
    EXPECT_EQ(restarted(rig).game().clocks(), rig.game().clocks()) << clock;
  }
}

}  // namespace
}  // namespace tengen::daemon
