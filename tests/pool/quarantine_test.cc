// Jobs that are put aside for a while, and how many of them.
#include "pool/quarantine.h"

#include <gtest/gtest.h>

#include "pool/limits.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::seconds;
using tests::genmove_job;

class QuarantineTest : public ::testing::Test {
 protected:
  void add(std::uint64_t game, seconds time = seconds(10)) {
    quarantine_.add(genmove_job(++last_, game), now_ + time);
  }
  bool holds(std::uint64_t game) const {
    return quarantine_.left(genmove_job(1'000'000, game), now_).has_value();
  }

  TimePoint now_{std::chrono::hours(1)};
  Quarantine quarantine_;
  std::uint64_t last_ = 0;
};

TEST_F(QuarantineTest, HoldsAJobUntilItsTimeWhateverItsId) {
  add(1);
  EXPECT_EQ(quarantine_.left(genmove_job(77, 1), now_ + seconds(4)), seconds(6));
  EXPECT_EQ(quarantine_.left(genmove_job(77, 1), now_ + seconds(10)), std::nullopt);
  EXPECT_FALSE(holds(2));
  Job other = genmove_job(77, 1);
  other.want = Want::DeadList;
  EXPECT_EQ(quarantine_.left(other, now_), std::nullopt) << "another question";
  quarantine_.clear();
  EXPECT_FALSE(holds(1));
}

TEST_F(QuarantineTest, HoldsAJobThatIsAddedAgainByTheLaterTime) {
  add(1, seconds(10));
  add(1, seconds(30));
  EXPECT_EQ(quarantine_.left(genmove_job(77, 1), now_), seconds(30));
}

TEST_F(QuarantineTest, ForgetsTheOldestBeyondItsLimitAndNoOther) {
  for (std::uint64_t game = 1; game <= Limits::kQuarantineMax; ++game) add(game);
  EXPECT_TRUE(holds(1));
  add(Limits::kQuarantineMax + 1);
  EXPECT_FALSE(holds(1));
  for (std::uint64_t game = 2; game <= Limits::kQuarantineMax + 1; ++game) {
    ASSERT_TRUE(holds(game)) << game;
  }
}

TEST_F(QuarantineTest, CountsAJobThatIsAddedAgainOnceAndAsANewOne) {
  add(1);
  add(2);
  add(1);
  for (std::uint64_t game = 3; game <= Limits::kQuarantineMax; ++game) add(game);
  EXPECT_TRUE(holds(1));
  EXPECT_TRUE(holds(2)) << "there is room for all of them";
  add(Limits::kQuarantineMax + 1);
  EXPECT_FALSE(holds(2)) << "the oldest now";
  EXPECT_TRUE(holds(1));
}

}  // namespace
}  // namespace tengen::pool
