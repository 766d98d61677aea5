// How many games, analyses, virtual engines and subscriptions each caller has now, by its account.
// Games of an earlier run of the daemon count for nobody: their logs do not say who made them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "daemon/access_token.h"
#include "daemon/peer.h"

namespace tengen::daemon {

/// What a caller can have too many of.
enum class Holding : std::uint8_t { Game, Analysis, VirtualEngine, Watch };
inline constexpr std::array<Holding, 4> kHoldings = {Holding::Game, Holding::Analysis,
                                                     Holding::VirtualEngine, Holding::Watch};
/// 0: no limit.
std::uint32_t limit_of(const Quotas& quotas, Holding what);

/// In whose name something is counted: the token's; without a token that of the place, which is no
/// token's name. On loopback there is one account for all who come without: a proxy's clients are
/// there, whose addresses nobody knows.
std::string account_of(const AccessToken& caller, const Peer& peer);

class Usage {
 public:
  /// Counts one more, unless the account has as many as these quotas allow.
  [[nodiscard]] bool take(const std::string& account, const Quotas& quotas, Holding what);
  /// Gives back what take counted for this account. The empty one is nobody's.
  void release(const std::string& account, Holding what);

  std::uint32_t count(const std::string& account, Holding what) const;
  /// Of all callers; for checks of what else is counted.
  std::uint64_t total(Holding what) const;

 private:
  using Counts = std::array<std::uint32_t, kHoldings.size()>;
  std::map<std::string, Counts> by_account_;  // those that have anything
};

}  // namespace tengen::daemon
