// Seeds of games and of moves. The expected numbers are HMAC-SHA-256 by Python's hmac module.
#include "daemon/seeds.h"

#include <gtest/gtest.h>

#include "tests/daemon/counting_key.h"

namespace tengen::daemon {
namespace {

std::string hex(const rules::GameSeed& seed) {
  std::string text;
  for (const std::uint8_t byte : seed) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

TEST(Seeds, AGamesSeedIsTheMacOfItsId) {
  EXPECT_EQ(hex(draw_seed(counting_key(), {1, 2})),
            "bdb79f7bf682111ddff51488b39057c90304c950ed6a32483bad094139f4f111");
  EXPECT_NE(draw_seed(counting_key(), {1, 2}), draw_seed(counting_key(), {1, 3}));
  EXPECT_NE(draw_seed(counting_key(), {1, 2}), draw_seed(TicketKey{}, {1, 2}));
}

TEST(Seeds, AMovesSeedIsTheFirst31BitsOfTheMacOfItsNumber) {
  EXPECT_EQ(engine_seed(counting_key(), {0, 0}), 172556664u);
  EXPECT_EQ(engine_seed(counting_key(), {1, 0}), 114250271u);
  EXPECT_EQ(engine_seed(counting_key(), {300, 0}), 1600257583u);
}

TEST(Seeds, AMoveThatIsAskedForAgainHasAnotherSeed) {
  EXPECT_EQ(engine_seed(counting_key(), {0, 1}), 802502433u);
  EXPECT_EQ(engine_seed(counting_key(), {0, 2}), 581993966u);
  EXPECT_EQ(engine_seed(counting_key(), {300, 1}), 1655769518u);
}

}  // namespace
}  // namespace tengen::daemon
