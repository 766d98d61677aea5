// See position_sync.h. A full replay in one write costs about a millisecond on the engines
// measured, so undo is worth it only where the profile says so.
#include "pool/position_sync.h"

#include <algorithm>
#include <utility>

#include "pool/clock_commands.h"
#include "pool/gtp.h"
#include "pool/pace.h"

namespace tengen::pool {
namespace {

const std::string* chosen_value(const SettingSpec& spec, const rules::Settings& chosen) {
  for (const auto& [key, value] : chosen) {
    if (key == spec.key) return &value;
  }
  return nullptr;
}

std::optional<std::chrono::milliseconds> budget_of(const Job& job) {
  if (!job.clock) return std::nullopt;
  const auto& face = job.clock->faces[static_cast<std::size_t>(rules::index_of(job.color))];
  return move_budget(job.clock->control, face, job.record.size(), job.record.moves().size());
}

std::string value_of(const SettingSpec& spec, const Job& job, const Profile& profile) {
  const std::string* chosen = chosen_value(spec, job.settings);
  if (spec.key != profile.pace_setting || !job.clock) {
    return chosen != nullptr ? *chosen : std::to_string(spec.standard);
  }
  const int value = chosen != nullptr ? std::stoi(*chosen) : spec.standard;
  return std::to_string(paced_value(profile, value, job.record.size(), budget_of(job)));
}

std::string size_command(rules::Size size) {
  if (size.width == size.height) return "boardsize " + std::to_string(size.width);
  return "rectangular_boardsize " + std::to_string(size.width) + ' ' + std::to_string(size.height);
}

/// The setup as one handicap command, or nothing when it is none or would not fit on a line.
std::optional<std::string> handicap_command(const Position& needed, const Profile& profile) {
  if (needed.setup.size() < 2) return std::nullopt;
  std::string command = kHandicapCommand;
  for (const rules::Stone& stone : needed.setup) {
    if (stone.color != rules::Color::Black) return std::nullopt;
    command += ' ' + rules::gtp_vertex(stone.point, needed.size);
  }
  if (!is_command(command, profile.line_bytes_max)) return std::nullopt;
  return command;
}

// In a setup whose chains all have a liberty no order of plays captures anything: a part of a chain
// has its missing stone's point as a liberty until the chain is whole.
void add_setup(const Position& needed, const Profile& profile, Unwilling unwilling,
               std::vector<std::string>& base) {
  if (!unwilling.handicap) {
    if (auto command = handicap_command(needed, profile)) {
      return base.push_back(std::move(*command));
    }
  }
  for (const rules::Stone& stone : needed.setup) {
    base.push_back(play_command(rules::Move::play(stone.color, stone.point), needed.size));
  }
}

bool is_same_game_state(const Position& held, const Position& needed) {
  return held.size == needed.size && held.state == needed.state && held.setup == needed.setup;
}

}  // namespace

Position position_of(const Job& job, const Profile& profile, Unwilling unwilling, Position memory) {
  Position position = std::move(memory);
  position.size = job.record.size();
  position.state.clear();
  position.state.emplace_back("komi ") += rules::komi_text(job.komi_half);
  if (auto rules = rules_command(profile.rules, job.rules)) {
    position.state.push_back(std::move(*rules));
  }
  if (!unwilling.time) {
    std::string time = time_settings_command(profile, job.clock);
    if (!time.empty()) position.state.push_back(std::move(time));
  }
  for (const SettingSpec& spec : profile.settings) {
    position.state.push_back(spec.command + ' ' + value_of(spec, job, profile));
  }
  position.setup = job.record.setup();
  position.moves = job.record.moves();
  return position;
}

SyncPlan plan_sync(const std::optional<Position>& held, const Position& needed,
                   const Profile& profile, Unwilling unwilling) {
  SyncPlan plan;
  if (held && is_same_game_state(*held, needed)) {
    const auto fork = std::mismatch(held->moves.begin(), held->moves.end(), needed.moves.begin(),
                                    needed.moves.end());
    const auto shared = static_cast<std::size_t>(fork.first - held->moves.begin());
    const std::size_t undos = held->moves.size() - shared;
    const bool is_shorter = undos <= shared + needed.state.size() + needed.setup.size();
    if (undos == 0 || (undos <= static_cast<std::size_t>(profile.undo_max) && is_shorter)) {
      plan.undos = undos;
      plan.first_move = shared;
      return plan;
    }
  }
  plan.base.push_back(size_command(needed.size));
  plan.base.emplace_back("clear_board");
  plan.base.insert(plan.base.end(), needed.state.begin(), needed.state.end());
  add_setup(needed, profile, unwilling, plan.base);
  return plan;
}

std::string play_command(rules::Move move, rules::Size size) {
  std::string command = move.color == rules::Color::Black ? "play B " : "play W ";
  command += move.is_pass() ? std::string("pass") : rules::gtp_vertex(*move.point, size);
  return command;
}

}  // namespace tengen::pool
