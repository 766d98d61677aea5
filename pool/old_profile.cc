// See old_profile.h.
#include "pool/old_profile.h"

#include <algorithm>

#include "pool/engine_rules.h"
#include "pool/verdict.h"

namespace tengen::pool {
namespace {

/// What an engine for these rules is started with; without variants the profile is one itself.
Variant variant_of(const Profile& profile, const rules::Ruleset& rules) {
  if (profile.variants.empty()) return {"", {}, profile.plays};
  Variant variant = profile.variants[profile.variant_for(rules)];
  variant.name.clear();
  return variant;
}

/// Rules are told by arguments, by a command, or not at all.
bool agree_on_rules(const Profile& a, const Profile& b, const rules::Ruleset& rules) {
  return variant_of(a, rules) == variant_of(b, rules) &&
         rules_command(a.rules, rules) == rules_command(b.rules, rules);
}

bool is_chosen(const SettingSpec& spec, const Job& job) {
  return std::any_of(job.settings.begin(), job.settings.end(),
                     [&](const auto& choice) { return choice.first == spec.key; });
}

bool agree_on_settings(const Profile& a, const Profile& b, const Job& job) {
  const bool is_paced_alike =
      a.pace_setting == b.pace_setting && (a.pace_setting.empty() || a.pace == b.pace);
  if (job.clock && !is_paced_alike) return false;
  const auto is_told_alike = [&](const SettingSpec& one, const SettingSpec& other) {
    return one.key == other.key && one.command == other.command &&
           (one.standard == other.standard || is_chosen(one, job));
  };
  return std::equal(a.settings.begin(), a.settings.end(), b.settings.begin(), b.settings.end(),
                    is_told_alike);
}

}  // namespace

bool can_still_do(const Profile& old, const Profile& present, const Job& job) {
  return !old.problem(job.record.size(), job.settings) && !refusal(job, old) &&
         agree_on_rules(old, present, job.rules) && agree_on_settings(old, present, job);
}

}  // namespace tengen::pool
