#include "pool/engine_rules.h"

#include <algorithm>

#include "pool/gtp.h"
#include "rules/rules_text.h"

namespace tengen::pool {
namespace {

using rules::EndRule;
using rules::HandicapBonus;
using rules::KoRule;
using rules::Ruleset;
using rules::Scoring;
using rules::SuicideRule;

constexpr std::size_t kQuotedMax = 60;

/// Takes the text up to the next separator out of `rest`.
std::string_view next_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return part;
}

/// Reads "simple|positional": at least one value, each once.
template <typename Value, typename Parse>
std::optional<std::vector<Value>> parse_values(std::string_view text, Parse parse) {
  std::vector<Value> values;
  if (text.ends_with('|')) return std::nullopt;
  do {
    const auto value = parse(next_part(text, '|'));
    if (!value || std::find(values.begin(), values.end(), *value) != values.end()) {
      return std::nullopt;
    }
    values.push_back(*value);
  } while (!text.empty());
  return values;
}

/// Whether the list was free and the text has values for it.
template <typename Value, typename Parse>
bool fill(std::vector<Value>& list, std::string_view text, Parse parse) {
  if (!list.empty()) return false;
  auto values = parse_values<Value>(text, parse);
  if (values) list = std::move(*values);
  return values.has_value();
}

bool fill_component(RulesMatch& match, std::string_view key, std::string_view values) {
  if (key == "ko") return fill(match.ko, values, rules::parse_ko);
  if (key == "suicide") return fill(match.suicide, values, rules::parse_suicide);
  if (key == "scoring") return fill(match.scoring, values, rules::parse_scoring);
  return false;
}

template <typename Value>
bool belongs(const std::vector<Value>& list, Value value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

template <typename Value>
void add_text(std::string& text, std::string_view key, const std::vector<Value>& list) {
  if (list.empty()) return;
  text += (text.empty() ? "" : ",") + std::string(key);
  char separator = '=';
  for (const Value value : list) {
    text += separator + std::string(rules::name_of(value));
    separator = '|';
  }
}

/// One of the four rule sets of `kgs-rules`. Engines take "chinese" for either ko rule: KataGo for
/// positional superko, Pachi for simple ko, so both are told so; a superko move is refused by us.
std::optional<std::string_view> kgs_name(const Ruleset& rules) {
  if (rules.scoring == Scoring::Territory) {
    const bool is_japanese = rules.ko == KoRule::Simple && rules.suicide == SuicideRule::No;
    return is_japanese ? std::optional<std::string_view>("japanese") : std::nullopt;
  }
  if (rules.ko == KoRule::Situational) {
    return rules.suicide == SuicideRule::No ? "aga" : "new_zealand";
  }
  return rules.suicide == SuicideRule::No ? std::optional<std::string_view>("chinese")
                                          : std::nullopt;
}

std::string_view kata_ko(KoRule ko) {
  if (ko == KoRule::Simple) return "SIMPLE";
  return ko == KoRule::Positional ? "POSITIONAL" : "SITUATIONAL";
}

std::string_view kata_bonus(HandicapBonus bonus) {
  if (bonus == HandicapBonus::None) return "0";
  return bonus == HandicapBonus::N ? "N" : "N-1";
}

std::string member(std::string_view key, std::string_view value) {
  return '"' + std::string(key) + "\":\"" + std::string(value) + '"';
}
std::string member(std::string_view key, bool value) {
  return '"' + std::string(key) + "\":" + (value ? "true" : "false");
}

/// KataGo has suicide of several stones or none. That of a single stone leaves the board as it was,
/// so positional superko bans it whatever the suicide rule says.
bool has_kata_suicide(const Ruleset& rules) {
  return rules.suicide != SuicideRule::Any || rules.ko == KoRule::Positional;
}

/// Points in a seki count for nobody ("tax") where the players agree on sekis, and a pass may leave
/// dead stones standing where they agree on those.
std::optional<std::string> kata_rules(const Ruleset& rules) {
  if (!has_kata_suicide(rules)) return std::nullopt;
  const bool is_area = rules.scoring == Scoring::Area;
  return '{' + member("ko", kata_ko(rules.ko)) + ',' +
         member("scoring", std::string_view(is_area ? "AREA" : "TERRITORY")) + ',' +
         member("tax", std::string_view(rules.end == EndRule::Confirmation && !is_area ? "SEKI"
                                                                                       : "NONE")) +
         ',' + member("suicide", rules.suicide != SuicideRule::No) + ',' +
         member("hasButton", false) + ',' + member("whiteHandicapBonus", kata_bonus(rules.bonus)) +
         ',' + member("friendlyPassOk", rules.end != EndRule::AllAlive) + '}';
}

}  // namespace

bool RulesMatch::includes(const Ruleset& rules) const {
  return belongs(ko, rules.ko) && belongs(suicide, rules.suicide) &&
         belongs(scoring, rules.scoring);
}

std::variant<RulesMatch, std::string> parse_rules_match(std::string_view text) {
  RulesMatch match;
  if (text.ends_with(',')) return std::string("the rules end with a comma");
  while (!text.empty()) {
    const std::string_view part = next_part(text, ',');
    const std::size_t equals = part.find('=');
    const bool is_component =
        equals != std::string_view::npos &&
        fill_component(match, part.substr(0, equals), part.substr(equals + 1));
    if (!is_component) {
      return "'" + printable(part, kQuotedMax) +
             "' is not expected: components are ko=simple|positional|situational, "
             "suicide=no|multi|any and scoring=area|territory, each once with one value or more";
    }
  }
  return match;
}

std::string rules_match_text(const RulesMatch& match) {
  std::string text;
  add_text(text, "ko", match.ko);
  add_text(text, "suicide", match.suicide);
  add_text(text, "scoring", match.scoring);
  return text;
}

std::optional<std::string> rules_command(RulesDialect dialect, const Ruleset& rules) {
  switch (dialect) {
    case RulesDialect::None:
      return std::nullopt;
    case RulesDialect::Tengen:
      return "tengen-rules " + rules::components_text(rules);
    case RulesDialect::Kgs:
      if (const auto name = kgs_name(rules)) return "kgs-rules " + std::string(*name);
      return std::nullopt;
    case RulesDialect::Kata:
      if (const auto text = kata_rules(rules)) return "kata-set-rules " + *text;
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace tengen::pool
