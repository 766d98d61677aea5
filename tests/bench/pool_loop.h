// The pool with real processes, turned as the daemon turns it: what is ready is handled, then
// deadlines, then jobs are given out, then effects are carried out; the time is read once a turn.
// There are no games, no store and no sockets around it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "pool/pool.h"

namespace tengen::tests {

/// What a measuring program wants to see; each may be empty. `done` and `updated` may submit.
struct PoolTaps {
  std::function<void(const pool::JobDone&)> done;
  std::function<void(const pool::AnalysisUpdate&)> updated;
  std::function<void(const pool::JobMoved&)> moved;
  std::function<void(const pool::Spawn&)> started;
  std::function<void(pool::EngineId, int pid)> spawned;
  /// The pool's books already show the job that the bytes are for.
  std::function<void(const pool::Write&)> written;
  std::function<void(pool::EngineId, std::string_view bytes)> read;  // before the pool sees them
};

class PoolLoop {
 public:
  /// Throws when there can be no keeper.
  explicit PoolLoop(std::vector<pool::Profile> profiles);
  /// Kills the engines.
  ~PoolLoop();

  PoolTaps& taps();
  const pool::Pool& pool() const;
  /// The time of this turn.
  pool::TimePoint now();

  void start();
  void submit(pool::Job job);
  /// Calls back in a turn after so long.
  void later(std::chrono::milliseconds after, std::function<void()> call);
  /// Turns until the answer, asked for after each turn, is yes; false when it is still no after so
  /// long. Warnings of the pool go to standard error.
  bool run_until(const std::function<bool()>& is_met, std::chrono::milliseconds patience);
  /// Starts, and waits until so many engines are idle; throws when they do not come.
  void warm_up(std::size_t engines);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tengen::tests
