// What an operator wants of the pool: an engine replaced, a profile without new games.
#include <gtest/gtest.h>

#include <algorithm>

#include "pool/pool.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::analysis_job;
using tests::fake_profile;
using tests::genmove_job;
using tests::is_move;
using tests::PoolRig;
using tests::Script;
using tests::waiting_script;

TEST(Retire, AnIdleEngineGoesAtOnceAndAnotherFollows) {
  PoolRig rig({fake_profile(1, 1)});
  rig.start();
  EXPECT_TRUE(rig.retire(1));
  EXPECT_EQ(rig.process(1), nullptr);
  EXPECT_NE(rig.process(2), nullptr);
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
  EXPECT_EQ(rig.pool().stats("fake").retired, 1u);
  EXPECT_TRUE(rig.has_note("an operator wants another in its place"));
}

TEST(Retire, AnEngineAtWorkFinishesItsSearchAndTakesNoOther) {
  PoolRig rig({fake_profile(1, 1)}, {waiting_script()});
  rig.start();
  rig.submit(genmove_job(1, 1));
  rig.submit(genmove_job(2, 1));
  EXPECT_TRUE(rig.retire(1));
  EXPECT_TRUE(rig.retire(1)) << "twice is once";
  EXPECT_EQ(rig.ends_of(1), 0u);
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(1)));
  EXPECT_EQ(rig.process(1), nullptr);
  EXPECT_TRUE(rig.killed().empty());
  rig.finish_searches();
  EXPECT_TRUE(is_move(rig.result(2)));
  EXPECT_EQ(rig.writes().back().first, 2u);
  EXPECT_EQ(rig.pool().stats("fake").retired, 1u);
  EXPECT_EQ(rig.pool().stats("fake").moved, 0u) << "nothing has failed";
}

TEST(Retire, AnAnalysisGoesOnWithAnotherEngine) {
  Profile profile = fake_profile(3, 3);
  profile.analysis = AnalysisDialect::Kata;
  Script script;
  script.persona = tests::Persona::KataGo;
  PoolRig rig({profile}, {script});
  rig.start();
  rig.submit(analysis_job(1, 1));
  rig.tick();
  const auto engines = rig.pool().engines("fake");
  const auto at_it = std::find_if(engines.begin(), engines.end(),
                                  [](const EngineStatus& each) { return each.job.has_value(); });
  ASSERT_NE(at_it, engines.end());
  EXPECT_TRUE(rig.retire(at_it->id.value));
  EXPECT_EQ(rig.process(at_it->id.value), nullptr);
  EXPECT_EQ(rig.ends_of(1), 0u);
  const auto told = rig.updates_of(1);
  rig.tick();
  EXPECT_GT(rig.updates_of(1), told);
  EXPECT_EQ(rig.pool().statuses().front().streaming, 1);
}

TEST(Retire, AnEngineThatStartsIsRetiredWhenItIsReady) {
  PoolRig rig({fake_profile(1, 1)});
  rig.hold_output();
  rig.start();
  EXPECT_TRUE(rig.retire(1));
  EXPECT_NE(rig.process(1), nullptr);
  rig.release_output();
  EXPECT_EQ(rig.process(1), nullptr);
  EXPECT_EQ(rig.pool().statuses().front().idle, 1);
}

TEST(Retire, AnEngineThatIsNotThereIsSaidSo) {
  PoolRig rig({fake_profile(1, 1)});
  rig.start();
  EXPECT_FALSE(rig.retire(7));
  EXPECT_FALSE(rig.retire(0));
}

TEST(Intake, AClosedProfileDoesItsJobsAndKeepsNoEngineWarm) {
  Profile profile = fake_profile(2, 2);
  profile.idle_limit = milliseconds(1'000);
  PoolRig rig({profile});
  rig.start();
  EXPECT_TRUE(rig.set_intake("fake", Intake::Closed));
  EXPECT_EQ(rig.pool().intake("fake"), Intake::Closed);
  EXPECT_EQ(rig.pool().statuses().front().intake, Intake::Closed);
  rig.submit(genmove_job(1, 1));
  EXPECT_TRUE(is_move(rig.result(1)));
  rig.advance(seconds(2));
  EXPECT_EQ(rig.alive(), 0u);
  rig.submit(genmove_job(2, 1));
  EXPECT_TRUE(is_move(rig.result(2)));
  EXPECT_EQ(rig.alive(), 1u);
  EXPECT_TRUE(rig.set_intake("fake", Intake::Open));
  EXPECT_EQ(rig.pool().statuses().front().idle, 2);
  rig.advance(seconds(2));
  EXPECT_EQ(rig.alive(), 2u);
}

TEST(Intake, IsOpenAgainAfterAReload) {
  PoolRig rig({fake_profile(1, 1)});
  rig.start();
  EXPECT_TRUE(rig.set_intake("fake", Intake::Closed));
  rig.reload({fake_profile(1, 1)});
  EXPECT_EQ(rig.pool().intake("fake"), Intake::Open);
}

TEST(Intake, OfAnUnknownProfileIsOpenAndCannotBeSet) {
  PoolRig rig({fake_profile(1, 1)});
  rig.start();
  EXPECT_FALSE(rig.set_intake("other", Intake::Closed));
  EXPECT_EQ(rig.pool().intake("other"), Intake::Open);
}

}  // namespace
}  // namespace tengen::pool
