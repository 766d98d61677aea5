#include "daemon/config.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "daemon/access_config.h"
#include "daemon/config_reader.h"
#include "daemon/peer.h"
#include "daemon/profile_config.h"

namespace tengen::daemon {
namespace {

constexpr std::array<std::string_view, 6> kLogLevels = {"trace", "debug", "info",
                                                        "warn",  "error", "critical"};

bool is_ip_address(const std::string& host, int family) {
  in6_addr address{};  // the larger of the two
  return ::inet_pton(family, host.c_str(), &address) == 1;
}

/// Whether nobody on the way can read along: TLS is in front.
bool is_private(const Config& config) { return config.tls || config.plain_text_allowed; }

std::optional<TlsFiles> read_tls(Reader& root, const std::string& file, ConfigErrors& errors) {
  const auto* table = root.table("tls");
  if (table == nullptr) return std::nullopt;
  Reader reader(*table, file, errors);
  TlsFiles files;
  reader.read("certificate", files.certificate);
  reader.read("key", files.key);
  reader.refuse_unknown();
  if (table->get("certificate") == nullptr || table->get("key") == nullptr) {
    reader.complain("tls needs both certificate and key");
  }
  return files;
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
  PublicUrl public_url;
  reader.read("public_url", public_url, parse_public_url,
              "http://HOST or https://HOST, with :PORT or without");
  if (!public_url.text.empty()) config.public_url = std::move(public_url);
  reader.read("data_dir", config.data_dir);
  reader.read("log_level", config.log_level);
  reader.read("games_max", config.games_max, 1, 1'000'000);
  reader.read("heartbeat_ms", config.heartbeat_ms, 1'000, 60'000);
  reader.read("agent_silence_ms", config.agent_silence_ms, 10'000, 86'400'000);
  reader.read("plain_text_allowed", config.plain_text_allowed);
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
  config.tls = read_tls(reader, name, errors);
  config.access = read_access(reader, name, errors);
  if (const auto wrong = exposure_problem(config.host, config)) {
    reader.complain(*table.get("listen"), "listen " + *wrong);
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
  return Address{std::move(host), port};
}

std::optional<std::string> exposure_problem(const std::string& host, const Config& config) {
  if (Peer(host).is_loopback()) return std::nullopt;
  if (config.access.tokens.empty()) {
    return "must be on loopback, 127.x.x.x or ::1, while there is no [[token]]";
  }
  if (!is_private(config)) {
    return "must be on loopback, 127.x.x.x or ::1, while secrets would travel unencrypted: give "
           "[tls], or where TLS is in front say plain_text_allowed = true";
  }
  return std::nullopt;
}

std::string default_data_dir() {
  if (const auto folder = environment("STATE_DIRECTORY")) return *folder;
  if (const auto state = environment("XDG_STATE_HOME")) return *state + "/tengen";
  return environment("HOME").value_or("/var/lib") + "/.local/state/tengen";
}

}  // namespace tengen::daemon
