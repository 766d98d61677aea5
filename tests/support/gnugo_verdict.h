// What GNU Go itself says of a finished game: the outside opinion that our scores are held against.
#pragma once

#include <optional>
#include <string>

#include "rules/game.h"

namespace tengen::tests {

struct GnuGoVerdict {
  bool has_seki = false;  // it lists stones in seki; its score is no oracle for area then
  std::string score;      // "B+3.5", "W+0.5", "0"
};

/// Replays the moves in a GNU Go of its own, under Chinese rules and the game's komi. Throws when
/// it refuses anything.
GnuGoVerdict gnugo_verdict(const rules::Game& game);

/// The score as GNU Go writes it: always with one decimal.
std::string gnugo_score_text(const rules::Result& result);

}  // namespace tengen::tests
