#include "pool/pace.h"

#include <gtest/gtest.h>

#include "pool/shipped.h"

namespace tengen::pool {
namespace {

using namespace std::chrono_literals;
using rules::ClockFace;
using rules::Color;
using rules::Size;
using rules::TimeControl;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr Size kLarge{19, 19};
constexpr Size kSmall{9, 9};

TimeControl pace_control(std::string_view text) {
  return std::get<TimeControl>(rules::parse_time_control(text));
}

struct BudgetRow {
  std::string_view control;
  Size size;
  std::size_t moves_played;
  milliseconds budget;
};

TEST(Pace, MainTimeIsSpreadOverTheMovesStillExpected) {
  const BudgetRow rows[] = {
      // 361 * 3/4 = 270 moves, 135 of them its own: 600 s / 135 = 4.444 s, of that two thirds.
      {"absolute:600", kLarge, 0, 2962ms},
      // 70 moves are left, 35 its own: 17.142 s.
      {"absolute:600", kLarge, 200, 11'428ms},
      // A long game: 361 / 12 = 30 moves of its own are still expected: 20 s.
      {"absolute:600", kLarge, 400, 13'333ms},
      {"absolute:600", kLarge, 100'000, 13'333ms},
      // 81 * 3/4 = 60 moves, 30 of them its own: 2 s.
      {"absolute:60", kSmall, 0, 1333ms},
      // The smallest board there is: one move takes it all.
      {"absolute:3", {1, 1}, 0, 2000ms},
  };
  for (const BudgetRow& row : rows) {
    const TimeControl control = pace_control(row.control);
    EXPECT_EQ(move_budget(control, rules::first_face(control), row.size, row.moves_played),
              row.budget)
        << row.control << " after " << row.moves_played;
  }
}

TEST(Pace, WhatTheClockGivesForEachMoveIsAdded) {
  const BudgetRow rows[] = {
      {"permove:3", kLarge, 0, 2000ms},
      // Spare periods stay a reserve.
      {"byoyomi:0+5x30", kLarge, 0, 20'000ms},
      // 270 s / 135 + 9 s = 11 s.
      {"byoyomi:270+1x9", kLarge, 0, 7333ms},
      // 135 s / 135 + 60 s / 10 = 7 s.
      {"canadian:135+10/60", kLarge, 0, 4666ms},
      // 135 s / 135 + 5 s = 6 s.
      {"fischer:135+5", kLarge, 0, 4000ms},
  };
  for (const BudgetRow& row : rows) {
    const TimeControl control = pace_control(row.control);
    EXPECT_EQ(move_budget(control, rules::first_face(control), row.size, row.moves_played),
              row.budget)
        << row.control;
  }
}

TEST(Pace, TheBudgetIsThatOfTheFace) {
  // 20 s for 4 more stones.
  EXPECT_EQ(move_budget(pace_control("canadian:600+10/60"), {0ns, 20s, 0, 4}, kLarge, 100), 3333ms);
  // The increment comes after the move, so 2 s are all there is.
  EXPECT_EQ(move_budget(pace_control("fischer:60+10"), {2s, 0ns, 0, 0}, kLarge, 100), 1333ms);
  // The rest of the present period.
  EXPECT_EQ(move_budget(pace_control("byoyomi:600+5x30"), {0ns, 12s, 2, 0}, kLarge, 100), 8000ms);
  EXPECT_EQ(move_budget(pace_control("absolute:600"), ClockFace{}, kLarge, 100), 0ms);
}

TEST(Pace, NoLimitIsNoBudget) {
  EXPECT_EQ(move_budget(TimeControl{}, ClockFace{}, kLarge, 0), std::nullopt);
}

// The third that the budget leaves is for moves that take half as long again; if all of them do,
// the time still lasts.
TEST(Pace, AnEngineThatTakesHalfAsLongAgainEachTimeNeverLosesOnTime) {
  for (const char* text : {"absolute:600", "fischer:60+1", "fischer:5+10/15", "byoyomi:60+3x5",
                           "byoyomi:0+1x1", "canadian:60+25/30", "permove:1"}) {
    const TimeControl control = pace_control(text);
    rules::Clock clock(control);
    rules::ClockTime now{};
    ASSERT_EQ(clock.start(Color::Black, now), rules::ClockAnswer::Done);
    for (std::size_t played = 0; played < 1000; ++played) {
      const Color color = clock.turn();
      const auto budget = move_budget(control, clock.face(color, now), kLarge, played);
      now += nanoseconds(*budget) * 3 / 2;
      ASSERT_EQ(clock.move(color, now), rules::ClockAnswer::Done) << text << " at " << played;
    }
  }
}

Profile gnugo() {
  Profile profile;
  profile.name = "gnugo";
  profile.pace_setting = "level";
  profile.pace = {{1, 200ms}, {5, 600ms}, {10, 1400ms}};
  return profile;
}

struct ValueRow {
  int chosen;
  std::optional<milliseconds> budget;
  int value;
};

TEST(Pace, TheSettingIsLoweredUntilMovesFitTheBudget) {
  constexpr ValueRow kRows[] = {
      {10, std::nullopt, 10},
      {10, 1400ms, 10},
      {10, 1399ms, 5},
      {10, 600ms, 5},
      {10, 599ms, 1},
      {10, 200ms, 1},
      // None fits: the least.
      {10, 199ms, 1},
      {10, 0ms, 1},
      // Never more than was chosen.
      {5, 5000ms, 5},
      {1, 5000ms, 1},
      {0, 5000ms, 0},
      {0, 10ms, 0},
      // 7 takes as long as 10 for all that is known, and no longer.
      {7, 1400ms, 7},
      {7, 1399ms, 5},
      // Of 12 nothing is known.
      {12, 60'000ms, 10},
  };
  for (const ValueRow& row : kRows) {
    EXPECT_EQ(paced_value(gnugo(), row.chosen, kLarge, row.budget), row.value)
        << row.chosen << " in " << row.budget.value_or(-1ms).count();
  }
}

TEST(Pace, SmallerBoardsNeedLessInProportionToTheirPoints) {
  // 1400 ms * 81 / 361 = 314.1 ms.
  EXPECT_EQ(paced_value(gnugo(), 10, kSmall, 315ms), 10);
  EXPECT_EQ(paced_value(gnugo(), 10, kSmall, 313ms), 5);
}

TEST(Pace, WithoutAPaceTheChosenValueStays) {
  Profile profile = gnugo();
  profile.pace.clear();
  EXPECT_EQ(paced_value(profile, 10, kLarge, 1ms), 10);
  profile = gnugo();
  profile.pace_setting.clear();
  EXPECT_EQ(paced_value(profile, 10, kLarge, 1ms), 10);
}

TEST(Pace, AClockThatTheFastestLevelCannotKeepIsAProblem) {
  EXPECT_EQ(pace_problem(gnugo(), pace_control("byoyomi:0+1x0.2"), kLarge),
            "gnugo takes up to 200 ms for a move on 19x19 even with level 1, and byoyomi:0+1x0.2 "
            "leaves it no more than 133 ms");
}

TEST(Pace, AClockThatAnEngineOfOnePaceCannotKeepIsAProblem) {
  Profile profile;
  profile.name = "steady";
  profile.pace = {{0, 200ms}};
  EXPECT_EQ(pace_problem(profile, pace_control("permove:0.2"), kLarge),
            "steady takes up to 200 ms for a move on 19x19, and permove:0.2 leaves it no more than "
            "133 ms");
  EXPECT_EQ(pace_problem(profile, pace_control("permove:0.2"), kSmall), std::nullopt);
  EXPECT_EQ(pace_problem(profile, pace_control("permove:0.3"), kLarge), std::nullopt);
  // 1000 ms are stated; two thirds of 1.4 s are 933 ms, of 1.5 s they are enough.
  const Profile pachi = *shipped_profile("pachi");
  EXPECT_TRUE(pace_problem(pachi, pace_control("permove:1.4"), kLarge));
  EXPECT_EQ(pace_problem(pachi, pace_control("permove:1.5"), kLarge), std::nullopt);
}

TEST(Pace, AClockThatCanBeKeptIsNone) {
  // 200 ms * 81 / 361 = 44.8 ms are needed on 9x9, and 100 allowed.
  EXPECT_EQ(pace_problem(gnugo(), pace_control("byoyomi:0+1x0.15"), kSmall), std::nullopt);
  EXPECT_EQ(pace_problem(gnugo(), pace_control("permove:0.3"), kLarge), std::nullopt);
  EXPECT_EQ(pace_problem(gnugo(), pace_control("absolute:60"), kLarge), std::nullopt);
  EXPECT_EQ(pace_problem(gnugo(), TimeControl{}, kLarge), std::nullopt);
}

TEST(Pace, EnginesThatHonourClocksOrOfWhichNothingIsKnownHaveNoProblem) {
  Profile profile = gnugo();
  profile.honours_clock = true;
  EXPECT_EQ(pace_problem(profile, pace_control("permove:0.2"), kLarge), std::nullopt);
  profile = gnugo();
  profile.pace.clear();
  EXPECT_EQ(pace_problem(profile, pace_control("permove:0.2"), kLarge), std::nullopt);
}

// Two thirds of 0.15 s are 100 ms, which is the least. On 19x19 a side makes 135 moves, so 20 s are
// 98 ms and 20.25 s are 100 ms.
TEST(Pace, AClockThatLeavesNextToNothingForAMoveIsAProblemOfEveryEngine) {
  Profile honest = gnugo();
  honest.honours_clock = true;
  Profile unknown;
  unknown.name = "gnugo";
  for (const Profile& profile : {gnugo(), honest, unknown}) {
    EXPECT_EQ(
        pace_problem(profile, pace_control("permove:0.001"), kSmall),
        "permove:0.001 leaves gnugo no more than 0 ms for a move on 9x9; engines must have at "
        "least 100 ms");
    EXPECT_EQ(
        pace_problem(profile, pace_control("absolute:20"), kLarge),
        "absolute:20 leaves gnugo no more than 98 ms for a move on 19x19; engines must have at "
        "least 100 ms");
    EXPECT_TRUE(pace_problem(profile, pace_control("permove:0.149"), kSmall));
    EXPECT_EQ(pace_problem(profile, pace_control("permove:0.15"), kSmall), std::nullopt);
  }
  EXPECT_EQ(pace_problem(honest, pace_control("absolute:20.25"), kLarge), std::nullopt);
  EXPECT_EQ(pace_problem(honest, TimeControl{}, kLarge), std::nullopt);
}

}  // namespace
}  // namespace tengen::pool
