// The pool with scripted engines in virtual time: jobs get exactly one end whatever engines do.
#include "pool/pool.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pool/limits.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using tests::failure_of;
using tests::fake_profile;
using tests::genmove_job;
using tests::is_move;
using tests::kFirstGenmove;
using tests::list_job;
using tests::PoolRig;
using tests::Script;

TEST(Pool, StartsItsWarmEnginesAndDoesAJob) {
  PoolRig rig({fake_profile(2, 3)});
  rig.start();
  const ProfileStatus status = rig.pool().statuses().front();
  EXPECT_EQ(status.idle, 2);
  EXPECT_EQ(status.engine_name, "Scripted");
  rig.submit(genmove_job(1, 1));
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_TRUE(rig.pool().open_jobs().empty());
}

TEST(Pool, RefusesAnUnknownProfile) {
  PoolRig rig({fake_profile()});
  rig.start();
  Job job = genmove_job(1, 1);
  job.profile = "other";
  rig.submit(std::move(job));
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::UnknownProfile);
  EXPECT_EQ(rig.pool().find_profile("other"), nullptr);
  EXPECT_NE(rig.pool().find_profile("fake"), nullptr);
}

TEST(Pool, ServesSeveralGamesWithOneProcessEachInOneWrite) {
  PoolRig rig({fake_profile()});
  rig.start();
  rig.hold_output();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 2, {"D4"}));
  rig.submit(genmove_job(3, 3, {"C3", "E5"}));
  EXPECT_EQ(rig.pool().open_jobs().size(), 3u);
  rig.release_output();
  for (std::uint64_t job = 1; job <= 3; ++job) EXPECT_TRUE(is_move(rig.result(job)));
  ASSERT_EQ(rig.writes().size(), 4u);  // the handshake and one for each job
  EXPECT_EQ(rig.writes()[2].second,
            "9 boardsize 9\n10 clear_board\n11 komi 7.5\n12 play B D4\n13 genmove W\n");
}

TEST(Pool, GivesAGameTheEngineThatHoldsIt) {
  PoolRig rig({fake_profile(2, 2)});
  rig.start();
  rig.advance(milliseconds(1));
  rig.submit(genmove_job(1, 1, {"D4"}));
  rig.submit(genmove_job(2, 2, {"E5"}));
  const auto first = std::get<EngineMove>(rig.result(1)).point;
  const std::string vertex = rules::gtp_vertex(first, {9, 9});
  const std::string next = vertex == "A1" ? "B1" : "A1";
  rig.submit(genmove_job(3, 1, {"D4", vertex, next}));
  EXPECT_EQ(rig.writes().back().first, 1u);
  EXPECT_TRUE(rig.writes().back().second.find("boardsize") == std::string::npos);
}

TEST(Pool, DoesNotWaitForABusyEngineWhenAnotherIsIdle) {
  PoolRig rig({fake_profile(2, 2)});
  rig.start();
  rig.hold_output();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 1));
  EXPECT_EQ(rig.pool().statuses().front().busy, 2);
}

TEST(Pool, StartsMoreEnginesWhileJobsWaitButNeverMoreThanAllowed) {
  PoolRig rig({fake_profile(1, 3)});
  rig.start();
  rig.hold_output();
  for (std::uint64_t job = 1; job <= 6; ++job) rig.submit(genmove_job(job, job));
  EXPECT_EQ(rig.spawned_at().size(), 3u);
  EXPECT_EQ(rig.pool().statuses().front().queued, 5u);
  rig.release_output();
  for (std::uint64_t job = 1; job <= 6; ++job) EXPECT_TRUE(is_move(rig.result(job)));
}

TEST(Pool, RetiresEnginesBeyondTheWarmOnesOnceTheyHadNoWorkForLong) {
  Profile profile = fake_profile(1, 3);
  profile.idle_limit = milliseconds(1000);
  PoolRig rig({profile});
  rig.start();
  rig.hold_output();
  for (std::uint64_t job = 1; job <= 3; ++job) rig.submit(genmove_job(job, job));
  rig.release_output();
  ASSERT_EQ(rig.pool().statuses().front().idle, 3);
  rig.advance(milliseconds(600));
  rig.submit(genmove_job(4, 1));  // one of them is at work again
  rig.advance(milliseconds(399));
  EXPECT_EQ(rig.pool().statuses().front().idle, 3);
  rig.advance(milliseconds(1));
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
  EXPECT_EQ(rig.alive(), 1u);
  EXPECT_TRUE(rig.killed().empty()) << "they are asked, not killed";
  rig.advance(std::chrono::hours(1));
  EXPECT_EQ(rig.pool().statuses().front().idle, 1) << "the warm one stays";
}

TEST(Pool, SaysQueueFullAtTheLimit) {
  Profile profile = fake_profile();
  profile.queue_max = 2;
  PoolRig rig({profile});
  rig.start();
  rig.hold_output();
  for (std::uint64_t job = 1; job <= 4; ++job) rig.submit(genmove_job(job, job));
  EXPECT_EQ(failure_of(rig.result(4)).error, JobError::QueueFull);
  rig.release_output();
  for (std::uint64_t job = 1; job <= 3; ++job) EXPECT_TRUE(is_move(rig.result(job)));
}

// Each fault strikes the first process at its first genmove; the second process behaves.
class PoolFault : public ::testing::TestWithParam<std::pair<const char*, Script>> {};

TEST_P(PoolFault, ReplacesTheEngineAndTriesTheJobOnceMore) {
  PoolRig rig({fake_profile()}, {GetParam().second, Script{}});
  rig.start();
  rig.submit(genmove_job(1, 1));
  while (rig.ends_of(1) == 0) ASSERT_TRUE(rig.step());
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_EQ(rig.spawned_at().size(), 2u);
}

TEST_P(PoolFault, GivesUpAfterTwoEngines) {
  PoolRig rig({fake_profile()}, {GetParam().second});
  rig.start();
  rig.submit(genmove_job(1, 1));
  while (rig.ends_of(1) == 0) ASSERT_TRUE(rig.step());
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::EnginesFailed);
  EXPECT_EQ(rig.pool().statuses().front().idle, 1) << "a fresh engine is warm again";
  EXPECT_EQ(rig.spawned_at().size(), 3u);
  EXPECT_FALSE(rig.pool().statuses().front().failed);
}

std::pair<const char*, Script> fault(const char* name, void (*spoil)(Script&)) {
  Script script;
  spoil(script);
  return {name, script};
}

INSTANTIATE_TEST_SUITE_P(
    All, PoolFault,
    ::testing::Values(fault("Hang", [](Script& s) { s.hang_at = kFirstGenmove; }),
                      fault("HangInSync", [](Script& s) { s.hang_at = 6; }),
                      fault("Crash", [](Script& s) { s.crash_at = kFirstGenmove; }),
                      fault("CrashInSync", [](Script& s) { s.crash_at = 5; }),
                      fault("Garbage", [](Script& s) { s.garbage_at = kFirstGenmove; }),
                      fault("WrongId", [](Script& s) { s.wrong_id_at = kFirstGenmove; })),
    [](const auto& each) { return std::string(each.param.first); });

TEST(Pool, KillsAHungEngineAtItsLimitAndNotBefore) {
  Script hanging;
  hanging.hang_at = kFirstGenmove;
  Profile profile = fake_profile();
  profile.search_limit = milliseconds(5000);
  PoolRig rig({profile}, {hanging, Script{}});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.advance(milliseconds(4999));
  EXPECT_TRUE(rig.killed().empty());
  rig.advance(milliseconds(1));
  EXPECT_EQ(rig.killed().count(1), 1u);
  EXPECT_TRUE(is_move(rig.result(1)));
}

TEST(Pool, GivesTheJobOfADeadEngineToAnIdleOneAtOnce) {
  PoolRig rig({fake_profile(2, 2)});
  rig.start();
  rig.hold_output();
  rig.submit(genmove_job(1, 1));
  rig.end_process(1, {true, 11});
  EXPECT_NE(rig.last_write(2).find("genmove B"), std::string::npos);
}

TEST(Pool, QuotesTheLastWordsOfADeadEngine) {
  PoolRig rig({fake_profile()});
  rig.start();
  rig.say_on_stderr(1, "assertion failed: liberties > 0\n");
  rig.end_process(1, {true, 6});
  EXPECT_TRUE(rig.has_note("fake was killed by signal 6"));
  EXPECT_TRUE(rig.has_note("; its last words: assertion failed"));
}

TEST(Pool, ReplaysOnceAfterARefusedPlayAndThenUsesTheMove) {
  Script refusing;
  refusing.refuse_play_at = 1;
  PoolRig rig({fake_profile()}, {refusing});
  rig.start();
  rig.submit(genmove_job(1, 1, {"D4"}));
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_EQ(rig.spawned_at().size(), 1u);
}

TEST(Pool, TellsTheGameThatItsPositionIsRefused) {
  Script refusing;
  refusing.refuse_play_at = 1;
  refusing.refuse_plays_after_that = true;
  PoolRig rig({fake_profile()}, {refusing});
  rig.start();
  rig.submit(genmove_job(1, 1, {"D4"}));
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::PositionRefused);
  rig.submit(genmove_job(2, 2));
  EXPECT_TRUE(is_move(rig.result(2))) << "the engine serves others";
}

TEST(Pool, PassesAnIllegalMoveOnAndReplaysAfterIt) {
  Script illegal;
  illegal.illegal_at = 1;
  PoolRig rig({fake_profile()}, {illegal});
  rig.start();
  rig.submit(genmove_job(1, 1, {"D4"}));
  const auto move = std::get<EngineMove>(rig.result(1));
  EXPECT_EQ(rules::gtp_vertex(move.point, {9, 9}), "D4") << "the rules judge, not the pool";
  rig.submit(genmove_job(2, 1, {"D4", "pass"}));
  EXPECT_TRUE(is_move(rig.result(2)));
  EXPECT_TRUE(rig.last_write(1).find("clear_board") != std::string::npos);
}

TEST(Pool, ListsDeadStonesAndSaysNotSupportedWhereItIsNotListed) {
  Script listing;
  listing.dead = Script::Dead::All;
  PoolRig able({fake_profile()}, {listing});
  able.start();
  able.submit(list_job(1, 1, {"D4", "E5"}));
  EXPECT_EQ(std::get<EngineStones>(able.result(1)).points.size(), 2u);
  Script unable;
  unable.dead = Script::Dead::Unsupported;
  PoolRig other({fake_profile()}, {unable});
  other.start();
  other.submit(list_job(1, 1));
  EXPECT_EQ(failure_of(other.result(1)).error, JobError::NotSupported);
  other.submit(genmove_job(2, 1));
  EXPECT_TRUE(is_move(other.result(2)));
}

TEST(Pool, BacksOffFromAProgramThatCannotStartAndFailsTheProfile) {
  PoolRig rig({fake_profile()});
  rig.spawns_fail = true;
  rig.start();
  rig.submit(genmove_job(1, 1));
  while (rig.ends_of(1) == 0) ASSERT_TRUE(rig.step());
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::ProfileFailed);
  const auto& at = rig.spawned_at();
  ASSERT_EQ(at.size(), 6u);
  milliseconds longest(250);
  for (std::size_t i = 1; i < at.size(); ++i, longest *= 2) {
    const auto pause = at[i] - at[i - 1];
    EXPECT_LE(pause, longest);
    EXPECT_GE(pause, longest * 3 / 4);
  }
  EXPECT_TRUE(rig.pool().statuses().front().failed);
  rig.submit(genmove_job(2, 1));
  EXPECT_EQ(failure_of(rig.result(2)).error, JobError::ProfileFailed);
}

TEST(Pool, TriesAFailedProfileAtTheLongestPauseAndASuccessHealsIt) {
  PoolRig rig({fake_profile(0, 2)});
  rig.spawns_fail = true;
  rig.start();
  rig.submit(genmove_job(1, 1));
  while (rig.ends_of(1) == 0) ASSERT_TRUE(rig.step());
  const std::size_t before = rig.spawned_at().size();
  rig.advance(milliseconds(22'000));
  EXPECT_EQ(rig.spawned_at().size(), before);
  rig.spawns_fail = false;
  rig.advance(milliseconds(8'000));
  EXPECT_EQ(rig.spawned_at().size(), before + 1);
  EXPECT_FALSE(rig.pool().statuses().front().failed);
  rig.submit(genmove_job(2, 1));
  EXPECT_TRUE(is_move(rig.result(2)));
}

TEST(Pool, BacksOffFromAnEngineThatDiesOrHangsInItsHandshake) {
  for (const int fault : {0, 1}) {
    Script script;
    (fault == 0 ? script.crash_at : script.hang_at) = 2;
    Profile profile = fake_profile();
    profile.start_limit = milliseconds(1000);
    PoolRig rig({profile}, {script});
    rig.start();
    while (!rig.pool().statuses().front().failed) ASSERT_TRUE(rig.step());
    EXPECT_EQ(rig.spawned_at().size(), 6u);
  }
}

TEST(Pool, BacksOffFromEnginesThatDieIdleBeforeTheirFirstJob) {
  PoolRig rig({fake_profile()});
  rig.start();
  for (std::uint32_t engine = 1; engine <= 6; ++engine) {
    ASSERT_EQ(rig.spawned_at().size(), engine);
    rig.end_process(engine, {false, 0});
    ASSERT_EQ(rig.spawned_at().size(), engine) << "not at once";
    rig.step();
  }
  EXPECT_TRUE(rig.pool().statuses().front().failed);
  rig.submit(genmove_job(1, 1));
  EXPECT_TRUE(is_move(rig.result(1))) << "but one that lives is used";
  EXPECT_FALSE(rig.pool().statuses().front().failed);
}

TEST(Pool, StartsWithAnotherSeedAfterOtherPauses) {
  std::vector<TimePoint> starts[2];
  for (const std::uint64_t seed : {0u, 1u}) {
    PoolRig rig({fake_profile()}, {Script{}}, 100 + seed);
    rig.spawns_fail = true;
    rig.start();
    for (int i = 0; i < 8; ++i) rig.step();
    starts[seed] = rig.spawned_at();
  }
  EXPECT_NE(starts[0], starts[1]);
}

TEST(Pool, CancelsAWaitingJobAndARunningOneAtOnce) {
  PoolRig rig({fake_profile()});
  rig.start();
  rig.hold_output();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 2));
  rig.cancel(2);
  EXPECT_EQ(failure_of(rig.result(2)).error, JobError::Cancelled);
  rig.cancel(1);
  rig.cancel(1);
  EXPECT_EQ(failure_of(rig.result(1)).error, JobError::Cancelled);
  EXPECT_EQ(rig.pool().statuses().front().busy, 1) << "until its answer has come";
  EXPECT_TRUE(rig.pool().open_jobs().empty());
  rig.release_output();
  EXPECT_EQ(rig.ends_of(1), 1u);
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
  rig.cancel(77);
}

TEST(Pool, DoesNotRetryACancelledJobWhoseEngineHangs) {
  Script hanging;
  hanging.hang_at = kFirstGenmove;
  PoolRig rig({fake_profile()}, {hanging, Script{}});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.cancel(1);
  while (rig.killed().empty()) ASSERT_TRUE(rig.step());
  EXPECT_EQ(rig.ends_of(1), 1u);
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
}

TEST(Pool, DrainsByAskingEnginesToQuitAndEndsEveryJob) {
  PoolRig rig({fake_profile(2, 2)});
  rig.start();
  rig.hold_output();
  for (std::uint64_t job = 1; job <= 3; ++job) rig.submit(genmove_job(job, job));
  rig.drain();
  for (std::uint64_t job = 1; job <= 3; ++job) {
    EXPECT_EQ(failure_of(rig.result(job)).error, JobError::Draining);
  }
  EXPECT_FALSE(rig.pool().is_gone());
  rig.release_output();
  EXPECT_TRUE(rig.pool().is_gone());
  EXPECT_TRUE(rig.killed().empty());
  rig.submit(genmove_job(4, 1));
  EXPECT_EQ(failure_of(rig.result(4)).error, JobError::Draining);
  EXPECT_EQ(rig.spawned_at().size(), 2u);
  EXPECT_EQ(rig.pool().deadline(), std::nullopt);
}

TEST(Pool, KillsEnginesThatDoNotQuitWithinTheGrace) {
  Script hanging;
  hanging.hang_at = 5;
  PoolRig rig({fake_profile()}, {hanging});
  rig.start();
  rig.drain();
  rig.advance(milliseconds(1999));
  EXPECT_FALSE(rig.pool().is_gone());
  rig.advance(milliseconds(1));
  EXPECT_TRUE(rig.pool().is_gone());
  EXPECT_EQ(rig.killed().size(), 1u);
}

TEST(Pool, IgnoresEventsOfEnginesItDoesNotKnow) {
  PoolRig rig({fake_profile()});
  rig.start();
  rig.say(99, "=1 2\n\n");
  rig.end_process(99, {false, 0});
  rig.say_on_stderr(99, "x");
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
}

TEST(Pool, KeepsProfilesApart) {
  Profile other = fake_profile();
  other.name = "other";
  PoolRig rig({fake_profile(), other});
  rig.start();
  Job job = genmove_job(1, 1);
  job.profile = "other";
  rig.submit(std::move(job));
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_EQ(rig.writes().back().first, 2u);
}

TEST(Pool, GivesEveryJobOneEndUnderManyFaultsAtOnce) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::vector<Script> scripts(40);
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      const std::uint64_t dice = (seed * 40 + i) * 0x9e3779b97f4a7c15u >> 40;
      const int at = 1 + static_cast<int>(dice / 8 % 30);
      int* const faults[] = {&scripts[i].hang_at,        &scripts[i].crash_at,
                             &scripts[i].garbage_at,     &scripts[i].wrong_id_at,
                             &scripts[i].refuse_play_at, &scripts[i].illegal_at};
      if (dice % 8 < std::size(faults)) *faults[dice % 8] = at;
    }
    PoolRig rig({fake_profile(2, 4)}, scripts, seed);
    rig.start();
    for (std::uint64_t job = 1; job <= 60; ++job) {
      rig.submit(genmove_job(job, job % 7, {"D4", "E5"}));
      if (job % 9 == 0) rig.cancel(job - 3);
      if (job % 5 == 0) rig.advance(milliseconds(700));
    }
    while (!rig.pool().open_jobs().empty()) ASSERT_TRUE(rig.step());
    for (std::uint64_t job = 1; job <= 60; ++job)
      ASSERT_EQ(rig.ends_of(job), 1u) << "seed " << seed;
    rig.drain();
    while (!rig.pool().is_gone()) ASSERT_TRUE(rig.step());
  }
}

}  // namespace
}  // namespace tengen::pool
