// Where a game's seed comes from, and what engines are told of it. Both ways are one-way, by
// HMAC-SHA-256: nobody can go from what an engine sees to the seed, or from the id to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "daemon/tickets.h"
#include "rules/log.h"

namespace tengen::daemon {

/// The seed of a game whose maker chose none.
rules::GameSeed draw_seed(const TicketKey& key, rules::GameId game);

/// What is published of a seed from the start: SHA-256, as 64 hexadecimal digits.
std::string seed_digest(const rules::GameSeed& seed);

/// One search of a game.
struct SearchNumber {
  std::size_t moves = 0;  // plays and passes before it
  int refused = 0;        // answers to the same question that were illegal
};
/// What an engine is seeded with before a search: 1 to 2^31 - 1. One that is asked again must not
/// find the same illegal move again.
std::uint32_t engine_seed(const rules::GameSeed& seed, SearchNumber search);

}  // namespace tengen::daemon
