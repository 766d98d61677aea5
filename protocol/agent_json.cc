#include "protocol/agent_json.h"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "protocol/text.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;

/// A name from outside, cut to what is worth reading.
std::string quoted(std::string_view name) {
  constexpr std::size_t kNameBytesMax = 40;
  return '"' + clean_text(name, kNameBytesMax) + '"';
}

/// Builds the value, and looks for members that come twice: Boost's own parser keeps the last.
class StrictHandler {
 public:
  static constexpr std::size_t max_object_size = kAgentBodyBytesMax;
  static constexpr std::size_t max_array_size = kAgentBodyBytesMax;
  static constexpr std::size_t max_key_size = kAgentBodyBytesMax;
  static constexpr std::size_t max_string_size = kAgentBodyBytesMax;

  json::value release() { return stack_.release(); }
  const std::optional<std::string>& twice() const { return twice_; }

  StrictHandler() { stack_.reset(); }
  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) {
    names_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t count, json::error_code&) {
    find_twice(names_.back());
    names_.pop_back();
    stack_.push_object(count);
    return true;
  }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_array_end(std::size_t count, json::error_code&) {
    stack_.push_array(count);
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    key_ += part;
    stack_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code&) {
    key_ += part;
    names_.back().push_back(std::exchange(key_, {}));
    stack_.push_key(part);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_string(part);
    return true;
  }
  bool on_number_part(json::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, json::error_code&) {
    stack_.push_int64(number);
    return true;
  }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code&) {
    stack_.push_uint64(number);
    return true;
  }
  bool on_double(double number, json::string_view, json::error_code&) {
    stack_.push_double(number);
    return true;
  }
  bool on_bool(bool truth, json::error_code&) {
    stack_.push_bool(truth);
    return true;
  }
  bool on_null(json::error_code&) {
    stack_.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  void find_twice(std::vector<std::string>& names) {
    std::sort(names.begin(), names.end());
    const auto found = std::adjacent_find(names.begin(), names.end());
    if (found != names.end()) twice_ = *found;
  }

  json::value_stack stack_;
  std::string key_;
  std::vector<std::vector<std::string>> names_;  // of the objects that are open
  std::optional<std::string> twice_;
};

std::optional<int> whole_number(const json::value& value) {
  const double number = value.is_double()   ? value.get_double()
                        : value.is_int64()  ? static_cast<double>(value.get_int64())
                        : value.is_uint64() ? static_cast<double>(value.get_uint64())
                                            : std::numeric_limits<double>::quiet_NaN();
  constexpr double kLargest = 1e9;
  if (!(std::abs(number) <= kLargest) || number != std::trunc(number)) return std::nullopt;
  return static_cast<int>(number);
}

template <typename Number>
void write_number(Number number, std::string& out) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end);
}

void write(const json::value& value, std::string& out) {
  const char* between = "";
  switch (value.kind()) {
    case json::kind::object:
      out += '{';
      for (const auto& [name, member] : value.get_object()) {
        out += std::exchange(between, ",");
        out += json::serialize(name) + ":";
        write(member, out);
      }
      out += '}';
      break;
    case json::kind::array:
      out += '[';
      for (const json::value& item : value.get_array()) {
        out += std::exchange(between, ",");
        write(item, out);
      }
      out += ']';
      break;
    case json::kind::double_:
      return write_number(value.get_double(), out);
    case json::kind::int64:
      return write_number(value.get_int64(), out);
    default:
      out += json::serialize(value);
  }
}

}  // namespace

std::variant<json::object, BadBody> parse_agent_object(std::string_view body) {
  if (body.empty()) return BadBody{"the body is empty: a JSON object is expected"};
  if (body.size() > kAgentBodyBytesMax) {
    return BadBody{"the body is longer than " + std::to_string(kAgentBodyBytesMax) + " bytes"};
  }
  json::parse_options options;
  options.max_depth = kAgentBodyDepthMax;
  json::basic_parser<StrictHandler> parser(options);
  json::error_code error;
  const std::size_t read = parser.write_some(false, body.data(), body.size(), error);
  if (!error && read < body.size()) error = json::error::extra_data;
  if (error) return BadBody{"the body is not JSON that is read here: " + error.message()};
  if (const auto& name = parser.handler().twice()) {
    return BadBody{"the member " + quoted(*name) + " comes twice"};
  }
  json::value value = parser.handler().release();
  if (!value.is_object()) return BadBody{"the body is no JSON object"};
  return std::move(value.get_object());
}

const json::value* AgentFields::take(std::string_view name) {
  taken_.push_back(name);
  return object_.if_contains(name);
}

std::string_view AgentFields::text(std::string_view name) {
  const json::value* value = take(name);
  if (value != nullptr && value->is_string()) return value->get_string();
  fail('"' + std::string(name) + "\" must be there and be a text");
  return {};
}

int AgentFields::whole(std::string_view name, int low, int high) {
  const json::value* value = take(name);
  const auto number = value != nullptr ? whole_number(*value) : std::nullopt;
  if (number && *number >= low && *number <= high) return *number;
  fail('"' + std::string(name) + "\" must be there and be an integer from " + std::to_string(low) +
       " to " + std::to_string(high));
  return low;
}

rules::Point AgentFields::point() {
  const int x = whole("x", 0, kAgentBoard.width - 1);
  const int y = whole("y", 0, kAgentBoard.height - 1);
  return rules::from_agent({x, y}, kAgentBoard).value();
}

void AgentFields::fail(std::string text) {
  if (!problem_) problem_ = BadBody{std::move(text)};
}

std::optional<BadBody> AgentFields::problem() const {
  if (problem_) return problem_;
  for (const auto& member : object_) {
    const std::string_view name(member.key());
    if (std::find(taken_.begin(), taken_.end(), name) == taken_.end()) {
      return BadBody{"the member " + quoted(name) + " is not known here"};
    }
  }
  return std::nullopt;
}

json::object json_of(rules::Point point) {
  const auto [x, y] = rules::agent_point(point);
  return {{"x", x}, {"y", y}};
}

json::array json_of(const std::vector<rules::Point>& points) {
  json::array out;
  for (const rules::Point point : points) out.push_back(json_of(point));
  return out;
}

std::string_view role_name(rules::Color color) {
  return color == rules::Color::Black ? "black" : "white";
}

json::value points_json(int half_points) {
  if (half_points % 2 == 0) return half_points / 2;
  return half_points / 2.0;
}

std::string json_text(const json::value& value) {
  std::string text;
  write(value, text);
  return text;
}

}  // namespace tengen::protocol
