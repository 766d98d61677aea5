// One client connection of a load generator: callbacks, binary frames, nothing decided.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace boost::asio {
class io_context;
}

namespace tengen::tests {

/// `message`'s bytes are valid during the call. `lost` comes once, and last.
struct LoadEvents {
  std::function<void()> opened;
  std::function<void(std::string_view bytes)> message;
  std::function<void(const std::string& reason)> lost;
};

class LoadConnection {
 public:
  virtual ~LoadConnection() = default;
  /// Queued and sent in order.
  virtual void send(std::string bytes) = 0;

  /// To a server on this machine. It lives as long as the loop has work for it.
  static std::shared_ptr<LoadConnection> open(boost::asio::io_context& io, std::uint16_t port,
                                              std::string_view subprotocol, LoadEvents events);
};

}  // namespace tengen::tests
