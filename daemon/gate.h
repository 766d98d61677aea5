// The door: says who comes with a secret, or without one, and slows down the places from which
// wrong secrets come.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <variant>

#include "daemon/access.h"
#include "daemon/rates.h"

namespace tengen::daemon {

/// Why somebody is not let in.
struct GateRefusal {
  enum class Why : std::uint8_t { NeedsToken, BadToken, TooFast };
  Why why = Why::NeedsToken;
  std::chrono::milliseconds retry_after{};  // of TooFast
};

class Gate {
 public:
  explicit Gate(AccessConfig config, const RateLimits& limits = {});

  /// The caller with this secret; the empty one is that of all who come without. A wrong one is
  /// counted, and after too many of them none is looked at for a while, not even a good one.
  [[nodiscard]] std::variant<AccessToken, GateRefusal> admit(std::string_view secret,
                                                             const Peer& peer, TimePoint now);

  /// The configuration was read again: what was revoked is what it says now. Rates go on.
  void reload(AccessConfig config) { access_ = Access(std::move(config)); }
  bool revoke(std::string_view name) { return access_.revoke(name); }
  const Access& access() const { return access_; }
  Rates& rates() { return rates_; }

 private:
  Access access_;
  Rates rates_;
};

}  // namespace tengen::daemon
