#include "daemon/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "pool/shipped.h"
#include "tests/daemon/parsed_config.h"
#include "tests/support/temp_folder.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;

Config good(std::string_view text) {
  auto parsed = parse_config(text, "t.toml");
  if (const auto* errors = std::get_if<ConfigErrors>(&parsed)) {
    ADD_FAILURE() << errors->front();
    return {};
  }
  return std::get<Config>(std::move(parsed));
}

pool::Profile profile_of(const Config& config, std::string_view name) {
  for (const auto& profile : config.profiles) {
    if (profile.name == name) return profile;
  }
  ADD_FAILURE() << "no profile " << name;
  return {};
}

TEST(ConfigTest, TheDefaultIsAcceptedAndSaysWhatItsCommentsSay) {
  const Config config = good(default_config());
  EXPECT_EQ(config.host, "127.0.0.1");
  EXPECT_EQ(config.port, 8374);
  EXPECT_FALSE(config.public_url);
  EXPECT_EQ(config.data_dir, "");
  EXPECT_EQ(config.log_level, "info");
  EXPECT_EQ(config.games_max, 10'000u);
  EXPECT_EQ(config.heartbeat_ms, 15'000u);
  EXPECT_EQ(config.agent_silence_ms, 600'000u);
  EXPECT_FALSE(config.tls);
  EXPECT_FALSE(config.plain_text_allowed);
  EXPECT_EQ(config.access, AccessConfig{});
  ASSERT_EQ(config.profiles.size(), 2u);
  EXPECT_EQ(config.profiles[0], *pool::shipped_profile("house"));
  EXPECT_EQ(config.profiles[1], *pool::shipped_profile("gnugo"));
  EXPECT_EQ(config.profiles[0].processes_warm, 1);
  EXPECT_EQ(config.profiles[0].processes_max, 2);
  ASSERT_EQ(config.profiles[1].settings.size(), 1u);
  EXPECT_EQ(config.profiles[1].settings.front().standard, 10);
}

/// The default with the profiles that it shows in comments as well.
std::string default_with_examples() {
  std::istringstream lines{std::string(default_config())};
  std::string text;
  bool is_example = false;
  for (std::string line; std::getline(lines, line);) {
    is_example = is_example || line == "# [[profile]]";
    const bool is_key = line.starts_with("# [") || line.find(" = ") != std::string::npos;
    const bool is_shown = is_example && is_key && line.starts_with("# ");
    text += (is_shown ? line.substr(2) : line) + '\n';
  }
  return text;
}

TEST(ConfigTest, TheExamplesOfTheDefaultAreAcceptedToo) {
  const Config config = good(default_with_examples());
  ASSERT_EQ(config.profiles.size(), 6u);
  const auto leela = profile_of(config, "leela-zero");
  ASSERT_GE(leela.command.size(), 2u);
  EXPECT_EQ(leela.command.front(), "leelaz");
  EXPECT_EQ(leela.command.back(), "/var/lib/tengen/network.gz");
  EXPECT_EQ(profile_of(config, "katago").command.back(), "/etc/tengen/katago.cfg");
  EXPECT_EQ(profile_of(config, "pachi").command[2], "=5000");
  EXPECT_EQ(profile_of(config, "other").size_min, 9);
  ASSERT_EQ(config.access.tokens.size(), 1u);
  EXPECT_EQ(config.access.tokens.front(),
            (AccessToken{"club", {}, {Role::Play, Role::Watch}, Quotas{}}));
  EXPECT_EQ(config.access.anonymous, (AccessToken{"anonymous", {}, {Role::Watch}, Quotas{}}));
}

TEST(ConfigTest, AnEmptyFileIsTheDefault) {
  const Config config = good("");
  const Config standard = good(default_config());
  EXPECT_EQ(config.host, standard.host);
  EXPECT_EQ(config.port, standard.port);
  EXPECT_EQ(config.games_max, standard.games_max);
  EXPECT_EQ(config.heartbeat_ms, standard.heartbeat_ms);
  EXPECT_EQ(config.profiles, standard.profiles);
}

TEST(ConfigTest, EveryKeyOfTheTopIsRead) {
  const Config config = good(R"(
listen = "[::1]:0"
public_url = "https://Go.Example:443"
data_dir = "/tmp/games"
log_level = "debug"
games_max = 5
heartbeat_ms = 1000
agent_silence_ms = 10000
plain_text_allowed = true
[tls]
certificate = "/etc/cert.pem"
key = "/etc/key.pem"
)");
  EXPECT_EQ(config.host, "::1");
  EXPECT_EQ(config.port, 0);
  EXPECT_EQ(config.public_url, (PublicUrl{"https://go.example", "go.example"}));
  EXPECT_EQ(config.data_dir, "/tmp/games");
  EXPECT_EQ(config.log_level, "debug");
  EXPECT_EQ(config.games_max, 5u);
  EXPECT_EQ(config.heartbeat_ms, 1'000u);
  EXPECT_EQ(config.agent_silence_ms, 10'000u);
  EXPECT_TRUE(config.plain_text_allowed);
  EXPECT_EQ(config.tls, (TlsFiles{"/etc/cert.pem", "/etc/key.pem"}));
}

struct ErrorCase {
  std::string text;
  std::string expected;  // how the only error begins
};

class ConfigErrorTest : public testing::TestWithParam<ErrorCase> {};

TEST_P(ConfigErrorTest, IsNamedWithItsPlace) {
  const auto errors = errors_in(GetParam().text);
  ASSERT_EQ(errors.size(), 1u) << GetParam().text;
  EXPECT_EQ(errors.front().substr(0, GetParam().expected.size()), GetParam().expected);
}

const std::string kProfile = "[[profile]]\nname = \"a\"\ncommand = [\"x\"]\n";

INSTANTIATE_TEST_SUITE_P(
    Errors, ConfigErrorTest,
    testing::Values(
        ErrorCase{"listen = ", "t.toml:1:"},  // where exactly is the parser's
        ErrorCase{"a = 1\na = 2", "t.toml:2:"},
        ErrorCase{"listen = 5", "t.toml:1:10: listen must be a string"},
        ErrorCase{"\n  listen = \"x\"", "t.toml:2:12: listen must be HOST:PORT"},
        ErrorCase{"log_level = \"loud\"", "t.toml:1:13: log_level must be trace,"},
        ErrorCase{"games_max = 0", "t.toml:1:13: games_max must be an integer from 1 to 1000000"},
        ErrorCase{"games_max = 1000001", "t.toml:1:13: games_max must be an integer from 1 to"},
        ErrorCase{"games_max = 1.0", "t.toml:1:13: games_max must be an integer from 1 to"},
        ErrorCase{"games_max = \"1\"", "t.toml:1:13: games_max must be an integer from 1 to"},
        ErrorCase{"agent_silence_ms = 9999",
                  "t.toml:1:20: agent_silence_ms must be an integer from 10000 to 86400000"},
        ErrorCase{"heartbeat_ms = 999",
                  "t.toml:1:16: heartbeat_ms must be an integer from 1000 to 60000"},
        ErrorCase{"heartbeat_ms = 60001",
                  "t.toml:1:16: heartbeat_ms must be an integer from 1000 to 60000"},
        ErrorCase{"data_dir = [1]", "t.toml:1:12: data_dir must be a string"},
        ErrorCase{"public_url = 5", "t.toml:1:14: public_url must be http://HOST or https://HOST"},
        ErrorCase{"public_url = \"\"", "t.toml:1:14: public_url must be http://HOST"},
        ErrorCase{"public_url = \"https://go.example/\"", "t.toml:1:14: public_url must be http"},
        ErrorCase{"data_dir = [1]", "t.toml:1:12: data_dir must be a string"},
        ErrorCase{
            "\nport = 1",
            "t.toml:2:1: unknown key port; known here: agent_silence_ms, anonymous, data_dir, "
            "games_max, "
            "heartbeat_ms, listen, log_level, plain_text_allowed, profile, public_url, tls, token"},
        ErrorCase{"tls = 1", "t.toml:1:7: tls must be written as"},
        ErrorCase{"\n[tls]\ncertificate = 'a'", "t.toml:2:1: tls needs both certificate and key"},
        ErrorCase{"[tls]\nkey = 'a'", "t.toml:1:1: tls needs both certificate and key"},
        ErrorCase{"[tls]", "t.toml:1:1: tls needs both certificate and key"},
        ErrorCase{"[tls]\ncertificate = 1\nkey = 'a'", "t.toml:2:15: certificate must be a string"},
        ErrorCase{"[tls]\ncertificate = 'a'\nkey = 'b'\nca = 'c'", "t.toml:4:1: unknown key ca"},
        ErrorCase{"[log]\nlevel = \"info\"", "t.toml:1:2: unknown key log"},
        ErrorCase{"profile = 1", "t.toml:1:11: profile must be written as [[profile]] tables"},
        ErrorCase{"profile = [1]", "t.toml:1:11: profile must be written as [[profile]] tables"},
        ErrorCase{"[profile]\nname = \"a\"", "t.toml:1:1: profile must be written as [[profile]]"},
        ErrorCase{kProfile + "rectangles = 1", "t.toml:4:14: rectangles must be true or false"},
        ErrorCase{kProfile + "size_max = 26",
                  "t.toml:4:12: size_max must be an integer from 1 to 25"},
        ErrorCase{kProfile + "queue_max = 0",
                  "t.toml:4:13: queue_max must be an integer from 1 to"},
        ErrorCase{kProfile + "search_limit_ms = 0",
                  "t.toml:4:19: search_limit_ms must be an integer"},
        ErrorCase{kProfile + "speed = 1",
                  "t.toml:4:1: unknown key speed; known here: address_space_max_mb, analysis, "},
        ErrorCase{kProfile + "serch_limit_ms = 1",
                  "t.toml:4:1: unknown key serch_limit_ms; is search_limit_ms meant?"},
        ErrorCase{kProfile + "[[profile.setting]]\nkey = \"k\"\ncommand = \"c\"\nmin = 1",
                  "t.toml:7:1: unknown key min; known here: command, key"},
        ErrorCase{
            kProfile + "[[profile.setting]]\nkey = \"k\"\ncommand = \"c\"\nminimum = 3000000000",
            "t.toml:7:11: minimum must be an integer from -1000000000 to 1000000000"},
        ErrorCase{"[[profile]]\nname = \"a\"\ncommand = \"x\"",
                  "t.toml:3:11: command must be an array of strings"},
        ErrorCase{"[[profile]]\nname = \"a\"\ncommand = [\"x\", 1]",
                  "t.toml:3:11: command must be an array of strings"},
        ErrorCase{"[[profile]]\nname = \"a\"\ncommand = []",
                  "t.toml:3:11: command must be an array of strings"},
        ErrorCase{"\n[[profile]]\nname = \"a\"", "t.toml:2:1: profile a: the command is missing"},
        ErrorCase{"[[profile]]\nname = ''\ncommand = ['x']", "t.toml:1:1: profile : the name must"},
        ErrorCase{kProfile + "processes_warm = 5", "t.toml:1:1: profile a: processes_warm must be"},
        ErrorCase{kProfile + kProfile, "t.toml:4:1: profile a is defined twice"}));

TEST(ConfigErrorsTest, AllAreReportedInOneRun) {
  const auto errors = errors_in(R"(listen = "nowhere"
log_level = 3
games_max = -1
colour = "red"
[[profile]]
name = "a"
command = ["x"]
queue_max = "many"
[[profile]]
name = "a"
command = []
size_min = 99
)");
  const std::vector<std::string> places = {
      "t.toml:2:13:",  "t.toml:3:13:",  "t.toml:1:10:", "t.toml:8:13:",
      "t.toml:11:11:", "t.toml:12:12:", "t.toml:9:1:",  "t.toml:4:1:"};
  for (const auto& place : places) {
    EXPECT_EQ(std::count_if(errors.begin(), errors.end(),
                            [&](const auto& error) { return error.starts_with(place); }),
              1)
        << place;
  }
  EXPECT_EQ(errors.size(), places.size());
}

TEST(ConfigFileTest, AFileIsReadUnderItsPath) {
  const tests::TempFolder folder;
  const std::string path = folder.path().string() + "/tengend.toml";
  std::ofstream(path) << "games_max = 7\n";
  EXPECT_EQ(std::get<Config>(load_config(path)).games_max, 7u);
  std::ofstream(path) << "games_max = false\n";
  EXPECT_TRUE(std::get<ConfigErrors>(load_config(path)).front().starts_with(path + ":1:13: "));
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(std::get<Config>(load_config(path)).games_max, 10'000u);
}

TEST(ConfigFileTest, AFileThatCannotBeReadIsNamed) {
  const tests::TempFolder folder;
  for (const std::string& path : {folder.path().string() + "/none", folder.path().string()}) {
    const auto loaded = load_config(path);
    const auto* errors = std::get_if<ConfigErrors>(&loaded);
    ASSERT_NE(errors, nullptr) << path;
    EXPECT_EQ(errors->front(), path + ": cannot be read");
  }
}

TEST(AddressTest, AnIpAddressAndAPortAreRead) {
  const auto v4 = std::get<Address>(parse_address("127.0.0.1:8374"));
  EXPECT_EQ(v4.host, "127.0.0.1");
  EXPECT_EQ(v4.port, 8374);
  const auto v6 = std::get<Address>(parse_address("[::1]:65535"));
  EXPECT_EQ(v6.host, "::1");
  EXPECT_EQ(v6.port, 65535);
  EXPECT_EQ(std::get<Address>(parse_address("127.1.2.3:0")).port, 0);
  EXPECT_EQ(std::get<Address>(parse_address("[2001:db8::1]:80")).host, "2001:db8::1");
}

TEST(AddressTest, AnythingElseIsRefused) {
  for (const char* text : {"",
                           ":",
                           "8374",
                           ":8374",
                           "127.0.0.1",
                           "127.0.0.1:",
                           "127.0.0.1:65536",
                           "127.0.0.1:-1",
                           "127.0.0.1:+1",
                           "127.0.0.1:80 ",
                           " 127.0.0.1:80",
                           "127.0.0.1:0x50",
                           "localhost:80",
                           "::1:8374",
                           "[::1]",
                           "[]:80",
                           "[::1:80",
                           "::1]:80",
                           "[127.0.0.1]:80",
                           "256.0.0.1:80"}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(parse_address(text))) << text;
  }
}

// Sets one variable of the environment for a while; null takes it away.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Variable() { set(old_ ? old_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) {
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> old_;
};

TEST(DataFolderTest, TheServiceManagersFolderGoesFirstThenXdgThenHome) {
  const Variable home("HOME", "/people/ada");
  const Variable xdg("XDG_STATE_HOME", "/xdg");
  const Variable state("STATE_DIRECTORY", "/var/lib/tengen");
  EXPECT_EQ(default_data_dir(), "/var/lib/tengen");
  const Variable no_state("STATE_DIRECTORY", nullptr);
  EXPECT_EQ(default_data_dir(), "/xdg/tengen");
  const Variable empty_xdg("XDG_STATE_HOME", "");
  EXPECT_EQ(default_data_dir(), "/people/ada/.local/state/tengen");
}

}  // namespace
}  // namespace tengen::daemon
