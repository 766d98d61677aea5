// Position sync is pure: from what an engine's board holds and what a job needs to the fewest
// commands that bridge them. Size, komi, rules, settings and the time system are part of the state,
// because some engines forget them at clear_board and others keep them from the game before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pool/job.h"
#include "pool/profile.h"

namespace tengen::pool {

/// Everything about an engine that a search depends on and that we have told it.
struct Position {
  rules::Size size;
  std::vector<std::string> state;  // commands after clear_board: komi, rules, time system, settings
  std::vector<rules::Stone> setup;
  std::vector<rules::Move> moves;
  friend bool operator==(const Position&, const Position&) = default;
};

/// What an engine has turned out not to take, so that it is not told again.
struct Unwilling {
  bool handicap = false;  // set_free_handicap: setups are told stone by stone
  bool time = false;      // any command about time
};

/// What the job needs. Its settings have no problem(); those it leaves out are standard, and the
/// pace setting is lowered to what the job's clock allows. `memory` is any position that is not
/// needed any more; what it has allocated is used again.
Position position_of(const Job& job, const Profile& profile, Unwilling unwilling = {},
                     Position memory = {});

/// What takes an engine from what it holds to what it needs, in this order.
struct SyncPlan {
  /// Everything but the moves, from an empty board; empty when the engine can go on from where it
  /// is.
  std::vector<std::string> base;
  std::size_t undos = 0;       // moves to take back first
  std::size_t first_move = 0;  // then the moves from this one on
};

/// `held` is absent when the engine's board is unknown. Moves are taken back only if the profile
/// says so and it is shorter than a replay; setup never is.
SyncPlan plan_sync(const std::optional<Position>& held, const Position& needed,
                   const Profile& profile, Unwilling unwilling = {});

/// "play B D4", "play W pass".
std::string play_command(rules::Move move, rules::Size size);

inline constexpr const char* kHandicapCommand = "set_free_handicap";

}  // namespace tengen::pool
