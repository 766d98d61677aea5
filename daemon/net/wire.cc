#include "daemon/net/wire.h"

#include <boost/asio/ip/address.hpp>

namespace tengen::daemon {

using boost::asio::ip::tcp;
using boost::system::error_code;

std::string Wire::peer() const {
  error_code error;
  const auto address = socket_.remote_endpoint(error).address();
  if (error) return "";
  const bool is_mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  if (!is_mapped) return address.to_string();
  return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6()).to_string();
}

void Wire::set_no_delay() {
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
}

void Wire::shutdown_send() {
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

void Wire::close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace tengen::daemon
