// What it takes to bring an engine from one game to another: 64 games of GNU Go (level 1, 19x19,
// from mid-game positions) on 2, 8 and 32 engines, beside a full replay of the same positions. Two
// loads: every game goes on at once when it has moved, as when engines play each other; and games
// take turns, as when people must answer first, which makes nearly every search a switch.
//
// CPU is what the engine has used from the write to our reading of the last sync answer; the wall
// time of the same stretch is the pool's own histogram and grows with whatever else has the cores.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/bare_engine.h"
#include "tests/bench/figures.h"
#include "tests/bench/mid_games.h"
#include "tests/bench/self_play.h"

namespace tengen::tests {
namespace {

using Pace = SelfPlay::Pace;

constexpr std::size_t kGames = 64;

struct Options {
  std::size_t moves = 6;
};

double ms(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// One write from clear_board to the position.
std::string replay_of(const rules::Record& game, std::size_t moves) {
  std::string lines = "1 boardsize 19\n2 clear_board\n3 komi 7.5\n4 level 1\n";
  for (std::size_t i = 0; i < moves; ++i) {
    const rules::Move move = game.moves()[i];
    lines += std::to_string(i + 5) + (move.color == rules::Color::Black ? " play B " : " play W ") +
             (move.is_pass() ? "pass" : rules::gtp_vertex(*move.point, game.size())) + '\n';
  }
  return lines;
}

struct Cost {
  std::vector<double> commands;
  std::vector<double> cpu_ms;
};

/// The positions of the searches, each replayed on an engine of its own loop.
Cost replayed(const Searches& searches, const std::vector<std::string>& command) {
  boost::asio::io_context io{1};
  std::optional<EngineMeter> meter;
  std::optional<Metered> last;
  BareEngine engine(io, command, [&](std::string_view bytes) { last = meter->on_read(bytes); });
  meter.emplace(engine.pid());
  Cost cost;
  for (const Search& search : searches.list) {
    const std::string lines = replay_of(searches.games[search.game], search.moves);
    last.reset();
    meter->on_write(lines);
    engine.write(lines);
    while (!last) io.run_one();
    cost.commands.push_back(static_cast<double>(last->commands));
    cost.cpu_ms.push_back(ms(last->sync));
  }
  return cost;
}

Cost cost_of(const Searches& searches, bool is_switch) {
  Cost cost;
  for (const Search& search : searches.list) {
    if (search.is_switch != is_switch) continue;
    cost.commands.push_back(static_cast<double>(search.metered.commands));
    cost.cpu_ms.push_back(ms(search.metered.sync));
  }
  return cost;
}

/// One line of the table.
struct Row {
  Pace pace = Pace::AtOnce;
  int engines = 0;
  std::size_t searches = 0;
  Cost switches;
  Cost others;
  Cost replays;
  pool::TeamStats stats;

  std::uint64_t syncs() const {
    return stats.syncs_continued + stats.syncs_undone + stats.syncs_replayed;
  }
  double sync_wall_ms() const {
    return ms(stats.sync.sum()) / static_cast<double>(std::max<std::uint64_t>(syncs(), 1));
  }
};

Row measure(Pace pace, int engines, std::size_t moves) {
  SelfPlay games(engines, kGames);
  RoundLength length;
  length.searches = kGames * moves;
  const Searches searches = games.play(pace, length);
  return {pace,
          engines,
          searches.list.size(),
          cost_of(searches, true),
          cost_of(searches, false),
          replayed(searches, games.command()),
          games.stats()};
}

std::string text_of(const Cost& cost) {
  if (cost.commands.empty()) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.0f, %.2f ms", spread_of(cost.commands).median,
                spread_of(cost.cpu_ms).median);
  return text;
}

constexpr const char* kLine = "%-9s %7s %8s %8s  %9s %6s %8s  %-14s %-14s %-14s %s\n";

void print_head() {
  std::printf("commands and engine CPU before the search, medians; wall time: mean of all\n");
  std::printf(kLine, "load", "engines", "searches", "switches", "continued", "undone", "replayed",
              "a switch", "no switch", "full replay", "wall, ms");
}

void print(const Row& row) {
  char wall[32];
  std::snprintf(wall, sizeof wall, "%.2f", row.sync_wall_ms());
  std::printf(kLine, row.pace == Pace::AtOnce ? "at once" : "in turns",
              std::to_string(row.engines).c_str(), std::to_string(row.searches).c_str(),
              std::to_string(row.switches.commands.size()).c_str(),
              std::to_string(row.stats.syncs_continued).c_str(),
              std::to_string(row.stats.syncs_undone).c_str(),
              std::to_string(row.stats.syncs_replayed).c_str(), text_of(row.switches).c_str(),
              text_of(row.others).c_str(), text_of(row.replays).c_str(), wall);
  std::fflush(stdout);
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void judge(const std::vector<Row>& rows, RunScore& score) {
  for (const Row& row : rows) {
    const std::string name = std::to_string(row.engines) + " engines, " +
                             (row.pace == Pace::AtOnce ? "at once" : "in turns");
    score.count(row.syncs() == row.searches, name + ": the pool counted " +
                                                 std::to_string(row.syncs()) + " syncs for " +
                                                 std::to_string(row.searches) + " searches");
    const double ours = sum(row.switches.commands) + sum(row.others.commands);
    const double full = sum(row.replays.commands);
    char text[96];
    std::snprintf(text, sizeof text, ": %.0f commands before searches, full replays take %.0f",
                  ours, full);
    // Each search may have a seed and a few words about the time on top of a replay.
    constexpr double kExtraCommands = 5;
    score.count(ours <= full + kExtraCommands * static_cast<double>(row.searches), name + text);
  }
}

void compare(const Options& options, RunScore& score) {
  std::printf("%zu games, %zu moves each\n", kGames, options.moves);
  print_head();
  std::vector<Row> rows;
  for (const Pace pace : {Pace::AtOnce, Pace::InTurns}) {
    for (const int engines : {2, 8, 32}) {
      rows.push_back(measure(pace, engines, options.moves));
      print(rows.back());
    }
  }
  judge(rows, score);
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  tengen::tests::Options options;
  CLI::App app("Commands and time of a switch beside a full replay");
  app.add_option("--moves", options.moves, "Moves of each game, on average")
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
