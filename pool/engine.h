// One engine process as a state machine. It writes commands, awaits their answers by id, keeps the
// mirror (what is known of the engine's board) and watches the time of every answer. The queue of
// awaited ids is the only truth about answers: anything else the engine says taints it, and a
// tainted engine is killed. A core: bytes and a time go in, effects come out.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/effects.h"
#include "pool/gtp.h"
#include "pool/position_sync.h"
#include "pool/scheduler.h"
#include "pool/work.h"

namespace tengen::pool {

enum class EngineState : std::uint8_t {
  Starting,  // from the spawn to the end of the handshake
  Idle,
  Searching,  // has a job: its sync, its search, or what is left of a refused write
  Stopping,   // asked to quit or killed; what it says no longer counts
  Gone,
};

/// A job's end, as the engine that did it reports it.
struct Finished {
  std::unique_ptr<Work> work;
  JobResult result;
};

/// What one call led to, in this order. Whoever owns the engine acts on each part.
struct Progress {
  bool is_ready = false;  // the handshake is over
  std::optional<Finished> finished;
  std::string broken;  // why the engine was killed just now; its job, if any, is in take_work()
};

class Engine {
 public:
  /// Asks for the process. The profile must outlive the engine.
  Engine(EngineId id, const Profile& profile, TimePoint now, Effects& out);

  void on_spawned(int pid, TimePoint now, Effects& out);
  [[nodiscard]] Progress on_output(std::string_view bytes, TimePoint now, Effects& out);
  void on_error_output(std::string_view bytes);
  [[nodiscard]] Progress on_deadline(TimePoint now, Effects& out);
  std::optional<TimePoint> deadline() const { return deadline_; }
  /// The process has ended, or never was.
  void on_gone();

  /// Starts a job; the engine must be Idle. The sync and the search go out in one write.
  void begin(std::unique_ptr<Work> work, TimePoint now, Effects& out);
  /// Asks the process to quit and closes its input; it is killed after kQuitGrace.
  void quit(TimePoint now, Effects& out);
  /// The job of an engine that will not finish it; the engine must be Stopping or Gone.
  std::unique_ptr<Work> take_work();

  EngineId id() const { return id_; }
  EngineState state() const { return state_; }
  /// The job in hand, or null.
  Work* work() { return work_.get(); }
  const Work* work() const { return work_.get(); }
  Held held() const;
  TimePoint idle_since() const { return idle_since_; }
  int jobs_finished() const { return jobs_finished_; }
  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  int pid() const { return pid_; }
  /// False only when the engine has listed its commands and this one is not among them.
  bool knows(std::string_view command) const;
  /// The end of what it wrote to standard error, fit for a log line.
  std::string error_tail() const;
  std::optional<std::string> broken_invariant() const;

 private:
  enum class Step : std::uint8_t { Protocol, Name, Version, Commands, Base, Play, Seed, Search };
  struct Awaited {
    std::uint32_t id;
    Step step;
    std::string command;
  };

  void move_to(EngineState next);
  void ask(Step step, std::string command, std::string& bytes);
  void write_job(TimePoint now, Effects& out);
  void take_answer(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void take_handshake(Step step, const Answer& answer, TimePoint now, Progress& progress);
  void take_sync(const Awaited& asked, const Answer& answer);
  void advance_mirror(const Awaited& asked);
  void take_search(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void end_refused_write(TimePoint now, Effects& out, Progress& progress);
  void finish(JobResult result, TimePoint now, Progress& progress);
  void break_off(std::string reason, Effects& out, Progress& progress);
  void note_noise(Effects& out);
  std::chrono::milliseconds limit_of(Step step) const;
  void await_next(TimePoint now);

  EngineId id_;
  const Profile* profile_;
  EngineState state_ = EngineState::Starting;
  int pid_ = 0;
  std::optional<TimePoint> deadline_;
  AnswerReader reader_;
  CommandWriter writer_;
  std::deque<Awaited> awaited_;

  std::string name_;
  std::string version_;
  std::vector<std::string> commands_;  // sorted; empty when it would not list them
  std::string error_tail_;
  bool is_noise_noted_ = false;
  SetupBy setup_by_ = SetupBy::Handicap;

  std::unique_ptr<Work> work_;
  Position needed_;                    // of the job in hand
  std::optional<Position> mirror_;     // absent: unknown
  bool is_write_refused_ = false;      // a sync command was refused; later answers are void
  std::optional<rules::GameId> game_;  // of the last job
  TimePoint idle_since_{};
  int jobs_finished_ = 0;
};

}  // namespace tengen::pool
