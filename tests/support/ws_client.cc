// One read is always under way, so that pings are answered and a close is seen.
#include "tests/support/ws_client.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <stdexcept>
#include <utility>

namespace tengen::tests {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::chrono::seconds kPatience{20};
constexpr int kSmallSegment = 536;
constexpr std::size_t kMessageBytesMax = 64 * 1024 * 1024;

}  // namespace

struct WsClient::State {
  void read() {
    stream.async_read(buffer, [this](error_code error, std::size_t) {
      if (error) {
        is_closed = true;
        if (error == websocket::error::closed) code = stream.reason().code;
        return;
      }
      received.push_back(beast::buffers_to_string(buffer.data()));
      buffer.consume(buffer.size());
      read();
    });
  }

  template <typename Condition>
  bool run_until(Condition is_met, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    io.restart();
    io.poll();
    while (!is_met() && !io.stopped() && std::chrono::steady_clock::now() < end) {
      io.run_one_until(end);
    }
    return is_met();
  }

  asio::io_context io{1};
  websocket::stream<tcp::socket> stream{io};
  beast::flat_buffer buffer;
  websocket::response_type response;
  std::deque<std::string> received;
  bool is_closed = false;
  std::optional<std::uint16_t> code;
};

WsClient::WsClient(std::uint16_t port, const WsOptions& options)
    : state_(std::make_unique<State>()) {
  auto& stream = state_->stream;
  stream.next_layer().open(tcp::v4());
  if (options.receive_buffer > 0) {
    stream.next_layer().set_option(tcp::socket::receive_buffer_size(options.receive_buffer));
    // The sender's buffer grows with the segments, which have 64 KiB on the loopback.
    ::setsockopt(stream.next_layer().native_handle(), IPPROTO_TCP, TCP_MAXSEG, &kSmallSegment,
                 sizeof kSmallSegment);
  }
  stream.next_layer().connect({asio::ip::address_v4::loopback(), port});
  stream.next_layer().set_option(tcp::no_delay(true));
  stream.read_message_max(kMessageBytesMax);
  stream.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
    if (!options.subprotocol.empty()) {
      request.set(http::field::sec_websocket_protocol, options.subprotocol);
    }
    if (!options.origin.empty()) request.set(http::field::origin, options.origin);
  }));
  std::optional<error_code> outcome;
  stream.async_handshake(state_->response, options.host + ":" + std::to_string(port),
                         options.target, [&](error_code error) { outcome = error; });
  if (!state_->run_until([&] { return outcome.has_value(); }, kPatience)) {
    throw std::runtime_error("no answer to the upgrade request");
  }
  if (*outcome == websocket::error::upgrade_declined) {
    state_->is_closed = true;
  } else if (*outcome) {
    throw std::runtime_error("upgrade: " + outcome->message());
  } else {
    state_->read();
  }
}

WsClient::WsClient(WsClient&&) noexcept = default;
WsClient& WsClient::operator=(WsClient&&) noexcept = default;
WsClient::~WsClient() = default;

int WsClient::http_status() const { return static_cast<int>(state_->response.result_int()); }

std::string WsClient::http_body() const { return state_->response.body(); }

void WsClient::send(protocol::FrameKind kind, std::string_view bytes) {
  state_->stream.binary(kind == protocol::FrameKind::Binary);
  std::optional<error_code> outcome;
  state_->stream.async_write(asio::buffer(bytes.data(), bytes.size()),
                             [&](error_code error, std::size_t) { outcome = error; });
  if (!state_->run_until([&] { return outcome.has_value(); }, kPatience)) {
    throw std::runtime_error("a frame cannot be sent");
  }
}

void WsClient::send_without_reading(protocol::FrameKind kind, std::string_view bytes) {
  state_->stream.binary(kind == protocol::FrameKind::Binary);
  state_->stream.write(asio::buffer(bytes.data(), bytes.size()));
}

std::optional<std::string> WsClient::receive(std::chrono::milliseconds patience) {
  auto& received = state_->received;
  state_->run_until([&] { return !received.empty() || state_->is_closed; }, patience);
  if (received.empty()) return std::nullopt;
  std::string first = std::move(received.front());
  received.pop_front();
  return first;
}

bool WsClient::is_closed() const { return state_->is_closed; }

std::optional<std::uint16_t> WsClient::close_code() const { return state_->code; }

std::optional<std::uint16_t> WsClient::wait_for_close(std::chrono::milliseconds patience) {
  state_->run_until([this] { return state_->is_closed; }, patience);
  return state_->code;
}

}  // namespace tengen::tests
