// Random games on the clock, against a second one that runs by single milliseconds and so needs no
// arithmetic, and the properties that hold for all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "rules/clock.h"

namespace tengen::rules {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Random = std::mt19937_64;

constexpr ClockTime kTwinStart{1000s};

/// One side of the slow clock, in milliseconds.
struct SlowSide {
  int main = 0;
  int period = 0;
  int periods = 0;
  int stones = 0;
  bool lost = false;
  bool in_overtime = false;  // the present stretch has been in overtime

  /// A millisecond passes: it comes off the first place that has one.
  void tick(const TimeControl& control) {
    if (control.system == ClockSystem::None) return;
    in_overtime = main == 0;
    if (main > 0) {
      --main;
    } else if (period > 0) {
      --period;
    } else if (periods > 1) {
      --periods;
      period = static_cast<int>(control.period.count()) - 1;
    } else {
      periods = 0;
      lost = true;
    }
  }

  void move(const TimeControl& control) {
    const int fresh = static_cast<int>(control.period.count());
    if (control.system == ClockSystem::Fischer) {
      const int cap = static_cast<int>(control.cap.count());
      for (int i = 0; i < control.increment.count() && (cap == 0 || main < cap); ++i) ++main;
    }
    if (control.system == ClockSystem::ByoYomi || control.system == ClockSystem::PerMove) {
      period = fresh;
    }
    if (control.system == ClockSystem::Canadian && in_overtime && --stones == 0) {
      stones = control.stones;
      period = fresh;
    }
  }

  ClockFace face() const { return {milliseconds(main), milliseconds(period), periods, stones}; }
};

/// Two slow sides; the one to move has run for `ran` milliseconds of the present stretch.
struct SlowClock {
  TimeControl control;
  SlowSide sides[2];
  Color turn = Color::Black;
  int ran = 0;

  explicit SlowClock(const TimeControl& with) : control(with) {
    for (SlowSide& side : sides) {
      side.main = static_cast<int>(control.main.count());
      side.period = static_cast<int>(control.period.count());
      side.periods = control.periods;
      side.stones = control.stones;
    }
  }

  /// The side to move as it stands now, with that many of its milliseconds not counted.
  SlowSide running(int lag) const {
    SlowSide side = sides[index_of(turn)];
    side.in_overtime = side.main == 0;
    for (int i = 0; i < ran - lag; ++i) side.tick(control);
    return side;
  }

  void end_stretch(const SlowSide& side) {
    sides[index_of(turn)] = side;
    ran = 0;
  }
};

int up_to(Random& random, int most) {
  return static_cast<int>(random() % static_cast<unsigned>(most + 1));
}

/// Small, so that every boundary is met often.
TimeControl random_control(Random& random) {
  TimeControl control;
  control.system = static_cast<ClockSystem>(1 + random() % 6);
  const ClockSystem system = control.system;
  if (system != ClockSystem::None && system != ClockSystem::PerMove) {
    control.main = milliseconds(up_to(random, 20));
  }
  if (system == ClockSystem::Absolute || system == ClockSystem::Fischer) control.main += 1ms;
  if (system == ClockSystem::Fischer) {
    control.increment = milliseconds(1 + up_to(random, 6));
    if (random() % 2 == 0) {
      control.cap = std::max(control.main, control.increment) + milliseconds(up_to(random, 5));
    }
  }
  if (system >= ClockSystem::ByoYomi) control.period = milliseconds(1 + up_to(random, 7));
  if (system == ClockSystem::ByoYomi) control.periods = 1 + up_to(random, 4);
  if (system == ClockSystem::Canadian) control.stones = 1 + up_to(random, 4);
  return control;
}

/// What a game has gone through, so that a test can say that it met everything.
struct Tally {
  int moves = 0, flags = 0, pauses = 0, undos = 0, switches = 0;
};

/// One random game on both clocks.
class TwinGame {
 public:
  TwinGame(const TimeControl& control, Random& random)
      : control_(control), random_(random), fast_(control), slow_(control) {}

  /// Runs until a flag falls or so many steps are done.
  void play(int steps, Tally& tally) {
    ASSERT_EQ(fast_.start(Color::Black, now_), ClockAnswer::Done);
    for (int step = 0; step < steps && !::testing::Test::HasFatalFailure(); ++step) {
      const int waited = up_to(random_, random_() % 4 == 0 ? 30 : 6);
      now_ += milliseconds(waited);
      if (fast_.is_running()) slow_.ran += waited;
      const int lag = random_() % 3 == 0 ? up_to(random_, 8) : 0;
      ASSERT_NO_FATAL_FAILURE(compare(lag));
      if (fast_.is_running() && slow_.running(lag).lost) {
        ++tally.flags;
        return expect_flagged(lag);
      }
      ASSERT_NO_FATAL_FAILURE(act(lag, tally));
      ASSERT_NO_FATAL_FAILURE(compare(0));
    }
  }

 private:
  void act(int lag, Tally& tally) {
    const auto kind = random_() % 12;
    if (kind == 0) return undo(tally);
    if (!fast_.is_running()) {
      ASSERT_EQ(fast_.resume(now_), ClockAnswer::Done);
      return;
    }
    SlowSide side = slow_.running(lag);
    if (kind == 1) {
      ASSERT_EQ(fast_.pause(now_, milliseconds(lag)), ClockAnswer::Done);
      slow_.end_stretch(side);
      ++tally.pauses;
      return;
    }
    before_.push_back({slow_, fast_.faces(), fast_.turn()});
    if (kind == 2) {
      ASSERT_EQ(fast_.switch_turn(now_, milliseconds(lag)), ClockAnswer::Done);
      ++tally.switches;
    } else {
      ASSERT_EQ(fast_.move(slow_.turn, now_, milliseconds(lag)), ClockAnswer::Done);
      side.move(control_);
      ++tally.moves;
    }
    slow_.end_stretch(side);
    slow_.turn = other(slow_.turn);
  }

  void undo(Tally& tally) {
    if (before_.empty()) return;
    slow_ = before_.back().slow;
    slow_.ran = 0;
    ASSERT_EQ(fast_.restore(before_.back().faces, before_.back().turn, now_), ClockAnswer::Done);
    before_.pop_back();
    ++tally.undos;
  }

  void compare(int lag) const {
    ASSERT_EQ(fast_.turn(), slow_.turn);
    const SlowSide side =
        fast_.is_running() ? slow_.running(lag) : slow_.sides[index_of(slow_.turn)];
    ASSERT_EQ(fast_.face(slow_.turn, now_, milliseconds(lag)), side.face());
    const Color waiting = other(slow_.turn);
    ASSERT_EQ(fast_.face(waiting, now_), slow_.sides[index_of(waiting)].face());
    ASSERT_EQ(fast_.has_flagged(now_, milliseconds(lag)), side.lost);
  }

  void expect_flagged(int lag) {
    EXPECT_EQ(fast_.move(slow_.turn, now_, milliseconds(lag)), ClockAnswer::Flagged);
    EXPECT_EQ(fast_.pause(now_, milliseconds(lag)), ClockAnswer::Flagged);
    // The last instant is where the slow clock has not lost yet and has a millisecond later.
    const auto last = fast_.flag_at(milliseconds(lag));
    ASSERT_TRUE(last);
    SlowClock probe = slow_;
    probe.ran -= static_cast<int>((now_ - *last) / 1ms);
    EXPECT_FALSE(probe.running(lag).lost);
    ++probe.ran;
    EXPECT_TRUE(probe.running(lag).lost);
  }

  struct Before {
    SlowClock slow;
    ClockFaces faces;
    Color turn;
  };

  TimeControl control_;
  Random& random_;
  Clock fast_;
  SlowClock slow_;
  ClockTime now_ = kTwinStart;
  std::vector<Before> before_;
};

TEST(ClockTwin, RandomGamesAgreeWithTheClockThatRunsByMilliseconds) {
  Random random(2025);
  Tally tally;
  for (int game = 0; game < 30000; ++game) {
    const TimeControl control = random_control(random);
    SCOPED_TRACE("game " + std::to_string(game) + " " + time_control_text(control));
    ASSERT_EQ(problem(control), std::nullopt);
    TwinGame(control, random).play(60, tally);
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.moves, 100000);
  EXPECT_GT(tally.flags, 10000);
  EXPECT_GT(tally.pauses, 10000);
  EXPECT_GT(tally.undos, 10000);
  EXPECT_GT(tally.switches, 10000);
}

/// How many moves of black, taking these times, are in time.
std::size_t moves_in_time(const TimeControl& control, const std::vector<nanoseconds>& takes) {
  Clock clock(control);
  ClockTime now = kTwinStart;
  if (clock.start(Color::Black, now) != ClockAnswer::Done) return 0;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    now += takes[i];
    if (clock.move(Color::Black, now) != ClockAnswer::Done) return i;
    if (clock.move(Color::White, now) != ClockAnswer::Done) return i;
  }
  return takes.size();
}

/// The control with one thing raised at random. Canadian main time is left alone.
TimeControl with_more_time(TimeControl control, Random& random) {
  const milliseconds more(1 + up_to(random, 5));
  const auto which = random() % 4;
  const bool canadian = control.system == ClockSystem::Canadian;
  if (control.main.count() > 0 && which == 0 && !canadian) control.main += more;
  if (control.increment.count() > 0 && which == 1) control.increment += more;
  if (control.period.count() > 0 && which == 2) control.period += more;
  if (control.periods > 0 && which == 3) ++control.periods;
  if (control.cap.count() > 0) control.cap += more;
  return control;
}

TEST(ClockTwin, MoreTimeNeverLosesAGameEarlier) {
  Random random(31);
  int longer = 0;
  for (int game = 0; game < 30000; ++game) {
    const TimeControl control = random_control(random);
    const TimeControl generous = with_more_time(control, random);
    ASSERT_EQ(problem(generous), std::nullopt);
    std::vector<nanoseconds> takes(40);
    for (nanoseconds& each : takes) each = milliseconds(up_to(random, 9));
    const std::size_t less = moves_in_time(control, takes);
    const std::size_t more = moves_in_time(generous, takes);
    ASSERT_GE(more, less) << time_control_text(control) << " " << time_control_text(generous);
    if (more > less) ++longer;
  }
  EXPECT_GT(longer, 1000);
}

TEST(ClockTwin, CanadianMainTimeIsTheExceptionBecauseItMovesThePeriods) {
  const auto control = [](std::string_view text) {
    return std::get<TimeControl>(parse_time_control(text));
  };
  const std::vector<nanoseconds> takes{1s, 1s, 1s, 9s};
  // No main time: three stones in 3 s, a fresh period, and 9 s of its 10.
  EXPECT_EQ(moves_in_time(control("canadian:0+3/10"), takes), 4u);
  // One second: the first move is in main time, then 1 + 1 + 9 = 11 s for three stones.
  EXPECT_EQ(moves_in_time(control("canadian:1+3/10"), takes), 3u);
}

TEST(ClockTwin, AFaceWithMoreTimeNeverFlagsEarlier) {
  Random random(5);
  for (int round = 0; round < 30000; ++round) {
    const TimeControl control = random_control(random);
    ClockFace face = first_face(control);
    face.main_left = face.main_left * (random() % 100) / 100;
    face.period_left = face.period_left * (random() % 100) / 100;
    if (face.periods_left > 0) face.periods_left = 1 + up_to(random, face.periods_left - 1);
    const auto flag = time_to_flag(control, face);
    ASSERT_EQ(flag.has_value(), control.system != ClockSystem::None);
    if (!flag) continue;
    ASSERT_TRUE(fits(control, face));
    ClockFace more = face;
    more.main_left += 1ns;
    ASSERT_EQ(time_to_flag(control, more), *flag + 1ns);
    more = face;
    ++more.periods_left;
    ASSERT_GE(time_to_flag(control, more), *flag);
  }
}

}  // namespace
}  // namespace tengen::rules
