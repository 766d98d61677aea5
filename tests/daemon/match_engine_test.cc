// The engine's part in a match: its moves and its failures.
#include <gtest/gtest.h>

#include "daemon/seeds.h"
#include "tests/daemon/match_rig.h"

namespace tengen::daemon {
namespace {

using pool::EngineMove;
using pool::JobError;
using pool::JobFailure;
using rules::Color;
using rules::Result;
using rules::ResultKind;

const Result kBlackForfeits{ResultKind::Forfeit, Color::White, 0};
const Result kWhiteForfeits{ResultKind::Forfeit, Color::Black, 0};

// The reason of the forfeit; empty when there was none.
std::string forfeit_reason(const MatchRig& rig) {
  for (const auto& event : rig.game().events()) {
    if (const auto* forfeited = std::get_if<rules::Forfeited>(&event.body))
      return forfeited->reason;
  }
  return {};
}

TEST(MatchEngineTest, AnEngineThatMovesFirstIsAskedAtOnce) {
  const MatchRig rig = two_engines();
  ASSERT_EQ(rig.jobs().size(), 1u);
  const auto& job = rig.jobs().front();
  EXPECT_EQ(job.want, pool::Want::Genmove);
  EXPECT_EQ(job.color, Color::Black);
  EXPECT_EQ(job.profile, "fake");
  EXPECT_EQ(job.game, kRigGame);
  EXPECT_EQ(job.komi_half, 15);
  EXPECT_EQ(Match::number_of(job.id), 1u);
}

TEST(MatchEngineTest, ThePersonsMoveIsInTheEnginesJob) {
  MatchRig rig = against_engine();
  EXPECT_TRUE(rig.jobs().empty());
  rig.play(1, "E5", "a");
  ASSERT_EQ(rig.jobs().size(), 1u);
  EXPECT_EQ(rig.jobs().front().color, Color::White);
  EXPECT_EQ(rig.jobs().front().record.moves(),
            (std::vector{rules::Move::play(Color::Black, vertex("E5"))}));
}

TEST(MatchEngineTest, TheSeatsSettingsTravelWithTheJob) {
  auto seat = engine_seat();
  seat.settings = {{"level", "3"}};
  MatchRig rig(rig_header(human_seat(), seat));
  rig.pass(1, "a");
  EXPECT_EQ(rig.jobs().front().settings, (rules::Settings{{"level", "3"}}));
}

TEST(MatchEngineTest, TheEnginesMoveIsPlayedWithoutARequestId) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_plays("C3");
  EXPECT_EQ(rig.game().events().back(),
            (rules::Event{2, {rig.now().unix_ms, ""}, rules::Played{Color::White, vertex("C3")}}));
  EXPECT_EQ(rig.game().turn(), Color::Black);
  EXPECT_EQ(rig.jobs().size(), 1u);
}

TEST(MatchEngineTest, TwoEnginesAreAskedInTurnEachJobWithItsOwnId) {
  MatchRig rig = two_engines();
  rig.engine_plays("E5");
  rig.engine_plays("C3");
  ASSERT_EQ(rig.jobs().size(), 3u);
  EXPECT_EQ(rig.jobs()[1].color, Color::White);
  EXPECT_EQ(rig.jobs()[2].color, Color::Black);
  EXPECT_NE(rig.jobs()[0].id, rig.jobs()[2].id);
  EXPECT_EQ(rig.match().awaited_jobs(), std::vector{rig.jobs()[2].id});
}

TEST(MatchEngineTest, AnAnswerThatComesTwiceIsIgnored) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  const auto job = rig.jobs().front().id;
  rig.engine_plays("C3");
  rig.done(job, EngineMove{EngineMove::Kind::Play, vertex("D4")});
  EXPECT_EQ(rig.game().seq(), 2u);
}

TEST(MatchEngineTest, AnAnswerToAJobNeverGivenIsIgnored) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.done({rig.jobs().front().id.value + 1}, EngineMove{EngineMove::Kind::Pass, {}});
  EXPECT_EQ(rig.game().seq(), 1u);
  EXPECT_EQ(rig.match().awaited_jobs().size(), 1u);
}

TEST(MatchEngineTest, ResigningCancelsTheEnginesSearchAndItsLateAnswerIsIgnored) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  const auto job = rig.jobs().front().id;
  rig.resign(1, "b");
  EXPECT_EQ(rig.cancelled(), std::vector{job});
  EXPECT_TRUE(rig.match().awaited_jobs().empty());
  const auto end = rig.game().seq();
  rig.done(job, EngineMove{EngineMove::Kind::Play, vertex("C3")});
  EXPECT_EQ(rig.game().seq(), end);
  EXPECT_EQ(rig.jobs().size(), 1u);
}

TEST(MatchEngineTest, AnEngineMayResign) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.done(rig.jobs().front().id, EngineMove{EngineMove::Kind::Resign, {}});
  EXPECT_EQ(rig.game().result(), (Result{ResultKind::Resign, Color::Black, 0}));
}

TEST(MatchEngineTest, AnIllegalMoveIsAskedForOnceMore) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_plays("E5");
  EXPECT_EQ(rig.game().seq(), 1u);
  ASSERT_EQ(rig.jobs().size(), 2u);
  rig.engine_plays("C3");
  EXPECT_EQ(rig.game().seq(), 2u);
}

TEST(MatchEngineTest, ASecondIllegalMoveInARowForfeits) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_plays("E5");
  rig.engine_plays("E5");
  EXPECT_EQ(rig.game().result(), kWhiteForfeits);
  EXPECT_EQ(forfeit_reason(rig), "illegal move: occupied");
  EXPECT_TRUE(rig.match().awaited_jobs().empty());
}

TEST(MatchEngineTest, IllegalMovesThatAreNotInARowAreForgiven) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_plays("E5");
  rig.engine_plays("C3");
  rig.play(1, "F5", "b");
  rig.engine_plays("E5");
  rig.engine_plays("C4");
  EXPECT_FALSE(rig.game().is_finished());
}

TEST(MatchEngineTest, AFailedJobIsAskedForAgainAfterTheDelayAndNotBefore) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::EnginesFailed);
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + std::chrono::seconds(2));
  EXPECT_EQ(rig.jobs().size(), 1u);
  rig.advance(std::chrono::milliseconds(1'999));
  EXPECT_EQ(rig.jobs().size(), 1u);
  rig.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(rig.jobs().size(), 2u);
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
}

TEST(MatchEngineTest, TheThirdFailureInARowForfeits) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  for (int i = 0; i < 2; ++i) {
    rig.engine_fails(JobError::EnginesFailed);
    EXPECT_FALSE(rig.game().is_finished());
    rig.advance(std::chrono::seconds(2));
  }
  rig.engine_fails(JobError::EnginesFailed, "engine 4 died");
  EXPECT_EQ(rig.game().result(), kWhiteForfeits);
  EXPECT_NE(forfeit_reason(rig).find("engine 4 died"), std::string::npos) << forfeit_reason(rig);
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
}

TEST(MatchEngineTest, AMoveInBetweenForgivesEarlierFailures) {
  MatchRig rig = two_engines();
  for (const char* at : {"E5", "C3", "E6"}) {
    for (int i = 0; i < 2; ++i) {
      rig.engine_fails(JobError::EnginesFailed);
      rig.advance(std::chrono::seconds(2));
    }
    rig.engine_plays(at);
  }
  EXPECT_EQ(rig.game().seq(), 3u);
  EXPECT_FALSE(rig.game().is_finished());
}

TEST(MatchEngineTest, AFullQueueOrAProfileThatCannotStartIsWaitedForHoweverLong) {
  for (const auto error : {JobError::QueueFull, JobError::ProfileFailed, JobError::Expired}) {
    MatchRig rig = against_engine();
    rig.play(1, "E5", "a");
    for (int i = 0; i < 10; ++i) {
      rig.engine_fails(error);
      rig.advance(std::chrono::seconds(2));
    }
    EXPECT_FALSE(rig.game().is_finished());
    EXPECT_EQ(rig.jobs().size(), 11u);
  }
}

TEST(MatchEngineTest, ThePoolsOwnEstimateOfTheWaitIsBelieved) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.done(rig.jobs().back().id,
           JobFailure{JobError::QueueFull, "", std::chrono::milliseconds(7'500)});
  EXPECT_EQ(rig.match().deadline(), rig.now().steady + std::chrono::milliseconds(7'500));
}

TEST(MatchEngineTest, AnEngineThatCannotPlayThePositionForfeitsAtOnce) {
  MatchRig rig(rig_header(engine_seat(), human_seat()));
  rig.engine_fails(JobError::PositionRefused);
  EXPECT_EQ(rig.game().result(), kBlackForfeits);
}

// The configuration is not the engine's fault, and can be mended.
TEST(MatchEngineTest, AnEngineThatTheConfigurationDoesNotLetPlayIsWaitedForHoweverLong) {
  for (const auto error : {JobError::NotSupported, JobError::UnknownProfile}) {
    MatchRig rig = against_engine();
    rig.play(1, "E5", "a");
    for (std::size_t asked = 1; asked <= 10; ++asked) {
      rig.engine_fails(error);
      ASSERT_FALSE(rig.game().is_finished());
      EXPECT_TRUE(rig.match().is_stranded(Color::White));
      EXPECT_EQ(rig.match().deadline(), rig.now().steady + std::chrono::seconds(30));
      rig.advance(std::chrono::milliseconds(29'999));
      EXPECT_EQ(rig.jobs().size(), asked);
      rig.advance(std::chrono::milliseconds(1));
      EXPECT_EQ(rig.jobs().size(), asked + 1);
    }
    rig.engine_plays("C3");
    EXPECT_EQ(rig.game().turn(), Color::Black);
    EXPECT_FALSE(rig.match().is_stranded(Color::White));
  }
}

TEST(MatchEngineTest, AReloadAsksAtOnceForOneThatTheConfigurationDidNotLetPlay) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::UnknownProfile);
  rig.advance(std::chrono::seconds(1));
  rig.reload();
  EXPECT_EQ(rig.jobs().size(), 2u);
  rig.reload();
  EXPECT_EQ(rig.jobs().size(), 2u) << "it has been asked";
}

TEST(MatchEngineTest, AReloadDoesNotHastenOtherWaits) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::QueueFull);
  rig.reload();
  EXPECT_EQ(rig.jobs().size(), 1u);
}

TEST(MatchEngineTest, AMoveIsAskedForAgainWithAnotherSeedAfterAnIllegalOneOnly) {
  MatchRig rig = two_engines();
  const auto seed = rig.game().header().seed;
  rig.engine_plays("E5");
  rig.engine_fails(JobError::EnginesFailed);
  rig.advance(std::chrono::seconds(2));
  rig.engine_plays("E5");
  rig.engine_plays("C3");
  rig.engine_plays("C4");
  std::vector<std::uint32_t> seeds;
  for (const auto& job : rig.jobs()) seeds.push_back(job.seed);
  const std::vector<std::uint32_t> expected{engine_seed(seed, {0, 0}), engine_seed(seed, {1, 0}),
                                            engine_seed(seed, {1, 0}), engine_seed(seed, {1, 1}),
                                            engine_seed(seed, {2, 0}), engine_seed(seed, {3, 0})};
  EXPECT_EQ(seeds, expected);
}

TEST(MatchEngineTest, AnEnginesTextInAForfeitIsCleanedAndCut) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::PositionRefused, "bad\n\x1b[31m\xff" + std::string(500, 'x'));
  const std::string reason = forfeit_reason(rig);
  EXPECT_EQ(reason.size(), 200u);
  EXPECT_NE(reason.find("bad??[31m?xxx"), std::string::npos) << reason;
}

TEST(MatchEngineTest, NothingIsAskedWhileADrainingPoolRefusesJobs) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::Draining);
  EXPECT_EQ(rig.jobs().size(), 1u);
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  EXPECT_FALSE(rig.game().is_finished());
}

TEST(MatchEngineTest, ResigningEndsTheWaitForAFailedEngine) {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_fails(JobError::QueueFull);
  rig.resign(1, "b");
  EXPECT_EQ(rig.match().deadline(), std::nullopt);
  rig.advance(std::chrono::seconds(2));
  EXPECT_EQ(rig.jobs().size(), 1u);
}

TEST(MatchEngineTest, AMatchRebuiltInMidSearchAsksAgain) {
  MatchRig before = against_engine();
  before.play(1, "E5", "a");
  auto game = rules::Game::replay(before.game().header(), before.game().events());
  MatchRig rig(std::get<rules::Game>(std::move(game)));
  ASSERT_EQ(rig.jobs().size(), 1u);
  EXPECT_EQ(rig.jobs().front().color, Color::White);
  EXPECT_EQ(Match::number_of(rig.jobs().front().id), 2u);
}

}  // namespace
}  // namespace tengen::daemon
