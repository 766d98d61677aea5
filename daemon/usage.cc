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
  }
  return 0;
}

bool Usage::take(const AccessToken& caller, Holding what) {
  const auto most = limit_of(caller.quotas, what);
  if (most != 0 && count(caller.name, what) >= most) return false;
  ++by_name_[caller.name][place_of(what)];
  return true;
}

void Usage::release(const std::string& name, Holding what) {
  if (name.empty()) return;
  const auto found = by_name_.find(name);
  check(found != by_name_.end() && found->second[place_of(what)] > 0,
        "only what was counted is given back");
  --found->second[place_of(what)];
  if (found->second == Counts{}) by_name_.erase(found);
}

std::uint32_t Usage::count(const std::string& name, Holding what) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? 0 : found->second[place_of(what)];
}

std::uint64_t Usage::total(Holding what) const {
  std::uint64_t sum = 0;
  for (const auto& [name, counts] : by_name_) sum += counts[place_of(what)];
  return sum;
}

}  // namespace tengen::daemon
