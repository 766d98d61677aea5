// The only file of the client that sees Beast.
#include "clients/cli/net/connection.h"

#include <deque>
#include <optional>
#include <utility>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include "protocol/codec.h"
#include "protocol/session.h"

namespace tengen::cli {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::uint16_t kProtocolError = 1002;

std::string host_header(const Address& server) {
  const bool is_v6 = server.host.find(':') != std::string::npos;
  return (is_v6 ? "[" + server.host + "]" : server.host) + ":" + server.port;
}

class BeastConnection final : public Connection,
                              public std::enable_shared_from_this<BeastConnection> {
 public:
  BeastConnection(asio::io_context& io, Address server, Listener& listener)
      : server_(std::move(server)), listener_(&listener), resolver_(io), socket_(io) {}

  void start() {
    resolver_.async_resolve(
        server_.host, server_.port,
        beast::bind_front_handler(&BeastConnection::on_resolve, shared_from_this()));
  }

  void send(std::string bytes) override {
    queue_.push_back(std::move(bytes));
    if (queue_.size() == 1) write();
  }

  void abandon() override {
    listener_ = nullptr;
    resolver_.cancel();
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

  void close() override {
    listener_ = nullptr;
    if (!socket_.is_open()) return abandon();
    socket_.async_close(websocket::close_code::normal,
                        [self = shared_from_this()](error_code) { self->abandon(); });
  }

 private:
  void on_resolve(error_code error, const tcp::resolver::results_type& found) {
    if (listener_ == nullptr) return;
    if (error) return fail(error);
    beast::get_lowest_layer(socket_).expires_after(kConnectLimit);
    beast::get_lowest_layer(socket_).async_connect(
        found, beast::bind_front_handler(&BeastConnection::on_connect, shared_from_this()));
  }

  void on_connect(error_code error, const tcp::endpoint&) {
    if (listener_ == nullptr) return;
    if (error) return fail(error);
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().set_option(tcp::no_delay(true), ignored);
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(websocket::stream_base::timeout{kConnectLimit, kIdleLimit, true});
    socket_.set_option(websocket::stream_base::decorator([](websocket::request_type& request) {
      request.set(http::field::sec_websocket_protocol, protocol::kBinarySubprotocol);
    }));
    socket_.read_message_max(kMessageBytesMax);
    socket_.binary(true);
    socket_.async_handshake(
        response_, host_header(server_), "/",
        beast::bind_front_handler(&BeastConnection::on_handshake, shared_from_this()));
  }

  void on_handshake(error_code error) {
    if (listener_ == nullptr) return;
    if (error == websocket::error::upgrade_declined) {
      return lose(
          {0, "it declined the upgrade with HTTP " + std::to_string(response_.result_int())});
    }
    if (error) return fail(error);
    if (response_[http::field::sec_websocket_protocol] != protocol::kBinarySubprotocol) {
      return lose({kProtocolError, "the server does not speak tengen.v1.pb"});
    }
    listener_->on_open();
    read();
  }

  void read() {
    if (listener_ == nullptr) return;
    socket_.async_read(buffer_,
                       beast::bind_front_handler(&BeastConnection::on_read, shared_from_this()));
  }

  void on_read(error_code error, std::size_t) {
    if (listener_ == nullptr) return;
    if (error) return fail(error);
    if (!socket_.got_binary()) {
      return lose({protocol::kCloseUnsupportedData, "the server sent a text message"});
    }
    const auto data = buffer_.cdata();
    listener_->on_message({static_cast<const char*>(data.data()), data.size()});
    buffer_.consume(buffer_.size());
    read();
  }

  void write() {
    socket_.async_write(asio::buffer(queue_.front()),
                        beast::bind_front_handler(&BeastConnection::on_write, shared_from_this()));
  }

  void on_write(error_code error, std::size_t) {
    if (error) return;  // the read hears of it too
    queue_.pop_front();
    if (!queue_.empty()) write();
  }

  void fail(error_code error) {
    if (error == websocket::error::closed) {
      const auto& reason = socket_.reason();
      const std::string text(reason.reason.data(), reason.reason.size());
      return lose({reason.code, text.empty() ? "it closed the connection" : text});
    }
    if (error == websocket::error::message_too_big) {
      return lose({protocol::kCloseTooBig, "a message is too big"});
    }
    const bool is_violation = error == websocket::condition::protocol_violation;
    lose({is_violation ? kProtocolError : std::uint16_t{0}, error.message()});
  }

  void lose(const Loss& loss) {
    Listener* listener = listener_;
    abandon();
    if (listener != nullptr) listener->on_loss(loss);
  }

  Address server_;
  Listener* listener_;  // null once it is to hear no more
  tcp::resolver resolver_;
  websocket::stream<beast::tcp_stream> socket_;
  websocket::response_type response_;
  beast::flat_buffer buffer_;
  std::deque<std::string> queue_;  // the first is being written
};

}  // namespace

std::shared_ptr<Connection> Connection::open(asio::io_context& io, const Address& server,
                                             Listener& listener) {
  auto connection = std::make_shared<BeastConnection>(io, server, listener);
  connection->start();
  return connection;
}

}  // namespace tengen::cli
