// One profile's engines and the jobs that wait for them: how many processes run, who does what,
// what happens when one dies, hangs or will not start. Each job is in exactly one place: with the
// scheduler or with an engine.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/engine.h"
#include "pool/health.h"
#include "pool/pool.h"
#include "pool/quarantine.h"
#include "pool/roster.h"
#include "pool/scheduler.h"

namespace tengen::pool {

/// Numbers the engines of a pool.
struct EngineIds {
  std::uint32_t last = 0;
  EngineId next() { return EngineId{++last}; }
};

/// "; its last words: ..." or nothing.
std::string last_words(const Engine& engine);

/// Of two idle engines; when they have rested for as long, whether `a` was started first.
inline bool has_rested_longer(const Engine& a, const Engine& b) {
  return a.idle_since() != b.idle_since() ? a.idle_since() < b.idle_since() : a.id() < b.id();
}

class Team {
 public:
  /// `ids` must outlive the team.
  Team(Profile profile, std::uint64_t seed, EngineIds& ids);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  void start(TimePoint now, Effects& out);
  void submit(std::unique_ptr<Work> work, TimePoint now, Effects& out);
  /// False when the job is not here or its end was already told.
  bool cancel(JobId job, TimePoint now, Effects& out);
  void cancel_game(rules::GameId game, TimePoint now, Effects& out);
  void cancel_client(ClientId client, TimePoint now, Effects& out);
  void drain(TimePoint now, Effects& out);
  /// An engine that has() quits as soon as it has nothing to do.
  void retire_by_order(EngineId id, TimePoint now, Effects& out);
  /// Closed: no engine is kept warm.
  void set_intake(Intake intake);
  Intake intake() const { return intake_; }
  /// Another profile of the same name, or the same again: failures are forgiven and the intake is
  /// open in either case.
  void reload(Profile profile, Effects& out);
  /// The profile is no more: jobs that wait end, those that run may finish.
  void close(TimePoint now, Effects& out);
  /// A profile of that name is back before all of a closed team's engines were gone.
  void open_again(Profile profile, Effects& out);

  // Events of an engine that was found here; it is gone after on_spawn_failed and on_exit.
  void on_spawn_failed(Engine& engine, std::string_view reason, TimePoint now, Effects& out);
  void on_output(Engine& engine, std::string_view bytes, TimePoint now, Effects& out);
  void on_exit(Engine& engine, ExitStatus status, TimePoint now, Effects& out);

  /// The earliest time at which something may be due; at times a little too early.
  std::optional<TimePoint> deadline() const;
  void on_deadline(TimePoint now, Effects& out);
  void dispatch(TimePoint now, Effects& out);

  /// Null when it is not the team's, or has gone.
  Engine* find(EngineId id);
  const Profile& profile() const { return *profile_; }
  const TeamStats& stats() const { return stats_; }
  ProfileStatus status() const;
  std::vector<EngineStatus> engines() const;
  std::optional<std::chrono::milliseconds> wait_estimate() const;
  bool is_gone() const { return engines_.empty(); }
  void add_open_jobs(std::vector<JobId>& jobs) const;
  std::optional<std::string> broken_invariant() const;

 private:
  /// An idle engine, with what it holds while it stays so.
  struct Rested {
    Engine* engine;
    Held held;
  };

  int count(EngineState state) const { return roster_.count(state); }
  int streams() const { return count(EngineState::Streaming) + count(EngineState::Interrupting); }
  /// Engines that work or will: all but those on their way out.
  int usable() const;

  // Jobs (team.cc).
  std::optional<JobFailure> refusal_of(const Work& work, TimePoint now) const;
  std::optional<JobFailure> refusal_by_profile(const Job& job) const;
  std::optional<JobFailure> refusal_by_engine(const Engine& engine, const Job& job) const;
  std::optional<TimePoint> due_of(const Work& work, TimePoint now) const;
  void go_on_with_same_games(TimePoint now, Effects& out);
  void give_out(TimePoint now, Effects& out);
  void preempt(TimePoint now, Effects& out);
  std::vector<const Work*> jobs_without_engine() const;
  std::vector<Engine*> streams_by_age();
  void expire(TimePoint now, Effects& out);
  void wait_again(std::unique_ptr<Work> work, Effects& out);
  void wait_under(std::unique_ptr<Work> work, Effects& out);
  /// Whether the engine plays the job's rules, and the job is one for its profile.
  bool fits(const Engine& engine, const Job& job) const;
  Scheduler::May may_take(const Engine& engine, const Work& work) const;
  bool is_scoring_now() const;
  void find_rested();
  /// The one that suits the job best, of equal ones the one that has rested longest; any when none
  /// fits.
  std::vector<Rested>::const_iterator best_rested(const Job& job) const;
  void assign(Engine& engine, std::unique_ptr<Work> work, TimePoint now, Effects& out);
  void give_up_on(Engine& engine, JobError error, const std::string& why, TimePoint now,
                  Effects& out);
  bool is_dear_to_wait_out(const Engine& engine, TimePoint now) const;
  void act_on(Engine& engine, EngineState before, Progress progress, TimePoint now, Effects& out);
  void end(const Engine& engine, Finished finished, Effects& out);
  void try_again(std::unique_ptr<Work> work, const Engine& engine, const std::string& reason,
                 Fault fault, TimePoint now, Effects& out);
  void tell(Work& work, JobResult result, std::chrono::nanoseconds searched, Effects& out);
  void tell_all(std::vector<std::unique_ptr<Work>> works, JobError error, const std::string& why,
                Effects& out);
  void give_up_if_hopeless(Effects& out);

  // Engines (team_engines.cc).
  void on_ready(Engine& engine, Effects& out);
  bool is_hopeless(const Job& job) const;
  void count_death(const Engine& engine, EngineState before, TimePoint now, Effects& out);
  void count_fault(Fault fault);
  void retire(Engine& engine, const std::string& why, TimePoint now, Effects& out);
  bool is_stale(const Engine& engine) const;
  bool may_have_unfit() const;
  int stale() const;
  bool has_engine_to_retire() const;
  int processes_warm() const { return intake_ == Intake::Open ? profile_->processes_warm : 0; }
  void retire_unfit(TimePoint now, Effects& out);
  void retire_surplus(TimePoint now, Effects& out);
  void make_room(TimePoint now, Effects& out);
  Engine* idlest() const;
  bool is_surplus() const;
  std::size_t jobs_worth_an_engine() const;
  bool has_engine_for(const Job& job) const;
  std::size_t variant_wanted() const;
  bool wants_engine(TimePoint now) const;
  void top_up(TimePoint now, Effects& out);
  void note_deadline(std::optional<TimePoint> at);
  void find_deadline();
  void note(Effects& out, Note::Level level, EngineId engine, const std::string& text) const;

  std::shared_ptr<const Profile> profile_;
  EngineIds* ids_;
  TeamStats stats_;
  Roster roster_;
  std::vector<Rested> rested_;  // those that have rested longest in front, while jobs are given out
  std::map<EngineId, Engine> engines_;  // they refer to roster and stats
  Scheduler scheduler_;
  Health health_;
  Quarantine quarantine_;
  bool is_draining_ = false;
  bool is_closed_ = false;
  bool has_stale_ = false;             // perhaps, engines of an old profile
  bool has_engine_to_retire_ = false;  // perhaps, by order
  Intake intake_ = Intake::Open;
  std::chrono::nanoseconds start_time_{0};  // of the engine that started last
  std::string engine_name_;
  std::string engine_version_;
  std::optional<TimePoint> deadline_;  // no engine's is earlier
};

}  // namespace tengen::pool
