// Rules as people write them on a command line: a preset and what is different about it.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "rules/ruleset.h"

namespace tengen::rules {

/// What a text asks for. `base` is the preset it starts from, `rules` its rules with the changes.
struct NamedRules {
  const Preset* base = nullptr;
  Ruleset rules;

  bool is_preset() const { return rules == base->rules; }
};

/// Reads `PRESET[,ko=..][,suicide=..][,scoring=..][,bonus=..][,end=..][,limit=N]`, or components
/// alone, which then change `chinese`. Where only the scoring is set to territory the end becomes
/// all-alive. The other value says what is wrong with the text.
std::variant<NamedRules, std::string> parse_rules(std::string_view text);

/// All components, in the form that parse_rules reads: "ko=positional,suicide=no,...".
std::string components_text(const Ruleset& rules);

}  // namespace tengen::rules
