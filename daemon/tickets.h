// Seat tickets: the secret of one slot of one game. A ticket is the game's id and slot with an
// HMAC-SHA-256 under the data folder's key, so nothing has to be stored for it, it works after a
// restart, and the answer to a repeated CreateGame can be made again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/game_id.h"

namespace tengen::daemon {

using TicketKey = std::array<std::uint8_t, 32>;

struct SeatOf {
  rules::GameId game;
  int slot = 0;  // 1 or 2
};

/// What the log calls a request that takes a seat. Events tell everybody their requests, and
/// whoever repeats this one gets the ticket again.
std::string taking_name(const TicketKey& key, std::string_view caller, std::string_view request_id);
/// 32 digits of the game, the slot, "-", 32 digits of MAC.
std::string make_ticket(const TicketKey& key, SeatOf seat);
/// The seat a genuine ticket opens; compared in constant time.
std::optional<SeatOf> open_ticket(const TicketKey& key, std::string_view ticket);

}  // namespace tengen::daemon
