// A clock in the words of each dialect, as GTP commands.
#pragma once

#include <string>
#include <vector>

#include "pool/job.h"
#include "pool/profile.h"

namespace tengen::pool {

/// The command that names the time system, sent after each clear_board (some engines forget it
/// there, others keep the last game's): "time_settings 600 30 1". A job without a clock is told
/// that there is no limit. Empty for a profile without a dialect.
std::string time_settings_command(const Profile& profile, const std::optional<JobClock>& clock);

/// What both sides have left, sent before each search: "time_left B 41 0". Empty without a dialect,
/// a clock or a limit. An engine is sent what told_clock (search_time.h) makes of the clock.
std::vector<std::string> time_left_commands(const Profile& profile,
                                            const std::optional<JobClock>& clock);

}  // namespace tengen::pool
