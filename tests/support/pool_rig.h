// A pool with scripted engines as its processes, in virtual time. It carries the effects out, keeps
// what was done, and after each step checks the pool's own bookkeeping.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pool/pool.h"
#include "tests/support/scripted_engine.h"

namespace tengen::tests {

class PoolRig {
 public:
  /// The n-th process follows the n-th script; the last one serves all that come later.
  explicit PoolRig(std::vector<pool::Profile> profiles, std::vector<Script> scripts = {Script{}},
                   std::uint64_t seed = 1);

  pool::Pool& pool() { return pool_; }
  pool::TimePoint now() const { return now_; }

  void start();
  void submit(pool::Job job);
  void cancel(std::uint64_t job);
  void cancel_game(std::uint64_t game);
  void cancel_client(std::uint64_t client);
  void reload(std::vector<pool::Profile> profiles);
  bool retire(std::uint32_t engine);
  bool set_intake(std::string_view profile, pool::Intake intake);
  void tell_memory(std::uint32_t engine, std::uint64_t bytes);
  void drain();
  /// Ends a process as if by itself or by the operator.
  void end_process(std::uint32_t engine, pool::ExitStatus status);
  void say_on_stderr(std::uint32_t engine, std::string_view bytes);
  /// Bytes on stdout that the script would not write.
  void say(std::uint32_t engine, std::string_view bytes);

  /// Carries out effects and delivers output until nothing is left to do at this instant.
  void settle();
  /// Moves time to the pool's next deadline; false when there is none.
  bool step();
  /// Moves time, passing every deadline on the way.
  void advance(std::chrono::milliseconds by);

  /// Each stream that runs says one more line.
  void tick();
  /// Each search that waits (Script::searches_wait) answers.
  void finish_searches();

  /// While held, what engines write waits; release delivers it.
  void hold_output() { is_held_ = true; }
  void release_output();

  bool spawns_fail = false;

  // What happened so far.
  const std::vector<pool::JobDone>& done() const { return done_; }
  /// The result of a job that has ended; the test fails when it has not, or twice.
  pool::JobResult result(std::uint64_t job) const;
  pool::JobDone end_of(std::uint64_t job) const;
  std::size_t ends_of(std::uint64_t job) const;
  const std::vector<pool::JobMoved>& moved() const { return moved_; }
  const std::vector<pool::AnalysisUpdate>& updates() const { return updates_; }
  std::size_t updates_of(std::uint64_t job) const;
  /// The process of an engine, or null when it has ended.
  ScriptedEngine* process(std::uint32_t engine);
  const std::vector<std::pair<std::uint32_t, std::string>>& writes() const { return writes_; }
  const std::string& last_write(std::uint32_t engine) const;
  const std::vector<pool::TimePoint>& spawned_at() const { return spawned_at_; }
  const std::vector<pool::Spawn>& spawns() const { return spawns_; }
  const std::set<std::uint32_t>& killed() const { return killed_; }
  const std::vector<pool::Note>& notes() const { return notes_; }
  bool has_note(std::string_view part) const;
  std::size_t alive() const { return processes_.size(); }

 private:
  struct Event {
    enum class Kind : std::uint8_t { Spawned, SpawnFailed, Output, Exit };
    Kind kind;
    pool::EngineId engine;
    std::string bytes;
    pool::ExitStatus status;
  };

  void carry_out(pool::Effect effect);
  void deliver(const Event& event);
  void feed(pool::EngineId engine, std::string_view bytes);

  pool::Pool pool_;
  std::vector<Script> scripts_;
  pool::TimePoint now_{std::chrono::hours(1)};
  pool::Effects effects_;
  std::deque<Event> events_;
  bool is_held_ = false;
  std::map<pool::EngineId, ScriptedEngine> processes_;
  std::vector<pool::JobDone> done_;
  std::vector<pool::JobMoved> moved_;
  std::vector<pool::AnalysisUpdate> updates_;
  std::vector<std::pair<std::uint32_t, std::string>> writes_;
  std::vector<pool::TimePoint> spawned_at_;
  std::vector<pool::Spawn> spawns_;
  std::set<std::uint32_t> killed_;
  std::vector<pool::Note> notes_;
};

/// A profile "fake" for boards of 1 to 19, one process warm and at most one.
pool::Profile fake_profile();
/// The same with other numbers of processes.
pool::Profile fake_profile(int warm, int max);
/// Its engine is asked the commands 1 to 4 when it starts; the first job on an empty board is 5 to
/// 7 and its genmove 8.
inline constexpr int kFirstGenmove = 8;
/// An engine whose searches end when the test says so.
Script waiting_script();

/// A 9x9 genmove job of game `game` with the given moves, as GTP vertices, black first.
pool::Job genmove_job(std::uint64_t id, std::uint64_t game,
                      const std::vector<std::string>& moves = {}, int size = 9);
/// A stream on an empty 9x9 board.
pool::Job analysis_job(std::uint64_t id, std::uint64_t game, std::uint64_t client = 0);
/// A genmove job that asks for the dead stones.
pool::Job list_job(std::uint64_t id, std::uint64_t game,
                   const std::vector<std::string>& moves = {});

bool is_move(const pool::JobResult& result);
/// The failure in a result; the test fails when it is another kind.
pool::JobFailure failure_of(const pool::JobResult& result);

}  // namespace tengen::tests
