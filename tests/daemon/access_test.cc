// Who is let in. The hashes are those of sha256sum, but for that of "abc", which is FIPS 180-4's.
#include "daemon/access.h"

#include <gtest/gtest.h>

#include <string>

namespace tengen::daemon {
namespace {

const std::string kKnownSecret = "tengen_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
constexpr std::string_view kSecretHash =
    "db709e9bf03bf56a86d2eb86eba10e915dadd9b03e250da4ed38faecd57b7244";

SecretHash hash_from(std::string_view hex) {
  SecretHash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) {
    hash[i] = static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(2 * i, 2)), nullptr, 16));
  }
  return hash;
}

AccessToken token(const std::string& name, const SecretHash& hash, Roles roles = {Role::Play}) {
  return {name, hash, roles, {}};
}

std::string secret_number(std::size_t number) {
  return "a secret with a number " + std::to_string(number);
}

/// Tokens "0", "1", ... with the secrets of these numbers.
AccessConfig numbered(std::size_t count) {
  AccessConfig config;
  for (std::size_t i = 0; i < count; ++i) {
    config.tokens.push_back(token(std::to_string(i), hash_of(secret_number(i))));
  }
  return config;
}

TEST(AccessTest, TheHashIsThatOfOtherPrograms) {
  EXPECT_EQ(hash_of("abc"),
            hash_from("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  EXPECT_EQ(hash_of(kKnownSecret), hash_from(kSecretHash));
}

TEST(AccessTest, ASecretFindsItsToken) {
  AccessConfig config = numbered(2);
  config.tokens.push_back(token("club", hash_from(kSecretHash), {Role::Play, Role::Watch}));
  const Access access(config);
  const auto* found = access.find(kKnownSecret);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, "club");
  EXPECT_TRUE(found->roles.has(Role::Watch));
  EXPECT_FALSE(found->roles.has(Role::Admin));
}

TEST(AccessTest, EveryOneOfAsManyTokensAsThereMayBeIsFound) {
  const Access access(numbered(kTokensMax));
  for (std::size_t i = 0; i < kTokensMax; ++i) {
    const auto* found = access.find(secret_number(i));
    ASSERT_NE(found, nullptr) << i;
    EXPECT_EQ(found->name, std::to_string(i));
  }
  EXPECT_EQ(access.find(secret_number(kTokensMax)), nullptr);
}

// A search that ended with the first one would give that, and its time would tell where it stands.
TEST(AccessTest, TheSearchGoesOnBehindTheTokenThatItHasFound) {
  AccessConfig config = numbered(3);
  config.tokens.push_back(token("again", hash_of(secret_number(0))));
  const Access access(config);
  EXPECT_EQ(access.find(secret_number(0))->name, "again");
}

TEST(AccessTest, ChangingOrCuttingASecretAnywhereMakesItNobodys) {
  AccessConfig config;
  config.tokens.push_back(token("club", hash_from(kSecretHash)));
  const Access access(config);
  for (std::size_t i = 0; i < kKnownSecret.size(); ++i) {
    std::string forged = kKnownSecret;
    forged[i] = forged[i] == 'x' ? 'y' : 'x';
    EXPECT_EQ(access.find(forged), nullptr) << forged;
    EXPECT_EQ(access.find(kKnownSecret.substr(0, i)), nullptr) << i;
  }
  for (const std::string& other :
       {kKnownSecret + "A", " " + kKnownSecret, kKnownSecret + '\0', std::string()}) {
    EXPECT_EQ(access.find(other), nullptr);
  }
}

TEST(AccessTest, TheHashItselfIsNoSecret) {
  AccessConfig config;
  config.tokens.push_back(token("club", hash_from(kSecretHash)));
  EXPECT_EQ(Access(config).find(kSecretHash), nullptr);
}

TEST(AccessTest, SecretsTooShortForTheirPurposeOrTooLongAreNeverAccepted) {
  const auto is_accepted = [](std::size_t length) {
    const std::string secret(length, 'a');
    AccessConfig config;
    config.tokens.push_back(token("t", hash_of(secret)));
    return Access(config).find(secret) != nullptr;
  };
  EXPECT_FALSE(is_accepted(0));
  EXPECT_FALSE(is_accepted(21));
  EXPECT_TRUE(is_accepted(22));
  EXPECT_TRUE(is_accepted(128));
  EXPECT_FALSE(is_accepted(129));
}

TEST(AccessTest, WithoutTokensWhoeverComesMayDoEverythingButRule) {
  const Access access{AccessConfig{}};
  const auto* anybody = access.anonymous();
  ASSERT_NE(anybody, nullptr);
  EXPECT_EQ(anybody->name, "anonymous");
  EXPECT_EQ(anybody->roles, (Roles{Role::Play, Role::Analyse, Role::Watch}));
  EXPECT_EQ(anybody->quotas, (Quotas{0, 0, 0, 0, 0}));
  EXPECT_EQ(access.find(kKnownSecret), nullptr);
}

TEST(AccessTest, WithoutARoleNobodyComesWithoutAToken) {
  AccessConfig config = numbered(1);
  config.anonymous.roles = {};
  EXPECT_EQ(Access(config).anonymous(), nullptr);
}

TEST(AccessTest, ARevokedTokenIsGoneAndTheOthersStay) {
  Access access(numbered(3));
  const AccessToken caller = *access.find(secret_number(1));
  EXPECT_TRUE(access.revoke("1"));
  EXPECT_EQ(access.find(secret_number(1)), nullptr);
  EXPECT_EQ(access.current(caller), nullptr);
  EXPECT_NE(access.find(secret_number(0)), nullptr);
  EXPECT_NE(access.find(secret_number(2)), nullptr);
  EXPECT_EQ(access.tokens().size(), 2u);
  EXPECT_FALSE(access.revoke("1"));
  EXPECT_FALSE(access.revoke("club"));
}

TEST(AccessTest, RevokingTheLastTokenOpensTheDoorForNobody) {
  AccessConfig config = numbered(1);
  config.anonymous.roles = {};
  Access access(config);
  EXPECT_FALSE(access.revoke("anonymous"));
  EXPECT_TRUE(access.revoke("0"));
  EXPECT_EQ(access.anonymous(), nullptr);
}

TEST(AccessTest, AfterAReloadACallerHasTheRolesAndQuotasOfTheNewConfiguration) {
  AccessConfig config = numbered(2);
  const AccessToken caller = *Access(config).find(secret_number(1));
  config.tokens[1].roles = {Role::Watch};
  config.tokens[1].quotas.games_max = 5;
  const Access reloaded(config);
  const auto* now = reloaded.current(caller);
  ASSERT_NE(now, nullptr);
  EXPECT_EQ(now->roles, Roles{Role::Watch});
  EXPECT_EQ(now->quotas.games_max, 5u);
}

TEST(AccessTest, AfterAReloadWithoutItsTokenOrWithAnotherSecretACallerIsNobody) {
  AccessConfig config = numbered(2);
  const AccessToken caller = *Access(config).find(secret_number(1));
  config.tokens[1].hash = hash_of("another secret of that token");
  EXPECT_EQ(Access(config).current(caller), nullptr);
  config.tokens.pop_back();
  EXPECT_EQ(Access(config).current(caller), nullptr);
}

TEST(AccessTest, AReloadDecidesAnewWhoMayComeWithoutAToken) {
  const AccessToken anybody = *Access(AccessConfig{}).anonymous();
  AccessConfig config = numbered(1);
  config.anonymous.roles = {};
  EXPECT_EQ(Access(config).current(anybody), nullptr);
  config.anonymous.roles = {Role::Watch};
  const Access reloaded(config);
  ASSERT_NE(reloaded.current(anybody), nullptr);
  EXPECT_EQ(reloaded.current(anybody)->roles, Roles{Role::Watch});
}

// The forms of RFC 6750, section 2.1, and RFC 9110, section 11.1.
TEST(BearerTest, TheSecretOfAnAuthorizationHeaderIsFound) {
  EXPECT_EQ(bearer_of("Bearer " + kKnownSecret), kKnownSecret);
  EXPECT_EQ(bearer_of("bearer abc"), "abc");
  EXPECT_EQ(bearer_of("BEARER   mF_9.B5f-4.1JqM~+/=  "), "mF_9.B5f-4.1JqM~+/=");
}

TEST(BearerTest, AnythingElseNamesNone) {
  for (const std::string& text :
       {std::string(), std::string("Bearer"), std::string("Bearer "), std::string("Bearer    "),
        std::string("Basic abc"), std::string("Bearerabc"), std::string("Bearer\tabc"),
        std::string("Bearer a b"), std::string("Bearer a,b"), std::string("Bearer a\0b", 10),
        std::string("Bearer \xc3\xa9"), std::string(" Bearer abc"), std::string("abc")}) {
    EXPECT_FALSE(bearer_of(text)) << text;
  }
}

}  // namespace
}  // namespace tengen::daemon
