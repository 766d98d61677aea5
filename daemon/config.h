// The daemon's configuration: TOML with a commented default. All errors are reported in one run,
// each with its line and column; unknown keys are errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/access_token.h"
#include "daemon/net/tls.h"
#include "daemon/own_names.h"
#include "pool/profile.h"

namespace tengen::daemon {

struct Config {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8374;
  std::optional<PublicUrl> public_url;  // none: the address that is listened on
  std::string data_dir;                 // empty: default_data_dir()
  std::string log_level = "info";
  std::uint32_t games_max = 10'000;
  std::uint32_t heartbeat_ms = 15'000;
  std::uint32_t agent_silence_ms = 600'000;
  std::optional<TlsFiles> tls;
  bool plain_text_allowed = false;  // beyond loopback, since TLS is in front
  AccessConfig access;
  std::vector<pool::Profile> profiles;
};

/// "file:line:column: text", one each.
using ConfigErrors = std::vector<std::string>;

/// `name` is the file's name in messages.
std::variant<Config, ConfigErrors> parse_config(std::string_view text, const std::string& name);
std::variant<Config, ConfigErrors> load_config(const std::string& path);

/// The commented default, which parse_config accepts.
std::string_view default_config();

/// "HOST:PORT" or "[V6]:PORT" into its parts; port 0 picks a free one.
struct Address {
  std::string host;
  std::uint16_t port = 0;
};
std::variant<Address, std::string> parse_address(std::string_view text);

/// Why the address must not be served with such a configuration; nothing when it may. Beyond
/// loopback there must be tokens, and TLS here or in front.
std::optional<std::string> exposure_problem(const std::string& host, const Config& config);

/// $STATE_DIRECTORY, else $XDG_STATE_HOME/tengen, else ~/.local/state/tengen.
std::string default_data_dir();

}  // namespace tengen::daemon
