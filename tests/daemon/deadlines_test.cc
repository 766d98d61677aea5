#include "daemon/deadlines.h"

#include <gtest/gtest.h>

#include <string>

namespace tengen::daemon {
namespace {

TimePoint at(int seconds) { return TimePoint(std::chrono::seconds(seconds)); }

TEST(DeadlinesTest, TheEarliestIsNext) {
  Deadlines<std::string> deadlines;
  EXPECT_EQ(deadlines.next(), std::nullopt);
  deadlines.set("late", at(20));
  deadlines.set("early", at(10));
  EXPECT_EQ(deadlines.next(), at(10));
}

TEST(DeadlinesTest, DueOnesAreTakenOnceInOrderOfTime) {
  Deadlines<std::string> deadlines;
  deadlines.set("c", at(30));
  deadlines.set("b", at(10));
  deadlines.set("a", at(20));
  EXPECT_EQ(deadlines.take_due(at(20)), "b");
  EXPECT_EQ(deadlines.take_due(at(20)), "a");
  EXPECT_EQ(deadlines.take_due(at(20)), std::nullopt);
  EXPECT_EQ(deadlines.next(), at(30));
}

TEST(DeadlinesTest, ADeadlineIsDueAtItsExactInstant) {
  Deadlines<std::string> deadlines;
  deadlines.set("a", at(10));
  EXPECT_EQ(deadlines.take_due(at(10) - std::chrono::nanoseconds(1)), std::nullopt);
  EXPECT_EQ(deadlines.take_due(at(10)), "a");
}

TEST(DeadlinesTest, SettingAgainReplaces) {
  Deadlines<std::string> deadlines;
  deadlines.set("a", at(10));
  deadlines.set("a", at(30));
  EXPECT_EQ(deadlines.next(), at(30));
  EXPECT_EQ(deadlines.take_due(at(29)), std::nullopt);
  deadlines.set("a", at(5));
  EXPECT_EQ(deadlines.take_due(at(29)), "a");
  EXPECT_EQ(deadlines.take_due(at(99)), std::nullopt);
}

TEST(DeadlinesTest, SettingNoneRemoves) {
  Deadlines<std::string> deadlines;
  deadlines.set("a", at(10));
  deadlines.set("a", std::nullopt);
  deadlines.set("never there", std::nullopt);
  EXPECT_EQ(deadlines.next(), std::nullopt);
  EXPECT_EQ(deadlines.take_due(at(99)), std::nullopt);
}

TEST(DeadlinesTest, KeysMayShareAnInstant) {
  Deadlines<int> deadlines;
  deadlines.set(2, at(10));
  deadlines.set(1, at(10));
  EXPECT_EQ(deadlines.take_due(at(10)), 1);
  EXPECT_EQ(deadlines.take_due(at(10)), 2);
}

}  // namespace
}  // namespace tengen::daemon
