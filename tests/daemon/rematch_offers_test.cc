#include "daemon/rematch_offers.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

rules::GameId game(std::uint64_t number) { return {0, number}; }

TEST(RematchOffersTest, EachSideOffersForItself) {
  RematchOffers offers(2);
  offers.add({game(1), 2});
  EXPECT_TRUE(offers.has({game(1), 2}));
  EXPECT_FALSE(offers.has({game(1), 1}));
  EXPECT_FALSE(offers.has({game(2), 2}));
  offers.add({game(1), 1});
  EXPECT_TRUE(offers.has({game(1), 1}));
  EXPECT_TRUE(offers.has({game(1), 2}));
}

TEST(RematchOffersTest, OfTooManyGamesTheOldestIsForgotten) {
  RematchOffers offers(2);
  offers.add({game(1), 1});
  offers.add({game(2), 1});
  offers.add({game(1), 2});  // no game more
  EXPECT_TRUE(offers.has({game(1), 1}));
  offers.add({game(3), 1});
  EXPECT_EQ(offers.size(), 2u);
  EXPECT_FALSE(offers.has({game(1), 1}));
  EXPECT_TRUE(offers.has({game(2), 1}));
  EXPECT_TRUE(offers.has({game(3), 1}));
}

}  // namespace
}  // namespace tengen::daemon
