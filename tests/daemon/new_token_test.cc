// Secrets as Python's base64.urlsafe_b64encode writes them, hashes as its hashlib.sha256.
#include "daemon/new_token.h"

#include <gtest/gtest.h>

#include "daemon/access.h"
#include "daemon/config.h"

namespace tengen::daemon {
namespace {

using Random = std::array<std::uint8_t, 32>;

// 00 01 02 ... 1f.
Random counting() {
  Random random{};
  for (std::size_t i = 0; i < random.size(); ++i) random[i] = static_cast<std::uint8_t>(i);
  return random;
}

Random all(std::uint8_t byte) {
  Random random{};
  random.fill(byte);
  return random;
}

TEST(NewTokenTest, TheSecretIsTheRandomBytesInBase64) {
  EXPECT_EQ(secret_of(counting()), "tengen_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
  EXPECT_EQ(secret_of(all(0xff)), "tengen_" + std::string(42, '_') + "8");
  EXPECT_EQ(secret_of(all(0)), "tengen_" + std::string(43, 'A'));
  Random falling{};
  for (std::size_t i = 0; i < falling.size(); ++i) falling[i] = static_cast<std::uint8_t>(255 - i);
  EXPECT_EQ(secret_of(falling), "tengen___79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA");
}

TEST(NewTokenTest, TheTableHasTheHashAndNotTheSecret) {
  const std::string secret = secret_of(counting());
  EXPECT_EQ(token_table("club", secret), R"(
[[token]]
name = "club"
sha256 = "db709e9bf03bf56a86d2eb86eba10e915dadd9b03e250da4ed38faecd57b7244"
roles = ["play", "analyse", "watch"]
)");
}

TEST(NewTokenTest, BehindAnyConfigurationTheTableLetsItsSecretIn) {
  const std::string secret = secret_of(all(7));
  const std::string text = std::string(default_config()) + token_table("club", secret);
  auto parsed = parse_config(text, "t.toml");
  ASSERT_TRUE(std::holds_alternative<Config>(parsed));
  const Access access(std::get<Config>(parsed).access);
  ASSERT_NE(access.find(secret), nullptr);
  EXPECT_EQ(access.find(secret)->name, "club");
  EXPECT_EQ(access.find(secret)->roles, (Roles{Role::Play, Role::Analyse, Role::Watch}));
}

}  // namespace
}  // namespace tengen::daemon
