#include "protocol/agent_requests.h"

#include <functional>
#include <utility>
#include <vector>

#include "protocol/agent_json.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;

/// What was read, if nothing is wrong with where it came from.
template <typename Value, typename Read>
std::variant<Value, BadBody> read_object(const json::object& object, Read read) {
  AgentFields fields(object);
  Value value = std::invoke(read, fields);
  if (auto bad = fields.problem()) return std::move(*bad);
  return value;
}

AgentAct read_act(AgentFields& fields) {
  const std::string_view type = fields.text("type");
  if (type == "place") return {fields.point()};
  if (type != "pass") fields.fail(R"("type" must be "place" or "pass")");
  return {};
}

std::vector<rules::Point> read_points(AgentFields& fields, const json::value& list) {
  std::vector<rules::Point> points;
  if (!list.is_array()) {
    fields.fail(R"("dead" must be a list of points)");
    return points;
  }
  for (const json::value& item : list.get_array()) {
    if (!item.is_object()) {
      fields.fail(R"(a point of "dead" is not an object)");
      break;
    }
    const auto point = read_object<rules::Point>(item.get_object(), &AgentFields::point);
    if (const auto* bad = std::get_if<BadBody>(&point)) {
      fields.fail(R"(in "dead": )" + bad->text);
      break;
    }
    points.push_back(std::get<rules::Point>(point));
  }
  return points;
}

AgentQuery read_estimate(AgentFields& args) {
  const json::value* dead = args.take("dead");
  if (dead == nullptr) return AgentEstimate{};
  return AgentEstimate{read_points(args, *dead)};
}

AgentQuery read_groups(AgentFields& args) {
  const bool has_x = args.take("x") != nullptr;
  const bool has_y = args.take("y") != nullptr;
  if (!has_x && !has_y) return AgentGroups{};
  return AgentGroups{args.point()};
}

AgentQuery read_neighborhood(AgentFields& args) {
  AgentNeighborhood query{args.point()};
  if (args.take("radius") != nullptr)
    query.radius = args.whole("radius", 1, rules::kNeighborhoodRadiusMax);
  return query;
}

std::variant<AgentQuery, BadBody> read_query(std::string_view name, const json::object& args) {
  if (name == "estimate_score") return read_object<AgentQuery>(args, read_estimate);
  if (name == "group_liberties") return read_object<AgentQuery>(args, read_groups);
  if (name == "neighborhood") return read_object<AgentQuery>(args, read_neighborhood);
  return BadBody{R"("name" must be "estimate_score", "group_liberties" or "neighborhood")"};
}

}  // namespace

std::variant<AgentAct, BadBody> parse_act(std::string_view body) {
  const auto object = parse_agent_object(body);
  if (const auto* bad = std::get_if<BadBody>(&object)) return *bad;
  return read_object<AgentAct>(std::get<json::object>(object), read_act);
}

std::variant<AgentQuery, BadBody> parse_query(std::string_view body) {
  const auto object = parse_agent_object(body);
  if (const auto* bad = std::get_if<BadBody>(&object)) return *bad;
  AgentFields fields(std::get<json::object>(object));
  const std::string_view name = fields.text("name");
  const json::value* args = fields.take("args");
  if (args != nullptr && !args->is_object()) fields.fail(R"("args" must be an object)");
  if (auto bad = fields.problem()) return std::move(*bad);
  return read_query(name, args != nullptr ? args->get_object() : json::object{});
}

std::optional<BadBody> parse_nothing(std::string_view body) {
  if (body.empty()) return std::nullopt;
  const auto object = parse_agent_object(body);
  if (const auto* bad = std::get_if<BadBody>(&object)) return *bad;
  return AgentFields(std::get<json::object>(object)).problem();
}

std::variant<std::chrono::seconds, BadBody> parse_wait(std::string_view body) {
  if (body.empty()) return kAgentWait;
  const auto object = parse_agent_object(body);
  if (const auto* bad = std::get_if<BadBody>(&object)) return *bad;
  const auto read = [](AgentFields& fields) {
    if (fields.take("timeoutSeconds") == nullptr) return kAgentWait;
    const int longest = static_cast<int>(kAgentWaitMax.count());
    return std::chrono::seconds(fields.whole("timeoutSeconds", 1, longest));
  };
  return read_object<std::chrono::seconds>(std::get<json::object>(object), read);
}

}  // namespace tengen::protocol
