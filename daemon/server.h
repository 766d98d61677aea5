// The carrier of the hub: one Asio loop, one timer, the listener, the engine processes, the store
// and the signals. It reads the clock once per turn, hands events in, and carries effects out at
// the turn's end. It decides nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "daemon/config.h"
#include "daemon/hub.h"
#include "daemon/net/listener.h"
#include "daemon/own_names.h"
#include "daemon/store.h"
#include "pool/keeper.h"

namespace tengen::daemon {

struct ServerConfig {
  std::string host;
  std::uint16_t port = 0;
  std::string port_file;  // empty: none
  std::string data_dir;   // the store's
  std::string version;    // "0.1.0"
  std::optional<PublicUrl> public_url;
  std::optional<TlsFiles> tls;  // none: plain
  ListenerLimits listener;
  HubConfig hub;
  /// Reads the configuration again, as at the start, for SIGHUP. Empty: there is no file.
  std::function<std::variant<Config, ConfigErrors>()> reread;
};

class Server {
 public:
  /// The keeper and the store must live longer.
  Server(ServerConfig config, pool::Keeper& keeper, Store& store);
  ~Server();

  /// Serves until SIGTERM or SIGINT has drained it, or something fails that cannot be mended. Gives
  /// the process's exit code. SIGHUP reads the configuration again and keeps the old one on any
  /// error.
  int run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tengen::daemon
