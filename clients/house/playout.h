// A game played out to the end by light heuristics: answer ataris, follow shapes around the last
// move, else anywhere, never into an own eye. The rest of the engine is built on its results.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "clients/house/pattern.h"
#include "clients/house/position.h"
#include "clients/house/random.h"
#include "clients/house/tactics.h"

namespace tengen::house {

/// Which colour first played at each point in one simulation; Empty where nobody did.
using FirstPlays = std::array<rules::Cell, rules::kCells>;

class Playout {
 public:
  explicit Playout(Random& random) : random_(random) {}

  /// Plays on until both sides pass, or three moves per point of the board have been made; passes
  /// before count for nothing. Plays at points nobody had in `first` are noted there.
  void run(Position& position, FirstPlays& first);

  const Patterns& patterns() const { return patterns_; }
  Tactics& tactics() { return tactics_; }

 private:
  std::optional<rules::Point> choose(const Position& position);
  std::optional<rules::Point> answer_atari(const Position& position, rules::Point last);
  std::optional<rules::Point> follow_shape(const Position& position, rules::Point last);
  std::optional<rules::Point> anywhere(const Position& position);
  std::optional<rules::Point> any_candidate();

  Random& random_;
  Patterns patterns_;
  Tactics tactics_;
  std::vector<rules::Point> candidates_;
  std::vector<rules::Point> taken_;
};

/// The colour that owns a point of a position played out: its stone's, or that of the stones around
/// an eye; Empty when nobody does.
rules::Cell owner(const rules::Board& board, rules::Point point);

}  // namespace tengen::house
