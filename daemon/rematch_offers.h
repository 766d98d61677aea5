// Who has offered another game after one that is over. Apart from the games, since those go from
// memory; forgotten when the daemon ends.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <unordered_map>

#include "daemon/tickets.h"

namespace tengen::daemon {

class RematchOffers {
 public:
  /// Of the newest so many games.
  explicit RematchOffers(std::size_t games_max) : games_max_(games_max) {}

  void add(SeatOf seat);
  bool has(SeatOf seat) const;
  std::size_t size() const { return offers_.size(); }

 private:
  std::size_t games_max_;
  std::unordered_map<rules::GameId, std::array<bool, 2>> offers_;  // by slot
  std::deque<rules::GameId> order_;                                // the oldest first
};

}  // namespace tengen::daemon
