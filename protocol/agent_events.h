// What agents are told of recent moves (document 002, "events"): the effects of the viewer's own
// latest move, and those of the latest move of the other side that had any.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/color.h"
#include "rules/point.h"
#include "rules/record.h"

namespace tengen::protocol {

struct AgentEvent {
  enum class Kind : std::uint8_t { Capture, Atari, Pass };

  Kind kind = Kind::Pass;
  rules::Color actor = rules::Color::Black;  // who moved
  rules::Color owner = rules::Color::Black;  // Atari: whose chain it is; else the actor
  std::vector<rules::Point> stones;          // taken, or of the chain in atari; in index order
  std::vector<rules::Point> liberties;       // Atari: the one that is left
  friend bool operator==(const AgentEvent&, const AgentEvent&) = default;
};

/// The viewer's own first. Within a move: the capture, then every chain that the played stone
/// belongs to or touches and that has one liberty, by its lowest point. Moves are those that stand.
std::vector<AgentEvent> agent_events(const rules::Record& record, rules::Color viewer);

}  // namespace tengen::protocol
