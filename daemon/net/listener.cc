#include "daemon/net/listener.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "daemon/net/wire.h"

namespace tengen::daemon {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kSweepInterval{2'000};

}  // namespace

struct Listener::State : std::enable_shared_from_this<Listener::State> {
  // In its HTTP phase, or a WebSocket.
  struct Connection {
    std::shared_ptr<HttpConnection> http;
    std::shared_ptr<WebSocket> socket;
    std::optional<HttpId> asked;  // and not answered
    bool is_named = false;        // to the hub
  };

  State(asio::io_context& context, ListenerConfig listener_config,
        ConnectionEvents connection_events)
      : io(context),
        acceptor(context),
        pause(context),
        sweep(context),
        config(std::move(listener_config)),
        events(std::move(connection_events)) {}

  void accept() {
    acceptor.async_accept([self = shared_from_this()](error_code error, tcp::socket socket) {
      if (!self->acceptor.is_open()) return;
      if (error) return self->accept_after_pause();
      if (self->connections.size() < self->config.limits.sockets_max) self->open(std::move(socket));
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
    HttpEvents http_events;
    http_events.request = [self = shared_from_this(), id](HttpRequest&& request) {
      self->ask(id, std::move(request));
    };
    http_events.gone = [self = shared_from_this(), id] {
      const auto request = *std::exchange(self->connections.at(id).asked, {});
      self->asked.erase(request);
      self->events.http_gone(request);
    };
    http_events.upgraded = [self = shared_from_this(), id](Wire&& wire, const Upgrade& upgrade) {
      self->upgrade(id, std::move(wire), upgrade);
    };
    http_events.closed = [self = shared_from_this(), id] { self->connections.erase(id); };
    auto wire = config.tls ? Wire(std::move(socket), *config.tls) : Wire(std::move(socket));
    auto made = make_http_connection(std::move(wire), config.limits.http, config.names,
                                     std::move(http_events));
    connections[id].http = made;
    made->start();
  }

  void ask(ConnId connection, HttpRequest&& request) {
    const HttpId id{next_request_id++};
    connections.at(connection).asked = id;
    asked.emplace(id, connection);
    events.request(id, std::move(request));
  }

  void upgrade(ConnId id, Wire&& wire, const Upgrade& upgrade) {
    SocketEvents socket_events;
    socket_events.opened = [self = shared_from_this(), id,
                            address = wire.peer()](protocol::Format format) {
      self->connections.at(id).is_named = true;
      self->events.connected(id, format, address);
    };
    socket_events.frame = [self = shared_from_this(), id](protocol::FrameKind kind,
                                                          std::string_view bytes) {
      self->events.frame(id, kind, bytes);
    };
    socket_events.closed = [self = shared_from_this(), id] {
      const bool was_named = self->connections.at(id).is_named;
      self->connections.erase(id);
      if (was_named) self->events.disconnected(id);
    };
    auto made = make_websocket(std::move(wire), config.limits.socket, std::move(socket_events));
    connections[id] = Connection{nullptr, made, {}, false};
    made->start(upgrade);
  }

  void stop() {
    error_code ignored;
    acceptor.close(ignored);
    pause.cancel();
    sweep.cancel();
  }

  void sweep_later() {
    sweep.expires_after(kSweepInterval);
    sweep.async_wait([self = shared_from_this()](error_code error) {
      if (error) return;
      const auto now = std::chrono::steady_clock::now();
      std::vector<std::shared_ptr<WebSocket>> all;
      for (const auto& [id, connection] : self->connections) {
        if (connection.socket) all.push_back(connection.socket);
      }
      for (const auto& socket : all) socket->cut_if_stuck(now);
      self->sweep_later();
    });
  }

  asio::io_context& io;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  asio::steady_timer sweep;
  ListenerConfig config;
  ConnectionEvents events;
  std::uint64_t next_id = 1;
  std::uint64_t next_request_id = 1;
  std::unordered_map<ConnId, Connection> connections;
  std::unordered_map<HttpId, ConnId> asked;
};

std::variant<std::unique_ptr<Listener>, std::string> Listener::open(asio::io_context& io,
                                                                    ListenerConfig config,
                                                                    ConnectionEvents events) {
  auto state = std::make_shared<State>(io, std::move(config), std::move(events));
  const auto& host = state->config.host;
  const auto port = state->config.port;
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

// The connections hold the state, by what they call.
Listener::~Listener() {
  state_->stop();
  std::exchange(state_->connections, {}).clear();
}

std::uint16_t Listener::port() const {
  error_code ignored;
  return state_->acceptor.local_endpoint(ignored).port();
}

void Listener::start() {
  state_->accept();
  state_->sweep_later();
}

void Listener::stop() {
  state_->stop();
  std::vector<std::shared_ptr<HttpConnection>> all;
  for (const auto& [id, connection] : state_->connections) {
    if (connection.http) all.push_back(connection.http);
  }
  for (const auto& http : all) http->finish_soon();
}

void Listener::set_tls(std::shared_ptr<TlsContext> tls) { state_->config.tls = std::move(tls); }

void Listener::send(ConnId connection, protocol::SharedFrame frame, std::uint32_t newest_of) {
  const auto found = state_->connections.find(connection);
  if (found == state_->connections.end() || !found->second.socket) return;
  const auto socket = found->second.socket;  // it may close and leave the table
  socket->send(std::move(frame), newest_of);
}

void Listener::close(ConnId connection, std::uint16_t code, std::string reason) {
  const auto found = state_->connections.find(connection);
  if (found == state_->connections.end() || !found->second.socket) return;
  const auto socket = found->second.socket;
  socket->close(code, std::move(reason));
}

void Listener::respond(HttpId request, HttpResponse response) {
  const auto found = state_->asked.find(request);
  if (found == state_->asked.end()) return;
  auto& connection = state_->connections.at(found->second);
  state_->asked.erase(found);
  connection.asked.reset();
  const auto http = connection.http;
  http->respond(std::move(response));
}

std::size_t Listener::connections() const { return state_->connections.size(); }

}  // namespace tengen::daemon
