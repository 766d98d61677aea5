#include "daemon/config.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "daemon/config_reader.h"
#include "daemon/profile_config.h"

namespace tengen::daemon {
namespace {

constexpr std::array<std::string_view, 6> kLogLevels = {"trace", "debug", "info",
                                                        "warn",  "error", "critical"};

bool is_ip_address(const std::string& host, int family) {
  in6_addr address{};  // the larger of the two
  return ::inet_pton(family, host.c_str(), &address) == 1;
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace

std::variant<Config, ConfigErrors> parse_config(std::string_view text, const std::string& name) {
  toml::table table;
  try {
    table = toml::parse(text, std::string_view(name));
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    return ConfigErrors{name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                        ": " + std::string(error.description())};
  }
  ConfigErrors errors;
  Reader reader(table, name, errors);
  Config config;
  std::string listen = config.host + ":" + std::to_string(config.port);
  reader.read("listen", listen);
  reader.read("data_dir", config.data_dir);
  reader.read("log_level", config.log_level);
  reader.read("games_max", config.games_max, 1, 1'000'000);
  reader.read("heartbeat_ms", config.heartbeat_ms, 1'000, 60'000);
  const auto address = parse_address(listen);
  if (const auto* wrong = std::get_if<std::string>(&address)) {
    reader.complain(*table.get("listen"), "listen " + *wrong);
  } else {
    config.host = std::get<Address>(address).host;
    config.port = std::get<Address>(address).port;
  }
  if (std::find(kLogLevels.begin(), kLogLevels.end(), config.log_level) == kLogLevels.end()) {
    reader.complain(*table.get("log_level"),
                    "log_level must be trace, debug, info, warn, error or critical");
  }
  config.profiles = read_profiles(reader, name, errors);
  reader.refuse_unknown();
  if (!errors.empty()) return errors;
  if (config.profiles.empty() && text != default_config()) {
    auto standard = parse_config(default_config(), "default");
    config.profiles = std::move(std::get<Config>(standard).profiles);
  }
  return config;
}

std::variant<Config, ConfigErrors> load_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return ConfigErrors{path + ": cannot be read"};
  std::string text;
  std::array<char, 4096> block;
  while (file.read(block.data(), block.size()) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  // A folder can be opened and not read.
  if (file.bad()) return ConfigErrors{path + ": cannot be read"};
  return parse_config(text, path);
}

std::variant<Address, std::string> parse_address(std::string_view text) {
  const std::string wrong =
      "must be HOST:PORT with an IP address, such as 127.0.0.1:8374 or [::1]:8374";
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong;
  std::string host(text.substr(0, colon));
  const bool is_v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (is_v6) host = host.substr(1, host.size() - 2);
  if (!is_ip_address(host, is_v6 ? AF_INET6 : AF_INET)) return wrong;
  const auto digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return wrong;
  if (!host.starts_with("127.") && host != "::1") {
    return std::string("must be on loopback, 127.x.x.x or ::1: this version has no access tokens");
  }
  return Address{std::move(host), port};
}

std::string default_data_dir() {
  if (const auto folder = environment("STATE_DIRECTORY")) return *folder;
  if (const auto state = environment("XDG_STATE_HOME")) return *state + "/tengen";
  return environment("HOME").value_or("/var/lib") + "/.local/state/tengen";
}

}  // namespace tengen::daemon
