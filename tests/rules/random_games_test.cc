// Board and Record against a slow, obviously right twin over random games of every size. The long
// run of the same comparison is tests/oracles.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/board_twin.h"

namespace tengen::rules {
namespace {

using tengen::tests::BoardTwin;
using tengen::tests::play_random_twin;

KoRule random_ko(std::mt19937_64& random) { return static_cast<KoRule>(1 + random() % 3); }
SuicideRule random_suicide(std::mt19937_64& random) {
  return static_cast<SuicideRule>(1 + random() % 3);
}

TEST(RandomGames, AgreeWithTheSlowBoardOnEverySize) {
  std::mt19937_64 random(2024);
  long moves = 0;
  for (std::uint8_t width = 1; width <= 25; ++width) {
    const Size size{width, static_cast<std::uint8_t>(1 + random() % 25)};
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
    BoardTwin twin(size, random_ko(random), random_suicide(random));
    ASSERT_EQ(play_random_twin(twin, 3 * size.area(), random, moves), std::nullopt);
  }
  EXPECT_GT(moves, 4000);
}

TEST(RandomGames, AgreeWithTheSlowBoardOnCrowdedSmallBoards) {
  std::mt19937_64 random(7);
  long moves = 0;
  int captures = 0;
  int suicides = 0;
  for (int game = 0; game < 400; ++game) {
    const Size size{static_cast<std::uint8_t>(2 + random() % 6),
                    static_cast<std::uint8_t>(2 + random() % 6)};
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
    BoardTwin twin(size, random_ko(random), random_suicide(random));
    ASSERT_EQ(play_random_twin(twin, 150, random, moves), std::nullopt);
    captures += twin.captures();
    suicides += twin.suicides();
  }
  EXPECT_GT(moves, 15000);
  EXPECT_GT(captures, 1000);
  EXPECT_GT(suicides, 200);
}

}  // namespace
}  // namespace tengen::rules
