#include "tests/support/json_schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace tengen::tests {
namespace {

namespace json = boost::json;

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"$schema", "$id", "title", "description",  // these say nothing about the value
     "type", "const", "enum", "required", "properties", "additionalProperties", "items", "minItems",
     "maxItems", "oneOf", "minimum", "maximum", "dependentRequired"});

std::optional<double> number_of(const json::value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  return std::nullopt;
}

/// Equal as JSON Schema has it: numbers by value, whatever they are kept as.
bool is_equal(const json::value& a, const json::value& b) {
  const auto x = number_of(a);
  const auto y = number_of(b);
  return x || y ? x == y : a == b;
}

bool is_of_type(std::string_view type, const json::value& value) {
  const auto number = number_of(value);
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "null") return value.is_null();
  if (type == "number") return number.has_value();
  return type == "integer" && number && *number == std::trunc(*number);
}

bool is_type(std::string_view type) {
  const auto types = {"object", "array", "string", "boolean", "null", "number", "integer"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

class Validator {
 public:
  std::vector<std::string> breaches;

  void check(const json::value& schema, const json::value& value, const std::string& path) {
    if (!schema.is_object()) return breach(path, "the schema is no object");
    for (const auto& [name, body] : schema.get_object()) {
      if (std::find(kKeywords.begin(), kKeywords.end(), name) == kKeywords.end()) {
        breach(path, "unknown keyword " + std::string(name));
      }
    }
    const json::object& words = schema.get_object();
    check_value(words, value, path);
    check_number(words, value, path);
    if (value.is_object()) check_object(words, value.get_object(), path);
    if (value.is_array()) check_array(words, value.get_array(), path);
  }

 private:
  void breach(const std::string& path, const std::string& text) {
    breaches.push_back((path.empty() ? "/" : path) + ": " + text);
  }

  void check_value(const json::object& words, const json::value& value, const std::string& path) {
    if (const auto* type = words.if_contains("type")) check_type(*type, value, path);
    if (const auto* same = words.if_contains("const"); same && !is_equal(*same, value)) {
      breach(path, "not the constant");
    }
    if (const auto* list = words.if_contains("enum")) {
      const json::array& all = list->as_array();
      const auto is_it = [&](const json::value& one) { return is_equal(one, value); };
      if (std::none_of(all.begin(), all.end(), is_it)) breach(path, "not one of the enum");
    }
    if (const auto* list = words.if_contains("oneOf")) {
      int fitting = 0;
      for (const json::value& one : list->as_array()) {
        const auto found = schema_breaches(one, value);
        for (const std::string& text : found) {
          if (text.find("unknown") != text.npos) breach(path, text);
        }
        if (found.empty()) ++fitting;
      }
      if (fitting != 1) breach(path, "fits " + std::to_string(fitting) + " of oneOf");
    }
  }

  void check_type(const json::value& type, const json::value& value, const std::string& path) {
    json::array types = type.is_array() ? type.get_array() : json::array();
    if (!type.is_array()) types.push_back(type);
    bool fits = false;
    for (const json::value& one : types) {
      if (!is_type(one.as_string())) breach(path, "unknown type");
      fits = fits || is_of_type(one.as_string(), value);
    }
    if (!fits) breach(path, "of another type");
  }

  void check_number(const json::object& words, const json::value& value, const std::string& path) {
    const auto number = number_of(value);
    if (!number) return;
    const auto* low = words.if_contains("minimum");
    if (low != nullptr && !(*number >= number_of(*low).value())) breach(path, "below the minimum");
    const auto* high = words.if_contains("maximum");
    if (high != nullptr && !(*number <= number_of(*high).value()))
      breach(path, "above the maximum");
  }

  void check_object(const json::object& words, const json::object& value, const std::string& path) {
    if (const auto* names = words.if_contains("required")) check_has(*names, value, path);
    if (const auto* dependents = words.if_contains("dependentRequired")) {
      for (const auto& [name, needed] : dependents->as_object()) {
        if (value.contains(name)) check_has(needed, value, path);
      }
    }
    const auto* known = words.if_contains("properties");
    const auto* others = words.if_contains("additionalProperties");
    for (const auto& [name, member] : value) {
      const std::string below = path + "/" + std::string(name);
      const auto* schema = known != nullptr ? known->as_object().if_contains(name) : nullptr;
      if (schema != nullptr) {
        check(*schema, member, below);
      } else if (others != nullptr && others->is_object()) {
        check(*others, member, below);
      } else if (others != nullptr && !others->as_bool()) {
        breach(below, "not expected");
      }
    }
  }

  void check_has(const json::value& names, const json::object& value, const std::string& path) {
    for (const json::value& name : names.as_array()) {
      if (!value.contains(name.as_string())) {
        breach(path, "lacks " + std::string(name.as_string()));
      }
    }
  }

  void check_array(const json::object& words, const json::array& value, const std::string& path) {
    const auto* fewest = words.if_contains("minItems");
    if (fewest != nullptr && value.size() < fewest->to_number<std::size_t>()) {
      breach(path, "too few items");
    }
    const auto* most = words.if_contains("maxItems");
    if (most != nullptr && value.size() > most->to_number<std::size_t>()) {
      breach(path, "too many items");
    }
    const auto* schema = words.if_contains("items");
    if (schema == nullptr) return;
    for (std::size_t i = 0; i < value.size(); ++i) {
      check(*schema, value[i], path + "/" + std::to_string(i));
    }
  }
};

}  // namespace

std::vector<std::string> schema_breaches(const json::value& schema, const json::value& value) {
  Validator validator;
  validator.check(schema, value, "");
  return validator.breaches;
}

}  // namespace tengen::tests
