// See position_sync.h. No undo: a full replay in one write costs about a millisecond on the engines
// measured, and an undo never reaches setup.
#include "pool/position_sync.h"

#include <algorithm>

#include "pool/gtp.h"
#include "rules/rules_text.h"

namespace tengen::pool {
namespace {

std::string value_of(const SettingSpec& spec, const rules::Settings& chosen) {
  for (const auto& [key, value] : chosen) {
    if (key == spec.key) return value;
  }
  return std::to_string(spec.standard);
}

std::string size_command(rules::Size size) {
  if (size.width == size.height) return "boardsize " + std::to_string(size.width);
  return "rectangular_boardsize " + std::to_string(size.width) + ' ' + std::to_string(size.height);
}

/// The setup as one handicap command, or nothing when it is none or would not fit on a line.
std::optional<std::string> handicap_command(const Position& needed) {
  if (needed.setup.size() < 2) return std::nullopt;
  std::string command = kHandicapCommand;
  for (const rules::Stone& stone : needed.setup) {
    if (stone.color != rules::Color::Black) return std::nullopt;
    command += ' ' + rules::gtp_vertex(stone.point, needed.size);
  }
  if (!is_command(command)) return std::nullopt;
  return command;
}

// In a setup whose chains all have a liberty no order of plays captures anything: a part of a chain
// has its missing stone's point as a liberty until the chain is whole.
void add_setup(const Position& needed, SetupBy setup_by, std::vector<std::string>& base) {
  if (setup_by == SetupBy::Handicap) {
    if (auto command = handicap_command(needed)) return base.push_back(std::move(*command));
  }
  for (const rules::Stone& stone : needed.setup) {
    base.push_back(play_command(rules::Move::play(stone.color, stone.point), needed.size));
  }
}

bool can_continue(const Position& held, const Position& needed) {
  return held.size == needed.size && held.komi_half == needed.komi_half &&
         held.rules == needed.rules && held.settings == needed.settings &&
         held.setup == needed.setup && held.moves.size() <= needed.moves.size() &&
         std::equal(held.moves.begin(), held.moves.end(), needed.moves.begin());
}

}  // namespace

Position position_of(const Job& job, const Profile& profile) {
  Position position;
  position.size = job.record.size();
  position.komi_half = job.komi_half;
  if (profile.rules == RulesDialect::Tengen) {
    position.rules = "tengen-rules " + rules::components_text(job.rules);
  }
  for (const SettingSpec& spec : profile.settings) {
    position.settings.push_back(spec.command + ' ' + value_of(spec, job.settings));
  }
  position.setup = job.record.setup();
  position.moves = job.record.moves();
  return position;
}

SyncPlan plan_sync(const std::optional<Position>& held, const Position& needed, SetupBy setup_by) {
  SyncPlan plan;
  if (held && can_continue(*held, needed)) {
    plan.first_move = held->moves.size();
    return plan;
  }
  plan.base.push_back(size_command(needed.size));
  plan.base.emplace_back("clear_board");
  plan.base.push_back("komi " + rules::komi_text(needed.komi_half));
  if (!needed.rules.empty()) plan.base.push_back(needed.rules);
  for (const std::string& setting : needed.settings) plan.base.push_back(setting);
  add_setup(needed, setup_by, plan.base);
  return plan;
}

std::string play_command(rules::Move move, rules::Size size) {
  std::string command = move.color == rules::Color::Black ? "play B " : "play W ";
  command += move.is_pass() ? std::string("pass") : rules::gtp_vertex(*move.point, size);
  return command;
}

}  // namespace tengen::pool
