// One frame of every message of tengen.v1, with every field set to something that is not its
// default wherever that is possible. The positions need not be ones the rules could reach.
#pragma once

#include <vector>

#include "protocol/messages.h"
#include "rules/log.h"

namespace tengen::protocol {

rules::GameId sample_game();
rules::Header sample_header();
/// One event of every kind, on a board of 9 columns and 13 rows.
std::vector<rules::Event> sample_events();
Snapshot sample_snapshot();

std::vector<ClientFrame> client_samples();
std::vector<ServerFrame> server_samples();

}  // namespace tengen::protocol
