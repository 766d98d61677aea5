// The engine's part in a match: its moves, its failures, its dead list.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/daemon/match_rig.h"

namespace tengen::daemon {
namespace {

using pool::EngineMove;
using pool::EngineStones;
using pool::JobError;
using pool::JobFailure;
using rules::Color;
using rules::Result;
using rules::ResultKind;

const Result kBlackForfeits{ResultKind::Forfeit, Color::White, 0};
const Result kWhiteForfeits{ResultKind::Forfeit, Color::Black, 0};

MatchRig against_engine() { return MatchRig(rig_header(human_seat(), engine_seat())); }
MatchRig two_engines() { return MatchRig(rig_header(engine_seat(), engine_seat())); }

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
  for (const auto error :
       {JobError::PositionRefused, JobError::NotSupported, JobError::UnknownProfile}) {
    MatchRig rig(rig_header(engine_seat(), human_seat()));
    rig.engine_fails(error);
    EXPECT_EQ(rig.game().result(), kBlackForfeits);
  }
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

// After two passes. Black has E5 and white nothing, so that by area black leads 81 to 0 with E5
// alive, and 0 to 0 when it is dead; the komi is 7.5.
const Result kAlive{ResultKind::Score, Color::Black, 2 * 81 - 15};
const Result kDead{ResultKind::Score, Color::White, 15};

MatchRig stopped_against_engine() {
  MatchRig rig = against_engine();
  rig.play(1, "E5", "a");
  rig.engine_passes();
  rig.pass(1, "b");
  return rig;
}

MatchRig stopped_engines() {
  MatchRig rig = two_engines();
  rig.engine_plays("E5");
  rig.engine_passes();
  rig.engine_passes();
  return rig;
}

EngineStones dead(std::initializer_list<const char*> vertices) {
  EngineStones list;
  for (const char* text : vertices) list.points.push_back(vertex(text));
  return list;
}

TEST(MatchDeadListsTest, AfterTwoPassesTheEngineIsAskedForItsList) {
  const MatchRig rig = stopped_against_engine();
  EXPECT_EQ(rig.game().phase(), rules::Phase::Marking);
  EXPECT_EQ(rig.jobs().back().want, pool::Want::DeadList);
  EXPECT_EQ(rig.jobs().back().color, Color::White);
  EXPECT_EQ(rig.match().awaited_jobs().size(), 1u);
}

TEST(MatchDeadListsTest, APersonMayTakeTheEnginesList) {
  MatchRig rig = stopped_against_engine();
  rig.done(rig.jobs().back().id, dead({"E5"}));
  EXPECT_FALSE(rig.game().is_finished());
  rig.act(1, protocol::ListDead{}, "c");
  EXPECT_EQ(rig.game().result(), kDead);
  MatchRig other = stopped_against_engine();
  other.act(1, protocol::ListDead{}, "c");
  EXPECT_FALSE(other.game().is_finished());
  other.done(other.jobs().back().id, dead({}));
  EXPECT_EQ(other.game().result(), kAlive);
}

TEST(MatchDeadListsTest, APersonWhoListsNothingInTimeTakesTheOthersList) {
  MatchRig rig = stopped_against_engine();
  rig.done(rig.jobs().back().id, dead({"E5"}));
  rig.advance(rules::kMarkingTime - std::chrono::milliseconds(1));
  EXPECT_FALSE(rig.game().is_finished());
  rig.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(rig.game().result(), kDead);
}

// Case 19: the person marks a living group dead, the engine finds nothing dead.
TEST(MatchDeadListsTest, ListsThatDifferAreCleanedUpOnTheBoard) {
  MatchRig rig = stopped_against_engine();
  rig.done(rig.jobs().back().id, dead({}));
  const auto answer = rig.act(1, protocol::ListDead{std::vector<std::string>{"E5"}}, "c");
  EXPECT_EQ(accepted_in(answer).seq, rig.game().seq() - 1);
  EXPECT_EQ(rig.game().phase(), rules::Phase::Cleanup);
  EXPECT_EQ(rig.game().turn(), Color::White) << "black passed last";
  EXPECT_EQ(rig.jobs().back().want, pool::Want::CleanupGenmove);
  rig.engine_plays("C3");
  rig.pass(1, "d");
  EXPECT_EQ(rig.jobs().back().want, pool::Want::CleanupGenmove);
  rig.engine_passes();
  ASSERT_TRUE(rig.game().is_finished()) << "the next two passes end it";
  EXPECT_TRUE(rig.game().score()->removed.empty());
  EXPECT_EQ(rig.game().score()->black_half, 2);
  EXPECT_EQ(rig.game().score()->white_half, 2 + 15);
}

TEST(MatchDeadListsTest, AnEngineThatCannotCleanUpPasses) {
  MatchRig rig = stopped_against_engine();
  rig.done(rig.jobs().back().id, dead({}));
  rig.act(1, protocol::ListDead{std::vector<std::string>{"E5"}}, "c");
  rig.engine_fails(JobError::NotSupported);
  EXPECT_EQ(rig.game().turn(), Color::Black);
  rig.pass(1, "d");
  EXPECT_EQ(rig.game().result(), kAlive);
}

TEST(MatchDeadListsTest, AListSentAgainGetsTheFirstAnswer) {
  MatchRig rig = stopped_against_engine();
  const auto first = rig.act(1, protocol::ListDead{std::vector<std::string>{"E5"}}, "c");
  const auto again = rig.act(1, protocol::ListDead{std::vector<std::string>{"E5"}}, "c");
  EXPECT_EQ(accepted_in(first), accepted_in(again));
  EXPECT_NE(accepted_in(first).seq, 0u);
  EXPECT_EQ(error_in(rig.act(1, protocol::ListDead{}, "c")).code,
            protocol::ErrorCode::RequestIdConflict);
  EXPECT_EQ(error_in(rig.act(1, protocol::ListDead{}, "d")).code, protocol::ErrorCode::WrongPhase);
}

TEST(MatchDeadListsTest, AListMustNameStones) {
  MatchRig rig = stopped_against_engine();
  EXPECT_EQ(error_in(rig.act(1, protocol::ListDead{std::vector<std::string>{"C3"}}, "c")).reason,
            "bad-list");
  EXPECT_EQ(error_in(rig.act(1, protocol::ListDead{std::vector<std::string>{"Z9"}}, "c")).code,
            protocol::ErrorCode::InvalidVertex);
}

TEST(MatchDeadListsTest, ALateListAfterAResignationIsIgnored) {
  MatchRig rig = stopped_against_engine();
  const auto job = rig.jobs().back().id;
  rig.resign(1, "c");
  EXPECT_EQ(rig.cancelled(), std::vector{job});
  rig.done(job, dead({"E5"}));
  EXPECT_EQ(rig.game().result(), (Result{ResultKind::Resign, Color::White, 0}));
}

TEST(MatchDeadListsTest, PlayingWhileListsAreAwaitedIsTheWrongPhase) {
  MatchRig rig = stopped_against_engine();
  EXPECT_EQ(error_in(rig.play(1, "C3", "c")).code, protocol::ErrorCode::WrongPhase);
}

TEST(MatchDeadListsTest, TwoPeopleWhoListNothingLeaveAllAlive) {
  MatchRig rig(rig_header(human_seat(), human_seat()));
  rig.play(1, "E5", "a");
  rig.pass(2, "b");
  rig.pass(1, "c");
  EXPECT_FALSE(rig.game().is_finished());
  rig.advance(rules::kMarkingTime);
  EXPECT_EQ(rig.game().result(), kAlive);
}

TEST(MatchDeadListsTest, TwoPeopleWhoAgreeLiftWhatIsDead) {
  MatchRig rig(rig_header(human_seat(), human_seat()));
  rig.play(1, "E5", "a");
  rig.pass(2, "b");
  rig.pass(1, "c");
  rig.act(2, protocol::ListDead{std::vector<std::string>{"E5"}}, "d");
  rig.act(1, protocol::ListDead{std::vector<std::string>{"E5"}}, "e");
  EXPECT_EQ(rig.game().result(), kDead);
}

TEST(MatchDeadListsTest, BothEnginesAreAskedAtTheSameTime) {
  const MatchRig rig = stopped_engines();
  ASSERT_EQ(rig.match().awaited_jobs().size(), 2u);
  EXPECT_TRUE(std::all_of(rig.jobs().end() - 2, rig.jobs().end(),
                          [](const pool::Job& job) { return job.want == pool::Want::DeadList; }));
}

struct ListsCase {
  const char* name;
  pool::JobResult black;
  pool::JobResult white;
  Result result;
};

class TwoEngineLists : public testing::TestWithParam<ListsCase> {};

TEST_P(TwoEngineLists, DecideTheResultInEitherOrder) {
  for (const bool is_black_first : {true, false}) {
    MatchRig rig = stopped_engines();
    const auto black = rig.job_of(Color::Black);
    const auto white = rig.job_of(Color::White);
    rig.done(is_black_first ? black : white, is_black_first ? GetParam().black : GetParam().white);
    EXPECT_FALSE(rig.game().is_finished());
    rig.done(is_black_first ? white : black, is_black_first ? GetParam().white : GetParam().black);
    // Lists that differ lead to two more passes.
    while (!rig.game().is_finished() && rig.game().is_in_play()) rig.engine_passes();
    EXPECT_EQ(rig.game().result(), GetParam().result);
    EXPECT_TRUE(rig.match().awaited_jobs().empty());
  }
}

const JobFailure kCannot{JobError::NotSupported, "no such command"};
const JobFailure kDied{JobError::EnginesFailed, "gone"};

INSTANTIATE_TEST_SUITE_P(
    Lists, TwoEngineLists,
    testing::Values(ListsCase{"EqualRemoves", dead({"E5"}), dead({"E5"}), kDead},
                    ListsCase{"EqualAndEmpty", dead({}), dead({}), kAlive},
                    ListsCase{"UnequalAllAlive", dead({}), dead({"E5"}), kAlive},
                    ListsCase{"BlackCannot", kCannot, dead({"E5"}), kDead},
                    ListsCase{"WhiteDied", dead({"E5"}), kDied, kDead},
                    ListsCase{"NeitherCan", kCannot, kDied, kAlive},
                    ListsCase{"EmptyPointIsNoList", dead({"C3"}), dead({"E5"}), kDead},
                    ListsCase{"NamedTwice", dead({"E5", "E5"}), dead({"E5"}), kDead}),
    [](const auto& each) { return each.param.name; });

TEST(MatchDeadListsTest, ADrainingPoolLeavesTheListForTheNextRun) {
  MatchRig rig = stopped_against_engine();
  const auto jobs = rig.jobs().size();
  rig.engine_fails(JobError::Draining);
  EXPECT_EQ(rig.jobs().size(), jobs);
  EXPECT_FALSE(rig.game().is_finished());
  auto game = rules::Game::replay(rig.game().header(), rig.game().events());
  MatchRig next(std::get<rules::Game>(std::move(game)));
  ASSERT_EQ(next.jobs().size(), 1u);
  EXPECT_EQ(next.jobs().front().want, pool::Want::DeadList);
}

}  // namespace
}  // namespace tengen::daemon
