// Position sync is pure: from what an engine's board holds and what a job needs to the fewest
// commands that bridge them. Size, komi and settings are part of the state, because some engines
// forget them at clear_board and others keep them from the game before.
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
  int komi_half = 0;
  std::string rules;                  // as a command; empty when the profile has none
  std::vector<std::string> settings;  // as commands, in the profile's order
  std::vector<rules::Stone> setup;
  std::vector<rules::Move> moves;
  friend bool operator==(const Position&, const Position&) = default;
};

/// What the job needs. Its settings have no problem(); those it leaves out are standard.
Position position_of(const Job& job, const Profile& profile);

/// How black-only setups of two stones and more are told: as the handicap they are, or stone by
/// stone when the engine does not know or does not take set_free_handicap.
enum class SetupBy : std::uint8_t { Handicap, Plays };

struct SyncPlan {
  /// A full replay's way from anything to the position without its moves; empty when the moves held
  /// are the first of those needed.
  std::vector<std::string> base;
  /// Then the moves from this one on.
  std::size_t first_move = 0;
};

/// `held` is absent when the engine's board is unknown.
SyncPlan plan_sync(const std::optional<Position>& held, const Position& needed, SetupBy setup_by);

/// "play B D4", "play W pass".
std::string play_command(rules::Move move, rules::Size size);

inline constexpr const char* kHandicapCommand = "set_free_handicap";

}  // namespace tengen::pool
