// The bytes of one accepted connection, plain or over TLS, as the two phases on top of them see it:
// an asynchronous stream of Asio's. Only the sources of daemon/net include it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <functional>
#include <string>
#include <utility>
#include <variant>

namespace tengen::daemon {

class Wire {
 public:
  using Plain = boost::asio::ip::tcp::socket;
  using Secure = boost::asio::ssl::stream<Plain>;
  using executor_type = Plain::executor_type;

  explicit Wire(Plain socket) : stream_(std::move(socket)) {}
  /// Nothing passes before the handshake.
  Wire(Plain socket, boost::asio::ssl::context& context)
      : stream_(std::in_place_type<Secure>, std::move(socket), context) {}

  /// The socket below, and what is on top of it if anything is.
  Plain& next_layer();
  Secure* secure() { return std::get_if<Secure>(&stream_); }
  executor_type get_executor() noexcept { return next_layer().get_executor(); }
  /// The peer's address without the port; empty when it has gone already.
  std::string peer();

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (auto* tls = secure()) return tls->async_read_some(buffers, std::forward<Handler>(handler));
    next_layer().async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (auto* tls = secure()) return tls->async_write_some(buffers, std::forward<Handler>(handler));
    next_layer().async_write_some(buffers, std::forward<Handler>(handler));
  }

  /// Small frames leave at once.
  void set_no_delay();
  /// Only over TLS.
  void async_handshake(std::function<void(boost::system::error_code)> done);
  /// Tells the peer that nothing more comes; what it still sends can be read from next_layer. Over
  /// TLS it is `done` when the peer has agreed, which may be never; plain at once.
  void async_shutdown_send(std::function<void()> done);
  void close();

 private:
  std::variant<Plain, Secure> stream_;
};

}  // namespace tengen::daemon
