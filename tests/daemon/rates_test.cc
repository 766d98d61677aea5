// Every rate is reached, and recovers.
#include "daemon/rates.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/daemon/callers.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;

AccessToken caller(const std::string& name, std::uint32_t requests_per_minute = 0) {
  AccessToken token;
  token.name = name;
  token.quotas.requests_per_minute = requests_per_minute;
  return token;
}

/// How many of `calls` at one time are let through.
template <typename Call>
int let_through(int calls, Call call) {
  int count = 0;
  for (int i = 0; i < calls; ++i) count += call().has_value() ? 0 : 1;
  return count;
}

RateLimits small() {
  RateLimits limits;
  limits.before_hello = Rate::per_second(1, 2);
  limits.connection = Rate::per_second(10, 5);
  limits.arrivals = Rate::per_second(1, 3);
  limits.address = Rate::per_second(10, 8);
  limits.failures = Rate::per_minute(6, 4);
  limits.places_max = 3;
  return limits;
}

TEST(BucketTest, ABurstIsLetThroughAndThenOneForEachInterval) {
  const Rate rate = Rate::per_second(4, 3);
  Bucket bucket;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(bucket.wait(rate, moment(0s)), 0ns) << i;
    bucket.take(rate, moment(0s));
  }
  EXPECT_EQ(bucket.wait(rate, moment(0s)), 250ms);
  EXPECT_EQ(bucket.wait(rate, moment(249ms)), 1ms);
  EXPECT_EQ(bucket.wait(rate, moment(250ms)), 0ns);
  bucket.take(rate, moment(250ms));
  EXPECT_EQ(bucket.wait(rate, moment(250ms)), 250ms);
}

TEST(BucketTest, ItFillsUpToItsBurstAndNoFurther) {
  const Rate rate = Rate::per_second(4, 3);
  Bucket bucket;
  EXPECT_TRUE(bucket.is_full(moment(0s)));
  bucket.take(rate, moment(0s));
  EXPECT_FALSE(bucket.is_full(moment(249ms)));
  EXPECT_TRUE(bucket.is_full(moment(250ms)));
  for (int i = 0; i < 3; ++i) bucket.take(rate, moment(1h));
  EXPECT_EQ(bucket.wait(rate, moment(1h)), 250ms);
}

TEST(BucketTest, WithoutARateEverythingIsLetThrough) {
  Bucket bucket;
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_EQ(bucket.wait({}, moment(0s)), 0ns);
    bucket.take({}, moment(0s));
  }
  EXPECT_TRUE(bucket.is_full(moment(0s)));
}

TEST(BucketsTest, FullOnesMakeRoom) {
  const Rate rate = Rate::per_second(1, 2);
  Buckets buckets(2);
  buckets.of("a", moment(0s)).take(rate, moment(0s));
  buckets.of("b", moment(0s)).take(rate, moment(1500ms));
  buckets.of("c", moment(2s)).take(rate, moment(2s));  // "a" was full at 1 s, "b" is at 2.5 s
  EXPECT_EQ(buckets.size(), 2u);
  EXPECT_FALSE(buckets.of("b", moment(2s)).is_full(moment(2s)));
  EXPECT_FALSE(buckets.of("c", moment(2s)).is_full(moment(2s)));
}

TEST(BucketsTest, WhenAllAreInUseNewcomersShareOneAndNoMoreAreKept) {
  const Rate slow = Rate::per_minute(1, 2);
  Buckets buckets(2);
  buckets.of("a", moment(0s)).take(slow, moment(0s));
  buckets.of("b", moment(0s)).take(slow, moment(0s));
  buckets.of("c", moment(0s)).take(slow, moment(0s));
  buckets.of("d", moment(0s)).take(slow, moment(0s));
  EXPECT_EQ(buckets.size(), 2u);
  EXPECT_GT(buckets.of("e", moment(0s)).wait(slow, moment(0s)),
            0ns);  // "c" and "d" have emptied it
  EXPECT_EQ(buckets.of("a", moment(0s)).wait(slow, moment(0s)),
            0ns);  // those that were there have their own
  buckets.of("e", moment(2min));
  EXPECT_EQ(buckets.size(), 1u);
}

TEST(RatesTest, BeforeItsHelloAConnectionHasAFewFramesOnly) {
  const Rates rates(small());
  Bucket connection;
  const auto frame = [&] { return rates.on_early_frame(connection, moment(0s)); };
  EXPECT_EQ(let_through(10, frame), 2);
  const auto refused = frame();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->limit, "before_hello_rate");
  EXPECT_EQ(refused->retry_after, 1s);
  EXPECT_FALSE(rates.on_early_frame(connection, moment(1s)));
}

TEST(RatesTest, AConnectionHasARateOfItsOwn) {
  Rates rates(small());
  Bucket one;
  Bucket other;
  const auto request = [&](Bucket& connection, const Peer& peer) {
    return rates.on_request(connection, caller("a"), peer, moment(0s));
  };
  EXPECT_EQ(let_through(10, [&] { return request(one, kHere); }), 5);
  EXPECT_EQ(request(one, kHere)->limit, "connection_rate");
  EXPECT_EQ(request(one, kHere)->retry_after, 100ms);
  EXPECT_FALSE(request(other, kHere));
  EXPECT_FALSE(rates.on_request(one, caller("a"), kHere, moment(100ms)));
}

// 60 in a minute are 10 in ten seconds and then one each second.
TEST(RatesTest, ATokenHasTheRateOfItsQuotaOverAllItsConnections) {
  RateLimits limits;
  Rates rates(limits);
  const auto request = [&](const std::string& name, TimePoint now) {
    Bucket connection;
    return rates.on_request(connection, caller(name, 60), kHere, now);
  };
  EXPECT_EQ(let_through(50, [&] { return request("a", moment(0s)); }), 10);
  EXPECT_EQ(request("a", moment(0s))->limit, "token_rate");
  EXPECT_EQ(request("a", moment(0s))->retry_after, 1s);
  EXPECT_FALSE(request("b", moment(0s)));
  EXPECT_FALSE(request("a", moment(1s)));
  EXPECT_TRUE(request("a", moment(1s)));
}

TEST(RatesTest, WithoutATokenEachPlaceHasTheRateOfTheQuota) {
  Rates rates;
  const auto request = [&](const Peer& peer) {
    Bucket connection;
    return rates.on_request(connection, caller("anonymous", 60), peer, moment(0s));
  };
  EXPECT_EQ(let_through(50, [&] { return request(kThere); }), 10);
  EXPECT_EQ(request(kThere)->limit, "token_rate");
  EXPECT_EQ(let_through(50, [&] { return request(kElsewhere); }), 10);
  // On loopback they have one together.
  EXPECT_EQ(let_through(50, [&] { return request(kHere); }), 10);
  EXPECT_TRUE(request(Peer("127.0.0.9")));
}

TEST(RatesTest, HoweverManyPlacesThereAreTokensKeepTheirOwnRate) {
  RateLimits limits;
  limits.places_max = 3;
  Rates rates(limits);
  const auto request = [&](const AccessToken& by, const Peer& peer) {
    Bucket connection;
    return rates.on_request(connection, by, peer, moment(0s));
  };
  const auto anybody = caller("anonymous", 60);
  for (int i = 0; i < 2'000; ++i) {
    (void)request(anybody, Peer("10.0." + std::to_string(i / 200) + "." + std::to_string(i % 200)));
  }
  EXPECT_TRUE(request(anybody, kThere));  // the newcomers' one is empty
  EXPECT_EQ(let_through(50, [&] { return request(caller("a", 60), kHere); }), 10);
}

TEST(RatesTest, AQuotaThatIsChangedCountsAtOnce) {
  Rates rates;
  const auto request = [&](std::uint32_t per_minute) {
    return rates.on_http(caller("a", per_minute), kHere, moment(0s));
  };
  EXPECT_EQ(let_through(50, [&] { return request(60); }), 10);
  EXPECT_EQ(request(60)->retry_after, 1s);
  EXPECT_EQ(request(6'000)->retry_after, 10ms);  // ten seconds' worth is used up either way
  EXPECT_FALSE(request(0));
}

TEST(RatesTest, APlaceHasARateOverAllItsConnectionsAndTokens) {
  Rates rates(small());
  int number = 0;
  const auto request = [&](const Peer& peer) {
    Bucket connection;
    return rates.on_request(connection, caller(std::to_string(++number)), peer, moment(0s));
  };
  EXPECT_EQ(let_through(20, [&] { return request(kThere); }), 8);
  EXPECT_EQ(request(kThere)->limit, "address_rate");
  EXPECT_FALSE(request(kElsewhere));
}

TEST(RatesTest, APlaceOpensSoManyConnections) {
  Rates rates(small());
  EXPECT_EQ(let_through(10, [&] { return rates.on_arrival(kThere, moment(0s)); }), 3);
  EXPECT_EQ(rates.on_arrival(kThere, moment(0s))->limit, "arrival_rate");
  EXPECT_FALSE(rates.on_arrival(kElsewhere, moment(0s)));
  EXPECT_FALSE(rates.on_arrival(kThere, moment(1s)));
  EXPECT_TRUE(rates.on_http(caller("a"), kThere, moment(1s)));  // it arrives as well
}

TEST(RatesTest, OnLoopbackNothingIsCountedByAddress) {
  Rates rates(small());
  EXPECT_EQ(let_through(100, [&] { return rates.on_arrival(kHere, moment(0s)); }), 100);
  EXPECT_EQ(let_through(100, [&] { return rates.on_http(caller("a"), kHere, moment(0s)); }), 100);
  for (int i = 0; i < 100; ++i) rates.on_bad_secret(kHere, moment(0s));
  EXPECT_FALSE(rates.judge_attempt(kHere, moment(0s)));
  EXPECT_EQ(rates.bad_secrets(), 100u);
}

// Each of 8 connections sends 4,000 requests a second for 5 seconds, where there are no tokens.
TEST(RatesTest, AMatchRunnerOnLoopbackMeetsNoLimit) {
  Rates rates;
  const AccessToken anybody = everyone();
  std::array<Bucket, 8> connections;
  for (int i = 0; i < 20'000; ++i) {
    for (auto& connection : connections) {
      ASSERT_FALSE(rates.on_request(connection, anybody, kHere, moment(i * 250us)));
    }
  }
}

TEST(RatesTest, ARefusedRequestIsCountedNowhere) {
  RateLimits limits = small();
  limits.connection = Rate::per_second(1, 1);
  Rates rates(limits);
  Bucket connection;
  const auto request = [&](Bucket& by) {
    return rates.on_request(by, caller("a", 12), kThere, moment(0s));  // two in ten seconds
  };
  EXPECT_EQ(let_through(20, [&] { return request(connection); }), 1);
  Bucket next;
  EXPECT_FALSE(request(next));
  Bucket third;
  EXPECT_EQ(request(third)->limit, "token_rate");
}

TEST(RatesTest, AfterAFewBadSecretsAPlaceMayTryOneNowAndThen) {
  Rates rates(small());
  const auto attempt = [&](const Peer& peer, TimePoint now) {
    const auto refused = rates.judge_attempt(peer, now);
    if (!refused) rates.on_bad_secret(peer, now);
    return refused;
  };
  EXPECT_EQ(let_through(10, [&] { return attempt(kThere, moment(0s)); }), 4);
  const auto refused = attempt(kThere, moment(0s));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->limit, "failure_rate");
  EXPECT_EQ(refused->retry_after, 10s);
  EXPECT_FALSE(attempt(kElsewhere, moment(0s)));
  EXPECT_TRUE(attempt(kThere, moment(9'999ms)));
  EXPECT_FALSE(attempt(kThere, moment(10s)));
  EXPECT_TRUE(attempt(kThere, moment(10s)));
  EXPECT_EQ(rates.bad_secrets(), 6u);
}

TEST(RatesTest, GoodSecretsAreNoFailures) {
  Rates rates(small());
  EXPECT_EQ(let_through(100, [&] { return rates.judge_attempt(kThere, moment(0s)); }), 100);
}

TEST(RatesTest, MorePlacesThanAreKeptShareTheirFailures) {
  Rates rates(small());
  for (int place = 1; place <= 3; ++place) {
    rates.on_bad_secret(Peer("203.0.113." + std::to_string(place)), moment(0s));
  }
  for (int place = 4; place <= 7; ++place) {
    rates.on_bad_secret(Peer("203.0.113." + std::to_string(place)), moment(0s));
  }
  EXPECT_TRUE(rates.judge_attempt(Peer("203.0.113.8"), moment(0s)));
  EXPECT_FALSE(rates.judge_attempt(Peer("203.0.113.1"), moment(0s)));
  EXPECT_FALSE(rates.judge_attempt(Peer("203.0.113.8"), moment(10s)));
}

}  // namespace
}  // namespace tengen::daemon
