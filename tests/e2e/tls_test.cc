// TLS: whole conversations through it, certificates that change under open connections, and peers
// that do not speak it or stop in the middle.
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <signal.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <random>
#include <string>

#include "daemon/net/tls.h"
#include "tests/support/certificate.h"
#include "tests/support/child.h"
#include "tests/support/daemon_process.h"
#include "tests/support/exposition.h"
#include "tests/support/http_client.h"
#include "tests/support/listener_rig.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"
#include "tests/support/tls_tunnel.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;
using tests::Caller;
using tests::DaemonProcess;
using tests::http_get;
using tests::http_request;
using tests::HttpClient;
using tests::ListenerRig;
using tests::make_certificate;
using tests::TlsTunnel;

std::string config_for(const TlsFiles& files) {
  return "[tls]\ncertificate = \"" + files.certificate + "\"\nkey = \"" + files.key + "\"\n" +
         tests::config_with({{"fake", {tests::program("fake_engine")}, 1, 1}});
}

bool can_connect(std::uint16_t port, const TlsFiles& trusted) {
  const TlsTunnel tunnel(port, trusted.certificate);
  HttpClient client(tunnel.port());
  client.send(http_request("GET", "/healthz"));
  try {
    return client.reply().status > 0;
  } catch (const std::exception&) {
    return false;
  }
}

TEST(Tls, CarriesTheProtocolAndHttp) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  DaemonProcess daemon({config_for(files)});
  EXPECT_TRUE(tests::wait_for_log(daemon, "serving on wss://127.0.0.1:"));
  const TlsTunnel tunnel(daemon.port(), files.certificate);
  tests::Player player(tunnel.port(),
                       tests::game_of(9, tests::human_seat(), tests::engine_seat("fake")));
  player.play_simple();
  EXPECT_TRUE(player.wait_for_turn());
  HttpClient client(tunnel.port());
  for (int i = 0; i < 3; ++i) {
    client.send(http_request("GET", "/healthz"));
    EXPECT_EQ(client.reply().status, 200);
  }
  // More than one record: the metrics are longer than 16 KiB only by chance, a big frame always is.
  player.caller().socket().send(protocol::FrameKind::Binary, std::string(60'000, '\x0f'));
  EXPECT_TRUE(player.caller().next(tests::kAnswerPatience));
  EXPECT_EQ(daemon.stop(tests::kEventually), 0);
}

TEST(Tls, AReloadShowsTheNewCertificateAndDropsNobody) {
  const tests::TempFolder folder;
  const auto one = make_certificate(folder, "one");
  const auto two = make_certificate(folder, "two");
  const auto shown = make_certificate(folder, "shown");
  const auto show = [&](const TlsFiles& files) {
    folder.write("shown.pem", tests::read_text(files.certificate));
    folder.write("shown.key", tests::read_text(files.key));
  };
  show(one);
  DaemonProcess daemon({config_for(shown)});
  const TlsTunnel tunnel(daemon.port(), one.certificate);
  Caller caller(tunnel.port());
  EXPECT_FALSE(can_connect(daemon.port(), two));

  show(two);
  ::kill(daemon.pid(), SIGHUP);
  ASSERT_TRUE(tests::wait_for_log(daemon, "the configuration was reloaded")) << daemon.log();
  EXPECT_TRUE(can_connect(daemon.port(), two));
  EXPECT_FALSE(can_connect(daemon.port(), one));
  EXPECT_EQ(caller.expect<protocol::Pong>(protocol::Ping{7}).client_time_ms, 7);
}

TEST(Tls, ABadPairKeepsTheOldOneAndSaysWhy) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  const auto other = make_certificate(folder, "other");
  const std::string good_key = tests::read_text(files.key);
  DaemonProcess daemon({config_for(files)});
  const TlsTunnel tunnel(daemon.port(), files.certificate);
  Caller caller(tunnel.port());
  double refused = 0;
  const std::string keys[] = {"", "no key", good_key.substr(0, 100), tests::read_text(other.key)};
  for (const auto& key : keys) {
    folder.write("one.key", key);
    ::kill(daemon.pid(), SIGHUP);
    ++refused;
    ASSERT_TRUE(tests::wait_until(
        [&] {
          const auto page = http_get(tunnel.port(), "/metrics").body;
          return tests::read_exposition(page).at("tengen_reloads_total{outcome=\"refused\"}") ==
                 refused;
        },
        tests::kEventually));
  }
  EXPECT_NE(daemon.log().find("tls.key: " + files.key), std::string::npos) << daemon.log();
  EXPECT_EQ(daemon.log().find("the configuration was reloaded"), std::string::npos);
  EXPECT_EQ(caller.expect<protocol::Pong>(protocol::Ping{1}).client_time_ms, 1);
  folder.write("one.key", good_key);
  ::kill(daemon.pid(), SIGHUP);
  EXPECT_TRUE(tests::wait_for_log(daemon, "the configuration was reloaded"));
}

TEST(Tls, TurningItOnOrOffNeedsARestart) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  const auto with_tls = config_for(files);
  const auto without = with_tls.substr(with_tls.find("[[profile]]"));
  DaemonProcess daemon({with_tls});
  daemon.folder().write("tengend.toml", without);
  ::kill(daemon.pid(), SIGHUP);
  EXPECT_TRUE(tests::wait_for_log(daemon, "[tls] has come or gone: that needs a restart"));
  EXPECT_TRUE(can_connect(daemon.port(), files));
}

TEST(Tls, APlainClientOfATlsPortGetsNoAnswerAndHarmsNobody) {
  const tests::TempFolder folder;
  const auto files = make_certificate(folder, "one");
  DaemonProcess daemon({config_for(files)});
  std::mt19937 random(1);
  std::string noise;
  for (int i = 0; i < 5'000; ++i) noise += static_cast<char>(random());
  const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  for (const auto& bytes : {http_request("GET", "/healthz"), noise, hello + noise, hello + hello}) {
    HttpClient client(daemon.port());
    client.send(bytes);
    client.shutdown_send();
    const auto end = client.read_to_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->find("HTTP"), std::string::npos);
    EXPECT_TRUE(can_connect(daemon.port(), files));
  }
}

TEST(Tls, WrongFilesAreNamedBeforeAnythingIsServed) {
  const tests::TempFolder folder;
  const auto good = make_certificate(folder, "good");
  const auto other = make_certificate(folder, "other");
  const auto text = folder.write("text", "no certificate");
  const std::pair<TlsFiles, std::string> cases[] = {
      {{folder.file("nowhere"), good.key}, "tls.certificate: " + folder.file("nowhere")},
      {{folder.path(), good.key}, "tls.certificate: "},
      {{text, good.key}, "tls.certificate: " + text},
      {{good.key, good.key}, "tls.certificate: " + good.key},
      {{good.certificate, folder.file("nowhere")}, "tls.key: " + folder.file("nowhere")},
      {{good.certificate, "/dev/zero"}, "tls.key: /dev/zero"},
      {{good.certificate, text}, "tls.key: " + text},
      {{good.certificate, good.certificate}, "tls.key: " + good.certificate},
      {{good.certificate, other.key}, "tls.key: " + other.key},
      {{good.certificate, tests::encrypt_key(folder, good.key)}, "tls.key: "}};
  for (const auto& [files, expected] : cases) {
    const auto loaded = load_tls(files);
    const auto* problem = std::get_if<std::string>(&loaded);
    ASSERT_NE(problem, nullptr) << expected;
    EXPECT_EQ(problem->substr(0, expected.size()), expected);
  }
  EXPECT_TRUE(std::holds_alternative<std::shared_ptr<TlsContext>>(load_tls(good)));
  EXPECT_THROW(DaemonProcess({config_for({good.certificate, other.key})}), std::runtime_error);
  const auto check = [&](const TlsFiles& files) {
    const auto file = folder.write("tengend.toml", config_for(files));
    return tests::run({tests::program("tengend"), "--check-config", "--config", file}, "");
  };
  EXPECT_EQ(check(good).status, 0);
  const auto refused = check({good.certificate, other.key});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err.substr(0, 9), "tls.key: ");
}

/// A listener with TLS and limits that a test can wait for.
class TlsRig : public ::testing::Test {
 protected:
  static ListenerConfig config(const TlsFiles& files) {
    ListenerConfig config;
    config.host = "127.0.0.1";
    config.tls = std::get<std::shared_ptr<TlsContext>>(load_tls(files));
    config.limits.http.request_limit = 2s;
    config.limits.http.idle_limit = 500ms;
    config.limits.http.linger_limit = 500ms;
    config.limits.socket.handshake_limit = 500ms;
    config.limits.socket.idle_limit = 500ms;
    return config;
  }
  bool is_empty() {
    return tests::wait_until([this] { return rig_.connections() == 0; }, tests::kEventually);
  }

  const tests::TempFolder folder_;
  const TlsFiles files_ = make_certificate(folder_, "one");
  ListenerRig rig_{config(files_), [](const HttpRequest&) {
                     HttpResponse response;
                     response.body = std::string(100'000, 'x');
                     return std::optional(response);
                   }};
};

/// A client that does exactly what it is told, and no shutdown of its own.
class Client {
 public:
  explicit Client(std::uint16_t port) {
    context_.set_verify_mode(ssl::verify_none);
    stream_.next_layer().connect({asio::ip::address_v4::loopback(), port});
  }
  SSL* handle() { return stream_.native_handle(); }
  bool handshake() {
    error_code error;
    stream_.handshake(ssl::stream_base::client, error);
    return !error;
  }
  void send(std::string_view bytes) {
    asio::write(stream_, asio::buffer(bytes.data(), bytes.size()));
  }
  /// Everything to the end, which should be the peer's word (eof) rather than a cut.
  std::string read_to_end() {
    std::string text;
    asio::read(stream_, asio::dynamic_buffer(text), end_);
    return text;
  }
  error_code end() const { return end_; }
  std::string read_head() {
    std::string text;
    text.resize(asio::read_until(stream_, asio::dynamic_buffer(text), "\r\n\r\n"));
    return text;
  }

 private:
  asio::io_context io_{1};
  ssl::context context_{ssl::context::tls_client};
  ssl::stream<tcp::socket> stream_{io_, context_};
  error_code end_;
};

TEST_F(TlsRig, ASilentOrHalfDoneHandshakeIsCut) {
  HttpClient silent(rig_.port());
  EXPECT_EQ(silent.read_to_end(), "");
  HttpClient half(rig_.port());
  half.send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
  EXPECT_EQ(half.read_to_end(), "");
  Client idle(rig_.port());
  ASSERT_TRUE(idle.handshake());
  EXPECT_EQ(idle.read_to_end(), "");
  EXPECT_TRUE(is_empty());
}

TEST_F(TlsRig, TheEndIsSaidAndNotWaitedForForEver) {
  Client client(rig_.port());
  ASSERT_TRUE(client.handshake());
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const auto reply = client.read_to_end();
  EXPECT_EQ(reply.size() - reply.find("\r\n\r\n") - 4, 100'000u);
  EXPECT_EQ(client.end(), asio::error::eof);  // not a cut, which could be somebody else's
  EXPECT_TRUE(is_empty());                    // the client has not closed its side
}

TEST_F(TlsRig, AConnectionBetweenRequestsEndsLikewise) {
  Client client(rig_.port());
  ASSERT_TRUE(client.handshake());
  client.send(http_request("GET", "/"));
  EXPECT_GT(client.read_to_end().size(), 100'000u);
  EXPECT_EQ(client.end(), asio::error::eof);
  EXPECT_TRUE(is_empty());
}

TEST_F(TlsRig, AnswersOvertakeNoBodyThatIsStillComing) {
  Client client(rig_.port());
  ASSERT_TRUE(client.handshake());
  client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
  client.send(std::string(50'000, 'x'));
  EXPECT_EQ(client.read_to_end().substr(0, 12), "HTTP/1.1 413");
  EXPECT_TRUE(is_empty());
}

TEST_F(TlsRig, AWebSocketClosesThoughItsPeerSaysNothingMore) {
  Client client(rig_.port());
  ASSERT_TRUE(client.handshake());
  client.send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      "Sec-WebSocket-Protocol: tengen.v1.pb\r\n\r\n");
  EXPECT_EQ(client.read_head().substr(0, 12), "HTTP/1.1 101");
  client.send(std::string("\x88\x80\x00\x00\x00\x00", 6));  // a close frame
  EXPECT_EQ(client.read_to_end().front(), '\x88');
  EXPECT_TRUE(is_empty());
}

TEST_F(TlsRig, APeerThatLeavesInTheMiddleIsGone) {
  {
    Client client(rig_.port());
    ASSERT_TRUE(client.handshake());
    client.send("GET / HTTP/1.1\r\nHost: local");
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(TlsRig, OnlyTls12AndLaterAreSpoken) {
  const std::pair<int, bool> versions[] = {{TLS1_VERSION, false},
                                           {TLS1_1_VERSION, false},
                                           {TLS1_2_VERSION, true},
                                           {TLS1_3_VERSION, true}};
  for (const auto& [version, is_spoken] : versions) {
    Client client(rig_.port());
    SSL_set_security_level(client.handle(), 0);
    SSL_set_min_proto_version(client.handle(), version);
    SSL_set_max_proto_version(client.handle(), version);
    EXPECT_EQ(client.handshake(), is_spoken) << version;
  }
}

}  // namespace
}  // namespace tengen::daemon
