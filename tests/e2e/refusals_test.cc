// What the daemon refuses, and that whoever behaves is served all along.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>

#include "tests/support/daemon_process.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using protocol::ErrorCode;
using protocol::FrameKind;
using tests::Caller;
using tests::DaemonProcess;
using tests::Player;
using tests::WsClient;
using tests::WsOptions;

constexpr std::chrono::seconds kClosePatience{20};

protocol::CreateGame game_against_fake() {
  return tests::game_of(9, tests::human_seat(), tests::engine_seat("fake"));
}

/// One daemon, and one client beside the misbehaving one that must be served all along.
class Refusals : public ::testing::Test {
 protected:
  ~Refusals() override { expect_others_served(); }
  void expect_others_served() {
    EXPECT_EQ(other_.expect<protocol::Pong>(protocol::Ping{7}).client_time_ms, 7);
  }
  std::string transcript() const { return tests::read_text(folder_.file("transcript")); }

  tests::TempFolder folder_;
  DaemonProcess daemon_{
      {tests::config_with({{"fake", tests::transcribed_engine(folder_.file("transcript"), "")}})}};
  Caller other_{daemon_.port()};
};

TEST_F(Refusals, AVertexWithControlCharactersNeverReachesAnEngine) {
  Player player(daemon_.port(), game_against_fake());
  for (const std::string vertex :
       {"D4\nquit", "D4\r\nquit", "\x01", "D4\t", "D4\n", "\x7f", "D4 \x1b[2J", "quit", "pass"}) {
    const auto error = player.caller().expect_error(player.play_request(vertex));
    EXPECT_EQ(error.code, ErrorCode::InvalidVertex) << error.message;
  }
  const auto nul = player.play_request(std::string("D4\0", 3));
  EXPECT_EQ(player.caller().expect_error(nul).code, ErrorCode::InvalidVertex);
  player.act(player.play_request("D4"));
  ASSERT_TRUE(player.wait_for_turn());
  EXPECT_EQ(player.ledger().seen(), 2u);
  const std::string told = transcript();
  EXPECT_NE(told.find("genmove"), std::string::npos);
  EXPECT_EQ(told.find("quit"), std::string::npos) << told;
  EXPECT_EQ(told.find_first_of("\r\t\x01\x1b\x7f"), std::string::npos) << told;
}

TEST_F(Refusals, AFrameOfTenMegabytesClosesItsConnectionWith1009) {
  Caller flood(daemon_.port());
  flood.socket().send(FrameKind::Binary, std::string(10 * 1024 * 1024, 'x'));
  EXPECT_EQ(flood.socket().wait_for_close(kClosePatience), protocol::kCloseTooBig);
}

TEST_F(Refusals, RandomBytesAreABadFrameAndTheConnectionLives) {
  Caller caller(daemon_.port());
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    // A field with wire type 7 does not exist: no random tail makes a message of it.
    std::string bytes("\x0f");
    for (int n = 0; n < 50; ++n) bytes += static_cast<char>(random());
    caller.socket().send(FrameKind::Binary, bytes);
    const auto frame = caller.next(tests::kAnswerPatience);
    ASSERT_TRUE(frame);
    const auto* error = std::get_if<protocol::Error>(&frame->message);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->code, ErrorCode::BadFrame);
  }
  caller.expect<protocol::Pong>(protocol::Ping{1});
}

TEST_F(Refusals, AnUnknownGameHasItsOwnErrorAndTheConnectionLives) {
  Caller caller(daemon_.port());
  const rules::GameId nobody{1, 2};
  EXPECT_EQ(caller.expect_error(protocol::GetSnapshot{nobody}).code, ErrorCode::UnknownGame);
  EXPECT_EQ(caller.expect_error(protocol::Subscribe{nobody, 0}).code, ErrorCode::UnknownGame);
  EXPECT_EQ(caller.expect_error(protocol::Play{nobody, 1, "r", 0, "D4"}).code,
            ErrorCode::UnknownGame);
  caller.expect<protocol::Pong>(protocol::Ping{1});
}

TEST_F(Refusals, StrangersCannotPlayAndFalseTicketsOpenNothing) {
  Player player(daemon_.port(), game_against_fake());
  const auto move = player.play_request("D4");
  EXPECT_EQ(other_.expect_error(move).code, ErrorCode::NotYourSeat);
  std::string forged = player.ticket();
  forged.back() = forged.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(other_.expect_error(protocol::JoinGame{forged}).code, ErrorCode::BadTicket);
  EXPECT_EQ(other_.expect_error(move).code, ErrorCode::NotYourSeat);
}

TEST_F(Refusals, TextUnderTheBinarySubprotocolClosesWith1003) {
  Caller caller(daemon_.port());
  caller.socket().send(FrameKind::Text, "{}");
  EXPECT_EQ(caller.socket().wait_for_close(kClosePatience), protocol::kCloseUnsupportedData);
}

TEST_F(Refusals, BinaryUnderTheJsonSubprotocolClosesWith1003) {
  Caller caller(daemon_.port(), protocol::Format::Json);
  caller.socket().send(FrameKind::Binary, "{}");
  EXPECT_EQ(caller.socket().wait_for_close(kClosePatience), protocol::kCloseUnsupportedData);
}

TEST_F(Refusals, AnUpgradeWithoutOurSubprotocolIsToldBothOfThem) {
  for (const std::string offered : {"", "chat", "tengen.v2.pb"}) {
    WsOptions options;
    options.subprotocol = offered;
    const WsClient client(daemon_.port(), options);
    EXPECT_EQ(client.http_status(), 400);
    EXPECT_NE(client.http_body().find("tengen.v1.pb"), std::string::npos);
    EXPECT_NE(client.http_body().find("tengen.v1.json"), std::string::npos);
  }
}

TEST_F(Refusals, AnotherPathIsNotFound) {
  WsOptions options;
  options.target = "/game";
  EXPECT_EQ(WsClient(daemon_.port(), options).http_status(), 404);
}

TEST_F(Refusals, OnlyPagesOfThisHostMayConnect) {
  WsOptions options;
  options.origin = "http://example.com";
  EXPECT_EQ(WsClient(daemon_.port(), options).http_status(), 403);
  options.origin = "null";
  EXPECT_EQ(WsClient(daemon_.port(), options).http_status(), 403);
  options.origin = "http://127.0.0.1:" + std::to_string(daemon_.port());
  EXPECT_EQ(WsClient(daemon_.port(), options).http_status(), 101);
}

TEST_F(Refusals, AHostThatIsNoAddressIsAnotherSitesNameForUs) {
  WsOptions options;
  options.host = "rebound.example";
  options.origin = "http://rebound.example:" + std::to_string(daemon_.port());
  EXPECT_EQ(WsClient(daemon_.port(), options).http_status(), 403);
  options.origin.clear();
  EXPECT_EQ(WsClient(daemon_.port(), options).http_status(), 403);
  for (const char* host : {"localhost", "[::1]", "127.0.0.1"}) {
    options.host = host;
    EXPECT_EQ(WsClient(daemon_.port(), options).http_status(), 101) << host;
  }
}

TEST_F(Refusals, AReaderWhoFallsBehindIsClosedWith4013AndOthersAreServed) {
  Caller other(daemon_.port());
  const auto created = other.expect<protocol::GameCreated>(
      tests::game_of(25, tests::human_seat(), tests::human_seat()));
  WsOptions options;
  options.receive_buffer = 4'096;
  WsClient slow(daemon_.port(), options);
  const auto send = [&](std::uint32_t id, protocol::ClientMessage message) {
    slow.send_without_reading(
        FrameKind::Binary,
        encode(protocol::Format::Binary, protocol::ClientFrame{id, std::move(message)}));
  };
  send(1, protocol::Hello{protocol::kVersion, "slow"});
  // Each answer names 625 points; together they are more than the kernel and the outbox hold.
  for (std::uint32_t id = 2; id < 8'000; ++id) send(id, protocol::GetLegalMoves{created.game});
  // Nobody reads for a while, and others are served all along.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (std::chrono::steady_clock::now() < end) {
    other.expect<protocol::Pong>(protocol::Ping{1});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // within its own rate
  }
  EXPECT_EQ(slow.wait_for_close(kClosePatience), protocol::kCloseSlowReader);
}

TEST_F(Refusals, AClientThatSaysNothingIsClosedAfterTheHelloLimit) {
  WsClient silent(daemon_.port());
  WsClient early(daemon_.port());
  early.send(FrameKind::Binary,
             encode(protocol::Format::Binary, protocol::ClientFrame{1, protocol::Ping{1}}));
  const auto answer = early.receive(tests::kAnswerPatience);
  ASSERT_TRUE(answer);
  const auto frame = protocol::decode_server(protocol::Format::Binary, *answer);
  const auto& message = std::get<protocol::ServerFrame>(frame).message;
  EXPECT_EQ(std::get<protocol::Error>(message).code, ErrorCode::HelloRequired);
  EXPECT_EQ(silent.wait_for_close(kClosePatience), protocol::kCloseHelloTimeout);
}

TEST_F(Refusals, AnotherVersionIsRefusedAndClosed) {
  WsClient client(daemon_.port());
  const protocol::ClientFrame hello{1, protocol::Hello{99, "future"}};
  client.send(FrameKind::Binary, encode(protocol::Format::Binary, hello));
  const auto answer = client.receive(tests::kAnswerPatience);
  ASSERT_TRUE(answer);
  const auto frame = protocol::decode_server(protocol::Format::Binary, *answer);
  const auto& message = std::get<protocol::ServerFrame>(frame).message;
  EXPECT_EQ(std::get<protocol::Error>(message).code, ErrorCode::UnsupportedVersion);
  EXPECT_EQ(client.wait_for_close(kClosePatience), protocol::kCloseVersion);
}

TEST_F(Refusals, EnginesAndSizesThatDoNotExistAreRefusedByName) {
  auto create = game_against_fake();
  create.seats[1].profile = "nobody";
  EXPECT_EQ(other_.expect_error(create).code, ErrorCode::UnknownProfile);
  create = game_against_fake();
  create.size = {25, 25};
  EXPECT_EQ(other_.expect_error(create).code, ErrorCode::EngineCannotPlay);
}

// All of this machine who come without a token are one caller.
TEST(AnonymousQuotas, AreToldAndKeptOverAllConnectionsAndTakeNothingFromTokens) {
  const std::string secret = "tengen_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
  DaemonProcess daemon({tests::config_with({{"fake", {tests::program("fake_engine")}}}) + R"(
[[token]]
name = "club"
sha256 = "db709e9bf03bf56a86d2eb86eba10e915dadd9b03e250da4ed38faecd57b7244"  # as sha256sum says
roles = ["play", "watch"]
[anonymous]
roles = ["play", "watch"]
games_max = 1
virtual_engines_max = 1
watches_max = 1
)"});
  Caller one(daemon.port());
  Caller two(daemon.port());
  EXPECT_EQ(one.welcome().quotas, (protocol::PublishedQuotas{1, 4, 1, 1, 6'000}));
  const auto game = one.expect<protocol::GameCreated>(game_against_fake()).game;
  EXPECT_EQ(two.expect_error(game_against_fake()).reason, "token_games_max");
  one.expect<protocol::Subscribed>(protocol::Subscribe{game, 0});
  EXPECT_EQ(two.expect_error(protocol::Subscribe{game, 0}).reason, "token_watches_max");

  protocol::OpenVirtualEngine open{"fake",
                                   {},
                                   {{9, 9}, 15, {}},
                                   rules::find_preset("chinese")->rules,
                                   tests::fresh_request_id()};
  {
    Caller cut(daemon.port());
    cut.send(open);  // and its answer is lost
    cut.expect<protocol::Pong>(protocol::Ping{1});
  }
  const auto engine = two.expect<protocol::VirtualEngineOpened>(open).engine;
  EXPECT_EQ(one.expect<protocol::VirtualEngineOpened>(open).engine, engine);
  open.request_id = tests::fresh_request_id();
  const auto full = two.expect_error(open);
  EXPECT_EQ(full.code, ErrorCode::LimitReached);
  EXPECT_EQ(full.reason, "token_virtual_engines_max");

  Caller member(daemon.port(), protocol::Format::Binary, secret);
  EXPECT_EQ(member.welcome().quotas, (protocol::PublishedQuotas{100, 4, 8, 1'000, 6'000}));
  member.expect<protocol::GameCreated>(game_against_fake());
  member.expect<protocol::Subscribed>(protocol::Subscribe{game, 0});
  EXPECT_NE(member.expect<protocol::VirtualEngineOpened>(open).engine, engine);
}

}  // namespace
}  // namespace tengen::daemon
