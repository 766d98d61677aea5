// A game as an agent sees it: the PlayerView of document 002 as JSON text, from the rules' Game and
// what only the caller knows. In here, and nowhere else, *seat* means a slot in one place (the
// view's own) and a colour in the others, as the document has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/color.h"
#include "rules/game.h"

namespace tengen::protocol {

/// What became of a viewer's latest act.
struct LastAct {
  bool is_accepted = false;
  std::string reason;  // why it was not; may be empty
};

/// Who looks at the game.
struct AgentViewer {
  std::string match_id;
  int slot = 1;                       // 1 or 2
  std::optional<rules::Color> color;  // absent until the game has started
  std::string spectator_url;          // without secrets
  std::optional<LastAct> last_act;    // absent before the first
};

/// The whole view; the game is of the preset kAgentRules with a komi of 7.5 and no setup.
std::string agent_view_json(const rules::Game& game, const AgentViewer& viewer);

/// The body for an act that is refused: the reason, and what may be done now.
std::string refused_act_json(const rules::Game& game, const AgentViewer& viewer,
                             std::string_view error);
/// The body for any other refusal.
std::string agent_error_json(std::string_view error);

}  // namespace tengen::protocol
