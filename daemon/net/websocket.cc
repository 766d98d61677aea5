#include "daemon/net/websocket.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "daemon/net/wire.h"

namespace tengen::daemon {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

// How a WebSocket that has said its goodbyes ends what it runs on; Beast finds it by the type.
template <typename Handler>
void async_teardown(beast::role_type role, Wire& wire, Handler&& handler) {
  using websocket::async_teardown;
  if (auto* tls = wire.secure()) return async_teardown(role, *tls, std::forward<Handler>(handler));
  async_teardown(role, wire.next_layer(), std::forward<Handler>(handler));
}

namespace {

using beast::error_code;
using protocol::Format;

std::string_view subprotocol_of(Format format) {
  return format == Format::Binary ? protocol::kBinarySubprotocol : protocol::kJsonSubprotocol;
}

http::request<http::empty_body> request_of(const Upgrade& upgrade) {
  http::request<http::empty_body> request(http::verb::get, "/", 11);
  request.set(http::field::connection, "upgrade");
  request.set(http::field::upgrade, "websocket");
  request.set(http::field::host, upgrade.host);
  if (!upgrade.key.empty()) request.set(http::field::sec_websocket_key, upgrade.key);
  request.set(http::field::sec_websocket_version, upgrade.version);
  return request;
}

class BeastSocket final : public WebSocket, public std::enable_shared_from_this<BeastSocket> {
 public:
  BeastSocket(Wire wire, const SocketLimits& limits, SocketEvents events)
      : stream_(std::move(wire)),
        close_timer_(stream_.get_executor()),
        limits_(limits),
        events_(std::move(events)) {}

  void start(const Upgrade& upgrade) override {
    format_ = upgrade.format;
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = limits_.handshake_limit;
    timeout.idle_timeout = limits_.idle_limit;
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(0);  // the limit is kept in on_read
    stream_.auto_fragment(false);
    stream_.binary(format_ == Format::Binary);
    const auto chosen = subprotocol_of(format_);
    stream_.set_option(
        websocket::stream_base::decorator([chosen](websocket::response_type& response) {
          response.set(http::field::sec_websocket_protocol,
                       beast::string_view(chosen.data(), chosen.size()));
          response.set(http::field::server, "tengend");
        }));
    stream_.control_callback([this](websocket::frame_type kind, beast::string_view) {
      if (kind == websocket::frame_type::close) limit_closing();
    });
    // The answer is made before the call returns.
    stream_.async_accept(request_of(upgrade), [self = shared_from_this()](error_code accepted) {
      self->on_accepted(accepted);
    });
  }

  void send(protocol::SharedFrame frame, std::uint32_t newest_of) override {
    if (state_ != State::Open || close_code_) return;
    if (newest_of != 0) {
      (void)outbox_.push_newest(std::move(frame), newest_of);
    } else if (outbox_.push(std::move(frame)) == protocol::Outbox::Queued::Overflow) {
      // The close follows the frame that is being written; cut_if_stuck ends it if even that hangs.
      outbox_.drop_waiting();
      return close(protocol::kCloseSlowReader, "resync needed");
    }
    write_next();
  }

  void close(std::uint16_t code, std::string reason) override {
    if (state_ != State::Open || close_code_) return;
    close_code_ = code;
    close_reason_ = std::move(reason);
    write_next();
  }

  void cut_if_stuck(std::chrono::steady_clock::time_point now) override {
    if (write_began_ && now - *write_began_ > limits_.write_limit) cut();
  }

 private:
  enum class State { Opening, Open, Closed };

  void on_accepted(error_code error) {
    if (error) return finish();
    state_ = State::Open;
    events_.opened(format_);
    if (state_ == State::Open) read_next();
  }

  // Messages are read in pieces, never past the limit. Beast's own limit would close the socket
  // with the rest of the message unread, and the reset that follows can overtake the close frame; a
  // close of ours discards what still comes until the peer answers or the close limit passes.
  void read_next() {
    const std::size_t room = limits_.frame_bytes_max + 1 - buffer_.size();
    stream_.async_read_some(
        buffer_, room,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
  }

  void on_read(error_code error) {
    if (error) return finish();
    if (state_ != State::Open || close_code_) return;
    if (buffer_.size() > limits_.frame_bytes_max) {
      buffer_.clear();
      return close(protocol::kCloseTooBig, "message too big");
    }
    if (stream_.is_message_done()) {
      const auto bytes = buffer_.cdata();
      events_.frame(stream_.got_text() ? protocol::FrameKind::Text : protocol::FrameKind::Binary,
                    {static_cast<const char*>(bytes.data()), bytes.size()});
      buffer_.clear();
    }
    if (state_ == State::Open && !close_code_) read_next();
  }

  void write_next() {
    if (state_ != State::Open) return;
    if (outbox_.is_empty()) {
      if (close_code_) close_now();
      return;
    }
    auto frame = outbox_.begin_write();
    if (!frame) return;
    write_began_ = std::chrono::steady_clock::now();
    const auto bytes = asio::buffer(*frame);
    stream_.async_write(bytes, [self = shared_from_this(), frame = std::move(frame)](
                                   error_code error, std::size_t) {
      self->write_began_.reset();
      if (error) return self->finish();
      self->outbox_.written();
      self->write_next();
    });
  }

  void close_now() {
    if (close_sent_) return;
    close_sent_ = true;
    limit_closing();
    websocket::close_reason reason(*close_code_);
    reason.reason.assign(close_reason_.data(), close_reason_.size());
    stream_.async_close(reason, [self = shared_from_this()](error_code) { self->finish(); });
  }

  // Beast waits for the peer's close frame and then for it to close TCP, and a close that the peer
  // began has no limit there but the idle one.
  void limit_closing() {
    if (is_closing_) return;
    is_closing_ = true;
    close_timer_.expires_after(limits_.close_limit);
    close_timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->cut();
    });
  }

  void cut() {
    stream_.next_layer().close();
    finish();
  }

  void finish() {
    if (state_ == State::Closed) return;
    state_ = State::Closed;
    close_timer_.cancel();
    auto closed = std::move(events_.closed);
    closed();
  }

  websocket::stream<Wire> stream_;
  asio::steady_timer close_timer_;
  SocketLimits limits_;
  SocketEvents events_;
  beast::flat_buffer buffer_;
  protocol::Outbox outbox_;
  Format format_ = Format::Binary;
  State state_ = State::Opening;
  std::optional<std::chrono::steady_clock::time_point> write_began_;
  std::optional<std::uint16_t> close_code_;
  std::string close_reason_;
  bool close_sent_ = false;
  bool is_closing_ = false;  // a close frame has gone either way
};

}  // namespace

std::shared_ptr<WebSocket> make_websocket(Wire wire, const SocketLimits& limits,
                                          SocketEvents events) {
  return std::make_shared<BeastSocket>(std::move(wire), limits, std::move(events));
}

}  // namespace tengen::daemon
