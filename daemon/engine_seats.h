// Which profiles can take a seat of a game: when it is made, and when another engine has to be
// given up.
#pragma once

#include <optional>
#include <string>

#include "pool/pool.h"
#include "protocol/messages.h"
#include "rules/game.h"

namespace tengen::daemon {

/// What of a game matters to the engine that is to play it.
struct EngineTerms {
  rules::Size size;
  rules::Ruleset rules;
  rules::TimeControl clock;
};

/// Why no engine of that profile can play such a game with these settings, as the answer to whoever
/// asked for it; nothing when one can.
std::optional<protocol::Error> objection(const pool::Pool& pool, const std::string& profile,
                                         const rules::Settings& settings, const EngineTerms& terms);

/// The same for what begins now: a profile that is being drained has no more of it. What there is
/// goes on with its engines.
std::optional<protocol::Error> objection_to_new(const pool::Pool& pool, const std::string& profile,
                                                const rules::Settings& settings,
                                                const EngineTerms& terms);

/// Whether the profile's engines play by other rules than these; not for unknown profiles.
bool plays_other_rules(const pool::Pool& pool, const std::string& profile,
                       const rules::Ruleset& rules);

/// The seat of whoever takes over from the engine that plays that side, by its profile's wish, with
/// the standard settings and granting as much; nothing when nobody is named or who is named cannot
/// play the game.
std::optional<rules::Seat> substitute_for(const pool::Pool& pool, const rules::Game& game,
                                          rules::Color color);

}  // namespace tengen::daemon
