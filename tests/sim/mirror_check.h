// The pool's promises about one search, seen from the engine's side: that the engine holds exactly
// what the job needs when its search begins, and that the job's result is what the engine said.
#pragma once

#include <string>

#include "pool/job.h"
#include "sim/pool_process.h"

namespace tengen::sim {

/// Whether the stones on the engine's board are the job's.
bool is_same_board(const LeanEngine& engine, const pool::Job& job);

/// Whether a job is on its first engine, so that its clock is told as it was submitted.
enum class Attempt : std::uint8_t { First, Later };

/// A job as the pool took it.
struct Taken {
  const pool::Job& job;
  const pool::Profile& profile;  // that it was accepted under; its engine may be of an older one
  Attempt attempt;
};

/// What the engine holds or was asked that is not the job's: board, history, komi, rules, settings,
/// time, seed, command. Empty when all is as it should be. Rules and settings are those of the
/// profile that the job was accepted under, the words for a search and for time the engine's own.
std::string difference(const PoolProcess& process, const Taken& taken);

/// What a result says that the engine did not; empty when they agree. Not for failures.
std::string contradiction(const pool::JobResult& result, const pool::Job& job,
                          const LeanEngine::Reply& reply);

}  // namespace tengen::sim
