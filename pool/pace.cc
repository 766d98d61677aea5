// See pace.h. The formula is meant to be worked out by hand: main time in equal parts for the moves
// still expected, what the clock gives for each move on top, and of that two thirds, since one move
// in a hundred takes longer than the p99 and about half as long again was the worst ever measured.
#include "pool/pace.h"

#include <algorithm>

#include "pool/limits.h"

namespace tengen::pool {
namespace {

using rules::ClockSystem;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// The points of the board that p99 is stated for.
constexpr int kStatedPoints = 19 * 19;

/// How many moves of its own a side still has to make. Games take three quarters as many moves as
/// the board has points (means of real games: 0.75 on 19x19, 0.72 on 13x13, 0.79 on 9x9). One that
/// lasts longer goes on for a twelfth of the points at least, so that time never runs out.
int moves_expected(rules::Size size, std::size_t moves_played) {
  const int usual = size.area() * 3 / 4;
  const int played = static_cast<int>(std::min<std::size_t>(moves_played, std::size_t(usual)));
  return std::max({(usual - played) / 2, size.area() / 12, 1});
}

/// What the clock gives for the next move alone, when its main time is left aside.
nanoseconds given_for_a_move(const rules::TimeControl& control, const rules::ClockFace& face) {
  switch (control.system) {
    case ClockSystem::Fischer:
      return control.increment;
    case ClockSystem::ByoYomi:  // spare periods stay a reserve
    case ClockSystem::PerMove:
      return face.period_left;
    case ClockSystem::Canadian:
      return face.period_left / std::max(face.stones_left, 1);
    case ClockSystem::None:
    case ClockSystem::Absolute:
      break;
  }
  return nanoseconds(0);
}

milliseconds time_needed(const Pace& pace, rules::Size size) {
  return pace.p99 * size.area() / kStatedPoints;
}

const Pace& fastest(const Profile& profile) {
  return *std::min_element(profile.pace.begin(), profile.pace.end(),
                           [](const Pace& a, const Pace& b) { return a.p99 < b.p99; });
}

std::string size_text(rules::Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

std::string milliseconds_text(milliseconds time) { return std::to_string(time.count()) + " ms"; }

}  // namespace

std::optional<milliseconds> move_budget(const rules::TimeControl& control,
                                        const rules::ClockFace& face, rules::Size size,
                                        std::size_t moves_played) {
  const std::optional<nanoseconds> to_flag = rules::time_to_flag(control, face);
  if (!to_flag) return std::nullopt;
  const nanoseconds share =
      face.main_left / moves_expected(size, moves_played) + given_for_a_move(control, face);
  // A Fischer increment comes after the move.
  return std::chrono::floor<milliseconds>(std::min(share, *to_flag) * 2 / 3);
}

int paced_value(const Profile& profile, int chosen, rules::Size size,
                std::optional<milliseconds> budget) {
  if (!budget || profile.pace_setting.empty() || profile.pace.empty()) return chosen;
  int value = std::min(chosen, profile.pace.front().value);
  for (const Pace& each : profile.pace) {
    // A value between two described ones takes no more than the greater of them.
    if (time_needed(each, size) <= *budget) value = std::max(value, std::min(chosen, each.value));
  }
  return value;
}

std::optional<std::string> pace_problem(const Profile& profile, const rules::TimeControl& control,
                                        rules::Size size) {
  const auto budget = move_budget(control, rules::first_face(control), size, 0);
  if (!budget) return std::nullopt;
  if (*budget < Limits::kMoveBudgetMin) {
    return rules::time_control_text(control) + " leaves " + profile.name + " no more than " +
           milliseconds_text(*budget) + " for a move on " + size_text(size) +
           "; engines must have at least " + milliseconds_text(Limits::kMoveBudgetMin);
  }
  if (profile.honours_clock || profile.pace.empty()) return std::nullopt;
  const Pace& best = fastest(profile);
  const milliseconds needed = time_needed(best, size);
  if (needed <= *budget) return std::nullopt;
  const std::string setting = profile.pace_setting.empty() ? std::string()
                                                           : " even with " + profile.pace_setting +
                                                                 " " + std::to_string(best.value);
  return profile.name + " takes up to " + milliseconds_text(needed) + " for a move on " +
         size_text(size) + setting + ", and " + rules::time_control_text(control) +
         " leaves it no more than " + milliseconds_text(*budget);
}

}  // namespace tengen::pool
