// How many playouts the time left allows, with 1000 playouts wanted at 1000 a second: a playout is
// a millisecond. Expected values follow from the shares named in the header.
#include "clients/house/time_budget.h"

#include <gtest/gtest.h>

namespace tengen::house {
namespace {

using rules::Color;
using std::chrono::seconds;

constexpr int kWanted = 1000;

int playouts(const TimeBudget& budget, Color color = Color::Black) {
  return budget.playouts(color, kWanted, 1000);
}

TEST(TimeBudget, WithoutALimitAllPlayoutsAreMade) {
  TimeBudget budget;
  EXPECT_EQ(playouts(budget), kWanted);
  budget.set({TimeSystem::Absolute, seconds(3), {}, 0});
  budget.set({});
  EXPECT_EQ(playouts(budget), kWanted);
  budget.set_left(Color::Black, {seconds(0), 0});
  EXPECT_EQ(playouts(budget), kWanted);
}

TEST(TimeBudget, MainTimeIsSharedAmongThirtyMoves) {
  TimeBudget budget;
  budget.set({TimeSystem::Absolute, seconds(15), {}, 0});
  EXPECT_EQ(playouts(budget), 500);
  budget.set_left(Color::Black, {seconds(3), 0});
  EXPECT_EQ(playouts(budget), 100);
  EXPECT_EQ(playouts(budget, Color::White), 500);
  budget.set_left(Color::Black, {seconds(300), 0});
  EXPECT_EQ(playouts(budget), kWanted);
}

TEST(TimeBudget, HalfAPeriodIsUsedAndACanadianOneIsSharedAmongItsStones) {
  TimeBudget budget;
  budget.set({TimeSystem::Canadian, seconds(0), seconds(10), 25});
  EXPECT_EQ(playouts(budget), 200);
  budget.set_left(Color::Black, {seconds(1), 5});
  EXPECT_EQ(playouts(budget), 100);
  budget.set({TimeSystem::ByoYomi, seconds(0), seconds(1), 5});
  EXPECT_EQ(playouts(budget), 500);
  budget.set_left(Color::Black, {seconds(1), 5});
  EXPECT_EQ(playouts(budget), 500);
}

TEST(TimeBudget, MainTimeThatRunsOutIsNoReasonToHurryBeforeAPeriod) {
  TimeBudget budget;
  budget.set({TimeSystem::ByoYomi, seconds(600), seconds(1), 3});
  budget.set_left(Color::White, {seconds(1), 0});
  EXPECT_EQ(playouts(budget, Color::White), 500);
}

TEST(TimeBudget, AFewPlayoutsAreMadeEvenWithNoTime) {
  TimeBudget budget;
  budget.set({TimeSystem::Absolute, seconds(10), {}, 0});
  budget.set_left(Color::Black, {seconds(0), 0});
  EXPECT_EQ(playouts(budget), TimeBudget::kFewest);
  EXPECT_EQ(budget.playouts(Color::Black, 3, 1000), 3);
}

TEST(TimeBudget, ANewGameForgetsWhatWasLeftButNotTheSettings) {
  TimeBudget budget;
  budget.set({TimeSystem::Absolute, seconds(15), {}, 0});
  budget.set_left(Color::Black, {seconds(0), 0});
  budget.restart();
  EXPECT_EQ(playouts(budget), 500);
}

TEST(TimeBudget, TheLongestTimesDoNotOverflow) {
  TimeBudget budget;
  budget.set({TimeSystem::Canadian, seconds(1'000'000'000), seconds(1'000'000'000), 1});
  EXPECT_EQ(budget.playouts(Color::Black, 1'000'000, 1'000'000), 1'000'000);
}

}  // namespace
}  // namespace tengen::house
