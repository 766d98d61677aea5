// Our own mistakes end the process, in release builds too. Never used on what a client or an engine
// said.
#pragma once

namespace tengen::pool {

/// Aborts with `promise` on standard error unless it holds.
void require(bool holds, const char* promise);

}  // namespace tengen::pool
