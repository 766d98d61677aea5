// `tengen probe`: what a GTP engine can do, found out by trying, and a profile for it. An engine
// that dies or hangs in a check is killed and started again for the others.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "clients/cli/probe/engine.h"
#include "clients/cli/record_commands.h"

namespace tengen::cli {

struct ProbeOptions {
  std::vector<std::string> command;           // the program and its arguments
  std::chrono::milliseconds timeout{10'000};  // for each answer; three times as much for the first
};

/// The report and, when the engine can be used, its profile. Exit code: Done when it can be used,
/// No when it cannot, Usage without a command, Failed when the program cannot be started.
Printed probe(const ProbeOptions& options, ProbeEngine& engine);

}  // namespace tengen::cli
