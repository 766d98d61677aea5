#include "rules/engine_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tengen::rules {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TimeControl control_of(std::string_view text) {
  return std::get<TimeControl>(parse_time_control(text));
}

struct SettingsRow {
  std::string_view control;
  GtpTimeSettings gtp;
  std::string_view kgs, kata;
};

/// Rounded down to whole seconds for GTP and KGS; KataGo takes fractions.
constexpr SettingsRow kSettings[] = {
    // The form without a limit: overtime above zero, no stones.
    {"none", {0, 1, 0}, "none", "none"},
    {"absolute:600", {600, 0, 0}, "absolute 600", "absolute 600"},
    {"absolute:600.9", {600, 0, 0}, "absolute 600", "absolute 600.9"},
    // `0 0 0` would be no time at all.
    {"absolute:0.4", {1, 0, 0}, "absolute 1", "absolute 0.4"},
    // 600 + (5 - 1) * 30 = 720.
    {"byoyomi:600+5x30", {720, 30, 1}, "byoyomi 600 30 5", "byoyomi 600 30 5"},
    {"byoyomi:0+1x30", {0, 30, 1}, "byoyomi 0 30 1", "byoyomi 0 30 1"},
    // 10.5 + 3 * 5.5 = 27 in all; 27 - 5 = 22 and one period of 5.
    {"byoyomi:10.5+3x5.5", {22, 5, 1}, "byoyomi 10 5 3", "byoyomi 10.5 5.5 3"},
    // A period of 0 seconds would be absolute time. 60 + 2 * 0.25 = 60.5; 60.5 - 1 = 59.5.
    {"byoyomi:60+2x0.25", {59, 1, 1}, "byoyomi 60 1 2", "byoyomi 60 0.25 2"},
    {"canadian:600+25/300", {600, 300, 25}, "canadian 600 300 25", "canadian 600 300 25"},
    {"canadian:0+10/60.5", {0, 60, 10}, "canadian 0 60 10", "canadian 0 60.5 10"},
    // 60 - 10 = 50, and 10 for the last stone: as much as there is before the first increment.
    {"fischer:60+10/65", {50, 10, 1}, "canadian 50 10 1", "fischer-capped 60 10 65 -1"},
    {"fischer:60+10", {50, 10, 1}, "canadian 50 10 1", "fischer 60 10"},
    // The increment is above what there is at first.
    {"fischer:5+10", {0, 5, 1}, "canadian 0 5 1", "fischer 5 10"},
    // Told 1 + 1 of 2.5; told 0.5 as an overtime of 0 it would be absolute.
    {"fischer:2.5+0.5", {1, 1, 1}, "canadian 1 1 1", "fischer 2.5 0.5"},
    {"permove:30", {0, 30, 1}, "byoyomi 0 30 1", "byoyomi 0 30 1"},
    {"permove:0.2", {0, 1, 1}, "byoyomi 0 1 1", "byoyomi 0 0.2 1"},
    // 1001 * 1814400 - 1814400 is above the most that is told.
    {"byoyomi:1814400+1000x1814400",
     {2'000'000, 1'814'400, 1},
     "byoyomi 1814400 1814400 1000",
     "byoyomi 1814400 1814400 1000"},
};

TEST(EngineClock, SettingsAreToldInEachDialect) {
  for (const SettingsRow& row : kSettings) {
    SCOPED_TRACE(row.control);
    const TimeControl control = control_of(row.control);
    EXPECT_EQ(gtp_time_settings(control), row.gtp);
    EXPECT_EQ(kgs_time_settings(control), row.kgs);
    EXPECT_EQ(kata_time_settings(control), row.kata);
  }
}

TEST(EngineClock, EnginesThatMisunderstandNoLimitGetALargeAbsoluteTime) {
  EXPECT_EQ(gtp_time_settings({}, NoLimitForm::LargeAbsolute), (GtpTimeSettings{2'000'000, 0, 0}));
  // Other controls are told alike.
  EXPECT_EQ(gtp_time_settings(control_of("absolute:600"), NoLimitForm::LargeAbsolute),
            (GtpTimeSettings{600, 0, 0}));
}

struct LeftRow {
  std::string_view control;
  ClockFace face;
  GtpTimeLeft gtp, kgs;
  std::string_view kata;
};

const LeftRow kLeft[] = {
    {"absolute:600", {41s + 999ms, 0s, 0, 0}, {41, 0}, {41, 0}, "41.999 0"},
    {"absolute:600", {400ms, 0s, 0, 0}, {0, 0}, {0, 0}, "0.4 0"},
    {"absolute:600", {0s, 0s, 0, 0}, {0, 0}, {0, 0}, "0 0"},
    // 100 + 5 * 30 = 250 in all, of which the last 30 are the overtime.
    {"byoyomi:600+5x30", {100s, 30s, 5, 0}, {220, 0}, {100, 0}, "100 0"},
    // Less than a second of main time is not worth being told.
    {"byoyomi:600+5x30", {400ms, 30s, 5, 0}, {120, 0}, {30, 5}, "0.4 0"},
    // 12.5 + 2 * 30 - 30.
    {"byoyomi:600+5x30", {0s, 12s + 500ms, 3, 0}, {42, 0}, {12, 3}, "12.5 3"},
    // 0.4 + 30 - 30 = 0.4: told as the overtime, 30 of 30.4.
    {"byoyomi:600+5x30", {0s, 400ms, 2, 0}, {30, 1}, {0, 2}, "0.4 2"},
    {"byoyomi:600+5x30", {0s, 12s + 500ms, 1, 0}, {12, 1}, {12, 1}, "12.5 1"},
    {"byoyomi:600+5x30", {0s, 400ms, 1, 0}, {0, 1}, {0, 1}, "0.4 1"},
    {"byoyomi:600+5x30", {0s, 0s, 0, 0}, {0, 1}, {0, 0}, "0 0"},
    {"canadian:600+25/300", {1s, 300s, 0, 25}, {1, 0}, {1, 0}, "1 0"},
    {"canadian:600+25/300", {400ms, 300s, 0, 25}, {300, 25}, {300, 25}, "0.4 0"},
    {"canadian:600+25/300", {0s, 400ms, 0, 3}, {0, 3}, {0, 3}, "0.4 3"},
    // 61.5 - 10 = 51.5; then less than an increment and a second is the overtime.
    {"fischer:60+10/65", {61s + 500ms, 0s, 0, 0}, {51, 0}, {51, 0}, "61.5 0"},
    {"fischer:60+10/65", {10s + 900ms, 0s, 0, 0}, {10, 1}, {10, 1}, "10.9 0"},
    {"fischer:60+10/65", {7s, 0s, 0, 0}, {7, 1}, {7, 1}, "7 0"},
    {"fischer:60+10/65", {400ms, 0s, 0, 0}, {0, 1}, {0, 1}, "0.4 0"},
    {"permove:30", {0s, 30s, 0, 0}, {30, 1}, {30, 1}, "30 1"},
    {"permove:30.9", {0s, 30s + 900ms, 0, 0}, {30, 1}, {30, 1}, "30.9 1"},
    {"permove:30", {0s, 400ms, 0, 0}, {0, 1}, {0, 1}, "0.4 1"},
    // KataGo is told no more than there is either: 0.4999 s is 0.499.
    {"permove:30", {0s, 499'900us, 0, 0}, {0, 1}, {0, 1}, "0.499 1"},
};

TEST(EngineClock, TimeLeftIsToldInEachDialect) {
  for (const LeftRow& row : kLeft) {
    SCOPED_TRACE(row.control);
    const TimeControl control = control_of(row.control);
    EXPECT_EQ(gtp_time_left(control, row.face), row.gtp);
    EXPECT_EQ(kgs_time_left(control, row.face), row.kgs);
    EXPECT_EQ(kata_time_left(control, row.face), row.kata);
  }
}

TEST(EngineClock, WithoutALimitNothingIsLeftToTell) {
  EXPECT_EQ(gtp_time_left({}, {}), std::nullopt);
  EXPECT_EQ(kgs_time_left({}, {}), std::nullopt);
  EXPECT_EQ(kata_time_left({}, {}), std::nullopt);
}

using Random = std::mt19937_64;

int at_most(Random& random, int most) {
  return static_cast<int>(random() % static_cast<unsigned>(most + 1));
}

/// With a limit; times are multiples of `unit`, which divides a second, and none is below one.
TimeControl random_control(Random& random, std::chrono::milliseconds unit) {
  TimeControl control;
  control.system = static_cast<ClockSystem>(2 + random() % 5);
  const ClockSystem system = control.system;
  const auto time = [&] {
    return std::max<std::chrono::milliseconds>(1s, unit * at_most(random, 40));
  };
  if (system != ClockSystem::PerMove) control.main = time();
  if (system == ClockSystem::Fischer) control.increment = time();
  if (system == ClockSystem::Fischer && random() % 2 == 0) {
    control.cap = std::max(control.main, control.increment) + unit * at_most(random, 9);
  }
  if (system >= ClockSystem::ByoYomi) control.period = time();
  if (system == ClockSystem::ByoYomi) control.periods = 1 + at_most(random, 4);
  if (system == ClockSystem::Canadian) control.stones = 1 + at_most(random, 4);
  return control;
}

/// What GTP's settings mean, as a control of ours.
TimeControl meaning_of(const GtpTimeSettings& told) {
  TimeControl control;
  control.system = told.byo_stones == 0 ? ClockSystem::Absolute : ClockSystem::Canadian;
  control.main = seconds(told.main);
  control.period = seconds(told.byo_time);
  control.stones = told.byo_stones;
  return control;
}

/// An engine that believes the settings it was told at the start and hears nothing more.
TEST(EngineClock, AnEngineThatKeepsToTheSettingsItWasToldNeverLosesOnTime) {
  Random random(11);
  for (int game = 0; game < 3000; ++game) {
    const TimeControl control = random_control(random, 1s);
    const TimeControl told = meaning_of(gtp_time_settings(control));
    SCOPED_TRACE(time_control_text(control) + " told " + time_control_text(told));
    Clock truth(control);
    Clock belief(told);
    ClockTime now{0s};
    ASSERT_EQ(truth.start(Color::Black, now), ClockAnswer::Done);
    ASSERT_EQ(belief.start(Color::Black, now), ClockAnswer::Done);
    for (int move = 0; move < 30; ++move) {
      // Often all the time that it believes it has.
      const nanoseconds most = *time_to_flag(told, belief.faces()[0]);
      now += random() % 3 == 0 ? most : most * at_most(random, 100) / 400;
      ASSERT_EQ(belief.move(Color::Black, now), ClockAnswer::Done);
      ASSERT_EQ(truth.move(Color::Black, now), ClockAnswer::Done) << "move " << move;
      ASSERT_EQ(belief.move(Color::White, now), ClockAnswer::Done);
      ASSERT_EQ(truth.move(Color::White, now), ClockAnswer::Done);
    }
  }
}

/// An engine that is told what is left before each of its moves.
TEST(EngineClock, NoEngineIsToldMoreThanThereIs) {
  Random random(12);
  for (int game = 0; game < 3000; ++game) {
    const TimeControl control = random_control(random, 50ms);
    const GtpTimeSettings settings = gtp_time_settings(control);
    SCOPED_TRACE(time_control_text(control));
    Clock clock(control);
    ClockTime now{0s};
    ASSERT_EQ(clock.start(Color::Black, now), ClockAnswer::Done);
    for (int move = 0; move < 30; ++move) {
      const ClockFace face = clock.face(Color::Black, now);
      const nanoseconds most = *time_to_flag(control, face);
      const GtpTimeLeft left = *gtp_time_left(control, face);
      ASSERT_GE(left.seconds, 0);
      const bool in_main = left.stones == 0 && settings.byo_stones > 0;
      const seconds believed{left.seconds + (in_main ? settings.byo_time : 0)};
      ASSERT_LE(believed, most) << left.seconds << " " << left.stones;
      ASSERT_LE(seconds(kgs_time_left(control, face)->seconds), most);
      now += random() % 3 == 0 ? most : most * at_most(random, 100) / 300;
      ASSERT_EQ(clock.move(Color::Black, now), ClockAnswer::Done);
      ASSERT_EQ(clock.move(Color::White, now), ClockAnswer::Done);
    }
  }
}

}  // namespace
}  // namespace tengen::rules
