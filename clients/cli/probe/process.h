// Real engines for a probe: one process at a time, over three pipes, waited for with poll.
#pragma once

#include "clients/cli/probe/probe.h"

namespace tengen::cli {

/// Probes the command and prints what came of it; the exit code of the process. Call it before
/// there are threads. The engine and all its children are gone when it returns, however it ends.
int run_probe(const ProbeOptions& options);

}  // namespace tengen::cli
