// How a WebSocket ends with peers that do not end it: the bytes of RFC 6455 by hand, and limits
// that a test can wait for.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/http_client.h"
#include "tests/support/listener_rig.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using tests::HttpClient;
using tests::ListenerRig;

// Far below every limit but the one that a test is about.

const std::string kClose("\x88\x82\0\0\0\0\x03\xe8", 8);  // 1000, masked by zeros

ListenerConfig config() {
  ListenerConfig config;
  config.host = "127.0.0.1";
  config.limits.socket.frame_bytes_max = 10;
  config.limits.socket.handshake_limit = 120s;
  config.limits.socket.idle_limit = 120s;
  config.limits.socket.write_limit = 120s;
  config.limits.socket.close_limit = 500ms;
  return config;
}

HttpClient upgraded(const ListenerRig& rig) {
  HttpClient client(rig.port());
  client.send(
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
      "Sec-WebSocket-Protocol: tengen.v1.pb\r\n\r\n");
  EXPECT_EQ(client.reply(HttpClient::Body::None).status, 101);
  return client;
}

bool is_let_go(const ListenerRig& rig) {
  return tests::wait_until([&] { return rig.connections() == 0; }, tests::kEventually);
}

TEST(WebSocketTest, APeerThatSaysItsCloseAndNeverEndsIsLetGoAfterTheCloseLimit) {
  ListenerRig rig(config());
  auto client = upgraded(rig);
  client.send(kClose);
  EXPECT_TRUE(is_let_go(rig));
  EXPECT_EQ(client.read_to_end(),
            std::string("\x88\x02\x03\xe8", 4));  // it was answered all the same
}

TEST(WebSocketTest, APeerThatNeverAnswersACloseIsLetGoAfterTheCloseLimit) {
  ListenerRig rig(config());
  auto client = upgraded(rig);
  client.send(std::string("\x82\x8b\0\0\0\0", 6) + std::string(11, 'x'));  // longer than it may be
  EXPECT_TRUE(is_let_go(rig));
  const auto said = client.read_to_end().value_or("");
  EXPECT_EQ(said.substr(0, 1), "\x88");
  EXPECT_EQ(said.substr(2, 2), "\x03\xf1");  // 1009
}

// Nor does it help to go on sending.
TEST(WebSocketTest, TheCloseLimitIsOneForTheWholeGoodbye) {
  ListenerRig rig(config());
  auto client = upgraded(rig);
  client.send(std::string("\x82\x8b\0\0\0\0", 6) + std::string(11, 'x'));
  const auto start = std::chrono::steady_clock::now();
  while (rig.connections() != 0 && std::chrono::steady_clock::now() - start < tests::kEventually) {
    try {
      client.send(std::string("\x82\x81\0\0\0\0x", 7));
    } catch (const std::exception&) {
    }
    (void)client.read_to_end(20ms);
  }
  EXPECT_EQ(rig.connections(), 0u);
}

TEST(WebSocketTest, APeerThatEndsAtOnceIsNotWaitedFor) {
  auto patient = config();
  patient.limits.socket.close_limit = 120s;
  ListenerRig rig(patient);
  {
    auto client = upgraded(rig);
    client.send(kClose);
  }
  EXPECT_TRUE(is_let_go(rig));
}

}  // namespace
}  // namespace tengen::daemon
