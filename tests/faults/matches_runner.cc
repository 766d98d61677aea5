// Sixteen games at once on two GNU Go processes, and what must hold for them: all finish, most by
// two passes, scores are those of GNU Go itself, and there are never more than two processes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "tests/support/caller.h"
#include "tests/support/daemon_process.h"
#include "tests/support/gnugo_verdict.h"
#include "tests/support/ledger.h"
#include "tests/support/proc.h"

namespace tengen::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kProcessesMax = 2;  // the default configuration's
constexpr milliseconds kSampleInterval{5};
constexpr std::chrono::seconds kLimit{900};

struct Running {
  rules::Header header;
  Ledger ledger;
};
using Games = std::map<rules::GameId, Running>;

struct Score {
  int passed = 0;
  int failed = 0;
  void count(bool is_good, const std::string& what) {
    is_good ? ++passed : ++failed;
    if (!is_good) std::printf("FAILED: %s\n", what.c_str());
  }
};

Games create_games(Caller& caller, int count) {
  Games games;
  const auto engine = engine_seat("gnugo", {{"level", "1"}});
  for (int i = 0; i < count; ++i) {
    // The verdict is a stronger GNU Go's, which may see other stones dead: with these seeds it does
    // not, and a seed makes the game the same again.
    auto create = game_of(9, engine, engine);
    create.seed.emplace().fill(static_cast<std::uint8_t>(i + 1));
    const auto id = caller.expect<protocol::GameCreated>(create).game;
    auto& game = games[id];
    game.header = caller.expect<protocol::Snapshot>(protocol::GetSnapshot{id}).header;
    const auto start = caller.expect<protocol::Subscribed>(protocol::Subscribe{id, 0});
    const auto wrong = game.ledger.take(std::get<protocol::GameEvents>(start.start).events);
    if (wrong) throw std::runtime_error(*wrong);
  }
  return games;
}

// Direct children of the daemon that run GNU Go.
std::size_t count_engines(pid_t daemon) {
  const auto children = children_of(daemon);
  return static_cast<std::size_t>(std::count_if(children.begin(), children.end(), [](pid_t pid) {
    return program_of(pid).ends_with("/gnugo");
  }));
}

struct Samples {
  std::size_t count = 0;
  std::size_t processes_max = 0;
};

/// Follows the games to their end and counts processes all the while.
Samples watch(const DaemonProcess& daemon, Caller& caller, Games& games) {
  Samples samples;
  std::size_t finished = 0;
  const auto end = steady_clock::now() + kLimit;
  auto next_sample = steady_clock::now();
  while (finished < games.size() && steady_clock::now() < end) {
    if (steady_clock::now() >= next_sample) {
      samples.processes_max = std::max(samples.processes_max, count_engines(daemon.pid()));
      ++samples.count;
      next_sample = steady_clock::now() + kSampleInterval;
    }
    const auto events = caller.pushed(kSampleInterval);
    if (!events) continue;
    auto& ledger = games.at(events->game).ledger;
    if (const auto wrong = ledger.take(events->events)) throw std::runtime_error(*wrong);
    if (ledger.is_finished()) ++finished;
  }
  return samples;
}

bool is_ended_by_passes(const rules::Game& game) {
  return std::any_of(game.events().begin(), game.events().end(), [](const rules::Event& event) {
    const auto* stopped = std::get_if<rules::Stopped>(&event.body);
    return stopped != nullptr && stopped->reason == rules::StopReason::TwoPasses;
  });
}

bool have_lists_agreed(const rules::Game& game) {
  std::vector<rules::DeadListed> lists;
  for (const auto& event : game.events()) {
    if (const auto* list = std::get_if<rules::DeadListed>(&event.body)) lists.push_back(*list);
  }
  return lists.size() == 2 && lists[0].points && lists[0].points == lists[1].points;
}

/// Checks one finished game and prints its line; whether it ended by two passes.
bool judge(int number, const Running& running, Score& score) {
  const std::string name = "game " + std::to_string(number);
  const auto replay = rules::Game::replay(running.header, running.ledger.events());
  const auto* game = std::get_if<rules::Game>(&replay);
  score.count(game != nullptr && game->is_finished(), name + " is not finished or not replayable");
  if (game == nullptr || !game->is_finished()) return false;
  const bool by_passes = is_ended_by_passes(*game);
  const bool agreed = have_lists_agreed(*game);
  const auto ours = gnugo_score_text(*game->result());
  const auto verdict = gnugo_verdict(*game);
  const bool is_comparable = by_passes && agreed && !verdict.has_seki;
  if (is_comparable) {
    score.count(ours == verdict.score, name + ": " + ours + ", GNU Go says " + verdict.score);
  }
  std::printf("%4d  %5zu  %-6s  %-6s  %-4s  %-7s  %-7s  %s\n", number,
              game->record().moves().size(), by_passes ? "yes" : "no", agreed ? "yes" : "no",
              verdict.has_seki ? "yes" : "no", ours.c_str(), verdict.score.c_str(),
              is_comparable ? (ours == verdict.score ? "equal" : "DIFFERENT") : "not comparable");
  std::fflush(stdout);
  return by_passes;
}

void play_all(int count, Score& score) {
  DaemonProcess daemon;
  Caller caller(daemon.port());
  const auto begin = steady_clock::now();
  auto games = create_games(caller, count);
  const auto samples = watch(daemon, caller, games);
  const std::chrono::duration<double> took = steady_clock::now() - begin;
  std::printf("%d games in %.1f s; %zu process counts, at most %zu at once\n", count, took.count(),
              samples.count, samples.processes_max);
  score.count(samples.processes_max <= kProcessesMax, "more than two engine processes at once");
  score.count(samples.processes_max > 0 && samples.count > 100, "too few process counts");
  std::printf("game  moves  passes  agreed  seki  ours     GNU Go   scores\n");
  int number = 0;
  int by_passes = 0;
  for (const auto& [id, running] : games) by_passes += judge(++number, running, score) ? 1 : 0;
  score.count(4 * by_passes >= 3 * count,
              "only " + std::to_string(by_passes) + " games ended by two passes");
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  int games = 16;
  CLI::App app("Sixteen games at once on two GNU Go processes");
  app.add_option("--games", games, "How many at once")->check(CLI::Range(1, 32));
  CLI11_PARSE(app, argc, argv);
  tengen::tests::Score score;
  try {
    tengen::tests::play_all(games, score);
  } catch (const std::exception& error) {
    score.count(false, error.what());
  }
  std::printf("%d passed, %d failed\n", score.passed, score.failed);
  return score.failed == 0 && score.passed > 0 ? 0 : 1;
}
