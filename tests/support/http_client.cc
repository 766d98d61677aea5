#include "tests/support/http_client.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace tengen::tests {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

HttpReply parse(const std::string& text) {
  const auto head_end = text.find("\r\n\r\n");
  if (text.rfind("HTTP/1.", 0) != 0 || head_end == std::string::npos) {
    throw std::runtime_error("no HTTP reply: " + text);
  }
  HttpReply reply;
  std::istringstream lines(text.substr(0, head_end));
  std::string line;
  std::getline(lines, line);
  reply.status = std::stoi(line.substr(line.find(' ')));
  while (std::getline(lines, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const auto colon = line.find(": ");
    if (colon == std::string::npos) throw std::runtime_error("no header: " + line);
    reply.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
  }
  reply.body = text.substr(head_end + 4);
  return reply;
}

}  // namespace

struct HttpClient::State {
  asio::io_context io{1};
  tcp::socket socket{io};
};

HttpClient::HttpClient(std::uint16_t port) : state_(std::make_unique<State>()) {
  state_->socket.connect({asio::ip::address_v4::loopback(), port});
}

HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

void HttpClient::send(std::string_view bytes) {
  asio::write(state_->socket, asio::buffer(bytes.data(), bytes.size()));
}

std::optional<std::string> HttpClient::read_to_end(std::chrono::milliseconds patience) {
  std::string text;
  std::optional<error_code> end;
  asio::async_read(state_->socket, asio::dynamic_buffer(text),
                   [&](error_code error, std::size_t) { end = error; });
  state_->io.restart();
  state_->io.run_for(patience);
  if (end) return text;
  error_code ignored;
  state_->socket.close(ignored);
  state_->io.restart();
  state_->io.run();
  return std::nullopt;
}

HttpReply HttpClient::reply() {
  const auto text = read_to_end();
  if (!text) throw std::runtime_error("the peer does not close");
  return parse(*text);
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
