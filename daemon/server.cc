#include "daemon/server.h"

#include <spdlog/spdlog.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "daemon/http_route.h"
#include "daemon/pages.h"
#include "pool/process.h"

namespace tengen::daemon {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr int kPollsPerTurn = 256;
/// A drain that has not finished by then is cut short; engines die with their keeper.
constexpr std::chrono::seconds kDrainLimit{10};
/// How long clients have to answer the close that a drain sends them.
constexpr std::chrono::seconds kGoodbyeLimit{2};

spdlog::level::level_enum level_of(pool::Note::Level level) {
  switch (level) {
    case pool::Note::Level::Debug:
      return spdlog::level::debug;
    case pool::Note::Level::Info:
      return spdlog::level::info;
    case pool::Note::Level::Warning:
      return spdlog::level::warn;
    case pool::Note::Level::Error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

std::int64_t unix_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

// Whole or not at all: whoever waits for the file must never read half a number.
bool write_port_file(const std::string& path, std::uint16_t port) {
  const std::string next = path + ".new";
  {
    std::ofstream file(next, std::ios::trunc);
    file << port << '\n';
    if (!file.flush()) return false;
  }
  std::error_code error;
  std::filesystem::rename(next, path, error);
  return !error;
}

using MaybeTls = std::variant<std::shared_ptr<TlsContext>, std::string>;

MaybeTls tls_from(const std::optional<TlsFiles>& files) {
  return files ? load_tls(*files) : std::shared_ptr<TlsContext>();
}

struct Reread {
  Config config;
  std::shared_ptr<TlsContext> tls;
};

// Whatever goes wrong is a reason to keep the old configuration, not to end.
std::variant<Reread, ConfigErrors> read_again(
    const std::function<std::variant<Config, ConfigErrors>()>& reread) {
  try {
    auto read = reread();
    if (auto* errors = std::get_if<ConfigErrors>(&read)) return std::move(*errors);
    auto& config = std::get<Config>(read);
    auto tls = tls_from(config.tls);
    if (auto* problem = std::get_if<std::string>(&tls)) return ConfigErrors{std::move(*problem)};
    return Reread{std::move(config), std::get<std::shared_ptr<TlsContext>>(std::move(tls))};
  } catch (const std::exception& error) {
    return ConfigErrors{std::string("the configuration cannot be read: ") + error.what()};
  }
}

void warn_of_restarts(const ServerConfig& now, const Config& next) {
  if (next.host != now.host || next.port != now.port) {
    spdlog::warn("listen has changed to {}:{}: that needs a restart", next.host, next.port);
  }
  if (next.public_url != now.public_url) {
    spdlog::warn("public_url has changed: that needs a restart");
  }
  if (next.tls.has_value() != now.tls.has_value()) {
    spdlog::warn("[tls] has come or gone: that needs a restart");
  }
  if (next.data_dir != now.data_dir) {
    spdlog::warn("data_dir has changed to {}: that needs a restart", next.data_dir);
  }
  const auto heartbeat = now.listener.socket.idle_limit / 2;
  if (std::chrono::milliseconds(next.heartbeat_ms) != heartbeat) {
    spdlog::warn("heartbeat_ms has changed to {}: that needs a restart", next.heartbeat_ms);
  }
}

}  // namespace

struct Server::State {
  State(ServerConfig server_config, pool::Keeper& keeper, Store& game_store)
      : config(std::move(server_config)),
        store(game_store),
        signals(io, SIGTERM, SIGINT, SIGHUP),
        timer(io),
        hub(std::move(config.hub)),
        processes(io, keeper, process_events()) {}

  pool::ProcessEvents process_events();
  ListenerConfig listener_config() const;
  std::string public_url() const;
  ConnectionEvents connection_events();
  StoreEvents store_events();
  void wait_for_signal();
  void reload();
  void drain();
  void fail(const std::string& reason);

  Now now();
  void turn();
  bool is_drained();
  void carry_out();
  void commit(Commit what);
  void on_stored(Ticket ticket);
  void arm();
  HttpResponse answer(const HttpRequest& request);

  ServerConfig config;
  asio::io_context io{1};
  Store& store;
  asio::signal_set signals;
  asio::steady_timer timer;
  std::optional<TimePoint> armed;
  std::optional<Now> turn_time;
  Hub hub;
  Effects effects;
  Effects carried;  // while they are carried out; empty otherwise
  pool::Processes processes;
  std::unique_ptr<Listener> listener;
  ServerFigures figures;
  TimePoint commit_began;  // of the one in flight, and what it holds
  std::size_t commit_events = 0;
  std::optional<TimePoint> drain_until;  // these two are set together
  std::optional<TimePoint> goodbye_until;
  std::optional<int> exit_code;
};

Server::Server(ServerConfig config, pool::Keeper& keeper, Store& store)
    : state_(std::make_unique<State>(std::move(config), keeper, store)) {}

Server::~Server() = default;

int Server::run() {
  auto& state = *state_;
  auto restored = state.store.restore();
  if (const auto* problem = std::get_if<std::string>(&restored)) {
    spdlog::critical("{}", *problem);
    return 1;
  }
  const auto unfinished = std::get<StoredState>(restored).unfinished.size();
  if (const auto problem = state.hub.restore(std::move(std::get<StoredState>(restored)))) {
    spdlog::critical("{}", *problem);
    return 1;
  }
  auto tls = tls_from(state.config.tls);
  if (const auto* problem = std::get_if<std::string>(&tls)) {
    spdlog::critical("{}", *problem);
    return 1;
  }
  auto listener_config = state.listener_config();
  listener_config.tls = std::get<std::shared_ptr<TlsContext>>(std::move(tls));
  auto opened = Listener::open(state.io, std::move(listener_config), state.connection_events());
  if (const auto* problem = std::get_if<std::string>(&opened)) {
    spdlog::critical("{}", *problem);
    return 1;
  }
  state.listener = std::move(std::get<std::unique_ptr<Listener>>(opened));
  state.store.start(state.store_events());
  state.wait_for_signal();
  state.hub.set_public_url(state.public_url());
  state.hub.start(state.now(), state.effects);
  state.figures.version = state.config.version;
  state.figures.started_unix_ms = state.now().unix_ms;
  state.listener->start();
  if (!state.config.port_file.empty() &&
      !write_port_file(state.config.port_file, state.listener->port())) {
    spdlog::critical("cannot write the port file {}", state.config.port_file);
    return 1;
  }
  const bool is_v6 = state.config.host.find(':') != std::string::npos;
  spdlog::info("serving on {}://{}:{} with {} games to go on with", state.config.tls ? "wss" : "ws",
               is_v6 ? "[" + state.config.host + "]" : state.config.host, state.listener->port(),
               unfinished);
  state.turn();
  while (!state.exit_code) {
    state.io.run_one();
    for (int i = 0; i < kPollsPerTurn && state.io.poll_one() != 0; ++i) {
    }
    state.turn();
  }
  // Whoever asks once more for the end that is under way must not cut it short, nor a late reload.
  sigset_t ends;
  ::sigemptyset(&ends);
  ::sigaddset(&ends, SIGTERM);
  ::sigaddset(&ends, SIGINT);
  ::sigaddset(&ends, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  spdlog::info("stopped");
  return *state.exit_code;
}

Now Server::State::now() {
  if (!turn_time) turn_time = Now{std::chrono::steady_clock::now(), unix_ms()};
  return *turn_time;
}

// Deadlines come after the turn's input, so that a move beats a limit of the same turn.
void Server::State::turn() {
  hub.on_deadline(now(), effects);
  hub.end_turn(now(), effects);
  carry_out();
  if (is_drained()) exit_code = 0;
  arm();
  turn_time.reset();
}

bool Server::State::is_drained() {
  if (!drain_until) return false;
  const bool is_goodbye_said = listener->connections() == 0 || now().steady >= *goodbye_until;
  return now().steady >= *drain_until || (hub.is_drained() && is_goodbye_said);
}

void Server::State::carry_out() {
  carried.swap(effects);
  for (auto& effect : carried) {
    std::visit(
        [&](auto& what) {
          using What = std::decay_t<decltype(what)>;
          if constexpr (std::is_same_v<What, SendFrame>) {
            ++figures.frames_sent;
            listener->send(what.connection, std::move(what.frame), what.newest_of);
          } else if constexpr (std::is_same_v<What, CloseConnection>) {
            listener->close(what.connection, what.code, std::move(what.reason));
          } else if constexpr (std::is_same_v<What, HttpAnswer>) {
            listener->respond(what.request, std::move(what.response));
          } else if constexpr (std::is_same_v<What, Commit>) {
            commit(std::move(what));
          } else if constexpr (std::is_same_v<What, LoadGame>) {
            store.load(what.id);
          } else if constexpr (std::is_same_v<What, LogLine>) {
            spdlog::log(level_of(what.level), "{}", what.text);
          } else if constexpr (std::is_same_v<What, pool::Spawn>) {
            processes.spawn(what);
          } else if constexpr (std::is_same_v<What, pool::Write>) {
            processes.write(what);
          } else if constexpr (std::is_same_v<What, pool::CloseInput>) {
            processes.close_input(what);
          } else {
            processes.kill(what);
          }
        },
        effect);
  }
  carried.clear();
}

void Server::State::commit(Commit what) {
  commit_began = now().steady;
  commit_events = what.batch.events.size();
  store.submit(std::move(what));
}

void Server::State::on_stored(Ticket ticket) {
  figures.commit.add(now().steady - commit_began);
  figures.events_stored += commit_events;
  hub.on_stored(ticket, now(), effects);
}

void Server::State::arm() {
  auto next = hub.deadline();
  if (drain_until) {
    const auto limit = now().steady < *goodbye_until ? goodbye_until : drain_until;
    if (!next || *limit < *next) next = limit;
  }
  if (next == armed) return;
  armed = next;
  if (!next) {
    timer.cancel();
    return;
  }
  timer.expires_at(*next);
  timer.async_wait([this](error_code error) {
    if (!error) armed.reset();  // the turn looks at the deadlines
  });
}

pool::ProcessEvents Server::State::process_events() {
  pool::ProcessEvents events;
  events.spawned = [this](pool::EngineId engine, int pid) {
    hub.on_spawned(engine, pid, now(), effects);
  };
  events.spawn_failed = [this](pool::EngineId engine, const std::string& reason) {
    hub.on_spawn_failed(engine, reason, now(), effects);
  };
  events.output = [this](pool::EngineId engine, std::string_view bytes) {
    hub.on_output(engine, bytes, now(), effects);
  };
  events.error_output = [this](pool::EngineId engine, std::string_view bytes) {
    hub.on_error_output(engine, bytes, now(), effects);
  };
  events.memory = [this](pool::EngineId engine, std::uint64_t resident_bytes) {
    hub.on_memory(engine, resident_bytes, now(), effects);
  };
  events.exited = [this](pool::EngineId engine, pool::ExitStatus status) {
    hub.on_exit(engine, status, now(), effects);
  };
  return events;
}

std::string Server::State::public_url() const {
  if (config.public_url) return config.public_url->text;
  const bool is_v6 = config.host.find(':') != std::string::npos;
  return (config.tls ? "https://" : "http://") + (is_v6 ? "[" + config.host + "]" : config.host) +
         ":" + std::to_string(listener->port());
}

ListenerConfig Server::State::listener_config() const {
  ListenerConfig found{config.host, config.port, {}, nullptr, config.listener};
  if (config.public_url) found.names = names_of(*config.public_url);
  return found;
}

ConnectionEvents Server::State::connection_events() {
  ConnectionEvents events;
  events.request = [this](HttpId id, HttpRequest&& request) {
    if (is_page(request.target)) return listener->respond(id, answer(request));
    ++figures.http_requests;
    hub.on_http(id, std::move(request), now(), effects);
  };
  events.http_gone = [this](HttpId id) { hub.on_http_gone(id, now()); };
  events.connected = [this](ConnId id, protocol::Format format, const std::string& address) {
    hub.on_connected(id, format, address, now(), effects);
  };
  events.frame = [this](ConnId id, protocol::FrameKind kind, std::string_view bytes) {
    ++figures.frames_received;
    hub.on_frame(id, kind, bytes, now(), effects);
  };
  events.disconnected = [this](ConnId id) { hub.on_disconnected(id, now(), effects); };
  return events;
}

HttpResponse Server::State::answer(const HttpRequest& request) {
  ++figures.http_requests;
  figures.sockets = listener->connections();
  return page(request, hub, figures);
}

StoreEvents Server::State::store_events() {
  StoreEvents events;
  events.stored = [this](Ticket ticket) { asio::post(io, [this, ticket] { on_stored(ticket); }); };
  events.failed = [this](std::string reason) {
    asio::post(io, [this, reason = std::move(reason)] { fail(reason); });
  };
  events.loaded = [this](LoadedGame game) {
    asio::post(io, [this, game = std::move(game)]() mutable {
      hub.on_loaded(std::move(game), now(), effects);
    });
  };
  return events;
}

void Server::State::wait_for_signal() {
  signals.async_wait([this](error_code error, int signal) {
    if (error) return;
    if (signal == SIGHUP) {
      reload();
    } else {
      spdlog::info("signal {}: draining", signal);
      drain();
    }
    wait_for_signal();
  });
}

void Server::State::reload() {
  if (drain_until) return spdlog::warn("no reload: the daemon is going down");
  if (!config.reread) return spdlog::warn("nothing to reload: it was started without --config");
  auto read = read_again(config.reread);
  if (const auto* errors = std::get_if<ConfigErrors>(&read)) {
    for (const auto& error : *errors) spdlog::error("{}", error);
    spdlog::error("nothing was reloaded, the configuration stays as it was");
    ++figures.reloads_refused;
    return;
  }
  auto& [next, tls] = std::get<Reread>(read);
  spdlog::set_level(spdlog::level::from_str(next.log_level));
  warn_of_restarts(config, next);
  if (config.tls && tls) listener->set_tls(std::move(tls));
  const auto profiles = next.profiles.size();
  hub.reload(std::move(next.profiles), next.games_max, now(), effects);
  hub.set_access(std::move(next.access), effects);
  ++figures.reloads;
  spdlog::info("the configuration was reloaded: {} profiles, games_max {}, log_level {}", profiles,
               next.games_max, next.log_level);
}

void Server::State::drain() {
  if (drain_until) {
    exit_code = 0;  // asked twice: at once
    return;
  }
  drain_until = now().steady + kDrainLimit;
  goodbye_until = now().steady + kGoodbyeLimit;
  listener->stop();
  hub.drain(now(), effects);
}

// What the disk holds is unknown now: nothing more is acknowledged, a restart reads it again.
void Server::State::fail(const std::string& reason) {
  spdlog::critical("the store failed, stopping: {}", reason);
  exit_code = 1;
}

}  // namespace tengen::daemon
