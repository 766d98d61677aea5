// Runs a Client: one thread, one loop, the clock read once per turn. It carries out effects and
// decides nothing.
#pragma once

#include "clients/cli/client.h"
#include "clients/cli/net/connection.h"

namespace tengen::cli {

/// Runs until the client finishes; gives the code for the process.
ExitCode run_client(Client& client, const Server& server);

}  // namespace tengen::cli
