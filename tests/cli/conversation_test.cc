// Connecting, greeting, requests, losses and giving up, event by event.
#include "clients/cli/conversation.h"

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>

namespace tengen::cli {
namespace {

using namespace std::chrono_literals;
using protocol::ErrorCode;
using protocol::ServerFrame;

class ConversationTest : public ::testing::Test {
 protected:
  TimePoint now{1h};
  Effects out;
  Conversation conversation{
      {"ws://127.0.0.1:8374", "tengen test", Conversation::Patience::Reconnect}, Random(1)};

  protocol::Welcome welcome() {
    protocol::Welcome message;
    message.version = 1;
    message.limits.requests_in_flight_max = 2;
    return message;
  }
  protocol::Error error(ErrorCode code, std::uint32_t retry_after_ms = 0) {
    return {code, "", "", retry_after_ms, std::nullopt};
  }
  std::vector<protocol::ClientFrame> sent() {
    std::vector<protocol::ClientFrame> frames;
    for (const Effect& effect : out) {
      if (const auto* send = std::get_if<Send>(&effect)) frames.push_back(send->frame);
    }
    out.clear();
    return frames;
  }
  template <typename Kind>
  bool gave() {
    bool found = false;
    for (const Effect& effect : out) found = found || std::holds_alternative<Kind>(effect);
    out.clear();
    return found;
  }
  void open() {
    conversation.on_start(now, out);
    meet();
  }
  void meet() {
    conversation.on_connected(now, out);
    const auto hello = sent();
    ASSERT_EQ(hello.size(), 1u);
    const Heard heard = conversation.on_frame({hello[0].id, welcome()}, now, out);
    ASSERT_TRUE(std::holds_alternative<Opened>(heard));
  }
  Heard tick() {
    now = *conversation.deadline();
    return conversation.on_deadline(now, out);
  }
};

TEST_F(ConversationTest, TheFirstFrameIsHelloWithTheVersion) {
  conversation.on_start(now, out);
  EXPECT_TRUE(gave<Connect>());
  conversation.on_connected(now, out);
  const auto frames = sent();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_NE(frames[0].id, 0u);
  const auto& hello = std::get<protocol::Hello>(frames[0].message);
  EXPECT_EQ(hello.version, 1u);
  EXPECT_EQ(hello.client, "tengen test");
}

TEST_F(ConversationTest, RepliesComeBackUnderTheRequestTheyAnswer) {
  open();
  const RequestId first = conversation.send(protocol::ListEngines{}, now, out);
  const RequestId second = conversation.send(protocol::Ping{5}, now, out);
  const auto frames = sent();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_NE(frames[0].id, frames[1].id);
  const Heard pong = conversation.on_frame({frames[1].id, protocol::Pong{5, 6}}, now, out);
  EXPECT_EQ(std::get<Reply>(pong).request, second);
  const Heard list = conversation.on_frame({frames[0].id, protocol::EngineList{}}, now, out);
  EXPECT_EQ(std::get<Reply>(list).request, first);
}

TEST_F(ConversationTest, RequestsBeyondTheServersLimitWaitForAnAnswer) {
  open();
  for (int i = 0; i < 3; ++i) conversation.send(protocol::Ping{i}, now, out);
  const auto frames = sent();
  ASSERT_EQ(frames.size(), 2u);
  conversation.on_frame({frames[0].id, protocol::Pong{}}, now, out);
  const auto more = sent();
  ASSERT_EQ(more.size(), 1u);
  EXPECT_EQ(std::get<protocol::Ping>(more[0].message).client_time_ms, 2);
}

TEST_F(ConversationTest, AfterALossTheDelaysDoubleFrom100MsTo3SecondsWithJitter) {
  open();
  now += 10s;
  EXPECT_TRUE(std::holds_alternative<Lost>(conversation.on_disconnected({0, "reset"}, now, out)));
  for (const auto step : {100ms, 200ms, 400ms, 800ms, 1600ms, 3000ms, 3000ms}) {
    const auto delay = *conversation.deadline() - now;
    EXPECT_GE(delay, step / 2);
    EXPECT_LE(delay, step);
    tick();
    EXPECT_TRUE(gave<Connect>());
    const Heard again = conversation.on_disconnected({0, "refused"}, now, out);
    EXPECT_TRUE(std::holds_alternative<Nothing>(again)) << "an outage is told once";
  }
  tick();
  meet();
  EXPECT_TRUE(conversation.is_open());
}

TEST_F(ConversationTest, ADaemonThatGoesDownSaysWhenToComeBack) {
  for (const auto& [asked_ms, pause] : {std::pair(2'500u, 2'500ms), {4'000'000'000u, 10'000ms}}) {
    conversation = Conversation({"s", "c", Conversation::Patience::Reconnect}, Random(1));
    open();
    conversation.on_frame({0, protocol::Draining{asked_ms}}, now, out);
    EXPECT_TRUE(conversation.is_open());
    conversation.on_disconnected({1001, "draining"}, now, out);
    EXPECT_EQ(*conversation.deadline() - now, pause);
    // Only once: what follows is the usual back-off.
    tick();
    conversation.on_disconnected({0, "refused"}, now, out);
    EXPECT_LE(*conversation.deadline() - now, 3s);
  }
}

TEST_F(ConversationTest, TheAccessTokenGoesIntoTheHello) {
  conversation = Conversation({"s", "c", Conversation::Patience::Reconnect, "secret"}, Random(1));
  conversation.on_start(now, out);
  conversation.on_connected(now, out);
  const auto frames = sent();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(std::get<protocol::Hello>(frames[0].message).token, "secret");
}

TEST_F(ConversationTest, AServerNeverMetIsGivenUpAfterFiveSeconds) {
  conversation.on_start(now, out);
  const TimePoint start = now;
  Heard heard = conversation.on_disconnected({0, "Connection refused"}, now, out);
  EXPECT_TRUE(std::holds_alternative<Lost>(heard));
  while (!std::holds_alternative<Broken>(heard)) {
    ASSERT_LT(now - start, 10s);
    tick();
    heard = conversation.on_disconnected({0, "Connection refused"}, now, out);
  }
  EXPECT_GE(now - start, 5s);
  EXPECT_EQ(std::get<Broken>(heard).reason, "no server at ws://127.0.0.1:8374: Connection refused");
}

TEST_F(ConversationTest, AServerMetBeforeIsLookedForAMinute) {
  open();
  now += 30min;
  const TimePoint lost = now;
  Heard heard = conversation.on_disconnected({0, "reset"}, now, out);
  while (!std::holds_alternative<Broken>(heard)) {
    ASSERT_LT(now - lost, 64s);
    tick();
    heard = conversation.on_disconnected({0, "refused"}, now, out);
  }
  EXPECT_GE(now - lost, 60s);
}

TEST_F(ConversationTest, WithoutPatienceTheFirstLossIsTheEnd) {
  Conversation once({"ws://h:1", "tengen test", Conversation::Patience::None}, Random(1));
  once.on_start(now, out);
  const Heard heard = once.on_disconnected({0, "Connection refused"}, now, out);
  EXPECT_EQ(std::get<Broken>(heard).reason, "no server at ws://h:1: Connection refused");
}

TEST_F(ConversationTest, AttemptsAndGreetingsThatHangAreDropped) {
  conversation.on_start(now, out);
  out.clear();
  EXPECT_EQ(*conversation.deadline(), now + 5s);
  tick();
  EXPECT_TRUE(gave<Disconnect>());
  EXPECT_FALSE(conversation.is_open());
}

TEST_F(ConversationTest, ARequestWithoutAnAnswerForHalfAMinuteLosesTheServer) {
  open();
  conversation.send(protocol::ListEngines{}, now, out);
  const TimePoint asked = now;
  for (int i = 0; i < 2; ++i) {  // it has something to say, but not the answer
    now += 14s;
    conversation.on_frame({0, protocol::GameEvents{}}, now, out);
  }
  EXPECT_EQ(*conversation.deadline(), asked + 30s);
  EXPECT_EQ(std::get<Lost>(tick()).reason, "a request was not answered in time");
  EXPECT_TRUE(gave<Disconnect>());
}

TEST_F(ConversationTest, AServerThatIsSilentForAHeartbeatIsPingedAndAfterAnotherLost) {
  open();
  const TimePoint heard = now;
  EXPECT_EQ(*conversation.deadline(), heard + 15s);
  EXPECT_TRUE(std::holds_alternative<Nothing>(tick()));
  const auto frames = sent();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<protocol::Ping>(frames[0].message));
  EXPECT_EQ(*conversation.deadline(), heard + 30s);
  EXPECT_EQ(std::get<Lost>(tick()).reason, "it has been silent for 30 s");
  EXPECT_TRUE(gave<Disconnect>());
  tick();
  EXPECT_TRUE(gave<Connect>()) << "it is looked for";
}

TEST_F(ConversationTest, AnAnswerToThePingIsASignOfLifeAndNothingElse) {
  open();
  tick();
  const auto ping = sent();
  ASSERT_EQ(ping.size(), 1u);
  now += 14s;
  const Heard pong = conversation.on_frame({ping[0].id, protocol::Pong{}}, now, out);
  EXPECT_TRUE(std::holds_alternative<Nothing>(pong)) << "no command asked for it";
  EXPECT_EQ(*conversation.deadline(), now + 15s);
  EXPECT_TRUE(conversation.is_open());
}

TEST_F(ConversationTest, WhateverTheServerSaysPutsThePingOff) {
  open();
  now += 10s;
  conversation.on_frame({0, protocol::GameEvents{}}, now, out);
  EXPECT_EQ(*conversation.deadline(), now + 15s);
}

TEST_F(ConversationTest, TheServerSaysHowLongAHeartbeatIsWithinBounds) {
  for (const auto& [said_ms, heartbeat] :
       {std::pair(0u, 15'000ms), {1u, 1'000ms}, {2'500u, 2'500ms}, {4'000'000'000u, 60'000ms}}) {
    conversation = Conversation({"s", "c", Conversation::Patience::Reconnect}, Random(1));
    conversation.on_start(now, out);
    conversation.on_connected(now, out);
    auto greeting = welcome();
    greeting.heartbeat_ms = said_ms;
    conversation.on_frame({sent()[0].id, greeting}, now, out);
    EXPECT_EQ(*conversation.deadline() - now, heartbeat) << said_ms;
  }
}

TEST_F(ConversationTest, WhatAnotherConnectionWouldNotMendEndsTheConversation) {
  conversation.on_start(now, out);
  const Heard heard =
      conversation.on_disconnected({0, "not trusted\x1b", Loss::Hope::None}, now, out);
  EXPECT_EQ(std::get<Broken>(heard).reason, "no connection to ws://127.0.0.1:8374: not trusted?");
  EXPECT_FALSE(conversation.deadline());
}

TEST_F(ConversationTest, EveryReasonToWaitIsToldOnceAndAtOnce) {
  open();
  const auto refuse = [&](std::string reason) {
    conversation.send(protocol::Ping{9}, now, out);
    const auto frames = sent();
    const protocol::Error why{ErrorCode::LimitReached, std::move(reason), "", 0, std::nullopt};
    conversation.on_frame({frames[0].id, why}, now, out);
    std::string told;
    for (const Effect& effect : out) {
      if (const auto* warn = std::get_if<Warn>(&effect)) told += warn->text;
    }
    out.clear();
    return told;
  };
  EXPECT_EQ(refuse("one"),
            "Not now, says the server: limit reached: one; trying again for up to 10 minutes.\n");
  EXPECT_EQ(refuse("one"), "");
  EXPECT_NE(refuse("other"), "");
  int told = 0;
  for (int i = 0; i < 100; ++i) told += refuse(std::to_string(i)).empty() ? 0 : 1;
  EXPECT_EQ(told, 14) << "a server that goes on and on is not listened to";
}

TEST_F(ConversationTest, ARequestRefusedForNowIsSentAgainUnchangedAfterTheTimeAsked) {
  open();
  const RequestId request = conversation.send(protocol::Ping{9}, now, out);
  const auto first = sent();
  const Heard refused =
      conversation.on_frame({first[0].id, error(ErrorCode::Unavailable, 700)}, now, out);
  EXPECT_TRUE(std::holds_alternative<Nothing>(refused));
  out.clear();
  EXPECT_EQ(*conversation.deadline(), now + 700ms);
  tick();
  const auto again = sent();
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(std::get<protocol::Ping>(again[0].message).client_time_ms, 9);
  const Heard answer = conversation.on_frame({again[0].id, protocol::Pong{}}, now, out);
  EXPECT_EQ(std::get<Reply>(answer).request, request);
}

TEST_F(ConversationTest, ARequestRefusedForTenMinutesIsRefused) {
  open();
  conversation.send(protocol::ListEngines{}, now, out);
  const TimePoint start = now;
  Heard heard = Nothing{};
  while (std::holds_alternative<Nothing>(heard)) {
    ASSERT_LE(now - start, 21min);
    for (const auto& frame : sent()) {
      const std::uint32_t for_ever = 4'000'000'000u;
      const bool is_ping = std::holds_alternative<protocol::Ping>(frame.message);
      const protocol::ServerMessage refusal = error(ErrorCode::LimitReached, for_ever);
      heard = conversation.on_frame({frame.id, is_ping ? protocol::Pong{} : refusal}, now, out);
    }
    if (std::holds_alternative<Nothing>(heard)) tick();
  }
  EXPECT_TRUE(std::holds_alternative<Reply>(heard));
}

TEST_F(ConversationTest, ANoticeIsShownAndChangesNothing) {
  open();
  const Heard heard = conversation.on_frame({0, protocol::Notice{"We stop\x1b[2J"}}, now, out);
  EXPECT_TRUE(std::holds_alternative<Nothing>(heard));
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(std::get<Warn>(out[0]).text, "Notice from the server: We stop?[2J\n");
  EXPECT_TRUE(conversation.is_open());
}

TEST_F(ConversationTest, ThatAPersonComesOrGoesIsPassedOver) {
  open();
  const Heard heard = conversation.on_frame({0, protocol::Presence{{1, 2}, 2, true}}, now, out);
  EXPECT_TRUE(std::holds_alternative<Nothing>(heard));
  EXPECT_TRUE(conversation.is_open());
}

struct Ending {
  const char* what;
  ServerFrame frame;
};

TEST_F(ConversationTest, AStrangeServerEndsTheConversation) {
  const std::vector<Ending> endings{
      {"a reply to nothing", {77, protocol::Pong{}}},
      {"a push that is none", {0, protocol::Pong{}}},
      {"a complaint about a frame", {0, error(ErrorCode::BadFrame)}},
  };
  for (const Ending& ending : endings) {
    conversation = Conversation({"s", "c", Conversation::Patience::Reconnect}, Random(1));
    open();
    const Heard heard = conversation.on_frame(ending.frame, now, out);
    EXPECT_TRUE(std::holds_alternative<Broken>(heard)) << ending.what;
    EXPECT_TRUE(gave<Disconnect>()) << ending.what;
    EXPECT_FALSE(conversation.deadline()) << ending.what;
  }
}

TEST_F(ConversationTest, AnotherVersionOrAnotherGreetingEndsTheConversation) {
  protocol::Welcome newer = welcome();
  newer.version = 2;
  const std::vector<protocol::ServerMessage> greetings{newer, protocol::EngineList{},
                                                       error(ErrorCode::UnsupportedVersion)};
  for (const protocol::ServerMessage& greeting : greetings) {
    conversation = Conversation({"s", "c", Conversation::Patience::Reconnect}, Random(1));
    conversation.on_start(now, out);
    conversation.on_connected(now, out);
    const auto hello = sent();
    EXPECT_TRUE(
        std::holds_alternative<Broken>(conversation.on_frame({hello[0].id, greeting}, now, out)));
  }
}

TEST_F(ConversationTest, CloseCodesSayWhetherComingBackMakesSense) {
  for (const std::uint16_t code :
       std::initializer_list<std::uint16_t>{1002, 1003, 1007, 1009, 4003, 4004, 4008, 4010}) {
    conversation = Conversation({"s", "c", Conversation::Patience::Reconnect}, Random(1));
    open();
    const Heard heard = conversation.on_disconnected({code, "\x1b[2Jno"}, now, out);
    ASSERT_TRUE(std::holds_alternative<Broken>(heard)) << code;
    EXPECT_EQ(std::get<Broken>(heard).reason, "the connection was closed for good: ?[2Jno");
  }
  for (const std::uint16_t code :
       std::initializer_list<std::uint16_t>{0, 1001, 1006, 1011, 4001, 4013}) {
    conversation = Conversation({"s", "c", Conversation::Patience::Reconnect}, Random(1));
    open();
    EXPECT_TRUE(std::holds_alternative<Lost>(conversation.on_disconnected({code, ""}, now, out)))
        << code;
  }
}

TEST(RequestIds, AreThirtyTwoHexadecimalDigitsAndNew) {
  Random random(3);
  const std::string first = fresh_request_id(random);
  EXPECT_EQ(first.size(), 32u);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(first, fresh_request_id(random));
}

}  // namespace
}  // namespace tengen::cli
