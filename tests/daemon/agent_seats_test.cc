#include "daemon/agent_seats.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{std::chrono::hours(1)};
constexpr AgentLimits kLimits{2, 3, 60'000ms};

AgentSeats both_seats() {
  AgentSeats seats({1, 2}, kLimits);
  seats.note_call(1, kStart);
  seats.note_call(2, kStart);
  return seats;
}

AgentAct act_of(int slot, std::string key, std::uint32_t seq) {
  return {slot, std::move(key), true, 200, seq, ""};
}

TEST(AgentSeatsTest, ThereIsNoActBeforeTheFirstAndEachSlotHasItsOwn) {
  AgentSeats seats = both_seats();
  EXPECT_EQ(seats.last_act(1), nullptr);
  seats.remember(act_of(1, "", 1));
  ASSERT_NE(seats.last_act(1), nullptr);
  EXPECT_EQ(seats.last_act(1)->seq, 1u);
  EXPECT_EQ(seats.last_act(2), nullptr);
}

TEST(AgentSeatsTest, AnActIsFoundByItsKeyAndSlot) {
  AgentSeats seats = both_seats();
  seats.remember(act_of(1, "k", 1));
  seats.remember(act_of(1, "", 3));
  ASSERT_NE(seats.find_act(1, "k"), nullptr);
  EXPECT_EQ(seats.find_act(1, "k")->seq, 1u);
  EXPECT_EQ(seats.find_act(2, "k"), nullptr);
  EXPECT_EQ(seats.find_act(1, ""), nullptr);
  EXPECT_EQ(seats.last_act(1)->seq, 3u);
}

TEST(AgentSeatsTest, KeysOfASlotAreLimited) {
  AgentSeats seats = both_seats();
  for (const char* key : {"a", "b", "c"}) seats.remember(act_of(1, key, 1));
  EXPECT_FALSE(seats.has_room_for(1, "d"));
  EXPECT_TRUE(seats.has_room_for(1, ""));
  EXPECT_TRUE(seats.has_room_for(2, "d"));
}

TEST(AgentSeatsTest, TwoWaitsOfASlotAreOpenAtMost) {
  AgentSeats seats = both_seats();
  seats.wait({HttpId{1}, 1, kStart + 8s});
  EXPECT_TRUE(seats.can_wait(1));
  seats.wait({HttpId{2}, 1, kStart + 4s});
  EXPECT_FALSE(seats.can_wait(1));
  EXPECT_TRUE(seats.can_wait(2));
  seats.forget_wait(HttpId{1}, kStart);
  EXPECT_TRUE(seats.can_wait(1));
}

TEST(AgentSeatsTest, WhoseConnectionBreaksWasThereUntilThen) {
  AgentSeats seats = both_seats();
  seats.note_call(1, kStart);
  seats.note_call(2, kStart + 20s);
  seats.wait({HttpId{1}, 1, kStart + 30s});
  seats.forget_wait(HttpId{1}, kStart + 15s);
  EXPECT_EQ(seats.absent(kStart + 74999ms), std::nullopt);
  EXPECT_EQ(seats.absent(kStart + 75s), 1);
}

TEST(AgentSeatsTest, WaitsEndInTheirOwnTime) {
  AgentSeats seats = both_seats();
  seats.wait({HttpId{1}, 1, kStart + 8s});
  seats.wait({HttpId{2}, 2, kStart + 4s});
  EXPECT_EQ(seats.deadline(), kStart + 4s);
  EXPECT_TRUE(seats.take_due_waits(kStart + 3999ms).empty());
  const auto due = seats.take_due_waits(kStart + 4s);
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].request, HttpId{2});
  EXPECT_EQ(seats.deadline(), kStart + 8s);
  EXPECT_EQ(seats.take_waits().size(), 1u);
  EXPECT_EQ(seats.waits(), 0u);
}

TEST(AgentSeatsTest, WaitsAreTakenBySlot) {
  AgentSeats seats = both_seats();
  seats.wait({HttpId{1}, 1, kStart + 8s});
  seats.wait({HttpId{2}, 2, kStart + 8s});
  const auto taken = seats.take_waits(2);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].slot, 2);
  EXPECT_NE(seats.waits(), 0u);
}

TEST(AgentSeatsTest, ASlotIsAbsentAfterItsSilenceAndNotBefore) {
  AgentSeats seats = both_seats();
  seats.note_call(2, kStart + 1s);
  EXPECT_EQ(seats.deadline(), kStart + 60s);
  EXPECT_EQ(seats.absent(kStart + 60s - 1ms), std::nullopt);
  EXPECT_EQ(seats.absent(kStart + 60s), 1);
  seats.note_call(1, kStart + 60s);
  EXPECT_EQ(seats.absent(kStart + 60s), std::nullopt);
  EXPECT_EQ(seats.absent(kStart + 61s), 2);
}

TEST(AgentSeatsTest, WhoWaitsIsThereAndItsSilenceBeginsWhenTheWaitEnds) {
  AgentSeats seats({1}, kLimits);
  seats.note_call(1, kStart);
  seats.wait({HttpId{1}, 1, kStart + 90s});
  EXPECT_EQ(seats.absent(kStart + 70s), std::nullopt);
  EXPECT_EQ(seats.deadline(), kStart + 90s);
  EXPECT_EQ(seats.take_due_waits(kStart + 90s).size(), 1u);
  EXPECT_EQ(seats.deadline(), kStart + 150s);
}

}  // namespace
}  // namespace tengen::daemon
