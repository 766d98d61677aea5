// From what a probe found to a profile: what is known of the kind of engine, as far as it held
// true; and for an engine that nobody knows, what was seen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/probe/checks.h"
#include "pool/profile.h"

namespace tengen::cli {

struct FittedProfile {
  std::string_view kind;  // of those that ship (pool/shipped.h)
  pool::Profile profile;
};

/// The engine can be used: it plays on a board of `findings.size`.
FittedProfile fitted_profile(const std::vector<std::string>& command, const Findings& findings);

}  // namespace tengen::cli
