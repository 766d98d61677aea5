#include "daemon/gate.h"

namespace tengen::daemon {

Gate::Gate(AccessConfig config, const RateLimits& limits)
    : access_(std::move(config)), rates_(limits) {}

std::variant<AccessToken, GateRefusal> Gate::admit(std::string_view secret, const Peer& peer,
                                                   TimePoint now) {
  if (secret.empty()) {
    const auto* anybody = access_.anonymous();
    if (anybody == nullptr) return GateRefusal{GateRefusal::Why::NeedsToken, {}};
    return *anybody;
  }
  if (const auto wait = rates_.judge_attempt(peer, now)) {
    return GateRefusal{GateRefusal::Why::TooFast, wait->retry_after};
  }
  const auto* token = access_.find(secret);
  if (token != nullptr) return *token;
  rates_.on_bad_secret(peer, now);
  return GateRefusal{GateRefusal::Why::BadToken, {}};
}

}  // namespace tengen::daemon
