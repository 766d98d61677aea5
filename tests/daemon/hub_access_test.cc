// Access tokens at the hub: who gets in, what each role may do, and quotas.
#include <gtest/gtest.h>

#include "daemon/access.h"
#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameCreated;
using protocol::Hello;
using protocol::Welcome;

const std::string kHubSecret = "tengen_0123456789abcdefghijklmnopqrstuv";

HubConfig config_with(Roles roles, Quotas quotas = kNoQuotas) {
  auto config = rig_config();
  config.access.tokens = {{"club", hash_of(kHubSecret), roles, quotas}};
  config.access.anonymous.roles = {};
  return config;
}

ConnId enter(HubRig& rig, const std::string& token) {
  const ConnId id = rig.connect();
  rig.ask<Welcome>(id, Hello{protocol::kVersion, "test", token});
  return id;
}

TEST(HubAccessTest, AGoodTokenGetsInAndAWrongOneIsClosed) {
  HubRig rig(config_with({Role::Play, Role::Watch}));
  rig.ask<GameCreated>(enter(rig, kHubSecret), people_game("a"));
  for (const std::string& token :
       {std::string("tengen_wrong_wrong_wrong_wrong_wrong"), std::string()}) {
    const ConnId id = rig.connect();
    const auto error = rig.ask<Error>(id, Hello{protocol::kVersion, "test", token});
    EXPECT_EQ(error.code, ErrorCode::Unauthenticated);
    ASSERT_TRUE(rig.closed(id));
    EXPECT_EQ(rig.closed(id)->code, protocol::kCloseBadToken);
  }
}

TEST(HubAccessTest, WithoutTokensEverybodyMayPlayAndWatch) {
  HubRig rig;
  rig.ask<GameCreated>(enter(rig, ""), people_game("a"));
}

TEST(HubAccessTest, EachRoleMayDoItsOwnAndNoMore) {
  HubRig watching(config_with({Role::Watch}));
  const ConnId watcher = enter(watching, kHubSecret);
  watching.ask<protocol::GameList>(watcher, protocol::ListGames{});
  const auto no_play = watching.ask<Error>(watcher, people_game("a"));
  EXPECT_EQ(no_play.code, ErrorCode::Forbidden);
  EXPECT_EQ(no_play.reason, "play");
  watching.ask<protocol::EngineList>(watcher, protocol::ListEngines{});

  HubRig playing(config_with({Role::Play}));
  const ConnId player = enter(playing, kHubSecret);
  const auto game = playing.make_game(player, people_game("a"));
  // Its own games are to be seen, others are not.
  playing.ask<protocol::Snapshot>(player, protocol::GetSnapshot{game});
  const auto other = playing.ask<GameCreated>(player, people_game("b")).game;
  EXPECT_EQ(playing.ask<Error>(player, protocol::GetSnapshot{other}).reason, "watch");
}

TEST(HubAccessTest, ATokensGamesAreCountedUntilTheyAreOver) {
  Quotas quotas = kNoQuotas;
  quotas.games_max = 1;
  HubRig rig(config_with({Role::Play, Role::Watch}, quotas));
  const ConnId one = enter(rig, kHubSecret);
  const ConnId two = enter(rig, kHubSecret);
  const auto game = rig.make_game(one, people_game("a"));
  const auto full = rig.ask<Error>(two, people_game("b"));
  EXPECT_EQ(full.code, ErrorCode::LimitReached);
  EXPECT_EQ(full.reason, "token_games_max");
  rig.ask<GameCreated>(one, people_game("a"));  // a resend makes none
  rig.ask<protocol::Accepted>(one, protocol::Resign{game, 1, "r"});
  rig.ask<GameCreated>(two, people_game("b"));
}

/// Whoever comes without a token may have one of everything.
class HubAnonymousTest : public testing::Test {
 protected:
  static HubConfig config() {
    auto config = config_with({Role::Play, Role::Watch});
    config.access.anonymous.roles = {Role::Play, Role::Watch};
    config.access.anonymous.quotas = {1, 1, 1, 0, 1};
    return config;
  }
  ConnId from(std::string_view address, const std::string& token = "") {
    const ConnId id = rig_.connect(protocol::Format::Binary, address);
    rig_.ask<Welcome>(id, Hello{protocol::kVersion, "test", token});
    return id;
  }
  /// What is refused of a game, a subscription to it and a virtual engine.
  std::vector<std::string> refused(ConnId id) {
    std::vector<std::string> reasons;
    const auto name = std::to_string(++games_);
    for (const protocol::ClientMessage& message :
         {protocol::ClientMessage(people_game(name)),
          protocol::ClientMessage(protocol::Subscribe{game_, std::nullopt}),
          protocol::ClientMessage(
              protocol::OpenVirtualEngine{"fake", {}, {{9, 9}, 15, {}}, kVirtualRules})}) {
      const auto reply = rig_.reply_to(id, rig_.send(id, message));
      const auto* error = reply ? std::get_if<Error>(&*reply) : nullptr;
      if (error == nullptr) continue;
      EXPECT_EQ(error->code, ErrorCode::LimitReached);
      reasons.push_back(error->reason);
    }
    return reasons;
  }

  HubRig rig_{config()};
  rules::GameId game_ = rig_.ask<GameCreated>(enter(rig_, kHubSecret), people_game("a")).game;
  int games_ = 0;
};

const std::vector<std::string> kNothing{};
const std::vector<std::string> kAll{"token_games_max", "token_watches_max",
                                    "token_virtual_engines_max"};

TEST_F(HubAnonymousTest, AnAddressTakesNothingFromOthers) {
  EXPECT_EQ(refused(from("192.0.2.1")), kNothing);
  EXPECT_EQ(refused(from("192.0.2.1")), kAll);
  EXPECT_EQ(refused(from("::ffff:192.0.2.1")), kAll);
  EXPECT_EQ(refused(from("192.0.2.2")), kNothing);
  EXPECT_EQ(refused(from("2001:db8:1:2::1")), kNothing);
  EXPECT_EQ(refused(from("2001:db8:1:2:ffff::1")), kAll);
  EXPECT_EQ(refused(from("2001:db8:1:3::1")), kNothing);
  // A token is nobody's neighbour.
  EXPECT_EQ(refused(from("192.0.2.1", kHubSecret)), kNothing);
}

TEST_F(HubAnonymousTest, NobodyIsGivenAStrangersEngineByItsName) {
  protocol::OpenVirtualEngine open{"fake", {}, {{9, 9}, 15, {}}, kVirtualRules};
  open.request_id = "1";
  const auto engine = rig_.ask<protocol::VirtualEngineOpened>(from("192.0.2.1"), open).engine;
  EXPECT_EQ(rig_.ask<protocol::VirtualEngineOpened>(from("192.0.2.1"), open).engine, engine);
  EXPECT_NE(rig_.ask<protocol::VirtualEngineOpened>(from("192.0.2.2"), open).engine, engine);
}

TEST_F(HubAnonymousTest, OnLoopbackTheyAreOneCallerTogether) {
  EXPECT_EQ(refused(from("127.0.0.1")), kNothing);
  EXPECT_EQ(refused(from("::1")), kAll);
  EXPECT_EQ(refused(from("127.0.0.1", kHubSecret)), kNothing);
}

TEST_F(HubAnonymousTest, WhatIsGivenBackCanBeHadAgain) {
  const ConnId one = from("192.0.2.1");
  const auto game = rig_.make_game(one, people_game("mine"));
  rig_.ask<protocol::Subscribed>(one, protocol::Subscribe{game_, std::nullopt});
  rig_.ask<protocol::Subscribed>(one, protocol::Subscribe{game_, std::nullopt});  // the same one
  const auto engine =
      rig_.ask<protocol::VirtualEngineOpened>(
              one, protocol::OpenVirtualEngine{"fake", {}, {{9, 9}, 15, {}}, kVirtualRules})
          .engine;
  EXPECT_EQ(refused(from("192.0.2.1")), kAll);
  rig_.ask<protocol::Accepted>(one, protocol::Resign{game, 1, "r"});
  rig_.ask<protocol::Unsubscribed>(one, protocol::Unsubscribe{game_});
  rig_.ask<protocol::Unsubscribed>(one, protocol::Unsubscribe{game_});
  rig_.ask<protocol::VirtualEngineClosed>(one, protocol::CloseVirtualEngine{engine});
  const ConnId two = from("192.0.2.1");
  EXPECT_EQ(refused(two), kNothing);
  // A connection that goes takes its subscriptions along, and nothing else.
  rig_.disconnect(two);
  EXPECT_EQ(refused(from("192.0.2.1")),
            (std::vector<std::string>{"token_games_max", "token_virtual_engines_max"}));
}

TEST_F(HubAnonymousTest, WelcomeTellsEverybodyWhatTheyMayHave) {
  const ConnId id = rig_.connect(protocol::Format::Json, "192.0.2.1");
  EXPECT_EQ(rig_.ask<Welcome>(id, Hello{protocol::kVersion, "test", ""}).quotas,
            (protocol::PublishedQuotas{1, 1, 1, 1, 0}));
  rig_.set_access({{{"club", hash_of(kHubSecret), {Role::Play}, {5, 6, 7, 8, 9}}}, {}});
  const ConnId member = rig_.connect();
  EXPECT_EQ(rig_.ask<Welcome>(member, Hello{protocol::kVersion, "test", kHubSecret}).quotas,
            (protocol::PublishedQuotas{5, 6, 7, 9, 8}));
}

TEST(HubAccessTest, ATokensRequestsAreSlowed) {
  Quotas quotas = kNoQuotas;
  quotas.requests_per_minute = 60;  // and what ten seconds bring at once
  HubRig rig(config_with({Role::Watch}, quotas));
  const ConnId id = enter(rig, kHubSecret);
  for (int i = 0; i < 10; ++i) rig.ask<protocol::Pong>(id, protocol::Ping{});
  const auto slowed = rig.ask<Error>(id, protocol::Ping{});
  EXPECT_EQ(slowed.code, ErrorCode::LimitReached);
  EXPECT_EQ(slowed.reason, "token_rate");
  EXPECT_GT(slowed.retry_after_ms, 0u);
  rig.advance(std::chrono::milliseconds(slowed.retry_after_ms));
  rig.ask<protocol::Pong>(id, protocol::Ping{});
}

TEST(HubAccessTest, AReloadSendsAwayWhoeverIsNobodyAnyMore) {
  HubRig rig(config_with({Role::Play, Role::Watch}));
  const ConnId id = enter(rig, kHubSecret);
  rig.set_access({{{"club", hash_of(kHubSecret), {Role::Watch}, kNoQuotas}}, {}});
  EXPECT_FALSE(rig.closed(id));
  EXPECT_EQ(rig.ask<Error>(id, people_game("a")).code, ErrorCode::Forbidden);
  rig.set_access(
      {{{"other", hash_of("tengen_another_secret_of_somebody_else"), {}, kNoQuotas}}, {}});
  ASSERT_TRUE(rig.closed(id));
  EXPECT_EQ(rig.closed(id)->code, protocol::kCloseBadToken);
}

TEST(HubAccessTest, FramesBeforeHelloAreFew) {
  HubRig rig;
  const ConnId id = rig.connect();
  for (int i = 0; i < 32; ++i) rig.send(id, protocol::Ping{});
  ASSERT_TRUE(rig.closed(id));
  EXPECT_EQ(rig.closed(id)->code, protocol::kCloseTryLater);
}

}  // namespace
}  // namespace tengen::daemon
