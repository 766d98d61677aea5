// Runs a Client: one thread, one loop, the clock read once per turn. It carries out effects and
// decides nothing.
#pragma once

#include "clients/cli/arguments.h"
#include "clients/cli/client.h"

namespace tengen::cli {

/// Runs until the client finishes; gives the code for the process.
ExitCode run_client(Client& client, const Address& server);

}  // namespace tengen::cli
