#include "clients/cli/agent_match_command.h"

#include <gtest/gtest.h>

#include <memory>

#include "protocol/codec.h"
#include "tests/cli/scripted_client.h"

namespace tengen::cli {
namespace {

AgentMatchOptions options_for(Output output) {
  return {std::nullopt, "http://127.0.0.1:8374", output};
}

ScriptedClient client_for(AgentMatchOptions options) {
  ScriptedClient client(std::make_unique<AgentMatchCommand>(std::move(options)));
  client.daemon.welcome.version = protocol::kVersion;
  return client;
}

protocol::CreateGame created_by(const ScriptedClient& client) {
  const auto made = client.daemon.heard<protocol::CreateGame>();
  EXPECT_EQ(made.size(), 1u);
  return made.empty() ? protocol::CreateGame{} : made.front();
}

TEST(AgentMatchCommandTest, MakesTheOneKindOfGameThatAgentsKnow) {
  ScriptedClient client = client_for(options_for(Output::Text));
  client.start();
  const auto create = created_by(client);
  EXPECT_EQ(create.preset, "go-chinese-19-0.3");
  EXPECT_EQ(create.size, (rules::Size{19, 19}));
  EXPECT_EQ(create.komi_half, 15);
  EXPECT_EQ(create.colors, protocol::ColorChoice::Random);
  EXPECT_EQ(create.seats[0].kind, rules::SeatKind::Agent);
  EXPECT_EQ(create.seats[1].kind, rules::SeatKind::Agent);
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(AgentMatchCommandTest, AnEngineCanBeTheOpponent) {
  auto options = options_for(Output::Text);
  options.opponent = protocol::SeatRequest{rules::SeatKind::Engine, "", "gnugo", {}};
  ScriptedClient client = client_for(options);
  client.start();
  EXPECT_EQ(created_by(client).seats[0].kind, rules::SeatKind::Agent);
  EXPECT_EQ(created_by(client).seats[1].profile, "gnugo");
}

TEST(AgentMatchCommandTest, PrintsTheTicketsAndWhereToGo) {
  ScriptedClient client = client_for(options_for(Output::Text));
  client.start();
  for (const char* part :
       {"Game 0123456789abcdef", "Ticket of slot 1: ", "Ticket of slot 2: ",
        "http://127.0.0.1:8374/watch/0123456789abcdef", "http://127.0.0.1:8374/v1/rules/go"}) {
    EXPECT_NE(client.printed.find(part), std::string::npos) << part << "\n" << client.printed;
  }
}

TEST(AgentMatchCommandTest, PrintsOneJsonObject) {
  ScriptedClient client = client_for(options_for(Output::Json));
  client.start();
  EXPECT_EQ(client.printed.find("{\"game\":\"0123456789abcdef"), 0u) << client.printed;
  EXPECT_NE(client.printed.find("\"tickets\":[{\"slot\":1,\"ticket\":\""), std::string::npos);
}

TEST(AgentMatchCommandTest, WhyThereIsNoGameYetIsToldAtOnce) {
  ScriptedClient client = client_for(options_for(Output::Json));
  client.daemon.no_game = protocol::Error{protocol::ErrorCode::Unavailable, "profile_draining",
                                          "nothing new for now", 0, std::nullopt};
  client.start();
  EXPECT_EQ(client.warned,
            "Not now, says the server: unavailable: profile_draining (nothing new for now); trying "
            "again for up to 10 minutes.\n");
  client.lose();
  EXPECT_NE(client.warned.find("The server is away (connection reset); looking for it.\n"),
            std::string::npos);
  client.daemon.no_game.reset();
  client.come_back();
  EXPECT_EQ(client.code, ExitCode::Done);
}

TEST(AgentMatchCommandTest, ALostAnswerMakesNoSecondGame) {
  ScriptedClient client = client_for(options_for(Output::Text));
  client.run([&](Effects& out) { client.client.on_start(client.now, out); });
  client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
  client.receive(client.daemon.on_request(client.sent.front()));
  client.sent.pop_front();
  client.die_before_answering();
  client.come_back();
  const auto asked = client.daemon.heard<protocol::CreateGame>();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0], asked[1]);
  EXPECT_EQ(client.daemon.games().size(), 1u);
}

}  // namespace
}  // namespace tengen::cli
