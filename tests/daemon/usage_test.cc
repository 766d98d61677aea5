#include "daemon/usage.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

AccessToken caller(const std::string& name, Quotas quotas) { return {name, {}, {}, quotas}; }

TEST(UsageTest, EachLimitIsReachedByItself) {
  const AccessToken club = caller("club", {3, 2, 1, 0});
  Usage usage;
  const std::pair<Holding, std::uint32_t> limits[] = {
      {Holding::Game, 3}, {Holding::Analysis, 2}, {Holding::VirtualEngine, 1}};
  for (const auto& [what, most] : limits) {
    for (std::uint32_t i = 0; i < most; ++i) EXPECT_TRUE(usage.take(club, what));
    EXPECT_FALSE(usage.take(club, what)) << static_cast<int>(what);
    EXPECT_EQ(usage.count("club", what), most);
  }
}

TEST(UsageTest, WhatIsGivenBackCanBeTakenAgain) {
  const AccessToken club = caller("club", {1, 1, 1, 0});
  Usage usage;
  ASSERT_TRUE(usage.take(club, Holding::Game));
  EXPECT_FALSE(usage.take(club, Holding::Game));
  usage.release("club", Holding::Game);
  EXPECT_EQ(usage.count("club", Holding::Game), 0u);
  EXPECT_TRUE(usage.take(club, Holding::Game));
}

TEST(UsageTest, TokensDoNotCountForEachOther) {
  Usage usage;
  EXPECT_TRUE(usage.take(caller("a", {1, 1, 1, 0}), Holding::Analysis));
  EXPECT_TRUE(usage.take(caller("b", {1, 1, 1, 0}), Holding::Analysis));
  EXPECT_TRUE(usage.take(caller("anonymous", {1, 1, 1, 0}), Holding::Analysis));
  EXPECT_EQ(usage.total(Holding::Analysis), 3u);
  EXPECT_EQ(usage.total(Holding::Game), 0u);
}

TEST(UsageTest, ZeroIsNoLimit) {
  Usage usage;
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(usage.take(caller("a", kNoQuotas), Holding::Game));
  EXPECT_EQ(usage.count("a", Holding::Game), 1'000u);
}

TEST(UsageTest, AQuotaThatShrinksTakesNothingAwayAndGivesNothingMore) {
  Usage usage;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(usage.take(caller("a", {3, 1, 1, 0}), Holding::Game));
  const AccessToken now = caller("a", {2, 1, 1, 0});
  usage.release("a", Holding::Game);
  EXPECT_FALSE(usage.take(now, Holding::Game));
  usage.release("a", Holding::Game);
  EXPECT_TRUE(usage.take(now, Holding::Game));
}

TEST(UsageTest, AGameOfAnEarlierRunIsNobodys) {
  Usage usage;
  usage.release("", Holding::Game);
  EXPECT_EQ(usage.total(Holding::Game), 0u);
}

TEST(UsageDeathTest, NothingIsGivenBackTwice) {
  Usage usage;
  ASSERT_TRUE(usage.take(caller("a", {}), Holding::Game));
  usage.release("a", Holding::Game);
  EXPECT_DEATH(usage.release("a", Holding::Game), "only what was counted is given back");
  ASSERT_TRUE(usage.take(caller("a", {}), Holding::Analysis));
  EXPECT_DEATH(usage.release("a", Holding::Game), "only what was counted is given back");
}

}  // namespace
}  // namespace tengen::daemon
