// What a game asks of a profile, and why it cannot have it. What is wrong with a profile itself is
// said in profile_problem.cc.
#include "pool/profile.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace tengen::pool {
namespace {

std::optional<std::string> problem_of_size(const Profile& profile, rules::Size size) {
  const int low = std::min(size.width, size.height);
  const int high = std::max(size.width, size.height);
  if (low < profile.size_min || high > profile.size_max) {
    return profile.name + " plays sizes " + std::to_string(profile.size_min) + " to " +
           std::to_string(profile.size_max);
  }
  if (low != high && !profile.rectangles) return profile.name + " plays on square boards only";
  return std::nullopt;
}

std::optional<std::string> problem_of_value(const SettingSpec& spec, const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec == std::errc() && read.ptr == end && value >= spec.minimum && value <= spec.maximum) {
    return std::nullopt;
  }
  return "setting '" + spec.key + "' must be a whole number from " + std::to_string(spec.minimum) +
         " to " + std::to_string(spec.maximum);
}

/// The components that make a difference to an engine.
std::string components_text(const rules::Ruleset& rules) {
  return rules_match_text({{rules.ko}, {rules.suicide}, {rules.scoring}});
}

bool has_variant_for(const Profile& profile, const rules::Ruleset& rules) {
  return std::any_of(profile.variants.begin(), profile.variants.end(),
                     [&](const Variant& each) { return each.plays.includes(rules); });
}

bool includes(const Profile& profile, const rules::Ruleset& rules) {
  return profile.variants.empty() ? profile.plays.includes(rules) : has_variant_for(profile, rules);
}

/// What it plays instead: "ko=simple; ko=positional,suicide=no".
std::string played_text(const Profile& profile) {
  if (profile.variants.empty()) return rules_match_text(profile.plays);
  std::string text;
  for (const Variant& each : profile.variants) {
    text += (text.empty() ? "" : "; ") + rules_match_text(each.plays);
  }
  return text;
}

}  // namespace

std::optional<std::string> Profile::problem(rules::Size size, const rules::Settings& chosen) const {
  if (auto wrong = problem_of_size(*this, size)) return wrong;
  std::set<std::string> seen;
  for (const auto& choice : chosen) {
    const std::string& key = choice.first;
    const auto spec = std::find_if(settings.begin(), settings.end(),
                                   [&](const SettingSpec& each) { return each.key == key; });
    if (spec == settings.end()) return name + " has no setting '" + key + "'";
    if (!seen.insert(key).second) return "setting '" + key + "' is given twice";
    if (auto wrong = problem_of_value(*spec, choice.second)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> Profile::problem(const rules::Ruleset& asked) const {
  if (!includes(*this, asked)) {
    return name + " does not play by " + components_text(asked) + "; it plays by " +
           played_text(*this);
  }
  if (rules != RulesDialect::None && !rules_command(rules, asked)) {
    return name + " cannot be told to play by " + components_text(asked) +
           ": its words for rules (" + std::string(name_of(rules)) + ") have none for that";
  }
  return std::nullopt;
}

std::size_t Profile::variant_for(const rules::Ruleset& asked) const {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& each) { return each.plays.includes(asked); });
  return found == variants.end() ? 0 : static_cast<std::size_t>(found - variants.begin());
}

}  // namespace tengen::pool
