// A match against a daemon of values: games made exactly once, followed, written and counted, also
// when the daemon dies at the worst moment.
#include "clients/cli/match_command.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/cli/scripted_client.h"

namespace tengen::cli {
namespace {

/// 3x3, all alive, komi 7.5. Black in the middle and two passes: B+1.5. Two passes at once on the
/// empty board: W+7.5.
MatchOptions options(int games, int concurrency) {
  MatchOptions match;
  match.players = {"gnugo:level=1", "gnugo"};
  match.engines = {std::get<protocol::SeatRequest>(parse_engine("gnugo:level=1")),
                   std::get<protocol::SeatRequest>(parse_engine("gnugo"))};
  match.terms = std::get<GameTerms>(parse_terms("3", "tromp-taylor", ""));
  match.games = games;
  match.concurrency = concurrency;
  match.sgf_dir = "games";
  match.application = "Tengen:test";
  return match;
}

ScriptedClient client_for(MatchOptions match) {
  ScriptedClient client(std::make_unique<MatchCommand>(std::move(match)));
  client.daemon.welcome.version = 1;
  return client;
}

void black_wins(ScriptedClient& client, std::size_t nth) {
  for (const char* move : {"B2", "pass", "pass"}) client.engine_moves(nth, move);
}
void white_wins(ScriptedClient& client, std::size_t nth) {
  for (const char* move : {"pass", "pass"}) client.engine_moves(nth, move);
}

constexpr const char* kFirstId = "0123456789abcdef0000000000000000";

TEST(MatchCommand, PlaysTheGamesWritesThemAndCounts) {
  ScriptedClient client = client_for(options(3, 2));
  client.start();
  EXPECT_EQ(client.daemon.games().size(), 2u) << "two at a time";
  black_wins(client, 0);
  EXPECT_EQ(client.daemon.games().size(), 3u);
  EXPECT_EQ(client.printed, std::string("game 1  ") + kFirstId +
                                "  gnugo:level=1 - gnugo  B+1.5  3 moves  score\n");
  client.engine_moves(1, "resign");
  client.printed.clear();
  white_wins(client, 2);
  EXPECT_EQ(client.code, ExitCode::Done);
  EXPECT_EQ(
      client.printed,
      "game 3  0123456789abcdef0000000000000002  gnugo:level=1 - gnugo  W+7.5  2 moves  score\n"
      "                 wins  as black  as white\n"
      "1 gnugo:level=1     1         1         0\n"
      "2 gnugo             2         0         2\n"
      "drawn               0\n"
      "3 games, 1.7 moves on average\n");
  ASSERT_EQ(client.files.size(), 3u);
  EXPECT_EQ(client.files[0].path, std::string("games/001-") + kFirstId + ".sgf");
  EXPECT_NE(client.files[0].text.find("RE[B+1.5]"), std::string::npos) << client.files[0].text;
  EXPECT_NE(client.files[0].text.find(";B[bb];W[];B[]"), std::string::npos) << client.files[0].text;
}

TEST(MatchCommand, AlternatesColoursAndCountsForThePlayer) {
  MatchOptions match = options(2, 1);
  match.colors = MatchOptions::Colors::Alternate;
  match.output = Output::Json;
  ScriptedClient client = client_for(match);
  client.start();
  black_wins(client, 0);
  ASSERT_EQ(client.daemon.games().size(), 2u);
  EXPECT_EQ(client.daemon.games()[1].header().slot1_color, rules::Color::White);
  black_wins(client, 1);
  EXPECT_EQ(
      client.printed,
      "{\"size\":\"3x3\",\"rules\":\"tromp-taylor\",\"komi\":7.5,\"time\":\"none\",\"players\":["
      "{\"engine\":\"gnugo:level=1\",\"wins\":1,\"wins_as_black\":1,\"wins_as_white\":0},"
      "{\"engine\":\"gnugo\",\"wins\":1,\"wins_as_black\":1,\"wins_as_white\":0}],\"drawn\":0,"
      "\"average_moves\":3.0,\"games\":["
      "{\"number\":1,\"id\":\"0123456789abcdef0000000000000000\",\"black_player\":1,"
      "\"result\":\"B+1.5\",\"winner_player\":1,\"moves\":3,\"ended_by\":\"score\","
      "\"remarks\":[]},"
      "{\"number\":2,\"id\":\"0123456789abcdef0000000000000001\",\"black_player\":2,"
      "\"result\":\"B+1.5\",\"winner_player\":2,\"moves\":3,\"ended_by\":\"score\","
      "\"remarks\":[]}]}\n");
}

TEST(MatchCommand, GamesHaveTheClockAskedForAndMayEndByIt) {
  MatchOptions match = options(1, 1);
  match.terms.time = std::get<rules::TimeControl>(parse_time("fischer:300+5"));
  ScriptedClient client = client_for(match);
  client.daemon.time = {std::chrono::seconds(1), std::chrono::milliseconds(20)};
  client.start();
  EXPECT_EQ(client.daemon.games()[0].header().clock, match.terms.time);
  client.engine_moves(0, "B2");
  client.happens(0, rules::TimedOut{rules::Color::White});
  EXPECT_EQ(client.code, ExitCode::Done);
  EXPECT_EQ(client.printed.rfind(std::string("game 1  ") + kFirstId +
                                     "  gnugo:level=1 - gnugo  B+T  1 moves  timeout\n",
                                 0),
            0u)
      << client.printed;
}

TEST(MatchCommand, ItIsRemarkedWhoPlaysByOtherRulesAndWhoTookOver) {
  MatchOptions match = options(1, 1);
  match.output = Output::Json;
  ScriptedClient client = client_for(match);
  client.daemon.plays_other_rules = true;
  client.start();
  const rules::Seat house{rules::SeatKind::Engine, "", "house", {}};
  client.happens(0, rules::SeatChanged{rules::Color::White, house, "illegal move: ko"});
  white_wins(client, 0);
  EXPECT_NE(client.printed.find("\"remarks\":[\"black plays by other rules\","
                                "\"white plays by other rules\","
                                "\"white is played by house from event 1: illegal move: ko\"]"),
            std::string::npos)
      << client.printed;
  EXPECT_NE(client.warned.find("score; black plays by other rules; white plays by other rules; "
                               "white is played by house from event 1: illegal move: ko\n"),
            std::string::npos)
      << client.warned;
}

TEST(MatchCommand, ACreationWhoseAnswerWasLostIsAskedAgainAndMakesNoSecondGame) {
  ScriptedClient client = client_for(options(2, 2));
  client.run([&](Effects& out) { client.client.on_start(client.now, out); });
  client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
  for (int i = 0; i < 2; ++i) {  // Hello, and whether it may watch
    client.receive(client.daemon.on_request(client.sent.front()));
    client.sent.pop_front();
  }
  client.die_before_answering();
  EXPECT_EQ(client.daemon.games().size(), 2u);
  client.come_back();
  EXPECT_EQ(client.daemon.games().size(), 2u);
  std::set<std::string> ids;
  for (const auto& request : client.daemon.heard<protocol::CreateGame>()) {
    ids.insert(request.request_id);
  }
  EXPECT_EQ(client.daemon.heard<protocol::CreateGame>().size(), 4u);
  EXPECT_EQ(ids.size(), 2u);
  white_wins(client, 0);
  white_wins(client, 1);
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(MatchCommand, AfterARestartItGoesOnFromTheLastEventSeen) {
  ScriptedClient client = client_for(options(1, 1));
  client.start();
  client.engine_moves(0, "B2");
  client.lose();
  (void)client.daemon.move(0, "pass");
  client.come_back();
  const auto subscriptions = client.daemon.heard<protocol::Subscribe>();
  ASSERT_EQ(subscriptions.size(), 2u);
  EXPECT_EQ(subscriptions[0].after_seq, 0u);
  EXPECT_EQ(subscriptions[1].after_seq, 1u);
  client.engine_moves(0, "pass");
  EXPECT_EQ(client.code, ExitCode::Done);
  EXPECT_NE(client.printed.find("B+1.5"), std::string::npos);
}

TEST(MatchCommand, AGameThatEndedWhileTheServerWasAwayIsFinished) {
  ScriptedClient client = client_for(options(1, 1));
  client.start();
  client.lose();
  for (const char* move : {"pass", "pass"}) (void)client.daemon.move(0, move);
  client.come_back();
  EXPECT_EQ(client.code, ExitCode::Done);
  EXPECT_EQ(client.files.size(), 1u);
}

TEST(MatchCommand, AnUnknownProfileIsANo) {
  MatchOptions match = options(3, 1);
  match.engines[1].profile = "nogo";
  ScriptedClient client = client_for(match);
  client.start();
  EXPECT_EQ(client.code, ExitCode::No);
  EXPECT_EQ(client.warned, "tengen: game 1 cannot be made: unknown profile (no profile nogo)\n");
}

TEST(MatchCommand, ALogThatDoesNotReplayIsReported) {
  ScriptedClient client = client_for(options(1, 1));
  client.start();
  const rules::Event lie{1, {}, rules::Played{rules::Color::White, rules::Point::at(0, 0)}};
  const protocol::GameEvents events{client.daemon.games()[0].header().id, {3, 3}, {lie}};
  client.receive({{0, events}});
  EXPECT_EQ(client.code, ExitCode::Failed);
  EXPECT_EQ(client.warned, std::string("tengen: game 1 ") + kFirstId +
                               ": the log does not replay: event 1 (play): refused by the rules: "
                               "not-your-turn\n");
}

TEST(MatchCommand, AServerThatForgotEventsIsReported) {
  ScriptedClient client = client_for(options(1, 1));
  client.start();
  client.engine_moves(0, "B2");
  client.lose();
  client.wait();
  client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
  client.receive({{client.sent[0].id, client.daemon.welcome}});
  const rules::GameId id = client.daemon.games()[0].header().id;
  const protocol::GameEvents none{id, {3, 3}, {}};
  client.receive({{client.sent[1].id, protocol::Subscribed{id, 0, none}}});
  EXPECT_EQ(client.code, ExitCode::Failed);
  EXPECT_NE(client.warned.find("ends at event 0, but it has sent event 1"), std::string::npos)
      << client.warned;
}

TEST(MatchCommand, AnswersOfTheWrongKindAndOtherGamesAreReported) {
  for (const bool wrong_kind : {true, false}) {
    ScriptedClient client = client_for(options(1, 1));
    client.run([&](Effects& out) { client.client.on_start(client.now, out); });
    client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
    client.receive({{client.sent[0].id, client.daemon.welcome}});
    client.receive({{client.sent[1].id, protocol::GameList{}}});
    if (wrong_kind) {
      client.receive({{client.sent[2].id, protocol::Pong{}}});
    } else {
      const auto created = client.daemon.on_request(client.sent[2]);
      client.receive(created);
      protocol::Snapshot snapshot = protocol::snapshot_of(client.daemon.games()[0]);
      snapshot.header.clock = std::get<rules::TimeControl>(parse_time("absolute:1"));
      client.receive({{client.sent[3].id, snapshot}});
    }
    EXPECT_EQ(client.code, ExitCode::Failed) << wrong_kind;
  }
}

TEST(MatchCommand, WhoMayNotWatchIsToldBeforeAnyGameIsMade) {
  ScriptedClient client = client_for(options(3, 2));
  client.daemon.no_list = protocol::Error{protocol::ErrorCode::Forbidden, "watch",
                                          "this needs the role watch", 0, std::nullopt};
  client.start();
  EXPECT_EQ(client.code, ExitCode::No);
  EXPECT_EQ(client.warned,
            "tengen: no game was made: a match is watched to its end, and the server says "
            "forbidden: watch (this needs the role watch)\n");
  EXPECT_TRUE(client.daemon.heard<protocol::CreateGame>().empty());
}

protocol::Error not_now(const char* reason) {
  return {protocol::ErrorCode::LimitReached, reason, "", 0, std::nullopt};
}

TEST(MatchCommand, WhyItWaitsIsToldAtOnceAndAfterTenMinutesItIsARefusal) {
  ScriptedClient client = client_for(options(1, 1));
  client.daemon.no_game = not_now("token_games_max");
  client.start();
  EXPECT_NE(client.warned.find("limit reached: token_games_max; trying again"), std::string::npos)
      << client.warned;
  const TimePoint asked = client.now;
  while (!client.code && client.now - asked < std::chrono::hours(1)) {
    client.wait();
    client.exchange();
  }
  EXPECT_EQ(client.code, ExitCode::No);
  EXPECT_GE(client.now - asked, std::chrono::minutes(10));
}

TEST(MatchCommand, AQuotaThatItsOwnGamesFillIsWaitedForAsLongAsTheyLast) {
  ScriptedClient client = client_for(options(2, 2));
  client.daemon.welcome.limits.games_max = 1;  // the first is made alone
  client.start();
  client.lose();
  client.daemon.welcome.limits.games_max = 2;
  client.daemon.no_game = not_now("token_games_max");
  client.come_back();
  const TimePoint asked = client.now;
  while (client.now - asked < std::chrono::hours(1)) {
    client.wait();
    client.exchange();
    ASSERT_FALSE(client.code) << client.warned;
  }
  client.daemon.no_game.reset();
  white_wins(client, 0);
  client.wait();
  client.exchange();
  ASSERT_EQ(client.daemon.games().size(), 2u);
  white_wins(client, 1);
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(MatchCommand, ADaemonThatFallsSilentIsNoticedAndTheGameGoesOnWhereItWas) {
  ScriptedClient client = client_for(options(1, 1));
  client.daemon.welcome.heartbeat_ms = 2'000;
  client.start();
  client.engine_moves(0, "B2");
  const TimePoint heard = client.now;
  client.wait();
  ASSERT_EQ(client.sent.size(), 1u) << "a ping, which nobody hears";
  client.sent.clear();
  client.daemon.forget_connection();
  client.wait();
  EXPECT_EQ(client.now - heard, std::chrono::seconds(4));
  EXPECT_EQ(client.warned, "The server is away (it has been silent for 4 s); looking for it.\n");
  (void)client.daemon.move(0, "pass");
  client.come_back();
  EXPECT_EQ(client.connects, 2u);
  EXPECT_EQ(client.daemon.heard<protocol::Subscribe>().back().after_seq, 1u);
  client.engine_moves(0, "pass");
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(MatchCommand, PlaysNoMoreAtATimeThanTheServerAllows) {
  ScriptedClient client = client_for(options(8, 8));
  client.daemon.welcome.limits.subscriptions_max = 3;
  client.start();
  EXPECT_EQ(client.daemon.games().size(), 3u);
}

TEST(MatchCommand, FinishedGamesAreUnsubscribed) {
  ScriptedClient client = client_for(options(2, 1));
  client.start();
  white_wins(client, 0);
  EXPECT_EQ(client.daemon.heard<protocol::Unsubscribe>().size(), 1u);
}

}  // namespace
}  // namespace tengen::cli
