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

const std::string kSecret = "tengen_0123456789abcdefghijklmnopqrstuv";

HubConfig config_with(Roles roles, Quotas quotas = kNoQuotas) {
  auto config = rig_config();
  config.access.tokens = {{"club", hash_of(kSecret), roles, quotas}};
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
  rig.ask<GameCreated>(enter(rig, kSecret), people_game("a"));
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
  const ConnId watcher = enter(watching, kSecret);
  watching.ask<protocol::GameList>(watcher, protocol::ListGames{});
  const auto no_play = watching.ask<Error>(watcher, people_game("a"));
  EXPECT_EQ(no_play.code, ErrorCode::Forbidden);
  EXPECT_EQ(no_play.reason, "play");
  watching.ask<protocol::EngineList>(watcher, protocol::ListEngines{});

  HubRig playing(config_with({Role::Play}));
  const ConnId player = enter(playing, kSecret);
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
  const ConnId one = enter(rig, kSecret);
  const ConnId two = enter(rig, kSecret);
  const auto game = rig.make_game(one, people_game("a"));
  const auto full = rig.ask<Error>(two, people_game("b"));
  EXPECT_EQ(full.code, ErrorCode::LimitReached);
  EXPECT_EQ(full.reason, "token_games_max");
  rig.ask<GameCreated>(one, people_game("a"));  // a resend makes none
  rig.ask<protocol::Accepted>(one, protocol::Resign{game, 1, "r"});
  rig.ask<GameCreated>(two, people_game("b"));
}

TEST(HubAccessTest, ATokensRequestsAreSlowed) {
  Quotas quotas = kNoQuotas;
  quotas.requests_per_minute = 60;  // and what ten seconds bring at once
  HubRig rig(config_with({Role::Watch}, quotas));
  const ConnId id = enter(rig, kSecret);
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
  const ConnId id = enter(rig, kSecret);
  rig.set_access({{{"club", hash_of(kSecret), {Role::Watch}, kNoQuotas}}, {}});
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
