// What engines of an old profile may still do after a reload: what they would do as the new ones.
#include "pool/old_profile.h"

#include <gtest/gtest.h>

#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using rules::KoRule;
using rules::Scoring;
using rules::SuicideRule;
using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::genmove_job;
using tests::PoolRig;
using tests::Script;

// A 9x9 game by positional superko without suicide, at level 3.
Job some_job() {
  Job job = genmove_job(1, 1);
  job.rules.ko = KoRule::Positional;
  job.rules.suicide = SuicideRule::No;
  job.rules.scoring = Scoring::Area;
  job.settings = {{"level", "3"}};
  return job;
}

Profile some_profile() {
  Profile profile = tests::fake_profile();
  profile.settings = {{"level", "level", 0, 10, 5}, {"visits", "visits-limit", 0, 100, 50}};
  profile.rules = RulesDialect::Kata;
  profile.analysis = AnalysisDialect::Kata;
  profile.raw_commands = {"showboard"};
  return profile;
}

struct Change {
  const char* what;
  void (*make)(Profile& profile);
};

bool can_after(const Change& change, const Job& job) {
  Profile present = some_profile();
  change.make(present);
  return can_still_do(some_profile(), present, job);
}

constexpr Change kIndifferent[] = {
    {"another command",
     [](Profile& p) {
       p.command = {"fake", "--new"};
     }},
    {"other limits", [](Profile& p) { p.search_limit = seconds(5); }},
    {"another clock", [](Profile& p) { p.clock = ClockDialect::Kgs; }},
    {"a standard that the game did not use", [](Profile& p) { p.settings[0].standard = 9; }},
    {"a wider range", [](Profile& p) { p.settings[0].maximum = 20; }},
    {"other sizes", [](Profile& p) { p.size_max = 13; }},
    {"more raw commands", [](Profile& p) { p.raw_commands.emplace_back("captures"); }},
    {"another way to mark games", [](Profile& p) { p.other_rules = OtherRules::Mark; }},
    {"a pace",
     [](Profile& p) {
       p.pace_setting = "level";
       p.pace = {{0, milliseconds(9)}};
     }},
};

TEST(CanStillDo, WhatTheChangeDoesNotTouch) {
  for (const Change& change : kIndifferent) {
    EXPECT_TRUE(can_after(change, some_job())) << change.what;
  }
}

constexpr Change kOfRulesAndSettings[] = {
    {"a standard that the game uses", [](Profile& p) { p.settings[1].standard = 51; }},
    {"a setting more",
     [](Profile& p) {
       p.settings.push_back({"n", "n", 0, 1, 0});
     }},
    {"a setting less", [](Profile& p) { p.settings.pop_back(); }},
    {"another command for one", [](Profile& p) { p.settings[0].command = "strength"; }},
    {"no words for rules", [](Profile& p) { p.rules = RulesDialect::None; }},
    {"other words for rules", [](Profile& p) { p.rules = RulesDialect::Kgs; }},
    {"the rules it plays", [](Profile& p) { p.plays.ko = {KoRule::Simple}; }},
    {"a variant for them",
     [](Profile& p) {
       p.variants = {{"superko", {"--superko"}, {{KoRule::Positional}, {}, {}}}};
     }},
};

TEST(CanStillDo, NothingThatNeedsOtherRulesOrSettings) {
  for (const Change& change : kOfRulesAndSettings) {
    EXPECT_FALSE(can_after(change, some_job())) << change.what;
  }
}

TEST(CanStillDo, WhatItsVariantIsStartedForInTheSameWay) {
  Profile old = some_profile();
  old.variants = {{"superko", {"--superko"}, {{KoRule::Positional}, {}, {}}}, {"rest", {}, {}}};
  Profile present = old;
  present.variants[0].name = "renamed";
  present.variants[1].arguments = {"--more"};
  EXPECT_TRUE(can_still_do(old, present, some_job()));
  Job by_others = some_job();
  by_others.rules.ko = KoRule::Simple;
  EXPECT_FALSE(can_still_do(old, present, by_others)) << "other arguments";
  present.variants[0].arguments.emplace_back("--strict");
  EXPECT_FALSE(can_still_do(old, present, some_job()));
}

TEST(CanStillDo, OnlyWhatItCouldAtAll) {
  const auto can_before = [](void (*change)(Profile & profile), const Job& job) {
    Profile old = some_profile();
    change(old);
    return can_still_do(old, some_profile(), job);
  };
  EXPECT_FALSE(can_before([](Profile& p) { p.size_max = 7; }, some_job()));
  EXPECT_FALSE(can_before([](Profile& p) { p.settings[0].maximum = 2; }, some_job()));
  Job job = some_job();
  job.want = Want::Analyze;
  EXPECT_FALSE(can_before([](Profile& p) { p.analysis = AnalysisDialect::None; }, job));
  job.want = Want::Raw;
  job.command = "showboard";
  EXPECT_FALSE(can_before([](Profile& p) { p.raw_commands.clear(); }, job));
}

TEST(CanStillDo, GamesWithAClockOnlyWithTheSamePace) {
  Job job = some_job();
  job.clock.emplace();
  const Change with_pace = {"", [](Profile& p) {
                              p.pace_setting = "level";
                              p.pace = {{0, milliseconds(9)}};
                            }};
  EXPECT_FALSE(can_after(with_pace, job));
  EXPECT_TRUE(can_after(with_pace, some_job()));
}

// --- In the pool

Profile leveled(int standard) {
  Profile profile = tests::fake_profile();
  profile.processes_warm = 2;
  profile.processes_max = 2;
  profile.settings = {{"level", "level", 0, 10, standard}};
  return profile;
}

int writes_with(const PoolRig& rig, std::string_view text) {
  int found = 0;
  for (const auto& [engine, bytes] : rig.writes()) {
    found += bytes.find(text) != std::string::npos ? 1 : 0;
  }
  return found;
}

// Both engines are old and get idle at once; one of them goes, and the other must not take the job
// that came in by the new profile.
TEST(Reload, GivesNoJobOfTheNewProfileToAnEngineThatWouldBeToldOtherwise) {
  Script script;
  script.searches_wait = true;
  PoolRig rig({leveled(9)}, {script});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 2));
  rig.submit(genmove_job(3, 3));
  rig.reload({leveled(2)});
  rig.submit(genmove_job(4, 4));
  for (int i = 0; i < 4; ++i) rig.finish_searches();
  for (std::uint64_t job = 1; job <= 4; ++job) EXPECT_EQ(rig.ends_of(job), 1u) << job;
  EXPECT_EQ(writes_with(rig, " level 9\n"), 2) << "jobs 1 and 2";
  EXPECT_EQ(writes_with(rig, " level 2\n"), 2) << "jobs 3 and 4";
  EXPECT_TRUE(rig.killed().empty());
  EXPECT_EQ(rig.pool().statuses().front().idle, 2);
}

TEST(Reload, OfWhatCannotBeStartedFailsJobsThatOldEnginesCannotDoAndLeavesThemTheOthers) {
  PoolRig rig({leveled(9)});
  rig.start();
  rig.spawns_fail = true;
  rig.reload({leveled(2)});
  rig.submit(genmove_job(1, 1));
  EXPECT_EQ(rig.ends_of(1), 0u) << "perhaps it can be started after all";
  while (!rig.pool().statuses().front().failed) ASSERT_TRUE(rig.step());
  EXPECT_EQ(tests::failure_of(rig.result(1)).error, JobError::ProfileFailed);
  EXPECT_EQ(rig.pool().statuses().front().idle, 1) << "an old one, which plays at level 9";
  rig.submit(genmove_job(2, 2));
  EXPECT_EQ(tests::failure_of(rig.result(2)).error, JobError::ProfileFailed);
  Job at_its_level = genmove_job(3, 3);
  at_its_level.settings = {{"level", "9"}};
  rig.submit(std::move(at_its_level));
  EXPECT_TRUE(std::holds_alternative<EngineMove>(rig.result(3)));
}

TEST(Reload, LetsOldEnginesWorkOnWhereTheyAreToldTheSame) {
  Script script;
  script.searches_wait = true;
  PoolRig rig({leveled(9)}, {script});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 2));
  rig.submit(genmove_job(3, 3));
  Profile changed = leveled(9);
  changed.command.emplace_back("--new");
  rig.reload({changed});
  rig.finish_searches();
  ASSERT_NE(rig.process(2), nullptr);
  EXPECT_TRUE(rig.process(2)->is_searching()) << "an old engine has the third job";
  rig.finish_searches();
  EXPECT_EQ(rig.ends_of(3), 1u);
}

}  // namespace
}  // namespace tengen::pool
