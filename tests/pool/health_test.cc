// When a profile counts as failed, what forgives it, and how its engines are started meanwhile.
#include "pool/health.h"

#include <gtest/gtest.h>

#include "pool/limits.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using tests::failure_of;
using tests::genmove_job;
using tests::PoolRig;
using tests::Script;

constexpr TimePoint kNow{std::chrono::hours(1)};
constexpr ExitStatus kCrash{true, 11};

TEST(Health, DeathsAfterAJobAreForgivenWhenAnEngineOutlivesItsRestAndNotByAnyJob) {
  Health health(1);
  for (int i = 1; i < Limits::kStartFailuresMax; ++i) {
    EXPECT_FALSE(health.on_death_after_job(kNow));
    health.on_ready();
    health.on_job_done();
    EXPECT_EQ(health.failures(), i);
  }
  EXPECT_TRUE(health.on_death_after_job(kNow));
  EXPECT_TRUE(health.is_failed());
  EXPECT_FALSE(health.may_start(kNow));
  health.on_rest_outlived();
  EXPECT_EQ(health.failures(), 0);
  EXPECT_TRUE(health.may_start(kNow));
}

TEST(Health, EachKindOfFailureIsForgivenByItself) {
  Health health(1);
  health.on_start_failure(kNow);
  health.on_idle_death(kNow);
  health.on_death_after_job(kNow);
  for (std::uint64_t job = 1; job <= Limits::kDeadlyJobsMin; ++job) {
    health.on_death_at_work({job}, kNow);
  }
  EXPECT_EQ(health.failures(), 4);
  health.on_job_done();
  EXPECT_EQ(health.failures(), 2);
  health.on_ready();
  EXPECT_EQ(health.failures(), 1);
  health.on_rest_outlived();
  EXPECT_EQ(health.failures(), 0);
}

TEST(Health, HealsOfEverythingAtOnce) {
  Health health(1);
  while (!health.is_failed()) {
    health.on_start_failure(kNow);
    health.on_idle_death(kNow);
    health.on_death_after_job(kNow);
  }
  health.heal();
  EXPECT_EQ(health.failures(), 0);
  EXPECT_EQ(health.restart_at(), std::nullopt);
}

/// Time until the next process is started.
nanoseconds time_to_spawn(PoolRig& rig) {
  const auto spawned = rig.spawned_at().size();
  const TimePoint from = rig.now();
  while (rig.spawned_at().size() == spawned) {
    if (!rig.step()) return nanoseconds::max();
  }
  return rig.spawned_at().back() - from;
}

// Each pause is three quarters of twice the one before to the whole of it.
TEST(IdleDeath, AfterEveryJobBacksOffAndInTheEndFailsTheProfile) {
  PoolRig rig({tests::fake_profile()});
  rig.start();
  milliseconds longest = Limits::kBackoffFirst;
  for (std::uint32_t engine = 1; engine < Limits::kStartFailuresMax; ++engine) {
    rig.submit(genmove_job(engine, engine));
    ASSERT_EQ(rig.ends_of(engine), 1u);
    rig.end_process(engine, kCrash);
    EXPECT_FALSE(rig.pool().statuses().front().failed);
    const auto pause = time_to_spawn(rig);
    EXPECT_GE(pause, longest * 3 / 4) << "death " << engine;
    EXPECT_LE(pause, longest) << "death " << engine;
    longest *= 2;
  }
  constexpr std::uint32_t kLast = Limits::kStartFailuresMax;
  rig.submit(genmove_job(kLast, kLast));
  rig.end_process(kLast, kCrash);
  EXPECT_TRUE(rig.pool().statuses().front().failed);
  rig.submit(genmove_job(99, 99));
  EXPECT_EQ(failure_of(rig.result(99)).error, JobError::ProfileFailed);
  EXPECT_GE(time_to_spawn(rig), Limits::kBackoffMax * 3 / 4);

  // The next one is sound: it works, rests and works again.
  rig.submit(genmove_job(100, 100));
  EXPECT_EQ(rig.ends_of(100), 1u);
  EXPECT_TRUE(rig.pool().statuses().front().failed) << "the others have done one job too";
  rig.submit(genmove_job(101, 101));
  EXPECT_EQ(rig.ends_of(101), 1u);
  EXPECT_FALSE(rig.pool().statuses().front().failed);
}

void submit_next(PoolRig& rig, std::uint64_t& last_job) {
  ++last_job;
  rig.submit(genmove_job(last_job, last_job));
}

TEST(IdleDeath, OfAnEngineThatHasServedForLongIsNoTrend) {
  PoolRig rig({tests::fake_profile()});
  rig.start();
  std::uint64_t job = 0;
  for (std::uint32_t engine = 1; engine <= 3 * Limits::kStartFailuresMax; ++engine) {
    for (int i = 0; i < 5; ++i) submit_next(rig, job);
    rig.end_process(engine, kCrash);
    EXPECT_LE(time_to_spawn(rig), Limits::kBackoffFirst);
  }
  EXPECT_FALSE(rig.pool().statuses().front().failed);
}

TEST(IdleDeath, IsForgivenWhenAnEngineIsSentHomeAfterALongRest) {
  Profile profile = tests::fake_profile();
  profile.processes_warm = 0;
  profile.idle_limit = seconds(60);
  PoolRig rig({profile});
  rig.start();
  std::uint64_t job = 0;
  for (std::uint32_t round = 0; round < 2 * Limits::kStartFailuresMax; ++round) {
    submit_next(rig, job);
    rig.end_process(2 * round + 1, kCrash);
    submit_next(rig, job);
    rig.advance(seconds(100));
    EXPECT_EQ(rig.alive(), 0u);
    EXPECT_FALSE(rig.pool().statuses().front().failed);
  }
}

}  // namespace
}  // namespace tengen::pool
