#include "clients/cli/probe/fitted_profile.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "pool/shipped.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kLimitReserve = 20;  // times what was measured
constexpr int kUndoMax = 16;       // of an engine whose undo works

struct KnownName {
  std::string_view beginning;  // of the answer to `name`
  std::string_view kind;
};
constexpr std::array<KnownName, 5> kNames{{{"GNU Go", "gnugo"},
                                           {"Leela Zero", "leela-zero"},
                                           {"Pachi", "pachi"},
                                           {"KataGo", "katago"},
                                           {"Tengen house", "house"}}};

std::string_view kind_of(const std::string& name) {
  for (const KnownName& each : kNames) {
    if (name.starts_with(each.beginning)) return each.kind;
  }
  return "gtp";
}

/// The engine's name as one word: "gnu-go".
std::string one_word(const std::string& name) {
  std::string word;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_letter) {
      word += c;
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word.empty() ? "engine" : word;
}

struct SizeRange {
  int smallest = 0;
  int largest = 0;
};
/// The sizes around the one that was used, without a gap: a profile has one range.
SizeRange size_range(const Findings& findings) {
  SizeRange range{findings.size, findings.size};
  while (findings.sizes.count(range.smallest - 1) > 0) --range.smallest;
  while (findings.sizes.count(range.largest + 1) > 0) ++range.largest;
  return range;
}

/// The kind's sizes as far as they were found to work; those that were found where that leaves
/// none.
void fit_sizes(pool::Profile& profile, const Findings& findings) {
  const SizeRange found = size_range(findings);
  const SizeRange both{std::max(profile.size_min, found.smallest),
                       std::min(profile.size_max, found.largest)};
  const SizeRange& range = both.smallest <= both.largest ? both : found;
  profile.size_min = range.smallest;
  profile.size_max = range.largest;
  profile.rectangles = profile.rectangles && findings.has_rectangles;
}

void fit_limits(pool::Profile& profile, const Findings& findings) {
  profile.start_limit = std::max(profile.start_limit, findings.start * kLimitReserve);
  profile.search_limit = std::max(profile.search_limit, findings.slowest_move * kLimitReserve);
}

/// A setting that the command line chose is the standard of games that choose nothing.
struct Argument {
  std::string_view kind;
  std::string_view text;
  std::string_view key;
};
constexpr std::array<Argument, 2> kArguments{
    {{"gnugo", "--level", "level"}, {"house", "--playouts", "playouts"}}};

std::optional<int> value_after(const std::vector<std::string>& command, std::string_view argument) {
  const auto at = std::find(command.begin(), command.end(), argument);
  if (at == command.end() || at + 1 == command.end()) return std::nullopt;
  const std::string& text = *(at + 1);
  int value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

void fit_settings(pool::Profile& profile, std::string_view kind) {
  for (const Argument& argument : kArguments) {
    const auto value = value_after(profile.command, argument.text);
    if (argument.kind != kind || !value) continue;
    for (pool::SettingSpec& each : profile.settings) {
      if (each.key == argument.key) each.standard = std::clamp(*value, each.minimum, each.maximum);
    }
  }
}

/// Takes out of a kind's profile what this engine was not seen to have.
void take_out(pool::Profile& profile, const Findings& findings) {
  const auto knows = [&](const std::string& command) {
    return findings.commands.count(command) > 0;
  };
  if (profile.rules != findings.rules) profile.rules = pool::RulesDialect::None;
  if (profile.clock != pool::ClockDialect::None) profile.clock = findings.clock;
  if (profile.clock == pool::ClockDialect::None) profile.honours_clock = false;
  profile.analysis = findings.analysis;
  if (!findings.has_seed) {
    profile.seed_command.clear();
    profile.forget_command.clear();
  }
  profile.verify = findings.verify;
  if (!findings.has_undo) profile.undo_max = 0;
  if (!knows(profile.reg_search_command)) profile.reg_search_command.clear();
  if (!knows(profile.cleanup_command)) profile.cleanup_command.clear();
  if (!knows(profile.search_command)) {
    const pool::Profile plain;
    profile.search_command = plain.search_command;
    profile.search_plays = plain.search_plays;
    profile.cancel = plain.cancel;
  }
}

/// What an engine takes that is not told of a game's rules.
pool::RulesMatch match_of(const Findings& findings) {
  using rules::KoRule;
  using rules::SuicideRule;
  pool::RulesMatch match;
  if (findings.refuses_superko) match.ko = {KoRule::Positional, KoRule::Situational};
  const bool has_multi = findings.suicide == SuicideRule::Multi;
  if (findings.suicide == SuicideRule::No || has_multi) match.suicide.push_back(SuicideRule::No);
  if (has_multi) match.suicide.push_back(SuicideRule::Multi);
  return match;
}

/// Puts into a plain profile what this engine was seen to have.
void put_in(pool::Profile& profile, const Findings& findings) {
  profile.name = one_word(findings.name);
  profile.size_min = 1;
  profile.size_max = rules::kMaxSize;
  profile.rectangles = true;
  profile.rules = findings.rules;
  profile.clock = findings.clock;
  profile.analysis = findings.analysis;
  profile.verify = findings.verify;
  if (findings.rules == pool::RulesDialect::None) profile.plays = match_of(findings);
  if (findings.has_seed) profile.seed_command = "set_random_seed";
  if (findings.has_undo) profile.undo_max = kUndoMax;
  if (!findings.has_reg_genmove) profile.reg_search_command.clear();
  if (!findings.has_cleanup) profile.cleanup_command.clear();
}

}  // namespace

FittedProfile fitted_profile(const std::vector<std::string>& command, const Findings& findings) {
  const std::string_view kind = kind_of(findings.name);
  FittedProfile fitted{kind, pool::shipped_profile(kind).value_or(pool::Profile{})};
  fitted.profile.command = command;
  if (kind == "gtp") {
    put_in(fitted.profile, findings);
  } else {
    take_out(fitted.profile, findings);
  }
  fit_sizes(fitted.profile, findings);
  fit_limits(fitted.profile, findings);
  fit_settings(fitted.profile, kind);
  return fitted;
}

}  // namespace tengen::cli
