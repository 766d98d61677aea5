// What an engine is told of its clock, and how long its search is watched: one that keeps to what
// it was told is never killed, and one that hangs is killed while another can still move.
#include <gtest/gtest.h>

#include <random>

#include "pool/limits.h"
#include "pool/search_time.h"
#include "pool/shipped.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using namespace std::chrono_literals;
using rules::ClockFace;
using rules::Color;
using rules::TimeControl;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using tests::failure_of;
using tests::fake_profile;
using tests::genmove_job;
using tests::is_move;
using tests::kFirstGenmove;
using tests::list_job;
using tests::PoolRig;
using tests::Script;

TimeControl control_from(std::string_view text) {
  return std::get<TimeControl>(rules::parse_time_control(text));
}

/// Black's face and white's, which is a fresh one.
JobClock clock_at(std::string_view text, std::optional<ClockFace> black = std::nullopt) {
  const TimeControl control = control_from(text);
  const ClockFace fresh = rules::first_face(control);
  return {control, {black.value_or(fresh), fresh}};
}

Job clocked_job(std::uint64_t id, const JobClock& clock) {
  Job job = genmove_job(id, id);
  job.clock = clock;
  return job;
}

// --- As engines meet it. KataGo's dialect tells milliseconds.

struct LimitRow {
  const char* name;
  JobClock clock;
  const char* told;       // to black, whose move it is
  milliseconds may_take;  // by what it was told
  milliseconds killed_at;
};

std::ostream& operator<<(std::ostream& out, const LimitRow& row) { return out << row.name; }

class Watched : public ::testing::TestWithParam<LimitRow> {
 protected:
  static Profile katago() {
    Profile profile = *shipped_profile("katago");
    profile.processes_warm = 1;
    profile.processes_max = 1;
    return profile;
  }
  static Script waiting() {
    Script script;
    script.persona = tests::Persona::KataGo;
    script.searches_wait = true;
    return script;
  }
  static Job job() {
    Job job = clocked_job(1, GetParam().clock);
    job.profile = "katago";
    return job;
  }
};

TEST_P(Watched, AnEngineThatAnswersJustWithinWhatItWasToldIsNeverKilled) {
  PoolRig rig({katago()}, {waiting()});
  rig.start();
  rig.submit(job());
  EXPECT_EQ(rig.process(1)->time_left(Color::Black), GetParam().told);
  rig.advance(GetParam().may_take - 1ms);
  EXPECT_TRUE(rig.killed().empty());
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(1)));
}

TEST_P(Watched, OneThatHangsIsKilledWhileAnotherCanStillMove) {
  PoolRig rig({katago()}, {waiting()});
  rig.start();
  rig.submit(job());
  rig.advance(GetParam().killed_at - 1ms);
  EXPECT_TRUE(rig.killed().empty());
  rig.advance(1ms);
  EXPECT_EQ(rig.killed().size(), 1u);
  EXPECT_FALSE(rig.process(2)->time_left(Color::Black).empty())
      << "it is at it, and knows the time";
  ASSERT_EQ(rig.moved().size(), 1u);
  EXPECT_EQ(rig.moved().front().searched, GetParam().killed_at);
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(1)));
  const auto& clock = GetParam().clock;
  EXPECT_LE(rig.end_of(1).searched, *rules::time_to_flag(clock.control, clock.faces[0]) - 200ms);
}

// A quarter of what is left is the reserve, 10 s at most. The limit of the profile is 60 s.
INSTANTIATE_TEST_SUITE_P(
    Clocks, Watched,
    ::testing::Values(
        LimitRow{"PerMove", clock_at("permove:10"), "7.5 1", 7'500ms, 7'500ms},
        LimitRow{"LongPerMove", clock_at("permove:120"), "110 1", 110s, 110s},
        LimitRow{"LastPeriod", clock_at("byoyomi:600+5x30", ClockFace{0ns, 30s, 1, 0}), "22.5 1",
                 22'500ms, 22'500ms},
        LimitRow{"LongLastPeriod", clock_at("byoyomi:600+5x200", ClockFace{0ns, 200s, 1, 0}),
                 "190 1", 190s, 190s},
        LimitRow{"LastCanadianStone", clock_at("canadian:0+10/60", ClockFace{0ns, 12s, 0, 1}),
                 "9 1", 9s, 9s},
        LimitRow{"LongCanadianPeriod", clock_at("canadian:0+10/300"), "290 10", 290s, 290s},
        LimitRow{"Absolute", clock_at("absolute:60"), "50 0", 50s, 50s},
        LimitRow{"AbsoluteNearItsEnd", clock_at("absolute:60", ClockFace{1s, 0ns, 0, 0}), "0.75 0",
                 750ms, 750ms},
        LimitRow{"Fischer", clock_at("fischer:60+10", ClockFace{20s, 0ns, 0, 0}), "15 0", 15s, 15s},
        LimitRow{"FischerWithALongIncrement",
                 clock_at("fischer:200+120", ClockFace{130s, 0ns, 0, 0}), "120 0", 120s, 120s},
        // The reserve is one of the spare periods: 40 s with it gone, and the present one is whole.
        LimitRow{"ShortPeriods", clock_at("byoyomi:0+5x10"), "10 4", 10s, 40s},
        // A quarter of the four spare periods, which are 480 s, on top of the present one.
        LimitRow{"LongPeriods", clock_at("byoyomi:0+5x120"), "120 4", 120s, 240s},
        // In a period of which 25 s are gone already: 5 s and four periods, 125 s.
        LimitRow{"InsideAPeriod", clock_at("byoyomi:0+5x30", ClockFace{0ns, 5s, 5, 0}), "5 4", 5s,
                 60s},
        // 11 s are left, so 2.75 s are kept back: the main time's second and one period.
        LimitRow{"MainTimeNearItsEnd", clock_at("byoyomi:60+2x5", ClockFace{1s, 5s, 2, 0}), "5 1",
                 5s, 8'250ms},
        // Two short periods, less a quarter: one of them, and no more than it.
        LimitRow{"TwoPeriods", clock_at("byoyomi:0+2x1"), "1 1", 1s, 1'500ms},
        // A quarter would be 150 ms; 200 ms are kept back at the least.
        LimitRow{"NextToNothing", clock_at("absolute:60", ClockFace{600ms, 0ns, 0, 0}), "0.4 0",
                 400ms, 400ms}),
    [](const auto& each) { return std::string(each.param.name); });

// Of much main time one move may take a quarter, of what there is beside the increment or period.
TEST(SearchTime, GivesAMoveAQuarterOfTheMainTimeWhenThatIsMore) {
  const auto honoured = [](std::string_view text) {
    return search_time(clock_at(text), Color::Black, 60s, ClockUse::Honoured);
  };
  EXPECT_EQ(honoured("absolute:3600"), 900s);
  EXPECT_EQ(honoured("absolute:200"), 60s);
  EXPECT_EQ(honoured("fischer:600+60"), 210s);
  // 300 s, and a quarter of 600 s.
  EXPECT_EQ(honoured("canadian:600+25/300"), 450s);
  // 30 s, and a quarter of 600 s and four spare periods of 30 s.
  EXPECT_EQ(honoured("byoyomi:600+5x30"), 210s);
}

TEST(SearchTime, OfEnginesThatIgnoreClocksIsTheProfilesOrWhatIsLeft) {
  const auto ignored = [](std::string_view text) {
    return search_time(clock_at(text), Color::Black, 60s, ClockUse::Ignored);
  };
  EXPECT_EQ(ignored("permove:120"), 60s);
  EXPECT_EQ(ignored("absolute:3600"), 60s);
  EXPECT_EQ(ignored("permove:10"), 7'500ms);
}

TEST(SearchTime, IsTheProfilesWithoutALimit) {
  EXPECT_EQ(search_time(clock_at("none"), Color::Black, 60s, ClockUse::Honoured), 60s);
  EXPECT_EQ(told_clock(clock_at("none"), Color::Black), clock_at("none"));
}

TEST(SearchTime, IsNeverNothingAndNeverMoreThanTheProfiles) {
  JobClock over = clock_at("absolute:60", ClockFace{});
  EXPECT_EQ(search_time(over, Color::Black, 60s, ClockUse::Honoured), Limits::kSearchTimeMin);
  EXPECT_EQ(search_time(over, Color::Black, 3ms, ClockUse::Honoured), 3ms);
  EXPECT_EQ(told_clock(over, Color::Black), over);
}

TEST(SearchTime, IsHalfOfWhatIsLeftAtTheLeast) {
  const JobClock clock = clock_at("permove:0.15");
  EXPECT_EQ(search_time(clock, Color::Black, 60s, ClockUse::Ignored), 75ms);
  EXPECT_EQ(told_clock(clock, Color::Black).faces[0].period_left, 75ms);
}

TEST(SearchTime, ShrinksByWhatEnginesThatFailedTook) {
  const JobClock after = clock_after(clock_at("byoyomi:10+3x30"), Color::Black, 15s);
  EXPECT_EQ(after.faces[0], (ClockFace{0ns, 25s, 3, 0}));
  EXPECT_EQ(after.faces[1], (ClockFace{10s, 30s, 3, 0}));
  EXPECT_EQ(clock_after(clock_at("permove:10"), Color::Black, 0s), clock_at("permove:10"));
}

/// A control of that system with values from 1 ms to minutes, and a face that fits it.
JobClock any_clock(rules::ClockSystem system, std::mt19937& random) {
  const auto time = [&] {
    const int most = 1 << std::uniform_int_distribution<>(1, 19)(random);
    return milliseconds(std::uniform_int_distribution<>(1, most)(random));
  };
  TimeControl control;
  control.system = system;
  const bool has_period = system == rules::ClockSystem::ByoYomi ||
                          system == rules::ClockSystem::Canadian ||
                          system == rules::ClockSystem::PerMove;
  if (system != rules::ClockSystem::PerMove) control.main = time();
  if (has_period) control.period = time();
  if (system == rules::ClockSystem::Fischer) control.increment = time();
  if (system == rules::ClockSystem::ByoYomi) control.periods = 1 + static_cast<int>(random() % 8);
  if (system == rules::ClockSystem::Canadian) control.stones = 1 + static_cast<int>(random() % 25);
  JobClock clock{control, {rules::first_face(control), rules::first_face(control)}};
  const auto part = [&](nanoseconds of) { return of * std::int64_t(random() % 101) / 100; };
  ClockFace& face = clock.faces[1];
  face.main_left = random() % 2 == 0 ? 0ns : part(face.main_left);
  if (face.main_left == 0ns) face.period_left = part(face.period_left);
  if (control.periods > 1) face.periods_left = 1 + static_cast<int>(random() % control.periods);
  return clock;
}

/// What the mover is told it may use without losing a period or the game: its main time and the
/// period behind it, or what is left of the present period.
nanoseconds may_use(const ClockFace& face) { return face.main_left + face.period_left; }

TEST(ToldClock, IsWithinWhatIsWatchedAndWithinWhatThereIs) {
  std::mt19937 random(20);
  for (int i = 0; i < 20'000; ++i) {
    const auto system = static_cast<rules::ClockSystem>(2 + random() % 5);
    const JobClock clock = any_clock(system, random);
    ASSERT_EQ(rules::problem(clock.control), std::nullopt);
    ASSERT_TRUE(rules::fits(clock.control, clock.faces[1]));
    const JobClock told = told_clock(clock, Color::White);
    SCOPED_TRACE(rules::time_control_text(clock.control));
    ASSERT_TRUE(rules::fits(clock.control, told.faces[1]));
    ASSERT_EQ(told.faces[0], clock.faces[0]) << "the opponent's clock";
    const nanoseconds left = *rules::time_to_flag(clock.control, clock.faces[1]);
    const nanoseconds told_left = *rules::time_to_flag(clock.control, told.faces[1]);
    // With a limit that is out of the way, the search is watched by the clock alone.
    const auto watched = search_time(clock, Color::White, 24h * 30, ClockUse::Honoured);
    ASSERT_LE(std::chrono::floor<milliseconds>(told_left), watched);
    ASSERT_LE(watched, std::max<nanoseconds>(left, Limits::kSearchTimeMin));
    ASSERT_LE(may_use(told.faces[1]), may_use(clock.faces[1]));
    // However small the profile's limit: what is left of a period may be used up.
    if (clock.faces[1].main_left > 0ns) continue;
    const auto least = search_time(clock, Color::White, 1ms, ClockUse::Honoured);
    ASSERT_LE(std::chrono::floor<milliseconds>(told.faces[1].period_left), least);
  }
}

TEST(ToldClock, IsThatOfTheClockOnlyWhileTheEngineTakesIt) {
  Script refusing;
  refusing.also_knows = {"time_settings", "time_left"};
  refusing.refuse_command = "time_left";
  refusing.refuse_at = 1;
  refusing.refuse_after_that = true;
  refusing.searches_wait = true;
  Profile profile = fake_profile();
  profile.clock = ClockDialect::Gtp;
  profile.honours_clock = true;
  PoolRig rig({profile}, {refusing});
  rig.start();
  rig.submit(clocked_job(1, clock_at("permove:120")));
  rig.finish_searches();  // of the write that it refused
  rig.advance(60s - 1ms);
  EXPECT_TRUE(rig.killed().empty());
  rig.advance(1ms);
  EXPECT_EQ(rig.killed().size(), 1u) << "it does not know that it has 120 s";
}

// --- What a late engine says of its profile

/// A profile whose engines hang in their first search.
class HangingProfile : public ::testing::Test {
 protected:
  static Profile profile() {
    Profile profile = fake_profile();
    profile.clock = ClockDialect::Gtp;
    profile.search_limit = 2s;
    profile.quarantine = 1ms;
    return profile;
  }
  static Script hanging() {
    Script script;
    script.hang_at = kFirstGenmove;
    return script;
  }
  bool has_failed() { return rig_.pool().statuses().front().failed; }

  PoolRig rig_{{profile()}, {hanging()}};
};

TEST_F(HangingProfile, HasNotFailedWhenItWasTheGamesClocksThatWereShort) {
  rig_.start();
  for (std::uint64_t id = 1; id <= 20; ++id) {
    rig_.submit(clocked_job(id, clock_at("absolute:1")));
    rig_.advance(2s);
    EXPECT_EQ(failure_of(rig_.result(id)).error, JobError::EnginesFailed);
  }
  EXPECT_EQ(rig_.killed().size(), 40u);
  EXPECT_FALSE(has_failed());
  EXPECT_EQ(rig_.alive(), 1u) << "the next one starts at once";
}

TEST_F(HangingProfile, HasFailedWhenItsOwnLimitPassedWhateverTheClock) {
  rig_.start();
  for (std::uint64_t id = 1; id <= 20 && !has_failed(); ++id) {
    rig_.submit(clocked_job(id, clock_at("absolute:600")));
    rig_.advance(60s);
  }
  EXPECT_TRUE(has_failed());
}

TEST_F(HangingProfile, HasFailedWhenEnginesDieOfShortClocks) {
  Script crashing;
  crashing.crash_at = kFirstGenmove;
  PoolRig rig({profile()}, {crashing});
  rig.start();
  for (std::uint64_t id = 1; id <= 20 && !rig.pool().statuses().front().failed; ++id) {
    rig.submit(clocked_job(id, clock_at("absolute:1")));
    rig.advance(60s);
  }
  EXPECT_TRUE(rig.pool().statuses().front().failed);
}

TEST_F(HangingProfile, HasFailedWhenItIsNotTheSearchThatHangs) {
  Script deaf;
  deaf.hang_at = 5;  // the first command of the first job
  PoolRig rig({profile()}, {deaf});
  rig.start();
  for (std::uint64_t id = 1; id <= 20 && !rig.pool().statuses().front().failed; ++id) {
    rig.submit(clocked_job(id, clock_at("absolute:1")));
    rig.advance(60s);
  }
  EXPECT_TRUE(rig.pool().statuses().front().failed);
}

}  // namespace
}  // namespace tengen::pool
