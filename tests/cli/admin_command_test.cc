// `tengen admin`: what it asks, what it prints, and its command line.
#include "clients/cli/admin_command.h"

#include <gtest/gtest.h>

#include <memory>

#include "clients/cli/command_line.h"
#include "protocol/codec.h"
#include "tests/cli/scripted_client.h"

namespace tengen::cli {
namespace {

const std::string kGame = "0123456789abcdef0123456789abcdef";

/// A client that has said what it wants.
struct Asked {
  explicit Asked(protocol::AdminVerb verb, Output output = Output::Text)
      : client(std::make_unique<AdminCommand>(AdminOptions{std::move(verb), output})) {
    client.daemon.welcome.version = protocol::kVersion;
    client.run([&](Effects& out) { client.client.on_start(client.now, out); });
    open();
  }
  void open() {
    client.run([&](Effects& out) { client.client.on_connected(client.now, out); });
    client.receive({{client.sent.back().id, client.daemon.welcome}});
  }
  protocol::Admin request() const { return std::get<protocol::Admin>(client.sent.back().message); }
  void answer(protocol::ServerMessage message) {
    client.receive({{client.sent.back().id, std::move(message)}});
  }
  ScriptedClient client;
};

protocol::AdminVerb verb_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "admin");
  const auto parsed = parse_command_line(std::move(arguments), Streams{});
  const auto* run = std::get_if<RunAdmin>(&parsed);
  if (run == nullptr) ADD_FAILURE() << std::get<Stop>(parsed).error;
  return run != nullptr ? run->options.verb : protocol::AdminVerb{};
}

TEST(AdminCommandTest, SaysWhatWasDone) {
  struct Case {
    protocol::AdminVerb verb;
    std::uint32_t connections;
    std::string printed;
  };
  const Case cases[] = {
      {protocol::RetireEngine{3}, 0, "Done.\n"},
      {protocol::DrainProfile{"gnugo", false}, 0, "Done.\n"},
      {protocol::EndGame{{1, 2}, std::nullopt, ""}, 0, "Done.\n"},
      {protocol::Kick{"club"}, 2, "Done: closed 2 connections.\n"},
      {protocol::RevokeToken{"club"}, 1, "Done: closed 1 connection.\n"},
      {protocol::SendNotice{"hello"}, 5, "Done: told 5 connections.\n"},
  };
  for (const Case& each : cases) {
    Asked asked(each.verb);
    EXPECT_EQ(asked.request().verb, each.verb);
    EXPECT_EQ(asked.request().request_id.size(), 32u);
    asked.answer(protocol::AdminDone{each.connections});
    EXPECT_EQ(asked.client.printed, each.printed);
    EXPECT_EQ(asked.client.code, ExitCode::Done);
  }
  Asked json(protocol::Kick{"club"}, Output::Json);
  json.answer(protocol::AdminDone{2});
  EXPECT_EQ(json.client.printed, "{\"connections\":2}\n");
}

TEST(AdminCommandTest, ARefusalIsANo) {
  Asked asked(protocol::RevokeToken{"club"});
  asked.answer(protocol::Error{protocol::ErrorCode::Forbidden, "admin", "not you"});
  EXPECT_EQ(asked.client.code, ExitCode::No);
  EXPECT_EQ(asked.client.warned, "tengen: forbidden: admin (not you)\n");
}

TEST(AdminCommandTest, AfterALossItAsksForTheSameThing) {
  Asked asked(protocol::SendNotice{"hello"});
  const auto first = asked.request();
  asked.client.lose();
  asked.client.wait();
  asked.open();
  EXPECT_EQ(asked.request(), first);
}

TEST(AdminCommandTest, ConnectionsAreATableOfAllPages) {
  Asked asked(protocol::ListConnections{});
  asked.answer(protocol::ConnectionList{{{{3}, "club", "tengen 0.1", "127.0.0.1", 2, 1}}, true});
  EXPECT_EQ(asked.request().verb, protocol::AdminVerb(protocol::ListConnections{3}));
  asked.answer(protocol::ConnectionList{{{{12}, "anonymous", "", "2001:db8::1", 0, 0}}, false});
  EXPECT_EQ(asked.client.printed,
            "CONNECTION  TOKEN      CLIENT      ADDRESS      SEATS  WATCHES\n"
            "         3  club       tengen 0.1  127.0.0.1        2        1\n"
            "        12  anonymous  -           2001:db8::1      0        0\n");
  EXPECT_EQ(asked.client.code, ExitCode::Done);
}

TEST(AdminCommandTest, ConnectionsAreOneJsonObject) {
  Asked asked(protocol::ListConnections{}, Output::Json);
  asked.answer(protocol::ConnectionList{{{{3}, "club", "a\"b", "127.0.0.1", 2, 1}}, false});
  EXPECT_EQ(asked.client.printed,
            "{\"connections\":[{\"connection\":3,\"token\":\"club\",\"client\":\"a\\\"b\","
            "\"address\":\"127.0.0.1\",\"seats\":2,\"subscriptions\":1}]}\n");
}

TEST(AdminCommandTest, AServerThatListsForEverIsLeft) {
  for (const auto& list :
       {protocol::ConnectionList{{}, true},
        protocol::ConnectionList{{{{0}, "club", "", "127.0.0.1", 0, 0}}, true}}) {
    Asked asked(protocol::ListConnections{});
    asked.answer(list);
    EXPECT_EQ(asked.client.code, ExitCode::Failed);
  }
  Asked endless(protocol::ListConnections{});
  std::uint64_t last = 0;
  for (int page = 0; page < 200 && !endless.client.code; ++page) {
    protocol::ConnectionList list{{}, true};
    for (int i = 0; i < 1'000; ++i) list.connections.push_back({{++last}, "club", "", "", 0, 0});
    endless.answer(std::move(list));
  }
  EXPECT_EQ(endless.client.code, ExitCode::Failed);
  EXPECT_EQ(last, AdminCommand::kConnectionsMax + 1'000);
  Asked other(protocol::RetireEngine{3});
  other.answer(protocol::ConnectionList{});
  EXPECT_EQ(other.client.code, ExitCode::Failed);
}

TEST(AdminLine, EachVerbIsReadWithItsOptions) {
  const rules::GameId game = *rules::parse_game_id(kGame);
  EXPECT_EQ(verb_of({"end", kGame, "--winner", "white", "--reason", "gone"}),
            protocol::AdminVerb(protocol::EndGame{game, rules::Color::White, "gone"}));
  EXPECT_EQ(verb_of({"end", kGame, "--annul"}),
            protocol::AdminVerb(protocol::EndGame{game, std::nullopt, ""}));
  EXPECT_EQ(verb_of({"kick", "--token", "club"}), protocol::AdminVerb(protocol::Kick{"club"}));
  EXPECT_EQ(verb_of({"kick", "--connection", "18446744073709551615"}),
            protocol::AdminVerb(protocol::Kick{protocol::ConnectionNumber{~std::uint64_t{0}}}));
  EXPECT_EQ(verb_of({"revoke", "club"}), protocol::AdminVerb(protocol::RevokeToken{"club"}));
  EXPECT_EQ(verb_of({"retire", "7"}), protocol::AdminVerb(protocol::RetireEngine{7}));
  EXPECT_EQ(verb_of({"drain", "gnugo"}),
            protocol::AdminVerb(protocol::DrainProfile{"gnugo", false}));
  EXPECT_EQ(verb_of({"drain", "gnugo", "--undo"}),
            protocol::AdminVerb(protocol::DrainProfile{"gnugo", true}));
  EXPECT_EQ(verb_of({"notice", "we stop"}), protocol::AdminVerb(protocol::SendNotice{"we stop"}));
  EXPECT_EQ(verb_of({"connections"}), protocol::AdminVerb(protocol::ListConnections{}));
}

TEST(AdminLine, TakesAServerATokenFileAndJson) {
  const auto parsed = parse_command_line(
      {"admin", "connections", "--json", "--server", "ws://h:1", "--token-file", "secret"},
      Streams{});
  const auto& run = std::get<RunAdmin>(parsed);
  EXPECT_EQ(run.server.address, (Address{"h", "1"}));
  EXPECT_EQ(run.server.token_file, "secret");
  EXPECT_EQ(run.options.output, Output::Json);
}

TEST(AdminLine, WrongUsageIsTwoWithAReason) {
  const std::vector<std::vector<std::string>> wrong{
      {"admin"},
      {"admin", "dance"},
      {"admin", "end"},
      {"admin", "end", kGame},
      {"admin", "end", "x", "--annul"},
      {"admin", "end", kGame, "--winner", "green"},
      {"admin", "end", kGame, "--winner", "black", "--annul"},
      {"admin", "kick"},
      {"admin", "kick", "--token", "a", "--connection", "1"},
      {"admin", "kick", "--connection", "-1"},
      {"admin", "revoke"},
      {"admin", "retire", "x"},
      {"admin", "retire", "4294967296"},
      {"admin", "drain"},
      {"admin", "notice"},
      {"admin", "connections", "--server", "nowhere"},
  };
  for (const auto& arguments : wrong) {
    const auto parsed = parse_command_line(arguments, Streams{});
    ASSERT_TRUE(std::holds_alternative<Stop>(parsed)) << ::testing::PrintToString(arguments);
    EXPECT_EQ(std::get<Stop>(parsed).code, ExitCode::Usage);
    EXPECT_FALSE(std::get<Stop>(parsed).error.empty());
  }
}

}  // namespace
}  // namespace tengen::cli
