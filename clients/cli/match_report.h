// What a match came to: one line per game, a table at the end, or one JSON object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/arguments.h"
#include "rules/game.h"

namespace tengen::cli {

struct GameOutcome {
  int number = 0;  // from 1
  rules::GameId id;
  int black_player = 0;  // index into the players
  rules::Result result;
  std::size_t moves = 0;               // plays and passes
  std::string_view ended_by;           // "score", "move_limit", "resign", "forfeit" or "timeout"
  std::vector<std::string> remarks{};  // "white plays by other rules" and the like, for people
};

/// The game must be finished.
GameOutcome outcome_of(int number, int black_player, const rules::Game& game);

/// The two sides as the command line spelled them: the first had black in the first game.
using Players = std::array<std::string, 2>;

std::string outcome_line(const GameOutcome& outcome, const Players& players);
/// Wins by player and colour, and the average length.
std::string summary_text(const std::vector<GameOutcome>& outcomes, const Players& players);
/// One object on one line; the games in order of their number.
std::string summary_json(const std::vector<GameOutcome>& outcomes, const Players& players,
                         const GameTerms& terms);

}  // namespace tengen::cli
