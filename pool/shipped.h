// Profiles that Tengen ships: what is known of engines in use, so that a configuration only has to
// name a kind and a command. Source of each value: docs/engines.md.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "pool/profile.h"

namespace tengen::pool {

/// "gtp" (any GTP 2 engine), "gnugo", "leela-zero", "pachi", "katago", "house".
std::span<const std::string_view> shipped_kinds();
/// The profile of that kind; its name is the kind. "gtp" has no command, the others have the usual
/// one.
std::optional<Profile> shipped_profile(std::string_view kind);

}  // namespace tengen::pool
