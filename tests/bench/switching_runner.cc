// What it takes to bring an engine from one game to another: 64 games of GNU Go (level 1, 19x19,
// from mid-game positions) on 2, 8 and 32 engines, beside a full replay of the same positions. Two
// loads: every game goes on at once when it has moved, as when engines play each other; and games
// take turns, as when people must answer first, which makes nearly every search a switch.
//
// In the pool a search follows the sync in the same write, so where one ends cannot be seen well
// from outside. CPU time is therefore measured afterwards: the same commands are sent once more, to
// an engine each that has nothing else to do, a play of its move in place of each search. The wall
// time from the write to the last sync answer is the pool's own histogram, and grows with whatever
// else has the cores.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/bare_engine.h"
#include "tests/bench/figures.h"
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

struct Cost {
  std::vector<double> commands;
  std::vector<double> cpu_ms;
};

/// An engine that is asked for nothing but to hold positions.
class Holder {
 public:
  explicit Holder(const std::vector<std::string>& command)
      : engine_(io_, command, [this](std::string_view bytes) { last_ = meter_->on_read(bytes); }) {
    meter_.emplace(engine_.pid());
    obey({"name"});  // it has started
  }

  /// Its CPU time for the commands, sent in one write.
  std::chrono::nanoseconds obey(const std::vector<std::string>& commands) {
    if (commands.empty()) return {};
    std::string lines;
    for (const std::string& command : commands)
      lines += std::to_string(++id_) + ' ' + command + '\n';
    last_.reset();
    meter_->on_write(lines);
    engine_.write(lines);
    while (!last_) io_.run_one();
    return last_->sync;
  }

 private:
  boost::asio::io_context io_{1};
  std::optional<EngineMeter> meter_;
  std::optional<Metered> last_;
  BareEngine engine_;
  int id_ = 0;
};

std::string play_of(const rules::Move& move, rules::Size size) {
  return std::string(move.color == rules::Color::Black ? "play B " : "play W ") +
         (move.is_pass() ? "pass" : rules::gtp_vertex(*move.point, size));
}

void add(Cost& cost, std::size_t commands, std::chrono::nanoseconds cpu) {
  cost.commands.push_back(static_cast<double>(commands));
  cost.cpu_ms.push_back(ms(cpu));
}

/// What the pool's engines were told, and what it cost them: where they changed games, and where
/// they went on.
struct Costs {
  Cost switches;
  Cost others;
};
Costs costs_of(const Searches& searches, const std::vector<std::string>& command) {
  Costs costs;
  std::map<std::uint32_t, Holder> holders;
  for (const Search& search : searches.list) {
    Holder& holder = holders.try_emplace(search.engine, command).first->second;
    const auto cpu = holder.obey(search.sync);
    add(search.is_switch ? costs.switches : costs.others, search.sync.size(), cpu);
    const std::string color = search.color == rules::Color::Black ? "B " : "W ";
    if (search.answer != "RESIGN") holder.obey({"play " + color + search.answer});
  }
  return costs;
}

/// The positions of the searches, each from clear_board on.
Cost replays_of(const Searches& searches, const std::vector<std::string>& command) {
  Cost cost;
  Holder holder(command);
  for (const Search& search : searches.list) {
    const rules::Record& game = searches.games[search.game];
    std::vector<std::string> commands = {"boardsize 19", "clear_board", "komi 7.5", "level 1"};
    for (std::size_t i = 0; i < search.moves; ++i) {
      commands.push_back(play_of(game.moves()[i], game.size()));
    }
    add(cost, commands.size(), holder.obey(commands));
  }
  return cost;
}

/// One line of the table.
struct Row {
  Pace pace = Pace::AtOnce;
  int engines = 0;
  std::size_t searches = 0;
  Costs costs;
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
          costs_of(searches, games.command()),
          replays_of(searches, games.command()),
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
              std::to_string(row.costs.switches.commands.size()).c_str(),
              std::to_string(row.stats.syncs_continued).c_str(),
              std::to_string(row.stats.syncs_undone).c_str(),
              std::to_string(row.stats.syncs_replayed).c_str(), text_of(row.costs.switches).c_str(),
              text_of(row.costs.others).c_str(), text_of(row.replays).c_str(), wall);
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
    const double ours = sum(row.costs.switches.commands) + sum(row.costs.others.commands);
    const double full = sum(row.replays.commands);
    char text[96];
    std::snprintf(text, sizeof text, ": %.0f commands before searches, full replays take %.0f",
                  ours, full);
    // A replay may be told a few things more than ours: rules, time, what its board looks like.
    constexpr double kExtraCommands = 4;
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
