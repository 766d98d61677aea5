// Where a game's seed comes from, and what engines are told of it. Both ways are one-way, by
// HMAC-SHA-256: nobody can go from what an engine sees to the seed, or from the id to it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "daemon/tickets.h"
#include "rules/log.h"

namespace tengen::daemon {

/// The seed of a game whose maker chose none.
rules::GameSeed draw_seed(const TicketKey& key, rules::GameId game);

/// What an engine is seeded with before the move after `moves` plays and passes: 1 to 2^31 - 1.
std::uint32_t engine_seed(const rules::GameSeed& seed, std::size_t moves);

}  // namespace tengen::daemon
