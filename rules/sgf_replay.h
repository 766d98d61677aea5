// Replays the record of a game: plays its steps on a Record and tells which moves are against the
// rules. A record has no turn and no end: colours are as written, and moves after two passes count.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "rules/record.h"
#include "rules/ruleset.h"
#include "rules/sgf_game.h"

namespace tengen::rules {

/// Strict stops at the first refused move. Lenient plays what only ko, superko or suicide forbid
/// and skips what cannot be played at all: an occupied point, one off the board.
enum class Strictness : std::uint8_t { Strict, Lenient };

struct RefusedMove {
  int number = 0;  // among the record's plays and passes, from 1
  Color color = Color::Black;
  std::string at;  // the vertex, or the text of a move that names no point of the board
  Refusal reason = Refusal::None;
  bool is_played = false;  // nevertheless
  SgfPlace place;
};

struct SgfReplay {
  Record record;
  int moves = 0;                 // plays and passes in the record, refused ones included
  int passes = 0;                // of them
  Color to_move = Color::Black;  // after the last move made or skipped
  std::vector<RefusedMove> refused{};
};

/// Moves and setups of a record that are replayed at most: a move that repeats a position costs a
/// replay to confirm.
inline constexpr int kReplayStepsMax = 10'000;

/// The record as it is at its end, or at the first refused move if strict; or what makes a replay
/// impossible: a setup whose chains have no liberty, or too many steps.
std::variant<SgfReplay, SgfError> replay(const SgfGame& game, const Ruleset& rules,
                                         Strictness strictness);

}  // namespace tengen::rules
