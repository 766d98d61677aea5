#include "daemon/game_at.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "daemon/check.h"

namespace tengen::daemon {

rules::Game game_at(const rules::Game& game, std::uint32_t seq) {
  const std::span events(game.events().data(), std::min(seq, game.seq()));
  auto replayed = rules::Game::replay(game.header(), events);
  auto* found = std::get_if<rules::Game>(&replayed);
  check(found != nullptr, "the log of a game replays up to the end of each act");
  return std::move(*found);
}

std::uint32_t whole_act_up_to(const rules::Game& game, std::uint32_t seq) {
  while (seq > 0 && seq < game.seq() && rules::is_derived(game.events()[seq].body)) --seq;
  return seq;
}

}  // namespace tengen::daemon
