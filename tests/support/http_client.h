// Plain HTTP as bytes: a test says exactly what goes out and sees exactly what comes back, one
// request after the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tengen::tests {

inline constexpr std::chrono::seconds kHttpPatience{20};

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  /// Empty when there is none of that name.
  std::string header(const std::string& name) const;
};

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port);
  HttpClient(HttpClient&&) noexcept;
  /// Closes the socket.
  ~HttpClient();

  /// Throws when the bytes cannot be sent.
  void send(std::string_view bytes);
  /// Says that no more is sent; replies can still come.
  void shutdown_send();
  /// What has come and was not read as a reply, up to the peer's close; nothing when it does not
  /// close in time. A reset counts as a close.
  std::optional<std::string> read_to_end(std::chrono::milliseconds patience = kHttpPatience);
  enum class Body : std::uint8_t { AsSaid, None };
  /// The next reply; Content-Length says where it ends, or for HEAD nothing follows the header.
  /// Throws when the bytes are no reply, or none comes in time.
  HttpReply reply(Body body = Body::AsSaid);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A request as a well-behaved client writes it.
std::string http_request(const std::string& method, const std::string& target,
                         const std::string& host = "127.0.0.1");
HttpReply http_get(std::uint16_t port, const std::string& target);

}  // namespace tengen::tests
