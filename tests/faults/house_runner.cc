// Our own engine against GNU Go at level 1 on 9x9, through the daemon: every game ends without a
// fault, and the engine wins its share.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "tests/support/child.h"
#include "tests/support/daemon_process.h"
#include "tests/support/run_score.h"

namespace tengen::tests {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kLimit{1500};
constexpr int kWinsPerGames = 5;  // one game in so many must be won

bool is_faultless(const json::value& game) {
  const auto by = json::value_to<std::string>(game.at("ended_by"));
  return by == "score" || by == "move_limit";
}

void play(int games, RunScore& score) {
  DaemonProcess daemon;
  const Ran ran = run({program("tengen"), "match", "--black", "house", "--white", "gnugo:level=1",
                       "--games", std::to_string(games), "--concurrency", "4", "--alternate",
                       "--size", "9", "--json", "--server", daemon.url()},
                      "", kLimit);
  score.count(ran.status == 0, "tengen match ends with " + std::to_string(ran.status));
  if (ran.status != 0) {
    std::printf("%s\n", ran.err.c_str());
    return;
  }
  const json::value match = json::parse(ran.out);
  int faultless = 0;
  for (const json::value& game : match.at("games").as_array()) faultless += is_faultless(game);
  const auto wins = match.at("players").at(0).at("wins").to_number<int>();
  score.count(faultless == games, std::to_string(faultless) + " of " + std::to_string(games) +
                                      " games were played to their score");
  score.count(kWinsPerGames * wins >= games,
              "house won " + std::to_string(wins) + " of " + std::to_string(games) + " games, " +
                  std::to_string(match.at("players").at(0).at("wins_as_black").to_number<int>()) +
                  " of them as black");
  const bool is_calm = daemon.log().find("[warning]") == std::string::npos &&
                       daemon.log().find("[error]") == std::string::npos;
  score.count(is_calm, "the daemon had nothing to complain of");
  if (!is_calm) std::printf("%s\n", daemon.log().c_str());
}

}  // namespace
}  // namespace tengen::tests

int main(int argc, char** argv) {
  int games = 50;
  CLI::App app("Our own engine against GNU Go");
  app.add_option("--games", games, "How many")->check(CLI::Range(1, 1000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  tengen::tests::RunScore score;
  try {
    tengen::tests::play(games, score);
  } catch (const std::exception& error) {
    score.count(false, error.what());
  }
  return score.report();
}
