// One WebSocket connection to the daemon under tengen.v1.pb, plain or over TLS: bytes in, bytes
// out.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/io_context.hpp>

#include "clients/cli/arguments.h"
#include "clients/cli/conversation.h"
#include "clients/cli/net/tls.h"

namespace tengen::cli {

/// Where the daemon is; `trust` is there when the transport is TLS.
struct Server {
  Address address;
  std::shared_ptr<TlsContext> trust;
};

class Connection {
 public:
  static constexpr std::chrono::seconds kConnectLimit{5};  // TCP, TLS and the upgrade, each
  static constexpr std::size_t kMessageBytesMax = 4 * 1024 * 1024;

  /// Hears of one connection: on_open, then any number of on_message, then on_loss; or on_loss
  /// alone.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void on_open() = 0;
    virtual void on_message(std::string_view bytes) = 0;
    virtual void on_loss(const Loss& loss) = 0;
  };

  /// Starts connecting. The listener must live until on_loss, abandon() or close().
  static std::shared_ptr<Connection> open(boost::asio::io_context& io, const Server& server,
                                          Listener& listener);

  virtual ~Connection() = default;
  /// Queues one binary message; only after on_open.
  virtual void send(std::string bytes) = 0;
  /// Drops the connection at once; the listener hears no more.
  virtual void abandon() = 0;
  /// Takes leave with a close frame; the listener hears no more.
  virtual void close() = 0;
};

}  // namespace tengen::cli
