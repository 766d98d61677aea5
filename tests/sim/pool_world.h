// The pool's own simulator: a real Pool in virtual time, its engines simulated processes that
// misbehave, its clients games that live by the answers. A run is a row of seasons: each begins
// with other profiles and other weather, ends calm, and must then come to rest. After every event
// the pool's bookkeeping is checked, and every search is looked at from the engine's side: what is
// on its board must be the job's. One seed reproduces a run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "pool/pool.h"
#include "sim/lean_engine.h"
#include "sim/pool_load.h"
#include "sim/pool_process.h"

namespace tengen::sim {

/// A promise broken on purpose, to prove that the simulator sees it.
enum class PoolSabotage : std::uint8_t {
  None,
  LosePlay,         // an engine takes a play and does not make it
  HideRefusal,      // a '?' reaches the pool as '='
  ForgeAnswer,      // another move than the engine's reaches the pool
  EndTwice,         // the end of a job is told twice
  LoseEnd,          // it is never told
  BuryAlive,        // a process counts as gone while it is not
  ForgetDeadlines,  // time does not pass for the pool
  SpoilWrite,       // a written line arrives with a letter changed
  LieAboutBoard,    // engines that have drifted show what they should have
  DeafToMemory,     // the pool is not told that a process is too large
};

class PoolWorld {
 public:
  PoolWorld(std::uint64_t seed, std::uint64_t jobs, PoolSabotage sabotage = PoolSabotage::None);
  ~PoolWorld();

  /// Plays the whole run. Nothing when every promise was kept.
  std::optional<std::string> run();
  /// What happened, a number for each kind; to see that the run was not idle.
  std::map<std::string, std::uint64_t> counts;
  /// Prints what goes to and from the engines, to look into a seed that failed.
  bool is_traced = false;

 private:
  struct OpenJob {
    explicit OpenJob(pool::Job the_job) : job(std::move(the_job)) {}

    pool::Job job;
    pool::TimePoint submitted{};
    std::optional<std::size_t> slot{};  // of the game that goes on when it has ended
    int moved = 0;                      // times it went on to another engine
    bool is_cancelled = false;
    std::uint64_t updates = 0;
    /// The profile that it was accepted under, while an engine is at it that began before a reload;
    /// null: the present one.
    std::shared_ptr<const pool::Profile> accepted{};
    // The last search for it.
    int searches = 0;
    std::uint32_t engine = 0;
    Search search{};
    bool is_board_right = false;
    bool has_answer = false;  // its last byte has reached the pool
    pool::TimePoint search_from{};
    pool::TimePoint search_to{};
  };
  struct Process {
    std::unique_ptr<PoolProcess> of;
    std::uint64_t job = 0;      // whose commands it got last
    std::uint64_t search = 0;   // the number of the write of the last search that was looked at
    pool::TimePoint written{};  // when the last write came
    std::uint64_t clears = 0;   // of its board, when it was looked at last
    int blind_jobs = 0;         // begun on a board that was not theirs, since the last look at it
    bool is_too_large = false;
    std::uint64_t last_job_while_small = 0;
  };
  struct Event {
    enum class Kind : std::uint8_t {
      Emission,
      Spawned,
      SpawnFailed,
      GameTurn,
      Cancel,
      Disturbance,
    };
    pool::TimePoint at;
    std::uint64_t order = 0;
    Kind kind = Kind::GameTurn;
    std::uint32_t engine = 0;
    std::uint64_t number = 0;  // of a slot or a job
    std::uint64_t season = 0;
    Emission emission{};
    bool operator>(const Event& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };
  using Micros = std::chrono::microseconds;

  // The run (pool_world.cc).
  void play_season();
  void begin_season();
  void rest();
  bool is_at_rest() const;
  void drain();
  bool advance(pool::TimePoint until);
  void turn();
  void happen(Event& event);
  void after(Micros delay, Event event);
  Micros micros(int from, int to) { return Micros(dice_.between(from, to)); }
  [[noreturn]] void fail(const std::string& what) const;
  void trace(const char* what, std::uint64_t whose, std::string_view text) const;

  // What is asked (pool_world_load.cc).
  void begin_games();
  void game_turn(std::size_t slot);
  void submit(PoolGame& game, pool::Want want, std::optional<std::size_t> slot);
  void burst();
  void disturb();
  void cancel(std::uint64_t job);
  void cancel_many(bool of_game);
  void reload(std::vector<pool::Profile> profiles);
  void note_accepted();
  void reload_something();
  void grow_some_process();
  void say_nonsense();
  const pool::Profile* find_profile(std::string_view name) const;

  // What is done (pool_world_effects.cc).
  void carry_out();
  void spawn(const pool::Spawn& what);
  void write(const pool::Write& what);
  void kill(std::uint32_t engine);
  void deliver(std::uint32_t engine, Emission& emission);
  void take_emissions(std::uint32_t engine, Emissions& emissions);
  void look_at_search(std::uint32_t engine, Process& process);
  void check_board(Process& process, OpenJob& job);
  const pool::Profile& accepted_profile(const OpenJob& job) const;
  void check_company(const Process& process, const OpenJob& job) const;
  void end_job(const pool::JobDone& done);
  void check_result(const OpenJob& job, const pool::JobDone& done) const;
  void check_failure(const OpenJob& job, const pool::JobFailure& failure);
  bool is_queue_full(const pool::Job& job) const;
  bool may_be_unsupported(const OpenJob& job) const;
  bool may_be_unsupported(const pool::Job& job, const pool::Profile& profile) const;
  void check_searched(const OpenJob& job, const pool::JobDone& done) const;
  void go_on(const OpenJob& job, const pool::JobResult& result);
  void move_job(const pool::JobMoved& moved);
  void take_update(const pool::AnalysisUpdate& update);
  void note_wait(const OpenJob& job);
  void note_job_of(std::uint32_t engine, Process& process);
  Faults draw_faults();
  Talents draw_talents();

  std::uint64_t seed_;
  std::uint64_t jobs_left_;
  PoolSabotage sabotage_;
  Dice dice_;
  pool::TimePoint now_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t next_order_ = 0;
  std::vector<pool::Profile> profiles_;
  std::optional<pool::Pool> pool_;
  pool::Effects effects_;
  std::unordered_map<std::uint32_t, Process> processes_;
  std::unordered_map<std::uint64_t, OpenJob> jobs_;
  std::uint64_t last_job_ = 0;
  std::uint64_t last_game_ = 0;
  std::vector<std::unique_ptr<PoolGame>> games_;
  std::vector<int> open_of_slot_;
  Emissions emissions_;  // of one call, kept for its memory

  // The season.
  std::uint64_t season_ = 0;
  std::uint64_t season_jobs_left_ = 0;
  bool is_open_ = false;                              // games ask for more
  double storm_ = 0;                                  // how much goes wrong; 0 in calm weather
  Micros pace_{20'000};                               // of games between their jobs
  std::map<std::string, pool::TimePoint> failed_at_;  // last EnginesFailed by profile
  std::optional<std::uint64_t> submitting_;
  bool was_stormy_ = false;  // in this season
  bool is_draining_ = false;
};

}  // namespace tengen::sim
