// Clocks through frames, the real pool and a restart, in virtual time.
#include <gtest/gtest.h>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Accepted;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Snapshot;
using rules::ClockFace;
using rules::Color;
using rules::EventBody;
using rules::MoveTime;

constexpr rules::Result kFlagOfWhite{rules::ResultKind::Timeout, Color::Black, 0};

protocol::CreateGame timed(protocol::CreateGame create, std::string_view clock) {
  create.time = std::get<rules::TimeControl>(rules::parse_time_control(clock));
  return create;
}

MoveTime last_time(const std::vector<rules::Event>& events) {
  MoveTime time;
  for (const auto& event : events) {
    if (const auto* played = std::get_if<rules::Played>(&event.body)) time = played->time;
  }
  return time;
}

struct HubClocksTest : testing::Test {
  explicit HubClocksTest(HubConfig config = rig_config())
      : rig(std::move(config), {waiting_engine()}) {}

  HubRig rig;
  ConnId client = rig.join();
  ConnId watcher = rig.join();

  rules::GameId make(protocol::CreateGame create) {
    const auto game = rig.make_game(client, std::move(create));
    rig.ask<protocol::Subscribed>(watcher, protocol::Subscribe{game, 0});
    return game;
  }
  Snapshot snapshot(rules::GameId game) {
    return rig.ask<Snapshot>(client, protocol::GetSnapshot{game});
  }
};

HubConfig with_long_searches() {
  auto config = rig_config();
  config.profiles[0].search_limit = 10min;
  return config;
}

struct HubServerLagTest : HubClocksTest {
  HubServerLagTest() : HubClocksTest(with_long_searches()) {}
};

TEST_F(HubClocksTest, AGameHasTheClockItWasMadeWith) {
  const auto create = timed(people_game("a"), "byoyomi:600+5x30");
  const auto game = make(create);
  rig.advance(2s);
  const auto now = snapshot(game);
  EXPECT_EQ(now.header.clock, create.time);
  const ClockFace face{600s, 30s, 5, 0};
  EXPECT_EQ(now.clocks, (protocol::Clocks{{face, face}, Color::Black, 2s}));
  EXPECT_EQ(rig.ask<protocol::GameCreated>(client, create).game, game);
  EXPECT_EQ(rig.ask<Error>(client, people_game("a")).code, ErrorCode::RequestIdConflict);
  EXPECT_EQ(rig.ask<Error>(client, timed(people_game("a"), "byoyomi:600+5x31")).code,
            ErrorCode::RequestIdConflict);
}

TEST_F(HubClocksTest, AMoveTellsItsTimeAndTheMoversClock) {
  const auto game = make(timed(people_game("a"), "fischer:10+2"));
  rig.advance(3s);
  rig.ask<Accepted>(client, rig.play(game, "E5", 0, "", 1));
  const auto events = rig.pushed(watcher);
  ASSERT_EQ(events.size(), 1u);
  const rules::Played played = std::get<rules::Played>(events[0].body);
  EXPECT_EQ(played.time, (MoveTime{3s, 0s}));
  EXPECT_EQ(played.left, (ClockFace{9s, 0s, 0, 0}));
}

TEST_F(HubClocksTest, AFlagFallsByItselfAndWatchersAreTold) {
  const auto game = make(timed(people_game("a"), "absolute:10"));
  rig.advance(1s);
  rig.ask<Accepted>(client, rig.play(game, "E5", 0, "", 1));
  rig.advance(10s);
  EXPECT_EQ(rig.pushed(watcher).size(), 1u);
  rig.advance(1ns);
  const auto events = rig.pushed(watcher);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].body, EventBody(rules::TimedOut{Color::White}));
  EXPECT_EQ(events[2].body, EventBody(rules::Finished{kFlagOfWhite}));
  EXPECT_EQ(rig.ask<Error>(client, rig.play(game, "C3", 1, "", 2)).code, ErrorCode::GameOver);
  EXPECT_EQ(snapshot(game).clocks->running, std::nullopt);
}

TEST_F(HubClocksTest, AFlagIsToldOnlyOnceItIsDurable) {
  const auto game = make(timed(people_game("a"), "absolute:10"));
  rig.is_store_held = true;
  rig.advance(11s);
  EXPECT_TRUE(rig.pushed(watcher).empty());
  rig.finish_commit();
  EXPECT_EQ(rig.pushed(watcher).size(), 2u);
  EXPECT_EQ(rig.commits().back().batch.finished, std::vector{game});
}

TEST_F(HubClocksTest, AnEnginePaysFromItsPositionToItsMove) {
  const auto game = make(timed(engine_game("a"), "absolute:60"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(4s);
  rig.finish_searches();
  EXPECT_EQ(last_time(rig.pushed(watcher)), (MoveTime{4s, 0s}));
  EXPECT_EQ(snapshot(game).clocks->faces[1].main_left, 56s);
}

// One process and two games: the second game's job waits for as long as the first one's search.
TEST_F(HubClocksTest, AnEngineNeverPaysForTheQueue) {
  const auto first = make(timed(engine_game("a"), "absolute:60"));
  const auto second = make(timed(engine_game("b"), "absolute:10"));
  rig.ask<Accepted>(client, rig.play(first, "E5", 0));
  rig.ask<Accepted>(client, rig.play(second, "E5", 0));
  rig.advance(30s);  // three times what the second game has
  rig.finish_searches();
  rig.advance(5s);
  rig.finish_searches();
  const auto snapshots = std::pair{snapshot(first), snapshot(second)};
  EXPECT_EQ(snapshots.first.clocks->faces[1].main_left, 30s);
  EXPECT_EQ(snapshots.second.clocks->faces[1].main_left, 5s);
  EXPECT_EQ(last_time(rig.pushed(watcher)), (MoveTime{5s, 30s}));
}

// One process and two games: the second one waits for longer than the server may be late.
TEST_F(HubServerLagTest, AGameThatTheServerKeepsWaitingPausesAndGoesOnByItself) {
  const auto first = rig.make_game(client, timed(engine_game("a"), "absolute:600"));
  const auto second = make(timed(engine_game("b"), "absolute:10"));
  rig.ask<Accepted>(client, rig.play(first, "E5", 0));
  rig.ask<Accepted>(client, rig.play(second, "E5", 0));
  rig.advance(60s - 1ns);
  EXPECT_FALSE(snapshot(second).paused);
  rig.is_store_held = true;
  const auto told = rig.pushed(watcher).size();
  rig.advance(1ns);
  EXPECT_EQ(rig.pushed(watcher).size(), told) << "only once it is durable";
  rig.is_store_held = false;
  rig.finish_commit();
  ASSERT_EQ(rig.pushed(watcher).size(), told + 1);
  EXPECT_EQ(rig.pushed(watcher).back().body,
            EventBody(rules::Paused{
                Color::White, {0s, 60s}, {10s, 0s, 0, 0}, rules::PauseReason::ServerLag}));
  EXPECT_FALSE(snapshot(first).paused) << "an engine is at that one";
  const auto paused = snapshot(second);
  EXPECT_EQ(paused.paused, rules::PauseReason::ServerLag);
  EXPECT_EQ(paused.clocks->running, std::nullopt);
  EXPECT_EQ(paused.waiting, protocol::Waiting::EngineQueue);
  const auto refused =
      rig.ask<Error>(client, protocol::GameAct{second, 0, "u", 1, protocol::Unpause{}});
  EXPECT_EQ(refused.code, ErrorCode::WrongPhase);
  EXPECT_EQ(refused.reason, "paused");
  rig.advance(100s);
  rig.finish_searches();
  EXPECT_EQ(rig.pushed(watcher).back().body, EventBody(rules::Unpaused{Color::White}));
  EXPECT_EQ(snapshot(second).clocks->running, Color::White);
  rig.advance(5s);
  rig.finish_searches();
  EXPECT_EQ(last_time(rig.pushed(watcher)), (MoveTime{5s, 0s}));
  EXPECT_EQ(snapshot(second).clocks->faces[1].main_left, 5s);
  EXPECT_EQ(snapshot(first).clocks->faces[1].main_left, 600s - 160s);
  const auto kept = snapshot(second).clocks->faces;
  rig.restart();
  client = rig.join();
  EXPECT_EQ(snapshot(second).clocks->faces, kept);
}

TEST_F(HubServerLagTest, APauseForTheServerOutlivesARestart) {
  const auto first = rig.make_game(client, timed(engine_game("a"), "absolute:600"));
  const auto second = rig.make_game(client, timed(engine_game("b"), "absolute:10"));
  rig.ask<Accepted>(client, rig.play(first, "E5", 0));
  rig.ask<Accepted>(client, rig.play(second, "E5", 0));
  rig.advance(61s);
  ASSERT_EQ(snapshot(second).paused, rules::PauseReason::ServerLag);
  rig.restart();
  client = rig.join();
  for (int i = 0; i < 2; ++i) {  // whoever the engine is at first
    rig.advance(5s);
    rig.finish_searches();
  }
  EXPECT_FALSE(snapshot(second).paused);
  EXPECT_EQ(snapshot(second).moves.size(), 2u);
  EXPECT_EQ(snapshot(second).clocks->faces[1].main_left, 5s);
}

// Each search is watched by what is left less a reserve, so its engines fail before its flag falls.
TEST_F(HubClocksTest, AnEngineThatNeverMovesLosesBeforeItsTimeIsOver) {
  const auto game = make(timed(engine_game("a"), "absolute:10"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(60s);
  const auto result = snapshot(game).result;
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->winner, rules::Color::Black);
  EXPECT_EQ(result->kind, rules::ResultKind::Forfeit);
}

TEST_F(HubClocksTest, ARestartKeepsTheClocksAndDownTimeIsFree) {
  const auto create = timed(people_game("a"), "absolute:60");
  const auto game = make(create);
  rig.advance(20s);
  rig.ask<Accepted>(client, rig.play(game, "E5", 0, "", 1));
  rig.advance(50s);
  rig.restart();
  client = rig.join();
  const protocol::Clocks kept{
      {ClockFace{40s, 0s, 0, 0}, ClockFace{60s, 0s, 0, 0}}, Color::White, 0s};
  EXPECT_EQ(snapshot(game).clocks, kept);
  rig.advance(55s);
  EXPECT_EQ(snapshot(game).result, std::nullopt);
  rig.advance(6s);
  EXPECT_EQ(snapshot(game).result, kFlagOfWhite);
}

TEST_F(HubClocksTest, NoFlagFallsWhileTheDaemonGoesDown) {
  const auto game = make(timed(people_game("a"), "absolute:10"));
  rig.drain();
  rig.advance(30s);
  rig.restart();
  client = rig.join();
  EXPECT_EQ(snapshot(game).result, std::nullopt);
  rig.advance(11s);
  EXPECT_EQ(snapshot(game).result, (rules::Result{rules::ResultKind::Timeout, Color::White, 0}));
}

TEST_F(HubClocksTest, ASearchThatARestartBrokeOffIsNotPaidFor) {
  const auto game = make(timed(engine_game("a"), "absolute:60"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(15s);
  rig.restart();
  client = rig.join();
  rig.advance(2s);
  rig.finish_searches();
  EXPECT_EQ(snapshot(game).clocks->faces[1].main_left, 58s);
}

// A turn of 5 s with 2 s of it for the network costs 3 s; one of 1.5 s costs nothing.
TEST_F(HubClocksTest, WhatIsTheNetworksIsNotCharged) {
  auto create = timed(people_game("a"), "absolute:60");
  create.lag_allowance = 2s;
  const auto game = make(create);
  rig.advance(5s);
  rig.ask<Accepted>(client, rig.play(game, "E5", 0, "", 1));
  EXPECT_EQ(last_time(rig.pushed(watcher)), (MoveTime{3s, 2s}));
  rig.advance(1'500ms);
  rig.ask<Accepted>(client, rig.play(game, "C3", 1, "", 2));
  EXPECT_EQ(last_time(rig.pushed(watcher)), (MoveTime{0s, 1'500ms}));
  EXPECT_EQ(snapshot(game).clocks->faces[0].main_left, 57s);
  EXPECT_EQ(snapshot(game).clocks->faces[1].main_left, 60s);
  // Black has 57 s left, and those 2 s.
  rig.advance(59s);
  EXPECT_FALSE(snapshot(game).result);
  rig.advance(1ns);
  EXPECT_EQ(snapshot(game).result, (rules::Result{rules::ResultKind::Timeout, Color::White, 0}));
}

}  // namespace
}  // namespace tengen::daemon
