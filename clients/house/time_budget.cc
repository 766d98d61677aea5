#include "clients/house/time_budget.h"

#include <algorithm>

namespace tengen::house {
namespace {

using std::chrono::milliseconds;

constexpr int kMovesExpected = 30;  // among which main time is shared
constexpr int kPeriodReserve = 2;   // one part of so many is used

}  // namespace

void TimeBudget::set(const TimeSettings& settings) {
  settings_ = settings;
  restart();
}

int TimeBudget::playouts(rules::Color color, int wanted, int per_second) const {
  const TimeLeft left = left_[index(color)].value_or(TimeLeft{settings_.main, 0});
  const bool is_nothing = left.stones == 0 && left.time.count() == 0;
  if (settings_.system == TimeSystem::None && is_nothing) return wanted;
  milliseconds share = share_of_period(left);
  if (left.stones == 0) share = std::max(share, milliseconds(left.time) / kMovesExpected);
  const std::int64_t allowed = share.count() * per_second / 1000;
  return static_cast<int>(std::clamp<std::int64_t>(allowed, std::min(wanted, kFewest), wanted));
}

/// While main time runs, a whole period is still to come.
milliseconds TimeBudget::share_of_period(const TimeLeft& left) const {
  const bool is_main = left.stones == 0;
  const milliseconds time = is_main ? settings_.period : left.time;
  const int stones = is_main ? settings_.stones : left.stones;
  if (stones == 0) return milliseconds(0);
  return time / kPeriodReserve / (settings_.system == TimeSystem::ByoYomi ? 1 : stones);
}

}  // namespace tengen::house
