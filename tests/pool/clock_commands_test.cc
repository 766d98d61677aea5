#include "pool/clock_commands.h"

#include <gtest/gtest.h>

namespace tengen::pool {
namespace {

using namespace std::chrono_literals;
using rules::ClockFace;
using rules::NoLimitForm;
using Commands = std::vector<std::string>;

Profile profile_of(ClockDialect dialect, NoLimitForm no_limit = NoLimitForm::ZeroStones) {
  Profile profile;
  profile.name = "engine";
  profile.clock = dialect;
  profile.no_limit = no_limit;
  return profile;
}

JobClock clock_of(std::string_view text) {
  const auto control = std::get<rules::TimeControl>(rules::parse_time_control(text));
  return {control, {rules::first_face(control), rules::first_face(control)}};
}

struct SettingsRow {
  std::string_view control;
  std::string gtp, kgs, kata;
};

TEST(ClockCommands, NameTheTimeSystemInEachDialect) {
  // GTP 2 has overtime by stones only; what becomes of the other systems is worked out beside
  // rules/engine_clock.
  const SettingsRow rows[] = {
      {"none", "time_settings 0 1 0", "kgs-time_settings none", "kata-time_settings none"},
      {"absolute:600", "time_settings 600 0 0", "kgs-time_settings absolute 600",
       "kata-time_settings absolute 600"},
      {"canadian:0+10/60", "time_settings 0 60 10", "kgs-time_settings canadian 0 60 10",
       "kata-time_settings canadian 0 60 10"},
      {"fischer:60+10/65", "time_settings 50 10 1", "kgs-time_settings canadian 50 10 1",
       "kata-time_settings fischer-capped 60 10 65 -1"},
      {"byoyomi:600+5x30", "time_settings 720 30 1", "kgs-time_settings byoyomi 600 30 5",
       "kata-time_settings byoyomi 600 30 5"},
      {"permove:0.25", "time_settings 0 1 1", "kgs-time_settings byoyomi 0 1 1",
       "kata-time_settings byoyomi 0 0.25 1"},
  };
  for (const SettingsRow& row : rows) {
    SCOPED_TRACE(row.control);
    const JobClock clock = clock_of(row.control);
    EXPECT_EQ(time_settings_command(profile_of(ClockDialect::Gtp), clock), row.gtp);
    EXPECT_EQ(time_settings_command(profile_of(ClockDialect::Kgs), clock), row.kgs);
    EXPECT_EQ(time_settings_command(profile_of(ClockDialect::Kata), clock), row.kata);
    EXPECT_EQ(time_settings_command(profile_of(ClockDialect::None), clock), "");
  }
}

TEST(ClockCommands, AJobWithoutAClockIsToldThatThereIsNoLimit) {
  EXPECT_EQ(time_settings_command(profile_of(ClockDialect::Gtp), std::nullopt),
            "time_settings 0 1 0");
  EXPECT_EQ(time_settings_command(profile_of(ClockDialect::Kgs), std::nullopt),
            "kgs-time_settings none");
  EXPECT_EQ(time_settings_command(profile_of(ClockDialect::Kata), std::nullopt),
            "kata-time_settings none");
  EXPECT_EQ(time_settings_command(profile_of(ClockDialect::None), std::nullopt), "");
  EXPECT_EQ(time_left_commands(profile_of(ClockDialect::Gtp), std::nullopt), Commands{});
}

TEST(ClockCommands, EnginesThatMisunderstandNoLimitAreToldALargeAbsoluteTime) {
  const auto told = [](ClockDialect dialect, const std::optional<JobClock>& clock) {
    return time_settings_command(profile_of(dialect, NoLimitForm::LargeAbsolute), clock);
  };
  for (const std::optional<JobClock>& clock : {std::optional<JobClock>(), {clock_of("none")}}) {
    EXPECT_EQ(told(ClockDialect::Gtp, clock), "time_settings 2000000 0 0");
    EXPECT_EQ(told(ClockDialect::Kgs, clock), "kgs-time_settings absolute 2000000");
    EXPECT_EQ(told(ClockDialect::Kata, clock), "kata-time_settings absolute 2000000");
  }
  // Other systems are told as ever.
  EXPECT_EQ(told(ClockDialect::Kgs, clock_of("byoyomi:600+5x30")),
            "kgs-time_settings byoyomi 600 30 5");
}

struct LeftRow {
  const char* what;
  std::string_view control;
  ClockFace black, white;
  Commands gtp, kgs, kata;
};

TEST(ClockCommands, TellWhatBothSidesHaveLeft) {
  const LeftRow rows[] = {
      {"the tenth stone with 12 s left, and a fresh period after it",
       "canadian:0+10/60",
       {0ns, 12s, 0, 1},
       {0ns, 60s, 0, 10},
       {"time_left B 12 1", "time_left W 60 10"},
       {"time_left B 12 1", "time_left W 60 10"},
       {"time_left B 12 1", "time_left W 60 10"}},
      // GTP is told the main time without the increment, which is the overtime's stone.
      {"Fischer capped at 65",
       "fischer:60+10/65",
       {65s, 0ns, 0, 0},
       {41'200ms, 0ns, 0, 0},
       {"time_left B 55 0", "time_left W 31 0"},
       {"time_left B 55 0", "time_left W 31 0"},
       {"time_left B 65 0", "time_left W 41.2 0"}},
      {"0.4 s are a whole number that is not negative",
       "absolute:600",
       {400ms, 0ns, 0, 0},
       {0ns, 0ns, 0, 0},
       {"time_left B 0 0", "time_left W 0 0"},
       {"time_left B 0 0", "time_left W 0 0"},
       {"time_left B 0.4 0", "time_left W 0 0"}},
      // Two periods of 30 s of which 12.5 s are gone: 47.5 s to the flag, 30 of them the stone's.
      {"periods of byo-yomi",
       "byoyomi:600+5x30",
       {0ns, 17'500ms, 2, 0},
       {300s, 30s, 5, 0},
       {"time_left B 17 0", "time_left W 420 0"},
       {"time_left B 17 2", "time_left W 300 0"},
       {"time_left B 17.5 2", "time_left W 300 0"}},
  };
  for (const LeftRow& row : rows) {
    SCOPED_TRACE(row.what);
    JobClock clock = clock_of(row.control);
    clock.faces = {row.black, row.white};
    EXPECT_EQ(time_left_commands(profile_of(ClockDialect::Gtp), clock), row.gtp);
    EXPECT_EQ(time_left_commands(profile_of(ClockDialect::Kgs), clock), row.kgs);
    EXPECT_EQ(time_left_commands(profile_of(ClockDialect::Kata), clock), row.kata);
    EXPECT_EQ(time_left_commands(profile_of(ClockDialect::None), clock), Commands{});
  }
}

TEST(ClockCommands, NothingIsLeftToTellWithoutALimit) {
  for (const ClockDialect dialect : {ClockDialect::Gtp, ClockDialect::Kgs, ClockDialect::Kata}) {
    EXPECT_EQ(time_left_commands(profile_of(dialect), clock_of("none")), Commands{});
  }
}

}  // namespace
}  // namespace tengen::pool
