#include "daemon/config.h"

#include <arpa/inet.h>
// toml++ asserts on some bytes before it reports them; a strange file must be an error, not the
// end.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

namespace tengen::daemon {
namespace {

constexpr std::array<std::string_view, 6> kLogLevels = {"trace", "debug", "info",
                                                        "warn",  "error", "critical"};

// Reads one table and remembers every complaint; what is wrong keeps its default.
class Reader {
 public:
  Reader(const toml::table& table, const std::string& file, ConfigErrors& errors)
      : table_(table), file_(file), errors_(errors) {}

  void complain(const toml::node& node, const std::string& text) {
    const auto at = node.source().begin;
    errors_.push_back(file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                      ": " + text);
  }

  const toml::node* find(std::string_view key) {
    known_.emplace(key);
    return table_.get(key);
  }

  void read(std::string_view key, std::string& value) {
    const auto* node = find(key);
    if (node == nullptr) return;
    if (const auto text = node->value_exact<std::string>()) {
      value = *text;
    } else {
      complain(*node, std::string(key) + " must be a string");
    }
  }

  void read(std::string_view key, bool& value) {
    const auto* node = find(key);
    if (node == nullptr) return;
    if (const auto flag = node->value_exact<bool>()) {
      value = *flag;
    } else {
      complain(*node, std::string(key) + " must be true or false");
    }
  }

  template <typename Integer>
  void read(std::string_view key, Integer& value, std::int64_t minimum, std::int64_t maximum) {
    const auto* node = find(key);
    if (node == nullptr) return;
    const auto number = node->value_exact<std::int64_t>();
    if (number && *number >= minimum && *number <= maximum) {
      value = static_cast<Integer>(*number);
    } else {
      complain(*node, std::string(key) + " must be an integer from " + std::to_string(minimum) +
                          " to " + std::to_string(maximum));
    }
  }

  void read(std::string_view key, std::chrono::milliseconds& value, std::int64_t maximum) {
    std::int64_t number = value.count();
    read(key, number, 1, maximum);
    value = std::chrono::milliseconds(number);
  }

  void read(std::string_view key, std::vector<std::string>& value) {
    const auto* node = find(key);
    if (node == nullptr) return;
    const auto* array = node->as_array();
    std::vector<std::string> texts;
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      if (const auto text = (*array)[i].value_exact<std::string>()) texts.push_back(*text);
    }
    if (array == nullptr || texts.empty() || texts.size() != array->size()) {
      complain(*node, std::string(key) + " must be an array of strings");
    } else {
      value = std::move(texts);
    }
  }

  /// Each table of an array of tables, in order.
  std::vector<const toml::table*> tables(std::string_view key) {
    std::vector<const toml::table*> found;
    const auto* node = find(key);
    if (node == nullptr) return found;
    const auto* array = node->as_array();
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      if (const auto* table = (*array)[i].as_table()) found.push_back(table);
    }
    if (array == nullptr || found.size() != array->size()) {
      complain(*node, std::string(key) + " must be written as [[" + std::string(key) + "]] tables");
    }
    return found;
  }

  void refuse_unknown() {
    for (const auto& [key, node] : table_) {
      if (known_.contains(std::string(key.str()))) continue;
      const auto at = key.source().begin;
      errors_.push_back(file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                        ": unknown key " + std::string(key.str()) + "; known here: " + known());
    }
  }

 private:
  std::string known() const {
    std::string all;
    for (const auto& key : known_) all += (all.empty() ? "" : ", ") + key;
    return all;
  }

  const toml::table& table_;
  const std::string& file_;
  ConfigErrors& errors_;
  std::set<std::string> known_;
};

pool::SettingSpec read_setting(const toml::table& table, const std::string& file,
                               ConfigErrors& errors) {
  constexpr std::int64_t kValueMax = 1'000'000'000;
  Reader reader(table, file, errors);
  pool::SettingSpec setting;
  reader.read("key", setting.key);
  reader.read("command", setting.command);
  reader.read("minimum", setting.minimum, -kValueMax, kValueMax);
  reader.read("maximum", setting.maximum, -kValueMax, kValueMax);
  reader.read("standard", setting.standard, -kValueMax, kValueMax);
  reader.refuse_unknown();
  return setting;
}

void read_dialect(Reader& reader, const toml::table& table, pool::Profile& profile) {
  std::string word = "none";
  reader.read("rules", word);
  const auto dialect = pool::parse_rules_dialect(word);
  if (!dialect) reader.complain(*table.get("rules"), "rules must be none or tengen");
  profile.rules = dialect.value_or(pool::RulesDialect::None);
}

pool::Profile read_profile(const toml::table& table, const std::string& file,
                           ConfigErrors& errors) {
  constexpr std::int64_t kDay = 86'400'000;
  const auto before = errors.size();
  Reader reader(table, file, errors);
  pool::Profile profile;
  reader.read("name", profile.name);
  reader.read("command", profile.command);
  reader.read("directory", profile.directory);
  reader.read("processes_warm", profile.processes_warm, 0, 256);
  reader.read("processes_max", profile.processes_max, 1, 256);
  reader.read("size_min", profile.size_min, 1, rules::kMaxSize);
  reader.read("size_max", profile.size_max, 1, rules::kMaxSize);
  reader.read("rectangles", profile.rectangles);
  read_dialect(reader, table, profile);
  reader.read("seed_command", profile.seed_command);
  reader.read("start_limit_ms", profile.start_limit, kDay);
  reader.read("answer_limit_ms", profile.answer_limit, kDay);
  reader.read("search_limit_ms", profile.search_limit, kDay);
  reader.read("list_limit_ms", profile.list_limit, kDay);
  reader.read("idle_limit_ms", profile.idle_limit, kDay);
  reader.read("queue_max", profile.queue_max, 1, 1'000'000);
  for (const auto* setting : reader.tables("setting")) {
    profile.settings.push_back(read_setting(*setting, file, errors));
  }
  reader.refuse_unknown();
  if (errors.size() == before) {
    if (const auto wrong = problem(profile)) {
      const std::string name = profile.name.empty() ? "profile" : "profile " + profile.name;
      reader.complain(table, name + ": " + *wrong);
    }
  }
  return profile;
}

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
  std::set<std::string> names;
  for (const auto* profile : reader.tables("profile")) {
    config.profiles.push_back(read_profile(*profile, name, errors));
    const auto& added = config.profiles.back().name;
    if (!added.empty() && !names.insert(added).second) {
      reader.complain(*profile, "profile " + added + " is defined twice");
    }
  }
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
