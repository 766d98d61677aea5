#include "daemon/net/listener.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "daemon/net/socket.h"

namespace tengen::daemon {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kSweepInterval{2'000};

}  // namespace

struct Listener::State : std::enable_shared_from_this<Listener::State> {
  State(asio::io_context& context, const ListenerLimits& listener_limits,
        ConnectionEvents connection_events)
      : io(context),
        acceptor(context),
        pause(context),
        sweep(context),
        limits(listener_limits),
        events(std::move(connection_events)) {}

  void accept() {
    acceptor.async_accept([self = shared_from_this()](error_code error, tcp::socket socket) {
      if (!self->acceptor.is_open()) return;
      if (error) return self->accept_after_pause();
      if (self->sockets.size() < self->limits.sockets_max) self->open(std::move(socket));
      self->accept();
    });
  }

  // Out of descriptors, most likely: the loop would spin on the same error.
  void accept_after_pause() {
    pause.expires_after(kAcceptPause);
    pause.async_wait([self = shared_from_this()](error_code error) {
      if (!error && self->acceptor.is_open()) self->accept();
    });
  }

  void open(tcp::socket socket) {
    const ConnId id{next_id++};
    SocketEvents socket_events;
    socket_events.request = [self = shared_from_this()](const HttpRequest& request) {
      return self->events.request(request);
    };
    socket_events.opened = [self = shared_from_this(), id](protocol::Format format) {
      self->opened.insert(id);
      self->events.connected(id, format);
    };
    socket_events.frame = [self = shared_from_this(), id](protocol::FrameKind kind,
                                                          std::string_view bytes) {
      self->events.frame(id, kind, bytes);
    };
    socket_events.closed = [self = shared_from_this(), id] {
      self->sockets.erase(id);
      if (self->opened.erase(id) != 0) self->events.disconnected(id);
    };
    auto made = make_websocket(std::move(socket), limits.socket, std::move(socket_events));
    sockets.emplace(id, made);
    made->start();
  }

  void sweep_later() {
    sweep.expires_after(kSweepInterval);
    sweep.async_wait([self = shared_from_this()](error_code error) {
      if (error) return;
      const auto now = std::chrono::steady_clock::now();
      std::vector<std::shared_ptr<WebSocket>> all;
      for (const auto& [id, socket] : self->sockets) all.push_back(socket);
      for (const auto& socket : all) socket->cut_if_stuck(now);
      self->sweep_later();
    });
  }

  asio::io_context& io;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  asio::steady_timer sweep;
  ListenerLimits limits;
  ConnectionEvents events;
  std::uint64_t next_id = 1;
  std::unordered_map<ConnId, std::shared_ptr<WebSocket>> sockets;
  std::unordered_set<ConnId> opened;  // named to the hub
};

std::variant<std::unique_ptr<Listener>, std::string> Listener::open(asio::io_context& io,
                                                                    const std::string& host,
                                                                    std::uint16_t port,
                                                                    const ListenerLimits& limits,
                                                                    ConnectionEvents events) {
  auto state = std::make_shared<State>(io, limits, std::move(events));
  error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error) return "listen: " + host + " is not an IP address";
  const tcp::endpoint endpoint(address, port);
  state->acceptor.open(endpoint.protocol(), error);
  if (!error) state->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) state->acceptor.bind(endpoint, error);
  if (!error) state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return "cannot listen on " + host + ":" + std::to_string(port) + ": " + error.message();
  }
  return std::unique_ptr<Listener>(new Listener(std::move(state)));
}

Listener::Listener(std::shared_ptr<State> state) : state_(std::move(state)) {}

Listener::~Listener() { stop(); }

std::uint16_t Listener::port() const {
  error_code ignored;
  return state_->acceptor.local_endpoint(ignored).port();
}

void Listener::start() {
  state_->accept();
  state_->sweep_later();
}

void Listener::stop() {
  error_code ignored;
  state_->acceptor.close(ignored);
  state_->pause.cancel();
  state_->sweep.cancel();
}

void Listener::send(ConnId connection, protocol::SharedFrame frame, std::uint32_t newest_of) {
  const auto found = state_->sockets.find(connection);
  if (found == state_->sockets.end()) return;
  const auto socket = found->second;  // it may close and leave the table
  socket->send(std::move(frame), newest_of);
}

void Listener::close(ConnId connection, std::uint16_t code, std::string reason) {
  const auto found = state_->sockets.find(connection);
  if (found == state_->sockets.end()) return;
  const auto socket = found->second;
  socket->close(code, std::move(reason));
}

std::size_t Listener::connections() const { return state_->sockets.size(); }

}  // namespace tengen::daemon
