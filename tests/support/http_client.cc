#include "tests/support/http_client.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "rules/ascii.h"

namespace tengen::tests {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

HttpReply parse_head(const std::string& text) {
  if (text.rfind("HTTP/1.", 0) != 0) throw std::runtime_error("no HTTP reply: " + text);
  HttpReply reply;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  reply.status = std::stoi(line.substr(line.find(' ')));
  while (std::getline(lines, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const auto colon = line.find(": ");
    if (colon == std::string::npos) throw std::runtime_error("no header: " + line);
    reply.headers[rules::lower(line.substr(0, colon))] = line.substr(colon + 2);
  }
  return reply;
}

}  // namespace

struct HttpClient::State {
  // Reads until `is_enough`, the peer's close or the end of the patience.
  template <typename Condition>
  void read_until(Condition is_enough, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!is_enough() && !is_closed && std::chrono::steady_clock::now() < end) {
      if (!is_reading) read();
      io.restart();
      io.run_one_until(end);
    }
  }

  void read() {
    is_reading = true;
    socket.async_read_some(asio::buffer(block), [this](error_code error, std::size_t bytes) {
      is_reading = false;
      arrived.append(block.data(), bytes);
      is_closed = bool(error);
    });
  }

  asio::io_context io{1};
  tcp::socket socket{io};
  std::array<char, 4096> block{};
  std::string arrived;
  bool is_reading = false;
  bool is_closed = false;
};

HttpClient::HttpClient(std::uint16_t port) : state_(std::make_unique<State>()) {
  state_->socket.connect({asio::ip::address_v4::loopback(), port});
  state_->socket.set_option(tcp::no_delay(true));
}

HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

void HttpClient::send(std::string_view bytes) {
  asio::write(state_->socket, asio::buffer(bytes.data(), bytes.size()));
}

void HttpClient::shutdown_send() { state_->socket.shutdown(tcp::socket::shutdown_send); }

std::optional<std::string> HttpClient::read_to_end(std::chrono::milliseconds patience) {
  state_->read_until([] { return false; }, patience);
  if (!state_->is_closed) return std::nullopt;
  return std::exchange(state_->arrived, {});
}

HttpReply HttpClient::reply(Body body) {
  const auto take = [this](std::size_t bytes) {
    state_->read_until([&] { return state_->arrived.size() >= bytes; }, kHttpPatience);
    if (state_->arrived.size() < bytes) throw std::runtime_error("half a reply");
    auto text = state_->arrived.substr(0, bytes);
    state_->arrived.erase(0, bytes);
    return text;
  };
  const auto head_end = [this] { return state_->arrived.find("\r\n\r\n"); };
  state_->read_until([&] { return head_end() != std::string::npos; }, kHttpPatience);
  if (head_end() == std::string::npos) throw std::runtime_error("no reply: " + state_->arrived);
  auto reply = parse_head(take(head_end() + 2));
  take(2);
  const auto length = reply.header("content-length");
  if (body == Body::AsSaid && !length.empty()) reply.body = take(std::stoul(length));
  return reply;
}

std::string HttpReply::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string http_request(const std::string& method, const std::string& target,
                         const std::string& host) {
  return method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: test\r\n\r\n";
}

HttpReply http_get(std::uint16_t port, const std::string& target) {
  HttpClient client(port);
  client.send(http_request("GET", target));
  return client.reply();
}

}  // namespace tengen::tests
