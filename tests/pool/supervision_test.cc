// What the pool does about its engines: variants, reloads, memory, poison, clocks, boards that have
// drifted, searches that nobody wants.
#include <gtest/gtest.h>

#include "pool/limits.h"
#include "pool/pool.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::failure_of;
using tests::fake_profile;
using tests::genmove_job;
using tests::is_move;
using tests::kFirstGenmove;
using tests::list_job;
using tests::PoolRig;
using tests::Script;
using tests::waiting_script;

rules::TimeControl per_move(milliseconds time) {
  rules::TimeControl control;
  control.system = rules::ClockSystem::PerMove;
  control.period = time;
  return control;
}

rules::TimeControl absolute(milliseconds time) {
  rules::TimeControl control;
  control.system = rules::ClockSystem::Absolute;
  control.main = time;
  return control;
}

JobClock clock_of(const rules::TimeControl& control) {
  return {control, {rules::first_face(control), rules::first_face(control)}};
}

// --- Variants

Profile profile_with_variants(int max) {
  Profile profile = fake_profile(1, max);
  RulesMatch plain;
  plain.suicide = {rules::SuicideRule::No};
  RulesMatch suicide;
  suicide.suicide = {rules::SuicideRule::Multi, rules::SuicideRule::Any};
  profile.variants = {{"plain", {"--forbid-suicide"}, plain},
                      {"suicide", {"--allow-suicide"}, suicide}};
  return profile;
}

Job suicide_job(std::uint64_t id, std::uint64_t game) {
  Job job = genmove_job(id, game);
  job.rules.suicide = rules::SuicideRule::Any;
  return job;
}

TEST(Variants, GetTheArgumentsOfTheRulesTheyPlay) {
  PoolRig rig({profile_with_variants(2)});
  rig.start();
  rig.submit(suicide_job(1, 1));
  EXPECT_TRUE(is_move(rig.result(1)));
  ASSERT_EQ(rig.spawns().size(), 2u);
  EXPECT_EQ(rig.spawns()[0].argv.back(), "--forbid-suicide");
  EXPECT_EQ(rig.spawns()[1].argv.back(), "--allow-suicide");
}

TEST(Variants, AreSwappedWhenThereIsNoRoomForBoth) {
  PoolRig rig({profile_with_variants(1)});
  rig.start();
  rig.submit(suicide_job(1, 1));
  EXPECT_TRUE(is_move(rig.result(1)));
  rig.submit(genmove_job(2, 2));
  EXPECT_TRUE(is_move(rig.result(2)));
  EXPECT_EQ(rig.spawns().size(), 3u);
  EXPECT_TRUE(rig.killed().empty()) << "they are asked to go";
}

TEST(Variants, OfRareRulesAreNotStarvedByBusyOnes) {
  PoolRig rig({profile_with_variants(1)}, {waiting_script()});
  rig.start();
  for (std::uint64_t id = 1; id <= 30; ++id) rig.submit(genmove_job(id, id));
  rig.submit(suicide_job(99, 99));
  int others = 0;
  while (rig.ends_of(99) == 0 && others < 100) {
    rig.finish_searches();
    ++others;
  }
  EXPECT_LE(others, 30 + 2);
  EXPECT_TRUE(is_move(rig.result(99)));
}

// Both streams need a second engine beside their own; neither engine may go before the other is
// there.
TEST(Variants, DoNotTakeTurnsForEverWhenStreamsWaitForBoth) {
  Profile profile = profile_with_variants(2);
  profile.analysis = AnalysisDialect::Kata;
  Script script;
  script.persona = tests::Persona::KataGo;
  PoolRig rig({profile}, {script});
  rig.start();
  Job plain = tests::analysis_job(1, 1);
  Job other = tests::analysis_job(2, 2);
  other.rules.suicide = rules::SuicideRule::Any;
  rig.submit(std::move(plain));
  rig.submit(std::move(other));
  EXPECT_EQ(rig.pool().statuses().front().streaming, 1);
  EXPECT_LE(rig.spawns().size(), 3u);
}

// --- Reload

TEST(Reload, LeavesEnginesOfAnUnchangedProfileAlone) {
  PoolRig rig({fake_profile(2, 2)});
  rig.start();
  rig.reload({fake_profile(2, 2)});
  EXPECT_EQ(rig.spawned_at().size(), 2u);
  EXPECT_EQ(rig.pool().statuses().front().idle, 2);
}

TEST(Reload, ReplacesEnginesOfAChangedProfileOneByOneAndDropsNoSearch) {
  PoolRig rig({fake_profile(2, 2)}, {waiting_script(), waiting_script(), Script{}});
  rig.start();
  rig.submit(genmove_job(1, 1));
  Profile changed = fake_profile(2, 2);
  changed.command.emplace_back("--new");
  rig.reload({changed});
  EXPECT_EQ(rig.ends_of(1), 0u) << "its engine goes on";
  EXPECT_TRUE(rig.killed().empty());
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(1)));
  ASSERT_EQ(rig.spawns().size(), 4u);
  EXPECT_EQ(rig.spawns()[2].argv.back(), "--new");
  EXPECT_EQ(rig.spawns()[3].argv.back(), "--new");
  EXPECT_EQ(rig.pool().statuses().front().idle, 2);
  EXPECT_TRUE(rig.killed().empty());
  EXPECT_TRUE(rig.moved().empty());
}

TEST(Reload, HealsAFailedProfileAtOnce) {
  PoolRig rig({fake_profile()});
  rig.spawns_fail = true;
  rig.start();
  while (!rig.pool().statuses().front().failed) ASSERT_TRUE(rig.step());
  rig.spawns_fail = false;
  Profile mended = fake_profile();
  mended.command = {"mended"};
  rig.reload({mended});
  EXPECT_FALSE(rig.pool().statuses().front().failed);
  rig.submit(genmove_job(1, 1));
  EXPECT_TRUE(is_move(rig.result(1)));
}

TEST(Reload, EndsWhatWaitsForAProfileThatIsNoMoreAndLetsTheRestFinish) {
  PoolRig rig({fake_profile(1, 1)}, {waiting_script()});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 2));
  Profile other = fake_profile();
  other.name = "other";
  rig.reload({other});
  EXPECT_EQ(failure_of(rig.result(2)).error, JobError::UnknownProfile);
  EXPECT_EQ(rig.ends_of(1), 0u);
  rig.submit(genmove_job(3, 3));
  EXPECT_EQ(failure_of(rig.result(3)).error, JobError::UnknownProfile);
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_EQ(rig.alive(), 1u) << "only the other profile's";
}

TEST(Reload, NeverHasMoreProcessesThanAllowedWhenAProfileComesBack) {
  PoolRig rig({fake_profile(1, 1)}, {waiting_script(), Script{}});
  rig.start();
  rig.submit(genmove_job(1, 1));
  Profile other = fake_profile();
  other.name = "other";
  rig.reload({other});
  rig.reload({other, fake_profile(1, 1)});
  EXPECT_EQ(rig.alive(), 2u) << "the old engine is still at work";
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(1)));
  rig.submit(genmove_job(2, 2));
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(2)));
}

TEST(Reload, ReplacesOldEnginesThoughAStartHasFailed) {
  PoolRig rig({fake_profile(1, 2)});
  rig.start();
  Profile changed = fake_profile(1, 2);
  changed.command.emplace_back("--new");
  rig.spawns_fail = true;
  rig.reload({changed});
  rig.spawns_fail = false;
  rig.advance(seconds(5));
  EXPECT_EQ(rig.spawns().back().argv.back(), "--new");
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
  EXPECT_EQ(rig.process(1), nullptr) << "the old one has gone";
}

// --- Memory

TEST(Memory, BeyondTheLimitRetiresAnEngineBetweenSearches) {
  Profile profile = fake_profile(1, 2);
  profile.memory_max_bytes = 100 << 20;
  PoolRig rig({profile}, {waiting_script()});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.tell_memory(1, (100 << 20) + 1);
  EXPECT_EQ(rig.pool().statuses().front().busy, 1) << "its search goes on";
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_EQ(rig.process(1), nullptr);
  EXPECT_EQ(rig.pool().statuses().front().idle, 1) << "another one is warm";
  rig.tell_memory(2, 100 << 20);
  EXPECT_NE(rig.process(2), nullptr);
}

// --- Poison

TEST(Poison, IsQuarantinedAfterTwoEnginesAndOtherJobsGoOn) {
  Script crashing;
  crashing.crash_at = kFirstGenmove;
  Profile profile = fake_profile(1, 1);
  profile.quarantine = seconds(10);
  PoolRig rig({profile}, {crashing, crashing, Script{}});
  rig.start();
  rig.submit(genmove_job(1, 1));
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::EnginesFailed);
  EXPECT_EQ(failure_of(rig.result(1)).retry_after, seconds(10));
  EXPECT_EQ(rig.moved().size(), 1u);
  const auto spawned = rig.spawned_at().size();
  rig.submit(genmove_job(2, 1));
  EXPECT_EQ(failure_of(rig.result(2)).error, JobError::EnginesFailed) << "the same question";
  EXPECT_EQ(rig.spawned_at().size(), spawned);
  rig.submit(genmove_job(3, 1, {"D4"}));
  EXPECT_TRUE(is_move(rig.result(3)));
  rig.advance(seconds(10));
  rig.submit(genmove_job(4, 1));
  EXPECT_TRUE(is_move(rig.result(4)));
}

TEST(Poison, OfOneJobIsNoReasonToFailAProfileAndThatOfManyIs) {
  Script crashing;
  crashing.crash_at = kFirstGenmove;
  PoolRig rig({fake_profile(1, 1)}, {crashing});
  rig.start();
  for (std::uint64_t id = 1; id <= 20 && !rig.pool().statuses().front().failed; ++id) {
    rig.submit(genmove_job(id, id));
    while (rig.ends_of(id) == 0) ASSERT_TRUE(rig.step());
    if (id == 1) {
      EXPECT_FALSE(rig.pool().statuses().front().failed);
    }
  }
  EXPECT_TRUE(rig.pool().statuses().front().failed);
}

TEST(Scores, AreCountedOneAtATimeAndNotTriedAgainAfterATimeout) {
  Script hanging;
  hanging.hang_at = kFirstGenmove;
  Profile profile = fake_profile(2, 2);
  profile.list_limit = milliseconds(500);
  PoolRig rig({profile}, {hanging, hanging, Script{}});
  rig.start();
  rig.submit(list_job(1, 1));
  rig.submit(list_job(2, 2));
  EXPECT_EQ(rig.pool().statuses().front().busy, 1);
  EXPECT_EQ(rig.pool().statuses().front().queued, 1u);
  rig.advance(milliseconds(500));
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::EnginesFailed);
  EXPECT_TRUE(rig.moved().empty());
}

// --- Clocks

TEST(WatchLimit, IsTheClocksWhenThatIsSooner) {
  Script hanging;
  hanging.hang_at = kFirstGenmove;
  Profile profile = fake_profile(1, 1);
  profile.search_limit = seconds(60);
  PoolRig rig({profile}, {hanging, Script{}});
  rig.start();
  Job job = genmove_job(1, 1);
  job.clock = clock_of(absolute(seconds(8)));
  rig.submit(std::move(job));
  rig.advance(milliseconds(5999));
  EXPECT_TRUE(rig.killed().empty());
  rig.advance(milliseconds(1));  // a quarter of eight seconds is kept back
  EXPECT_EQ(rig.killed().size(), 1u);
  EXPECT_TRUE(is_move(rig.result(1))) << "the other engine moves in time";
  EXPECT_EQ(rig.end_of(1).searched, seconds(6)) << "and the first one's time is the engine's";
}

TEST(WatchLimit, ShrinksByWhatTheFirstEngineTook) {
  Script hanging;
  hanging.hang_at = kFirstGenmove;
  PoolRig rig({fake_profile(1, 1)}, {hanging});
  rig.start();
  Job job = genmove_job(1, 1);
  job.clock = clock_of(absolute(seconds(8)));
  rig.submit(std::move(job));
  rig.advance(milliseconds(6000));
  EXPECT_EQ(rig.killed().size(), 1u);
  rig.advance(milliseconds(1499));
  EXPECT_EQ(rig.killed().size(), 1u);
  rig.advance(milliseconds(1));  // two seconds less a quarter
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::EnginesFailed);
  EXPECT_EQ(rig.end_of(1).searched, milliseconds(7500)) << "the flag has not fallen";
}

TEST(Lag, IsNotSearched) {
  PoolRig rig({fake_profile(1, 1)}, {waiting_script()});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 2));
  rig.advance(seconds(3));
  rig.finish_searches();
  rig.advance(seconds(1));
  rig.finish_searches();
  EXPECT_EQ(rig.end_of(1).searched, seconds(3));
  EXPECT_EQ(rig.end_of(2).searched, seconds(1))
      << "three seconds of waiting_script are the server's";
}

TEST(TimeCommands, AreGivenUpWhenTheEngineRefusesThemAndTheMoveIsMade) {
  Script refusing;
  refusing.also_knows = {"time_settings", "time_left"};
  refusing.refuse_command = "time_left";
  refusing.refuse_at = 1;
  refusing.refuse_after_that = true;
  Profile profile = fake_profile(1, 1);
  profile.clock = ClockDialect::Gtp;
  PoolRig rig({profile}, {refusing});
  rig.start();
  Job job = genmove_job(1, 1);
  job.clock = clock_of(per_move(seconds(30)));
  rig.submit(std::move(job));
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_TRUE(rig.has_note("is not told the time any more"));
}

TEST(Until, EndsAJobThatStillWaits) {
  PoolRig rig({fake_profile(1, 1)}, {waiting_script()});
  rig.start();
  rig.submit(genmove_job(1, 1));
  Job job = genmove_job(2, 2);
  job.until = rig.now() + milliseconds(300);
  rig.submit(std::move(job));
  rig.advance(milliseconds(299));
  EXPECT_EQ(rig.ends_of(2), 0u);
  rig.advance(milliseconds(1));
  EXPECT_EQ(failure_of(rig.result(2)).error, JobError::Expired);
}

// --- Boards

TEST(Verification, FindsABoardThatHasDriftedAndReplaysIt) {
  Script drifting;
  drifting.also_knows = {"list_stones"};
  drifting.drop_play_at = 1;
  Profile profile = fake_profile(1, 1);
  profile.verify = VerifyBy::ListStones;
  profile.verify_every = 1;
  drifting.style = Script::Style::FirstLegal;  // A9
  PoolRig rig({profile}, {drifting});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 1, {"A9", "E5"}));
  EXPECT_EQ(rig.pool().stats("fake").verify_mismatches, 1u);
  EXPECT_TRUE(is_move(rig.result(2)));
  EXPECT_TRUE(rig.killed().empty());
  EXPECT_TRUE(rig.has_note("board is not the game's; it is replayed"));
}

TEST(Verification, KillsAnEngineWhoseBoardIsAnotherRightAfterAReplay) {
  Script honest;
  honest.also_knows = {"list_stones"};
  Script drifting = honest;
  drifting.drop_play_at = 1;
  Profile profile = fake_profile(1, 1);
  profile.verify = VerifyBy::ListStones;
  profile.verify_every = 1;
  PoolRig rig({profile}, {drifting, honest});
  rig.start();
  rig.submit(genmove_job(1, 1, {"D4"}));
  EXPECT_EQ(rig.pool().stats("fake").verify_mismatches, 1u);
  EXPECT_EQ(rig.killed().size(), 1u);
  EXPECT_EQ(rig.moved().size(), 1u);
  EXPECT_TRUE(is_move(rig.result(1)));
}

TEST(Verification, LooksAsOftenAsTheProfileSays) {
  Script honest;
  honest.also_knows = {"list_stones"};
  Profile profile = fake_profile(1, 1);
  profile.verify = VerifyBy::ListStones;
  profile.verify_every = 4;
  PoolRig rig({profile}, {honest});
  rig.start();
  for (std::uint64_t id = 1; id <= 12; ++id) rig.submit(genmove_job(id, id, {"D4", "E5"}));
  EXPECT_EQ(rig.pool().stats("fake").verified, 3u);
  EXPECT_EQ(rig.pool().stats("fake").verify_mismatches, 0u);
}

// --- Searches that nobody wants

TEST(Cancel, KillsASearchWhereTheProfileSaysSo) {
  Profile profile = fake_profile(1, 1);
  profile.cancel = CancelBy::Kill;
  PoolRig rig({profile}, {waiting_script(), Script{}});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 2));
  rig.cancel(1);
  EXPECT_EQ(rig.killed().size(), 1u);
  EXPECT_TRUE(is_move(rig.result(2)));
  EXPECT_EQ(rig.pool().stats("fake").killed_cancelled, 1u);
  EXPECT_EQ(rig.moved().size(), 0u);
}

Profile stoppable_profile() {
  Profile profile = fake_profile(1, 1);
  profile.search_command = "kata-search_cancellable";
  profile.search_plays = false;
  profile.analysis = AnalysisDialect::Kata;
  profile.cancel = CancelBy::Stop;
  profile.stop_command = "stop";
  return profile;
}

TEST(Cancel, StopsASearchWhereTheEngineCan) {
  Script script = waiting_script();
  script.persona = tests::Persona::KataGo;
  PoolRig rig({stoppable_profile()}, {script});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.cancel(1);
  EXPECT_TRUE(rig.killed().empty());
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
  rig.submit(genmove_job(2, 1, {"D4"}));
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(2)));
}

TEST(Cancel, StopsASearchThatHasNotBegunYet) {
  Script script = waiting_script();
  script.persona = tests::Persona::KataGo;
  PoolRig rig({stoppable_profile()}, {script});
  rig.start();
  rig.hold_output();
  rig.submit(genmove_job(1, 1));
  rig.cancel(1);
  rig.release_output();
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
  EXPECT_TRUE(rig.last_write(1).ends_with(" stop\n")) << rig.last_write(1);
  EXPECT_TRUE(rig.killed().empty());
}

// `stop` does not stop it, so it is waited out, and killed where a new process is there sooner.
TEST(Cancel, OfAMoveWithAnalysisNeverStopsIt) {
  Script script = waiting_script();
  script.persona = tests::Persona::KataGo;
  Profile profile = stoppable_profile();
  for (const bool is_start_dear : {true, false}) {
    PoolRig rig({profile}, {script});
    rig.hold_output();
    rig.start();
    rig.advance(is_start_dear ? seconds(20) : milliseconds(1));
    rig.release_output();
    Job job = genmove_job(1, 1);
    job.want = Want::GenmoveAnalyze;
    rig.submit(std::move(job));
    rig.advance(seconds(5));  // it has taken long, and may take as long again
    rig.cancel(1);
    EXPECT_EQ(failure_of(rig.result(1)).error, JobError::Cancelled);
    EXPECT_EQ(rig.last_write(1).find("stop"), std::string::npos) << rig.last_write(1);
    EXPECT_EQ(rig.killed().size(), is_start_dear ? 0u : 1u);
    rig.finish_searches();
    EXPECT_EQ(rig.pool().statuses().front().idle, 1);
  }
}

TEST(Cancel, OfAGameOrAClientEndsAllItsJobs) {
  PoolRig rig({fake_profile(1, 1)}, {waiting_script()});
  rig.start();
  for (std::uint64_t id = 1; id <= 4; ++id) {
    Job job = genmove_job(id, id % 2);
    job.client = {id > 2 ? 8u : 7u};
    rig.submit(std::move(job));
  }
  rig.cancel_game(1);
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::Cancelled);
  EXPECT_EQ(failure_of(rig.result(3)).error, JobError::Cancelled);
  EXPECT_EQ(rig.ends_of(2), 0u);
  rig.cancel_client(8);
  EXPECT_EQ(failure_of(rig.result(4)).error, JobError::Cancelled);
  EXPECT_EQ(rig.ends_of(2), 0u);
}

// --- The queue

TEST(Queue, IsLimitedForEachClient) {
  Profile profile = fake_profile(1, 1);
  profile.queue_per_client_max = 2;
  PoolRig rig({profile}, {waiting_script()});
  rig.start();
  for (std::uint64_t id = 1; id <= 4; ++id) {
    Job job = genmove_job(id, id);
    job.client = {7};
    rig.submit(std::move(job));
  }
  const auto failure = failure_of(rig.result(4));
  EXPECT_EQ(failure.error, JobError::QueueFull);
  EXPECT_GT(failure.retry_after, milliseconds(0));
  Job other = genmove_job(5, 5);
  other.client = {8};
  rig.submit(std::move(other));
  EXPECT_EQ(rig.ends_of(5), 0u) << "another client's waits";
}

TEST(WaitEstimate, IsWhatTheWaitTurnsOutToBe) {
  PoolRig rig({fake_profile(2, 2)}, {waiting_script()});
  rig.start();
  for (std::uint64_t id = 1; id <= 40; ++id) {  // it learns that a search takes 200 ms
    rig.submit(genmove_job(id, id));
    rig.advance(milliseconds(200));
    rig.finish_searches();
  }
  EXPECT_EQ(rig.pool().wait_estimate("fake"), milliseconds(0));
  for (std::uint64_t id = 101; id <= 122; ++id) rig.submit(genmove_job(id, id));
  const milliseconds estimate = *rig.pool().wait_estimate("fake");
  milliseconds waited{0};
  rig.submit(genmove_job(999, 999));
  while (rig.pool().statuses().front().queued > 0) {
    rig.advance(milliseconds(200));
    waited += milliseconds(200);
    rig.finish_searches();
  }
  EXPECT_NEAR(static_cast<double>(estimate.count()), static_cast<double>(waited.count()), 300);
}

}  // namespace
}  // namespace tengen::pool
