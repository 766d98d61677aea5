// Cases from the field, the pool's half of them: faults that people who run Go servers and engine
// bridges have reported in public. Each names the reports; inputs and expected values are our own.
#include <gtest/gtest.h>

#include <algorithm>

#include "pool/pool.h"
#include "rules/game.h"
#include "rules/handicap.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using rules::Clock;
using rules::ClockAnswer;
using rules::Color;
using rules::Record;
using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::failure_of;
using tests::fake_profile;
using tests::genmove_job;
using tests::Persona;
using tests::PoolRig;
using tests::Script;

using Lines = std::vector<std::string>;

/// The commands of a write, without ids.
Lines commands_in(const std::string& bytes) {
  Lines lines;
  std::size_t begin = 0;
  for (auto end = bytes.find('\n'); end != std::string::npos; end = bytes.find('\n', begin)) {
    const std::string line = bytes.substr(begin, end - begin);
    lines.push_back(line.substr(line.find(' ') + 1));
    begin = end + 1;
  }
  return lines;
}

bool has(const Lines& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

bool has_word(const Lines& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

rules::TimeControl control_of(const char* text) {
  return std::get<rules::TimeControl>(rules::parse_time_control(text));
}

JobClock fresh_clock(const char* text) {
  const rules::TimeControl control = control_of(text);
  return {control, {rules::first_face(control), rules::first_face(control)}};
}

/// What a clock shows after black and white have moved in turn, each move having taken this long.
JobClock clock_after(const char* text, const std::vector<milliseconds>& moves) {
  Clock clock(control_of(text));
  rules::ClockTime now{};
  Color turn = Color::Black;
  EXPECT_EQ(clock.start(turn, now), ClockAnswer::Done);
  for (const milliseconds took : moves) {
    now += took;
    EXPECT_EQ(clock.move(turn, now), ClockAnswer::Done);
    turn = rules::other(turn);
  }
  return {clock.control(), clock.faces()};
}

Profile profile_of(int warm, int max) {
  Profile profile = fake_profile();
  profile.processes_warm = warm;
  profile.processes_max = max;
  return profile;
}

Script script_of(Persona persona) {
  Script script;
  script.persona = persona;
  return script;
}

std::string vertex_of(const JobResult& result) {
  const auto& move = std::get<EngineMove>(result);
  return move.kind == EngineMove::Kind::Play ? rules::gtp_vertex(move.point, {9, 9}) : "pass";
}

// 1: an engine answers its start-up and three genmoves, then falls silent (gtp2ogs#394, #195;
// KataGo#262). Of 60 seconds 10 are kept back, so after 50 another engine has the search; of its 10
// a quarter is kept back in turn.
class HungEngine : public ::testing::Test {
 protected:
  HungEngine() : rig_({clocked()}, {hanging(), script_of(Persona::GnuGo)}) {
    rig_.start();
    Lines moves;
    for (std::uint64_t job = 1; job <= 3; ++job) {
      rig_.submit(clocked_job(job, moves));
      moves.push_back(vertex_of(rig_.result(job)));
      moves.push_back("pass");
    }
    moves_ = moves;
    rig_.submit(clocked_job(4, moves_));
  }

  static Profile clocked() {
    Profile profile = profile_of(2, 2);
    profile.clock = ClockDialect::Gtp;
    return profile;
  }
  static Script hanging() {
    Script script = script_of(Persona::GnuGo);
    script.hang_at =
        23;  // the fourth genmove: 4 for the start-up, 7 for the first, 4 for each more
    return script;
  }
  static Job clocked_job(std::uint64_t id, const Lines& moves) {
    Job job = genmove_job(id, 1, moves);
    job.clock = fresh_clock("absolute:60");
    return job;
  }
  std::size_t moved() const { return rig_.moved().size(); }

  PoolRig rig_;
  Lines moves_;
};

TEST_F(HungEngine, IsAskedForItsFourthMoveWhenItHangs) {
  EXPECT_EQ(rig_.ends_of(4), 0u);
  EXPECT_EQ(commands_in(rig_.last_write(1)).back(), "genmove B");
  EXPECT_EQ(rig_.process(1)->genmoves(), 3);
}

TEST_F(HungEngine, IsReplacedWellBeforeTheFlagAndTheMoveIsMadeOnce) {
  rig_.advance(milliseconds(49'999));
  EXPECT_EQ(moved(), 0u);
  rig_.advance(milliseconds(1));
  ASSERT_EQ(moved(), 1u) << "one replacement is told";
  EXPECT_EQ(rig_.moved().front().from.value, 1u);
  EXPECT_EQ(rig_.killed(), std::set<std::uint32_t>{1});
  EXPECT_EQ(rig_.ends_of(4), 1u);
  EXPECT_EQ(rig_.end_of(4).searched, seconds(50)) << "the engine's side pays for it, no more";
  rig_.advance(seconds(120));
  EXPECT_EQ(rig_.ends_of(4), 1u) << "no second move comes";
}

TEST_F(HungEngine, LeavesAnotherOneWithTheWholePositionAndTheTimeThatIsLeft) {
  rig_.advance(seconds(50));
  const Lines sent = commands_in(rig_.last_write(2));
  EXPECT_TRUE(has(sent, "clear_board"));
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    EXPECT_TRUE(has(sent, (i % 2 == 0 ? "play B " : "play W ") + moves_[i])) << i;
  }
  EXPECT_TRUE(has(sent, "time_left B 7 0")) << "10 s, less a quarter";
  EXPECT_EQ(sent.back(), "genmove B");
}

// 11: handicap stones of the engine's own choice (gtp2ogs#65, #89; pachi#86). GTP allows fewer
// than asked for; a pass is an engine's fault.
class FreeHandicap : public ::testing::Test {
 protected:
  static Job handicap_job(std::uint64_t id, int stones) {
    Job job = genmove_job(id, 1);
    job.want = Want::FreeHandicap;
    job.stones = stones;
    return job;
  }
  static PoolRig rig_saying(const std::vector<std::string>& answers) {
    Script script = script_of(Persona::GnuGo);
    script.handicap_answers = answers;
    return PoolRig({profile_of(1, 1)}, {script});
  }
};

TEST_F(FreeHandicap, OfTwoStonesWhereFourWereAskedForIsTwoStones) {
  PoolRig rig = rig_saying({"D4 F6"});
  rig.start();
  rig.submit(handicap_job(1, 4));
  const auto points = std::get<EngineStones>(rig.result(1)).points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(rules::gtp_vertex(points[0], {9, 9}), "D4");
  EXPECT_EQ(rules::gtp_vertex(points[1], {9, 9}), "F6");
}

TEST_F(FreeHandicap, AnsweredByAPassBreaksTheEngineAndIsAskedOfAnother) {
  PoolRig rig = rig_saying({"pass"});
  rig.start();
  rig.submit(handicap_job(1, 4));
  while (rig.ends_of(1) == 0) ASSERT_TRUE(rig.step());
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::EnginesFailed);
  EXPECT_EQ(rig.killed(), (std::set<std::uint32_t>{1, 2}));
}

TEST_F(FreeHandicap, IsSetupFromThenOnAndWhiteGoesOnFromIt) {
  PoolRig rig({profile_of(1, 1)}, {script_of(Persona::GnuGo)});
  rig.start();
  rig.submit(handicap_job(1, 4));
  std::vector<rules::Stone> setup;
  const auto answer = std::get<EngineStones>(rig.result(1)).points;
  for (const auto point : answer) {
    setup.push_back({Color::Black, point});
  }
  ASSERT_EQ(setup.size(), 4u);
  Record record({9, 9}, rules::KoRule::Positional, rules::SuicideRule::No);
  ASSERT_TRUE(record.set_up(setup));
  Job job = genmove_job(2, 1);
  job.record = record;
  job.color = Color::White;
  rig.submit(job);
  EXPECT_EQ(commands_in(rig.last_write(1)), Lines{"genmove W"}) << "the stones are there";
  EXPECT_EQ(rig.process(1)->record().board().stones(), 5);
}

TEST_F(FreeHandicap, IsNeverTakenBack) {
  Profile profile = profile_of(1, 1);
  profile.undo_max = 100;
  PoolRig rig({profile}, {script_of(Persona::GnuGo)});
  rig.start();
  rig.submit(handicap_job(1, 4));
  rig.submit(genmove_job(2, 1));  // the same game on the empty board after all
  EXPECT_FALSE(has(commands_in(rig.last_write(1)), "undo"));
  EXPECT_TRUE(has(commands_in(rig.last_write(1)), "clear_board"));
  EXPECT_EQ(rig.process(1)->record().board().stones(), 1);
}

// 12: where fixed handicap stones go (gtp2ogs#70, #95), by GTP 2, section 4.1.1, and that they are
// told as what they are, never as moves of both sides.
struct FixedHandicapRow {
  std::uint8_t size;
  int stones;
  const char* points;  // empty: there is no such handicap
};

class FixedHandicap : public ::testing::TestWithParam<FixedHandicapRow> {
 protected:
  static Job job() {
    const rules::Size size{GetParam().size, GetParam().size};
    Record record(size, rules::KoRule::Positional, rules::SuicideRule::No);
    std::vector<rules::Stone> setup;
    for (const auto point : rules::fixed_handicap(size, GetParam().stones)) {
      setup.push_back({Color::Black, point});
    }
    EXPECT_TRUE(record.set_up(setup));
    Job job = genmove_job(1, 1);
    job.record = record;
    job.color = Color::White;
    return job;
  }
};

TEST_P(FixedHandicap, IsToldInOneCommandInTheOrderOfTheTable) {
  const rules::Size size{GetParam().size, GetParam().size};
  const std::string points = GetParam().points;
  EXPECT_EQ(rules::fixed_handicap(size, GetParam().stones).empty(), points.empty());
  if (points.empty()) return;
  PoolRig rig({profile_of(1, 1)}, {script_of(Persona::GnuGo)});
  rig.start();
  rig.submit(job());
  const Lines sent = commands_in(rig.last_write(1));
  EXPECT_TRUE(has(sent, "set_free_handicap " + points));
  EXPECT_FALSE(has_word(sent, "play "));
}

TEST_P(FixedHandicap, IsToldAsBlackStonesAloneWhereTheCommandIsUnknown) {
  if (*GetParam().points == '\0') return;
  Script script;
  script.lacks = {"set_free_handicap"};
  PoolRig rig({profile_of(1, 1)}, {script});
  rig.start();
  rig.submit(job());
  const Lines sent = commands_in(rig.last_write(1));
  EXPECT_EQ(std::count_if(sent.begin(), sent.end(),
                          [](const std::string& line) { return line.starts_with("play B "); }),
            GetParam().stones);
  EXPECT_FALSE(has_word(sent, "play W "));
}

INSTANTIATE_TEST_SUITE_P(Cases, FixedHandicap,
                         ::testing::Values(FixedHandicapRow{19, 5, "D4 Q16 D16 Q4 K10"},
                                           FixedHandicapRow{9, 3, "C3 G7 C7"},
                                           FixedHandicapRow{7, 5, ""}, FixedHandicapRow{8, 5, ""}),
                         [](const auto& each) {
                           return "Size" + std::to_string(each.param.size) + "Stones" +
                                  std::to_string(each.param.stones);
                         });

// 15: a pass at move 10 and a resignation at move 11, then both are taken back (Sabaki#556, #307).
// A resignation is a result and never a play; a pass is a move.
class UndoAfterResign : public ::testing::Test {
 protected:
  UndoAfterResign() {
    rules::Header header;
    header.id = {1, 1};
    header.size = {9, 9};
    rules::Game game(header);
    Color turn = Color::Black;
    for (const char* vertex : {"E5", "C3", "G7", "C7", "G3", "E3", "E7", "C5", "G5"}) {
      EXPECT_EQ(game.play(turn, *rules::parse_gtp_vertex(vertex, {9, 9}), {}),
                rules::Refusal::None);
      turn = rules::other(turn);
    }
    EXPECT_EQ(game.pass(Color::White, {}), rules::Refusal::None);
    EXPECT_EQ(game.resign(Color::Black, {}), rules::Refusal::None);
    resigned_.emplace(game.record());
  }

  Job job(std::uint64_t id, Color color) const {
    Job job = genmove_job(id, 1);
    job.record = *resigned_;
    job.color = color;
    return job;
  }

  std::optional<Record> resigned_;
};

TEST_F(UndoAfterResign, TellsAFreshEngineThePassAndNoResignation) {
  PoolRig rig({profile_of(1, 1)}, {script_of(Persona::GnuGo)});
  rig.start();
  rig.submit(job(1, Color::Black));
  const Lines sent = commands_in(rig.last_write(1));
  ASSERT_GE(sent.size(), 2u);
  EXPECT_EQ(sent[sent.size() - 2], "play W pass");
  EXPECT_FALSE(has_word(sent, "resign"));
}

TEST_F(UndoAfterResign, LeavesTheEnginesBoardEqualToTheRulesCores) {
  for (const int undo_max : {0, 10}) {
    Profile profile = profile_of(1, 1);
    profile.undo_max = undo_max;
    PoolRig rig({profile}, {script_of(Persona::GnuGo)});
    rig.start();
    Job list = job(1, Color::Black);
    list.want = Want::DeadList;
    rig.submit(list);
    EXPECT_EQ(rig.process(1)->record().board(), resigned_->board());
    EXPECT_EQ(rig.process(1)->record().moves(), resigned_->moves());
    Record back = *resigned_;
    ASSERT_TRUE(back.undo());
    ASSERT_TRUE(back.undo());
    list.id = {2};
    list.record = back;
    rig.submit(list);
    EXPECT_EQ(rig.process(1)->record().board(), back.board());
    EXPECT_EQ(rig.process(1)->record().moves(), back.moves());
    const Lines sent = commands_in(rig.last_write(1));
    EXPECT_EQ(std::count(sent.begin(), sent.end(), "undo"), undo_max == 0 ? 0 : 2);
    EXPECT_EQ(rig.process(1)->insult().value_or(""), "");
  }
}

// 16: edges of clocks (gtp2ogs#33, #288; leela-zero#1902), as an engine is told them.
struct ClockRow {
  const char* name;
  JobClock clock;
  rules::NoLimitForm no_limit;
  const char* settings;
  const char* left;  // to black; empty: nothing
};

class ClockEdge : public ::testing::TestWithParam<ClockRow> {};

TEST_P(ClockEdge, IsToldInWholeSecondsThatAreNotNegative) {
  Profile profile = profile_of(1, 1);
  profile.clock = ClockDialect::Gtp;
  profile.no_limit = GetParam().no_limit;
  PoolRig rig({profile}, {script_of(Persona::GnuGo)});
  rig.start();
  Job job = genmove_job(1, 1);
  job.clock = GetParam().clock;
  rig.submit(job);
  EXPECT_EQ(rig.process(1)->time_settings(), GetParam().settings);
  EXPECT_EQ(rig.process(1)->time_left(Color::Black), GetParam().left);
  EXPECT_EQ(rig.process(1)->insult().value_or(""), "");
}

/// Ten moves of black in 48 seconds, the tenth made with 12 left; white answers at once.
std::vector<milliseconds> ten_moves() {
  std::vector<milliseconds> moves;
  for (int i = 0; i < 10; ++i) {
    moves.emplace_back(4'800);
    moves.emplace_back(0);
  }
  return moves;
}

JobClock nearly_out() {
  JobClock clock = fresh_clock("absolute:60");
  clock.faces[0].main_left = milliseconds(400);
  return clock;
}

// A Fischer increment is told as overtime of one stone and taken off the main time, and 10 s are
// kept back: of 65 seconds 45 are main time. Ten stones in 60 seconds begin again after the tenth,
// and 10 s of these are kept back, too.
INSTANTIATE_TEST_SUITE_P(
    Cases, ClockEdge,
    ::testing::Values(ClockRow{"TenthCanadianStone", clock_after("canadian:0+10/60", ten_moves()),
                               rules::NoLimitForm::ZeroStones, "time_settings 0 60 10", "50 10"},
                      ClockRow{"FischerAtItsCap",
                               clock_after("fischer:60+10/65", {seconds(2), seconds(0)}),
                               rules::NoLimitForm::ZeroStones, "time_settings 50 10 1", "45 0"},
                      ClockRow{"LessThanASecond", nearly_out(), rules::NoLimitForm::ZeroStones,
                               "time_settings 60 0 0", "0 0"},
                      ClockRow{"NoLimit", fresh_clock("none"), rules::NoLimitForm::ZeroStones,
                               "time_settings 0 1 0", ""},
                      ClockRow{"NoLimitForEnginesThatMisunderstandIt", fresh_clock("none"),
                               rules::NoLimitForm::LargeAbsolute, "time_settings 2000000 0 0", ""}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace tengen::pool
