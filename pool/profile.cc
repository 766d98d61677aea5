// What is wrong with a profile, and with what a game asks of one. After these checks the rest of
// the pool trusts both.
#include "pool/profile.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "pool/gtp.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;

bool has_text(const std::string& text) {
  return !text.empty() && text.find('\0') == std::string::npos;
}

bool is_word(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::optional<std::string> problem_of(const SettingSpec& spec) {
  if (!is_word(spec.key)) return "a setting's key must be one word of printable characters";
  // The value adds a blank and at most eleven characters.
  if (!is_command(spec.command + " -2147483648")) {
    return "setting '" + spec.key + "': its command cannot be sent as GTP";
  }
  if (spec.minimum > spec.standard || spec.standard > spec.maximum) {
    return "setting '" + spec.key + "': the standard value must lie between minimum and maximum";
  }
  return std::nullopt;
}

std::optional<std::string> problem_of_limits(const Profile& profile) {
  for (const milliseconds limit : {profile.start_limit, profile.answer_limit, profile.search_limit,
                                   profile.list_limit, profile.idle_limit}) {
    if (limit <= milliseconds(0)) return "time limits must be positive";
  }
  if (profile.processes_max < 1) return "processes_max must be at least 1";
  if (profile.processes_warm < 0 || profile.processes_warm > profile.processes_max) {
    return "processes_warm must be between 0 and processes_max";
  }
  if (profile.queue_max < 1) return "queue_max must be at least 1";
  if (profile.size_min < 1 || profile.size_max > rules::kMaxSize ||
      profile.size_min > profile.size_max) {
    return "sizes must be between 1 and 25, the smallest first";
  }
  return std::nullopt;
}

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

}  // namespace

std::optional<RulesDialect> parse_rules_dialect(std::string_view text) {
  if (text == "none") return RulesDialect::None;
  if (text == "tengen") return RulesDialect::Tengen;
  return std::nullopt;
}

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

std::optional<std::string> problem(const Profile& profile) {
  if (!is_word(profile.name)) return "the name must be one word of printable characters";
  if (profile.command.empty() || !has_text(profile.command.front()))
    return "the command is missing";
  for (const std::string& argument : profile.command) {
    if (argument.find('\0') != std::string::npos) return "the command holds a zero byte";
  }
  if (!profile.seed_command.empty() && !is_command(profile.seed_command + " 2147483647")) {
    return "seed_command cannot be sent as GTP";
  }
  if (auto wrong = problem_of_limits(profile)) return wrong;
  std::set<std::string> keys;
  for (const SettingSpec& spec : profile.settings) {
    if (auto wrong = problem_of(spec)) return wrong;
    if (!keys.insert(spec.key).second) return "setting '" + spec.key + "' is described twice";
  }
  return std::nullopt;
}

}  // namespace tengen::pool
