#include "rules/rules_text.h"

#include <charconv>
#include <optional>

namespace tengen::rules {
namespace {

/// Takes the text up to the next comma out of `rest`.
std::string_view next_component(std::string_view& rest) {
  const std::size_t comma = rest.find(',');
  const std::string_view part = rest.substr(0, comma);
  rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  return part;
}

template <typename Value>
bool set(Value& target, std::optional<Value> value) {
  if (value) target = *value;
  return value.has_value();
}

std::optional<std::uint32_t> parse_limit(std::string_view text) {
  std::uint32_t limit = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, limit);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return limit;
}

/// Whether the component is known and has such a value.
bool set_component(Ruleset& rules, std::string_view key, std::string_view value) {
  if (key == "ko") return set(rules.ko, parse_ko(value));
  if (key == "suicide") return set(rules.suicide, parse_suicide(value));
  if (key == "scoring") return set(rules.scoring, parse_scoring(value));
  if (key == "bonus") return set(rules.bonus, parse_bonus(value));
  if (key == "end") return set(rules.end, parse_end(value));
  if (key == "limit") return set(rules.move_limit, parse_limit(value));
  return false;
}

std::string preset_names() {
  std::string names;
  for (const Preset& preset : presets()) {
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  }
  return names;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace

std::variant<NamedRules, std::string> parse_rules(std::string_view text) {
  NamedRules named;
  named.base = find_preset("chinese");
  std::string_view rest = text;
  if (text.substr(0, text.find(',')).find('=') == std::string_view::npos) {
    const std::string_view name = next_component(rest);
    named.base = find_preset(name);
    if (named.base == nullptr) {
      return quoted(name) + " are not known rules: expected one of " + preset_names();
    }
  }
  named.rules = named.base->rules;
  bool sets_end = false;
  if (text.ends_with(',')) return std::string("the rules end with a comma");
  while (!rest.empty()) {
    const std::string_view part = next_component(rest);
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    if (equals == std::string_view::npos ||
        !set_component(named.rules, key, part.substr(equals + 1))) {
      return quoted(part) + " is not a component of rules: expected ko=simple|positional|" +
             "situational, suicide=no|multi|any, scoring=area|territory, bonus=none|n|n-1, " +
             "end=all-alive|compare-lists|confirmation or limit=N";
    }
    sets_end = sets_end || key == "end";
  }
  if (!sets_end && problem(named.rules)) named.rules.end = EndRule::AllAlive;
  if (const auto wrong = problem(named.rules)) return *wrong;
  if (named.base->only_size && !named.is_preset()) {
    return "the components of " + std::string(named.base->name) + " cannot be changed";
  }
  return named;
}

std::string components_text(const Ruleset& rules) {
  std::string text = "ko=" + std::string(name_of(rules.ko));
  text += ",suicide=" + std::string(name_of(rules.suicide));
  text += ",scoring=" + std::string(name_of(rules.scoring));
  text += ",bonus=" + std::string(name_of(rules.bonus));
  text += ",end=" + std::string(name_of(rules.end));
  if (rules.move_limit != 0) text += ",limit=" + std::to_string(rules.move_limit);
  return text;
}

}  // namespace tengen::rules
