// What a probe prints: a line for each check, and a profile. The report is a TOML comment, so that
// the whole output can stand in tengend's configuration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/probe/checks.h"

namespace tengen::cli {

/// One line of the report.
struct Checked {
  std::string_view name;
  Result result;
};

/// The report's table; engine text in it is made printable.
std::string checks_text(const std::vector<Checked>& checked);
/// A [[profile]] that fits what was found, below remarks on it; the engine can be used.
std::string profile_text(const std::vector<std::string>& command, const Findings& findings);

}  // namespace tengen::cli
