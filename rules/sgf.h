// SGF FF[4] out: one finished or running game as one record, UTF-8. Reading is in sgf_tree.h and
// sgf_game.h.
#pragma once

#include <string>

#include "rules/game.h"

namespace tengen::rules {

/// The game as one SGF game tree with CA, SZ, RU, KM, PB, PW, DT, setup, moves (passes empty) and
/// RE once there is a result. `application` goes into AP, e.g. "Tengen:0.1.0".
std::string to_sgf(const Game& game, std::string_view application);

}  // namespace tengen::rules
