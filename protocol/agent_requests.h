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

namespace tengen::protocol {

/// The only rules that agents play by, and their board.
inline constexpr std::string_view kAgentRules = "go-chinese-19-0.3";
inline constexpr rules::Size kAgentBoard{19, 19};

/// A query that names every point as dead fits, also when it is written over many lines.
inline constexpr std::size_t kAgentBodyBytesMax = 32 * 1024;
/// Query, args, dead, point: four levels are needed.
inline constexpr std::size_t kAgentBodyDepthMax = 6;

inline constexpr std::chrono::seconds kAgentWait{8};
inline constexpr std::chrono::seconds kAgentWaitMax{30};
inline constexpr int kNeighborhoodRadius = 2;
inline constexpr int kNeighborhoodRadiusMax = 4;

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
struct EstimateScore {
  std::optional<std::vector<rules::Point>> dead;
  friend bool operator==(const EstimateScore&, const EstimateScore&) = default;
};
struct GroupLiberties {
  std::optional<rules::Point> at;  // absent: every group
  friend bool operator==(const GroupLiberties&, const GroupLiberties&) = default;
};
struct Neighborhood {
  rules::Point center;
  int radius = kNeighborhoodRadius;
  friend bool operator==(const Neighborhood&, const Neighborhood&) = default;
};
using AgentQuery = std::variant<EstimateScore, GroupLiberties, Neighborhood>;
/// Reads `{"name": .., "args": {..}}`; without `args` there are none.
std::variant<AgentQuery, BadBody> parse_query(std::string_view body);

/// How long to wait; the usual time for an empty body or an object without `timeoutSeconds`.
std::variant<std::chrono::seconds, BadBody> parse_wait(std::string_view body);

}  // namespace tengen::protocol
