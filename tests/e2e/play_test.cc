// Whole games over a socket, in both subprotocols, with the daemon killed in the middle.
#include <gtest/gtest.h>

#include <variant>

#include "tests/support/daemon_process.h"
#include "tests/support/gnugo_verdict.h"
#include "tests/support/player.h"

namespace tengen::daemon {
namespace {

using protocol::Format;
using tests::DaemonProcess;
using tests::Player;

constexpr std::uint32_t kKillAfter = 8;  // events

protocol::CreateGame game_against_gnugo(int size) {
  auto create =
      tests::game_of(size, tests::human_seat("Ada"), tests::engine_seat("gnugo", {{"level", "1"}}));
  create.seed.emplace().fill(1);  // the same game every time
  return create;
}

bool has_just_passed(const rules::Game& game) {
  const auto& moves = game.record().moves();
  return !moves.empty() && moves.back().is_pass();
}

/// Plays to the end; with `kills` the daemon is killed once on the way.
void play_out(DaemonProcess& daemon, Player& player, bool kills) {
  while (true) {
    ASSERT_TRUE(player.wait_for_turn()) << daemon.log();
    const auto game = player.game();
    if (game.is_finished()) return;
    if (kills && game.seq() >= kKillAfter) {
      kills = false;
      daemon.kill();
      daemon.restart();
      player.reconnect(daemon.port());
    }
    has_just_passed(game) ? player.pass() : player.play_simple();
  }
}

TEST(Play, AGameAgainstGnuGoGoesOnAfterAKillAndIsScoredAsGnuGoScoresIt) {
  DaemonProcess daemon;
  Player player(daemon.port(), game_against_gnugo(7));
  ASSERT_NO_FATAL_FAILURE(play_out(daemon, player, true));
  EXPECT_EQ(daemon.runs(), 2);
  const auto game = player.game();
  ASSERT_EQ(game.result()->kind, rules::ResultKind::Score);
  const auto& moves = game.record().moves();
  ASSERT_GE(moves.size(), 2u);
  EXPECT_TRUE(moves[moves.size() - 1].is_pass());
  EXPECT_TRUE(moves[moves.size() - 2].is_pass());
  const auto verdict = tests::gnugo_verdict(game);
  if (!verdict.has_seki) {
    EXPECT_EQ(tests::gnugo_score_text(*game.result()), verdict.score);
  }
}

TEST(Play, TheJsonSubprotocolPlaysTheSameGame) {
  DaemonProcess daemon;
  Player player(daemon.port(), game_against_gnugo(5), Format::Json);
  ASSERT_NO_FATAL_FAILURE(play_out(daemon, player, false));
  // The log read over the other subprotocol is the same one.
  tests::Caller watcher(daemon.port());
  const auto whole = watcher.expect<protocol::Subscribed>(protocol::Subscribe{player.id(), 0});
  EXPECT_EQ(std::get<protocol::GameEvents>(whole.start).events, player.ledger().events());
}

TEST(Play, HandWrittenJsonIsEnough) {
  DaemonProcess daemon;
  tests::WsOptions options;
  options.subprotocol = protocol::kJsonSubprotocol;
  tests::WsClient client(daemon.port(), options);
  client.send(protocol::FrameKind::Text, R"({"id": 1, "hello": {"version": 1}})");
  const auto welcome = client.receive(tests::kAnswerPatience);
  ASSERT_TRUE(welcome);
  EXPECT_NE(welcome->find(R"("welcome":{)"), std::string::npos) << *welcome;
  client.send(protocol::FrameKind::Text, R"({"id": 2, "ping": {"client_time_ms": 5, "tea": 1}})");
  const auto refusal = client.receive(tests::kAnswerPatience);
  ASSERT_TRUE(refusal);
  EXPECT_NE(refusal->find("BAD_FRAME"), std::string::npos) << *refusal;
  EXPECT_NE(refusal->find("tea"), std::string::npos) << *refusal;
  client.send(protocol::FrameKind::Text, R"({"id": 3, "ping": {"client_time_ms": "5"}})");
  const auto pong = client.receive(tests::kAnswerPatience);
  ASSERT_TRUE(pong);
  EXPECT_NE(pong->find(R"("client_time_ms":"5")"), std::string::npos) << *pong;
}

}  // namespace
}  // namespace tengen::daemon
