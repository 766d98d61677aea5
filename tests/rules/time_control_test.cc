#include "rules/time_control.h"

#include <gtest/gtest.h>

#include <random>

namespace tengen::rules {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

TimeControl parsed(std::string_view text) {
  const auto control = parse_time_control(text);
  if (const auto* wrong = std::get_if<std::string>(&control)) ADD_FAILURE() << *wrong;
  const auto* read = std::get_if<TimeControl>(&control);
  return read == nullptr ? TimeControl{} : *read;
}

/// What a control is built from, with everything else zero.
TimeControl control_of(ClockSystem system, milliseconds main, milliseconds period = 0ms) {
  TimeControl control;
  control.system = system;
  control.main = main;
  control.period = period;
  return control;
}

TEST(TimeControl, EverySystemIsReadFromItsText) {
  EXPECT_EQ(parsed("none"), TimeControl{});
  EXPECT_EQ(parsed("absolute:600"), control_of(ClockSystem::Absolute, 600s));
  EXPECT_EQ(parsed("permove:0.25"), control_of(ClockSystem::PerMove, 0ms, 250ms));

  TimeControl fischer = control_of(ClockSystem::Fischer, 60s);
  fischer.increment = 10s;
  EXPECT_EQ(parsed("fischer:60+10"), fischer);
  fischer.cap = 65s;
  EXPECT_EQ(parsed("fischer:60+10/65"), fischer);

  TimeControl byo_yomi = control_of(ClockSystem::ByoYomi, 600s, 30s);
  byo_yomi.periods = 5;
  EXPECT_EQ(parsed("byoyomi:600+5x30"), byo_yomi);

  TimeControl canadian = control_of(ClockSystem::Canadian, 0s, 300001ms);
  canadian.stones = 25;
  EXPECT_EQ(parsed("canadian:0+25/300.001"), canadian);
}

TEST(TimeControl, TheTextWrittenIsTheShortest) {
  struct Row {
    std::string_view read, written;
  };
  constexpr Row kRows[] = {
      {"none", "none"},
      {"absolute:0600.500", "absolute:600.5"},
      {"fischer:60.0+10.010/65", "fischer:60+10.01/65"},
      {"fischer:0.001+0.1", "fischer:0.001+0.1"},
      {"byoyomi:0+05x30", "byoyomi:0+5x30"},
      {"canadian:600+25/300", "canadian:600+25/300"},
      {"permove:30.00", "permove:30"},
  };
  for (const Row& row : kRows) EXPECT_EQ(time_control_text(parsed(row.read)), row.written);
}

TEST(TimeControl, TextsOfNoOrOtherFormsAreRefused) {
  constexpr std::string_view kTexts[] = {
      "",
      "None",
      "none:",
      "none:5",
      "absolute",
      "absolute:",
      "absolute:600+10",
      "absolute:-1",
      "absolute:+1",
      "absolute:1e3",
      "absolute:1.",
      "absolute:.5",
      "absolute:1.2345",
      "absolute: 600",
      "absolute:600 ",
      "absolute:0",
      "absolute:0.000",
      "hourglass:60",
      "fischer:60",
      "fischer:60+",
      "fischer:+10",
      "fischer:60+10/",
      "fischer:60+10/0",
      "fischer:60+10/65/70",
      "fischer:0+10",
      "fischer:60+0",
      "fischer:60+10/59.999",
      "fischer:5+10/9",
      "byoyomi:600",
      "byoyomi:600+30",
      "byoyomi:600+5x",
      "byoyomi:600+x30",
      "byoyomi:600+0x30",
      "byoyomi:600+5x0",
      "byoyomi:600+1.5x30",
      "byoyomi:600+1001x30",
      "byoyomi:600+5/30",
      "canadian:600+25x300",
      "canadian:600+0/300",
      "canadian:600+1001/300",
      "canadian:600+25/",
      "permove:0",
      "permove:1814400.001",
      "permove:99999999999999999999999999",
      "byoyomi:600+99999999999999999999999x30",
  };
  for (const std::string_view text : kTexts) {
    const auto control = parse_time_control(text);
    EXPECT_TRUE(std::holds_alternative<std::string>(control)) << text;
  }
}

TEST(TimeControl, ARefusalSaysWhatIsWrong) {
  const auto message = [](std::string_view text) {
    return std::get<std::string>(parse_time_control(text));
  };
  EXPECT_EQ(message("fischer:60+10/50"),
            "'fischer:60+10/50': the clock's cap is below its main time");
  EXPECT_EQ(message("permove:1814401"), "'permove:1814401': the clock's period is too large");
  EXPECT_EQ(message("sudden:60").substr(0, 48), "'sudden:60' is not a time control: expected none");
}

TEST(TimeControl, TheLimitsThemselvesAreAllowed) {
  // Three weeks are 21 * 86400 = 1814400 seconds.
  for (const std::string_view text :
       {"absolute:1814400", "fischer:1814400+1814400/1814400", "byoyomi:1814400+1000x1814400",
        "canadian:1814400+1000/1814400", "permove:1814400", "permove:0.001"}) {
    EXPECT_EQ(time_control_text(parsed(text)), text);
  }
}

TEST(TimeControl, FieldsOfOtherSystemsAreAProblem) {
  struct Row {
    std::string_view control;
    int own_fields;
  };
  constexpr Row kRows[] = {{"none", 0},
                           {"absolute:600", 1},
                           {"fischer:60+10", 3},
                           {"byoyomi:600+5x30", 3},
                           {"canadian:600+25/300", 3},
                           {"permove:30", 1}};
  for (const Row& row : kRows) {
    int allowed = 0;
    const auto with = [&](auto field, auto value) {
      TimeControl changed = parsed(row.control);
      changed.*field = value;
      if (!problem(changed)) ++allowed;
    };
    with(&TimeControl::main, 1s);
    with(&TimeControl::increment, 1s);
    with(&TimeControl::cap, 100s);
    with(&TimeControl::period, 1s);
    with(&TimeControl::periods, 2);
    with(&TimeControl::stones, 2);
    EXPECT_EQ(allowed, row.own_fields) << row.control;
  }
}

TEST(TimeControl, ValuesOutOfRangeAreAProblem) {
  TimeControl control = parsed("byoyomi:600+5x30");
  control.main = -1ms;
  EXPECT_TRUE(problem(control));
  control.main = milliseconds::max();
  EXPECT_TRUE(problem(control));
  control.main = milliseconds::min();
  EXPECT_TRUE(problem(control));
  control = parsed("byoyomi:600+5x30");
  control.periods = -1;
  EXPECT_TRUE(problem(control));
  control = parsed("fischer:60+10/65");
  control.cap = -1ms;
  EXPECT_TRUE(problem(control));
  control = TimeControl{};
  control.system = static_cast<ClockSystem>(0);
  EXPECT_TRUE(problem(control));
}

TEST(TimeControl, EveryControlIsReadBackFromItsText) {
  std::mt19937_64 random(17);
  // Many sizes, not only long times: a random number of bits.
  const auto some = [&](std::int64_t most) {
    return 1 + static_cast<std::int64_t>((random() >> (random() % 60)) %
                                         static_cast<std::uint64_t>(most));
  };
  const auto time = [&] { return milliseconds(some(kMaxControlTime.count())); };
  for (int round = 0; round < 20000; ++round) {
    TimeControl control;
    control.system = static_cast<ClockSystem>(1 + random() % 6);
    const ClockSystem system = control.system;
    if (system != ClockSystem::None && system != ClockSystem::PerMove) control.main = time();
    if (system == ClockSystem::Fischer) {
      control.increment = time();
      if (random() % 2 == 0) control.cap = std::max(control.main, control.increment);
    }
    if (system >= ClockSystem::ByoYomi) control.period = time();
    if (system == ClockSystem::ByoYomi) control.periods = static_cast<int>(some(kMaxPeriods));
    if (system == ClockSystem::Canadian) control.stones = static_cast<int>(some(kMaxStones));
    ASSERT_EQ(problem(control), std::nullopt);
    const std::string text = time_control_text(control);
    ASSERT_EQ(parsed(text), control) << text;
  }
}

}  // namespace
}  // namespace tengen::rules
