// A person and a pipe against a daemon of values.
#include "clients/cli/play_command.h"

#include <gtest/gtest.h>

#include "tests/cli/scripted_client.h"

namespace tengen::cli {
namespace {

using Input = PlayOptions::Input;

PlayOptions options(Input input) {
  PlayOptions play;
  play.engine = std::get<protocol::SeatRequest>(parse_engine("gnugo:level=1"));
  play.terms = std::get<GameTerms>(parse_terms("3", "tromp-taylor", ""));
  play.input = input;
  play.sgf_path = "game.sgf";
  play.application = "Tengen:test";
  return play;
}

ScriptedClient client_for(PlayOptions play) {
  ScriptedClient client(std::make_unique<PlayCommand>(std::move(play)));
  client.daemon.welcome.version = 1;
  return client;
}

TEST(PlayCommand, MakesTheGameSaysHowToComeBackAndShowsTheBoard) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  EXPECT_EQ(
      client.printed,
      "You are black against gnugo on 3x3, tromp-taylor rules, komi 7.5. Type help for help.\n"
      "To come back: tengen play --join ticket-0\n"
      "\n"
      "   A B C\n"
      " 3 . . . 3\n"
      " 2 . . . 2\n"
      " 1 . . . 1\n"
      "   A B C\n"
      "Captures: black 0, white 0.\n"
      "black> ");
  EXPECT_EQ(client.daemon.games()[0].header().seats[1].settings, (rules::Settings{{"level", "1"}}));
}

TEST(PlayCommand, WithAClockTheBoardShowsWhatBothHaveLeft) {
  PlayOptions play = options(Input::Terminal);
  play.terms.time = std::get<rules::TimeControl>(parse_time("byoyomi:300+5x30"));
  ScriptedClient client = client_for(play);
  client.daemon.time = {std::chrono::seconds(9), std::chrono::seconds(0)};
  client.start();
  EXPECT_EQ(client.take_printed().rfind("You are black against gnugo on 3x3, tromp-taylor rules, "
                                        "komi 7.5, time byoyomi:300+5x30. Type help",
                                        0),
            0u);
  client.type("B2");
  client.exchange();
  const std::string board = client.take_printed();
  EXPECT_NE(board.find("\nB 4:51 (5x30) W 5:00 (5x30)\n"), std::string::npos) << board;
}

TEST(PlayCommand, ALossOnTimeIsTold) {
  PlayOptions play = options(Input::Terminal);
  play.terms.time = std::get<rules::TimeControl>(parse_time("absolute:60"));
  ScriptedClient client = client_for(play);
  client.start();
  client.take_printed();
  client.happens(0, rules::TimedOut{rules::Color::Black});
  const std::string end = client.take_printed();
  EXPECT_EQ(end.rfind("Black has no time left.\nResult: W+T\n", 0), 0u) << end;
  EXPECT_NE(end.find("\nB 0:00 W 1:00\n"), std::string::npos) << end;
  EXPECT_NE(end.find("You lose: W+T\n"), std::string::npos) << end;
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(PlayCommand, AnEngineThatPlaysByOtherRulesIsNamedAsSuch) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.daemon.plays_other_rules = true;
  client.start();
  EXPECT_EQ(client.printed.rfind("You are black against gnugo (which plays by other rules) on", 0),
            0u)
      << client.printed;
}

TEST(PlayCommand, ASubstituteIsToldOfAndNamedToWhoeverComesBack) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.take_printed();
  const rules::Seat house{rules::SeatKind::Engine, "", "house", {}};
  client.happens(0, rules::SeatChanged{rules::Color::White, house, "it died"});
  EXPECT_EQ(client.take_printed().rfind("White is played by house from now on: it died.\n", 0), 0u);
  PlayOptions join = options(Input::Terminal);
  join.ticket = "ticket-0";
  ScriptedClient second = client_for(join);
  second.daemon = client.daemon;
  second.start();
  EXPECT_EQ(second.printed.rfind("You are black against house on 3x3", 0), 0u) << second.printed;
}

TEST(PlayCommand, PlaysAGameToItsResult) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.take_printed();
  client.type("b2");
  client.exchange();
  EXPECT_EQ(client.take_printed(),
            "Black plays B2.\n"
            "\n"
            "   A B C\n"
            " 3 . . . 3\n"
            " 2 .(X). 2\n"
            " 1 . . . 1\n"
            "   A B C\n"
            "Move 1: black B2. Captures: black 0, white 0.\n");
  client.engine_moves(0, "pass");
  EXPECT_EQ(client.take_printed().rfind("White passes.\n", 0), 0u);
  client.type("pass");
  client.exchange();
  const std::string end = client.take_printed();
  EXPECT_NE(end.find("Two passes: play stops.\nArea: black 9, white 7.5 with komi.\n"
                     "Result: B+1.5\n"),
            std::string::npos)
      << end;
  EXPECT_NE(end.find("You win: B+1.5\n"), std::string::npos);
  EXPECT_EQ(client.code, ExitCode::Done);
  ASSERT_EQ(client.files.size(), 1u);
  EXPECT_EQ(client.files[0].path, "game.sgf");
  EXPECT_NE(client.files[0].text.find("RE[B+1.5]"), std::string::npos);
}

TEST(PlayCommand, WithJsonStandardOutputIsOneObjectAtTheEnd) {
  PlayOptions play = options(Input::Terminal);
  play.output = Output::Json;
  ScriptedClient client = client_for(play);
  client.start();
  client.type("resign");
  client.exchange();
  EXPECT_EQ(client.take_printed(),
            "{\"game\":\"" + to_text(client.daemon.games()[0].header().id) +
                "\",\"ticket\":\"ticket-0\",\"color\":\"black\",\"result\":\"W+R\","
                "\"winner\":\"white\",\"moves\":0}\n");
}

TEST(PlayCommand, ActsNameThePositionTheyWereMadeIn) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.type("A1");
  client.exchange();
  client.engine_moves(0, "C3");
  client.type("B2");
  client.exchange();
  const auto plays = client.daemon.heard<protocol::Play>();
  ASSERT_EQ(plays.size(), 2u);
  EXPECT_EQ(plays[0].position_seq, 0u);
  EXPECT_EQ(plays[1].position_seq, 2u);
  EXPECT_EQ(plays[1].slot, 1);
}

TEST(PlayCommand, ARefusalIsOneLineAndTheGameGoesOn) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.type("B2");
  client.exchange();
  client.engine_moves(0, "C3");
  client.take_printed();
  client.type("C3");
  client.exchange();
  EXPECT_EQ(client.take_printed(), "Refused: illegal move: occupied\nblack> ");
  client.type("A1");
  client.exchange();
  EXPECT_EQ(client.daemon.games()[0].seq(), 3u);
}

TEST(PlayCommand, AMoveWhoseAnswerWasLostIsSentAgainUnderTheSameIdAndMadeOnce) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.type("B2");
  client.die_before_answering();
  client.come_back();
  const auto plays = client.daemon.heard<protocol::Play>();
  ASSERT_EQ(plays.size(), 2u);
  EXPECT_EQ(plays[0].request_id, plays[1].request_id);
  EXPECT_EQ(client.daemon.games()[0].seq(), 1u);
  client.engine_moves(0, "A1");
  client.type("A2");
  client.exchange();
  EXPECT_EQ(client.daemon.games()[0].seq(), 3u);
}

TEST(PlayCommand, AMoveTheDaemonNeverHeardIsSentWhenItIsBack) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.type("B2");
  client.lose();
  client.come_back();
  EXPECT_EQ(client.daemon.games()[0].seq(), 1u);
  const auto joins = client.daemon.heard<protocol::JoinGame>();
  EXPECT_EQ(joins.size(), 2u);
}

TEST(PlayCommand, AMoveThatFallsIntoASilenceIsMadeOnceWhenTheServerIsBack) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.daemon.welcome.heartbeat_ms = 1'000;
  client.start();
  client.take_printed();
  client.type("B2");
  (void)client.daemon.on_request(client.sent.front());  // it hears, and the answer never comes
  client.sent.clear();
  client.wait();
  client.sent.clear();
  client.wait();
  EXPECT_EQ(client.take_printed(),
            "The server is away (it has been silent for 2 s); looking for it.\n");
  client.daemon.forget_connection();
  client.come_back();
  EXPECT_NE(client.take_printed().find("The server is back.\n"), std::string::npos);
  EXPECT_EQ(client.daemon.heard<protocol::Subscribe>().back().after_seq, 0u);
  EXPECT_EQ(client.daemon.games()[0].seq(), 1u);
}

TEST(PlayCommand, AMoveTypedWhileTheServerIsAwayIsSentWhenItIsBack) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.lose();
  client.type("B2");
  client.type("A1");
  EXPECT_NE(client.take_printed().find("Your last move has not been answered yet.\n"),
            std::string::npos);
  client.come_back();
  EXPECT_EQ(client.daemon.heard<protocol::Play>().size(), 1u);
  EXPECT_EQ(client.daemon.games()[0].seq(), 1u);
}

TEST(PlayCommand, TheCreationIsAskedAgainUnderTheSameId) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.run([&](Effects& out) { client.client.on_start(client.now, out); });
  client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
  client.receive(client.daemon.on_request(client.sent.front()));
  client.sent.pop_front();
  client.die_before_answering();
  client.come_back();
  EXPECT_EQ(client.daemon.games().size(), 1u);
  EXPECT_NE(client.printed.find("ticket-0"), std::string::npos);
}

TEST(PlayCommand, APipeIsReadOnlyWhenItIsOurTurn) {
  ScriptedClient client = client_for(options(Input::Pipe));
  EXPECT_FALSE(client.client.wants_line());
  client.start();
  EXPECT_TRUE(client.client.wants_line());
  client.type("B2");
  EXPECT_FALSE(client.client.wants_line());
  client.exchange();
  EXPECT_FALSE(client.client.wants_line()) << "white is to move";
  client.engine_moves(0, "pass");
  EXPECT_TRUE(client.client.wants_line());
  client.type("not-a-move");
  EXPECT_TRUE(client.client.wants_line());
  client.end_input();
  EXPECT_EQ(client.code, ExitCode::Done);
  EXPECT_EQ(client.printed.find("> "), std::string::npos) << "no prompts";
  EXPECT_NE(
      client.printed.find("The game stays open.\nTo come back: tengen play --join ticket-0\n"),
      std::string::npos);
}

TEST(PlayCommand, ATicketJoinsARunningGameInItsPlace) {
  ScriptedClient first = client_for(options(Input::Terminal));
  first.start();
  first.type("B2");
  first.exchange();
  first.type("quit");
  EXPECT_EQ(first.code, ExitCode::Done);
  PlayOptions join = options(Input::Terminal);
  join.ticket = "ticket-0";
  join.rejoin_arguments = " --server ws://h:1";
  ScriptedClient second = client_for(join);
  second.daemon = first.daemon;
  second.start();
  EXPECT_EQ(
      second.printed,
      "You are black against gnugo on 3x3, tromp-taylor rules, komi 7.5. Type help for help.\n"
      "To come back: tengen play --join ticket-0 --server ws://h:1\n"
      "Black plays B2.\n"
      "\n"
      "   A B C\n"
      " 3 . . . 3\n"
      " 2 .(X). 2\n"
      " 1 . . . 1\n"
      "   A B C\n"
      "Move 1: black B2. Captures: black 0, white 0.\n");
  EXPECT_EQ(second.daemon.games().size(), 1u);
}

TEST(PlayCommand, ATicketOfNoGameIsANo) {
  PlayOptions join = options(Input::Terminal);
  join.ticket = "stale";
  ScriptedClient client = client_for(join);
  client.start();
  EXPECT_EQ(client.code, ExitCode::No);
  EXPECT_EQ(client.warned, "tengen: bad ticket\n");
}

TEST(PlayCommand, WhatIsTypedIsReadKindlyAndNothingStrangeIsSent) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.take_printed();
  struct Case {
    std::string typed;
    const char* said;
  };
  const std::string strange =
      "That line is too long or holds control characters; nothing was sent.\nblack> ";
  const std::vector<Case> cases{
      {"", "black> "},
      {"  \r", "black> "},
      {"Z9", "'Z9' is not a point of this board; try help.\nblack> "},
      {"D4", "'D4' is not a point of this board; try help.\nblack> "},
      {"moves", "No moves yet.\nblack> "},
      {std::string("a1\0", 3), strange.c_str()},
      {"a1\x1b[2J", strange.c_str()},
      {std::string(PlayCommand::kLineMax + 1, 'a'), strange.c_str()},
  };
  for (const Case& line : cases) {
    client.type(line.typed);
    EXPECT_EQ(client.take_printed(), line.said);
    EXPECT_TRUE(client.sent.empty()) << line.typed;
  }
  client.type(" Help ");
  EXPECT_NE(client.take_printed().find("resign"), std::string::npos);
  client.type("b2\r");
  client.exchange();
  client.take_printed();
  client.type("moves");
  EXPECT_EQ(client.take_printed(), "1 B B2\n");
  client.type("A1");
  EXPECT_EQ(client.take_printed(), "It is white's turn.\n");
}

TEST(PlayCommand, ResigningWorksOffTurnToo) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  client.type("B2");
  client.exchange();
  client.type("resign");
  client.exchange();
  EXPECT_EQ(client.code, ExitCode::Done);
  EXPECT_NE(client.printed.find("You lose: W+R\n"), std::string::npos) << client.printed;
}

TEST(PlayCommand, WhiteWaitsForTheEnginesFirstMove) {
  PlayOptions play = options(Input::Terminal);
  play.color = protocol::ColorChoice::Slot1White;
  ScriptedClient client = client_for(play);
  client.start();
  EXPECT_EQ(client.printed.rfind("You are white", 0), 0u);
  client.take_printed();
  client.engine_moves(0, "B2");
  const std::string told = client.take_printed();
  EXPECT_EQ(told.rfind("Black plays B2.\n", 0), 0u) << told;
  EXPECT_NE(told.find("white> "), std::string::npos);
}

TEST(PlayCommand, ALogThatDoesNotReplayEndsTheGameWithAMessage) {
  ScriptedClient client = client_for(options(Input::Terminal));
  client.start();
  const rules::Event lie{7, {}, rules::Passed{rules::Color::Black}};
  const protocol::GameEvents events{client.daemon.games()[0].header().id, {3, 3}, {lie}};
  client.receive({{0, events}});
  EXPECT_EQ(client.code, ExitCode::Failed);
  EXPECT_EQ(client.warned,
            "tengen: the game's log does not replay: event 7 (pass): expected event 1\n");
}

}  // namespace
}  // namespace tengen::cli
