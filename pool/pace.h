// Engines that ignore clocks are kept in time from outside: what a move may take is worked out from
// the clock, and a setting such as GNU Go's level is lowered until its moves take less.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "pool/profile.h"
#include "rules/clock.h"

namespace tengen::pool {

/// What the next move may take so that the time lasts to the end of a game of usual length;
/// nothing when there is no limit.
std::optional<std::chrono::milliseconds> move_budget(const rules::TimeControl& control,
                                                     const rules::ClockFace& face, rules::Size size,
                                                     std::size_t moves_played);

/// The greatest value of the pace setting, at most `chosen`, whose moves fit the budget; the least
/// that the profile describes when none does. `chosen` itself for a profile without a pace.
int paced_value(const Profile& profile, int chosen, rules::Size size,
                std::optional<std::chrono::milliseconds> budget);

/// Why the profile's engines cannot keep such a clock: it leaves less than kMoveBudgetMin for a
/// move when the game begins, or less than they take even at their fastest. The latter is asked
/// only of engines that do not honour clocks and whose pace is known. Nothing when they can.
std::optional<std::string> pace_problem(const Profile& profile, const rules::TimeControl& control,
                                        rules::Size size);

}  // namespace tengen::pool
