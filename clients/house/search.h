// The house engine's answer to genmove and to the question which stones are dead: a tree search by
// playouts whose result depends on nothing but its arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/record.h"

namespace tengen::house {

/// Cleanup: capture every dead enemy stone before passing (kgs-genmove_cleanup).
enum class Aim : std::uint8_t { Play, Cleanup };

/// More playouts than this are not made.
inline constexpr int kPlayoutsMax = 1'000'000;

struct SearchTask {
  const rules::Record& record;  // position with history; ko and suicide rules are the record's
  rules::Color color = rules::Color::Black;
  rules::Scoring scoring = rules::Scoring::Area;
  int white_extra_half = 15;  // komi plus handicap bonus, half points, what white gets
  int playouts = 1000;
  std::uint64_t seed = 0;
  Aim aim = Aim::Play;
};

struct SearchResult {
  rules::Move move;
  double win_rate = 0.5;  // expected by the mover
  int playouts = 0;       // made
};

/// A legal move of the record (its check() gives None); a pass when nothing useful is left. Never
/// resigns, plays no suicide and fills no own eye.
SearchResult search(const SearchTask& task);

/// Chains that playouts say are dead, whole chains, sorted by point.
std::vector<rules::Point> dead_stones(const rules::Record& record, rules::Color to_move,
                                      int playouts, std::uint64_t seed);

/// Playouts that make a sensible move in under half a second on 9x9 and about a second on 19x19.
int default_playouts(rules::Size size);

}  // namespace tengen::house
