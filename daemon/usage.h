// How many games, analyses and virtual engines each token has now, by its name. Games of an earlier
// run of the daemon count for nobody: their logs do not say who made them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "daemon/access_token.h"

namespace tengen::daemon {

/// What a token can have too many of.
enum class Holding : std::uint8_t { Game, Analysis, VirtualEngine };
inline constexpr std::array<Holding, 3> kHoldings = {Holding::Game, Holding::Analysis,
                                                     Holding::VirtualEngine};
/// 0: no limit.
std::uint32_t limit_of(const Quotas& quotas, Holding what);

class Usage {
 public:
  /// Counts one more, unless the caller has as many as its quota allows.
  [[nodiscard]] bool take(const AccessToken& caller, Holding what);
  /// Gives back what take counted for a caller of this name. The empty name is nobody's.
  void release(const std::string& name, Holding what);

  std::uint32_t count(const std::string& name, Holding what) const;
  /// Of all callers; for checks of what else is counted.
  std::uint64_t total(Holding what) const;

 private:
  using Counts = std::array<std::uint32_t, kHoldings.size()>;
  std::map<std::string, Counts> by_name_;  // those that have anything
};

}  // namespace tengen::daemon
