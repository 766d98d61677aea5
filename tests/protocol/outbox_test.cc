#include "protocol/outbox.h"

#include <gtest/gtest.h>

namespace tengen::protocol {
namespace {

SharedFrame frame_of(std::size_t bytes) { return std::make_shared<const std::string>(bytes, 'f'); }

TEST(OutboxTest, FramesAreWrittenOneAtATimeInOrder) {
  Outbox outbox;
  const SharedFrame first = frame_of(3);
  const SharedFrame second = frame_of(5);
  EXPECT_EQ(outbox.begin_write(), nullptr);
  EXPECT_EQ(outbox.push(first), Outbox::Queued::Accepted);
  EXPECT_EQ(outbox.push(second), Outbox::Queued::Accepted);
  EXPECT_EQ(outbox.bytes(), 8u);
  EXPECT_EQ(outbox.begin_write(), first);
  EXPECT_EQ(outbox.begin_write(), nullptr);
  outbox.written();
  EXPECT_EQ(outbox.bytes(), 5u);
  EXPECT_EQ(outbox.begin_write(), second);
  outbox.written();
  EXPECT_TRUE(outbox.is_empty());
  EXPECT_EQ(outbox.bytes(), 0u);
}

TEST(OutboxTest, FrameBeingWrittenStillCounts) {
  Outbox outbox;
  ASSERT_EQ(outbox.push(frame_of(kOutboxBytesMax)), Outbox::Queued::Accepted);
  ASSERT_NE(outbox.begin_write(), nullptr);
  EXPECT_EQ(outbox.push(frame_of(1)), Outbox::Queued::Overflow);
  outbox.written();
  EXPECT_EQ(outbox.push(frame_of(1)), Outbox::Queued::Accepted);
}

TEST(OutboxTest, OverflowLeavesTheOutboxAsItWas) {
  Outbox outbox;
  const SharedFrame kept = frame_of(kOutboxBytesMax - 1);
  ASSERT_EQ(outbox.push(kept), Outbox::Queued::Accepted);
  EXPECT_EQ(outbox.push(frame_of(2)), Outbox::Queued::Overflow);
  EXPECT_EQ(outbox.bytes(), kOutboxBytesMax - 1);
  EXPECT_EQ(outbox.push(frame_of(1)), Outbox::Queued::Accepted);
  EXPECT_EQ(outbox.begin_write(), kept);
}

TEST(OutboxTest, FrameLongerThanTheLimitOverflowsAnEmptyOutbox) {
  Outbox outbox;
  EXPECT_EQ(outbox.push(frame_of(kOutboxBytesMax + 1)), Outbox::Queued::Overflow);
  EXPECT_TRUE(outbox.is_empty());
}

TEST(OutboxTest, FrameIsSharedNotCopied) {
  const SharedFrame frame = frame_of(10);
  Outbox one;
  Outbox two;
  ASSERT_EQ(one.push(frame), Outbox::Queued::Accepted);
  ASSERT_EQ(two.push(frame), Outbox::Queued::Accepted);
  EXPECT_EQ(frame.use_count(), 3);
}

TEST(OutboxTest, OnlyTheNewestOfAKeyWaitsAndItGoesToTheEnd) {
  Outbox outbox;
  const SharedFrame event = frame_of(5);
  const SharedFrame other = frame_of(7);
  const SharedFrame newest = frame_of(11);
  ASSERT_EQ(outbox.push_newest(frame_of(3), 1), Outbox::Queued::Accepted);
  ASSERT_EQ(outbox.push_newest(other, 2), Outbox::Queued::Accepted);
  ASSERT_EQ(outbox.push(event), Outbox::Queued::Accepted);
  ASSERT_EQ(outbox.push_newest(newest, 1), Outbox::Queued::Accepted);
  EXPECT_EQ(outbox.bytes(), 23u);
  for (const SharedFrame& expected : {other, event, newest}) {
    EXPECT_EQ(outbox.begin_write(), expected);
    outbox.written();
  }
  EXPECT_TRUE(outbox.is_empty());
  EXPECT_EQ(outbox.bytes(), 0u);
}

TEST(OutboxTest, AFrameThatIsBeingWrittenIsNotReplaced) {
  Outbox outbox;
  const SharedFrame first = frame_of(3);
  ASSERT_EQ(outbox.push_newest(first, 1), Outbox::Queued::Accepted);
  ASSERT_EQ(outbox.begin_write(), first);
  const SharedFrame second = frame_of(4);
  ASSERT_EQ(outbox.push_newest(second, 1), Outbox::Queued::Accepted);
  EXPECT_EQ(outbox.bytes(), 7u);
  outbox.written();
  EXPECT_EQ(outbox.begin_write(), second);
}

TEST(OutboxTest, AReaderWhoStopsHoldsOneFrameOfAKeyWhateverComes) {
  Outbox outbox;
  const SharedFrame first = frame_of(100);
  ASSERT_EQ(outbox.push(first), Outbox::Queued::Accepted);
  ASSERT_EQ(outbox.begin_write(), first);
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_EQ(outbox.push_newest(frame_of(1'000), 9), Outbox::Queued::Accepted);
  }
  EXPECT_EQ(outbox.bytes(), 1'100u);
}

TEST(OutboxTest, WriteThatNeverBeganIsOurMistake) {
  Outbox outbox;
  EXPECT_DEATH(outbox.written(), "");
}

TEST(OutboxTest, WhatWaitsIsDroppedAndWhatIsBeingWrittenStays) {
  Outbox outbox;
  for (const char* text : {"first", "second", "third"}) {
    ASSERT_EQ(outbox.push(std::make_shared<const std::string>(text)), Outbox::Queued::Accepted);
  }
  const SharedFrame first = outbox.begin_write();
  outbox.drop_waiting();
  EXPECT_EQ(*first, "first");
  EXPECT_EQ(outbox.bytes(), 5u);
  outbox.written();
  EXPECT_TRUE(outbox.is_empty());
  EXPECT_EQ(outbox.begin_write(), nullptr);
}

}  // namespace
}  // namespace tengen::protocol
