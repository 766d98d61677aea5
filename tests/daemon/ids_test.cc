#include "daemon/ids.h"

#include <gtest/gtest.h>

#include <set>

namespace tengen::daemon {
namespace {

TEST(GameIdsTest, AnIdBeginsWithItsTimeInMilliseconds) {
  std::mt19937_64 random(1);
  // 1'700'000'000'123 = 0x018bcfe5687b, by `printf %x`.
  const auto id = make_game_id(1'700'000'000'123, random);
  EXPECT_EQ(rules::to_text(id).substr(0, 12), "018bcfe5687b");
}

TEST(GameIdsTest, LaterIdsAreGreater) {
  std::mt19937_64 random(1);
  auto before = make_game_id(1, random);
  for (std::int64_t ms = 2; ms < 200; ++ms) {
    const auto next = make_game_id(ms, random);
    EXPECT_LT(before, next);
    before = next;
  }
}

TEST(GameIdsTest, IdsOfOneMillisecondDiffer) {
  std::mt19937_64 random(1);
  std::set<rules::GameId> ids;
  for (int i = 0; i < 1'000; ++i) ids.insert(make_game_id(1'700'000'000'000, random));
  EXPECT_EQ(ids.size(), 1'000u);
}

}  // namespace
}  // namespace tengen::daemon
