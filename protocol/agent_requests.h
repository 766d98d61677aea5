// What agents send (document 002): the bodies of act, query and wait, read strictly by the
// published schemas. What comes out of here is on the board; whether it may be played is the rules'
// business.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rules/point.h"
#include "rules/queries.h"
#include "rules/ruleset.h"

namespace tengen::protocol {

/// The only rules that agents play by, and their board.
inline constexpr std::string_view kAgentRules = rules::kAgentPreset;
inline constexpr rules::Size kAgentBoard{19, 19};

/// A query that names every point as dead fits, also when it is written over many lines.
inline constexpr std::size_t kAgentBodyBytesMax = 32 * 1024;
/// Query, args, dead, point: four levels are needed.
inline constexpr std::size_t kAgentBodyDepthMax = 6;

inline constexpr std::chrono::seconds kAgentWait{8};
inline constexpr std::chrono::seconds kAgentWaitMax{30};

/// Why a body is refused, for whoever wrote it.
struct BadBody {
  std::string text;
  friend bool operator==(const BadBody&, const BadBody&) = default;
};

struct AgentAct {
  std::optional<rules::Point> point;  // absent: a pass
  friend bool operator==(const AgentAct&, const AgentAct&) = default;
};
std::variant<AgentAct, BadBody> parse_act(std::string_view body);

/// `dead` absent is another question than an empty list.
struct AgentEstimate {
  std::optional<std::vector<rules::Point>> dead;
  friend bool operator==(const AgentEstimate&, const AgentEstimate&) = default;
};
struct AgentGroups {
  std::optional<rules::Point> at;  // absent: every group
  friend bool operator==(const AgentGroups&, const AgentGroups&) = default;
};
struct AgentNeighborhood {
  rules::Point center;
  int radius = rules::kNeighborhoodRadius;
  friend bool operator==(const AgentNeighborhood&, const AgentNeighborhood&) = default;
};
using AgentQuery = std::variant<AgentEstimate, AgentGroups, AgentNeighborhood>;
/// Reads `{"name": .., "args": {..}}`; without `args` there are none.
std::variant<AgentQuery, BadBody> parse_query(std::string_view body);

/// The body of a call that has nothing to say: empty, or an empty object.
std::optional<BadBody> parse_nothing(std::string_view body);

/// How long to wait; the usual time for an empty body or an object without `timeoutSeconds`.
std::variant<std::chrono::seconds, BadBody> parse_wait(std::string_view body);

}  // namespace tengen::protocol
