// A simulator that finds nothing proves nothing: each promise broken on purpose must be seen.
#include <gtest/gtest.h>

#include "sim/world.h"

namespace tengen::sim {
namespace {

class BrokenPromise : public testing::TestWithParam<Sabotage> {};

TEST_P(BrokenPromise, IsFoundWithinAHundredSeeds) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    if (World(seed, GetParam()).run()) return;
  }
  FAIL() << "no seed noticed";
}

INSTANTIATE_TEST_SUITE_P(
    Simulator, BrokenPromise,
    testing::Values(Sabotage::AnswerBeforeCommit, Sabotage::LoseEvent, Sabotage::AnswerTwice,
                    Sabotage::LoseReply, Sabotage::ForgetGame, Sabotage::LoseAnswer,
                    Sabotage::AnswerCallTwice, Sabotage::ForgetAgentAct, Sabotage::OfferTakenPoint,
                    Sabotage::ShowAhead, Sabotage::KeepGoneWait, Sabotage::LoseEnd,
                    Sabotage::EndTwice, Sabotage::UpdateAfterEnd, Sabotage::KeepGoneListener));

TEST(Simulator, RepeatsARunFromItsSeed) {
  World first(7, Sabotage::None);
  World second(7, Sabotage::None);
  EXPECT_EQ(first.run(), second.run());
  EXPECT_EQ(first.counts, second.counts);
  EXPECT_GT(first.counts["events"], 0u);
}

}  // namespace
}  // namespace tengen::sim
