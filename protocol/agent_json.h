// JSON as the agents' calls need it: bodies are read strictly (one object, no member twice, limits
// on size and depth), texts are written so that a number looks like one. Seen only by the agent
// files.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/agent_requests.h"
#include "rules/color.h"
#include "rules/point.h"

namespace tengen::protocol {

/// The one object that a body holds.
std::variant<boost::json::object, BadBody> parse_agent_object(std::string_view body);

/// The members of an object, taken by name. The first thing found wrong is kept, and what is read
/// after it means nothing; a member that nobody took is wrong too.
class AgentFields {
 public:
  /// The object must outlive this.
  explicit AgentFields(const boost::json::object& object) : object_(object) {}

  /// The member, or null.
  const boost::json::value* take(std::string_view name);
  /// A member that has to be there: a text, or a number without a fraction (3.0 is one, as JSON
  /// Schema has it) within the bounds.
  std::string_view text(std::string_view name);
  int whole(std::string_view name, int low, int high);
  /// The point that the members `x` and `y` name.
  rules::Point point();
  void fail(std::string text);

  /// What is wrong with the object, once everything has been taken.
  std::optional<BadBody> problem() const;

 private:
  const boost::json::object& object_;
  std::vector<std::string_view> taken_;
  std::optional<BadBody> problem_;
};

/// `{"x": .., "y": ..}`.
boost::json::object json_of(rules::Point point);
boost::json::array json_of(const std::vector<rules::Point>& points);
/// "black" or "white".
std::string_view role_name(rules::Color color);
/// Half points as points: a whole number where there is no half.
boost::json::value points_json(int half_points);

/// The value as text. Boost's own serializer writes 7.5 as 7.5E0, which is right and unreadable.
std::string json_text(const boost::json::value& value);

}  // namespace tengen::protocol
