// The main line of one SGF game tree as a game of Go: what the root says, then set-up edits and
// moves in the order of the file. Nothing is played here: whether the moves are legal is for a
// replay to say, so a move that names no point of the board is kept as a step of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rules/move.h"
#include "rules/sgf_text.h"
#include "rules/sgf_tree.h"

namespace tengen::rules {

enum class SgfStepKind : std::uint8_t { Setup, Play, Pass, Unplayable };

struct SgfStep {
  SgfStepKind kind = SgfStepKind::Pass;
  Color color = Color::Black;    // of a move
  Point point;                   // of a play; on the board
  std::string text;              // of an unplayable move, as the file has it, cut to 40 bytes
  std::vector<Placement> edits;  // of a set-up: AB, AW and AE of one node; no point twice
  std::uint32_t node = 0;        // in the tree
  SgfPlace place;                // of the property in the file

  bool is_move() const { return kind != SgfStepKind::Setup; }
};

struct SgfGame {
  Size size;
  std::optional<int> komi_half;  // absent: no KM, an empty or an unreadable one
  std::string unread_komi;       // KM when it is neither empty nor readable, cut to 40 bytes
  int handicap = 0;              // HA as stated; the stones are in the steps
  std::string rules;             // RU; see preset_of_rules()
  std::string black;
  std::string white;
  std::string date;
  std::string event;
  std::string result;  // RE; see parse_result_text()
  /// PL before the first move, if it is B or W.
  std::optional<Color> stated_first;
  /// PL, else white if at least two stones are set up before the first move and all are black.
  Color first = Color::Black;
  std::vector<SgfStep> steps;
};

/// For one game. An edited point can cost a few bytes in a file, so points are counted, not values.
struct SgfGameLimits {
  std::size_t steps = 100'000;
  std::size_t edited_points = 200'000;
};

/// Whether GM says Go, or nothing.
bool is_go(const SgfTree& tree);

/// The game, or why there is none: GM of another game, a board size that is not 1..25 each way, a
/// set-up value that is no point of the board, a point set up twice in one node, a limit. Only
/// first children are followed. A node's set-up is one step, where its first set-up property
/// stands; a node may hold several moves. An empty move passes, and on boards up to 19x19 so does
/// "tt".
std::variant<SgfGame, SgfError> game_of(const SgfTree& tree, const SgfGameLimits& limits = {});

/// Black's handicap: the number of stones that stand before the first move when they are all black,
/// at least two, and white moves first; else 0. HA is not asked.
int handicap_stones(const SgfGame& game);

}  // namespace tengen::rules
