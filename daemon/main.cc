// tengend: reads its arguments and configuration, builds the parts and hands each what it needs.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include "daemon/config.h"
#include "daemon/new_token.h"
#include "daemon/server.h"

namespace tengen::daemon {
namespace {

constexpr int kExitDone = 0;
constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

struct Arguments {
  std::string config;
  std::string listen;
  std::string port_file;
  std::string data;
  std::string default_data = default_data_dir();
  std::string token;  // the name of a new one
  bool check_config = false;
  bool print_config = false;
};

void print(const ConfigErrors& errors) {
  for (const auto& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
}

std::uint64_t random_seed() {
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32 | device();
}

// The table can be appended to a file as it is; the secret is on the other stream.
int make_token(const std::string& name) {
  if (const auto wrong = token_name_problem(name)) {
    std::fprintf(stderr, "token NAME: %s\n", wrong->c_str());
    return kExitUsage;
  }
  std::array<std::uint8_t, 32> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    std::fprintf(stderr, "tengend: no random bytes\n");
    return kExitFailed;
  }
  const std::string secret = secret_of(random);
  std::fprintf(stderr,
               "The secret of %s, which is kept nowhere and not shown again:\n\n  %s\n\n"
               "The configuration gets this table:\n",
               name.c_str(), secret.c_str());
  const bool is_written =
      std::fputs(token_table(name, secret).c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return is_written ? kExitDone : kExitFailed;
}

// What the command line says goes before the file. --listen is an address; that was checked.
void apply(const Arguments& arguments, Config& config) {
  if (!arguments.listen.empty()) {
    auto address = std::get<Address>(parse_address(arguments.listen));
    config.host = std::move(address.host);
    config.port = address.port;
  }
  if (!arguments.data.empty()) config.data_dir = arguments.data;
  if (config.data_dir.empty()) config.data_dir = arguments.default_data;
}

std::variant<Config, ConfigErrors> read_config(const Arguments& arguments) {
  auto read = arguments.config.empty() ? parse_config(default_config(), "default configuration")
                                       : load_config(arguments.config);
  auto* config = std::get_if<Config>(&read);
  if (config == nullptr) return read;
  apply(arguments, *config);
  if (const auto wrong = exposure_problem(config->host, *config)) {
    return ConfigErrors{"--listen " + *wrong};
  }
  return read;
}

// A pipe can be read once, at the start; read again in the loop it would never answer. `served` is
// the address in use, which only a restart changes.
std::variant<Config, ConfigErrors> reread_config(const Arguments& arguments,
                                                 const std::string& served) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(arguments.config, error)) {
    return ConfigErrors{arguments.config + ": is not there or no regular file"};
  }
  auto read = read_config(arguments);
  const auto* config = std::get_if<Config>(&read);
  if (config == nullptr) return read;
  if (const auto wrong = exposure_problem(served, *config)) {
    return ConfigErrors{arguments.config + ": the address in use, " + served + ", " + *wrong};
  }
  return read;
}

std::optional<std::string> tls_problem(const Config& config) {
  if (!config.tls) return std::nullopt;
  const auto loaded = load_tls(*config.tls);
  const auto* problem = std::get_if<std::string>(&loaded);
  return problem == nullptr ? std::nullopt : std::optional(*problem);
}

int serve(const Arguments& arguments, Config config, pool::Keeper& keeper) {
  spdlog::set_default_logger(spdlog::stderr_color_st("tengend"));
  spdlog::set_level(spdlog::level::from_str(config.log_level));
  auto store = Store::open(config.data_dir);
  if (const auto* problem = std::get_if<std::string>(&store)) {
    spdlog::critical("{}", *problem);
    return kExitFailed;
  }
  auto& opened = *std::get<std::unique_ptr<Store>>(store);

  ServerConfig server;
  server.host = config.host;
  server.port = config.port;
  server.port_file = arguments.port_file;
  server.data_dir = config.data_dir;
  server.version = TENGEN_VERSION;
  server.public_url = config.public_url;
  server.tls = config.tls;
  if (!arguments.config.empty()) {
    server.reread = [arguments, served = config.host] { return reread_config(arguments, served); };
  }
  server.hub.limits.games_max = config.games_max;
  server.hub.limits.heartbeat_ms = config.heartbeat_ms;
  server.hub.limits.agents.silence_max = std::chrono::milliseconds(config.agent_silence_ms);
  server.hub.profiles = std::move(config.profiles);
  server.hub.access = std::move(config.access);
  server.hub.server = "tengend " TENGEN_VERSION;
  server.hub.ticket_key = opened.ticket_key();
  server.hub.seed = random_seed();
  server.listener.socket.frame_bytes_max = server.hub.limits.session.frame_bytes_max;
  server.listener.socket.idle_limit = std::chrono::milliseconds(2 * server.hub.limits.heartbeat_ms);
  return Server(std::move(server), keeper, opened).run();
}

// Debian keeps GNU Go in /usr/games, which services do not have in their PATH: wrapper scripts
// should find it there as well.
void add_games_to_path() {
  const char* path = std::getenv("PATH");
  ::setenv("PATH", (std::string(path == nullptr ? "/usr/bin:/bin" : path) + ":/usr/games").c_str(),
           1);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("tengend keeps warm Go engines and lets many games share them.", "tengend");
  app.set_version_flag("--version", "tengend " TENGEN_VERSION);
  app.add_option("--config", arguments.config, "configuration file (TOML)");
  app.add_flag("--check-config", arguments.check_config, "check the configuration and stop");
  app.add_flag("--print-config", arguments.print_config, "print the commented default and stop");
  app.add_option("--listen", arguments.listen, "HOST:PORT; port 0 picks a free one");
  app.add_option("--port-file", arguments.port_file, "where to write the port once serving");
  app.add_option("--data", arguments.data, "data folder");
  app.require_subcommand(0, 1);
  auto& token = *app.add_subcommand("token", "make an access token, print its secret once, stop");
  token.add_option("NAME", arguments.token, "what the configuration calls it")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitUsage;
  }
  if (token.parsed()) return make_token(arguments.token);
  if (arguments.print_config) {
    std::fputs(std::string(default_config()).c_str(), stdout);
    return kExitDone;
  }
  if (!arguments.listen.empty()) {
    const auto address = parse_address(arguments.listen);
    if (const auto* wrong = std::get_if<std::string>(&address)) {
      std::fprintf(stderr, "--listen %s\n", wrong->c_str());
      return kExitUsage;
    }
  }
  auto config = read_config(arguments);
  if (const auto* errors = std::get_if<ConfigErrors>(&config)) {
    print(*errors);
    return kExitFailed;
  }
  if (arguments.check_config) {
    if (const auto wrong = tls_problem(std::get<Config>(config))) {
      std::fprintf(stderr, "%s\n", wrong->c_str());
      return kExitFailed;
    }
    std::puts("the configuration is good");
    return kExitDone;
  }
  add_games_to_path();
  // Before threads, sockets and files exist.
  auto keeper = pool::Keeper::start();
  if (const auto* problem = std::get_if<std::string>(&keeper)) {
    std::fprintf(stderr, "tengend: %s\n", problem->c_str());
    return kExitFailed;
  }
  return serve(arguments, std::move(std::get<Config>(config)), std::get<pool::Keeper>(keeper));
}

}  // namespace
}  // namespace tengen::daemon

int main(int argc, char** argv) {
  ::umask(0077);
  // A write to a dead engine's pipe must be an error, not the end of the daemon.
  std::signal(SIGPIPE, SIG_IGN);
  // A reload that is asked for before the server listens for it has nothing to do.
  std::signal(SIGHUP, SIG_IGN);
  try {
    return tengen::daemon::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tengend: %s\n", error.what());
    return 1;
  }
}
