#include "daemon/rematch_offers.h"

namespace tengen::daemon {
namespace {

std::size_t index_of(SeatOf seat) { return static_cast<std::size_t>(seat.slot - 1); }

}  // namespace

void RematchOffers::add(SeatOf seat) {
  const auto [at, is_new] = offers_.try_emplace(seat.game);
  at->second[index_of(seat)] = true;
  if (!is_new) return;
  order_.push_back(seat.game);
  if (order_.size() <= games_max_) return;
  offers_.erase(order_.front());
  order_.pop_front();
}

bool RematchOffers::has(SeatOf seat) const {
  const auto found = offers_.find(seat.game);
  return found != offers_.end() && found->second[index_of(seat)];
}

}  // namespace tengen::daemon
