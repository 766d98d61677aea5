// The clocks by hand: every figure is derived in the comment beside it.
#include "rules/clock.h"

#include <gtest/gtest.h>

#include <string>

namespace tengen::rules {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr Color B = Color::Black;
constexpr Color W = Color::White;
/// Any time will do as the beginning; this one is as good as the time since boot.
constexpr ClockTime kStart{86'400s};

Clock clock_of(std::string_view text) {
  return Clock(std::get<TimeControl>(parse_time_control(text)));
}

/// A turn of black that ends that much after `now`, and a turn of white that takes no time.
ClockAnswer black_moves(Clock& clock, ClockTime& now, nanoseconds after) {
  now += after;
  const ClockAnswer answer = clock.move(B, now);
  return answer == ClockAnswer::Done ? clock.move(W, now) : answer;
}

ClockFace main_face(nanoseconds main) { return {main, 0ns, 0, 0}; }

struct Turn {
  nanoseconds takes;
  ClockFace after;
};

/// Black takes these turns; the face after each is the one written, and the next instant is late.
void expect_turns(std::string_view control, std::initializer_list<Turn> turns) {
  SCOPED_TRACE(control);
  Clock clock = clock_of(control);
  ClockTime now = kStart;
  ASSERT_EQ(clock.start(B, now), ClockAnswer::Done);
  int number = 0;
  for (const Turn& turn : turns) {
    SCOPED_TRACE("turn " + std::to_string(++number));
    ASSERT_EQ(black_moves(clock, now, turn.takes), ClockAnswer::Done);
    EXPECT_EQ(clock.faces()[0], turn.after);
    EXPECT_EQ(clock.face(B, now), turn.after);
  }
  const auto last = clock.flag_at();
  if (!last) return;
  EXPECT_FALSE(clock.has_flagged(*last));
  EXPECT_TRUE(clock.has_flagged(*last + 1ns));
  EXPECT_EQ(clock.move(B, *last + 1ns), ClockAnswer::Flagged);
  EXPECT_EQ(clock.move(B, *last), ClockAnswer::Done);
}

TEST(Clock, AbsoluteTimeIsUsedUp) {
  // 600 - 200 = 400; 400 - 399.999999999 = 1 ns; a move that takes all of it leaves 0.
  expect_turns("absolute:600", {{200s, main_face(400s)},
                                {400s - 1ns, main_face(1ns)},
                                {1ns, main_face(0ns)},
                                {0ns, main_face(0ns)}});
}

TEST(Clock, FischerGainsAfterTheMoveUpToTheCap) {
  // 60 - 2 + 10 = 68, capped: 65. 65 - 30 + 10 = 45. 45 - 45 + 10 = 10. 10 - 10 + 10 = 10.
  expect_turns(
      "fischer:60+10/65",
      {{2s, main_face(65s)}, {30s, main_face(45s)}, {45s, main_face(10s)}, {10s, main_face(10s)}});
  // Without a cap: 60 - 2 + 10 = 68; 68 - 0 + 10 = 78.
  expect_turns("fischer:60+10", {{2s, main_face(68s)}, {0s, main_face(78s)}});
}

TEST(Clock, FischerTimeGivenAboveTheCapIsNotCutDown) {
  Clock clock = clock_of("fischer:60+10/65");
  ASSERT_EQ(clock.restore({main_face(300s), main_face(60s)}, B, kStart), ClockAnswer::Done);
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  ClockTime now = kStart;
  // 300 - 20 = 280, above 65: no increment, and nothing taken.
  ASSERT_EQ(black_moves(clock, now, 20s), ClockAnswer::Done);
  EXPECT_EQ(clock.faces()[0], main_face(280s));
  // 280 - 218 = 62, below 65: 62 + 10 is capped to 65.
  ASSERT_EQ(black_moves(clock, now, 218s), ClockAnswer::Done);
  EXPECT_EQ(clock.faces()[0], main_face(65s));
}

TEST(Clock, FischerWithoutACapStopsGainingAtAYear) {
  Clock clock = clock_of("fischer:1814400+1814400");
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  ClockTime now = kStart;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(black_moves(clock, now, 0s), ClockAnswer::Done);
  EXPECT_EQ(clock.faces()[0], main_face(kMaxTimeLeft));
}

TEST(Clock, ByoYomiPeriodsAreResetByAMoveAndLostByOversteppingThem) {
  const auto face = [](nanoseconds main, int periods) { return ClockFace{main, 30s, periods, 0}; };
  expect_turns("byoyomi:600+5x30", {
                                       {599s, face(1s, 5)},  // still in main time
                                       {31s, face(0s, 5)},   // 1 s main, 30 s: the last instant
                                       {30s, face(0s, 5)},   // the last instant again
                                       {30s + 1ns, face(0s, 4)},  // one period overstepped
                                       {89s, face(0s, 2)},        // 30 + 30 + 29
                                       {60s, face(0s, 1)},        // 30 + 30: the last instant
                                       {30s, face(0s, 1)},
                                   });
  // 10 s: the last instant of main time. 5 s: that of a period. 5 + 5: that of the second.
  expect_turns("byoyomi:10+2x5",
               {{10s, {0s, 5s, 2, 0}}, {5s, {0s, 5s, 2, 0}}, {10s, {0s, 5s, 1, 0}}});
}

TEST(Clock, AMoveThatLeavesMainTimeGoesOnIntoThePeriods) {
  // 20 s: 10 main, 5 the first period, 5 the second to its last instant: one overstepped.
  expect_turns("byoyomi:10+3x5", {{20s, {0s, 5s, 2, 0}}});
  // 10 main + 3 * 5 = 25 s is the last instant of all.
  expect_turns("byoyomi:10+3x5", {{25s, {0s, 5s, 1, 0}}});
}

TEST(Clock, TheViewOfByoYomiShowsThePresentPeriod) {
  Clock clock = clock_of("byoyomi:10+3x5");
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  struct Row {
    nanoseconds after;
    ClockFace shown;
  };
  const Row rows[] = {
      {0s, {10s, 5s, 3, 0}}, {4s, {6s, 5s, 3, 0}},        {10s, {0s, 5s, 3, 0}},
      {12s, {0s, 3s, 3, 0}}, {15s, {0s, 0s, 3, 0}},       {15s + 1ns, {0s, 5s - 1ns, 2, 0}},
      {18s, {0s, 2s, 2, 0}}, {20s, {0s, 0s, 2, 0}},       {21s, {0s, 4s, 1, 0}},
      {25s, {0s, 0s, 1, 0}}, {25s + 1ns, {0s, 0s, 0, 0}}, {9999s, {0s, 0s, 0, 0}},
  };
  for (const Row& row : rows) EXPECT_EQ(clock.face(B, kStart + row.after), row.shown);
  EXPECT_EQ(clock.face(W, kStart + 9999s), (ClockFace{10s, 5s, 3, 0}));
  EXPECT_EQ(clock.flag_at(), kStart + 25s);
}

TEST(Clock, CanadianBeginsAFreshPeriodAfterTheLastStone) {
  const auto face = [](nanoseconds period, int stones) { return ClockFace{0s, period, 0, stones}; };
  // Nine moves of 5 s leave 15 s for the tenth; it takes 3 s and is made with 12 s left.
  expect_turns("canadian:0+10/60", {{5s, face(55s, 9)},
                                    {5s, face(50s, 8)},
                                    {5s, face(45s, 7)},
                                    {5s, face(40s, 6)},
                                    {5s, face(35s, 5)},
                                    {5s, face(30s, 4)},
                                    {5s, face(25s, 3)},
                                    {5s, face(20s, 2)},
                                    {5s, face(15s, 1)},
                                    {3s, face(60s, 10)},
                                    {1s, face(59s, 9)}});
}

TEST(Clock, CanadianCountsTheMoveThatLeavesMainTime) {
  // 100 - 40; to the last instant of main time: no stone counted. Then 1 s of the period.
  expect_turns("canadian:100+3/20",
               {{40s, {60s, 20s, 0, 3}}, {60s, {0s, 20s, 0, 3}}, {1s, {0s, 19s, 0, 2}}});
  // 103 s: 3 s into the period, one stone made. The last stone at the last instant is in time.
  expect_turns("canadian:100+3/20",
               {{103s, {0s, 17s, 0, 2}}, {10s, {0s, 7s, 0, 1}}, {7s, {0s, 20s, 0, 3}}});
}

TEST(Clock, PerMoveTimeIsFreshForEachMove) {
  expect_turns("permove:30", {{29s, {0s, 30s, 0, 0}}, {30s, {0s, 30s, 0, 0}}});
}

TEST(Clock, WithoutALimitNoFlagFalls) {
  Clock clock = clock_of("none");
  ASSERT_EQ(clock.start(B, ClockTime::min()), ClockAnswer::Done);
  EXPECT_EQ(clock.flag_at(), std::nullopt);
  EXPECT_FALSE(clock.has_flagged(ClockTime::max()));
  EXPECT_EQ(clock.face(B, ClockTime::max()), ClockFace{});
  EXPECT_EQ(clock.move(B, ClockTime::max()), ClockAnswer::Done);
}

TEST(Clock, LagIsGivenBackUpToWhatWasUsed) {
  struct Row {
    nanoseconds takes, lag, left;
  };
  constexpr Row kRows[] = {
      {10s, 0s, 50s},  {10s, 4s, 54s}, {10s, 10s, 60s}, {10s, 11s, 60s},
      {10s, -5s, 50s}, {64s, 4s, 0s},  {0s, 9s, 60s},   {10s, nanoseconds::max(), 60s},
  };
  for (const Row& row : kRows) {
    Clock clock = clock_of("absolute:60");
    ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
    EXPECT_EQ(clock.face(B, kStart + row.takes, row.lag), main_face(row.left));
    ASSERT_EQ(clock.move(B, kStart + row.takes, row.lag), ClockAnswer::Done);
    EXPECT_EQ(clock.faces()[0], main_face(row.left));
  }
}

TEST(Clock, LagMovesTheFlag) {
  Clock clock = clock_of("absolute:60");
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  EXPECT_EQ(clock.flag_at(4s), kStart + 64s);
  EXPECT_FALSE(clock.has_flagged(kStart + 64s, 4s));
  EXPECT_TRUE(clock.has_flagged(kStart + 64s + 1ns, 4s));
  EXPECT_EQ(clock.move(B, kStart + 64s + 1ns, 4s), ClockAnswer::Flagged);
}

TEST(Clock, APauseKeepsTheExactTimeAndTheStoneCount) {
  Clock clock = clock_of("canadian:0+10/60");
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  ClockTime now = kStart;
  ASSERT_EQ(black_moves(clock, now, 5s), ClockAnswer::Done);  // 55 s for 9 stones
  now += 13s + 800ms;
  ASSERT_EQ(clock.pause(now), ClockAnswer::Done);  // 55 - 13.8 = 41.2
  const ClockFace paused{0s, 41s + 200ms, 0, 9};
  EXPECT_EQ(clock.faces()[0], paused);
  EXPECT_EQ(clock.flag_at(), std::nullopt);
  now += 24h;
  EXPECT_EQ(clock.face(B, now), paused);
  EXPECT_FALSE(clock.has_flagged(now));
  EXPECT_EQ(clock.move(B, now), ClockAnswer::NotRunning);
  ASSERT_EQ(clock.resume(now), ClockAnswer::Done);
  EXPECT_EQ(clock.turn(), B);
  EXPECT_EQ(clock.flag_at(), now + 41s + 200ms);
  ASSERT_EQ(clock.move(B, now + 1s), ClockAnswer::Done);
  EXPECT_EQ(clock.faces()[0], (ClockFace{0s, 40s + 200ms, 0, 8}));
}

TEST(Clock, APauseDoesNotResetAByoYomiPeriod) {
  Clock clock = clock_of("byoyomi:0+2x30");
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  ASSERT_EQ(clock.pause(kStart + 25s), ClockAnswer::Done);
  ASSERT_EQ(clock.resume(kStart + 1h), ClockAnswer::Done);
  // 5 s of this period and 30 s of the next.
  EXPECT_EQ(clock.flag_at(), kStart + 1h + 35s);
  ASSERT_EQ(clock.move(B, kStart + 1h + 6s), ClockAnswer::Done);
  EXPECT_EQ(clock.faces()[0], (ClockFace{0s, 30s, 1, 0}));
}

TEST(Clock, AGameGoesOnFromItsFacesAfterARestart) {
  Clock before = clock_of("absolute:60");
  ASSERT_EQ(before.start(B, kStart), ClockAnswer::Done);
  ASSERT_EQ(before.pause(kStart + 18s + 800ms), ClockAnswer::Done);
  // Another process, another clock whose times have nothing to do with the first one's.
  Clock after = clock_of("absolute:60");
  ASSERT_EQ(after.restore(before.faces(), before.turn(), ClockTime{5s}), ClockAnswer::Done);
  EXPECT_FALSE(after.is_running());
  ASSERT_EQ(after.resume(ClockTime{7s}), ClockAnswer::Done);
  EXPECT_EQ(after.flag_at(), ClockTime{7s} + 41s + 200ms);
  EXPECT_EQ(after.move(W, ClockTime{8s}), ClockAnswer::NotYourTurn);
  EXPECT_EQ(after.move(B, ClockTime{8s}), ClockAnswer::Done);
}

TEST(Clock, AnUndoPutsBothFacesBackAndRunsOn) {
  Clock clock = clock_of("byoyomi:10+2x5");
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  ASSERT_EQ(clock.move(B, kStart + 3s), ClockAnswer::Done);
  const ClockFaces then = clock.faces();
  ASSERT_EQ(clock.move(W, kStart + 20s), ClockAnswer::Done);
  ASSERT_EQ(clock.move(B, kStart + 25s), ClockAnswer::Done);
  EXPECT_NE(clock.faces(), then);
  ASSERT_EQ(clock.restore(then, W, kStart + 30s), ClockAnswer::Done);
  EXPECT_EQ(clock.faces(), then);
  EXPECT_EQ(clock.turn(), W);
  EXPECT_EQ(clock.flag_at(), kStart + 50s);  // 10 + 2 * 5 from the undo on
}

TEST(Clock, TheTurnCanPassOnWithoutAMove) {
  // No increment, no fresh period, no stone counted; the time is gone.
  const std::pair<std::string_view, ClockFace> rows[] = {
      {"absolute:60", {50s, 0s, 0, 0}},     {"fischer:60+10", {50s, 0s, 0, 0}},
      {"byoyomi:0+2x30", {0s, 20s, 2, 0}},  {"byoyomi:0+3x6", {0s, 2s, 2, 0}},
      {"canadian:0+3/60", {0s, 50s, 0, 3}}, {"permove:30", {0s, 20s, 0, 0}},
  };
  for (const auto& [text, after] : rows) {
    Clock clock = clock_of(text);
    ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
    ASSERT_EQ(clock.switch_turn(kStart + 10s), ClockAnswer::Done);
    EXPECT_EQ(clock.faces()[0], after) << text;
    EXPECT_EQ(clock.turn(), W);
    EXPECT_EQ(clock.face(W, kStart + 10s), clock.faces()[1]);
  }
}

TEST(Clock, WhatIsRefusedChangesNothing) {
  Clock clock = clock_of("absolute:60");
  EXPECT_EQ(clock.move(B, kStart), ClockAnswer::NotRunning);
  EXPECT_EQ(clock.move(W, kStart), ClockAnswer::NotRunning);
  EXPECT_EQ(clock.pause(kStart), ClockAnswer::NotRunning);
  EXPECT_EQ(clock.switch_turn(kStart), ClockAnswer::NotRunning);
  ASSERT_EQ(clock.start(W, kStart), ClockAnswer::Done);
  EXPECT_EQ(clock.start(B, kStart + 1s), ClockAnswer::AlreadyRunning);
  EXPECT_EQ(clock.resume(kStart + 1s), ClockAnswer::AlreadyRunning);
  EXPECT_EQ(clock.move(B, kStart + 1s), ClockAnswer::NotYourTurn);
  EXPECT_EQ(clock.move(W, kStart + 61s), ClockAnswer::Flagged);
  EXPECT_EQ(clock.pause(kStart + 61s), ClockAnswer::Flagged);
  EXPECT_EQ(clock.switch_turn(kStart + 61s), ClockAnswer::Flagged);
  EXPECT_EQ(clock.restore({main_face(-1ns), main_face(1s)}, B, kStart), ClockAnswer::BadFaces);
  EXPECT_EQ(clock.turn(), W);
  EXPECT_EQ(clock.faces(), (ClockFaces{main_face(60s), main_face(60s)}));
  EXPECT_EQ(clock.flag_at(), kStart + 60s);
}

TEST(Clock, OnlyFacesOfThatControlFitIt) {
  const auto control = [](std::string_view text) {
    return std::get<TimeControl>(parse_time_control(text));
  };
  struct Row {
    std::string_view control;
    ClockFace face;
    bool fits;
  };
  const Row rows[] = {
      {"none", {}, true},
      {"none", {1ns, 0ns, 0, 0}, false},
      {"absolute:60", {0ns, 0ns, 0, 0}, true},
      {"absolute:60", {900s, 0ns, 0, 0}, true},  // time given
      {"absolute:60", {kMaxTimeLeft + 1ns, 0ns, 0, 0}, false},
      {"absolute:60", {-1ns, 0ns, 0, 0}, false},
      {"absolute:60", {1s, 1ns, 0, 0}, false},
      {"absolute:60", {1s, 0ns, 1, 0}, false},
      {"absolute:60", {1s, 0ns, 0, 1}, false},
      {"byoyomi:60+5x30", {1s, 30s, 5, 0}, true},
      {"byoyomi:60+5x30", {0s, 0s, 1, 0}, true},
      {"byoyomi:60+5x30", {0s, 30s, 0, 0}, false},
      {"byoyomi:60+5x30", {0s, 30s, 6, 0}, false},
      {"byoyomi:60+5x30", {0s, 30s + 1ns, 5, 0}, false},
      {"byoyomi:60+5x30", {0s, -1ns, 5, 0}, false},
      {"canadian:60+10/30", {0s, 30s, 0, 10}, true},
      {"canadian:60+10/30", {0s, 30s, 0, 0}, false},
      {"canadian:60+10/30", {0s, 30s, 0, 11}, false},
      {"canadian:60+10/30", {0s, 30s, 1, 10}, false},
      {"permove:30", {0s, 30s, 0, 0}, true},
      {"permove:30", {1s, 30s, 0, 0}, false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(fits(control(row.control), row.face), row.fits) << row.control;
  }
}

TEST(Clock, NoTimeOverflows) {
  Clock clock = clock_of("byoyomi:1814400+1000x1814400");
  ASSERT_EQ(clock.start(B, ClockTime::min()), ClockAnswer::Done);
  EXPECT_EQ(clock.face(B, ClockTime::max()), ClockFace{});
  EXPECT_TRUE(clock.has_flagged(ClockTime::max()));
  EXPECT_EQ(clock.flag_at(), ClockTime::min() + 1001 * nanoseconds{1814400s});
  EXPECT_EQ(clock.flag_at(nanoseconds::max()),
            ClockTime::min() + 1001 * nanoseconds{1814400s} + nanoseconds::max());
  EXPECT_TRUE(clock.has_flagged(ClockTime::max(), nanoseconds::max()));

  clock = clock_of("byoyomi:1814400+1000x1814400");
  ASSERT_EQ(clock.start(B, ClockTime::max() - 1s), ClockAnswer::Done);
  EXPECT_EQ(clock.flag_at(), ClockTime::max());
  EXPECT_EQ(clock.flag_at(nanoseconds::max()), ClockTime::max());
  EXPECT_FALSE(clock.has_flagged(ClockTime::max()));
}

TEST(Clock, ATimeBeforeTheTurnBeganIsItsBeginning) {
  Clock clock = clock_of("absolute:60");
  ASSERT_EQ(clock.start(B, kStart), ClockAnswer::Done);
  EXPECT_EQ(clock.face(B, kStart - 5s), main_face(60s));
  EXPECT_EQ(clock.move(B, kStart - 5s), ClockAnswer::Done);
  EXPECT_EQ(clock.faces()[0], main_face(60s));
}

}  // namespace
}  // namespace tengen::rules
