#include "tests/support/tls_tunnel.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <thread>
#include <utility>

namespace tengen::tests {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket plain, ssl::context& context)
      : plain_(std::move(plain)), secure_(plain_.get_executor(), context) {}

  void start(const tcp::endpoint& target) {
    secure_.set_verify_mode(ssl::verify_peer);
    secure_.set_verify_callback(ssl::host_name_verification("127.0.0.1"));
    secure_.next_layer().async_connect(target, [self = shared_from_this()](error_code error) {
      if (error) return self->close();
      self->secure_.async_handshake(ssl::stream_base::client, [self](error_code failed) {
        if (failed) return self->close();
        self->pump(self->plain_, self->secure_, self->up_);
        self->pump(self->secure_, self->plain_, self->down_);
      });
    });
  }

 private:
  using Block = std::array<char, 16 * 1024>;

  template <typename From, typename To>
  void pump(From& from, To& to, Block& block) {
    from.async_read_some(asio::buffer(block), [self = shared_from_this(), &from, &to, &block](
                                                  error_code error, std::size_t bytes) {
      if (error) return self->close();
      asio::async_write(to, asio::buffer(block.data(), bytes),
                        [self, &from, &to, &block](error_code failed, std::size_t) {
                          if (failed) return self->close();
                          self->pump(from, to, block);
                        });
    });
  }

  void close() {
    error_code ignored;
    plain_.close(ignored);
    secure_.next_layer().close(ignored);
  }

  tcp::socket plain_;
  ssl::stream<tcp::socket> secure_;
  Block up_{};
  Block down_{};
};

}  // namespace

struct TlsTunnel::State {
  State(std::uint16_t target_port, const std::string& trusted)
      : target(asio::ip::address_v4::loopback(), target_port) {
    context.load_verify_file(trusted);
  }

  void accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
      if (error) return;
      std::make_shared<Session>(std::move(socket), context)->start(target);
      accept();
    });
  }

  const tcp::endpoint target;
  ssl::context context{ssl::context::tls_client};
  asio::io_context io{1};
  tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
  std::thread thread;
};

TlsTunnel::TlsTunnel(std::uint16_t target, const std::string& trusted_certificate)
    : state_(std::make_unique<State>(target, trusted_certificate)) {
  state_->accept();
  state_->thread = std::thread([this] { state_->io.run(); });
}

TlsTunnel::~TlsTunnel() {
  state_->io.stop();
  state_->thread.join();
}

std::uint16_t TlsTunnel::port() const { return state_->acceptor.local_endpoint().port(); }

}  // namespace tengen::tests
