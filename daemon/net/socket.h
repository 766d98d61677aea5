// An accepted TCP socket on its way from the listener to the WebSocket that takes it over. Only the
// sources of daemon/net include it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "daemon/net/websocket.h"

namespace tengen::daemon {

/// The HTTP phase begins with WebSocket::start.
std::shared_ptr<WebSocket> make_websocket(boost::asio::ip::tcp::socket socket,
                                          const SocketLimits& limits, SocketEvents events);

}  // namespace tengen::daemon
