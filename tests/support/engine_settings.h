// What a scripted engine has been told beside the board: komi, rules, time, level. Each persona
// checks what it is told in its own way, and some forget it.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "rules/ruleset.h"
#include "tests/support/persona.h"
#include "tests/support/reply.h"

namespace tengen::tests {

class EngineSettings {
 public:
  explicit EngineSettings(Persona persona) : persona_(persona) {}

  Reply set_komi(const Words& words);
  Reply set_level(const Words& words);
  /// time_settings, kgs-time_settings and kata-time_settings.
  Reply set_time(const Words& words);
  Reply set_time_left(const Words& words);
  /// kgs-rules, kata-set-rules, kata-set-rule and tengen-rules.
  Reply set_rules(const Words& words);
  void on_clear_board();

  double komi() const { return komi_; }
  std::optional<int> level() const { return level_; }
  /// The command that told the time or the rules last, empty when none is remembered.
  const std::string& time_settings() const { return time_settings_; }
  const std::string& rules() const { return rules_; }
  /// "41 0", empty when it was never told.
  const std::string& time_left(rules::Color color) const {
    return time_left_[static_cast<std::size_t>(rules::index_of(color))];
  }
  /// Of the rules it was told, as far as it keeps to them.
  std::optional<rules::KoRule> ko() const { return ko_; }
  std::optional<rules::SuicideRule> suicide() const { return suicide_; }

 private:
  bool take_kgs_rules(std::string_view name);
  bool take_kata_rules(const std::string& text);
  bool take_kata_name(std::string_view name);
  bool take_kata_json(const std::string& text);
  bool take_tengen_rules(std::string_view text);

  Persona persona_;
  double komi_ = 0;
  std::optional<int> level_;
  std::string time_settings_;
  std::array<std::string, 2> time_left_;
  std::string rules_;
  std::optional<rules::KoRule> ko_;
  std::optional<rules::SuicideRule> suicide_;
};

}  // namespace tengen::tests
