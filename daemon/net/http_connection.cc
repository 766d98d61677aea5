#include "daemon/net/http_connection.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "daemon/net/wire.h"

namespace tengen::daemon {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using beast::error_code;
using protocol::Format;

constexpr std::size_t kBlock = 4096;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// The first subprotocol offered that we speak.
std::optional<Format> choose_format(const std::string& subprotocols) {
  for (const auto offered : http::token_list{subprotocols}) {
    if (offered == protocol::kBinarySubprotocol) return Format::Binary;
    if (offered == protocol::kJsonSubprotocol) return Format::Json;
  }
  return std::nullopt;
}

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

http::response<http::string_body> written(HttpResponse what, const RequestHead& asked) {
  http::response<http::string_body> answer(static_cast<http::status>(what.status), asked.version);
  answer.set(http::field::server, "tengend");
  answer.set(http::field::cache_control, what.etag.empty() ? "no-store" : "no-cache");
  if (!what.allow.empty()) answer.set(http::field::allow, what.allow);
  if (!what.etag.empty()) answer.set(http::field::etag, what.etag);
  if (!what.www_authenticate.empty()) {
    answer.set(http::field::www_authenticate, what.www_authenticate);
  }
  if (what.retry_after > 0) {
    answer.set(http::field::retry_after, std::to_string(what.retry_after));
  }
  if (!may_have_body(what.status)) return answer;
  answer.set(http::field::content_type, what.type);
  answer.body() = std::move(what.body);
  answer.prepare_payload();
  // HEAD is told the length of what GET would get.
  if (asked.is_head) answer.body().clear();
  return answer;
}

class BeastHttp final : public HttpConnection, public std::enable_shared_from_this<BeastHttp> {
 public:
  BeastHttp(Wire wire, const HttpLimits& limits, const OwnNames& names, HttpEvents events)
      : wire_(std::move(wire)),
        timer_(wire_.get_executor()),
        limits_(limits),
        names_(names),
        events_(std::move(events)),
        peer_(wire_.peer()) {}

  void start() override {
    wire_.set_no_delay();
    if (wire_.secure() != nullptr) return handshake();
    begin_request();
    read_more();
  }

  void respond(HttpResponse response) override {
    if (state_ == State::Awaiting) answer(std::move(response), After::NextRequest);
  }

  void finish_soon() override {
    is_last_ = true;
    if (state_ == State::Idle) linger();
  }

 private:
  enum class State {
    Handshaking,
    Idle,
    Reading,
    Continuing,
    Awaiting,
    Answering,
    Lingering,
    Closed
  };
  enum class After { NextRequest, End };

  void handshake() {
    limit(limits_.request_limit);
    wire_.async_handshake([self = shared_from_this()](error_code error) {
      if (self->state_ != State::Handshaking) return;
      if (error) return self->finish();
      self->begin_request();
      self->read_more();
    });
  }

  void next_request() {
    if (is_last_) return linger();
    if (!arrived_.empty()) {
      begin_request();
      return parse();
    }
    state_ = State::Idle;
    limit(limits_.idle_limit);
    read_more();
  }

  void begin_request() {
    state_ = State::Reading;
    reader_.emplace(limits_.request, names_);
    limit(limits_.request_limit);
  }

  // One read at a time is under way, also while an answer is awaited: a peer that leaves is seen,
  // and what it sends early waits. After the end none is begun: nothing would tell of it again.
  void read_more() {
    if (is_reading_) return;
    if (end_) return on_end();
    is_reading_ = true;
    auto on_read = [self = shared_from_this()](error_code error, std::size_t bytes) {
      self->is_reading_ = false;
      self->end_ = error;
      error ? self->on_end() : self->on_bytes(bytes);
    };
    if (state_ == State::Lingering) {
      return wire_.next_layer().async_read_some(asio::buffer(block_), std::move(on_read));
    }
    wire_.async_read_some(asio::buffer(block_), std::move(on_read));
  }

  void on_bytes(std::size_t bytes) {
    if (state_ == State::Lingering) return discard(bytes);
    arrived_.append(block_.data(), bytes);
    if (state_ == State::Idle) begin_request();
    if (state_ == State::Reading) return parse();
    if (state_ == State::Awaiting) watch();
  }

  void on_end() {
    switch (state_) {
      case State::Idle:
      case State::Reading:
      case State::Lingering:
        return finish();
      case State::Awaiting:  // a peer that has closed its side may still read
        return end_ == asio::error::eof ? limit(limits_.linger_limit) : finish();
      default:  // whoever reads next is told
        return;
    }
  }

  void watch() {
    if (arrived_.size() < limits_.request.header_bytes_max) read_more();
  }

  void discard(std::size_t bytes) {
    discarded_ += bytes;
    if (discarded_ > limits_.linger_bytes_max) return finish();
    read_more();
  }

  void parse() {
    while (true) {
      auto result = reader_->read(arrived_);
      if (auto* refused = std::get_if<HttpResponse>(&result)) {
        return answer(std::move(*refused), After::End);
      }
      switch (std::get<RequestReader::Progress>(result)) {
        case RequestReader::Progress::NeedsMore:
          return read_more();
        case RequestReader::Progress::Whole:
          return ask();
        case RequestReader::Progress::Head:
          if (reader_->head().is_upgrade) return upgrade(reader_->head());
          if (reader_->head().awaits_continue) return say_continue();
      }
    }
  }

  void upgrade(const RequestHead& head) {
    const auto refuse = [this](int status, std::string text) {
      answer(plain_response(status, std::move(text)), After::End);
    };
    if (head.target != "/") return refuse(404, "not found\n");
    if (head.has_body) return refuse(400, "an upgrade has no body\n");
    if (is_reading_ || !arrived_.empty()) {
      return refuse(400, "before and after an upgrade wait for the answer\n");
    }
    const auto format = choose_format(head.subprotocols);
    if (!format) {
      return refuse(400, "offer the WebSocket subprotocol tengen.v1.pb or tengen.v1.json\n");
    }
    const Upgrade what{*format, head.host, head.key, head.socket_version};
    close().upgraded(std::move(wire_), what);
  }

  void say_continue() {
    state_ = State::Continuing;
    asio::async_write(wire_, asio::buffer(kContinue.data(), kContinue.size()),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (self->state_ != State::Continuing) return;
                        if (error) return self->finish();
                        self->state_ = State::Reading;
                        self->parse();
                      });
  }

  void ask() {
    state_ = State::Awaiting;
    limit_nothing();
    HttpRequest request = reader_->take();
    request.peer = peer_;
    events_.request(std::move(request));
    if (state_ == State::Awaiting) watch();
  }

  void answer(HttpResponse what, After after) {
    const auto& asked = reader_->head();
    const bool goes_on = after == After::NextRequest && !is_last_ && asked.keeps_alive;
    state_ = State::Answering;
    response_.emplace(written(std::move(what), asked));
    response_->keep_alive(goes_on);
    limit(limits_.write_limit);
    http::async_write(wire_, *response_,
                      [self = shared_from_this(), goes_on](error_code error, std::size_t) {
                        if (self->state_ != State::Answering) return;
                        if (error) return self->finish();
                        if (goes_on) return self->next_request();
                        self->linger();
                      });
  }

  // What the peer still sends, such as the body of its request, is thrown away until it closes. A
  // close with bytes unread would be a reset, and that can overtake the answer.
  void linger() {
    state_ = State::Lingering;
    limit(limits_.linger_limit);
    wire_.async_shutdown_send([self = shared_from_this()] {
      if (self->state_ == State::Lingering) self->read_more();
    });
  }

  void limit(std::chrono::milliseconds duration) {
    timer_.expires_after(duration);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      // One that has expired and was set anew in the same turn is not meant any more.
      if (!error && self->timer_.expiry() <= asio::steady_timer::clock_type::now()) {
        self->on_limit();
      }
    });
  }

  void limit_nothing() { timer_.expires_at(asio::steady_timer::time_point::max()); }

  void on_limit() {
    if (state_ == State::Idle) return linger();
    finish();
  }

  void finish() {
    if (state_ == State::Closed) return;
    const bool is_owed = state_ == State::Awaiting;
    const auto events = close();
    wire_.close();
    if (is_owed) events.gone();
    events.closed();
  }

  // The events hold whoever holds this.
  HttpEvents close() {
    state_ = State::Closed;
    limit_nothing();
    return std::exchange(events_, {});
  }

  Wire wire_;
  asio::steady_timer timer_;
  const HttpLimits limits_;
  const OwnNames& names_;
  HttpEvents events_;
  const std::string peer_;
  State state_ = State::Handshaking;
  bool is_reading_ = false;
  error_code end_;  // of what the peer sends
  bool is_last_ = false;
  std::array<char, kBlock> block_{};
  std::string arrived_;  // and not parsed
  std::size_t discarded_ = 0;
  std::optional<RequestReader> reader_;
  std::optional<http::response<http::string_body>> response_;
};

}  // namespace

std::shared_ptr<HttpConnection> make_http_connection(Wire wire, const HttpLimits& limits,
                                                     const OwnNames& names, HttpEvents events) {
  return std::make_shared<BeastHttp>(std::move(wire), limits, names, std::move(events));
}

}  // namespace tengen::daemon
