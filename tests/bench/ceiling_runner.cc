// What the pool costs when its engines cost nothing: CPU time of this process for each job that
// goes through the pool and its processes, beside the fastest bare Asio loops that make the same
// round trips over the same number of pipes (bare_trips.h). Games follow each other on each engine;
// a job brings the one move that the opponent has made and asks for the next. The bare loops write
// exactly the bytes that the pool has written for one game, and look at nothing but the end of the
// answers. Every game is the same, and its positions are made beforehand: what it costs to play a
// game by the rules is not the pool's.
//
// Rounds alternate within one run. What is compared is CPU time, because the engines share the
// machine's cores with the loop; jobs a second are printed as well.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/bare_trips.h"
#include "tests/bench/figures.h"
#include "tests/bench/pool_loop.h"
#include "tests/support/daemon_process.h"

namespace tengen::tests {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kTurns = 30;  // of the engine, in one game
constexpr int kSide = 19;
constexpr std::chrono::seconds kRoundLimit{120};
constexpr double kRatioMax = 1 / 0.7;
constexpr double kRatioAim = 1 / 0.8;

struct Options {
  int engines = 64;
  long jobs = 200'000;
  int rounds = 5;
};

struct RoundFigures {
  double user = 0;  // microseconds of this process for each job
  double system = 0;
  double jobs_per_second = 0;
  double cpu() const { return user + system; }
};

/// Measures this process from its making on.
class Stopwatch {
 public:
  Stopwatch() { ::getrusage(RUSAGE_SELF, &before_); }
  RoundFigures figures(long jobs) const {
    rusage now{};
    ::getrusage(RUSAGE_SELF, &now);
    const std::chrono::duration<double> took = steady_clock::now() - begin_;
    const auto count = static_cast<double>(jobs);
    return {(us(now.ru_utime) - us(before_.ru_utime)) / count,
            (us(now.ru_stime) - us(before_.ru_stime)) / count, count / took.count()};
  }

 private:
  static double us(const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  }
  rusage before_{};
  steady_clock::time_point begin_ = steady_clock::now();
};

pool::Profile instant_profile(int engines) {
  pool::Profile profile;
  profile.name = "instant";
  profile.command = {program("instant_engine")};
  profile.processes_warm = engines;
  profile.processes_max = engines;
  profile.start_limit = kRoundLimit;
  return profile;
}

/// Where the instant engine plays at its n-th turn: row after row from the bottom.
rules::Point black_point(std::size_t turn) {
  const int number = static_cast<int>(turn);
  return rules::Point::at(number % kSide, kSide - 1 - number / kSide);
}
/// The opponent's answer: far away, so that no stone is ever taken.
rules::Point white_point(std::size_t turn) {
  const int number = static_cast<int>(turn);
  return rules::Point::at(number % kSide, number / kSide);
}

/// The positions in which the engine is to move.
std::vector<pool::SharedRecord> positions_of_a_game() {
  rules::Record record({kSide, kSide}, rules::KoRule::Positional, rules::SuicideRule::No);
  std::vector<pool::SharedRecord> positions;
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    positions.emplace_back(record);
    const bool is_legal = record.play(rules::Move::play(rules::Color::Black, black_point(turn))) ==
                              rules::Refusal::None &&
                          record.play(rules::Move::play(rules::Color::White, white_point(turn))) ==
                              rules::Refusal::None;
    if (!is_legal) throw std::runtime_error("an illegal move");
  }
  return positions;
}

/// As many games as engines, each going on as soon as its engine has moved.
class PoolSide {
 public:
  explicit PoolSide(int engines)
      : loop_({instant_profile(engines)}), games_(static_cast<std::size_t>(engines)) {
    loop_.taps().done = [this](const pool::JobDone& done) { on_done(done); };
    loop_.warm_up(games_.size());
  }

  /// Does so many jobs.
  RoundFigures run(long jobs) {
    const Stopwatch watch;
    play(jobs);
    return watch.figures(jobs);
  }

  /// What one engine is written during one game, whichever has had a whole one first.
  std::vector<std::string> writes_of_a_game() {
    std::map<pool::EngineId, std::vector<std::string>> writes;
    std::vector<std::string> whole;
    loop_.taps().written = [&](const pool::Write& write) {
      std::vector<std::string>& game = writes[write.engine];
      const bool is_first = write.bytes.find("clear_board") != std::string::npos;
      if (is_first && game.size() == kTurns) whole = game;
      if (is_first) game.clear();
      if (is_first || !game.empty()) game.push_back(write.bytes);
    };
    while (whole.empty()) play(static_cast<long>(games_.size() * kTurns));
    loop_.taps().written = nullptr;
    return whole;
  }

 private:
  struct Game {
    rules::GameId id;
    std::size_t turn = 0;
  };

  void play(long jobs) {
    left_ = jobs;
    for (Game& game : games_) go_on(game);
    if (!loop_.run_until([this] { return open_ == 0; }, kRoundLimit)) {
      throw std::runtime_error("the pool's round has no end");
    }
  }

  void go_on(Game& game) {
    if (left_ == 0) return;
    --left_;
    ++open_;
    if (game.turn == 0) game.id = {++games_begun_, 0};
    const auto number = static_cast<std::uint64_t>(&game - games_.data());
    loop_.submit(pool::Job{.id = {(++jobs_made_ << 16) | number},
                           .game = game.id,
                           .profile = "instant",
                           .settings = {},
                           .record = positions_[game.turn],
                           .rules = {},
                           .client = {number + 1}});
  }

  void on_done(const pool::JobDone& done) {
    --open_;
    Game& game = games_[done.job.value & 0xffff];
    const auto* move = std::get_if<pool::EngineMove>(&done.result);
    if (move == nullptr || move->kind != pool::EngineMove::Kind::Play ||
        move->point != black_point(game.turn)) {
      throw std::runtime_error("a job ended without the move that was due");
    }
    game.turn = game.turn + 1 == kTurns ? 0 : game.turn + 1;
    go_on(game);
  }

  PoolLoop loop_;
  std::vector<pool::SharedRecord> positions_ = positions_of_a_game();
  std::vector<Game> games_;
  std::uint64_t games_begun_ = 0;
  std::uint64_t jobs_made_ = 0;
  long left_ = 0;
  int open_ = 0;
};

using Rounds = std::vector<RoundFigures>;

template <typename Value>
Spread spread_of_rounds(const Rounds& rounds, Value value) {
  std::vector<double> values;
  for (const RoundFigures& round : rounds) values.push_back(value(round));
  return spread_of(std::move(values));
}

double cpu_of(const RoundFigures& round) { return round.cpu(); }

/// The figures of the pool and of both bare loops.
struct Table {
  Rounds pool;
  Rounds operations;
  Rounds epoll_set;
};

template <typename Value>
void print_row(const char* name, const Table& table, int decimals, Value value) {
  std::printf("%-25s", name);
  std::printf(" %-26s %-26s %s\n", text_of(spread_of_rounds(table.pool, value), decimals).c_str(),
              text_of(spread_of_rounds(table.operations, value), decimals).c_str(),
              text_of(spread_of_rounds(table.epoll_set, value), decimals).c_str());
}

void print(const Table& table) {
  std::printf("%-25s %-26s %-26s %s\n", "median (lowest - highest)", "pool",
              "bare, read by operations", "bare, one epoll set");
  print_row("CPU per job, us", table, 2, cpu_of);
  print_row("  user", table, 2, [](const RoundFigures& each) { return each.user; });
  print_row("  system", table, 2, [](const RoundFigures& each) { return each.system; });
  print_row("jobs per second", table, 0,
            [](const RoundFigures& each) { return each.jobs_per_second; });
}

/// The pool's rounds beside those of the faster bare loop.
void judge(const Table& table, RunScore& score) {
  const bool is_set_faster = spread_of_rounds(table.epoll_set, cpu_of).median <
                             spread_of_rounds(table.operations, cpu_of).median;
  const Rounds& bare = is_set_faster ? table.epoll_set : table.operations;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < bare.size(); ++i)
    ratios.push_back(table.pool[i].cpu() / bare[i].cpu());
  const Spread ratio = spread_of(std::move(ratios));
  char wanted[64];
  std::snprintf(wanted, sizeof wanted, ", wanted at most %.2f, the aim %.2f", kRatioMax, kRatioAim);
  score.count(ratio.median <= kRatioMax,
              "CPU per job, pool / the faster bare loop: " + text_of(ratio, 2) + wanted);
}

void compare(const Options& options, RunScore& score) {
  PoolSide pool_side(options.engines);
  const auto operations = BareTrips::by_operations(options.engines, program("instant_engine"));
  const auto epoll_set = BareTrips::by_epoll_set(options.engines, program("instant_engine"));
  const auto measure = [&](BareTrips& bare, const std::vector<std::string>& writes) {
    const Stopwatch watch;
    bare.run(options.jobs, writes);
    return watch.figures(options.jobs);
  };
  std::printf("%d engines, %d rounds of %ld jobs each\n", options.engines, options.rounds,
              options.jobs);
  std::fflush(stdout);
  for (BareTrips* bare : {operations.get(), epoll_set.get()}) {
    bare->run(options.jobs / 10, pool_side.writes_of_a_game());  // all are warm
  }
  Table table;
  for (int round = 0; round < options.rounds; ++round) {
    table.pool.push_back(pool_side.run(options.jobs));
    const auto writes = pool_side.writes_of_a_game();
    table.operations.push_back(measure(*operations, writes));
    table.epoll_set.push_back(measure(*epoll_set, writes));
  }
  print(table);
  judge(table, score);
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  tengen::tests::Options options;
  CLI::App app("The pool with instant engines beside a bare loop");
  app.add_option("--engines", options.engines, "Processes of each")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "Jobs of a round")
      ->check(CLI::Range(1'000, 100'000'000))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "Rounds of each")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  tengen::tests::RunScore score;
  try {
    tengen::tests::compare(options, score);
  } catch (const std::exception& error) {
    score.count(false, error.what());
  }
  return score.report();
}
