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

const rules::Game& PastGame::at(const rules::Game& game, std::uint32_t seq) {
  if (seen_ == nullptr || seen_->seq() > seq) {
    seen_ = std::make_unique<rules::Game>(game_at(game, seq));
  }
  while (seen_->seq() < std::min(seq, game.seq())) {
    const auto refusal = seen_->act(game.events()[seen_->seq()]);
    check(refusal == rules::Refusal::None, "the log of a game replays up to the end of each act");
  }
  return *seen_;
}

std::uint32_t whole_act_up_to(const rules::Game& game, std::uint32_t seq) {
  while (seq > 0 && seq < game.seq() && rules::is_derived(game.events()[seq].body)) --seq;
  return seq;
}

}  // namespace tengen::daemon
