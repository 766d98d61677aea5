// One engine process as a state machine. It writes commands, awaits their answers by id, keeps the
// mirror (what is known of the engine's board) and watches the time of every answer. The queue of
// awaited ids is the only truth about answers: an answer to none of them does not count, and lost
// framing taints the engine, which is then killed. A core: bytes and a time go in, effects come
// out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/effects.h"
#include "pool/gtp.h"
#include "pool/position_sync.h"
#include "pool/roster.h"
#include "pool/scheduler.h"
#include "pool/stats.h"
#include "pool/work.h"

namespace tengen::pool {

/// A job's end, as the engine that did it reports it.
struct Finished {
  std::unique_ptr<Work> work;
  JobResult result;
  std::chrono::nanoseconds searched{0};  // by all its engines
  std::chrono::nanoseconds cost{0};      // of this engine's time
};

/// Why an engine was killed: it was late, it said what cannot be, or nobody wanted its search.
enum class Fault : std::uint8_t { Late, Tainted, Unwanted };

/// What one call led to. Whoever owns the engine acts on each part.
struct Progress {
  bool is_ready = false;  // the handshake is over
  std::optional<Finished> finished;
  std::unique_ptr<Work> preempted;  // a stream that is to go on later
  std::chrono::nanoseconds preempted_cost{0};
  std::string broken;  // why the engine was killed just now; its job, if any, is in take_work()
  Fault fault = Fault::Tainted;
};

class Engine {
 public:
  /// Asks for the process. Roster and stats must outlive the engine.
  Engine(EngineId id, std::shared_ptr<const Profile> profile, std::size_t variant, Roster& roster,
         TeamStats& stats, TimePoint now, Effects& out, CommandWriter writer = CommandWriter());
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void on_spawned(int pid, TimePoint now, Effects& out);
  [[nodiscard]] Progress on_output(std::string_view bytes, TimePoint now, Effects& out);
  void on_error_output(std::string_view bytes);
  void on_memory(std::uint64_t resident_bytes) { resident_bytes_ = resident_bytes; }
  [[nodiscard]] Progress on_deadline(TimePoint now, Effects& out);
  std::optional<TimePoint> deadline() const { return deadline_; }
  /// The process has ended, or never was.
  void on_gone(TimePoint now);

  /// Starts a job; the engine must be Idle. Whatever it takes goes out in one write.
  void begin(std::unique_ptr<Work> work, TimePoint now, Effects& out);
  /// Ends a stream as soon as the engine lets go of it: at a limit, with Preempted it is given
  /// back. The engine must be Streaming.
  enum class Interruption : std::uint8_t { AtLimit, Preempted };
  void interrupt(Interruption why, TimePoint now, Effects& out);
  /// Nobody wants the job any more: a stream is ended, a search is stopped where the profile knows
  /// how, else the engine is killed or the search waited out. The engine must be at work.
  enum class Abandon : std::uint8_t { MayKill, WaitOut };
  [[nodiscard]] Progress abandon(Abandon how, TimePoint now, Effects& out);
  /// Asks the process to quit and closes its input; it is killed after kQuitGrace.
  void quit(TimePoint now, Effects& out);
  /// The job of an engine that will not finish it; the engine must be Stopping or Gone.
  std::unique_ptr<Work> take_work();

  /// It shall quit when it has nothing to do; whoever owns it sees to that.
  void mark_to_retire() { is_to_retire_ = true; }
  bool is_to_retire() const { return is_to_retire_; }

  EngineId id() const { return id_; }
  EngineState state() const { return state_; }
  const Profile& profile() const { return *profile_; }
  std::size_t variant() const { return variant_; }
  /// The job in hand, or null.
  Work* work() { return work_.get(); }
  const Work* work() const { return work_.get(); }
  Held held() const;
  TimePoint idle_since() const { return idle_since_; }
  /// When the job in hand was begun, and its search; the latter absent while it is being synced.
  TimePoint begun_at() const { return begun_at_; }
  int jobs_finished() const { return jobs_finished_; }
  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  int pid() const { return pid_; }
  std::uint64_t resident_bytes() const { return resident_bytes_; }
  /// From the spawn to the end of the handshake.
  std::chrono::nanoseconds start_time() const { return start_time_; }
  /// Whether it was killed only because its game's clock gave it no more time.
  bool is_out_of_time() const { return is_out_of_time_; }
  /// False only when the engine has listed its commands and this one is not among them.
  bool knows(std::string_view command) const;
  /// What it would be asked for a job: where it has no command for cleaning up, or for a move that
  /// it does not play, a plain move.
  std::string command_for(const Job& job) const;
  /// The end of what it wrote to standard error, fit for a log line.
  std::string error_tail() const;
  std::optional<std::string> broken_invariant() const;

 private:
  enum class Step : std::uint8_t {
    Protocol,
    Name,
    Version,
    Commands,
    Base,
    Undo,
    Play,
    Verify,
    Time,
    Seed,
    Search,
    Stop,   // of a search
    Fence,  // of a stream or a text
  };
  struct Awaited {
    std::uint32_t id;
    Step step;
    std::string command;
  };
  /// How a job ends that is being stopped.
  enum class Ending : std::uint8_t { None, AtLimit, Preempted, Unwanted };

  void move_to(EngineState next);
  bool is_awaiting() const { return next_awaited_ < awaited_.size(); }
  const Awaited& front() const { return awaited_[next_awaited_]; }
  std::uint32_t ask(Step step, std::string command, std::string& bytes);

  // The job's commands and their answers (engine_search.cc).
  void write_job(TimePoint now, Effects& out);
  void write_before_search(std::string& bytes);
  void keep_ids_ascending(const SyncPlan& plan);
  std::string take_command();
  void count_sync(const SyncPlan& plan);
  bool is_time_to_verify() const;
  std::chrono::milliseconds search_limit() const;
  /// Whether a game's clock leaves the search less than the profile does.
  bool is_clock_short() const;
  std::chrono::nanoseconds searched(TimePoint now) const;
  void take_sync(const Awaited& asked, const Answer& answer, Effects& out);
  void void_rest(Effects& out);
  void advance_mirror(const Awaited& asked);
  void take_board(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void take_update(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void await_silence(TimePoint now);
  void take_search(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void play_on_mirror(const JobResult& result);
  void take_last(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void take_result(std::optional<JobResult> result, std::string_view said, TimePoint now,
                   Effects& out, Progress& progress);
  std::optional<JobResult> with_rest(std::optional<JobResult> result, const std::string& said,
                                     const std::string& rest);
  void write_again(TimePoint now, Effects& out, Progress& progress);
  void end_stream(Ending ending, TimePoint now, Effects& out);
  bool can_be_stopped() const;
  void tell_begun(Effects& out) const;
  void stop_if_unwanted(TimePoint now, Effects& out);
  void stop_search(TimePoint now, Effects& out);
  void end_search_time(TimePoint now);
  void finish(JobResult result, TimePoint now, Progress& progress);

  // The process and its answers (engine.cc).
  void take_answer(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void take_foreign(const Answer& answer, TimePoint now, Effects& out, Progress& progress);
  void take_handshake(Step step, const Answer& answer, TimePoint now, Effects& out,
                      Progress& progress);
  void note_what_it_lacks(Effects& out);
  void break_off(Fault fault, std::string reason, TimePoint now, Effects& out, Progress& progress);
  void note_noise(Effects& out);
  std::chrono::milliseconds limit_of(Step step) const;
  void await_next(TimePoint now);
  void rest(TimePoint now);

  EngineId id_;
  std::shared_ptr<const Profile> profile_;
  std::size_t variant_;
  Roster* roster_;
  TeamStats* stats_;
  EngineState state_ = EngineState::Starting;
  bool is_to_retire_ = false;
  int pid_ = 0;
  TimePoint spawned_at_;
  std::chrono::nanoseconds start_time_{0};
  std::optional<TimePoint> deadline_;
  AnswerReader reader_;
  std::vector<Answer> answers_;  // of one call, kept for its memory
  CommandWriter writer_;
  std::vector<Awaited> awaited_;  // those before next_awaited_ have been answered
  std::size_t next_awaited_ = 0;
  int late_answers_ = 0;

  std::string name_;
  std::string version_;
  std::vector<std::string> commands_;  // sorted; empty when it would not list them
  std::string error_tail_;
  std::uint64_t noise_counted_ = 0;
  std::uint64_t resident_bytes_ = 0;
  Unwilling unwilling_;
  bool can_verify_ = true;
  bool is_look_refused_ = false;  // at the board, in the write in flight
  int looks_refused_ = 0;         // in a row

  std::unique_ptr<Work> work_;
  Position needed_;                 // of the job in hand
  std::optional<Position> mirror_;  // absent: unknown
  bool is_void_ = false;            // what the write in flight still answers does not count
  bool is_replay_ = false;          // it began from an empty board
  bool plays_itself_ = true;        // its search leaves its result on the engine's board
  bool is_board_doubtful_ = false;  // the last look at it found another one
  bool is_out_of_time_ = false;     // killed at a limit that was a clock's
  Ending ending_ = Ending::None;
  std::optional<JobResult> result_;       // of a job that is being stopped, or whose end is awaited
  std::optional<std::string> text_said_;  // up to its first empty line
  std::vector<std::string> board_said_;   // answers about the board
  std::optional<rules::GameId> game_;     // of the last job
  TimePoint idle_since_{};
  TimePoint begun_at_{};
  TimePoint written_at_{};
  std::optional<TimePoint> search_from_;  // the last sync answer, while the search runs
  int jobs_begun_ = 0;
  int jobs_finished_ = 0;
  int bad_updates_ = 0;
};

}  // namespace tengen::pool
