// The order of calls, the engine's part in them, and calls that are sent again.
#include "daemon/virtual_engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <set>

#include "tests/daemon/virtual_rig.h"

namespace tengen::daemon {
namespace {

using pool::JobError;
using protocol::ErrorCode;
using rules::Color;
using tests::id_request;
using tests::move_text;
using tests::play_request;

TEST(VirtualEngineTest, GenMoveAsksThePoolWithAllThatAnEngineNeeds) {
  auto spec = virtual_spec();
  spec.settings = {{"level", "3"}};
  spec.client = pool::ClientId{7};
  spec.start.komi_half = 13;
  VirtualRig rig(spec);
  rig.play_all({"B D4"});
  const auto request = rig.send("GenMove", tests::color_request(42, Color::White));
  EXPECT_FALSE(rig.is_answered(request));
  ASSERT_EQ(rig.jobs().size(), 1u);
  const pool::Job& job = rig.jobs().front();
  EXPECT_EQ(job.want, pool::Want::Genmove);
  EXPECT_EQ(job.color, Color::White);
  EXPECT_EQ(job.profile, "fake");
  EXPECT_EQ(job.settings, (rules::Settings{{"level", "3"}}));
  EXPECT_EQ(job.rules, kVirtualRules);
  EXPECT_EQ(job.komi_half, 13);
  EXPECT_EQ(job.client, pool::ClientId{7});
  EXPECT_EQ(job.priority, pool::Priority::Move);
  EXPECT_EQ(job.clock, std::nullopt);
  EXPECT_EQ(job.record.moves().size(), 1u);
  EXPECT_EQ(rig.engine().awaited_job(), job.id);

  rig.engine_plays("E5");
  EXPECT_EQ(tests::WireReader(rig.reply(request)).number(1), 42);
  EXPECT_EQ(move_text(rig.reply(request)), "W E5");
  EXPECT_EQ(rig.record().moves().size(), 2u);
  EXPECT_EQ(job.record.moves().size(), 1u);  // a job's record is nobody's to change
}

TEST(VirtualEngineTest, ItsJobsAreToldFromThoseOfMatches) {
  VirtualRig rig;
  rig.genmove("B");
  rig.engine_passes();
  rig.genmove("W");
  ASSERT_EQ(rig.jobs().size(), 2u);
  EXPECT_NE(rig.jobs()[0].id, rig.jobs()[1].id);
  for (const pool::Job& job : rig.jobs()) {
    EXPECT_TRUE(VirtualEngine::is_its_job(job.id));
    EXPECT_EQ(VirtualEngine::number_of(job.id), 5u);
  }
  EXPECT_FALSE(VirtualEngine::is_its_job(pool::JobId{std::uint64_t{0x7fffffff} << 32 | 1}));
}

TEST(VirtualEngineTest, APassIsPlayedAndAResignationChangesNothing) {
  VirtualRig rig;
  const auto pass = rig.genmove("B");
  rig.engine_passes();
  EXPECT_EQ(move_text(rig.reply(pass)), "B pass");
  EXPECT_EQ(rig.record().moves().size(), 1u);
  const auto resign = rig.genmove("W");
  rig.done(pool::EngineMove{pool::EngineMove::Kind::Resign, {}});
  EXPECT_EQ(move_text(rig.reply(resign)), "W resign");
  EXPECT_EQ(rig.record().moves().size(), 1u);
  rig.play_all({"W A1"});
}

TEST(VirtualEngineTest, AnIllegalMoveIsAskedForAgainWithAnotherSeed) {
  VirtualRig rig;
  rig.play_all({"B D4"});
  const auto request = rig.genmove("W");
  rig.engine_plays("D4");
  EXPECT_FALSE(rig.is_answered(request));
  ASSERT_EQ(rig.jobs().size(), 2u);
  EXPECT_NE(rig.jobs()[0].id, rig.jobs()[1].id);
  EXPECT_NE(rig.jobs()[0].seed, rig.jobs()[1].seed);
  rig.engine_plays("E5");
  EXPECT_EQ(move_text(rig.reply(request)), "W E5");
}

TEST(VirtualEngineTest, AnEngineThatGoesOnWithIllegalMovesFailsTheCallAndNothingChanges) {
  VirtualRig rig;
  rig.play_all({"B D4"});
  const auto request = rig.genmove("W");
  for (int i = 0; i < kVirtualIllegalAnswersMax; ++i) rig.engine_plays("D4");
  EXPECT_EQ(rig.error(request).code, ErrorCode::EngineCannotPlay);
  EXPECT_EQ(rig.error(request).reason, "illegal-move");
  EXPECT_EQ(rig.record().moves().size(), 1u);
  // The next call has as many answers again.
  const auto next = rig.genmove("W");
  rig.engine_plays("D4");
  EXPECT_FALSE(rig.is_answered(next));
}

TEST(VirtualEngineTest, TheSamePositionIsSearchedWithTheSameSeed) {
  VirtualRig rig;
  rig.genmove("B");
  rig.engine_plays("E5");
  rig.genmove("W");
  rig.engine_plays("C3");
  EXPECT_EQ(rig.undo(), "");
  rig.genmove("W");
  ASSERT_EQ(rig.jobs().size(), 3u);
  EXPECT_NE(rig.jobs()[0].seed, rig.jobs()[1].seed);
  EXPECT_EQ(rig.jobs()[1].seed, rig.jobs()[2].seed);
}

TEST(VirtualEngineTest, AFailedSearchIsTheFramesErrorAndChangesNothing) {
  const struct {
    JobError error;
    ErrorCode code;
  } kCases[] = {
      {JobError::UnknownProfile, ErrorCode::UnknownProfile},
      {JobError::QueueFull, ErrorCode::Unavailable},
      {JobError::ProfileFailed, ErrorCode::Unavailable},
      {JobError::EnginesFailed, ErrorCode::EngineCannotPlay},
      {JobError::PositionRefused, ErrorCode::EngineCannotPlay},
      {JobError::NotSupported, ErrorCode::EngineCannotPlay},
      {JobError::Expired, ErrorCode::Unavailable},
      {JobError::Cancelled, ErrorCode::Unavailable},
      {JobError::Draining, ErrorCode::Unavailable},
  };
  VirtualRig rig;
  for (const auto& each : kCases) {
    const auto request = rig.genmove("B");
    rig.engine_fails(each.error);
    EXPECT_EQ(rig.error(request).code, each.code) << name_of(each.error);
    std::string word(name_of(each.error));
    std::replace(word.begin(), word.end(), ' ', '-');
    EXPECT_EQ(rig.error(request).reason, word);
    EXPECT_EQ(rig.error(request).message, std::string(name_of(each.error)) + ": why");
    EXPECT_TRUE(rig.record().moves().empty());
  }
}

TEST(VirtualEngineTest, AFailureSaysWhenItIsWorthAskingAgain) {
  VirtualRig rig;
  const auto request = rig.genmove("B");
  rig.done(pool::JobFailure{JobError::QueueFull, "full", std::chrono::milliseconds(1'500)});
  EXPECT_EQ(rig.error(request).retry_after_ms, 1'500u);
}

TEST(VirtualEngineTest, CallsBehindASearchWaitAndAreAnsweredInTheirOrder) {
  VirtualRig rig;
  const auto search = rig.genmove("B");
  const auto play = rig.send("Play", play_request(2, Color::White, "E5"));
  const auto second = rig.genmove("B");
  const auto name = rig.send("Name", id_request(4));
  EXPECT_TRUE(rig.answered().empty());
  EXPECT_EQ(rig.jobs().size(), 1u);
  EXPECT_EQ(rig.engine().waiting(), 4u);
  rig.engine_plays("E5");  // the move that waits comes too late for that point
  EXPECT_EQ(rig.answered(), (std::vector{search, play}));
  EXPECT_EQ(tests::error_text(rig.reply(play)), "illegal move");
  ASSERT_EQ(rig.jobs().size(), 2u);
  rig.engine_plays("D4");
  EXPECT_EQ(rig.answered(), (std::vector{search, play, second, name}));
  EXPECT_EQ(rig.engine().waiting(), 0u);
}

TEST(VirtualEngineTest, ACallThatIsRefusedAsItStandsNeedNotWait) {
  VirtualRig rig;
  rig.genmove("B");
  const auto empty = rig.send("Play", id_request(2));
  EXPECT_EQ(tests::error_text(rig.reply(empty)), "a move is needed");
  EXPECT_EQ(rig.error(rig.send("Pass", "")).reason, "method");
  EXPECT_EQ(rig.error(rig.send("Play", "\xff")).reason, "request");
}

TEST(VirtualEngineTest, SoManyCallsMayWaitAndNoMore) {
  VirtualEngineLimits limits;
  limits.calls_waiting_max = 3;
  VirtualRig rig(virtual_spec(), limits);
  rig.genmove("B", "a");
  rig.genmove("B", "a");  // sent again: waits for the same answer
  rig.send("Name", id_request(1));
  const auto refused = rig.send("Name", id_request(2));
  EXPECT_EQ(rig.error(refused).code, ErrorCode::LimitReached);
  EXPECT_EQ(rig.error(refused).reason, "calls_waiting_max");
  EXPECT_EQ(rig.error(rig.genmove("B", "a")).reason, "calls_waiting_max");
  rig.engine_passes();
  EXPECT_EQ(rig.engine().waiting(), 0u);
  rig.ask("Name", id_request(3));
}

TEST(VirtualEngineTest, ARawCommandOfTheProfileIsAskedOfAnEngine) {
  VirtualRig rig;
  rig.play_all({"B D4"});
  const auto request = rig.send("Raw", "countlib  D4");
  ASSERT_EQ(rig.jobs().size(), 1u);
  EXPECT_EQ(rig.jobs()[0].want, pool::Want::Raw);
  EXPECT_EQ(rig.jobs()[0].command, "countlib D4");
  EXPECT_EQ(rig.jobs()[0].priority, pool::Priority::Question);
  EXPECT_EQ(rig.jobs()[0].record.moves().size(), 1u);
  rig.done(pool::EngineText{true, "4"});
  EXPECT_EQ(rig.reply(request), "= 4");
}

TEST(VirtualEngineTest, WhatAnEngineRefusesIsAnAnswerAndWhatThePoolCannotDoAnError) {
  VirtualRig rig;
  const auto declined = rig.send("Raw", "countlib Z9");
  rig.done(pool::EngineText{false, "invalid vertex"});
  EXPECT_EQ(rig.reply(declined), "? invalid vertex");
  const auto unfit = rig.send("Raw", "countlib #");
  rig.done(pool::JobFailure{JobError::NotSupported, "cannot be sent"});
  EXPECT_EQ(rig.reply(unfit), "? cannot be sent");
  const auto late = rig.send("Raw", "captures black");
  rig.engine_fails(JobError::QueueFull);
  EXPECT_EQ(rig.error(late).code, ErrorCode::Unavailable);
}

TEST(VirtualEngineTest, AMoveThatIsAskedForAgainIsNotSearchedTwice) {
  VirtualRig rig;
  const auto first = rig.genmove("B", "r1");
  const auto while_searching = rig.genmove("B", "r1");
  rig.engine_plays("E5");
  EXPECT_EQ(rig.reply(while_searching), rig.reply(first));
  rig.play_all({"W C3"});
  const auto later = rig.genmove("B", "r1");
  EXPECT_EQ(rig.reply(later), rig.reply(first));
  EXPECT_EQ(rig.jobs().size(), 1u);
  EXPECT_EQ(rig.record().moves().size(), 2u);
}

TEST(VirtualEngineTest, APlayThatIsSentAgainIsPlayedOnceInEitherSpelling) {
  VirtualRig rig;
  const std::string request = play_request(1, Color::Black, "D4");
  const auto first = rig.send("Play", request, "r1");
  EXPECT_EQ(rig.reply(rig.send("Play", request, "r1")), rig.reply(first));
  EXPECT_EQ(tests::error_text(rig.reply(first)), "");
  EXPECT_EQ(rig.record().moves().size(), 1u);
  const auto refused = rig.send("Play", request, "r2");
  EXPECT_EQ(tests::error_text(rig.reply(refused)), "illegal move");
  EXPECT_EQ(rig.undo(), "");
  // A refusal is an answer too.
  EXPECT_EQ(rig.reply(rig.send("Play", request, "r2")), rig.reply(refused));
  const auto komi = rig.send("Komi", tests::komi_request(1, 5.5f), "r3");
  EXPECT_EQ(rig.reply(rig.send("SetKomi", tests::komi_request(1, 5.5f), "r3")), rig.reply(komi));
}

TEST(VirtualEngineTest, ARequestIdIsForOneCall) {
  VirtualRig rig;
  rig.send("Play", play_request(1, Color::Black, "D4"), "r1");
  const auto other_point = rig.send("Play", play_request(1, Color::Black, "E5"), "r1");
  EXPECT_EQ(rig.error(other_point).code, ErrorCode::RequestIdConflict);
  const auto other_number = rig.send("Play", play_request(2, Color::Black, "D4"), "r1");
  EXPECT_EQ(rig.error(other_number).code, ErrorCode::RequestIdConflict);
  rig.genmove("W", "r2");
  EXPECT_EQ(rig.error(rig.genmove("B", "r2")).code, ErrorCode::RequestIdConflict);
  EXPECT_EQ(rig.record().moves().size(), 1u);
}

TEST(VirtualEngineTest, ACallThatFailedByAnErrorIsDoneWhenItIsSentAgain) {
  VirtualRig rig;
  const auto first = rig.genmove("B", "r1");
  rig.engine_fails(JobError::QueueFull);
  EXPECT_EQ(rig.error(first).code, ErrorCode::Unavailable);
  const auto again = rig.genmove("B", "r1");
  EXPECT_EQ(rig.jobs().size(), 2u);
  rig.engine_plays("E5");
  EXPECT_EQ(move_text(rig.reply(again)), "B E5");
}

TEST(VirtualEngineTest, OnlyTheNewestAnswersAreKept) {
  VirtualEngineLimits limits;
  limits.answers_kept_max = 2;
  VirtualRig rig(virtual_spec(), limits);
  rig.send("Play", play_request(1, Color::Black, "A1"), "r1");
  rig.send("Play", play_request(1, Color::Black, "B1"), "r2");
  rig.send("Play", play_request(1, Color::Black, "C1"), "r3");
  const auto kept = rig.send("Play", play_request(1, Color::Black, "B1"), "r2");
  EXPECT_EQ(tests::error_text(rig.reply(kept)), "");
  const auto forgotten = rig.send("Play", play_request(1, Color::Black, "A1"), "r1");
  EXPECT_EQ(tests::error_text(rig.reply(forgotten)), "illegal move");
}

TEST(VirtualEngineTest, KeptAnswersHaveALongestLengthTogetherButForTheNewest) {
  VirtualEngineLimits limits;
  limits.answer_bytes_kept_max = 20;
  VirtualRig rig(virtual_spec(), limits);
  const auto ask = [&](const char* id, std::size_t length) {
    rig.send("Raw", "countlib A1", id);
    const std::size_t jobs = rig.jobs().size();
    if (rig.engine().awaited_job()) rig.done(pool::EngineText{true, std::string(length, 'x')});
    return jobs;
  };
  EXPECT_EQ(ask("r1", 8), 1u);  // ten bytes each: two of them fit
  EXPECT_EQ(ask("r2", 8), 2u);
  EXPECT_EQ(ask("r1", 8), 2u);
  EXPECT_EQ(ask("r3", 9), 3u);
  EXPECT_EQ(ask("r1", 8), 4u);  // forgotten, and takes the place of another
  EXPECT_EQ(ask("r4", 500), 5u);
  EXPECT_EQ(ask("r4", 500), 5u);
  EXPECT_EQ(ask("r3", 9), 6u);
}

TEST(VirtualEngineTest, QuitIsAnsweredAndEndsTheEngine) {
  VirtualRig rig;
  EXPECT_EQ(rig.ask("Quit", id_request(6)), id_request(6));
  EXPECT_TRUE(rig.engine().is_over());
  EXPECT_EQ(rig.error(rig.send("Name", id_request(1))).reason, "engine");
}

TEST(VirtualEngineTest, QuitWaitsForTheSearchBeforeItAndWhatComesAfterIsRefused) {
  VirtualRig rig;
  const auto search = rig.genmove("B");
  const auto quit = rig.send("Quit", id_request(6));
  const auto name = rig.send("Name", id_request(1));
  EXPECT_FALSE(rig.engine().is_over());
  rig.engine_plays("E5");
  EXPECT_EQ(rig.answered(), (std::vector{search, quit, name}));
  EXPECT_EQ(move_text(rig.reply(search)), "B E5");
  EXPECT_EQ(rig.error(name).reason, "engine");
  EXPECT_TRUE(rig.engine().is_over());
  EXPECT_TRUE(rig.cancelled().empty());
}

TEST(VirtualEngineTest, AnEngineThatIsEndedTakesItsJobBackAndRefusesWhatWaits) {
  VirtualRig rig;
  const auto search = rig.genmove("B", "r1");
  const auto again = rig.genmove("B", "r1");
  const auto name = rig.send("Name", id_request(1));
  rig.end();
  EXPECT_EQ(rig.cancelled(), std::vector{rig.jobs()[0].id});
  for (const auto request : {search, again, name}) {
    EXPECT_EQ(rig.error(request).reason, "engine");
  }
  rig.engine_passes();  // too late
  EXPECT_TRUE(rig.record().moves().empty());
}

TEST(VirtualEngineTest, JobsThatAreNotWaitedForAreIgnored) {
  VirtualRig rig;
  rig.genmove("B");
  const auto first = rig.jobs().back().id;
  rig.engine_plays("E5");
  rig.done(first, pool::EngineMove{pool::EngineMove::Kind::Pass, {}});
  EXPECT_EQ(rig.record().moves().size(), 1u);
  const auto second = rig.genmove("W");
  rig.done(first, pool::EngineMove{pool::EngineMove::Kind::Pass, {}});
  EXPECT_FALSE(rig.is_answered(second));
}

}  // namespace
}  // namespace tengen::daemon
