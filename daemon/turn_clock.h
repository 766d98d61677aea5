// The time of the turn that is being played: when it began, what engines have searched for it, and
// so what its move is charged and when its flag falls. A person pays from the beginning of the turn
// to the receipt of the move, but for what the game allows for the network. An engine pays for its
// searches alone, failed ones included; waiting for one, bringing it to the position and asking
// again are the server's doing.
#pragma once

#include <chrono>
#include <optional>

#include "daemon/effects.h"
#include "pool/job.h"
#include "rules/game.h"

namespace tengen::daemon {

/// So long the server may keep a turn waiting for an engine; then the game pauses.
inline constexpr std::chrono::seconds kServerLagGrace{60};

/// Every question is about the game's present turn; without a clock there is nothing to answer.
class TurnClock {
 public:
  /// The turn begins, or begins again after a restart.
  void begin(TimePoint now);
  /// An engine searches for this turn, until it has searched or is lost.
  void on_search_begun() { is_searched_ = true; }
  /// The engines of a job that goes to another one have searched so long in vain.
  void on_search_lost(std::chrono::nanoseconds time);
  /// The engines of a job have searched so long for this turn.
  void add_search(std::chrono::nanoseconds time);

  /// What a person's move costs that is received now. The loop hears moves before it looks at
  /// flags, so one may be heard after its last instant: it is in time, and what is beyond that
  /// instant was the server's doing.
  rules::MoveTime for_person(const rules::Game& game, TimePoint now) const;
  /// What an engine's move costs, unless is_overdrawn().
  rules::MoveTime for_engine(const rules::Game& game, TimePoint now) const;

  /// The first instant at which a person has lost on time: a move in the last instant is in time.
  std::optional<TimePoint> flag_at(const rules::Game& game) const;
  /// Whether engines have searched for longer than there was.
  bool is_overdrawn(const rules::Game& game) const;
  /// When the server has kept the turn waiting for an engine for as long as it may; nothing while
  /// one searches.
  std::optional<TimePoint> grace_end(const rules::Game& game) const;
  /// What an engine's turn has cost when the server has to pause it.
  rules::MoveTime for_server_pause(const rules::Game& game, TimePoint now) const;
  /// What a job for the side to move is told: what was searched is off its clock already.
  std::optional<pool::JobClock> for_job(const rules::Game& game) const;

  std::chrono::nanoseconds elapsed(TimePoint now) const { return now - begun_; }

 private:
  TimePoint begun_{};
  std::chrono::nanoseconds searched_{0};
  std::chrono::nanoseconds lost_{0};  // of the job that is waited for, not in searched_ yet
  bool is_searched_ = false;
};

}  // namespace tengen::daemon
