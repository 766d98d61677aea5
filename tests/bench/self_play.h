// Many games of GNU Go against itself through the pool, from the middle of real games on, with a
// meter at every engine: what was searched, in which order, and what it cost the engines.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/record.h"
#include "tests/bench/engine_meter.h"
#include "tests/bench/pool_loop.h"

namespace tengen::tests {

/// One search, its position being the first `moves` moves of its game.
struct Search {
  std::size_t game = 0;
  std::size_t moves = 0;
  rules::Color color = rules::Color::Black;
  std::uint32_t seed = 1;
  std::uint32_t engine = 0;
  std::vector<std::string> sync;      // the commands that brought the engine to the position
  std::vector<std::string> commands;  // what it was then asked by: clear_cache, the seed, genmove
  std::string answer;                 // "Q16", "PASS", "RESIGN"
  bool is_switch = false;             // the engine had another game before, or none
  Metered metered;
};

/// The searches in the order in which they were given to engines, all answered.
struct Searches {
  std::vector<Search> list;
  std::vector<rules::Record> games;    // by Search::game; a game that ended goes on as a new one
  std::chrono::nanoseconds cpu{0};     // of the engines, all of it
  std::chrono::nanoseconds inside{0};  // of that, between the last sync answer and the move
  std::chrono::duration<double> wall{0};
  std::size_t queued_min = 0;  // jobs waiting, whenever one was done and more were to come

  double inside_share() const;
  double per_cpu_second() const;
};

/// A round ends when either is reached; what was asked for by then is still answered.
struct RoundLength {
  std::chrono::milliseconds time{std::chrono::hours(24)};
  std::size_t searches = SIZE_MAX;
};

class SelfPlay {
 public:
  /// Whether the engines forget what they computed before each search, as the shipped profile says.
  enum class Caches : std::uint8_t { Cleared, Kept };
  /// With so many processes, all started.
  SelfPlay(int engines, std::size_t games, Caches caches = Caches::Cleared);

  enum class Pace : std::uint8_t {
    AtOnce,   // a game asks for its next move as soon as it has one
    InTurns,  // no game does until every one has moved
  };
  /// Plays from the beginning.
  Searches play(Pace pace, RoundLength length);

  /// What the engines were started as.
  const std::vector<std::string>& command() const { return command_; }
  const pool::TeamStats& stats() const;

 private:
  struct Seat {
    EngineMeter meter;
    std::optional<std::size_t> game;
    std::optional<std::size_t> search;  // that it was written last
  };

  void on_written(const pool::Write& write);
  void on_read(pool::EngineId engine, std::string_view bytes);
  void on_done(const pool::JobDone& done);
  std::optional<pool::JobId> job_of(pool::EngineId engine) const;
  void ask(std::size_t game);
  bool is_over(const rules::Record& record) const;
  std::chrono::nanoseconds cpu() const;

  PoolLoop loop_;
  std::size_t games_;
  std::vector<std::string> command_;
  std::map<pool::EngineId, Seat> seats_;

  // Of the round.
  Pace pace_ = Pace::AtOnce;
  RoundLength length_;
  pool::TimePoint end_;
  Searches searches_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> moved_;  // games that wait for the others
  std::size_t open_ = 0;
  std::uint64_t first_job_ = 1;
  std::uint64_t rounds_ = 0;
};

}  // namespace tengen::tests
