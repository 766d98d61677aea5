// The game that a GTP controller directs: a record, its rules and its handicap, kept so that the
// rules can be changed in the middle. There is no turn and no end.
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "rules/record.h"
#include "rules/ruleset.h"

namespace tengen::house {

/// A move, or points set from outside between moves as SGF files do.
using Step = std::variant<rules::Move, std::vector<rules::Placement>>;

/// A game to be put in the place of the one at hand.
struct GameText {
  rules::Size size;
  std::vector<rules::Stone> setup;
  std::vector<Step> steps;
  int handicap = 0;
  rules::Color first = rules::Color::Black;
};

class LocalGame {
 public:
  LocalGame(rules::Size size, const rules::Ruleset& rules);

  const rules::Record& record() const { return record_; }
  const rules::Ruleset& rules() const { return rules_; }
  rules::Size size() const { return record_.size(); }
  /// Handicap stones on the board, 0 or at least 2.
  int handicap() const { return handicap_; }
  /// Nothing has been set up or played, not even a pass.
  bool is_untouched() const;
  /// The other colour than that of the last move; white after a handicap.
  rules::Color to_move() const;

  /// A new game.
  void clear(rules::Size size);
  /// Puts black stones on an untouched board. False, changing nothing, when a point is off the
  /// board or repeated or the board is not untouched.
  [[nodiscard]] bool place_handicap(const std::vector<rules::Point>& points);
  [[nodiscard]] rules::Refusal play(rules::Move move) { return record_.play(move); }
  /// Moves that undo can take back: those since the start or the last edit.
  std::size_t undoable() const;
  /// Takes back that many moves, passes too, or none of them: false.
  [[nodiscard]] bool undo(std::size_t count);
  /// Makes all moves again under other rules. False, changing nothing, when these refuse one.
  [[nodiscard]] bool change_rules(const rules::Ruleset& rules);
  /// Replaces the game. False, changing nothing, when the rules refuse a move, or a setup leaves a
  /// chain without liberties.
  [[nodiscard]] bool load(const GameText& game);

 private:
  struct Edit {
    std::size_t moves = 0;  // made before it
    std::vector<rules::Placement> placements;
  };

  GameText text() const;

  rules::Ruleset rules_;
  rules::Record record_;
  std::vector<Edit> edits_;
  int handicap_ = 0;
  rules::Color first_ = rules::Color::Black;
};

}  // namespace tengen::house
