// Accepts connections, names them and carries frames between them and the hub, and plain HTTP
// requests to whoever answers them. When the process runs out of descriptors it pauses instead of
// spinning.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "daemon/ids.h"
#include "daemon/net/websocket.h"

namespace boost::asio {
class io_context;
}

namespace tengen::daemon {

struct ListenerLimits {
  std::uint32_t sockets_max = 10'240;  // open at once, those still in the HTTP phase included
  SocketLimits socket;
};

/// Called from the loop. A connection is named only once its upgrade succeeded; a plain HTTP
/// request is answered at once and has no name.
struct ConnectionEvents {
  std::function<HttpResponse(const HttpRequest&)> request;
  std::function<void(ConnId, protocol::Format)> connected;
  std::function<void(ConnId, protocol::FrameKind, std::string_view bytes)> frame;
  std::function<void(ConnId)> disconnected;
};

class Listener {
 public:
  /// Binds and listens; accepting begins with start(). The text says why it cannot.
  static std::variant<std::unique_ptr<Listener>, std::string> open(boost::asio::io_context& io,
                                                                   const std::string& host,
                                                                   std::uint16_t port,
                                                                   const ListenerLimits& limits,
                                                                   ConnectionEvents events);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const;
  void start();
  /// No new connections; open ones stay.
  void stop();
  /// Both ignore connections that have gone.
  void send(ConnId connection, protocol::SharedFrame frame, std::uint32_t newest_of);
  void close(ConnId connection, std::uint16_t code, std::string reason);
  std::size_t connections() const;

 private:
  struct State;
  explicit Listener(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace tengen::daemon
