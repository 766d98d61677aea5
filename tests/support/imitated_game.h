// A game that a pool is asked to play, as its owner keeps it: jobs are made from it, answers are
// judged by it, and the engine that answered must hold it.
#pragma once

#include <optional>
#include <string>

#include "pool/job.h"
#include "pool/shipped.h"
#include "tests/support/scripted_engine.h"

namespace tengen::tests {

struct ImitatedGame {
  std::uint64_t id = 1;
  rules::Record record{{19, 19}, rules::KoRule::Positional, rules::SuicideRule::No};
  rules::Ruleset rules{};
  int komi_half = 15;
  std::optional<pool::JobClock> clock{};

  /// Whose move it is: white's after black's and after a setup.
  rules::Color to_move() const;
  pool::Job job(const pool::Profile& profile, std::uint64_t job_id, pool::Want want) const;
  /// Makes the engine's move; false when it is none, or is illegal.
  bool take(const pool::JobResult& result);
};

/// What is wrong with what an engine holds of a game after a job with this profile; nothing when
/// all is as it must be: board, komi, rules, time, and that nothing insulted it.
std::optional<std::string> difference(const ScriptedEngine& engine, const ImitatedGame& game,
                                      const pool::Profile& profile);

/// The shipped profile that goes with a persona, one process warm and none beyond `processes_max`.
pool::Profile imitated_profile(Persona persona, int processes_max = 1);

/// The board sizes to try a persona at.
std::vector<int> imitated_sizes(Persona persona);

/// An empty game of that size with stones set up for black on the usual points.
ImitatedGame imitated_game(std::uint64_t id, int size, int handicap = 0);

}  // namespace tengen::tests
