// A game as it was: what an answer given earlier told of, and what spectators of a delayed
// broadcast see.
#pragma once

#include <cstdint>
#include <memory>

#include "rules/game.h"

namespace tengen::daemon {

/// The game after its event `seq`, by a replay of its log; events beyond the last count as it.
/// Between an act and what follows from it there is no game: `seq` must be at the end of one.
rules::Game game_at(const rules::Game& game, std::uint32_t seq);

/// A game as those see it who are kept behind: one look after the other, each a little later. The
/// last one is kept, so that the next replays only what has come in between.
class PastGame {
 public:
  /// As game_at, of the same game each time; holds until the next call.
  const rules::Game& at(const rules::Game& game, std::uint32_t seq);
  void forget() { seen_.reset(); }

 private:
  std::unique_ptr<rules::Game> seen_;
};

/// The last event up to `seq` after which there is a game.
std::uint32_t whole_act_up_to(const rules::Game& game, std::uint32_t seq);

}  // namespace tengen::daemon
