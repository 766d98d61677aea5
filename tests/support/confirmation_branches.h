// Which branches of the confirmation (document 004) one game took, by its events.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rules/log.h"

namespace tengen::tests {

/// By names for people, such as "disputed, and play goes on".
using Branches = std::set<std::string>;

Branches confirmation_branches(const std::vector<rules::Event>& events);

}  // namespace tengen::tests
