// See report.h.
#include "clients/cli/probe/report.h"

#include <sstream>

#include "clients/cli/json_text.h"
#include "clients/cli/probe/fitted_profile.h"
#include "clients/cli/table.h"
#include "clients/cli/wording.h"
#include "pool/shipped.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

std::string_view verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Yes:
      return "yes";
    case Verdict::No:
      return "no";
    case Verdict::Told:
    case Verdict::Skipped:
      return "-";
    case Verdict::Failed:
      break;
  }
  return "FAILED";
}

// JSON's strings are also TOML's.
std::string toml(const std::string& text) { return json_string(text); }
std::string toml(std::string_view text) { return json_string(text); }
std::string toml(int value) { return std::to_string(value); }
std::string toml(bool value) { return value ? "true" : "false"; }
std::string toml(milliseconds value) { return std::to_string(value.count()); }
std::string toml(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& each : texts) text += (text.empty() ? "" : ", ") + json_string(each);
  return "[" + text + "]";
}

/// The keys whose values are not those of the kind.
class Differences {
 public:
  template <typename Value>
  void add(std::string_view key, const Value& value, const Value& standard) {
    if (value != standard) add(key, value);
  }
  template <typename Value>
  void add(std::string_view key, const Value& value) {
    text_ += std::string(key) + " = " + toml(value) + '\n';
  }
  /// The same for a dialect, by its word.
  template <typename Dialect>
  void add_word(std::string_view key, Dialect value, Dialect standard) {
    if (value != standard) add(key, name_of(value));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string keys_text(const pool::Profile& profile, const pool::Profile& kind) {
  Differences keys;
  keys.add("name", profile.name, kind.name);
  keys.add("command", profile.command);
  keys.add("size_min", profile.size_min, kind.size_min);
  keys.add("size_max", profile.size_max, kind.size_max);
  keys.add("rectangles", profile.rectangles, kind.rectangles);
  keys.add("plays", rules_match_text(profile.plays), rules_match_text(kind.plays));
  keys.add_word("rules", profile.rules, kind.rules);
  keys.add_word("clock", profile.clock, kind.clock);
  keys.add("honours_clock", profile.honours_clock, kind.honours_clock);
  keys.add_word("analysis", profile.analysis, kind.analysis);
  keys.add("seed_command", profile.seed_command, kind.seed_command);
  keys.add("forget_command", profile.forget_command, kind.forget_command);
  keys.add("search_command", profile.search_command, kind.search_command);
  keys.add("search_plays", profile.search_plays, kind.search_plays);
  keys.add("moves_after_passes", profile.moves_after_passes, kind.moves_after_passes);
  keys.add("reg_search_command", profile.reg_search_command, kind.reg_search_command);
  keys.add("cleanup_command", profile.cleanup_command, kind.cleanup_command);
  keys.add_word("cancel", profile.cancel, kind.cancel);
  keys.add_word("verify", profile.verify, kind.verify);
  keys.add("undo_max", profile.undo_max, kind.undo_max);
  keys.add("start_limit_ms", profile.start_limit, kind.start_limit);
  keys.add("search_limit_ms", profile.search_limit, kind.search_limit);
  return keys.text();
}

/// The settings of a kind that have another standard here.
std::string settings_text(const pool::Profile& profile, const pool::Profile& kind) {
  std::string text;
  for (std::size_t i = 0; i < profile.settings.size() && i < kind.settings.size(); ++i) {
    const pool::SettingSpec& setting = profile.settings[i];
    if (setting == kind.settings[i]) continue;
    text += "\n[[profile.setting]]\nkey = " + toml(setting.key) +
            "\nstandard = " + toml(setting.standard) + '\n';
  }
  return text;
}

/// What the keys do not say.
std::string remarks_text(const FittedProfile& fitted, const pool::Profile& kind,
                         const Findings& findings) {
  const pool::Profile& profile = fitted.profile;
  std::string text = "# It answered after " + milliseconds_text(findings.start) +
                     " and took up to " + milliseconds_text(findings.slowest_move) +
                     " for a move.\n";
  if (!kind.command.empty() && profile.command != kind.command) {
    text += "# The kind's own command is " + toml(kind.command) + ".\n";
  }
  const auto in_range = static_cast<std::size_t>(profile.size_max - profile.size_min + 1);
  if (kind.command.empty() && in_range < findings.sizes.size()) {
    text += "# It plays on other sizes too, beyond a gap.\n";
  }
  if (kind.command.empty() && profile.clock != pool::ClockDialect::None) {
    text += "# With honours_clock = true where it plays faster when it has less time.\n";
  }
  return text;
}

}  // namespace

std::string checks_text(const std::vector<Checked>& checked) {
  std::vector<Row> rows;
  for (const Checked& each : checked) {
    rows.push_back({std::string(each.name), std::string(verdict_word(each.result.verdict)),
                    printable(each.result.detail)});
  }
  std::istringstream lines(table_text({Align::Left, Align::Left, Align::Left}, rows));
  std::string text;
  for (std::string line; std::getline(lines, line);) text += "# " + line + '\n';
  return text;
}

std::string profile_text(const std::vector<std::string>& command, const Findings& findings) {
  const FittedProfile fitted = fitted_profile(command, findings);
  const pool::Profile kind = pool::shipped_profile(fitted.kind).value_or(pool::Profile{});
  return remarks_text(fitted, kind, findings) + "\n[[profile]]\nkind = " + toml(fitted.kind) +
         '\n' + keys_text(fitted.profile, kind) + settings_text(fitted.profile, kind);
}

}  // namespace tengen::cli
