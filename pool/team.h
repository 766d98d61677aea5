// One profile's engines and its queue of jobs: how many processes run, who does what, what happens
// when one dies, hangs or will not start. Each job is in exactly one place: the queue or an engine.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/engine.h"
#include "pool/pool.h"
#include "pool/scheduler.h"

namespace tengen::pool {

/// Numbers the engines of a pool.
struct EngineIds {
  std::uint32_t last = 0;
  EngineId next() { return EngineId{++last}; }
};

class Team {
 public:
  /// `ids` must outlive the team.
  Team(Profile profile, std::uint64_t seed, EngineIds& ids);
  Team(const Team&) = delete;  // engines refer to the profile in here
  Team& operator=(const Team&) = delete;

  void start(TimePoint now, Effects& out);
  void submit(std::unique_ptr<Work> work, Effects& out);
  /// False when the job is not here or its end was already told.
  bool cancel(JobId job, TimePoint now, Effects& out);
  void drain(TimePoint now, Effects& out);

  // Events of an engine that has(); others are ignored.
  void on_spawned(EngineId id, int pid, TimePoint now, Effects& out);
  void on_spawn_failed(EngineId id, std::string_view reason, TimePoint now, Effects& out);
  void on_output(EngineId id, std::string_view bytes, TimePoint now, Effects& out);
  void on_error_output(EngineId id, std::string_view bytes);
  void on_exit(EngineId id, ExitStatus status, TimePoint now, Effects& out);

  std::optional<TimePoint> deadline() const;
  void on_deadline(TimePoint now, Effects& out);
  void dispatch(TimePoint now, Effects& out);

  bool has(EngineId id) const { return engines_.contains(id); }
  const Profile& profile() const { return profile_; }
  ProfileStatus status() const;
  bool is_gone() const { return engines_.empty(); }
  void add_open_jobs(std::vector<JobId>& jobs) const;
  std::optional<std::string> broken_invariant() const;

 private:
  Engine* find(EngineId id);
  int count(EngineState state) const;
  std::vector<IdleEngine> idle_engines() const;

  void assign(Engine& engine, std::unique_ptr<Work> work, TimePoint now, Effects& out);
  void go_on_with_same_games(TimePoint now, Effects& out);
  void act_on(Engine& engine, EngineState before, Progress progress, TimePoint now, Effects& out);
  void on_ready(Engine& engine, Effects& out);
  void try_again(std::unique_ptr<Work> work, const std::string& reason, Effects& out);

  bool is_failed() const { return start_failures_ + idle_deaths_ >= Limits::kStartFailuresMax; }
  bool is_hopeless() const;
  void give_up_if_hopeless(Effects& out);
  void count_death(const Engine& engine, EngineState before, TimePoint now, Effects& out);
  void forgive(int& deaths);
  std::chrono::milliseconds backoff();
  /// The idle engine that has waited longest, if there are more engines than are kept warm.
  const Engine* surplus() const;
  bool wants_engine(TimePoint now) const;
  void top_up(TimePoint now, Effects& out);
  void note(Effects& out, Note::Level level, EngineId engine, const std::string& text) const;

  Profile profile_;
  EngineIds* ids_;
  std::uint64_t random_;
  std::map<EngineId, Engine> engines_;
  Queue queue_;
  bool is_draining_ = false;
  int start_failures_ = 0;               // in a row
  int idle_deaths_ = 0;                  // in a row, of engines that had finished no job
  std::optional<TimePoint> restart_at_;  // no spawns before
  std::string engine_name_;
  std::string engine_version_;
};

}  // namespace tengen::pool
