// The [[token]] tables and [anonymous]: every key, every mistake with its place, and which
// addresses may be served with them.
#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/access.h"
#include "daemon/config.h"
#include "tests/daemon/parsed_config.h"

namespace tengen::daemon {
namespace {

constexpr std::string_view kHash =
    "db709e9bf03bf56a86d2eb86eba10e915dadd9b03e250da4ed38faecd57b7244";
constexpr std::string_view kSecret = "tengen_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

Config config_in(const std::string& text) {
  auto parsed = parse_config(text, "t.toml");
  if (const auto* errors = std::get_if<ConfigErrors>(&parsed)) {
    for (const auto& error : *errors) ADD_FAILURE() << error;
    return {};
  }
  return std::get<Config>(std::move(parsed));
}

AccessConfig access_in(const std::string& text) { return config_in(text).access; }

/// A good table of four lines; tokens whose names begin with other digits have other secrets.
std::string token(const std::string& name) {
  std::string hash(kHash);
  hash[0] = name.front();
  return "[[token]]\nname = '" + name + "'\nsha256 = '" + hash + "'\nroles = ['play']\n";
}

TEST(AccessConfigTest, EveryKeyOfATokenIsRead) {
  const auto access = access_in(R"(
[[token]]
name = "club.de-2_x"
sha256 = "DB709E9BF03BF56A86D2EB86EBA10E915DADD9b03e250da4ed38faecd57b7244"
roles = ["admin", "watch", "analyse", "play", "play"]
games_max = 1
analyses_max = 2
virtual_engines_max = 3
requests_per_minute = 1000000
watches_max = 4
)");
  ASSERT_EQ(access.tokens.size(), 1u);
  const AccessToken& read = access.tokens.front();
  EXPECT_EQ(read.name, "club.de-2_x");
  EXPECT_EQ(read.roles, (Roles{Role::Play, Role::Analyse, Role::Watch, Role::Admin}));
  EXPECT_EQ(read.quotas, (Quotas{1, 2, 3, 1'000'000, 4}));
  EXPECT_EQ(Access(access).find(kSecret)->name, read.name);
}

TEST(AccessConfigTest, ATokenHasQuotasOfItsOwnAccord) {
  const auto access = access_in(token("a"));
  EXPECT_EQ(access.tokens.front().roles, Roles{Role::Play});
  EXPECT_EQ(access.tokens.front().quotas, (Quotas{100, 4, 8, 6'000, 1'000}));
}

TEST(AccessConfigTest, WithoutTokensEverybodyHasEveryRoleButAdmin) {
  const auto access = access_in("");
  EXPECT_TRUE(access.tokens.empty());
  EXPECT_EQ(access.anonymous.roles, (Roles{Role::Play, Role::Analyse, Role::Watch}));
  EXPECT_EQ(access.anonymous.quotas, kNoQuotas);
}

TEST(AccessConfigTest, WithTokensNobodyElseMayDoAnythingUnlessTheFileSaysSo) {
  EXPECT_TRUE(access_in(token("a")).anonymous.roles.is_empty());
  EXPECT_TRUE(access_in(token("a") + "[anonymous]\ngames_max = 1").anonymous.roles.is_empty());
  const auto open = access_in(token("a") + "[anonymous]\nroles = ['watch']\nanalyses_max = 1");
  EXPECT_EQ(open.anonymous.name, "anonymous");
  EXPECT_EQ(open.anonymous.roles, Roles{Role::Watch});
  EXPECT_EQ(open.anonymous.quotas, (Quotas{100, 1, 8, 6'000, 1'000}));
}

TEST(AccessConfigTest, AnEmptyListOfTokensLetsNobodyIn) {
  EXPECT_TRUE(access_in("token = []").anonymous.roles.is_empty());
  EXPECT_EQ(Access(access_in("token = []")).anonymous(), nullptr);
}

TEST(AccessConfigTest, WithoutTokensTheFileMayStillSayWhatEverybodyMayDo) {
  const auto access = access_in("[anonymous]\nroles = ['watch', 'play']\ngames_max = 7");
  EXPECT_EQ(access.anonymous.roles, (Roles{Role::Watch, Role::Play}));
  EXPECT_EQ(access.anonymous.quotas, (Quotas{7, 0, 0, 0, 0}));
  EXPECT_EQ(access_in("[anonymous]\ngames_max = 7").anonymous.roles, everyone().roles);
  EXPECT_TRUE(access_in("[anonymous]\nroles = []").anonymous.roles.is_empty());
}

TEST(AccessConfigTest, AsManyTokensAsThereMayBeAreReadAndOneMoreIsRefused) {
  std::string text;
  for (std::size_t i = 0; i < kTokensMax; ++i) {
    std::string hash(kHash);
    hash.replace(0, 4, std::to_string(1'000 + i));
    const std::string name = "t" + std::to_string(i);
    text += "[[token]]\nname = '" + name + "'\nsha256 = '" + hash + "'\nroles = ['play']\n";
  }
  EXPECT_EQ(access_in(text).tokens.size(), kTokensMax);
  const auto errors = errors_in(text + token("a"));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.front(), "t.toml:4001:1: there may be 1000 tokens at most");
}

struct Mistake {
  std::string text;
  std::string expected;  // how the only error begins
};

class AccessMistake : public testing::TestWithParam<Mistake> {};

TEST_P(AccessMistake, IsNamedWithItsPlace) {
  const auto errors = errors_in(GetParam().text);
  ASSERT_EQ(errors.size(), 1u) << GetParam().text << (errors.empty() ? "" : errors.back());
  EXPECT_EQ(errors.front().substr(0, GetParam().expected.size()), GetParam().expected);
}

const std::string kGoodHash = "sha256 = '" + std::string(kHash) + "'\n";
const std::string kNamed = "[[token]]\nroles = ['play']\n" + kGoodHash;  // three lines
const std::string kHashed = "[[token]]\nname = 'a'\nroles = ['play']\n";
const std::string kRoled = "[[token]]\nname = 'a'\n" + kGoodHash;

INSTANTIATE_TEST_SUITE_P(
    Mistakes, AccessMistake,
    testing::Values(
        Mistake{"token = 1", "t.toml:1:9: token must be written as [[token]] tables"},
        Mistake{"[token]\nname = 'a'", "t.toml:1:1: token must be written as [[token]] tables"},
        Mistake{"anonymous = true",
                "t.toml:1:13: anonymous must be written as a [anonymous] table"},
        Mistake{"[[anonymous]]\nroles = []", "t.toml:1:1: anonymous must be written as a [anonym"},
        Mistake{kNamed, "t.toml:1:1: token: the name is missing"},
        Mistake{kNamed + "name = 5", "t.toml:4:8: name must be a string"},
        Mistake{kNamed + "name = ''", "t.toml:4:8: the name must be 1 to 64 letters, digits"},
        Mistake{kNamed + "name = 'a b'", "t.toml:4:8: the name must be 1 to 64 letters, digits"},
        Mistake{kNamed + "name = \"a\\u001b[2J\"", "t.toml:4:8: the name must be 1 to 64 letters"},
        Mistake{kNamed + "name = '" + std::string(65, 'a') + "'", "t.toml:4:8: the name must be 1"},
        Mistake{kNamed + "name = 'anonymous'", "t.toml:4:8: anonymous is whoever comes without"},
        Mistake{kHashed, "t.toml:1:1: token a: sha256 is missing"},
        Mistake{kHashed + "sha256 = 5", "t.toml:4:10: sha256 must be 64 hexadecimal digits, as"},
        Mistake{kHashed + "sha256 = ''", "t.toml:4:10: sha256 must be 64 hexadecimal digits"},
        Mistake{kHashed + "sha256 = '" + std::string(63, 'a') + "'", "t.toml:4:10: sha256 must be"},
        Mistake{kHashed + "sha256 = '" + std::string(65, 'a') + "'", "t.toml:4:10: sha256 must be"},
        Mistake{kHashed + "sha256 = '" + std::string(64, 'g') + "'", "t.toml:4:10: sha256 must be"},
        // The secret itself has no place in the file.
        Mistake{kHashed + "sha256 = '" + std::string(kSecret) + "'", "t.toml:4:10: sha256 must be"},
        Mistake{kHashed + kGoodHash + "secret = 'x'",
                "t.toml:5:1: unknown key secret; known here:"},
        Mistake{kRoled, "t.toml:1:1: token a: roles is missing"},
        Mistake{kRoled + "roles = 'play'", "t.toml:4:9: roles must be an array of strings"},
        Mistake{kRoled + "roles = [1]", "t.toml:4:9: roles must be an array of strings"},
        Mistake{kRoled + "roles = []", "t.toml:4:9: roles must name one at least: play, analyse,"},
        Mistake{kRoled + "roles = ['play', 'Admin']",
                "t.toml:4:9: roles: 'Admin' is none of play, analyse, watch and admin"},
        Mistake{kRoled + "roles = [\"\\u001b\"]",
                "t.toml:4:9: roles: '?' is none of play, analyse"},
        Mistake{token("1") + "games_max = -1",
                "t.toml:5:13: games_max must be an integer from 0 to 1000000"},
        Mistake{token("1") + "games_max = 1000001", "t.toml:5:13: games_max must be an integer"},
        Mistake{token("1") + "analyses_max = '4'", "t.toml:5:16: analyses_max must be an integer"},
        Mistake{token("1") + "virtual_engines_max = 1.5",
                "t.toml:5:23: virtual_engines_max must be"},
        Mistake{token("1") + "requests_per_minute = 1000001",
                "t.toml:5:23: requests_per_minute must be an integer from 0 to 1000000"},
        Mistake{token("1") + "game_max = 1",
                "t.toml:5:1: unknown key game_max; is games_max meant?"},
        Mistake{token("1") + token("1"), "t.toml:5:1: token 1 is defined twice"},
        Mistake{token("1a") + token("1b"), "t.toml:5:1: token 1b has the secret of token 1a"},
        Mistake{"[anonymous]\nroles = ['admin']", "t.toml:2:9: roles: admin needs a token"},
        Mistake{"[anonymous]\nroles = ['x']", "t.toml:2:9: roles: 'x' is none of play, analyse,"},
        Mistake{"[anonymous]\nrole = []", "t.toml:2:1: unknown key role; is roles meant?"},
        Mistake{"[anonymous]\nname = 'a'",
                "t.toml:2:1: unknown key name; known here: analyses_max"},
        Mistake{"plain_text_allowed = 1",
                "t.toml:1:22: plain_text_allowed must be true or false"}));

TEST(AccessConfigTest, AllMistakesAreReportedInOneRun) {
  const auto errors = errors_in(R"(listen = "0.0.0.0:8374"
[[token]]
name = "a b"
sha256 = "12"
roles = ["plya"]
games_max = -1
[[token]]
colour = "red"
[anonymous]
roles = ["admin"]
)");
  const std::string places[] = {"t.toml:1:10:", "t.toml:3:8:", "t.toml:4:10:", "t.toml:5:9:",
                                "t.toml:6:13:", "t.toml:8:1:", "t.toml:10:9:"};
  for (const auto& place : places) {
    EXPECT_EQ(std::count_if(errors.begin(), errors.end(),
                            [&](const auto& error) { return error.starts_with(place); }),
              1)
        << place;
  }
  const auto missing = std::count_if(errors.begin(), errors.end(), [](const auto& error) {
    return error.starts_with("t.toml:7:1: token");
  });
  EXPECT_EQ(missing, 3);
  EXPECT_EQ(errors.size(), std::size(places) + 3);
}

TEST(ExposureTest, BeyondLoopbackThereMustBeATokenAndPrivacy) {
  const std::string plain = "plain_text_allowed = true\n";
  const std::string tls = "[tls]\ncertificate = 'c'\nkey = 'k'\n";
  for (const std::string address : {"0.0.0.0", "[::]", "192.0.2.1", "[2001:db8::1]"}) {
    const std::string listen = "listen = '" + address + ":8374'\n";
    EXPECT_EQ(errors_in(listen), ConfigErrors{"t.toml:1:10: listen must be on loopback, 127.x.x.x "
                                              "or ::1, while there is no [[token]]"});
    EXPECT_EQ(errors_in(listen + plain).size(), 1u);
    EXPECT_EQ(errors_in(listen + plain + "token = []").size(), 1u);
    EXPECT_EQ(errors_in(listen + plain + "[anonymous]\nroles = ['watch']").size(), 1u);
    const auto open = errors_in(listen + token("a"));
    ASSERT_EQ(open.size(), 1u);
    EXPECT_NE(open.front().find("unencrypted"), std::string::npos);
    EXPECT_EQ(errors_in(listen + plain + token("a")), ConfigErrors{});
    EXPECT_EQ(errors_in(listen + tls + token("a")), ConfigErrors{});
    EXPECT_EQ(errors_in(listen + tls).size(), 1u);
  }
}

TEST(ExposureTest, OnLoopbackNothingIsNeeded) {
  for (const std::string address : {"127.0.0.1", "127.9.9.9", "[::1]", "[0:0:0:0:0:0:0:1]"}) {
    const Config config = config_in("listen = '" + address + ":8374'");
    EXPECT_EQ(exposure_problem(config.host, config), std::nullopt);
  }
}

// From the command line, or served since before a reload.
TEST(ExposureTest, AnotherAddressThanTheFilesIsJudgedLikewise) {
  const std::string there = "192.0.2.1";
  const std::string plain = "plain_text_allowed = true\n";
  EXPECT_NE(exposure_problem(there, config_in("")), std::nullopt);
  EXPECT_NE(exposure_problem(there, config_in(plain)), std::nullopt);
  EXPECT_NE(exposure_problem(there, config_in(token("a"))), std::nullopt);
  EXPECT_EQ(exposure_problem(there, config_in(plain + token("a"))), std::nullopt);
}

}  // namespace
}  // namespace tengen::daemon
