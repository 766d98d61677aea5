// Ten thousand short games of two engines through a real daemon, while an engine crashes at every
// fiftieth move asked for and hangs at every five hundredth. No game may be lost and no move be
// missing, doubled or illegal; afterwards the daemon holds no more processes, descriptors and
// memory than before, and when it stops nothing is left of engines that ignore quit and SIGTERM.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/faults/fault_board.h"
#include "tests/support/caller.h"
#include "tests/support/daemon_process.h"
#include "tests/support/ledger.h"
#include "tests/support/proc.h"
#include "tests/support/run_score.h"

namespace tengen::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Counter = FaultBoard::Counter;

constexpr int kEngines = 4;
constexpr int kSize = 5;
constexpr std::size_t kGamesAtOnce = 60;     // one connection may follow 64
constexpr std::size_t kFirstLotMin = 300;    // more than the daemon keeps in memory when finished
constexpr std::chrono::seconds kStall{60};   // without an event: games are lost
constexpr std::chrono::seconds kSettle{10};  // for engines that are being replaced
constexpr std::chrono::seconds kStopLimit{20};
constexpr std::size_t kTroublesShown = 10;

struct Options {
  std::size_t games = 10'000;
  std::uint64_t crash_every = 50;
  std::uint64_t hang_every = 500;
  int search_limit_ms = 300;
};

/// What a daemon holds between games.
struct Holding {
  std::size_t children = 0;  // the keeper and the engines
  std::size_t engines = 0;   // engine processes with their own children
  std::size_t descriptors = 0;
  std::size_t resident_kb = 0;
};

std::size_t entries_of(const std::string& folder) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(folder, error);
  return error ? 0 : static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

/// Live processes with this word in their command line, whoever has adopted them.
std::vector<pid_t> processes_named(const std::string& word) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto pid = static_cast<pid_t>(std::stol(name));
    const std::string line = command_line_of(pid);
    const bool is_daemon = line.find("tengend") != std::string::npos;
    if (!is_daemon && line.find(word) != std::string::npos && is_alive(pid)) found.push_back(pid);
  }
  return found;
}

class Soak {
 public:
  explicit Soak(const Options& options)
      : options_(options),
        faults_(folder_.file("faults")),
        daemon_({config(options, folder_.file("faults"))}),
        caller_(daemon_.port()),
        reader_(daemon_.port()) {}

  void run(RunScore& score) {
    const std::size_t first_lot =
        std::min(options_.games, std::max(kFirstLotMin, options_.games / 10));
    play(first_lot);
    const Holding before = holding();
    play(options_.games - first_lot);
    judge_games(score);
    judge_holding(before, score);
    judge_stop(score);
  }

 private:
  struct Running {
    rules::Header header;
    Ledger ledger;
  };

  static std::string config(const Options& options, const std::string& board) {
    return config_with(
        {{"fault",
          {program("fault_engine"), "--stubborn", "--board", board, "--crash-every",
           std::to_string(options.crash_every), "--hang-every", std::to_string(options.hang_every)},
          kEngines,
          kEngines,
          options.search_limit_ms}});
  }

  /// Plays so many games more to their end.
  void play(std::size_t games) {
    const std::size_t end = created_ + games;
    auto heard = steady_clock::now();
    while (created_ < end || !running_.empty()) {
      while (created_ < end && running_.size() < kGamesAtOnce) create();
      if (const auto events = caller_.pushed(milliseconds(100))) {
        take(*events);
        heard = steady_clock::now();
      } else if (steady_clock::now() > heard + kStall) {
        throw std::runtime_error("nothing happens any more in " + std::to_string(running_.size()) +
                                 " games:\n" + end_of_log());
      }
    }
  }

  void create() {
    const auto seat = engine_seat("fault");
    const auto id = caller_.expect<protocol::GameCreated>(game_of(kSize, seat, seat)).game;
    ++created_;
    Running& game = running_[id];
    game.header = caller_.expect<protocol::Snapshot>(protocol::GetSnapshot{id}).header;
    const auto start = caller_.expect<protocol::Subscribed>(protocol::Subscribe{id, 0});
    take(std::get<protocol::GameEvents>(start.start));
  }

  void take(const protocol::GameEvents& events) {
    const auto found = running_.find(events.game);
    if (found == running_.end()) return;
    Running& game = found->second;
    if (const auto wrong = game.ledger.take(events.events)) return give_up(found->first, *wrong);
    if (!game.ledger.is_finished()) return;
    caller_.expect<protocol::Unsubscribed>(protocol::Unsubscribe{events.game});
    judge(game);
    running_.erase(events.game);
    if (++finished_ % 1000 == 0) report();
  }

  void give_up(rules::GameId id, const std::string& trouble) {
    note(id, trouble);
    running_.erase(id);
  }

  // The whole log is read once more: it must be what was pushed, event by event.
  void judge(Running& game) {
    const auto id = game.header.id;
    const auto seen = game.ledger.seen();
    const auto again = reader_.expect<protocol::Subscribed>(protocol::Subscribe{id, 0});
    reader_.expect<protocol::Unsubscribed>(protocol::Unsubscribe{id});
    const auto* whole = std::get_if<protocol::GameEvents>(&again.start);
    if (whole == nullptr) return note(id, "its log is not to be had");
    if (const auto wrong = game.ledger.take(whole->events)) return note(id, *wrong);
    if (game.ledger.seen() != seen) return note(id, "its log went on after its end");
    const auto replay = rules::Game::replay(game.header, game.ledger.events());
    if (const auto* error = std::get_if<rules::ReplayError>(&replay)) {
      return note(id, "event " + std::to_string(error->seq) + " does not replay: " + error->reason);
    }
    const auto& played = std::get<rules::Game>(replay);
    moves_ += played.record().moves().size();
    if (played.result()->kind != rules::ResultKind::Score) {
      return note(id, "was not scored: " + result_text(*played.result()));
    }
    ++good_;
  }

  void note(rules::GameId id, const std::string& trouble) {
    troubles_.push_back("game " + to_text(id) + ": " + trouble);
  }

  void report() const {
    std::printf("%zu games, %llu crashes, %llu hangs, %zu kB\n", finished_,
                static_cast<unsigned long long>(faults_.read(Counter::Crashes)),
                static_cast<unsigned long long>(faults_.read(Counter::Hangs)),
                resident_kb_of(daemon_.pid()));
    std::fflush(stdout);
  }

  Holding holding() const {
    const pid_t pid = daemon_.pid();
    Holding now;
    // Engines that crashed last are still being replaced.
    wait_until(
        [&] {
          now.children = children_of(pid).size();
          now.engines = processes_named(folder_.file("faults")).size();
          return now.children == 1 + kEngines && now.engines == 2 * kEngines;
        },
        kSettle);
    now.descriptors = entries_of("/proc/" + std::to_string(pid) + "/fd");
    now.resident_kb = resident_kb_of(pid);
    return now;
  }

  void judge_games(RunScore& score) {
    for (std::size_t i = 0; i < std::min(troubles_.size(), kTroublesShown); ++i) {
      std::printf("%s\n", troubles_[i].c_str());
    }
    score.count(good_ == options_.games,
                std::to_string(good_) + " of " + std::to_string(options_.games) +
                    " games were played to their score, every log replays and is what was pushed");
    const auto asked = faults_.read(Counter::Asked);
    const auto crashes = faults_.read(Counter::Crashes);
    const auto hangs = faults_.read(Counter::Hangs);
    const auto answered = asked - crashes - hangs;
    score.count(moves_ <= answered, std::to_string(moves_) +
                                        " moves are in the logs, engines gave " +
                                        std::to_string(answered));
    // Among so many moves asked for there were these faults, hangs in place of crashes.
    const auto hangs_due = asked / options_.hang_every;
    const auto crashes_due = asked / options_.crash_every - hangs_due;
    score.count(crashes == crashes_due && hangs == hangs_due && crashes > 0,
                std::to_string(crashes) + " crashes and " + std::to_string(hangs) +
                    " hangs among " + std::to_string(asked) + " moves asked for");
  }

  void judge_holding(const Holding& before, RunScore& score) {
    const Holding after = holding();
    const auto count = [&](const char* what, std::size_t now, std::size_t then, std::size_t more) {
      score.count(now <= then + more, std::string(what) + ": " + std::to_string(now) + " after, " +
                                          std::to_string(then) + " before");
    };
    count("children of the daemon", after.children, before.children, 0);
    count("engine processes", after.engines, before.engines, 0);
    count("descriptors", after.descriptors, before.descriptors, 0);
    // The daemon remembers the last 65,536 requests that made games, in less than 256 bytes each;
    // the rest is what an allocator may leave unused.
    constexpr std::size_t kSlackKb = 4096;
    count("resident kB", after.resident_kb, before.resident_kb, options_.games / 4 + kSlackKb);
  }

  void judge_stop(RunScore& score) {
    const auto begin = steady_clock::now();
    const auto status = daemon_.stop(kStopLimit);
    const std::chrono::duration<double> took = steady_clock::now() - begin;
    score.count(status == 0, "the daemon ends with " +
                                 (status ? std::to_string(*status) : std::string("nothing")) +
                                 " after " + std::to_string(took.count()) + " s");
    std::vector<pid_t> left;
    wait_until(
        [&] {
          left = processes_named(folder_.file("faults"));
          return left.empty();
        },
        std::chrono::seconds(1));
    score.count(left.empty(), std::to_string(left.size()) + " engine processes are left");
    for (const pid_t pid : left) ::kill(pid, SIGKILL);
  }

  std::string end_of_log() const {
    constexpr std::size_t kBytes = 4000;
    const std::string log = daemon_.log();
    return log.size() <= kBytes ? log : log.substr(log.size() - kBytes);
  }

  const Options& options_;
  TempFolder folder_;
  FaultBoard faults_;
  DaemonProcess daemon_;
  Caller caller_;
  Caller reader_;
  std::map<rules::GameId, Running> running_;
  std::size_t created_ = 0;
  std::size_t finished_ = 0;
  std::size_t good_ = 0;
  std::size_t moves_ = 0;
  std::vector<std::string> troubles_;
};

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  tengen::tests::Options options;
  CLI::App app("Short games by engines that crash and hang");
  app.add_option("--games", options.games, "How many")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--crash-every", options.crash_every, "Moves asked for from crash to crash")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  app.add_option("--hang-every", options.hang_every, "Moves asked for from hang to hang")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  app.add_option("--search-limit-ms", options.search_limit_ms, "After which an engine hangs")
      ->check(CLI::Range(50, 60'000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  tengen::tests::RunScore score;
  try {
    tengen::tests::Soak(options).run(score);
  } catch (const std::exception& error) {
    score.count(false, error.what());
  }
  return score.report();
}
