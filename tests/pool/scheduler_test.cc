// Whose turn it is, and who goes first all the same.
#include "pool/scheduler.h"

#include <gtest/gtest.h>

#include "pool/limits.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::genmove_job;

constexpr Shares kShares = {16, 4, 1};

Held holds(std::uint64_t game, std::uint8_t size) {
  return {rules::GameId{game, game}, rules::Size{size, size}};
}

Scheduler::May any(const Work&) { return Scheduler::May::Take; }

class SchedulerTest : public ::testing::Test {
 protected:
  std::unique_ptr<Work> work(std::uint64_t id, std::uint64_t game, int size = 9) const {
    return std::make_unique<Work>(genmove_job(id, game, {}, size), id, now_);
  }
  void add(std::uint64_t id, std::uint64_t game, int size = 9) {
    scheduler_.add(work(id, game, size));
  }
  void add_for(std::uint64_t id, std::uint64_t client, Priority priority = Priority::Move) {
    auto made = work(id, id);
    made->job.client = {client};
    made->job.priority = priority;
    scheduler_.add(std::move(made));
  }
  /// Takes a job, which costs as much as is said, and gives its id; 0 when there is none.
  std::uint64_t take(const Held& held = {}, milliseconds cost = milliseconds(100)) {
    auto taken = scheduler_.take(held, any, now_);
    EXPECT_EQ(scheduler_.broken_invariant().value_or(""), "");
    if (!taken) return 0;
    scheduler_.settle(*taken, cost);
    return taken->job.id.value;
  }

  TimePoint now_{std::chrono::hours(1)};
  Scheduler scheduler_{kShares};
};

TEST(FitOf, IsBestForTheGameThatIsHeldThenForItsSize) {
  const Job job = genmove_job(1, 7);
  EXPECT_EQ(fit_of(holds(7, 9), job), Fit::SameGame);
  EXPECT_EQ(fit_of(holds(6, 9), job), Fit::SameSize);
  EXPECT_EQ(fit_of(holds(5, 19), job), Fit::OtherSize);
  EXPECT_EQ(fit_of({}, job), Fit::SameSize) << "nobody's tree is lost";
}

TEST_F(SchedulerTest, TakesTheSameGameThenTheSameSizeThenTheOldest) {
  add(1, 1, 19);
  add(2, 2, 13);
  add(3, 3, 9);
  add(4, 4, 9);
  EXPECT_EQ(take(holds(4, 9)), 4u);
  EXPECT_EQ(take(holds(4, 9)), 3u);
  EXPECT_EQ(take(holds(4, 9)), 1u);
  EXPECT_EQ(take(), 2u);
  EXPECT_EQ(take(), 0u);
}

TEST_F(SchedulerTest, LetsAtMostEightLaterJobsPassTheOneWhoseTurnItIs) {
  add(1, 1, 19);
  std::uint64_t next = 2;
  int passed = 0;
  while (true) {
    add(next++, 7, 9);
    if (take(holds(7, 9)) == 1) break;
    ++passed;
  }
  EXPECT_EQ(passed, Limits::kOvertakesMax);
}

TEST_F(SchedulerTest, PutsAJobThatIsTriedAgainWhereItWas) {
  add(1, 1);
  add(2, 2);
  add(3, 3);
  auto first = scheduler_.take({}, any, now_);
  add(4, 4);
  scheduler_.settle(*first, milliseconds(100));
  scheduler_.add(std::move(first));
  EXPECT_EQ(take(), 1u);
}

TEST_F(SchedulerTest, GivesClientsTurnsHoweverManyJobsTheyHave) {
  for (std::uint64_t id = 1; id <= 100; ++id) add_for(id, 1);
  EXPECT_EQ(take(), 1u);
  add_for(101, 2);
  add_for(102, 2);
  std::vector<std::uint64_t> order;
  for (int i = 0; i < 5; ++i) order.push_back(take());
  EXPECT_EQ(order, (std::vector<std::uint64_t>{101, 2, 102, 3, 4})) << "and then whoever is left";
}

TEST_F(SchedulerTest, SharesTimeAndNotTurns) {
  for (std::uint64_t id = 1; id <= 40; ++id) add_for(id, 1);
  for (std::uint64_t id = 101; id <= 140; ++id) add_for(id, 2);
  std::array<int, 2> taken{};
  milliseconds spent{0};
  while (spent < milliseconds(3000)) {
    auto one = scheduler_.take({}, any, now_);
    const bool is_slow = one->job.client.value == 1;
    const milliseconds cost(is_slow ? 300 : 100);
    scheduler_.settle(*one, cost);
    spent += cost;
    ++taken[is_slow ? 0 : 1];
  }
  EXPECT_NEAR(taken[1], 3 * taken[0], 3) << "three quick ones for each slow one";
}

TEST_F(SchedulerTest, GivesNoCreditForRest) {
  for (std::uint64_t id = 1; id <= 50; ++id) add_for(id, 1);
  for (int i = 0; i < 20; ++i) take();
  for (std::uint64_t id = 101; id <= 120; ++id) add_for(id, 2);
  int of_second = 0;
  for (int i = 0; i < 10; ++i) of_second += take() > 100 ? 1 : 0;
  EXPECT_NEAR(of_second, 5, 1) << "its turn like the other's, not all of what it missed";
}

TEST_F(SchedulerTest, SharesTimeAmongTheKindsOfWorkByWeight) {
  std::uint64_t id = 0;
  for (int i = 0; i < 400; ++i) {
    add_for(++id, 1, Priority::Move);
    add_for(++id, 2, Priority::Question);
    add_for(++id, 3, Priority::Analysis);
  }
  std::array<int, kPriorities> taken{};
  for (int i = 0; i < 210; ++i) {
    auto one = scheduler_.take({}, any, now_);
    scheduler_.settle(*one, milliseconds(100));
    ++taken[static_cast<std::size_t>(one->job.priority)];
  }
  EXPECT_NEAR(taken[0], 160, 2);
  EXPECT_NEAR(taken[1], 40, 2);
  EXPECT_NEAR(taken[2], 10, 2);
}

TEST_F(SchedulerTest, TakesAJobThatIsDueSoonBeforeTheOthers) {
  add(1, 1);
  auto hurried = work(2, 2);
  hurried->due = now_ + milliseconds(250);
  auto patient = work(3, 3);
  patient->due = now_ + seconds(60);
  scheduler_.add(std::move(patient));
  scheduler_.add(std::move(hurried));
  EXPECT_EQ(take(), 2u);
  EXPECT_EQ(take(), 1u);
  EXPECT_EQ(take(), 3u);
}

TEST_F(SchedulerTest, LeavesAloneWhatAnEngineMayNotTakeNow) {
  add(1, 1);
  add(2, 2);
  const auto not_the_first = [](const Work& each) {
    return each.job.id.value == 1 ? Scheduler::May::NotNow : Scheduler::May::Take;
  };
  EXPECT_EQ(scheduler_.take({}, not_the_first, now_)->job.id.value, 2u);
  EXPECT_EQ(scheduler_.take({}, not_the_first, now_), nullptr);
  EXPECT_EQ(scheduler_.next()->overtaken, 0) << "it did not wait for its turn";
}

TEST_F(SchedulerTest, LeavesAnEngineOfAnotherVariantWithoutWorkInTheEnd) {
  add(1, 1);
  const auto other = [](const Work& each) {
    return each.job.id.value == 1 ? Scheduler::May::OtherVariant : Scheduler::May::Take;
  };
  for (std::uint64_t id = 2; id <= 20; ++id) add(id, id);
  int taken = 0;
  while (scheduler_.take({}, other, now_)) ++taken;
  EXPECT_EQ(taken, Limits::kOvertakesMax);
  EXPECT_EQ(take(), 1u) << "and an engine that may takes it at once";
}

TEST_F(SchedulerTest, RemovesByJobByGameByClientAndByTime) {
  for (std::uint64_t id = 1; id <= 6; ++id) {
    auto made = work(id, id <= 2 ? 1 : id);
    made->job.client = {id <= 4 ? 1u : 2u};
    if (id == 6) made->job.until = now_ + seconds(5);
    scheduler_.add(std::move(made));
  }
  EXPECT_EQ(scheduler_.size_of({1}), 4u);
  EXPECT_EQ(scheduler_.next_expiry(), now_ + seconds(5));
  EXPECT_EQ(scheduler_.remove({3})->job.id.value, 3u);
  EXPECT_EQ(scheduler_.remove({3}), nullptr);
  EXPECT_EQ(scheduler_.remove_game({1, 1}).size(), 2u);
  EXPECT_EQ(scheduler_.remove_client({1}).size(), 1u);
  EXPECT_TRUE(scheduler_.remove_expired(now_ + seconds(4)).empty());
  EXPECT_EQ(scheduler_.remove_expired(now_ + seconds(5)).size(), 1u);
  EXPECT_EQ(scheduler_.remove_all().size(), 1u);
  EXPECT_TRUE(scheduler_.is_empty());
  EXPECT_EQ(scheduler_.next_expiry(), std::nullopt);
  EXPECT_EQ(scheduler_.broken_invariant().value_or(""), "");
}

TEST_F(SchedulerTest, RemembersNoMoreClientsThanItMayAndForgetsNoneThatHasWork) {
  add_for(1, 1);
  add_for(2, 1);
  for (std::uint64_t client = 2; client < Limits::kFlowsMax + 100; ++client) {
    add_for(1000 + client, client);  // and goes away again
    ASSERT_NE(scheduler_.remove({1000 + client}), nullptr);
  }
  EXPECT_EQ(scheduler_.broken_invariant().value_or(""), "");
  EXPECT_EQ(scheduler_.size_of({1}), 2u);
  EXPECT_EQ(take(), 1u);
  EXPECT_EQ(take(), 2u);
  for (std::uint64_t client = 2; client < Limits::kFlowsMax + 100; ++client) {
    add_for(10'000 + client, client);
  }
  EXPECT_EQ(scheduler_.broken_invariant().value_or(""), "") << "those with work do not count";
  EXPECT_EQ(scheduler_.size(), Limits::kFlowsMax + 98);
}

TEST_F(SchedulerTest, TellsTheFirstOnesOfAKind) {
  EXPECT_TRUE(scheduler_.next_ones(Priority::Move).empty());
  add_for(1, 1);
  EXPECT_EQ(scheduler_.next_ones(Priority::Move).size(), 1u);
  EXPECT_TRUE(scheduler_.next_ones(Priority::Question).empty());
  for (std::uint64_t id = 2; id <= 100; ++id) add_for(id, id, Priority::Analysis);
  add_for(101, 2, Priority::Question);
  EXPECT_EQ(scheduler_.next_ones(Priority::Analysis).size(), Limits::kLookaheadMax);
  ASSERT_EQ(scheduler_.next_ones(Priority::Question).size(), 1u);
  EXPECT_EQ(scheduler_.next_ones(Priority::Question).front()->job.id.value, 101u);
}

TEST_F(SchedulerTest, LetsAMoveGoBeforeAStreamThatHadItsShare) {
  add_for(1, 1, Priority::Analysis);
  EXPECT_EQ(take({}, milliseconds(0)), 1u);
  EXPECT_FALSE(scheduler_.is_before_stream(Priority::Move, seconds(1))) << "nobody waits";
  add_for(2, 2);
  EXPECT_TRUE(scheduler_.is_before_stream(Priority::Move, seconds(1)));
}

}  // namespace
}  // namespace tengen::pool
