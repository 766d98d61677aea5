#include "daemon/rates.h"

#include <algorithm>
#include <array>

namespace tengen::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// One thing that a request counts against. A null bucket stands for none.
struct Count {
  std::string_view limit;
  Bucket* bucket = nullptr;
  Rate rate;
};

/// Counts against all of them, or against none when one of them has nothing left.
template <std::size_t N>
std::optional<TooFast> take_all(const std::array<Count, N>& counts, TimePoint now) {
  for (const auto& count : counts) {
    if (count.bucket == nullptr) continue;
    const auto wait = count.bucket->wait(count.rate, now);
    if (wait > nanoseconds(0)) return TooFast{count.limit, std::chrono::ceil<milliseconds>(wait)};
  }
  for (const auto& count : counts) {
    if (count.bucket != nullptr) count.bucket->take(count.rate, now);
  }
  return std::nullopt;
}

Bucket* bucket_of(Buckets& places, const Peer& peer, TimePoint now) {
  return peer.is_loopback() ? nullptr : &places.of(peer.place(), now);
}

}  // namespace

nanoseconds Bucket::wait(const Rate& rate, TimePoint now) const {
  if (rate.interval == nanoseconds(0) || is_full(now)) return nanoseconds(0);
  const nanoseconds missing = full_at_ - now;
  return std::max(nanoseconds(0), missing - rate.interval * (rate.burst - 1));
}

void Bucket::take(const Rate& rate, TimePoint now) {
  full_at_ = std::max(full_at_, now) + rate.interval;
}

Bucket& Buckets::of(const std::string& name, TimePoint now) {
  const auto found = buckets_.find(name);
  if (found != buckets_.end()) return found->second;
  if (buckets_.size() >= most_ && now >= next_sweep_) {
    std::erase_if(buckets_, [&](const auto& each) { return each.second.is_full(now); });
    next_sweep_ = now + kSweepEvery;
  }
  return buckets_.size() >= most_ ? shared_ : buckets_[name];
}

Rate rate_of(const Quotas& quotas) {
  if (quotas.requests_per_minute == 0) return {};
  return Rate::per_minute(quotas.requests_per_minute, std::max(1u, quotas.requests_per_minute / 6));
}

Rates::Rates(const RateLimits& limits)
    : limits_(limits),
      arrivals_(limits.places_max),
      requests_(limits.places_max),
      failures_(limits.places_max),
      anonymous_(limits.places_max) {}

Bucket& Rates::bucket_of_caller(const AccessToken& caller, const Peer& peer, TimePoint now) {
  const bool is_place = caller.name == kAnonymous && !peer.is_loopback();
  return is_place ? anonymous_.of(peer.place(), now) : tokens_.of(caller.name, now);
}

std::optional<TooFast> Rates::on_arrival(const Peer& peer, TimePoint now) {
  return take_all(
      std::array{Count{"arrival_rate", bucket_of(arrivals_, peer, now), limits_.arrivals}}, now);
}

std::optional<TooFast> Rates::on_early_frame(Bucket& connection, TimePoint now) const {
  return take_all(std::array{Count{"before_hello_rate", &connection, limits_.before_hello}}, now);
}

std::optional<TooFast> Rates::on_request(Bucket& connection, const AccessToken& caller,
                                         const Peer& peer, TimePoint now) {
  return take_all(
      std::array{
          Count{"connection_rate", &connection, limits_.connection},
          Count{"token_rate", &bucket_of_caller(caller, peer, now), rate_of(caller.quotas)},
          Count{"address_rate", bucket_of(requests_, peer, now), limits_.address},
      },
      now);
}

std::optional<TooFast> Rates::on_http(const AccessToken& caller, const Peer& peer, TimePoint now) {
  return take_all(
      std::array{
          Count{"arrival_rate", bucket_of(arrivals_, peer, now), limits_.arrivals},
          Count{"token_rate", &bucket_of_caller(caller, peer, now), rate_of(caller.quotas)},
          Count{"address_rate", bucket_of(requests_, peer, now), limits_.address},
      },
      now);
}

std::optional<TooFast> Rates::judge_attempt(const Peer& peer, TimePoint now) {
  if (peer.is_loopback()) return std::nullopt;
  const auto wait = failures_.of(peer.place(), now).wait(limits_.failures, now);
  if (wait == nanoseconds(0)) return std::nullopt;
  return TooFast{"failure_rate", std::chrono::ceil<milliseconds>(wait)};
}

void Rates::on_bad_secret(const Peer& peer, TimePoint now) {
  ++bad_secrets_;
  if (!peer.is_loopback()) failures_.of(peer.place(), now).take(limits_.failures, now);
}

}  // namespace tengen::daemon
