#include "tests/bench/load_connection.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <utility>

namespace tengen::tests {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;

class BeastLoad final : public LoadConnection, public std::enable_shared_from_this<BeastLoad> {
 public:
  BeastLoad(asio::io_context& io, LoadEvents events) : stream_(io), events_(std::move(events)) {}

  void start(std::uint16_t port, std::string subprotocol) {
    stream_.next_layer().async_connect(
        {asio::ip::address_v4::loopback(), port},
        [self = shared_from_this(), port, subprotocol = std::move(subprotocol)](error_code error) {
          error ? self->lose(error) : self->upgrade(port, subprotocol);
        });
  }

  void send(std::string bytes) override {
    queue_.push_back(std::move(bytes));
    if (queue_.size() == 1) write();
  }

 private:
  void upgrade(std::uint16_t port, const std::string& subprotocol) {
    stream_.next_layer().set_option(tcp::no_delay(true));
    stream_.binary(true);
    stream_.auto_fragment(false);
    stream_.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
      request.set(http::field::sec_websocket_protocol, subprotocol);
    }));
    stream_.async_handshake("127.0.0.1:" + std::to_string(port), "/",
                            [self = shared_from_this()](error_code error) {
                              if (error) return self->lose(error);
                              self->events_.opened();
                              self->read();
                            });
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->lose(error);
      const auto bytes = self->buffer_.cdata();
      self->events_.message({static_cast<const char*>(bytes.data()), bytes.size()});
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void write() {
    stream_.async_write(asio::buffer(queue_.front()),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          if (error) return;  // the read hears of it too
                          self->queue_.pop_front();
                          if (!self->queue_.empty()) self->write();
                        });
  }

  void lose(error_code error) { events_.lost(error.message()); }

  websocket::stream<tcp::socket> stream_;
  LoadEvents events_;
  beast::flat_buffer buffer_;
  std::deque<std::string> queue_;  // the first is being written
};

}  // namespace

std::shared_ptr<LoadConnection> LoadConnection::open(asio::io_context& io, std::uint16_t port,
                                                     std::string_view subprotocol,
                                                     LoadEvents events) {
  auto connection = std::make_shared<BeastLoad>(io, std::move(events));
  connection->start(port, std::string(subprotocol));
  return connection;
}

}  // namespace tengen::tests
