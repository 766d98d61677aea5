// Kills the daemon with SIGKILL at random moments while sixteen games go on, as many rounds of
// games as it takes, and checks after each restart that nothing acknowledged is lost or doubled.
// Counts one for each kill and one for each game.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <random>

#include "tests/faults/crash_round.h"

namespace {

using std::chrono::milliseconds;
using tengen::tests::CrashRound;
using tengen::tests::DaemonProcess;

constexpr milliseconds kPauseMin{100};
constexpr milliseconds kPauseMax{900};
constexpr std::chrono::seconds kFinishLimit{400};  // for the games of a round, undisturbed

struct Options {
  int kills = 50;
  int games = 16;
  int human_games = 2;
  std::uint64_t seed = 1;
};

struct Score {
  int passed = 0;
  int failed = 0;
  void count(const std::string& trouble) {
    trouble.empty() ? ++passed : ++failed;
    if (!trouble.empty()) std::printf("FAILED: %s\n", trouble.c_str());
    std::fflush(stdout);
  }
};

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

/// Plays one round of games to its end; gives how many kills it took.
int play_round(DaemonProcess& daemon, const Options& options, int kills_left,
               std::mt19937_64& random, Score& score) {
  CrashRound round(daemon, options.games, options.human_games, random());
  std::uniform_int_distribution<long> pause(kPauseMin.count(), kPauseMax.count());
  int kills = 0;
  while (kills < kills_left && !round.is_finished()) {
    round.play_for(milliseconds(pause(random)));
    if (round.is_finished()) break;
    ++kills;
    score.count(joined(round.kill_and_check()));
  }
  round.play_for(kFinishLimit);
  for (const auto& verdict : round.verdicts()) score.count(verdict);
  std::printf("round of %d games: %d kills, %zu events, %zu acts of people acknowledged\n",
              options.games, kills, round.events_seen(), round.acts_acknowledged());
  return kills;
}

int run(const Options& options) {
  std::mt19937_64 random(options.seed);
  Score score;
  try {
    DaemonProcess daemon;
    int kills = 0;
    do {
      const int taken = play_round(daemon, options, options.kills - kills, random, score);
      kills += taken;
    } while (kills < options.kills);
    std::printf("%d kills, seed %llu\n", kills, static_cast<unsigned long long>(options.seed));
  } catch (const std::exception& error) {
    score.count(error.what());
  }
  std::printf("%d passed, %d failed\n", score.passed, score.failed);
  return score.failed == 0 && score.passed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Kills tengend while games go on");
  app.add_option("--kills", options.kills, "How often")->check(CLI::Range(0, 100'000));
  app.add_option("--games", options.games, "Games of a round")->check(CLI::Range(1, 64));
  app.add_option("--human-games", options.human_games, "Those played by this program");
  app.add_option("--seed", options.seed, "Of the moments and of our moves");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
