// The bytes of one accepted connection, as the two phases on top of them see it: an asynchronous
// stream of Asio's. Only the sources of daemon/net include it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <utility>

namespace tengen::daemon {

class Wire {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using executor_type = Socket::executor_type;

  explicit Wire(Socket socket) : socket_(std::move(socket)) {}

  executor_type get_executor() noexcept { return socket_.get_executor(); }
  Socket& next_layer() { return socket_; }
  /// The peer's address without the port; empty when it has gone already.
  std::string peer() const;

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    socket_.async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    socket_.async_write_some(buffers, std::forward<Handler>(handler));
  }

  /// Small frames leave at once.
  void set_no_delay();
  /// Tells the peer that nothing more comes; it can still be read.
  void shutdown_send();
  void close();

 private:
  Socket socket_;
};

}  // namespace tengen::daemon
