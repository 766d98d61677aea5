#include "daemon/net/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>
#include <utility>

#include "daemon/http_address.h"

namespace tengen::daemon {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using beast::error_code;
using Request = http::request<http::string_body>;

// How a chunked body ends: "0", an empty line, another one. The parser asserts that it never sees
// less than that of it.
constexpr std::size_t kLastChunkBytes = 5;

// A field that is there twice counts once, as it came first; those that matter are refused.
std::string text_of(const Request& request, http::field name) {
  const auto value = request[name];
  return {value.data(), value.size()};
}

GivenField given(const Request& request, http::field name) {
  const auto value = request[name];
  return {request.count(name), {value.data(), value.size()}};
}

HttpResponse refusal_of(error_code error) {
  if (error == http::error::body_limit) return plain_response(413, "the body is too long\n");
  if (error == http::error::header_limit) return plain_response(431, "the header is too long\n");
  return plain_response(400, "this is no HTTP request: " + error.message() + "\n");
}

// Where such a body ends only its own coding could tell: what follows would be taken for a request
// (RFC 9112, 6.1 and 6.3).
bool has_strange_coding(const Request& request) {
  const auto codings = request.count(http::field::transfer_encoding);
  return codings > 1 ||
         (codings == 1 && !beast::iequals(request[http::field::transfer_encoding], "chunked"));
}

}  // namespace

struct RequestReader::State {
  State(const RequestLimits& request_limits, const OwnNames& own_names)
      : limits(request_limits), names(own_names) {
    parser.header_limit(limits.header_bytes_max);
    parser.body_limit(limits.body_bytes_max);
  }

  const RequestLimits limits;
  const OwnNames& names;
  http::request_parser<http::string_body> parser;
  std::size_t header_bytes = 0;  // that were taken
  RequestHead head;
  HttpRequest request;

  void note_request_line() {
    const auto& asked = parser.get();
    head.version = asked.version();
    head.is_head = asked.method() == http::verb::head;
  }

  HttpResponse refuse(HttpResponse response) {
    note_request_line();
    return response;
  }

  std::variant<Progress, HttpResponse> on_head(std::size_t left) {
    parser.eager(true);  // of the body all that has arrived at once
    const auto& asked = parser.get();
    note_request_line();
    if (has_strange_coding(asked)) return plain_response(501, "the only coding is chunked\n");
    auto address = address_of({{asked.target().data(), asked.target().size()},
                               given(asked, http::field::host),
                               given(asked, http::field::origin)},
                              names);
    if (const auto* wrong = std::get_if<Misaddressed>(&address)) {
      return plain_response(wrong->status, std::string(wrong->text));
    }
    auto& found = std::get<HttpAddress>(address);
    head.keeps_alive = asked.version() >= 11 && asked.keep_alive();
    head.has_body = parser.chunked() || parser.content_length().value_or(0) > 0;
    head.awaits_continue = !parser.is_done() && left == 0 && asked.version() >= 11 &&
                           beast::iequals(asked[http::field::expect], "100-continue");
    head.is_upgrade = beast::websocket::is_upgrade(asked);
    head.host = std::move(found.host);
    head.target = std::move(found.target);
    head.subprotocols = text_of(asked, http::field::sec_websocket_protocol);
    head.key = text_of(asked, http::field::sec_websocket_key);
    head.socket_version = text_of(asked, http::field::sec_websocket_version);
    take_fields(asked);
    return Progress::Head;
  }

  // Now, since what is behind the last chunk is kept among the fields, and is none of them.
  void take_fields(const Request& asked) {
    request.method.assign(asked.method_string().data(), asked.method_string().size());
    request.target = head.target;
    request.authorization = text_of(asked, http::field::authorization);
    request.content_type = text_of(asked, http::field::content_type);
    const auto key = asked["Idempotency-Key"];
    request.idempotency_key.assign(key.data(), key.size());
    request.if_match = text_of(asked, http::field::if_match);
    request.if_none_match = text_of(asked, http::field::if_none_match);
  }

  std::variant<Progress, HttpResponse> read(std::string& bytes) {
    while (!parser.is_done()) {
      const bool had_header = parser.is_header_done();
      const bool is_chunked = had_header && parser.chunked();
      if (bytes.size() < (is_chunked ? kLastChunkBytes : 1)) return Progress::NeedsMore;
      // The parser's own limit is one for each piece, so it is shown no more than it may take. What
      // is around chunks it takes as a whole or not at all.
      const std::size_t room = !had_header  ? limits.header_bytes_max - header_bytes
                               : is_chunked ? limits.header_bytes_max
                                            : bytes.size();
      const std::size_t shown = std::min(bytes.size(), room);
      error_code error;
      const std::size_t taken = parser.put(asio::buffer(bytes.data(), shown), error);
      bytes.erase(0, taken);
      const bool is_short = error == http::error::need_more;
      if (error && !is_short) return refuse(refusal_of(error));
      if (!had_header) header_bytes += taken;
      if (!had_header && parser.is_header_done()) return on_head(bytes.size());
      if (!is_short) continue;
      if (shown < room) return Progress::NeedsMore;
      if (!had_header || taken == 0) return refuse(refusal_of(http::error::header_limit));
    }
    return Progress::Whole;
  }
};

RequestReader::RequestReader(const RequestLimits& limits, const OwnNames& names)
    : state_(std::make_unique<State>(limits, names)) {}

RequestReader::~RequestReader() = default;

std::variant<RequestReader::Progress, HttpResponse> RequestReader::read(std::string& bytes) {
  return state_->read(bytes);
}

const RequestHead& RequestReader::head() const { return state_->head; }

HttpRequest RequestReader::take() {
  state_->request.body = std::move(state_->parser.get().body());
  return std::move(state_->request);
}

}  // namespace tengen::daemon
