// How a scripted engine comes by its moves. Random ones depend on the seed it was given last and on
// what it drew since then: the state goes on from game to game, as GNU Go's does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rules/record.h"
#include "tests/support/script.h"

namespace tengen::tests {

class MoveMaker {
 public:
  explicit MoveMaker(const Script& script);

  /// From here on moves depend on the seed, the position and the colour alone.
  void seed(std::uint64_t seed);
  rules::Move choose(const rules::Record& record, rules::Color color);
  /// Handicap stones of its own choice: the usual points where they suffice.
  std::vector<rules::Point> handicap(const rules::Record& record, int stones);

 private:
  rules::Move random_move(const rules::Record& record, rules::Color color);

  Script::Style style_;
  int pass_after_;
  std::uint64_t random_;
};

/// A point where it must not play, of the kind asked for if there is one; nothing when the board
/// offers none. OffBoard is no point and gives nothing.
std::optional<rules::Point> forbidden_point(Script::Illegal kind, const rules::Record& record,
                                            rules::Color color);

/// Free points where the colour may play, in index order: for those that only want a few.
std::vector<rules::Point> some_legal_points(const rules::Record& record, rules::Color color,
                                            std::size_t count);

}  // namespace tengen::tests
