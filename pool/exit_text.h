// The end of a process in words that help whoever reads the log.
#pragma once

#include <string>

#include "pool/pool.h"

namespace tengen::pool {

/// "exited with code 127 (its program or an interpreter was not found)",
/// "was killed by signal 9 (SIGKILL: by the system for want of memory, or by hand)".
std::string exit_text(ExitStatus status);

}  // namespace tengen::pool
