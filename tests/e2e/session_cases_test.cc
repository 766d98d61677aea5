// Faults that people who run Go servers have reported of connections, each as it was seen, through
// a real socket: requests that come twice, links that go silent or drop at the wrong moment, bursts
// of subscribers. Long waits are scaled down.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>

#include "tests/support/daemon_process.h"
#include "tests/support/dictated_engine.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Accepted;
using protocol::Subscribed;
using rules::Color;
using tests::Caller;
using tests::DaemonProcess;
using tests::Player;
using tests::TempFolder;

using Clock = std::chrono::steady_clock;

protocol::CreateGame people() {
  return tests::game_of(9, tests::human_seat(), tests::human_seat());
}
protocol::CreateGame against_fake() {
  return tests::game_of(9, tests::human_seat(), tests::engine_seat("fake"));
}

/// A game of two people, each with a connection.
struct Pair {
  Pair(std::uint16_t port, const protocol::CreateGame& create)
      : created(Caller(port).expect<protocol::GameCreated>(create)),
        black(port, created.tickets.at(0).ticket),
        white(port, created.tickets.at(1).ticket) {}

  protocol::GameCreated created;
  Player black;
  Player white;
};

/// A daemon whose engine writes down what it is told.
struct TranscribedDaemon {
  explicit TranscribedDaemon(const std::string& switches)
      : daemon({tests::config_with(
            {{"fake", tests::transcribed_engine(folder.file("told"), switches)}})}) {}

  std::size_t genmoves() const {
    return tests::count_of("genmove", tests::read_text(folder.file("told")));
  }

  TempFolder folder;
  DaemonProcess daemon;
};

protocol::Snapshot snapshot_of(Player& player) {
  return player.caller().expect<protocol::Snapshot>(protocol::GetSnapshot{player.id()});
}
protocol::GameAct game_act(const Player& player, protocol::ActBody body) {
  return {player.id(), 0, tests::fresh_request_id(), player.game().position_seq(), std::move(body)};
}
std::size_t events_of(const std::string& request_id, const Player& player) {
  const auto& events = player.ledger().events();
  return static_cast<std::size_t>(
      std::count_if(events.begin(), events.end(),
                    [&](const auto& event) { return tests::is_act_of(event, request_id); }));
}

/// The answers to requests that were sent without waiting, in the order of their sending.
std::vector<protocol::ServerMessage> answers_to(Caller& caller,
                                                const std::vector<std::uint32_t>& ids) {
  std::vector<protocol::ServerMessage> answers;
  while (answers.size() < ids.size()) {
    auto frame = caller.next(tests::kEventually);
    if (!frame) throw std::runtime_error("no answer in time");
    if (frame->reply_to == 0) continue;
    EXPECT_EQ(frame->reply_to, ids[answers.size()]);
    answers.push_back(std::move(frame->message));
  }
  return answers;
}

// Case 13: every act, sent again before its answer came, after it, over another connection of the
// same seat, and after a reconnect.
struct Act {
  std::string name;
  std::function<protocol::ClientMessage(const Player&)> request;
};

class DuplicateRequest : public testing::TestWithParam<Act> {};

std::string id_of(const protocol::ClientMessage& message) {
  return std::visit(
      [](const auto& each) {
        if constexpr (requires { each.request_id; }) return each.request_id;
        return std::string();
      },
      message);
}

TEST_P(DuplicateRequest, IsOneActAndEveryAnswerIsTheFirst) {
  DaemonProcess daemon;
  Pair pair(daemon.port(), people());
  pair.black.act(pair.black.play_request("D4"));
  ASSERT_TRUE(pair.white.wait_for_seq(1));
  pair.white.act(pair.white.play_request("E5"));
  ASSERT_TRUE(pair.black.wait_for_seq(2));
  Player other(daemon.port(), pair.black.ticket());
  const auto request = GetParam().request(pair.black);

  std::vector<std::uint32_t> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(pair.black.caller().send(request));
  const std::uint32_t of_other = other.caller().send(request);
  auto answers = answers_to(pair.black.caller(), ids);
  answers.push_back(answers_to(other.caller(), {of_other}).front());
  answers.push_back(pair.black.caller().ask(request));
  pair.black.reconnect(daemon.port());
  answers.push_back(pair.black.caller().ask(request));
  daemon.kill();
  daemon.restart();
  pair.black.reconnect(daemon.port());
  answers.push_back(pair.black.caller().ask(request));

  ASSERT_TRUE(std::holds_alternative<Accepted>(answers.front()))
      << tests::describe(answers.front());
  for (const auto& answer : answers) EXPECT_EQ(answer, answers.front());
  pair.black.reconnect(daemon.port());
  EXPECT_EQ(events_of(id_of(request), pair.black), 1u);
  EXPECT_EQ(std::get<Accepted>(answers.front()).seq, 3u) << "the event after the two moves";
}

INSTANTIATE_TEST_SUITE_P(
    Acts, DuplicateRequest,
    testing::Values(Act{"Play", [](const Player& player) { return player.play_request("C3"); }},
                    Act{"Pass", [](const Player& player) { return player.pass_request(); }},
                    Act{"Resign",
                        [](const Player& player) {
                          return protocol::Resign{player.id(), 0, tests::fresh_request_id()};
                        }},
                    Act{"Question",
                        [](const Player& player) {
                          return game_act(player, protocol::AskOpponent{rules::AskKind::Undo, 2});
                        }},
                    Act{"Leave",
                        [](const Player& player) { return game_act(player, protocol::Leave{}); }}),
    [](const auto& act) { return act.param.name; });

// Case 13.
TEST(SessionCases, ADuplicateMoveIsAskedOfTheEngineOnceAndAnotherForItsPositionIsStale) {
  TranscribedDaemon rig("--late-ms 1000");
  Player player(rig.daemon.port(), against_fake());
  auto& caller = player.caller();
  const auto move = player.play_request("D4");
  const auto other = player.play_request("E5");
  const auto answers = answers_to(caller, {caller.send(move), caller.send(move)});
  ASSERT_TRUE(std::holds_alternative<Accepted>(answers[0])) << tests::describe(answers[0]);
  EXPECT_EQ(answers[1], answers[0]);
  for (const bool has_moved : {false, true}) {
    player.reconnect(rig.daemon.port());
    ASSERT_TRUE(player.wait_for_seq(has_moved ? 2 : 1));
    EXPECT_EQ(player.act(move), std::get<Accepted>(answers[0]));
    const auto stale = player.caller().expect_error(other);
    EXPECT_EQ(stale.code, protocol::ErrorCode::Stale);
    ASSERT_TRUE(stale.state);
    EXPECT_EQ(*stale.state, snapshot_of(player)) << "the present state";
    EXPECT_EQ(stale.state->moves.size(), has_moved ? 2u : 1u);
  }
  EXPECT_EQ(rig.genmoves(), 1u);
  player.act(player.play_request("E5"));
  ASSERT_TRUE(player.wait_for_turn());
  EXPECT_EQ(rig.genmoves(), 2u);
}

// Case 14.
TEST(SessionCases, ResumesWhileTheEngineStartsSeeOneStateAndCauseOneSearch) {
  TranscribedDaemon rig("--slow-start-ms 2000");
  const auto created = Caller(rig.daemon.port())
                           .expect<protocol::GameCreated>(
                               tests::game_of(9, tests::engine_seat("fake"), tests::human_seat()));
  const auto& ticket = created.tickets.front().ticket;
  std::vector<Caller> resumed;
  std::vector<protocol::Snapshot> seen;
  for (int i = 0; i < 5; ++i) {
    auto& caller = resumed.emplace_back(rig.daemon.port());
    seen.push_back(caller.expect<protocol::GameJoined>(protocol::JoinGame{ticket}).snapshot);
    auto watching = caller.expect<Subscribed>(protocol::Subscribe{created.game, std::nullopt});
    EXPECT_EQ(watching.head, 0u);
    seen.push_back(std::get<protocol::Snapshot>(std::move(watching.start)));
    watching = caller.expect<Subscribed>(protocol::Subscribe{created.game, 0});
    EXPECT_EQ(watching.head, 0u);
    EXPECT_TRUE(std::get<protocol::GameEvents>(watching.start).events.empty());
  }
  EXPECT_EQ(rig.genmoves(), 0u) << "it still starts";
  for (const auto& snapshot : seen) EXPECT_EQ(snapshot, seen.front());
  EXPECT_EQ(seen.front().turn, Color::Black);
  EXPECT_EQ(seen.front().waiting, protocol::Waiting::EngineQueue);
  for (auto& caller : resumed) {
    const auto moved = caller.pushed(tests::kEventually);
    ASSERT_TRUE(moved);
    ASSERT_EQ(moved->events.size(), 1u);
    EXPECT_EQ(moved->events[0].seq, 1u);
    EXPECT_EQ(caller.pushed(100ms), std::nullopt);
  }
  EXPECT_EQ(rig.genmoves(), 1u);
}

/// Waits until so many connections are open; gives how long that took.
std::optional<Clock::duration> time_to_connections(const DaemonProcess& daemon, double count) {
  const auto begin = Clock::now();
  const bool is_reached = tests::wait_until(
      [&] { return daemon.metric("tengen_connections") == count; }, tests::kEventually);
  if (!is_reached) return std::nullopt;
  return Clock::now() - begin;
}

/// The next push that tells of somebody's coming or going; other pushes are left out.
std::optional<protocol::Presence> next_presence(Player& player,
                                                std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    const auto frame = player.caller().next(std::max(left, 0ms));
    if (!frame) continue;
    if (const auto* push = std::get_if<protocol::Presence>(&frame->message)) return *push;
  } while (Clock::now() < end);
  return std::nullopt;
}

/// A heartbeat of a second: a silent client has gone after two (docs/configuration.md).
constexpr std::chrono::seconds kHeartbeat{1};
std::string quick_heartbeat() { return "heartbeat_ms = 1000\n"; }

// Case 22. A client that is not looked after reads nothing and answers nothing, and its socket
// stays open: to the daemon that is a link gone silent.
TEST(SessionCases, ASilentLinkIsGivenUpInSightOfTheOpponentAndItsClientMissesNothing) {
  DaemonProcess daemon({quick_heartbeat()});
  auto create = people();
  create.time = std::get<rules::TimeControl>(rules::parse_time_control("absolute:600"));
  Pair pair(daemon.port(), create);
  EXPECT_EQ(pair.black.caller().welcome().heartbeat_ms, 1'000u);
  pair.black.act(pair.black.play_request("E5"));
  ASSERT_TRUE(pair.black.wait_for_seq(1));
  ASSERT_TRUE(pair.white.wait_for_turn());
  // From here on black is silent. White's client answers pings, as any that reads does.
  pair.white.act(pair.white.play_request("E6"));
  ASSERT_TRUE(pair.white.wait_for_seq(2));
  pair.white.act(game_act(pair.white, protocol::AskOpponent{rules::AskKind::Pause, 0}));
  ASSERT_TRUE(pair.white.wait_for_seq(3));
  const auto turn_began = Clock::now();
  EXPECT_EQ(daemon.metric("tengen_connections"), 2);
  EXPECT_EQ(snapshot_of(pair.white).present, (std::array{true, true})) << "nobody knows yet";
  std::optional<Clock::duration> gone;
  std::optional<protocol::Presence> seen;
  while (!(gone && seen) && Clock::now() - turn_began < tests::kEventually) {
    if (const auto presence = next_presence(pair.white, 20ms)) seen = presence;
    if (!gone && daemon.metric("tengen_connections") == 1) gone = Clock::now() - turn_began;
  }
  ASSERT_TRUE(gone);
  EXPECT_EQ(seen, (protocol::Presence{pair.white.id(), 1, false})) << "the opponent is told";
  EXPECT_EQ(snapshot_of(pair.white).present, (std::array{false, true}));
  EXPECT_GT(*gone, kHeartbeat) << "a ping must have been sent and not answered";
  EXPECT_LT(*gone, 2 * kHeartbeat + 1s);

  const auto clocks = snapshot_of(pair.white).clocks;
  EXPECT_EQ(clocks->running, Color::Black);
  EXPECT_GE(clocks->elapsed, *gone - 50ms) << "the clock goes on";
  EXPECT_EQ(pair.black.ledger().seen(), 1u);
  pair.black.reconnect(daemon.port());
  EXPECT_EQ(next_presence(pair.white, tests::kEventually),
            (protocol::Presence{pair.white.id(), 1, true}));
  EXPECT_EQ(pair.black.ledger().events(), pair.white.ledger().events());
  EXPECT_EQ(pair.black.ledger().seen(), 3u);
  pair.black.act(pair.black.play_request("E4"));
  ASSERT_TRUE(pair.black.wait_for_seq(4));
  EXPECT_LT(pair.black.game().clocks()[0].main_left, 600s - *gone + 50ms);
  EXPECT_TRUE(pair.white.wait_for_turn());
}

// Case 22.
TEST(SessionCases, TheFlagOfASilentClientFalls) {
  DaemonProcess daemon({quick_heartbeat()});
  auto create = people();
  create.time = std::get<rules::TimeControl>(rules::parse_time_control("absolute:2.5"));
  Pair pair(daemon.port(), create);
  ASSERT_TRUE(tests::wait_until(
      [&] {
        (void)pair.white.wait_for_turn(20ms);
        return pair.white.game().is_finished();
      },
      tests::kEventually));
  EXPECT_EQ(rules::result_text(*pair.white.game().result()), "W+T");
  EXPECT_EQ(daemon.metric("tengen_connections"), 1);
  pair.black.reconnect(daemon.port());
  EXPECT_EQ(pair.black.ledger().events(), pair.white.ledger().events());
}

// The daemon stands still for longer than white has left, with white's move on its way to it: what
// is beyond white's last instant was the daemon's doing.
TEST(SessionCases, AMoveThatAStoppedDaemonReadsAfterTheFlagIsInTime) {
  DaemonProcess daemon;
  auto create = people();
  create.time = std::get<rules::TimeControl>(rules::parse_time_control("absolute:3"));
  Pair pair(daemon.port(), create);
  pair.black.act(pair.black.play_request("E5"));
  ASSERT_TRUE(pair.black.wait_for_seq(1));
  ASSERT_TRUE(pair.white.wait_for_turn());
  ASSERT_EQ(::kill(daemon.pid(), SIGSTOP), 0);
  const auto sent = pair.white.caller().send(pair.white.play_request("C3"));
  EXPECT_EQ(pair.black.caller().pushed(3'500ms), std::nullopt);
  ASSERT_EQ(::kill(daemon.pid(), SIGCONT), 0);
  const auto answers = answers_to(pair.white.caller(), {sent});
  ASSERT_EQ(answers.size(), 1u);
  ASSERT_TRUE(std::holds_alternative<Accepted>(answers[0]));
  ASSERT_TRUE(pair.black.wait_for_turn());
  const auto played = std::get<rules::Played>(pair.black.ledger().events()[1].body);
  EXPECT_EQ(played.time.used, 3s);
  EXPECT_GT(played.time.lag, 0ns);
  EXPECT_FALSE(pair.black.game().is_finished());
}

// Case 22: who reads is there, however little it says.
TEST(SessionCases, AQuietClientThatAnswersPingsStays) {
  DaemonProcess daemon({quick_heartbeat()});
  Caller quiet(daemon.port());
  EXPECT_EQ(quiet.pushed(3 * kHeartbeat), std::nullopt);
  EXPECT_FALSE(quiet.socket().is_closed());
  quiet.expect<protocol::Pong>(protocol::Ping{1});
}

/// Undisturbed: one process, nothing moved to another or done twice.
void expect_one_engine(const TranscribedDaemon& rig, std::size_t genmoves) {
  EXPECT_EQ(rig.genmoves(), genmoves);
  EXPECT_EQ(rig.daemon.metric("tengen_engines_spawned_total{profile=\"fake\"}"), 1);
  EXPECT_EQ(rig.daemon.metric("tengen_jobs_moved_total{profile=\"fake\"}"), 0);
  EXPECT_EQ(rig.daemon.metric("tengen_jobs_submitted_total{profile=\"fake\"}"),
            static_cast<double>(genmoves));
}

// Case 26: the connection is cut a third into a search.
TEST(SessionCases, AMoveMadeWhileTheConnectionWasGoneIsInTheReplay) {
  TranscribedDaemon rig("--late-ms 1500");
  Player player(rig.daemon.port(), against_fake());
  const auto begin = Clock::now();
  player.act(player.play_request("D4"));
  EXPECT_EQ(player.caller().pushed(tests::kEventually)->events.size(), 1u) << "its own move";
  EXPECT_EQ(player.caller().pushed(500ms), std::nullopt);
  player.disconnect();
  ASSERT_TRUE(time_to_connections(rig.daemon, 0));
  ASSERT_LT(Clock::now() - begin, 1500ms) << "the engine still thinks";
  ASSERT_TRUE(tests::wait_until(
      [&] { return rig.daemon.metric("tengen_jobs_done_total{profile=\"fake\"}") == 1; },
      tests::kEventually));
  player.reconnect(rig.daemon.port());
  EXPECT_EQ(player.ledger().seen(), 2u) << "it is there at once";
  expect_one_engine(rig, 1);
  player.act(player.pass_request());
  ASSERT_TRUE(player.wait_for_turn());
  EXPECT_EQ(player.game().record().moves().size(), 4u);
  expect_one_engine(rig, 2);
}

// Case 26.
TEST(SessionCases, TwentyReconnectsAndFiftySubscriptionsCauseNoOtherSearch) {
  TranscribedDaemon rig("--late-ms 3000");
  Player player(rig.daemon.port(), against_fake());
  player.act(player.play_request("D4"));
  std::vector<Caller> watchers;
  for (int i = 0; i < 5; ++i) watchers.emplace_back(rig.daemon.port());
  for (int i = 0; i < 50; ++i) {
    if (i < 20) player.reconnect(rig.daemon.port());
    auto& watcher = watchers[static_cast<std::size_t>(i) % watchers.size()];
    const auto after = i % 2 == 0 ? std::optional<std::uint32_t>() : 0;
    EXPECT_EQ(watcher.expect<Subscribed>(protocol::Subscribe{player.id(), after}).head, 1u);
  }
  ASSERT_TRUE(player.wait_for_turn());
  expect_one_engine(rig, 1);
  for (auto& watcher : watchers) {
    const auto moved = watcher.pushed(tests::kEventually);
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->events, std::vector<rules::Event>{player.ledger().events().back()});
    EXPECT_EQ(watcher.pushed(50ms), std::nullopt) << "once, however often it has subscribed";
  }
}

// Case 28: what can happen while a player is away.
struct Happening {
  std::string name;
  std::function<void(Player& white)> happen;
};

class QuietGame : public testing::TestWithParam<Happening> {};

TEST_P(QuietGame, WhatHappenedWhileAwayIsThereAtOnce) {
  DaemonProcess daemon;
  Pair pair(daemon.port(), people());
  pair.black.act(pair.black.play_request("D4"));
  ASSERT_TRUE(pair.black.wait_for_seq(1));
  ASSERT_TRUE(pair.white.wait_for_seq(1));
  Caller watcher(daemon.port());
  watcher.expect<Subscribed>(protocol::Subscribe{pair.black.id(), 1});
  pair.black.disconnect();
  ASSERT_TRUE(time_to_connections(daemon, 2));
  GetParam().happen(pair.white);
  ASSERT_TRUE(pair.white.wait_for_seq(2));
  const auto& all = pair.white.ledger().events();
  ASSERT_TRUE(watcher.pushed(tests::kEventually));

  // In the answer to the first request, whichever it is, and with nothing to push it along.
  Caller back(daemon.port());
  const auto joined = back.expect<protocol::GameJoined>(protocol::JoinGame{pair.black.ticket()});
  EXPECT_EQ(joined.snapshot.seq, all.size());
  const auto missed = back.expect<Subscribed>(protocol::Subscribe{pair.black.id(), 1});
  EXPECT_EQ(missed.head, all.size());
  EXPECT_EQ(std::get<protocol::GameEvents>(missed.start).events,
            std::vector<rules::Event>(all.begin() + 1, all.end()));
  EXPECT_EQ(back.pushed(300ms), std::nullopt);
  EXPECT_EQ(watcher.pushed(0ms), std::nullopt) << "the game is quiet";
  daemon.kill();
  daemon.restart();
  pair.black.reconnect(daemon.port());
  EXPECT_EQ(pair.black.ledger().events(), all);
}

INSTANTIATE_TEST_SUITE_P(
    Happenings, QuietGame,
    testing::Values(
        Happening{"AMove", [](Player& white) { white.act(white.play_request("E5")); }},
        Happening{"APass", [](Player& white) { white.pass(); }},
        Happening{"AQuestion",
                  [](Player& white) {
                    white.act(game_act(white, protocol::AskOpponent{rules::AskKind::Pause, 0}));
                  }},
        Happening{"TheEnd",
                  [](Player& white) {
                    white.act(protocol::Resign{white.id(), 0, tests::fresh_request_id()});
                  }}),
    [](const auto& happening) { return happening.param.name; });

}  // namespace
}  // namespace tengen::daemon
