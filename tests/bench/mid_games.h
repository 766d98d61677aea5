// Positions from the middle of real games, to measure engines on.
#pragma once

#include <vector>

#include "rules/record.h"

namespace tengen::tests {

/// So many different games on 19x19, each of 60 to 90 moves, black to move, from
/// tests/data/engines/games19.txt. Where the games there are too few the same ones come mirrored
/// and longer, so that no two have a beginning in common. At most 76; throws when the file is bad.
std::vector<rules::Record> mid_games(std::size_t count);

}  // namespace tengen::tests
