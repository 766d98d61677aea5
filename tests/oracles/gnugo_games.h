// Random games that GNU Go follows move by move: which points it calls legal, what it says was
// captured, and its board, beside ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tengen::tests {

struct GnuGoGames {
  int games = 0;
  int moves = 0;
  int captures = 0;
  std::vector<std::string> differences;  // for people
};
/// Plays under simple ko without suicide on sizes 5 to 13 and on 19. Throws when GNU Go breaks off.
GnuGoGames play_gnugo_games(int games, std::uint64_t seed);

}  // namespace tengen::tests
