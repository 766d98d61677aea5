// What it costs that many games share a few engines: 64 games of GNU Go (level 1, 19x19, from
// mid-game positions) on 2 processes, three ways, in rounds that follow each other:
//
//   pool      the pool with its processes, for a given time;
//   replays   a bare loop that sends the same searches in the same order to as many processes, each
//             as one write from clear_board on, whichever process is free;
//   in a row  the same searches game by game, each game on one process to its end, so that nothing
//             is ever replayed: what no sharing could beat.
//
// All figures are CPU time of the engine processes, read from their own CPU clocks, so neither the
// loop nor other programs count. Inside a search is what an engine used between our reading of the
// last sync answer and its move; see engine_meter.h for why that is never too much. Outside is
// everything else that it used in the round. The bare loops search by the very commands that the
// pool does. When these seed the engine and clear its caches the three ways must come to the same
// moves, which is checked; with the seed alone (--keep-caches) GNU Go sometimes plays another one
// after a replay.
//
// A round is made of slices, each by all three ways one after the other, so that a machine that is
// now faster and now slower is so to all of them. Every slice begins at the same positions.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cctype>
#include <cstdio>
#include <deque>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/bare_engine.h"
#include "tests/bench/figures.h"
#include "tests/bench/self_play.h"

namespace tengen::tests {
namespace {

constexpr int kEngines = 2;
constexpr double kInsideMin = 0.95;
constexpr double kInsideMargin = 0.05;
constexpr double kRatioMin = 0.97;
constexpr double kRatioMargin = 0.03;

struct Options {
  std::size_t games = 64;
  double seconds = 120;
  double slice = 12;
  int rounds = 5;
  bool keep_caches = false;
};

enum class Way : std::uint8_t { Replays, InARow };

/// What one side's engines did in one round.
struct SideFigures {
  std::size_t searches = 0;
  std::size_t same_moves = 0;
  std::chrono::nanoseconds cpu{0};
  std::chrono::nanoseconds inside{0};

  void add(const SideFigures& more) {
    searches += more.searches;
    same_moves += more.same_moves;
    cpu += more.cpu;
    inside += more.inside;
  }
  double inside_share() const { return ms(inside) / ms(cpu); }
  double per_cpu_second() const { return 1000 / cpu_per_search_ms(); }
  double cpu_per_search_ms() const { return ms(cpu) / static_cast<double>(searches); }
  double search_ms() const { return ms(inside) / static_cast<double>(searches); }

 private:
  static double ms(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
  }
};

/// The commands of a search on a board that holds the first `held` moves; from an empty one when
/// nothing is held.
std::string lines_of(const Search& search, const rules::Record& game,
                     std::optional<std::size_t> held) {
  std::string lines;
  int id = 0;
  const auto add = [&](const std::string& command) {
    lines += std::to_string(++id) + ' ' + command + '\n';
  };
  if (!held) {
    for (const char* command : {"boardsize 19", "clear_board", "komi 7.5", "level 1"}) add(command);
  }
  for (std::size_t i = held.value_or(0); i < search.moves; ++i) {
    const rules::Move move = game.moves()[i];
    add(std::string(move.color == rules::Color::Black ? "play B " : "play W ") +
        (move.is_pass() ? "pass" : rules::gtp_vertex(*move.point, game.size())));
  }
  for (const std::string& command : search.commands) add(command);
  return lines;
}

bool is_same_move(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::toupper(x) == std::toupper(y);
  });
}

/// Searches that one process does one after the other.
using Run = std::vector<const Search*>;

/// Engines with nothing around them.
class BareSide {
 public:
  explicit BareSide(const std::vector<std::string>& command) {
    for (int i = 0; i < kEngines; ++i) workers_.emplace_back(*this, command);
  }

  SideFigures run(const Searches& searches, Way way) {
    games_ = &searches.games;
    figures_ = {};
    runs_ = way == Way::Replays ? one_by_one(searches) : by_game(searches);
    next_run_ = 0;
    open_ = 0;
    const auto before = cpu();
    io_.restart();
    for (Worker& worker : workers_) worker.take_run();
    while (open_ > 0) io_.run_one();
    figures_.cpu = cpu() - before;
    return figures_;
  }

 private:
  class Worker {
   public:
    Worker(BareSide& side, const std::vector<std::string>& command)
        : side_(&side),
          engine_(side.io_, command, [this](std::string_view bytes) { on_read(bytes); }),
          meter_(engine_.pid()) {}

    void take_run() {
      held_.reset();
      next_ = 0;
      if (side_->next_run_ == side_->runs_.size()) return;
      run_ = &side_->runs_[side_->next_run_++];
      ++side_->open_;
      send();
    }
    std::chrono::nanoseconds cpu() const { return meter_.used(); }

   private:
    void send() {
      const Search& search = *(*run_)[next_];
      const std::string lines = lines_of(search, (*side_->games_)[search.game], held_);
      meter_.on_write(lines);
      engine_.write(lines);
    }

    void on_read(std::string_view bytes) {
      const auto metered = meter_.on_read(bytes);
      if (!metered) return;
      const Search& search = *(*run_)[next_];
      const bool is_same = is_same_move(metered->answer, search.answer);
      ++side_->figures_.searches;
      side_->figures_.inside += metered->search;
      side_->figures_.same_moves += is_same ? 1 : 0;
      held_.reset();
      if (is_same) held_ = search.moves + 1;
      if (++next_ < run_->size()) return send();
      --side_->open_;
      take_run();
    }

    BareSide* side_;
    BareEngine engine_;
    EngineMeter meter_;
    const Run* run_ = nullptr;
    std::size_t next_ = 0;
    std::optional<std::size_t> held_;  // moves of the run's game on its board
  };

  static std::vector<Run> one_by_one(const Searches& searches) {
    std::vector<Run> runs;
    for (const Search& search : searches.list) runs.push_back({&search});
    return runs;
  }
  static std::vector<Run> by_game(const Searches& searches) {
    std::vector<Run> runs(searches.games.size());
    for (const Search& search : searches.list) runs[search.game].push_back(&search);
    std::erase_if(runs, [](const Run& run) { return run.empty(); });
    return runs;
  }

  std::chrono::nanoseconds cpu() const {
    std::chrono::nanoseconds sum{0};
    for (const Worker& worker : workers_) sum += worker.cpu();
    return sum;
  }

  boost::asio::io_context io_{1};
  std::deque<Worker> workers_;
  const std::vector<rules::Record>* games_ = nullptr;
  std::vector<Run> runs_;
  std::size_t next_run_ = 0;
  int open_ = 0;
  SideFigures figures_;
};

struct Round {
  SideFigures pool;
  SideFigures replays;
  SideFigures in_a_row;
  bool is_cleared = true;  // caches were, before each search
  std::size_t switches = 0;
  std::chrono::duration<double> wall{0};  // of the pool
};

template <typename Value>
Spread spread_of_rounds(const std::vector<Round>& rounds, Value value) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(value(round));
  return spread_of(std::move(values));
}

void print_row(const char* name, const std::vector<Round>& rounds, int decimals,
               double (SideFigures::*figure)() const) {
  const auto text = [&](SideFigures Round::*side) {
    return text_of(
        spread_of_rounds(rounds, [&](const Round& round) { return (round.*side.*figure)(); }),
        decimals);
  };
  std::printf("%-30s %-26s %-26s %s\n", name, text(&Round::pool).c_str(),
              text(&Round::replays).c_str(), text(&Round::in_a_row).c_str());
}

void print_table(const std::vector<Round>& rounds) {
  std::printf("%-30s %-26s %-26s %s\n", "median (lowest - highest)", "pool", "replays", "in a row");
  print_row("moves per engine-CPU-second", rounds, 3, &SideFigures::per_cpu_second);
  print_row("engines' CPU per move, ms", rounds, 2, &SideFigures::cpu_per_search_ms);
  print_row("  inside searches, ms", rounds, 2, &SideFigures::search_ms);
  print_row("  inside searches, share", rounds, 4, &SideFigures::inside_share);
  const auto lost = [&](SideFigures Round::*side) {
    return text_of(spread_of_rounds(
                       rounds,
                       [&](const Round& round) {
                         return 100 * ((round.*side).search_ms() / round.in_a_row.search_ms() - 1);
                       }),
                   1);
  };
  std::printf("%-30s %-26s %-26s %s\n", "searches dearer by lost caches, %",
              lost(&Round::pool).c_str(), lost(&Round::replays).c_str(), "0");
}

void judge_moves(const std::vector<Round>& rounds, const char* name, SideFigures Round::*side,
                 bool is_cleared, RunScore& score) {
  std::size_t searches = 0;
  std::size_t same = 0;
  for (const Round& round : rounds) {
    searches += (round.*side).searches;
    same += (round.*side).same_moves;
  }
  const std::string text = std::string(name) + ": " + std::to_string(same) + " of " +
                           std::to_string(searches) + " searches came to the pool's move";
  if (is_cleared) {
    score.count(same == searches, text);
  } else {
    std::printf("%s\n", text.c_str());
  }
}

void judge(const std::vector<Round>& rounds, RunScore& score) {
  judge_at_least(
      score, "share of the engines' CPU time inside searches",
      spread_of_rounds(rounds, [](const Round& round) { return round.pool.inside_share(); }),
      kInsideMin, kInsideMargin);
  judge_at_least(score, "moves per engine-CPU-second, pool / replays",
                 spread_of_rounds(rounds,
                                  [](const Round& round) {
                                    return round.pool.per_cpu_second() /
                                           round.replays.per_cpu_second();
                                  }),
                 kRatioMin, kRatioMargin);
  const bool is_cleared = std::all_of(rounds.begin(), rounds.end(),
                                      [](const Round& round) { return round.is_cleared; });
  judge_moves(rounds, "replays", &Round::replays, is_cleared, score);
  judge_moves(rounds, "in a row", &Round::in_a_row, is_cleared, score);
}

bool is_cleared(const Searches& searches) {
  return std::all_of(searches.list.begin(), searches.list.end(), [](const Search& search) {
    return std::count(search.commands.begin(), search.commands.end(), "clear_cache") > 0;
  });
}

/// Slices until the pool has played for a round's time; lowers queued_min to the shortest queue.
Round play_round(const Options& options, SelfPlay& games, BareSide& bare, std::size_t& queued_min) {
  RoundLength length;
  length.time = std::chrono::milliseconds(static_cast<std::int64_t>(options.slice * 1000));
  Round round;
  while (round.wall.count() < options.seconds) {
    const Searches searches = games.play(SelfPlay::Pace::AtOnce, length);
    round.pool.add({searches.list.size(), searches.list.size(), searches.cpu, searches.inside});
    round.replays.add(bare.run(searches, Way::Replays));
    round.in_a_row.add(bare.run(searches, Way::InARow));
    round.is_cleared = round.is_cleared && is_cleared(searches);
    round.wall += searches.wall;
    for (const Search& search : searches.list) round.switches += search.is_switch ? 1 : 0;
    queued_min = std::min(queued_min, searches.queued_min);
  }
  return round;
}

void compare(const Options& options, RunScore& score) {
  SelfPlay games(kEngines, options.games,
                 options.keep_caches ? SelfPlay::Caches::Kept : SelfPlay::Caches::Cleared);
  BareSide bare(games.command());
  std::printf("%zu games on %d processes of %s, %d rounds of %.0f s a side\n", options.games,
              kEngines, games.command().front().c_str(), options.rounds, options.seconds);
  std::vector<Round> rounds;
  std::size_t queued_min = SIZE_MAX;
  for (int number = 1; number <= options.rounds; ++number) {
    const Round round = play_round(options, games, bare, queued_min);
    std::printf(
        "round %d: %zu moves, %zu switches, the engines' CPU %.0f %% of %.1f s\n", number,
        round.pool.searches, round.switches,
        100 * std::chrono::duration<double>(round.pool.cpu).count() / kEngines / round.wall.count(),
        round.wall.count());
    std::fflush(stdout);
    rounds.push_back(round);
  }
  print_table(rounds);
  judge(rounds, score);
  score.count(queued_min > 0, "the queue was never shorter than " + std::to_string(queued_min) +
                                  " jobs while games went on");
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  tengen::tests::Options options;
  CLI::App app("What sharing engines costs beside replays and beside no sharing");
  app.add_option("--games", options.games, "Games at once")
      ->check(CLI::Range(4, 76))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Length of a round of the pool")
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  app.add_option("--slice", options.slice, "Length of a slice of the pool")
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  app.add_flag("--keep-caches", options.keep_caches, "Engines remember what they computed");
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
