// What a game waits for: a person, an engine, or a configuration that lets an engine go on with it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Accepted;
using protocol::Error;
using protocol::Snapshot;
using protocol::Waiting;

class HubWaitingTest : public testing::Test {
 protected:
  explicit HubWaitingTest(tests::Script script = waiting_engine()) : rig(rig_config(), {script}) {
    client = rig.join();
  }
  Snapshot snapshot(rules::GameId game) {
    return rig.ask<Snapshot>(client, protocol::GetSnapshot{game});
  }

  HubRig rig;
  ConnId client;
};

TEST_F(HubWaitingTest, IsForThePersonTheQueueTheEngineAndInTheEndNothing) {
  const auto first = rig.make_game(client, engine_game("a"));
  const auto second = rig.make_game(client, engine_game("b"));
  EXPECT_EQ(snapshot(first).waiting, Waiting::Player);
  rig.ask<Accepted>(client, rig.play(first, "E5", 0));
  rig.ask<Accepted>(client, rig.play(second, "E5", 0));
  EXPECT_EQ(snapshot(first).waiting, Waiting::Engine);
  EXPECT_EQ(snapshot(second).waiting, Waiting::EngineQueue);
  rig.finish_searches();
  EXPECT_EQ(snapshot(first).waiting, Waiting::Player);
  EXPECT_EQ(snapshot(second).waiting, Waiting::Engine);
  rig.ask<Accepted>(client, protocol::Resign{second, 0, "end"});
  EXPECT_EQ(snapshot(second).waiting, std::nullopt);
}

TEST_F(HubWaitingTest, IsForTheQueueWhileTheEngineStarts) {
  rig.are_engines_held = true;
  rig.restart();
  client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  EXPECT_EQ(snapshot(game).waiting, Waiting::EngineQueue);
  rig.are_engines_held = false;
  rig.settle();
  EXPECT_EQ(snapshot(game).waiting, Waiting::Engine);
}

TEST_F(HubWaitingTest, IsInEverySnapshot) {
  const auto game = rig.make_game(client, engine_game("a"));
  const auto ticket = make_ticket(rig_config().ticket_key, {game, 1});
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  const auto joined = rig.ask<protocol::GameJoined>(client, protocol::JoinGame{ticket});
  EXPECT_EQ(joined.snapshot.waiting, Waiting::Engine);
  const auto subscribed =
      rig.ask<protocol::Subscribed>(client, protocol::Subscribe{game, std::nullopt});
  EXPECT_EQ(std::get<Snapshot>(subscribed.start).waiting, Waiting::Engine);
  const auto stale = rig.ask<Error>(client, rig.play(game, "C3", 0));
  ASSERT_TRUE(stale.state);
  EXPECT_EQ(stale.state->waiting, Waiting::Engine);
}

class HubStrandedTest : public HubWaitingTest {
 protected:
  HubStrandedTest() : HubWaitingTest(first_legal()) {
    game = rig.make_game(client, engine_game("a"));
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> found;
    for (const auto& line : rig.log()) {
      const bool is_of_game = line.text.starts_with("game " + rules::to_text(game) + ": ");
      if (is_of_game && line.level == pool::Note::Level::Warning) found.push_back(line.text);
    }
    return found;
  }
  /// The profile as the game was made with it, and as it plays smaller boards only.
  static std::vector<pool::Profile> wide() { return rig_config().profiles; }
  static std::vector<pool::Profile> narrow() {
    auto profiles = wide();
    profiles[0].size_max = 7;
    return profiles;
  }
  static std::vector<pool::Profile> other() {
    auto profiles = wide();
    profiles[0].name = "other";
    return profiles;
  }
  void expect_waits(std::size_t moves) {
    const auto now = snapshot(game);
    EXPECT_EQ(now.result, std::nullopt);
    EXPECT_EQ(now.moves.size(), moves);
    EXPECT_EQ(now.waiting, Waiting::EngineQueue);
  }

  rules::GameId game;
};

TEST_F(HubStrandedTest, AProfileThatARestartHasLostIsWaitedForUntilAReloadBringsItBack) {
  rig.are_engines_held = true;
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.are_engines_held = false;
  rig.restart(other());
  client = rig.join();
  expect_waits(1);
  rig.advance(10min);
  expect_waits(1);
  ASSERT_EQ(warnings().size(), 1u) << "once, and not with each question";
  EXPECT_NE(warnings()[0].find("unknown profile"), std::string::npos) << warnings()[0];
  EXPECT_NE(warnings()[0].find("engines of fake"), std::string::npos) << warnings()[0];
  rig.reload(wide());
  EXPECT_EQ(snapshot(game).moves.size(), 2u) << "at once";
  EXPECT_EQ(snapshot(game).waiting, Waiting::Player);
}

TEST_F(HubStrandedTest, EachOutageIsALineOfItsOwn) {
  rig.reload(narrow());
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(10min);
  expect_waits(1);
  rig.reload(narrow());
  expect_waits(1);
  EXPECT_EQ(warnings().size(), 1u);
  rig.reload(wide());
  ASSERT_EQ(snapshot(game).moves.size(), 2u);
  rig.reload(other());
  rig.ask<Accepted>(client, rig.play(game, "C3", 2));
  rig.advance(10min);
  expect_waits(3);
  EXPECT_EQ(warnings().size(), 2u);
}

TEST_F(HubStrandedTest, AJobInTheQueueWaitsOnWhenItsProfileGoes) {
  rig.are_engines_held = true;
  rig.restart();
  client = rig.join();
  rig.ask<protocol::GameJoined>(
      client, protocol::JoinGame{make_ticket(rig_config().ticket_key, {game, 1})});
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.are_engines_held = false;
  rig.reload(other());
  expect_waits(1);
  EXPECT_EQ(warnings().size(), 1u);
  rig.reload(wide());
  EXPECT_EQ(snapshot(game).moves.size(), 2u);
}

TEST_F(HubStrandedTest, ASubstituteTakesOverWhereTheProfileStillNamesOne) {
  auto profiles = narrow();
  profiles[0].substitute = "other";
  profiles.push_back(other()[0]);
  rig.reload(profiles);
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  const auto now = snapshot(game);
  EXPECT_EQ(now.moves.size(), 2u);
  EXPECT_EQ(now.seats[1].profile, "other");
}

TEST_F(HubStrandedTest, AGameThatWaitsCanBeResigned) {
  rig.reload(other());
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.ask<Accepted>(client, protocol::Resign{game, 0, "end"});
  EXPECT_EQ(snapshot(game).waiting, std::nullopt);
  rig.reload(wide());
  rig.advance(10min);
  EXPECT_EQ(snapshot(game).moves.size(), 1u);
}

}  // namespace
}  // namespace tengen::daemon
