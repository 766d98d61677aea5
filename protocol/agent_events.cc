#include "protocol/agent_events.h"

#include <algorithm>
#include <utility>

#include "rules/board.h"
#include "rules/move.h"

namespace tengen::protocol {
namespace {

using rules::Board;
using rules::Color;
using rules::Move;
using rules::Point;

/// The chains with one liberty, by their lowest points, that hold a stone at the point or next to
/// it.
std::vector<Point> chains_in_atari(const Board& board, Point point) {
  std::vector<Point> found;
  const auto look = [&](Point at) {
    if (is_stone(board.at(at)) && board.liberties(at) == 1) found.push_back(board.chain_id(at));
  };
  look(point);
  for (const Point near : point.neighbours()) look(near);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

AgentEvent atari_event(const Board& board, Color actor, Point chain) {
  AgentEvent event{AgentEvent::Kind::Atari, actor, color_of(board.at(chain)), board.chain(chain),
                   board.chain_liberties(chain)};
  std::sort(event.stones.begin(), event.stones.end());
  return event;
}

/// Makes the move; gives what it did.
std::vector<AgentEvent> effects_of(const Move& move, Board& board) {
  if (move.is_pass()) return {{AgentEvent::Kind::Pass, move.color, move.color, {}, {}}};
  std::vector<Point> taken;
  board.play(move.color, *move.point, taken);
  std::vector<AgentEvent> effects;
  if (!taken.empty()) {
    std::sort(taken.begin(), taken.end());
    effects.push_back({AgentEvent::Kind::Capture, move.color, move.color, std::move(taken), {}});
  }
  for (const Point chain : chains_in_atari(board, *move.point)) {
    effects.push_back(atari_event(board, move.color, chain));
  }
  return effects;
}

}  // namespace

std::vector<AgentEvent> agent_events(const rules::Record& record, Color viewer) {
  Board board(record.size());
  for (const rules::Stone& stone : record.setup()) board.place(stone);
  std::vector<AgentEvent> own;
  std::vector<AgentEvent> others;
  for (const Move& move : record.moves()) {
    std::vector<AgentEvent> effects = effects_of(move, board);
    if (move.color == viewer) {
      own = std::move(effects);
    } else if (!effects.empty()) {
      others = std::move(effects);
    }
  }
  own.insert(own.end(), others.begin(), others.end());
  return own;
}

}  // namespace tengen::protocol
