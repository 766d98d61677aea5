// Streams of analysis through the pool: they begin, they tell, they end at a limit or for a move,
// and they never leave a profile without an engine.
#include <gtest/gtest.h>

#include "pool/limits.h"
#include "pool/pool.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::analysis_job;
using tests::failure_of;
using tests::genmove_job;
using tests::Persona;
using tests::PoolRig;
using tests::Script;

Profile analysis_profile(int processes) {
  Profile profile = tests::fake_profile();
  profile.processes_warm = processes;
  profile.processes_max = processes;
  profile.size_max = 19;
  profile.analysis = AnalysisDialect::Kata;
  profile.stream_limit = seconds(60);
  profile.answer_limit = milliseconds(1000);
  profile.search_limit = milliseconds(5000);
  return profile;
}

Script katago() {
  Script script;
  script.persona = Persona::KataGo;
  return script;
}

bool is_end(const JobResult& result) { return std::holds_alternative<AnalysisEnd>(result); }

class StreamTest : public ::testing::Test {
 protected:
  explicit StreamTest() : rig_({analysis_profile(3)}, {katago()}) { rig_.start(); }
  ProfileStatus status() { return rig_.pool().statuses().front(); }
  ~StreamTest() override {
    for (std::uint32_t id = 1; id <= 10; ++id) {
      const auto* process = rig_.process(id);
      if (process != nullptr) {
        EXPECT_EQ(process->insult().value_or(""), "");
      }
    }
  }
  PoolRig rig_;
};

TEST_F(StreamTest, TellsEachUpdateAndEndsWhenItIsCancelled) {
  rig_.submit(analysis_job(1, 1));
  EXPECT_EQ(status().streaming, 1);
  rig_.tick();
  rig_.tick();
  EXPECT_EQ(rig_.updates_of(1), 2u);
  EXPECT_FALSE(rig_.updates().front().analysis->candidates.empty());
  rig_.cancel(1);
  EXPECT_EQ(failure_of(rig_.result(1)).error, JobError::Cancelled);
  EXPECT_EQ(status().idle, 3) << "the fence was answered";
  EXPECT_TRUE(rig_.killed().empty());
  rig_.tick();
  EXPECT_EQ(rig_.updates_of(1), 2u);
}

TEST_F(StreamTest, EndsAtItsOwnTimeAndAtTheProfilesLimit) {
  Job job = analysis_job(1, 1);
  job.analysis.time_max = milliseconds(700);
  rig_.submit(std::move(job));
  rig_.submit(analysis_job(2, 2));
  for (int i = 0; i < 7; ++i) {
    rig_.tick();
    rig_.advance(milliseconds(99));
  }
  EXPECT_EQ(rig_.ends_of(1), 0u);
  rig_.advance(milliseconds(7));
  EXPECT_TRUE(is_end(rig_.result(1)));
  for (int i = 0; i < 60; ++i) {
    rig_.tick();
    rig_.advance(seconds(1));
  }
  EXPECT_TRUE(is_end(rig_.result(2)));
}

TEST_F(StreamTest, EndsWhenTheRootHasEnoughVisits) {
  Job job = analysis_job(1, 1);
  job.analysis.visits_max = 1;
  rig_.submit(std::move(job));
  rig_.tick();
  ASSERT_TRUE(is_end(rig_.result(1)));
  EXPECT_EQ(std::get<AnalysisEnd>(rig_.result(1)).updates, 1u);
}

TEST_F(StreamTest, NeverTakesTheLastEngine) {
  for (std::uint64_t id = 1; id <= 3; ++id) rig_.submit(analysis_job(id, id));
  EXPECT_EQ(status().streaming, 2);
  EXPECT_EQ(status().idle, 1);
  rig_.submit(genmove_job(9, 9));
  EXPECT_TRUE(std::holds_alternative<EngineMove>(rig_.result(9)));
  rig_.cancel(1);
  EXPECT_EQ(status().streaming, 2) << "the third one's turn";
}

TEST(Stream, IsRefusedWhereThereIsOnlyOneEngineOrNoDialect) {
  PoolRig one({analysis_profile(1)}, {katago()});
  one.start();
  one.submit(analysis_job(1, 1));
  EXPECT_EQ(failure_of(one.result(1)).error, JobError::NotSupported);
  Profile mute = analysis_profile(3);
  mute.analysis = AnalysisDialect::None;
  PoolRig other({mute}, {katago()});
  other.start();
  other.submit(analysis_job(1, 1));
  EXPECT_EQ(failure_of(other.result(1)).error, JobError::NotSupported);
}

TEST_F(StreamTest, MakesRoomForAMoveAndGoesOnAfterwards) {
  rig_.submit(analysis_job(1, 1));
  rig_.submit(analysis_job(2, 2));
  rig_.advance(seconds(2));
  rig_.hold_output();
  rig_.submit(genmove_job(10, 10));
  rig_.submit(genmove_job(11, 11));
  EXPECT_EQ(status().queued, 1u) << "one engine was free, a stream is being stopped for the other";
  rig_.release_output();
  EXPECT_TRUE(std::holds_alternative<EngineMove>(rig_.result(10)));
  EXPECT_TRUE(std::holds_alternative<EngineMove>(rig_.result(11)));
  EXPECT_EQ(rig_.pool().stats("fake").preempted, 1u);
  EXPECT_EQ(status().streaming, 2) << "it goes on";
  const auto before = rig_.updates_of(1) + rig_.updates_of(2);
  rig_.tick();
  EXPECT_EQ(rig_.updates_of(1) + rig_.updates_of(2), before + 2);
  rig_.cancel(1);
  rig_.cancel(2);
  EXPECT_EQ(rig_.ends_of(1) + rig_.ends_of(2), 2u);
}

// Two streams and a list that takes its time: the engine of either stream would be of no use to the
// second list, which waits for the first.
TEST(Preemption, IsNotForAListThatWaitsForAnother) {
  Script counting = katago();
  counting.hang_at = 8;  // the handshake is 1 to 4, the empty board 5 to 7
  Profile profile = analysis_profile(3);
  profile.list_limit = seconds(60);
  PoolRig rig({profile}, {counting, katago(), katago()});
  rig.start();
  rig.submit(tests::list_job(1, 1));
  rig.submit(analysis_job(2, 2));
  rig.submit(analysis_job(3, 3));
  EXPECT_EQ(rig.pool().statuses().front().streaming, 2);
  rig.submit(tests::list_job(4, 4));
  for (int i = 0; i < 20; ++i) {
    rig.advance(milliseconds(500));
    rig.tick();
  }
  EXPECT_EQ(rig.pool().stats("fake").preempted, 0u);
  EXPECT_EQ(rig.updates_of(2), 20u);
  Job question = genmove_job(5, 5);
  question.want = Want::RegGenmove;
  question.priority = Priority::Question;
  rig.submit(std::move(question));
  EXPECT_EQ(rig.ends_of(5), 1u) << "other questions are worth a stream's engine";
  EXPECT_EQ(rig.pool().stats("fake").preempted, 1u);
}

TEST(Preemption, TakesTheStreamThatHasRunLongest) {
  Script script = katago();
  script.searches_wait = true;
  PoolRig rig({analysis_profile(3)}, {script});
  rig.start();
  rig.submit(analysis_job(1, 1));
  rig.submit(analysis_job(2, 2));
  rig.advance(milliseconds(100));
  rig.cancel(1);
  rig.submit(genmove_job(3, 3));  // on the third, which has rested longer
  rig.advance(seconds(1));
  rig.submit(analysis_job(4, 4));
  ASSERT_TRUE(rig.process(1)->is_streaming()) << "the younger one";
  ASSERT_TRUE(rig.process(2)->is_streaming());
  rig.advance(seconds(1));
  rig.submit(genmove_job(5, 5));
  EXPECT_TRUE(rig.process(1)->is_streaming());
  EXPECT_TRUE(rig.process(2)->is_searching());
  EXPECT_EQ(rig.pool().stats("fake").preempted, 1u);
}

TEST(StreamFault, GoesToAnotherEngineWhenItsOwnCrashes) {
  Script crashing = katago();
  crashing.stream_crash_at = 2;
  PoolRig rig({analysis_profile(3)}, {crashing, katago()});
  rig.start();
  rig.submit(analysis_job(1, 1));
  rig.tick();
  rig.tick();
  EXPECT_EQ(rig.moved().size(), 1u);
  rig.tick();
  EXPECT_EQ(rig.updates_of(1), 2u);
  rig.cancel(1);
  EXPECT_EQ(rig.ends_of(1), 1u);
}

TEST(StreamFault, IsKilledWhenItDoesNotStop) {
  Script hanging = katago();
  hanging.stream_hangs = true;
  PoolRig rig({analysis_profile(2)}, {hanging, katago()});
  rig.start();
  rig.submit(analysis_job(1, 1));
  rig.tick();
  rig.cancel(1);
  EXPECT_TRUE(rig.killed().empty());
  rig.advance(milliseconds(1000));
  EXPECT_EQ(rig.killed().size(), 1u);
  EXPECT_EQ(rig.ends_of(1), 1u);
}

TEST(StreamFault, HasHungWhenItSaysNothingForAsLongAsASearchMayTake) {
  PoolRig rig({analysis_profile(2)}, {katago()});
  rig.start();
  rig.submit(analysis_job(1, 1));
  rig.tick();
  rig.advance(milliseconds(4999));
  EXPECT_TRUE(rig.killed().empty());
  rig.advance(milliseconds(1));
  EXPECT_EQ(rig.killed().size(), 1u);
  EXPECT_EQ(rig.moved().size(), 1u);
}

TEST(StreamFault, ForgivesSomeLinesThatCannotBeReadAndNotMany) {
  Script odd = katago();
  odd.stream_nan_at = 1;
  PoolRig rig({analysis_profile(2)}, {odd});
  rig.start();
  rig.submit(analysis_job(1, 1));
  rig.tick();
  EXPECT_EQ(rig.updates_of(1), 0u);
  rig.tick();
  EXPECT_EQ(rig.updates_of(1), 1u);
  for (int i = 0; i < Limits::kBadUpdatesMax; ++i) rig.say(1, "info move D4 visits x\n");
  EXPECT_EQ(rig.killed().size(), 1u);
}

TEST(StreamFault, IsFencedOffWhenItsPositionWasRefused) {
  Script refusing = katago();
  refusing.refuse_play_at = 1;
  PoolRig rig({analysis_profile(2)}, {refusing});
  rig.start();
  Job job = genmove_job(1, 1, {"D4"});
  job.want = Want::Analyze;
  job.priority = Priority::Analysis;
  rig.submit(std::move(job));
  EXPECT_EQ(rig.pool().stats("fake").refusals, 1u);
  rig.tick();
  EXPECT_EQ(rig.updates_of(1), 1u) << "after a replay";
  EXPECT_EQ(rig.process(1)->record().moves().size(), 1u);
}

TEST(GenmoveAnalyze, TellsUpdatesAndThenItsMove) {
  Script script = katago();
  PoolRig rig({analysis_profile(2)}, {script});
  rig.start();
  Job job = genmove_job(1, 1);
  job.want = Want::GenmoveAnalyze;
  rig.submit(std::move(job));
  EXPECT_TRUE(std::holds_alternative<EngineMove>(rig.result(1)));
  EXPECT_GE(rig.updates_of(1), 1u);
}

}  // namespace
}  // namespace tengen::pool
