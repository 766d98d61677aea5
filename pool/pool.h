// The pool: a few warm engines of each profile, and a queue of jobs. It decides which engine does
// what, brings it to the job's position, watches its time, replaces it when it dies or hangs, and
// gives each job exactly one end. A core: no processes, no clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/effects.h"
#include "pool/job.h"
#include "pool/profile.h"
#include "pool/stats.h"

namespace tengen::pool {

/// How a process ended.
struct ExitStatus {
  bool signalled = false;
  int value = 0;  // the exit code, or the signal's number
};

/// Whether a profile is for new work, or for what it has already only.
enum class Intake : std::uint8_t { Open, Closed };

/// What list engines, health and metrics show of one profile.
struct ProfileStatus {
  std::string name;
  std::string engine_name;  // as the engine says, empty until one has started
  std::string engine_version;
  int starting = 0;
  int idle = 0;
  int busy = 0;       // searching
  int streaming = 0;  // streams that are being stopped included
  int stopping = 0;
  std::size_t queued = 0;
  std::chrono::milliseconds wait{0};  // a move asked for now would wait so long, as an estimate
  bool failed = false;                // its engines cannot be started
  Intake intake = Intake::Open;
};

/// One engine, for the admin view.
struct EngineStatus {
  EngineId id;
  int pid = 0;
  std::string state;  // "starting", "idle", "searching" ...
  std::string variant;
  std::optional<JobId> job;
  std::uint64_t resident_bytes = 0;  // as last told, 0: never
};

class Pool {
 public:
  /// Profiles must have no problem() and different names. The seed is for the jitter of back-off.
  Pool(std::vector<Profile> profiles, std::uint64_t seed);
  ~Pool();
  Pool(Pool&&) noexcept;
  Pool& operator=(Pool&&) noexcept;

  /// Starts the warm engines.
  void start(TimePoint now, Effects& out);
  /// Takes a job; one JobDone follows, possibly at once. Nothing is begun before dispatch.
  void submit(Job job, TimePoint now, Effects& out);
  /// Ends a job with Cancelled unless it has ended; unknown ids are ignored. A stream ends with
  /// AnalysisEnd no more than any other job: with Cancelled.
  void cancel(JobId job, TimePoint now, Effects& out);
  /// Every job of a game.
  void cancel_game(rules::GameId game, TimePoint now, Effects& out);
  /// Every job of a client, as when it has gone.
  void cancel_client(ClientId client, TimePoint now, Effects& out);
  /// New profiles, as after a change of the configuration; they must have no problem() and
  /// different names. Engines of a profile that has changed finish what they do and are replaced,
  /// those of one that has not go on; jobs that wait do so under the new profile. Jobs of a profile
  /// that is no more end with UnknownProfile when they wait, and by themselves when they run. A
  /// profile that had failed is tried again at once.
  void reload(std::vector<Profile> profiles, TimePoint now, Effects& out);
  /// An engine finishes what it does, quits and is followed by another one as ever; a stream goes
  /// on with another one. False: there is no engine of that id.
  [[nodiscard]] bool retire(EngineId engine, TimePoint now, Effects& out);
  /// Whether games may still choose the profile: the pool tells it and does every job all the same,
  /// but keeps no engine warm while it is closed. A reload opens it. False: an unknown profile.
  [[nodiscard]] bool set_intake(std::string_view profile, Intake intake);
  /// Open for unknown profiles.
  Intake intake(std::string_view profile) const;
  /// No new jobs: those waiting or running end with Draining, engines are asked to quit and are
  /// killed after a grace. is_gone() tells when none is left.
  void drain(TimePoint now, Effects& out);

  void on_spawned(EngineId engine, int pid, TimePoint now, Effects& out);
  void on_spawn_failed(EngineId engine, std::string_view reason, TimePoint now, Effects& out);
  void on_output(EngineId engine, std::string_view bytes, TimePoint now, Effects& out);
  void on_error_output(EngineId engine, std::string_view bytes, TimePoint now, Effects& out);
  /// What its process group holds of the machine's memory.
  void on_memory(EngineId engine, std::uint64_t resident_bytes, TimePoint now, Effects& out);
  /// The process has exited and its output was read to the end.
  void on_exit(EngineId engine, ExitStatus status, TimePoint now, Effects& out);

  std::optional<TimePoint> deadline() const;
  void on_deadline(TimePoint now, Effects& out);
  /// Gives waiting jobs to idle engines and starts engines that are wanted. Called when the turn's
  /// events are in, so that an engine that has just moved can go on with the same game; again while
  /// it has effects.
  void dispatch(TimePoint now, Effects& out);

  const Profile* find_profile(std::string_view name) const;
  /// How long a move asked for now would wait for its engine, as far as can be told from the jobs
  /// ahead and how long they have been taking; nothing for an unknown profile or one that failed.
  std::optional<std::chrono::milliseconds> wait_estimate(std::string_view profile) const;
  std::vector<ProfileStatus> statuses() const;
  std::vector<EngineStatus> engines(std::string_view profile) const;
  /// By the profile's name; zeros for an unknown one.
  const TeamStats& stats(std::string_view profile) const;
  bool is_gone() const;
  /// Every job that has not ended, each once; for invariants and the admin view.
  std::vector<JobId> open_jobs() const;
  /// What is broken in the pool's own bookkeeping; nothing when all is well. For the simulator.
  std::optional<std::string> broken_invariant() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tengen::pool
