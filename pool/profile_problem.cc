// What is wrong with a profile itself. After these checks the rest of the pool trusts it: every
// command that it will send with any of its arguments fits for a line.
#include <algorithm>
#include <set>

#include "pool/forbidden_commands.h"
#include "pool/gtp.h"
#include "pool/profile.h"
#include "rules/ascii.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using Problem = std::optional<std::string>;

constexpr std::size_t kLineBytesMin = 100;  // the longest line of a clock, with any id
constexpr std::size_t kLineBytesMax = 1'000'000;
constexpr int kNicenessMax = 19;

bool has_text(const std::string& text) {
  return !text.empty() && text.find('\0') == std::string::npos;
}

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// A word that can stand in "gnugo:level=3,playouts=5".
bool is_name(std::string_view text) {
  return is_word(text) && text.find_first_of(":=,") == std::string_view::npos;
}
constexpr std::string_view kNameRule = "must be one word of printable characters without : = ,";

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

/// The first text that is there twice.
Problem repeated(const std::vector<std::string>& texts, const std::string& what) {
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    if (!seen.insert(text).second) return what + ' ' + quoted(text) + " is given twice";
  }
  return std::nullopt;
}

// --- The process

Problem problem_of_arguments(const std::vector<std::string>& arguments, const std::string& what) {
  const bool is_clean =
      std::all_of(arguments.begin(), arguments.end(),
                  [](const std::string& each) { return each.find('\0') == std::string::npos; });
  if (!is_clean) return what + " holds a zero byte";
  return std::nullopt;
}

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_fine = [&](char c) { return is_letter(c) || rules::is_digit(c); };
  return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), is_fine);
}

Problem problem_of_environment(const Profile& profile) {
  std::vector<std::string> names;
  for (const std::string& entry : profile.environment) {
    names.push_back(entry.substr(0, entry.find('=')));
    if (!is_variable_name(names.back()) || entry.find('\0') != std::string::npos) {
      return "environment: " + quoted(entry) + " must be NAME or NAME=VALUE";
    }
  }
  return repeated(names, "environment:");
}

Problem problem_of_process(const Profile& profile) {
  if (profile.command.empty() || !has_text(profile.command.front())) {
    return "the command is missing";
  }
  if (auto wrong = problem_of_arguments(profile.command, "the command")) return wrong;
  if (auto wrong = problem_of_arguments({profile.directory}, "the directory")) return wrong;
  if (auto wrong = problem_of_environment(profile)) return wrong;
  if (profile.process.niceness < 0 || profile.process.niceness > kNicenessMax) {
    return "niceness must be between 0 and 19";
  }
  if (profile.processes_max < 1) return "processes_max must be at least 1";
  if (profile.processes_warm < 0 || profile.processes_warm > profile.processes_max) {
    return "processes_warm must be between 0 and processes_max";
  }
  return std::nullopt;
}

// --- What it plays

Problem problem_of_variants(const Profile& profile) {
  if (!profile.variants.empty() && profile.plays != RulesMatch{}) {
    return "plays does not go with variants, each of which has its own";
  }
  std::vector<std::string> names;
  for (const Variant& variant : profile.variants) {
    if (!is_name(variant.name)) return "a variant's name " + std::string(kNameRule);
    const std::string who = "variant " + quoted(variant.name);
    if (auto wrong = problem_of_arguments(variant.arguments, who)) return wrong;
    names.push_back(variant.name);
  }
  return repeated(names, "variant");
}

Problem problem_of_play(const Profile& profile) {
  if (profile.size_min < 1 || profile.size_max > rules::kMaxSize ||
      profile.size_min > profile.size_max) {
    return "sizes must be between 1 and 25, the smallest first";
  }
  if (!profile.substitute.empty() && !is_name(profile.substitute)) {
    return "substitute must be the name of a profile";
  }
  if (profile.substitute == profile.name) return "substitute must be another profile";
  return problem_of_variants(profile);
}

// --- Settings and the pace

Problem problem_of_setting(const SettingSpec& spec, const Profile& profile) {
  if (!is_name(spec.key)) return "a setting's key " + std::string(kNameRule);
  const std::string who = "setting " + quoted(spec.key);
  if (!is_command(spec.command + " -2147483648", profile.line_bytes_max)) {
    return who + ": its command cannot be sent as GTP";
  }
  if (spec.minimum > spec.standard || spec.standard > spec.maximum) {
    return who + ": the standard value must lie between minimum and maximum";
  }
  return std::nullopt;
}

/// Of an engine that cannot be made to play faster; games can only be refused.
Problem problem_of_fixed_pace(const std::vector<Pace>& pace) {
  const bool is_one = pace.size() == 1 && pace.front().value == 0;
  if (!pace.empty() && !is_one) return "pace without a pace_setting is a single p99_ms";
  return std::nullopt;
}

Problem problem_of_pace(const Profile& profile) {
  const bool is_timed = std::all_of(profile.pace.begin(), profile.pace.end(),
                                    [](const Pace& each) { return each.p99 > milliseconds(0); });
  if (!is_timed) return "pace: a p99_ms must be positive";
  if (profile.pace_setting.empty()) return problem_of_fixed_pace(profile.pace);
  if (profile.pace.empty()) return "pace_setting needs a pace";
  const auto setting =
      std::find_if(profile.settings.begin(), profile.settings.end(),
                   [&](const SettingSpec& each) { return each.key == profile.pace_setting; });
  if (setting == profile.settings.end()) {
    return "pace_setting " + quoted(profile.pace_setting) + " is no setting of the profile";
  }
  const Pace* last = nullptr;
  for (const Pace& each : profile.pace) {
    if (each.value < setting->minimum || each.value > setting->maximum) {
      return "pace: " + std::to_string(each.value) + " is no value of " + quoted(setting->key);
    }
    if (last != nullptr && each.value <= last->value) return "pace: the values must ascend";
    last = &each;
  }
  return std::nullopt;
}

Problem problem_of_settings(const Profile& profile) {
  std::vector<std::string> keys;
  for (const SettingSpec& spec : profile.settings) {
    if (auto wrong = problem_of_setting(spec, profile)) return wrong;
    keys.push_back(spec.key);
  }
  if (auto wrong = repeated(keys, "setting")) return wrong;
  return problem_of_pace(profile);
}

// --- How it is spoken to

/// A command's name, to which a color is added.
bool is_search(const std::string& command, const Profile& profile) {
  return is_word(command) && is_command(command + " W", profile.line_bytes_max);
}

Problem problem_of_searches(const Profile& profile) {
  const std::string text = " must be one word that can be sent as GTP";
  if (!is_search(profile.search_command, profile)) return "search_command" + text;
  const auto is_bad = [&](const std::string& command) {
    return !command.empty() && !is_search(command, profile);
  };
  if (is_bad(profile.reg_search_command)) return "reg_search_command" + text;
  if (is_bad(profile.cleanup_command)) return "cleanup_command" + text;
  if (is_bad(profile.seed_command) ||
      !(profile.seed_command.empty() ||
        is_command(profile.seed_command + " 2147483647", profile.line_bytes_max))) {
    return "seed_command" + text;
  }
  if (is_bad(profile.forget_command)) return "forget_command" + text;
  if (!profile.forget_command.empty() && profile.seed_command.empty()) {
    return "forget_command is sent before the seed, and there is no seed_command";
  }
  return std::nullopt;
}

/// A comment is a line of its own, without id and answer.
bool is_comment(std::string_view text, std::size_t line_bytes_max) {
  return text.starts_with('#') && text.size() < line_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

Problem problem_of_stop(const Profile& profile) {
  if (profile.cancel == CancelBy::Stop && profile.stop_command.empty()) {
    return "cancel = \"stop\" needs a stop_command";
  }
  const bool is_fine = profile.stop_command.empty() ||
                       is_comment(profile.stop_command, profile.line_bytes_max) ||
                       is_command(profile.stop_command, profile.line_bytes_max);
  if (!is_fine) return "stop_command cannot be sent as GTP";
  return std::nullopt;
}

Problem problem_of_raw(const Profile& profile) {
  for (const std::string& command : profile.raw_commands) {
    if (!is_word(command) || !is_command(command, profile.line_bytes_max)) {
      return "raw_commands: " + quoted(command) + " must be one word that can be sent as GTP";
    }
    if (const auto why = why_forbidden(command)) {
      return "raw_commands: " + quoted(command) + " is never allowed: it " + std::string(*why);
    }
  }
  return repeated(profile.raw_commands, "raw_commands:");
}

/// Rules that have the longest words in one dialect or another.
constexpr rules::Ruleset kWordyRules[] = {
    {rules::KoRule::Situational, rules::SuicideRule::Multi, rules::Scoring::Area,
     rules::HandicapBonus::NMinusOne, rules::EndRule::CompareLists, 4'294'967'295},
    {rules::KoRule::Situational, rules::SuicideRule::Multi, rules::Scoring::Territory,
     rules::HandicapBonus::NMinusOne, rules::EndRule::Confirmation, 4'294'967'295},
    {rules::KoRule::Situational, rules::SuicideRule::No, rules::Scoring::Territory,
     rules::HandicapBonus::NMinusOne, rules::EndRule::AllAlive, 4'294'967'295},
};

Problem problem_of_rules(const Profile& profile) {
  for (const rules::Ruleset& rules : kWordyRules) {
    const auto command = rules_command(profile.rules, rules);
    if (command && !is_command(*command, profile.line_bytes_max)) {
      return "line_bytes_max is too small for the profile's words for rules";
    }
  }
  return std::nullopt;
}

Problem problem_of_speech(const Profile& profile) {
  if (profile.line_bytes_max < kLineBytesMin || profile.line_bytes_max > kLineBytesMax) {
    return "line_bytes_max must be between 100 and 1000000";
  }
  if (auto wrong = problem_of_rules(profile)) return wrong;
  if (auto wrong = problem_of_searches(profile)) return wrong;
  if (auto wrong = problem_of_stop(profile)) return wrong;
  if (auto wrong = problem_of_raw(profile)) return wrong;
  if (profile.verify_every < 1) return "verify_every must be at least 1";
  if (profile.undo_max < 0) return "undo_max must be at least 0";
  if (profile.honours_clock && profile.clock == ClockDialect::None) {
    return "honours_clock needs a clock that it is told in";
  }
  return std::nullopt;
}

// --- Time and the queue

Problem problem_of_limits(const Profile& profile) {
  for (const milliseconds limit :
       {profile.start_limit, profile.answer_limit, profile.search_limit, profile.list_limit,
        profile.stream_limit, profile.idle_limit, profile.quarantine}) {
    if (limit <= milliseconds(0)) return "time limits must be positive";
  }
  if (profile.queue_max < 1) return "queue_max must be at least 1";
  if (profile.queue_per_client_max < 1) return "queue_per_client_max must be at least 1";
  if (profile.share_moves < 1 || profile.share_questions < 1 || profile.share_analysis < 1) {
    return "shares must be at least 1";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> problem(const Profile& profile) {
  if (!is_name(profile.name)) return "the name " + std::string(kNameRule);
  if (auto wrong = problem_of_process(profile)) return wrong;
  if (auto wrong = problem_of_play(profile)) return wrong;
  if (auto wrong = problem_of_speech(profile)) return wrong;
  if (auto wrong = problem_of_settings(profile)) return wrong;
  return problem_of_limits(profile);
}

}  // namespace tengen::pool
