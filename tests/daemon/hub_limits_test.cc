// Every limit of the hub is reached, and being full is an answer.
#include <gtest/gtest.h>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using protocol::Accepted;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameCreated;
using protocol::GameJoined;
using protocol::Subscribe;
using protocol::Subscribed;

HubConfig limited(std::uint32_t HubLimits::*limit, std::uint32_t value) {
  auto config = rig_config();
  config.limits.*limit = value;
  return config;
}

void expect_full(const Error& error, const std::string& limit) {
  EXPECT_EQ(error.code, ErrorCode::LimitReached);
  EXPECT_EQ(error.reason, limit);
}

TEST(HubLimitsTest, AConnectionTooManyIsAskedToTryLater) {
  HubRig rig(limited(&HubLimits::connections_max, 2));
  const ConnId first = rig.join();
  rig.join();
  const ConnId third = rig.connect();
  ASSERT_TRUE(rig.closed(third));
  EXPECT_EQ(rig.closed(third)->code, protocol::kCloseTryLater);
  rig.disconnect(third);
  rig.disconnect(first);
  const ConnId fourth = rig.join();
  EXPECT_FALSE(rig.closed(fourth));
}

TEST(HubLimitsTest, AConnectionWithoutHelloIsClosedAfterFiveSeconds) {
  HubRig rig;
  const ConnId silent = rig.connect();
  const ConnId polite = rig.join();
  rig.advance(std::chrono::milliseconds(4'999));
  EXPECT_FALSE(rig.closed(silent));
  rig.advance(std::chrono::milliseconds(1));
  ASSERT_TRUE(rig.closed(silent));
  EXPECT_EQ(rig.closed(silent)->code, protocol::kCloseHelloTimeout);
  EXPECT_FALSE(rig.closed(polite));
  rig.disconnect(silent);
  rig.advance(std::chrono::seconds(10));
}

TEST(HubLimitsTest, AGameTooManyIsRefusedUntilOneFinishes) {
  HubRig rig(limited(&HubLimits::games_max, 2));
  const ConnId client = rig.join();
  const auto first = rig.make_game(client, people_game("a"));
  rig.make_game(client, people_game("b"));
  const auto error = rig.ask<Error>(client, people_game("c"));
  expect_full(error, "games_max");
  EXPECT_GT(error.retry_after_ms, 0u);
  rig.ask<GameCreated>(client, people_game("a"));  // a resend makes no game
  rig.ask<Accepted>(client, protocol::Resign{first, 1, "end"});
  rig.ask<GameCreated>(client, people_game("c"));
}

TEST(HubLimitsTest, ASubscriptionTooManyIsRefused) {
  HubRig rig(limited(&HubLimits::subscriptions_max, 1));
  const ConnId client = rig.join();
  const auto first = rig.make_game(client, people_game("a"));
  const auto second = rig.make_game(client, people_game("b"));
  rig.ask<Subscribed>(client, Subscribe{first, 0});
  rig.ask<Subscribed>(client, Subscribe{first, 0});  // the same one is not another
  expect_full(rig.ask<Error>(client, Subscribe{second, 0}), "subscriptions_max");
  rig.ask<Subscribed>(rig.join(), Subscribe{second, 0});  // counted for each connection
  rig.ask<protocol::Unsubscribed>(client, protocol::Unsubscribe{first});
  rig.ask<Subscribed>(client, Subscribe{second, 0});
}

TEST(HubLimitsTest, AWatcherTooManyIsRefused) {
  HubRig rig(limited(&HubLimits::watchers_max, 1));
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, people_game("a"));
  rig.ask<Subscribed>(client, Subscribe{game, 0});
  const ConnId other = rig.join();
  EXPECT_EQ(rig.ask<Error>(other, Subscribe{game, 0}).code, ErrorCode::LimitReached);
  rig.disconnect(client);
  rig.ask<Subscribed>(other, Subscribe{game, 0});
}

TEST(HubLimitsTest, ASeatTooManyIsRefused) {
  HubRig rig(limited(&HubLimits::seats_max, 1));
  const ConnId client = rig.join();
  const auto created = rig.ask<GameCreated>(client, people_game("a"));
  rig.ask<GameJoined>(client, protocol::JoinGame{created.tickets[0].ticket});
  rig.ask<GameJoined>(client, protocol::JoinGame{created.tickets[0].ticket});
  expect_full(rig.ask<Error>(client, protocol::JoinGame{created.tickets[1].ticket}), "seats_max");
  rig.ask<GameJoined>(rig.join(), protocol::JoinGame{created.tickets[1].ticket});
}

TEST(HubLimitsTest, RequestsThatWaitForLoadsAreBounded) {
  HubRig rig(limited(&HubLimits::parked_max, 2));
  const ConnId client = rig.join();
  rig.is_store_held = true;
  const auto first = rig.send(client, protocol::GetSnapshot{{1, 1}});
  const auto second = rig.send(client, protocol::GetSnapshot{{1, 2}});
  expect_full(rig.ask<Error>(client, protocol::GetSnapshot{{1, 3}}), "parked_max");
  rig.is_store_held = false;
  rig.settle();
  EXPECT_TRUE(rig.reply_to(client, first));
  EXPECT_TRUE(rig.reply_to(client, second));
  EXPECT_EQ(rig.ask<Error>(client, protocol::GetSnapshot{{1, 3}}).code, ErrorCode::UnknownGame);
}

TEST(HubLimitsTest, RequestsInFlightAreBounded) {
  auto config = rig_config();
  config.limits.session.requests_in_flight_max = 2;
  HubRig rig(config);
  const ConnId client = rig.join();
  rig.is_store_held = true;
  rig.send(client, protocol::GetSnapshot{{1, 1}});  // waits for the store
  rig.send(client, protocol::GetSnapshot{{1, 2}});
  expect_full(rig.ask<Error>(client, protocol::Ping{1}), "requests_in_flight_max");
}

// Two replies to one id would leave a client that has sent it once more not knowing which is whose.
TEST(HubLimitsTest, IdWhoseReplyWaitsForTheStoreIsStillInFlight) {
  HubRig rig;
  const ConnId client = rig.join();
  rig.is_store_held = true;
  const auto frame = rig.send(client, people_game("a"));
  const auto again = protocol::encode(protocol::Format::Binary,
                                      {frame, protocol::ClientMessage{protocol::Ping{1}}});
  rig.send_bytes(client, protocol::FrameKind::Binary, again);
  EXPECT_FALSE(rig.reply_to(client, frame));
  const auto refusal = rig.frames(client).back();
  EXPECT_EQ(refusal.reply_to, 0u);
  EXPECT_EQ(std::get<Error>(refusal.message).reason, "id");
  rig.is_store_held = false;
  rig.settle();
  const auto reply = rig.reply_to(client, frame);
  ASSERT_TRUE(reply);
  EXPECT_TRUE(std::holds_alternative<protocol::GameCreated>(*reply));
  rig.send_bytes(client, protocol::FrameKind::Binary, again);
  EXPECT_TRUE(std::holds_alternative<protocol::Pong>(rig.frames(client).back().message));
}

TEST(HubLimitsTest, RepliesThatWaitForTheStoreCountAsInFlight) {
  auto config = rig_config();
  config.limits.session.requests_in_flight_max = 2;
  HubRig rig(config);
  const ConnId client = rig.join();
  rig.is_store_held = true;
  rig.send(client, people_game("a"));
  rig.send(client, people_game("b"));
  expect_full(rig.ask<Error>(client, protocol::Ping{1}), "requests_in_flight_max");
  rig.is_store_held = false;
  rig.settle();
  rig.ask<protocol::Pong>(client, protocol::Ping{2});
}

// Each game's maker was another connection, and so is each game after a restart.
TEST(HubLimitsTest, GamesOfAnEarlierRunDoNotShareOneClientsQueue) {
  auto config = rig_config();
  config.profiles[0].queue_per_client_max = 1;
  HubRig rig(config);
  rig.are_engines_held = true;
  constexpr int kGames = 3;
  for (int i = 0; i < kGames; ++i) {
    const ConnId client = rig.join();
    const auto game = rig.make_game(client, engine_game("game-" + std::to_string(i)));
    rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  }
  rig.restart();
  EXPECT_EQ(rig.hub().pool().stats("fake").submitted, 3u);
  EXPECT_EQ(rig.hub().pool().statuses().front().queued, 3u);
}

TEST(HubLimitsTest, TheOldestRequestIsForgottenBeyondTheLimit) {
  HubRig rig(limited(&HubLimits::requests_kept_max, 2));
  const ConnId client = rig.join();
  const auto first = rig.ask<GameCreated>(client, people_game("a"));
  const auto second = rig.ask<GameCreated>(client, people_game("b"));
  rig.ask<GameCreated>(client, people_game("c"));
  EXPECT_EQ(rig.ask<GameCreated>(client, people_game("b")), second);
  EXPECT_NE(rig.ask<GameCreated>(client, people_game("a")), first);
}

TEST(HubLimitsTest, AFrameThatIsTooLongOrOfTheOtherKindClosesTheConnection) {
  HubRig rig;
  const ConnId wordy = rig.join();
  rig.send_bytes(wordy, protocol::FrameKind::Binary, std::string(64 * 1024 + 1, 'x'));
  ASSERT_TRUE(rig.closed(wordy));
  EXPECT_EQ(rig.closed(wordy)->code, protocol::kCloseTooBig);
  const ConnId text = rig.join();
  rig.send_bytes(text, protocol::FrameKind::Text, "{}");
  ASSERT_TRUE(rig.closed(text));
  EXPECT_EQ(rig.closed(text)->code, protocol::kCloseUnsupportedData);
}

TEST(HubLimitsTest, FramesOfAConnectionThatHasGoneAreIgnored) {
  HubRig rig;
  const ConnId client = rig.join();
  rig.disconnect(client);
  rig.disconnect(client);
  const auto frame = rig.send(client, protocol::Ping{1});
  EXPECT_FALSE(rig.reply_to(client, frame));
}

}  // namespace
}  // namespace tengen::daemon
