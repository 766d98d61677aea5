// Who does what.
#include "pool/scheduler.h"

#include <gtest/gtest.h>

#include "pool/limits.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using tests::genmove_job;

TimePoint at(int ms) { return TimePoint(std::chrono::milliseconds(ms)); }

Held holds(std::uint64_t game, std::uint8_t size) {
  return {rules::GameId{game, game}, rules::Size{size, size}};
}

void add(Queue& queue, std::uint64_t id, std::uint64_t game, int size = 9) {
  enqueue(queue, std::make_unique<Work>(genmove_job(id, game, {}, size), id));
}

std::uint64_t take(Queue& queue, const Held& held) { return take_best(queue, held)->job.id.value; }

TEST(Scheduler, PrefersTheEngineThatHoldsTheGameThenTheSizeThenAny) {
  std::vector<IdleEngine> idle = {
      {{2}, holds(5, 19), at(1)}, {{3}, holds(6, 9), at(2)}, {{4}, holds(7, 9), at(3)}};
  const Job job = genmove_job(1, 7);
  EXPECT_EQ(choose_engine(idle, job), EngineId{4});
  idle.pop_back();
  EXPECT_EQ(choose_engine(idle, job), EngineId{3});
  idle.pop_back();
  EXPECT_EQ(choose_engine(idle, job), EngineId{2});
  idle.clear();
  EXPECT_EQ(choose_engine(idle, job), std::nullopt);
}

TEST(Scheduler, SparesAnotherGamesTreeWhileAnEngineHoldsNothing) {
  const std::vector<IdleEngine> idle = {{{1}, holds(1, 9), at(5)}, {{2}, {}, at(3)}};
  EXPECT_EQ(choose_engine(idle, genmove_job(1, 7)), EngineId{2});
}

TEST(Scheduler, TakesTheEngineIdleLongestAmongEquals) {
  const std::vector<IdleEngine> idle = {{{1}, holds(1, 9), at(5)}, {{2}, holds(2, 9), at(3)}};
  EXPECT_EQ(choose_engine(idle, genmove_job(1, 7)), EngineId{2});
}

TEST(Scheduler, TakesTheSameGameThenTheSameSizeThenTheOldest) {
  Queue queue;
  add(queue, 1, 1, 19);
  add(queue, 2, 2, 13);
  add(queue, 3, 3, 9);
  add(queue, 4, 4, 9);
  const Held held = holds(4, 9);
  EXPECT_EQ(take(queue, held), 4u);
  EXPECT_EQ(take(queue, held), 3u);
  EXPECT_EQ(take(queue, held), 1u);
  EXPECT_EQ(take(queue, {}), 2u);
}

TEST(Scheduler, LetsAtMostEightLaterJobsPassTheOldest) {
  Queue queue;
  add(queue, 1, 1, 19);
  std::uint64_t next = 2;
  int passed = 0;
  while (true) {
    add(queue, next++, 7, 9);
    if (take(queue, holds(7, 9)) == 1) break;
    ++passed;
  }
  EXPECT_EQ(passed, 8);
}

TEST(Scheduler, PutsAJobThatIsTriedAgainWhereItWas) {
  Queue queue;
  add(queue, 1, 1);
  add(queue, 2, 2);
  add(queue, 3, 3);
  auto first = take_best(queue, {});
  add(queue, 4, 4);
  enqueue(queue, std::move(first));
  EXPECT_EQ(take(queue, {}), 1u);
}

}  // namespace
}  // namespace tengen::pool
