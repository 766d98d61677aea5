#include "daemon/net/wire.h"

#include <boost/asio/ip/address.hpp>

namespace tengen::daemon {

using boost::asio::ip::tcp;
using boost::system::error_code;

Wire::Plain& Wire::next_layer() {
  if (auto* tls = secure()) return tls->next_layer();
  return std::get<Plain>(stream_);
}

std::string Wire::peer() {
  error_code error;
  const auto address = next_layer().remote_endpoint(error).address();
  if (error) return "";
  const bool is_mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  if (!is_mapped) return address.to_string();
  return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6()).to_string();
}

void Wire::set_no_delay() {
  error_code ignored;
  next_layer().set_option(tcp::no_delay(true), ignored);
}

void Wire::async_handshake(std::function<void(error_code)> done) {
  secure()->async_handshake(boost::asio::ssl::stream_base::server, std::move(done));
}

void Wire::async_shutdown_send(std::function<void()> done) {
  const auto end = [this, done = std::move(done)] {
    error_code ignored;
    next_layer().shutdown(tcp::socket::shutdown_send, ignored);
    done();
  };
  if (auto* tls = secure()) return tls->async_shutdown([end](error_code) { end(); });
  end();
}

void Wire::close() {
  error_code ignored;
  next_layer().close(ignored);
}

}  // namespace tengen::daemon
