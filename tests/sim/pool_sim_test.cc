// A simulator that finds nothing proves nothing: each of the pool's promises broken on purpose must
// be seen. And short runs of whole seasons, which pool_sim_runner makes long.
#include <gtest/gtest.h>

#include "sim/pool_world.h"

namespace tengen::sim {
namespace {

class BrokenPoolPromise : public testing::TestWithParam<PoolSabotage> {};

TEST_P(BrokenPoolPromise, IsFoundWithinTwentySeeds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    if (PoolWorld(seed, 3'000, GetParam()).run()) return;
  }
  FAIL() << "no seed noticed";
}

INSTANTIATE_TEST_SUITE_P(PoolSimulator, BrokenPoolPromise,
                         testing::Values(PoolSabotage::LosePlay, PoolSabotage::HideRefusal,
                                         PoolSabotage::ForgeAnswer, PoolSabotage::EndTwice,
                                         PoolSabotage::LoseEnd, PoolSabotage::BuryAlive,
                                         PoolSabotage::ForgetDeadlines, PoolSabotage::SpoilWrite,
                                         PoolSabotage::LieAboutBoard, PoolSabotage::DeafToMemory));

TEST(PoolSimulator, KeepsEveryPromiseThroughAFewSeasons) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    EXPECT_EQ(PoolWorld(seed, 4'000).run().value_or(""), "");
  }
}

TEST(PoolSimulator, RepeatsARunFromItsSeed) {
  PoolWorld first(7, 3'000);
  PoolWorld second(7, 3'000);
  EXPECT_EQ(first.run(), second.run());
  EXPECT_EQ(first.counts, second.counts);
  EXPECT_GT(first.counts["moves played"], 0u);
}

}  // namespace
}  // namespace tengen::sim
