// How fast requests may come: by connection, by token (of those without one, by place), by address,
// and how often a secret may be wrong. Each is a bucket that holds a burst and is filled again at a
// steady rate. Nothing is counted by address on loopback: match runners are there, and a proxy
// behind which everybody is.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "daemon/access_token.h"
#include "daemon/effects.h"
#include "daemon/peer.h"

namespace tengen::daemon {

/// So many at once, then one for each interval.
struct Rate {
  std::chrono::nanoseconds interval{};  // 0: as many as you like
  std::uint32_t burst = 1;

  static constexpr Rate per_second(std::uint32_t count, std::uint32_t burst) {
    return {std::chrono::nanoseconds(std::chrono::seconds(1)) / count, burst};
  }
  static constexpr Rate per_minute(std::uint32_t count, std::uint32_t burst) {
    return {std::chrono::nanoseconds(std::chrono::minutes(1)) / count, burst};
  }
};

/// Begins full. Remembers only when it will be full again, so the rate may change while it is in
/// use.
class Bucket {
 public:
  /// How long until one can be taken; zero: now.
  std::chrono::nanoseconds wait(const Rate& rate, TimePoint now) const;
  void take(const Rate& rate, TimePoint now);
  bool is_full(TimePoint now) const { return full_at_ <= now; }

 private:
  TimePoint full_at_ = TimePoint::min();
};

/// Buckets by name, at most so many. Full ones make room: they are what a new one would be. When
/// all are in use, newcomers share one more.
class Buckets {
 public:
  explicit Buckets(std::size_t most) : most_(most) {}
  /// Holds until the next call.
  Bucket& of(const std::string& name, TimePoint now);
  std::size_t size() const { return buckets_.size(); }

 private:
  static constexpr std::chrono::seconds kSweepEvery{1};  // going through all of them takes a while
  std::size_t most_;
  std::unordered_map<std::string, Bucket> buckets_;
  Bucket shared_;
  TimePoint next_sweep_ = TimePoint::min();
};

struct RateLimits {
  /// Frames of a connection before its Hello is answered; the first one should be the last.
  Rate before_hello = Rate::per_second(1, 16);
  Rate connection = Rate::per_second(20'000, 40'000);
  /// Connections and requests without one (HTTP), and then all requests, of one place.
  Rate arrivals = Rate::per_second(100, 1'000);
  Rate address = Rate::per_second(40'000, 80'000);
  /// Secrets of one place that are no token's.
  Rate failures = Rate::per_minute(6, 10);
  std::size_t places_max = 16'384;
};

/// A token's requests: as its quota says, and what ten seconds bring at once. A quota of 0 has no
/// rate.
Rate rate_of(const Quotas& quotas);

/// The named limit that was passed, and how long to wait.
struct TooFast {
  std::string_view limit;  // "connection_rate", ...
  std::chrono::milliseconds retry_after{};
};

/// Each either counts what comes, or says why it comes too fast and counts nothing.
class Rates {
 public:
  explicit Rates(const RateLimits& limits = {});

  /// A connection is opened.
  [[nodiscard]] std::optional<TooFast> on_arrival(const Peer& peer, TimePoint now);
  /// A frame before the Hello is answered.
  [[nodiscard]] std::optional<TooFast> on_early_frame(Bucket& connection, TimePoint now) const;
  /// A request of a connection whose caller is known.
  [[nodiscard]] std::optional<TooFast> on_request(Bucket& connection, const AccessToken& caller,
                                                  const Peer& peer, TimePoint now);
  /// A request by plain HTTP.
  [[nodiscard]] std::optional<TooFast> on_http(const AccessToken& caller, const Peer& peer,
                                               TimePoint now);

  /// Before a secret is looked at: whether too many from there were wrong.
  [[nodiscard]] std::optional<TooFast> judge_attempt(const Peer& peer, TimePoint now);
  /// It was no token's.
  void on_bad_secret(const Peer& peer, TimePoint now);
  std::uint64_t bad_secrets() const { return bad_secrets_; }

 private:
  Bucket& bucket_of_caller(const AccessToken& caller, const Peer& peer, TimePoint now);

  RateLimits limits_;
  Buckets arrivals_;
  Buckets requests_;
  Buckets failures_;
  Buckets tokens_{kTokensMax + 1};
  Buckets anonymous_;  // by place: however many there are, they take no token's
  std::uint64_t bad_secrets_ = 0;
};

}  // namespace tengen::daemon
