// Who is let in from where, and after how many wrong secrets nobody is.
#include "daemon/gate.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/daemon/callers.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using Why = GateRefusal::Why;

constexpr std::string_view kClubSecret = "tengen_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
constexpr std::string_view kWrong = "tengen_BBECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

AccessConfig club(Roles anonymous = {}) {
  AccessConfig config;
  config.tokens.push_back({"club", hash_of(kClubSecret), {Role::Play}, {}});
  config.anonymous = {std::string(kAnonymous), {}, anonymous, {}};
  return config;
}

std::string name_of(const std::variant<AccessToken, GateRefusal>& admitted) {
  const auto* caller = std::get_if<AccessToken>(&admitted);
  return caller != nullptr ? caller->name : "";
}

std::optional<Why> why(const std::variant<AccessToken, GateRefusal>& admitted) {
  const auto* refusal = std::get_if<GateRefusal>(&admitted);
  return refusal != nullptr ? std::optional(refusal->why) : std::nullopt;
}

TEST(GateTest, ASecretLetsItsTokenIn) {
  Gate gate(club());
  EXPECT_EQ(name_of(gate.admit(kClubSecret, kThere, moment(0s))), "club");
  EXPECT_EQ(why(gate.admit(kWrong, kThere, moment(0s))), Why::BadToken);
  EXPECT_EQ(gate.rates().bad_secrets(), 1u);
}

TEST(GateTest, WithoutASecretOnlyThoseComeWhoMayAnyway) {
  Gate open(AccessConfig{});
  EXPECT_EQ(name_of(open.admit("", kHere, moment(0s))), "anonymous");
  Gate watched(club({Role::Watch}));
  EXPECT_EQ(name_of(watched.admit("", kThere, moment(0s))), "anonymous");
  Gate closed(club());
  EXPECT_EQ(why(closed.admit("", kThere, moment(0s))), Why::NeedsToken);
  EXPECT_EQ(closed.rates().bad_secrets(), 0u);
}

TEST(GateTest, AWrongSecretIsNotTakenForNone) {
  Gate open(AccessConfig{});
  EXPECT_EQ(why(open.admit(kClubSecret, kHere, moment(0s))), Why::BadToken);
  EXPECT_EQ(why(open.admit("x", kHere, moment(0s))), Why::BadToken);
}

TEST(GateTest, AfterTenWrongSecretsAPlaceWaitsAndEvenAGoodOneDoes) {
  Gate gate(club({Role::Watch}));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(why(gate.admit(kWrong, kThere, moment(0s))), Why::BadToken) << i;
  }
  const auto refused = gate.admit(kClubSecret, kThere, moment(0s));
  ASSERT_EQ(why(refused), Why::TooFast);
  EXPECT_EQ(std::get<GateRefusal>(refused).retry_after, 10s);
  EXPECT_EQ(gate.rates().bad_secrets(), 10u);
  EXPECT_EQ(name_of(gate.admit(kClubSecret, kElsewhere, moment(0s))), "club");
  EXPECT_EQ(name_of(gate.admit("", kThere, moment(0s))), "anonymous");
  EXPECT_EQ(name_of(gate.admit(kClubSecret, kThere, moment(10s))), "club");
}

TEST(GateTest, OneClientBehindAProxyHereDoesNotLockTheOthersOut) {
  Gate gate(club());
  for (int i = 0; i < 100; ++i) static_cast<void>(gate.admit(kWrong, kHere, moment(0s)));
  EXPECT_EQ(name_of(gate.admit(kClubSecret, kHere, moment(0s))), "club");
}

TEST(GateTest, ARevokedTokenIsBackWithTheNextReload) {
  Gate gate(club());
  EXPECT_TRUE(gate.revoke("club"));
  EXPECT_EQ(why(gate.admit(kClubSecret, kThere, moment(0s))), Why::BadToken);
  gate.reload(club());
  EXPECT_EQ(name_of(gate.admit(kClubSecret, kThere, moment(0s))), "club");
}

TEST(GateTest, AReloadForgivesNoWrongSecrets) {
  Gate gate(club());
  for (int i = 0; i < 10; ++i) static_cast<void>(gate.admit(kWrong, kThere, moment(0s)));
  gate.reload(club());
  EXPECT_EQ(why(gate.admit(kClubSecret, kThere, moment(0s))), Why::TooFast);
}

}  // namespace
}  // namespace tengen::daemon
