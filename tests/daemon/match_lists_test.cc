// The dead lists after two passes: who is asked for one, and what becomes of those that fail.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/daemon/match_rig.h"

namespace tengen::daemon {
namespace {

using pool::EngineStones;
using pool::JobError;
using pool::JobFailure;
using rules::Color;
using rules::Result;
using rules::ResultKind;

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

TEST(MatchDeadListsTest, AfterTwoPassesTheEngineIsAskedForItsList) {
  const MatchRig rig = stopped_against_engine();
  EXPECT_EQ(rig.game().phase(), rules::Phase::Marking);
  EXPECT_EQ(rig.jobs().back().want, pool::Want::DeadList);
  EXPECT_EQ(rig.jobs().back().color, Color::White);
  EXPECT_EQ(rig.match().awaited_jobs().size(), 1u);
}

TEST(MatchDeadListsTest, AListIsAQuestionAndAMoveIsAMove) {
  const MatchRig rig = stopped_against_engine();
  EXPECT_EQ(rig.jobs().front().priority, pool::Priority::Move);
  EXPECT_EQ(rig.jobs().back().priority, pool::Priority::Question);
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

std::vector<rules::DeadListed> lists(const MatchRig& rig) {
  std::vector<rules::DeadListed> found;
  for (const auto& event : rig.game().events()) {
    if (const auto* listed = std::get_if<rules::DeadListed>(&event.body)) found.push_back(*listed);
  }
  return found;
}

TEST(MatchDeadListsTest, AnEngineThatCannotListIsNotAskedAgain) {
  for (const auto error : {JobError::NotSupported, JobError::EnginesFailed, JobError::Expired,
                           JobError::ProfileFailed, JobError::PositionRefused}) {
    MatchRig rig = stopped_engines();
    rig.done(rig.job_of(Color::Black), dead({"E5"}));
    rig.done(rig.job_of(Color::White), JobFailure{error, "why"});
    EXPECT_EQ(lists(rig).back(), (rules::DeadListed{Color::White, std::nullopt}));
    EXPECT_EQ(rig.game().result(), kDead);
    EXPECT_EQ(rig.match().deadline(), std::nullopt);
  }
}

TEST(MatchDeadListsTest, AListThatAFullQueueRefusedIsAskedForAgain) {
  MatchRig rig = stopped_against_engine();
  for (int i = 0; i < 10; ++i) {
    const auto asked = rig.jobs().size();
    rig.engine_fails(JobError::QueueFull);
    ASSERT_FALSE(rig.game().is_finished());
    EXPECT_EQ(rig.match().deadline(), rig.now().steady + std::chrono::seconds(2));
    rig.advance(std::chrono::seconds(2));
    ASSERT_EQ(rig.jobs().size(), asked + 1);
    EXPECT_EQ(rig.jobs().back().want, pool::Want::DeadList);
  }
  rig.done(rig.jobs().back().id, dead({"E5"}));
  rig.act(1, protocol::ListDead{}, "c");
  EXPECT_EQ(rig.game().result(), kDead);
}

TEST(MatchDeadListsTest, AListOfAProfileThatIsNoMoreWaitsForItToComeBack) {
  MatchRig rig = stopped_against_engine();
  const auto asked = rig.jobs().size();
  rig.engine_fails(JobError::UnknownProfile);
  ASSERT_FALSE(rig.game().is_finished());
  rig.advance(std::chrono::milliseconds(29'999));
  EXPECT_EQ(rig.jobs().size(), asked);
  rig.advance(std::chrono::milliseconds(1));
  ASSERT_EQ(rig.jobs().size(), asked + 1);
  rig.done(rig.jobs().back().id, dead({"E5"}));
  rig.act(1, protocol::ListDead{}, "c");
  EXPECT_EQ(rig.game().result(), kDead);
}

// White's list comes while black's has to be asked for again; they differ, so all is alive. Black's
// would count as none if the full queue did.
TEST(MatchDeadListsTest, OneListWaitsWhileTheOtherIsAskedForAgain) {
  MatchRig rig = stopped_engines();
  rig.done(rig.job_of(Color::Black), JobFailure{JobError::QueueFull, ""});
  rig.done(rig.job_of(Color::White), dead({"E5"}));
  ASSERT_FALSE(rig.game().is_finished());
  rig.advance(std::chrono::seconds(2));
  EXPECT_EQ(rig.match().awaited_jobs(), std::vector{rig.job_of(Color::Black)});
  rig.done(rig.job_of(Color::Black), dead({}));
  rig.engine_passes();
  rig.engine_passes();
  EXPECT_EQ(rig.game().result(), kAlive);
}

TEST(MatchDeadListsTest, TwoListsAreAskedForAgainWhenTheFirstCanBe) {
  MatchRig rig = stopped_engines();
  const auto asked = rig.jobs().size();
  rig.done(rig.job_of(Color::Black), JobFailure{JobError::QueueFull, ""});
  rig.done(rig.job_of(Color::White), JobFailure{JobError::UnknownProfile, ""});
  rig.advance(std::chrono::seconds(2));
  EXPECT_EQ(rig.jobs().size(), asked + 2);
  EXPECT_EQ(rig.match().awaited_jobs().size(), 2u);
}

TEST(MatchDeadListsTest, TwoThatCannotListAreInTheLogAsSuch) {
  MatchRig rig = stopped_engines();
  rig.done(rig.job_of(Color::Black), kCannot);
  rig.done(rig.job_of(Color::White), kDied);
  EXPECT_EQ(lists(rig), (std::vector<rules::DeadListed>{{Color::Black, std::nullopt},
                                                        {Color::White, std::nullopt}}));
}

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
