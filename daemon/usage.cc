#include "daemon/usage.h"

#include "daemon/check.h"

namespace tengen::daemon {
namespace {

std::size_t place_of(Holding what) { return static_cast<std::size_t>(what); }

}  // namespace

std::uint32_t limit_of(const Quotas& quotas, Holding what) {
  switch (what) {
    case Holding::Game:
      return quotas.games_max;
    case Holding::Analysis:
      return quotas.analyses_max;
    case Holding::VirtualEngine:
      return quotas.virtual_engines_max;
    case Holding::Watch:
      return quotas.watches_max;
  }
  return 0;
}

std::string account_of(const AccessToken& caller, const Peer& peer) {
  if (caller.name != kAnonymous || peer.is_loopback()) return caller.name;
  return caller.name + ' ' + peer.place();
}

bool Usage::take(const std::string& account, const Quotas& quotas, Holding what) {
  const auto most = limit_of(quotas, what);
  if (most != 0 && count(account, what) >= most) return false;
  ++by_account_[account][place_of(what)];
  return true;
}

void Usage::release(const std::string& account, Holding what) {
  if (account.empty()) return;
  const auto found = by_account_.find(account);
  check(found != by_account_.end() && found->second[place_of(what)] > 0,
        "only what was counted is given back");
  --found->second[place_of(what)];
  if (found->second == Counts{}) by_account_.erase(found);
}

std::uint32_t Usage::count(const std::string& account, Holding what) const {
  const auto found = by_account_.find(account);
  return found == by_account_.end() ? 0 : found->second[place_of(what)];
}

std::uint64_t Usage::total(Holding what) const {
  std::uint64_t sum = 0;
  for (const auto& [account, counts] : by_account_) sum += counts[place_of(what)];
  return sum;
}

}  // namespace tengen::daemon
