// The rules core against outside truths that take longer than a unit test: published counts, a slow
// and obviously right board over very many random moves, and GNU Go.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <random>
#include <string>

#include "tests/oracles/counts.h"
#include "tests/oracles/gnugo_games.h"
#include "tests/support/board_twin.h"
#include "tests/support/run_score.h"

namespace tengen::tests {
namespace {

using rules::Size;

std::string text_of(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

struct Count {
  Size size;
  std::uint64_t number;
};

// John Tromp, Number of legal Go positions, OEIS A094777; the rectangles by brute force over every
// way to fill the board.
void check_positions(RunScore& score) {
  for (const auto& [size, number] :
       {Count{{1, 1}, 1}, Count{{2, 2}, 57}, Count{{3, 3}, 12675}, Count{{4, 4}, 24318165},
        Count{{2, 7}, 2557605}, Count{{3, 5}, 8180343}, Count{{5, 3}, 8180343},
        Count{{1, 8}, 2401}}) {
    const std::uint64_t found = count_legal_positions(size);
    score.count(found == number, text_of(size) + " positions: " + std::to_string(found));
  }
}

// John Tromp and Gunnar Farneback, Combinatorics of Go.
void check_games(const std::string& size, RunScore& score) {
  for (const auto& [of, number] : {Count{{1, 1}, 1}, Count{{2, 1}, 9}, Count{{3, 1}, 907},
                                   Count{{4, 1}, 2098407841}, Count{{2, 2}, 386356909593}}) {
    if (text_of(of) != size) continue;
    const std::uint64_t found = count_games(of);
    score.count(found == number, size + " games: " + std::to_string(found));
    return;
  }
  score.count(false, "no published count of games on " + size);
}

void check_perft(RunScore& score) {
  int good = 0;
  std::uint64_t nodes = 0;
  const auto rows = perft_rows(TENGEN_TESTS_DIR "/data/rules/counts.json");
  for (const PerftRow& row : rows) {
    const bool is_good = perft(row) == row.expected;
    nodes += row.expected.nodes;
    good += is_good ? 1 : 0;
    if (!is_good) {
      score.count(false, "perft " + text_of(row.size) + " " + row.rule + " depth " +
                             std::to_string(row.depth));
    }
  }
  score.count(good == 384,
              std::to_string(good) + " perft rows, " + std::to_string(nodes) + " move sequences");
}

void check_twin(long moves_wanted, std::uint64_t seed, RunScore& score) {
  std::mt19937_64 random(seed);
  long moves = 0;
  long captures = 0;
  long suicides = 0;
  while (moves < moves_wanted) {
    const Size size{static_cast<std::uint8_t>(1 + random() % 25),
                    static_cast<std::uint8_t>(1 + random() % 25)};
    const auto ko = static_cast<rules::KoRule>(1 + random() % 3);
    const auto suicide = static_cast<rules::SuicideRule>(1 + random() % 3);
    tests::BoardTwin twin(size, ko, suicide);
    const auto difference = play_random_twin(twin, 4 * size.area(), random, moves);
    captures += twin.captures();
    suicides += twin.suicides();
    if (!difference) continue;
    score.count(false, text_of(size) + " " + std::string(name_of(ko)) + " " +
                           std::string(name_of(suicide)) + ": " + *difference);
    return;
  }
  score.count(captures > 0 && suicides > 0, std::to_string(moves) + " random moves, " +
                                                std::to_string(captures) + " of them captures, " +
                                                std::to_string(suicides) + " suicides");
}

void check_gnugo(int games, std::uint64_t seed, RunScore& score) {
  const GnuGoGames played = play_gnugo_games(games, seed);
  for (const std::string& difference : played.differences) score.count(false, difference);
  score.count(played.games == games && played.captures > 0,
              std::to_string(played.games) + " games beside GNU Go, " +
                  std::to_string(played.moves) + " moves, " + std::to_string(played.captures) +
                  " captures");
}

int main_of(int argc, char** argv) {
  CLI::App app("Holds the rules core against outside truths.");
  bool positions = false;
  bool perfts = false;
  std::vector<std::string> games;
  long twin = 0;
  int gnugo = 0;
  std::uint64_t seed = 1;
  app.add_flag("--positions", positions, "Legal positions up to 4x4");
  app.add_flag("--perft", perfts, "All rows of counts.json");
  app.add_option("--games", games, "Games on 1x1, 2x1, 3x1, 4x1 (seconds) or 2x2 (minutes)");
  app.add_option("--twin", twin, "So many random moves beside the slow board");
  app.add_option("--gnugo", gnugo, "So many random games beside GNU Go");
  app.add_option("--seed", seed, "For the random ones")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  RunScore score;
  if (positions) check_positions(score);
  if (perfts) check_perft(score);
  for (const std::string& size : games) check_games(size, score);
  if (twin > 0) check_twin(twin, seed, score);
  if (gnugo > 0) check_gnugo(gnugo, seed, score);
  return score.report();
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  try {
    return tengen::tests::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::printf("FAILED: %s\n0 passed, 1 failed\n", error.what());
    return 1;
  }
}
