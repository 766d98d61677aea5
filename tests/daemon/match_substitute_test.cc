// An engine that has to be given up, and the one that takes its seat over.
#include <gtest/gtest.h>

#include "tests/daemon/match_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using pool::JobError;
using rules::Color;

const rules::Seat kHouse{rules::SeatKind::Engine, "", "house", {}};

rules::Seat with_settings() {
  auto seat = engine_seat();
  seat.settings = {{"level", "3"}};
  return seat;
}

/// A person has made a move and waits for the engine, which "house" can replace.
MatchRig waiting() {
  MatchRig rig(rig_header(human_seat(), with_settings()));
  rig.substitute = kHouse;
  rig.play(1, "E5", "a");
  return rig;
}

std::vector<rules::SeatChanged> changes(const MatchRig& rig) {
  std::vector<rules::SeatChanged> found;
  for (const auto& event : rig.game().events()) {
    if (const auto* changed = std::get_if<rules::SeatChanged>(&event.body)) {
      found.push_back(*changed);
    }
  }
  return found;
}

void expect_goes_on(const MatchRig& rig, std::string_view reason) {
  EXPECT_FALSE(rig.game().is_finished());
  EXPECT_EQ(rig.game().seat(Color::White), kHouse);
  ASSERT_EQ(changes(rig).size(), 1u);
  EXPECT_EQ(changes(rig)[0].color, Color::White);
  EXPECT_EQ(changes(rig)[0].reason, reason);
  EXPECT_EQ(rig.jobs().back().profile, "house");
  EXPECT_TRUE(rig.jobs().back().settings.empty());
  EXPECT_EQ(rig.match().awaited_jobs(), std::vector{rig.jobs().back().id});
}

TEST(MatchSubstituteTest, TakesOverAfterIllegalMovesAndTheGameGoesOn) {
  MatchRig rig = waiting();
  rig.engine_plays("E5");
  EXPECT_EQ(rig.jobs().back().profile, "fake");
  rig.engine_plays("E5");
  expect_goes_on(rig, "illegal move: occupied");
  rig.engine_plays("C3");
  rig.play(1, "F5", "b");
  EXPECT_EQ(rig.jobs().back().profile, "house");
}

TEST(MatchSubstituteTest, TakesOverAfterFailures) {
  MatchRig rig = waiting();
  for (int i = 0; i < 2; ++i) {
    rig.engine_fails(JobError::EnginesFailed);
    rig.advance(2s);
  }
  rig.engine_fails(JobError::EnginesFailed, "engine 4\ndied");
  expect_goes_on(rig, std::string(name_of(JobError::EnginesFailed)) + ": engine 4?died");
  EXPECT_EQ(rig.match().deadline(), std::nullopt) << "it is asked at once";
}

TEST(MatchSubstituteTest, TakesOverAtOnceFromAnEngineThatCannotPlayThePosition) {
  for (const auto error :
       {JobError::PositionRefused, JobError::NotSupported, JobError::UnknownProfile}) {
    MatchRig rig = waiting();
    rig.engine_fails(error, "no");
    expect_goes_on(rig, std::string(name_of(error)) + ": no");
  }
}

TEST(MatchSubstituteTest, IsJudgedWithoutRegardToTheFaultsBeforeIt) {
  MatchRig rig = waiting();
  rig.engine_plays("E5");
  rig.engine_plays("E5");
  rig.engine_plays("E5");  // its own first illegal move
  EXPECT_FALSE(rig.game().is_finished());
  rig.engine_plays("C3");
  EXPECT_EQ(rig.game().turn(), Color::Black);
}

TEST(MatchSubstituteTest, ASeatChangesOnceAndThenForfeits) {
  MatchRig rig = waiting();
  rig.engine_fails(JobError::PositionRefused);
  rig.engine_fails(JobError::PositionRefused);
  EXPECT_EQ(result_text(*rig.game().result()), "B+F");
  EXPECT_EQ(changes(rig).size(), 1u);
}

TEST(MatchSubstituteTest, OneThatTheConfigurationDoesNotLetPlayIsWaitedFor) {
  MatchRig rig = waiting();
  rig.engine_fails(JobError::PositionRefused);
  rig.engine_fails(JobError::UnknownProfile);
  EXPECT_FALSE(rig.game().is_finished());
  EXPECT_EQ(changes(rig).size(), 1u);
  rig.advance(30s);
  EXPECT_EQ(rig.jobs().back().profile, "house");
  rig.engine_plays("C3");
  EXPECT_EQ(rig.game().turn(), Color::Black);
}

TEST(MatchSubstituteTest, ARestartDoesNotForgetThatASeatHasChanged) {
  MatchRig before = waiting();
  before.engine_fails(JobError::PositionRefused);
  MatchRig rig = restarted(before);
  rig.substitute = kHouse;
  EXPECT_EQ(rig.jobs().back().profile, "house");
  rig.engine_fails(JobError::PositionRefused);
  EXPECT_EQ(result_text(*rig.game().result()), "B+F");
}

TEST(MatchSubstituteTest, EachSideHasItsOwn) {
  MatchRig rig(rig_header(engine_seat(), engine_seat()));
  rig.substitute = kHouse;
  rig.engine_fails(JobError::PositionRefused);
  rig.engine_plays("E5");
  rig.engine_fails(JobError::PositionRefused);
  EXPECT_EQ(changes(rig).size(), 2u);
  EXPECT_EQ(rig.game().seat(Color::Black), kHouse);
  EXPECT_EQ(rig.game().seat(Color::White), kHouse);
}

TEST(MatchSubstituteTest, PlaysOnTheClockOfTheSeatItTook) {
  auto header = rig_header(human_seat(), engine_seat());
  header.clock = time_control("absolute:10");
  MatchRig rig(std::move(header));
  rig.substitute = kHouse;
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::PositionRefused, "no", 6s);
  EXPECT_EQ(rig.jobs().back().clock->faces[1].main_left, 4s);
  rig.engine_plays("C3", 3s);
  EXPECT_EQ(rig.game().clocks()[1].main_left, 1s);
}

TEST(MatchSubstituteTest, IsAskedForTheDeadStones) {
  MatchRig rig = waiting();
  rig.engine_fails(JobError::PositionRefused);
  rig.engine_passes();
  rig.pass(1, "b");
  EXPECT_EQ(rig.jobs().back().want, pool::Want::DeadList);
  EXPECT_EQ(rig.jobs().back().profile, "house");
}

TEST(MatchSubstituteTest, AnEngineThatCannotListTheDeadKeepsItsSeat) {
  MatchRig rig = waiting();
  rig.engine_passes();
  rig.pass(1, "b");
  rig.engine_fails(JobError::NotSupported);
  EXPECT_TRUE(changes(rig).empty());
  rig.act(1, protocol::ListDead{}, "c");
  EXPECT_EQ(rig.game().result()->kind, rules::ResultKind::Score);
}

}  // namespace
}  // namespace tengen::daemon
