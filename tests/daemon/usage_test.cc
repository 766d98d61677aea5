#include "daemon/usage.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

AccessToken caller(const std::string& name, Quotas quotas) { return {name, {}, {}, quotas}; }
bool take(Usage& usage, const AccessToken& caller, Holding what) {
  return usage.take(caller.name, caller.quotas, what);
}

TEST(UsageTest, EachLimitIsReachedByItself) {
  const AccessToken club = caller("club", {3, 2, 1, 0, 4});
  Usage usage;
  const std::pair<Holding, std::uint32_t> limits[] = {
      {Holding::Game, 3}, {Holding::Analysis, 2}, {Holding::VirtualEngine, 1}, {Holding::Watch, 4}};
  ASSERT_EQ(std::size(limits), kHoldings.size());
  for (const auto& [what, most] : limits) {
    for (std::uint32_t i = 0; i < most; ++i) EXPECT_TRUE(take(usage, club, what));
    EXPECT_FALSE(take(usage, club, what)) << static_cast<int>(what);
    EXPECT_EQ(usage.count("club", what), most);
  }
}

TEST(UsageTest, WhatIsGivenBackCanBeTakenAgain) {
  const AccessToken club = caller("club", {1, 1, 1, 0});
  Usage usage;
  ASSERT_TRUE(take(usage, club, Holding::Game));
  EXPECT_FALSE(take(usage, club, Holding::Game));
  usage.release("club", Holding::Game);
  EXPECT_EQ(usage.count("club", Holding::Game), 0u);
  EXPECT_TRUE(take(usage, club, Holding::Game));
}

TEST(UsageTest, TokensDoNotCountForEachOther) {
  Usage usage;
  EXPECT_TRUE(take(usage, caller("a", {1, 1, 1, 0}), Holding::Analysis));
  EXPECT_TRUE(take(usage, caller("b", {1, 1, 1, 0}), Holding::Analysis));
  EXPECT_TRUE(take(usage, caller("anonymous", {1, 1, 1, 0}), Holding::Analysis));
  EXPECT_EQ(usage.total(Holding::Analysis), 3u);
  EXPECT_EQ(usage.total(Holding::Game), 0u);
}

TEST(UsageTest, ZeroIsNoLimit) {
  Usage usage;
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(take(usage, caller("a", kNoQuotas), Holding::Game));
  EXPECT_EQ(usage.count("a", Holding::Game), 1'000u);
}

TEST(UsageTest, AQuotaThatShrinksTakesNothingAwayAndGivesNothingMore) {
  Usage usage;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(take(usage, caller("a", {3, 1, 1, 0}), Holding::Game));
  const AccessToken now = caller("a", {2, 1, 1, 0});
  usage.release("a", Holding::Game);
  EXPECT_FALSE(take(usage, now, Holding::Game));
  usage.release("a", Holding::Game);
  EXPECT_TRUE(take(usage, now, Holding::Game));
}

TEST(UsageTest, AGameOfAnEarlierRunIsNobodys) {
  Usage usage;
  usage.release("", Holding::Game);
  EXPECT_EQ(usage.total(Holding::Game), 0u);
}

TEST(AccountTest, ATokenIsOneCallerWhereverItIs) {
  const AccessToken club = caller("club", {});
  EXPECT_EQ(account_of(club, Peer("192.0.2.1")), "club");
  EXPECT_EQ(account_of(club, Peer("127.0.0.1")), "club");
}

TEST(AccountTest, WithoutATokenEachPlaceIsACaller) {
  const auto account = [](const char* address) { return account_of(everyone(), Peer(address)); };
  EXPECT_EQ(account("192.0.2.1"), account("::ffff:192.0.2.1"));
  EXPECT_NE(account("192.0.2.1"), account("192.0.2.2"));
  EXPECT_EQ(account("2001:db8:1:2::1"), account("2001:db8:1:2:ffff::"));
  EXPECT_NE(account("2001:db8:1:2::1"), account("2001:db8:1:3::1"));
}

// A proxy is there, and all who come through it.
TEST(AccountTest, WithoutATokenAllOfThisMachineAreOneCaller) {
  const auto account = [](const char* address) { return account_of(everyone(), Peer(address)); };
  EXPECT_EQ(account("127.0.0.1"), "anonymous");
  EXPECT_EQ(account("127.0.0.2"), "anonymous");
  EXPECT_EQ(account("::1"), "anonymous");
}

// What is no address is one place, and no token can be called like any place.
TEST(AccountTest, NoTokenHasTheAccountOfAPlace) {
  for (const char* address : {"192.0.2.1", "2001:db8::1", "somewhere"}) {
    const auto account = account_of(everyone(), Peer(address));
    EXPECT_NE(account, "anonymous");
    EXPECT_TRUE(token_name_problem(account)) << address;
  }
}

TEST(UsageDeathTest, NothingIsGivenBackTwice) {
  Usage usage;
  ASSERT_TRUE(take(usage, caller("a", {}), Holding::Game));
  usage.release("a", Holding::Game);
  EXPECT_DEATH(usage.release("a", Holding::Game), "only what was counted is given back");
  ASSERT_TRUE(take(usage, caller("a", {}), Holding::Analysis));
  EXPECT_DEATH(usage.release("a", Holding::Game), "only what was counted is given back");
}

}  // namespace
}  // namespace tengen::daemon
