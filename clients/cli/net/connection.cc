// The only file of the client that sees Beast.
#include "clients/cli/net/connection.h"

#include <deque>
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

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

using Plain = beast::tcp_stream;
using Secure = asio::ssl::stream<Plain>;

template <typename Stream>
class BeastConnection final : public Connection,
                              public std::enable_shared_from_this<BeastConnection<Stream>> {
 public:
  BeastConnection(asio::io_context& io, const Server& server,
                  Listener& listener) requires std::is_same_v<Stream, Plain>
      : server_(server), listener_(&listener), resolver_(io), socket_(io) {}
  BeastConnection(asio::io_context& io, const Server& server,
                  Listener& listener) requires std::is_same_v<Stream, Secure>
      : server_(server), listener_(&listener), resolver_(io), socket_(io, *server_.trust) {}

  void start() {
    resolver_.async_resolve(
        server_.address.host, server_.address.port,
        beast::bind_front_handler(&BeastConnection::on_resolve, this->shared_from_this()));
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
                        [self = this->shared_from_this()](error_code) { self->abandon(); });
  }

 private:
  void on_resolve(error_code error, const tcp::resolver::results_type& found) {
    if (listener_ == nullptr) return;
    if (error) return fail(error);
    beast::get_lowest_layer(socket_).expires_after(kConnectLimit);
    beast::get_lowest_layer(socket_).async_connect(
        found, beast::bind_front_handler(&BeastConnection::on_connect, this->shared_from_this()));
  }

  void on_connect(error_code error, const tcp::endpoint&) {
    if (listener_ == nullptr) return;
    if (error) return fail(error);
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().set_option(tcp::no_delay(true), ignored);
    if constexpr (std::is_same_v<Stream, Secure>) return secure();
    upgrade();
  }

  void secure() {
    auto& tls = socket_.next_layer();
    if (!expect_host(tls.native_handle(), server_.address.host)) {
      return lose({0, "a certificate cannot be for that host", Loss::Hope::None});
    }
    beast::get_lowest_layer(socket_).expires_after(kConnectLimit);
    tls.async_handshake(
        asio::ssl::stream_base::client,
        beast::bind_front_handler(&BeastConnection::on_secure, this->shared_from_this()));
  }

  void on_secure(error_code error) {
    if (listener_ == nullptr) return;
    if (!error) return upgrade();
    auto objection =
        objection_to_certificate(socket_.next_layer().native_handle(), server_.address.host);
    if (objection) return lose({0, std::move(*objection), Loss::Hope::None});
    fail(error);
  }

  void upgrade() {
    beast::get_lowest_layer(socket_).expires_never();
    // Whether the server is still there is for the conversation to find out.
    socket_.set_option(websocket::stream_base::timeout{
        kConnectLimit, websocket::stream_base::none(), /*keep_alive_pings=*/false});
    socket_.set_option(websocket::stream_base::decorator([](websocket::request_type& request) {
      request.set(http::field::sec_websocket_protocol, protocol::kBinarySubprotocol);
    }));
    socket_.read_message_max(kMessageBytesMax);
    socket_.binary(true);
    socket_.async_handshake(
        response_, host_header(server_.address), "/",
        beast::bind_front_handler(&BeastConnection::on_handshake, this->shared_from_this()));
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
    socket_.async_read(
        buffer_, beast::bind_front_handler(&BeastConnection::on_read, this->shared_from_this()));
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
    socket_.async_write(
        asio::buffer(queue_.front()),
        beast::bind_front_handler(&BeastConnection::on_write, this->shared_from_this()));
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

  const Server server_;
  Listener* listener_;  // null once it is to hear no more
  tcp::resolver resolver_;
  websocket::stream<Stream> socket_;
  websocket::response_type response_;
  beast::flat_buffer buffer_;
  std::deque<std::string> queue_;  // the first is being written
};

template <typename Stream>
std::shared_ptr<Connection> open_over(asio::io_context& io, const Server& server,
                                      Connection::Listener& listener) {
  auto connection = std::make_shared<BeastConnection<Stream>>(io, server, listener);
  connection->start();
  return connection;
}

}  // namespace

std::shared_ptr<Connection> Connection::open(asio::io_context& io, const Server& server,
                                             Listener& listener) {
  const bool is_tls = server.address.transport == Transport::Tls;
  return is_tls ? open_over<Secure>(io, server, listener) : open_over<Plain>(io, server, listener);
}

}  // namespace tengen::cli
