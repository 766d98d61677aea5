#include "pool/stats.h"

#include <gtest/gtest.h>

namespace tengen::pool {
namespace {

using namespace std::chrono_literals;

TEST(Histogram, CountsADurationInItsBucketAndInAllAbove) {
  Histogram histogram;
  histogram.add(3ms);
  // The bounds are 1, 2, 5, 10 ... ms.
  EXPECT_EQ(histogram.counts()[0], 0u);
  EXPECT_EQ(histogram.counts()[1], 0u);
  for (std::size_t i = 2; i < histogram.counts().size(); ++i) {
    EXPECT_EQ(histogram.counts()[i], 1u) << i;
  }
  EXPECT_EQ(histogram.count(), 1u);
  EXPECT_EQ(histogram.sum(), 3ms);
}

TEST(Histogram, ABoundBelongsToItsBucket) {
  Histogram histogram;
  histogram.add(1ms);
  EXPECT_EQ(histogram.counts()[0], 1u);
  histogram.add(1ms + 1ns);
  EXPECT_EQ(histogram.counts()[0], 1u);
  EXPECT_EQ(histogram.counts()[1], 2u);
  EXPECT_EQ(histogram.sum(), 2ms + 1ns);
}

TEST(Histogram, WhatIsLongerThanEveryBoundIsCountedAtTheEndOnly) {
  Histogram histogram;
  histogram.add(300s);
  histogram.add(301s);
  EXPECT_EQ(histogram.counts()[Histogram::kBoundsMs.size() - 1], 1u);
  EXPECT_EQ(histogram.count(), 2u);
}

TEST(Histogram, ANegativeDurationCountsAsNone) {
  Histogram histogram;
  histogram.add(-5s);
  EXPECT_EQ(histogram.counts()[0], 1u);
  EXPECT_EQ(histogram.sum(), 0ns);
}

}  // namespace
}  // namespace tengen::pool
