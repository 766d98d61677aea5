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
#include "daemon/net/tls.h"
#include "daemon/net/websocket.h"
#include "daemon/own_names.h"

namespace boost::asio {
class io_context;
}

namespace tengen::daemon {

struct ListenerLimits {
  std::uint32_t sockets_max = 10'240;  // open at once, those still in the HTTP phase included
  HttpLimits http;
  SocketLimits socket;
};

struct ListenerConfig {
  std::string host;  // an IP address
  std::uint16_t port = 0;
  OwnNames names;
  std::shared_ptr<TlsContext> tls;  // null: plain
  ListenerLimits limits;
};

/// Called from the loop. A connection is named once its upgrade has succeeded, a plain HTTP request
/// when it has been read. Every request wants one Listener::respond, at once or later, unless
/// http_gone says before that its peer has left.
struct ConnectionEvents {
  std::function<void(HttpId, HttpRequest&&)> request;
  std::function<void(HttpId)> http_gone;
  std::function<void(ConnId, protocol::Format, const std::string& address)> connected;
  std::function<void(ConnId, protocol::FrameKind, std::string_view bytes)> frame;
  std::function<void(ConnId)> disconnected;
};

class Listener {
 public:
  /// Binds and listens; accepting begins with start(). The text says why it cannot.
  static std::variant<std::unique_ptr<Listener>, std::string> open(boost::asio::io_context& io,
                                                                   ListenerConfig config,
                                                                   ConnectionEvents events);
  /// Ends every connection, without a word to anybody. The loop must not run any more.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const;
  void start();
  /// No new connections. WebSockets stay; plain HTTP gets the answer that it waits for.
  void stop();
  /// Connections from now on are shown this certificate. Where there was none nothing may be set.
  void set_tls(std::shared_ptr<TlsContext> tls);
  /// These ignore connections and requests that have gone.
  void send(ConnId connection, protocol::SharedFrame frame, std::uint32_t newest_of);
  void close(ConnId connection, std::uint16_t code, std::string reason);
  void respond(HttpId request, HttpResponse response);
  std::size_t connections() const;

 private:
  struct State;
  explicit Listener(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace tengen::daemon
