#include "daemon/net/websocket.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "daemon/net/socket.h"

namespace tengen::daemon {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using beast::error_code;
using protocol::Format;

// The first subprotocol offered that we speak.
std::optional<Format> choose_format(const http::request<http::empty_body>& request) {
  for (const auto offered : http::token_list{request[http::field::sec_websocket_protocol]}) {
    if (offered == protocol::kBinarySubprotocol) return Format::Binary;
    if (offered == protocol::kJsonSubprotocol) return Format::Json;
  }
  return std::nullopt;
}

std::string_view subprotocol_of(Format format) {
  return format == Format::Binary ? protocol::kBinarySubprotocol : protocol::kJsonSubprotocol;
}

// A page of another site can make its own name point here. It cannot do that to an address.
bool is_host_allowed(const http::request<http::empty_body>& request) {
  const auto field = request[http::field::host];
  std::string host(field.data(), field.size());
  const auto colon = host.rfind(':');
  const bool has_port = colon != std::string::npos && host.find(']', colon) == std::string::npos;
  if (has_port && (host.front() == '[' || host.find(':') == colon)) host.resize(colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  error_code error;
  asio::ip::make_address(host, error);
  return host == "localhost" || !error;
}

// Browsers name the page's origin; only pages that this very host served may connect.
bool is_origin_allowed(const http::request<http::empty_body>& request) {
  const auto origin = request.find(http::field::origin);
  if (origin == request.end()) return true;
  std::string_view value(origin->value().data(), origin->value().size());
  const auto scheme = value.find("://");
  if (scheme == std::string_view::npos) return false;
  const auto host = request[http::field::host];
  return value.substr(scheme + 3) == std::string_view(host.data(), host.size());
}

HttpResponse refusal(http::status status, std::string text) {
  HttpResponse response;
  response.status = static_cast<int>(status);
  response.body = std::move(text);
  return response;
}

// Why the request cannot become a WebSocket; nothing if it can.
std::optional<HttpResponse> judge(const http::request<http::empty_body>& request, bool has_body) {
  if (request.target() != "/") return refusal(http::status::not_found, "not found\n");
  if (has_body) return refusal(http::status::bad_request, "an upgrade has no body\n");
  if (!is_origin_allowed(request)) return refusal(http::status::forbidden, "foreign origin\n");
  if (!choose_format(request)) {
    return refusal(http::status::bad_request,
                   "offer the WebSocket subprotocol tengen.v1.pb or tengen.v1.json\n");
  }
  return std::nullopt;
}

std::string to_string(beast::string_view text) { return {text.data(), text.size()}; }

class BeastSocket final : public WebSocket, public std::enable_shared_from_this<BeastSocket> {
 public:
  BeastSocket(asio::ip::tcp::socket socket, const SocketLimits& limits, SocketEvents events)
      : stream_(std::move(socket)), limits_(limits), events_(std::move(events)) {}

  void start() override {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    parser_.emplace();
    parser_->header_limit(limits_.header_bytes_max);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // bodies are never read
    beast::get_lowest_layer(stream_).expires_after(limits_.request_limit);
    http::async_read_header(
        stream_.next_layer(), buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_request(error); });
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

  void on_request(error_code error) {
    if (error) return finish();
    const auto& request = parser_->get();
    if (!is_host_allowed(request)) {
      return answer(
          refusal(http::status::forbidden, "the Host must be localhost or an IP address\n"));
    }
    if (!websocket::is_upgrade(request)) {
      return answer(
          events_.request({to_string(request.method_string()), to_string(request.target())}));
    }
    if (auto problem = judge(request, !parser_->is_done())) return answer(std::move(*problem));
    upgrade();
  }

  void upgrade() {
    format_ = *choose_format(parser_->get());
    beast::get_lowest_layer(stream_).expires_never();
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = limits_.request_limit;
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
    stream_.async_accept(parser_->get(), [self = shared_from_this()](error_code accepted) {
      self->on_accepted(accepted);
    });
  }

  void answer(HttpResponse what) {
    response_.emplace(static_cast<http::status>(what.status), parser_->get().version());
    response_->set(http::field::content_type, what.type);
    response_->set(http::field::cache_control, "no-store");
    response_->set(http::field::server, "tengend");
    if (!what.allow.empty()) response_->set(http::field::allow, what.allow);
    response_->keep_alive(false);
    response_->body() = std::move(what.body);
    response_->prepare_payload();
    // HEAD is told the length of what GET would get.
    if (parser_->get().method() == http::verb::head) response_->body().clear();
    beast::get_lowest_layer(stream_).expires_after(limits_.write_limit);
    http::async_write(stream_.next_layer(), *response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->finish();
                        self->linger();
                      });
  }

  // What the peer still sends, such as the body of its request, is thrown away until it closes. A
  // close with bytes unread would be a reset, and that can overtake the answer.
  void linger() {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().shutdown(asio::ip::tcp::socket::shutdown_send,
                                                       ignored);
    beast::get_lowest_layer(stream_).expires_after(limits_.linger_limit);
    discard(0);
  }

  void discard(std::size_t so_far) {
    constexpr std::size_t kBlock = 4096;
    buffer_.clear();
    stream_.next_layer().async_read_some(
        buffer_.prepare(kBlock),
        [self = shared_from_this(), so_far](error_code error, std::size_t bytes) {
          if (error || so_far + bytes > self->limits_.linger_bytes_max) return self->finish();
          self->discard(so_far + bytes);
        });
  }

  void on_accepted(error_code error) {
    if (error) return finish();
    parser_.reset();
    buffer_.clear();
    state_ = State::Open;
    events_.opened(format_);
    if (state_ == State::Open) read_next();
  }

  // Messages are read in pieces, never past the limit. Beast's own limit would close the socket
  // with the rest of the message unread, and the reset that follows can overtake the close frame; a
  // close of ours discards what still comes until the peer answers or the handshake limit passes.
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
    websocket::close_reason reason(*close_code_);
    reason.reason.assign(close_reason_.data(), close_reason_.size());
    stream_.async_close(reason, [self = shared_from_this()](error_code) { self->finish(); });
  }

  void cut() {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
    finish();
  }

  void finish() {
    if (state_ == State::Closed) return;
    state_ = State::Closed;
    auto closed = std::move(events_.closed);
    closed();
  }

  websocket::stream<beast::tcp_stream> stream_;
  SocketLimits limits_;
  SocketEvents events_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  protocol::Outbox outbox_;
  Format format_ = Format::Binary;
  State state_ = State::Opening;
  std::optional<std::chrono::steady_clock::time_point> write_began_;
  std::optional<std::uint16_t> close_code_;
  std::string close_reason_;
  bool close_sent_ = false;
};

}  // namespace

std::shared_ptr<WebSocket> make_websocket(asio::ip::tcp::socket socket, const SocketLimits& limits,
                                          SocketEvents events) {
  return std::make_shared<BeastSocket>(std::move(socket), limits, std::move(events));
}

}  // namespace tengen::daemon
