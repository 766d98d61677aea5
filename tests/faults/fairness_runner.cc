// One client that asks for 500 analyses at once beside ten live games, on real Leela Zero processes
// with a random network. A game asks for its next move a moment after it has one (its opponent's
// moment: with none at all an engine would stay with one game for several moves), so soon that
// there is always more work than engines. First the games are alone, then with the analyses until
// all of them have ended, then alone again.
//
// What the shares promise: while both wait, analyses get share_analysis of every share_moves +
// share_analysis parts of the engines' time, 1 of 17. Moves have the rest, so from one move of a
// game to its next it takes at most 17/16 of what it takes alone. A single move can also meet an
// engine that has just begun a stream: it is left alone for one quantum (Limits::kStreamQuantum)
// and then takes a moment to stop, which bounds the late ones. What a move takes an engine is no
// matter of shares (other programs come and go, and an analysis leaves another board behind): times
// alone are scaled by it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pool/limits.h"
#include "pool/shipped.h"
#include "pool/spawn.h"
#include "tests/bench/mid_games.h"
#include "tests/bench/pool_loop.h"
#include "tests/faults/random_network.h"
#include "tests/support/run_score.h"
#include "tests/support/temp_folder.h"

namespace tengen::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::size_t kGames = 10;
constexpr std::size_t kMovesMax = 120;  // of a game, which then begins anew
constexpr std::size_t kPositions = 76;  // that analyses take in turn
constexpr pool::ClientId kAnalyst{1'000};
constexpr std::uint32_t kVisitsMax = 50;
constexpr milliseconds kAnalysisTime{200};
constexpr std::chrono::minutes kLimit{20};
/// For what two measurements differ by when nothing is different.
constexpr double kNoise = 1.05;
constexpr double kStopMs = 50;
/// What moves may take an engine beside analyses, which leave it another board and no tree, in
/// times of what they take it alone.
constexpr double kDearerMax = 1.2;

struct Options {
  int engines = 2;
  int analyses = 500;
  double seconds = 20;
  int pause_ms = 20;
};

pool::Profile leela_profile(const Options& options, const std::string& network) {
  auto profile = pool::shipped_profile("leela-zero");
  if (!profile) throw std::runtime_error("there is no profile for Leela Zero");
  profile->command = {"leelaz", "--gtp", "-w", network, "--cpu-only", "-t",
                      "1",      "-p",    "50", "-r",    "0",          "--noponder"};
  profile->processes_warm = options.engines;
  profile->processes_max = options.engines;
  const auto jobs = static_cast<std::size_t>(options.analyses) + kGames;
  profile->queue_max = std::max(profile->queue_max, jobs);
  profile->queue_per_client_max = std::max(profile->queue_per_client_max, jobs);
  return *profile;
}

double ms(nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// The moves of all games in one phase, in milliseconds.
struct Moves {
  std::vector<double> waits;  // from the question to the answer, the search excepted
  std::vector<double> searches;
  double engines = 0;   // how long engines were at moves, syncing included
  double analyses = 0;  // and with analyses

  void add(const Moves& more) {
    waits.insert(waits.end(), more.waits.begin(), more.waits.end());
    searches.insert(searches.end(), more.searches.begin(), more.searches.end());
    engines += more.engines;
    analyses += more.analyses;
  }
  double engine_per_move() const { return engines / static_cast<double>(waits.size()); }
};

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}
double mean(const std::vector<double>& values) {
  return sum(values) / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

class Fairness {
 public:
  Fairness(const Options& options, const std::string& network)
      : options_(options), profile_(leela_profile(options, network)), loop_({profile_}) {
    loop_.taps().done = [this](const pool::JobDone& done) { on_done(done); };
    loop_.taps().written = [this](const pool::Write&) { account(); };
    loop_.taps().moved = [this](const pool::JobMoved&) { ++moved_; };
    loop_.warm_up(static_cast<std::size_t>(options.engines));
    for (std::size_t i = 0; i < kGames; ++i) begin(games_[i], i);
  }

  /// The games go on for a while.
  Moves alone() {
    const auto end = std::chrono::steady_clock::now() +
                     milliseconds(static_cast<std::int64_t>(options_.seconds * 1000));
    return run([this, end] { return loop_.now() >= end; });
  }

  /// The games go on until all analyses have ended.
  Moves together() {
    const auto positions = mid_games(kPositions);
    for (int i = 0; i < options_.analyses; ++i) {
      const auto number = static_cast<std::size_t>(i);
      submit_analysis(positions[number % kPositions], number);
    }
    return run([this] { return analyses_open_ == 0; });
  }

  const pool::Profile& profile() const { return profile_; }
  int analyses_good() const { return analyses_good_; }
  std::uint64_t updates() const { return updates_; }
  int moved() const { return moved_; }
  std::uint64_t preempted() const { return loop_.pool().stats(profile_.name).preempted; }

 private:
  struct Game {
    rules::GameId id;
    rules::Record record{rules::Size{19, 19}, rules::KoRule::Positional, rules::SuicideRule::No};
    pool::ClientId client;
  };
  struct Asked {
    pool::TimePoint at;
    Game* game = nullptr;  // null for an analysis
    rules::Color color = rules::Color::Black;
  };

  template <typename IsOver>
  Moves run(IsOver is_over) {
    account();
    moves_ = {};
    is_open_ = true;
    for (Game& game : games_) ask(game);
    const bool is_met = loop_.run_until(
        [&] {
          if (is_open_ && is_over()) close();
          return !is_open_ && moves_open_ + pausing_ == 0;
        },
        kLimit);
    if (!is_met) throw std::runtime_error(std::to_string(analyses_open_) + " analyses never end");
    return std::exchange(phase_, {});
  }

  // What is under way then is answered, but no part of the phase.
  void close() {
    account();
    is_open_ = false;
    phase_ = std::exchange(moves_, {});
  }

  void begin(Game& game, std::size_t number) {
    game = Game{};
    game.id = {1, ++games_begun_};
    game.client = {number + 1};
  }

  void ask(Game& game) {
    const auto color =
        game.record.moves().size() % 2 == 0 ? rules::Color::Black : rules::Color::White;
    pool::Job job{.id = {++jobs_made_},
                  .game = game.id,
                  .profile = profile_.name,
                  .settings = {},
                  .record = game.record,
                  .rules = {},
                  .color = color,
                  .client = game.client};
    asked_[job.id] = {loop_.now(), &game, color};
    ++moves_open_;
    loop_.submit(std::move(job));
  }

  void submit_analysis(const rules::Record& position, std::size_t number) {
    pool::Job job{
        .id = {++jobs_made_},
        .game = {2, number},
        .profile = profile_.name,
        .settings = {},
        .record = position,
        .rules = {},
        .want = pool::Want::Analyze,
        .client = kAnalyst,
        .priority = pool::Priority::Analysis,
        .analysis = {
            .interval = milliseconds(20), .visits_max = kVisitsMax, .time_max = kAnalysisTime}};
    asked_[job.id] = {loop_.now(), nullptr};
    ++analyses_open_;
    loop_.submit(std::move(job));
  }

  /// Books the time since the last call to what each engine has been at.
  void account() {
    const pool::TimePoint now = loop_.now();
    for (const bool is_analysis : busy_) {
      (is_analysis ? moves_.analyses : moves_.engines) += ms(now - accounted_);
    }
    accounted_ = now;
    busy_.clear();
    for (const pool::EngineStatus& engine : loop_.pool().engines(profile_.name)) {
      if (!engine.job) continue;
      const auto found = asked_.find(*engine.job);
      if (found != asked_.end()) busy_.push_back(found->second.game == nullptr);
    }
  }

  void on_done(const pool::JobDone& done) {
    account();
    const auto found = asked_.find(done.job);
    const Asked asked = found->second;
    asked_.erase(found);
    if (asked.game == nullptr) return on_analysis(done);
    --moves_open_;
    const auto* move = std::get_if<pool::EngineMove>(&done.result);
    if (move == nullptr) throw std::runtime_error("a job of a game ended without a move");
    moves_.waits.push_back(ms(loop_.now() - asked.at - done.searched));
    moves_.searches.push_back(ms(done.searched));
    play(*asked.game, asked.color, *move);
    if (!is_open_) return;
    ++pausing_;
    loop_.later(milliseconds(options_.pause_ms), [this, game = asked.game] {
      --pausing_;
      if (is_open_) ask(*game);
    });
  }

  void on_analysis(const pool::JobDone& done) {
    --analyses_open_;
    if (const auto* end = std::get_if<pool::AnalysisEnd>(&done.result)) {
      ++analyses_good_;
      updates_ += end->updates;
    } else if (const auto* failure = std::get_if<pool::JobFailure>(&done.result)) {
      std::printf("an analysis failed: %s\n", failure->detail.c_str());
    }
  }

  /// Two passes, a resignation, a move that our rules refuse: Leela Zero is not asked on.
  void play(Game& game, rules::Color color, const pool::EngineMove& move) {
    const bool is_play = move.kind == pool::EngineMove::Kind::Play;
    const bool was_pass = !game.record.moves().empty() && game.record.moves().back().is_pass();
    const auto point = is_play ? std::optional(move.point) : std::nullopt;
    const bool is_over = move.kind == pool::EngineMove::Kind::Resign || (!is_play && was_pass) ||
                         game.record.play({color, point}) != rules::Refusal::None ||
                         game.record.moves().size() >= kMovesMax;
    if (is_over) begin(game, static_cast<std::size_t>(&game - games_.data()));
  }

  const Options& options_;
  pool::Profile profile_;
  PoolLoop loop_;
  std::array<Game, kGames> games_;
  std::map<pool::JobId, Asked> asked_;
  Moves moves_;  // of the phase that goes on
  Moves phase_;  // the last one that is over
  bool is_open_ = false;
  std::size_t moves_open_ = 0;
  std::size_t pausing_ = 0;  // games between a move and the next question
  int analyses_open_ = 0;
  int analyses_good_ = 0;
  std::uint64_t updates_ = 0;
  std::vector<bool> busy_;  // for each engine at work since accounted_, whether at an analysis
  pool::TimePoint accounted_{};
  int moved_ = 0;
  std::uint64_t games_begun_ = 0;
  std::uint64_t jobs_made_ = 0;
};

void print_row(const char* name, const Moves& moves) {
  std::printf("%-18s %6zu   %8.1f %8.1f %8.1f    %8.1f %8.1f\n", name, moves.waits.size(),
              quantile(moves.waits, 0.5), mean(moves.waits), quantile(moves.waits, 0.99),
              quantile(moves.searches, 0.5), moves.engine_per_move());
  std::fflush(stdout);
}

void judge(const Fairness& fairness, const Options& options, const Moves& alone,
           const Moves& together, RunScore& score) {
  const auto moves = static_cast<double>(fairness.profile().share_moves);
  const auto analyses = static_cast<double>(fairness.profile().share_analysis);
  char text[160];
  const double share = together.analyses / (together.analyses + together.engines);
  const double share_max = analyses / (moves + analyses) * kNoise;
  std::snprintf(text, sizeof text, "analyses had %.4f of the engines' time: at most %.4f", share,
                share_max);
  score.count(share <= share_max, text);
  const double pace = together.engine_per_move() / alone.engine_per_move();
  std::snprintf(text, sizeof text,
                "a move takes an engine %.1f ms, alone %.1f ms: at most %.2f times",
                together.engine_per_move(), alone.engine_per_move(), kDearerMax);
  score.count(pace <= kDearerMax, text);
  const double growth = (moves + analyses) / moves * pace * kNoise;
  const double cycle = options.pause_ms + mean(alone.waits) + mean(alone.searches);
  const double cycle_now = options.pause_ms + mean(together.waits) + mean(together.searches);
  std::snprintf(text, sizeof text, "from move to move %.1f ms, alone %.1f ms: at most %.1f ms",
                cycle_now, cycle, cycle * growth);
  score.count(cycle_now <= cycle * growth, text);
  const double late = quantile(alone.waits, 0.99);
  const double late_now = quantile(together.waits, 0.99);
  const double late_max = late * growth + ms(pool::Limits::kStreamQuantum) + kStopMs;
  std::snprintf(text, sizeof text,
                "99 of 100 waits are within %.1f ms, alone %.1f ms: at most %.1f ms", late_now,
                late, late_max);
  score.count(late_now <= late_max, text);
  score.count(fairness.analyses_good() == options.analyses,
              std::to_string(fairness.analyses_good()) + " of " + std::to_string(options.analyses) +
                  " analyses came to their end");
}

void compare(const Options& options, RunScore& score) {
  const TempFolder folder;
  Fairness fairness(options, folder.write("network.txt", random_network(1)));
  std::printf("%zu live games on %d processes, one client with %d analyses\n", kGames,
              options.engines, options.analyses);
  std::printf("%-18s %6s   %26s    %17s\n", "milliseconds", "", "wait: median  mean  99 %",
              "search  engine's");
  fairness.alone();  // every process has its games
  Moves alone = fairness.alone();
  print_row("alone", alone);
  const Moves together = fairness.together();
  print_row("with the analyses", together);
  const Moves again = fairness.alone();
  print_row("alone again", again);
  alone.add(again);
  std::printf("%llu updates, streams made room %llu times, %d jobs lost their engine\n",
              static_cast<unsigned long long>(fairness.updates()),
              static_cast<unsigned long long>(fairness.preempted()), fairness.moved());
  judge(fairness, options, alone, together, score);
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  tengen::tests::Options options;
  CLI::App app("Live games beside one client's analyses, on Leela Zero");
  app.add_option("--engines", options.engines, "Processes")
      ->check(CLI::Range(2, 16))
      ->capture_default_str();
  app.add_option("--analyses", options.analyses, "How many, all asked at once")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "How long the games go on alone, each time")
      ->check(CLI::Range(1.0, 600.0))
      ->capture_default_str();
  app.add_option("--pause-ms", options.pause_ms, "From a game's move to its next question")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  tengen::tests::RunScore score;
  if (tengen::pool::find_program("leelaz").empty()) {
    score.count(false, "leelaz is not installed (Debian: leela-zero)");
    return score.report();
  }
  try {
    tengen::tests::compare(options, score);
  } catch (const std::exception& error) {
    score.count(false, error.what());
  }
  return score.report();
}
