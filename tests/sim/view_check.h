// What agents and spectators are shown, held against the game as the log has it. Legal moves are
// found by trying every point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rules/game.h"

namespace tengen::sim {

using Action = std::optional<rules::Point>;  // nothing: a pass

/// What an agent needs of its view.
struct AgentSight {
  bool is_turn = false;
  bool is_over = false;
  std::vector<Action> legal;
  std::optional<bool> last_accepted;
};

/// What `slot` may do in the game; nothing when it is not its turn. Passes come last.
std::vector<Action> legal_actions(const rules::Game& game, int slot);

/// Reads a whole view, or names what it shows that the game does not.
std::variant<AgentSight, std::string> read_view(std::string_view body, const rules::Game& game,
                                                int slot);
/// The same for a refused act, whose body has a reason and what may be done.
std::variant<AgentSight, std::string> read_refusal(std::string_view body, const rules::Game& game,
                                                   int slot);
/// What is wrong with a game's page for somebody who may know the game so far and no further. No
/// move of the game was taken back; the board is looked at where agents play.
std::optional<std::string> problem_of_page(std::string_view page, const rules::Game& game);

}  // namespace tengen::sim
