// A request sent again, a connection lost at any moment, a daemon killed: everything happens once
// and is seen once.
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "tests/support/daemon_process.h"
#include "tests/support/player.h"

namespace tengen::daemon {
namespace {

using protocol::ErrorCode;
using protocol::GameCreated;
using tests::DaemonOptions;
using tests::DaemonProcess;
using tests::Player;

DaemonOptions with_fake_engine() { return {tests::shell_profile("fake", tests::fake_engine())}; }

int events_of_request(const Player& player, const std::string& request_id) {
  const auto& events = player.ledger().events();
  return static_cast<int>(std::count_if(
      events.begin(), events.end(),
      [&](const rules::Event& event) { return tests::is_act_of(event, request_id); }));
}

TEST(ExactlyOnce, AMoveSentAgainGetsItsFirstAnswerEvenAfterAKill) {
  DaemonProcess daemon(with_fake_engine());
  Player player(daemon.port(), tests::game_against("fake"));
  const auto move = player.play_request("D4");
  const auto first = player.act(move);
  EXPECT_EQ(player.act(move), first);
  ASSERT_TRUE(player.wait_for_seq(2));
  EXPECT_EQ(player.act(move), first);
  player.reconnect(daemon.port());
  EXPECT_EQ(player.act(move), first);
  daemon.kill();
  daemon.restart();
  player.reconnect(daemon.port());
  EXPECT_EQ(player.act(move), first);
  player.reconnect(daemon.port());
  EXPECT_EQ(events_of_request(player, move.request_id), 1);
}

TEST(ExactlyOnce, AnUnansweredMoveIsThereWhollyOrNotAtAllAndItsResendMakesItOne) {
  DaemonProcess daemon(with_fake_engine());
  Player player(daemon.port(), tests::game_against("fake"));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(player.wait_for_turn());
    const auto points = player.game().legal_points(player.color());
    const auto move = player.play_request(rules::gtp_vertex(points[20], {9, 9}));
    player.caller().send(move);
    daemon.kill();
    daemon.restart();
    player.reconnect(daemon.port());
    const auto accepted = player.act(move);
    ASSERT_TRUE(player.wait_for_seq(accepted.seq));
    EXPECT_EQ(events_of_request(player, move.request_id), 1);
  }
}

TEST(ExactlyOnce, AnotherMoveForAnOldPositionIsStaleAndGetsTheState) {
  DaemonProcess daemon(with_fake_engine());
  Player player(daemon.port(), tests::game_against("fake"));
  auto other = player.play_request("E5");
  player.act(player.play_request("D4"));
  ASSERT_TRUE(player.wait_for_turn());
  const auto error = player.caller().expect_error(other);
  EXPECT_EQ(error.code, ErrorCode::Stale);
  ASSERT_TRUE(error.state);
  EXPECT_EQ(error.state->position_seq, player.game().position_seq());
  EXPECT_EQ(error.state->moves, player.game().record().moves());
}

TEST(ExactlyOnce, ARequestIdServesOneActOnly) {
  DaemonProcess daemon(with_fake_engine());
  Player player(daemon.port(), tests::game_against("fake"));
  auto move = player.play_request("D4");
  player.act(move);
  move.vertex = "E5";
  EXPECT_EQ(player.caller().expect_error(move).code, ErrorCode::RequestIdConflict);
}

TEST(ExactlyOnce, AGameAskedForTwiceIsOneGameEvenAfterAKill) {
  DaemonProcess daemon(with_fake_engine());
  auto create = tests::game_against("fake");
  const auto first = tests::Caller(daemon.port()).expect<GameCreated>(create);
  EXPECT_EQ(tests::Caller(daemon.port()).expect<GameCreated>(create), first);
  daemon.kill();
  daemon.restart();
  tests::Caller caller(daemon.port());
  EXPECT_EQ(caller.expect<GameCreated>(create), first);
  create.komi_half = 13;
  EXPECT_EQ(caller.expect_error(create).code, ErrorCode::RequestIdConflict);
}

TEST(Subscription, ALateWatcherSeesTheSameLogAsThePlayer) {
  DaemonProcess daemon(with_fake_engine());
  Player player(daemon.port(), tests::game_against("fake"));
  for (int i = 0; i < 3; ++i) {
    player.play_simple();
    ASSERT_TRUE(player.wait_for_turn());
  }
  tests::Caller watcher(daemon.port());
  const auto whole = watcher.expect<protocol::Subscribed>(protocol::Subscribe{player.id(), 0});
  EXPECT_EQ(std::get<protocol::GameEvents>(whole.start).events, player.ledger().events());
  const auto since = watcher.expect<protocol::Subscribed>(protocol::Subscribe{player.id(), 4});
  EXPECT_EQ(since.head, player.ledger().seen());
  EXPECT_EQ(std::get<protocol::GameEvents>(since.start).events.front().seq, 5u);
  const auto fresh = watcher.expect<protocol::Subscribed>(protocol::Subscribe{player.id(), {}});
  EXPECT_EQ(std::get<protocol::Snapshot>(fresh.start).moves, player.game().record().moves());
}

}  // namespace
}  // namespace tengen::daemon
