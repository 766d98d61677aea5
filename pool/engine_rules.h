// Which rules an engine can play, and how it is told those of a game. Engines' own names for rules
// differ from each other and from ours (KataGo's "chinese" has simple ko, `kgs-rules chinese` is
// positional), so components are told wherever the engine understands them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pool/dialect.h"
#include "rules/ruleset.h"

namespace tengen::pool {

/// A set of rules: each list has the values that belong to it; an empty one stands for all.
struct RulesMatch {
  std::vector<rules::KoRule> ko;
  std::vector<rules::SuicideRule> suicide;
  std::vector<rules::Scoring> scoring;

  bool includes(const rules::Ruleset& rules) const;
  friend bool operator==(const RulesMatch&, const RulesMatch&) = default;
};

/// Reads "ko=simple|positional,suicide=no,scoring=area", components left out being free; "" is
/// every rule set. The other value says what is wrong with the text.
std::variant<RulesMatch, std::string> parse_rules_match(std::string_view text);
/// The text that parse_rules_match reads as this.
std::string rules_match_text(const RulesMatch& match);

/// The command that tells these rules, or nothing when the dialect has no words for them (and for
/// RulesDialect::None, which has none at all).
std::optional<std::string> rules_command(RulesDialect dialect, const rules::Ruleset& rules);

}  // namespace tengen::pool
