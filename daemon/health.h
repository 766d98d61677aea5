// Whether the daemon can do its work, in words for an operator and a status for a probe. Pure: what
// is known of the profiles goes in, a text comes out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pool/pool.h"

namespace tengen::daemon {

/// Ok: an engine can be had, or is not wanted before a game asks for it. Starting: none can be had
/// yet. Failed: its engines cannot be started.
enum class ProfileHealth : std::uint8_t { Ok, Starting, Failed };
std::string_view name_of(ProfileHealth health);

struct ProfileCondition {
  pool::ProfileStatus status;
  int processes_warm = 0;
};
ProfileHealth health_of(const ProfileCondition& profile);

/// Degraded while a profile has failed, whatever the others do.
enum class Health : std::uint8_t { Ok, Degraded, Draining };
std::string_view name_of(Health health);
Health health_of(std::span<const ProfileCondition> profiles);

/// The health and each profile's state and figures, as one JSON object on one line.
std::string health_json(Health health, std::span<const ProfileCondition> profiles);

}  // namespace tengen::daemon
