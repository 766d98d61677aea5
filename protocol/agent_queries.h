// The answers to agents' queries (document 002): facts about the board as it stands, at any time.
// They change nothing and judge nothing.
#pragma once

#include <string>

#include "protocol/agent_requests.h"
#include "rules/game.h"

namespace tengen::protocol {

/// The result as JSON, by the query's published schema; the game is one that agents play.
std::string answer_json(const AgentQuery& query, const rules::Game& game);

}  // namespace tengen::protocol
