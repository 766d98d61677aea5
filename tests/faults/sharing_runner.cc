// Seeded games of GNU Go against itself, all at once on two shared processes, beside the same games
// each on processes of its own: move for move the same.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "tests/support/caller.h"
#include "tests/support/daemon_process.h"
#include "tests/support/ledger.h"

namespace tengen::tests {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kLimit{600};

rules::GameSeed seed_of(int number) {
  rules::GameSeed seed{};
  seed.fill(static_cast<std::uint8_t>(number));
  return seed;
}

std::string moves_of(const Ledger& ledger, rules::Size size) {
  std::string moves;
  for (const auto& event : ledger.events()) {
    if (const auto* played = std::get_if<rules::Played>(&event.body)) {
      moves += rules::gtp_vertex(played->point, size) + " ";
    } else if (std::holds_alternative<rules::Passed>(event.body)) {
      moves += "pass ";
    }
  }
  return moves;
}

/// Plays the games with these numbers at once on a daemon of their own; their moves, in order.
std::vector<std::string> play(const std::vector<int>& numbers) {
  DaemonProcess daemon;
  Caller caller(daemon.port());
  const auto engine = engine_seat("gnugo", {{"level", "1"}});
  std::map<rules::GameId, Ledger> games;
  std::vector<rules::GameId> order;
  rules::Size size;
  for (const int number : numbers) {
    protocol::CreateGame create = game_of(9, engine, engine);
    create.seed = seed_of(number);
    size = create.size;
    const auto id = caller.expect<protocol::GameCreated>(create).game;
    order.push_back(id);
    const auto start = caller.expect<protocol::Subscribed>(protocol::Subscribe{id, 0});
    const auto wrong = games[id].take(std::get<protocol::GameEvents>(start.start).events);
    if (wrong) throw std::runtime_error(*wrong);
  }
  std::size_t finished = 0;
  for (const auto& [id, ledger] : games) finished += ledger.is_finished() ? 1 : 0;
  const auto end = steady_clock::now() + kLimit;
  while (finished < games.size() && steady_clock::now() < end) {
    const auto events = caller.pushed(std::chrono::milliseconds(100));
    if (!events) continue;
    Ledger& ledger = games.at(events->game);
    if (const auto wrong = ledger.take(events->events)) throw std::runtime_error(*wrong);
    finished += ledger.is_finished() ? 1 : 0;
  }
  if (finished < games.size()) throw std::runtime_error("games did not end in time");
  std::vector<std::string> moves;
  for (const rules::GameId id : order) moves.push_back(moves_of(games.at(id), size));
  return moves;
}

int compare(int count) {
  std::vector<int> numbers;
  for (int number = 1; number <= count; ++number) numbers.push_back(number);
  const std::vector<std::string> shared = play(numbers);
  int same = 0;
  for (const int number : numbers) {
    const std::string alone = play({number}).front();
    const std::string& together = shared[static_cast<std::size_t>(number - 1)];
    same += alone == together ? 1 : 0;
    if (alone != together) {
      std::printf("FAILED: game %d\n  alone:    %s\n  together: %s\n", number, alone.c_str(),
                  together.c_str());
    }
  }
  std::printf("%d of %d games on two shared processes are those of fresh ones\n", same, count);
  std::printf("%d passed, %d failed\n", same, count - same);
  return same == count ? 0 : 1;
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  int games = 20;
  CLI::App app("Seeded games on shared and on fresh processes");
  app.add_option("--games", games, "How many")->check(CLI::Range(1, 200))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return tengen::tests::compare(games);
  } catch (const std::exception& error) {
    std::printf("FAILED: %s\n0 passed, 1 failed\n", error.what());
    return 1;
  }
}
