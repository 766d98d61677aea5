#include "rules/queries.h"

#include <algorithm>

namespace tengen::rules {

Group group_at(const Board& board, Point stone) {
  Group group{color_of(board.at(stone)), board.chain(stone), board.chain_liberties(stone)};
  std::sort(group.stones.begin(), group.stones.end());
  std::sort(group.liberties.begin(), group.liberties.end());
  return group;
}

std::vector<Group> groups_of(const Board& board) {
  std::vector<Group> groups;
  for (int y = 0; y < board.size().height; ++y) {
    for (int x = 0; x < board.size().width; ++x) {
      const Point point = Point::at(x, y);
      const bool is_first = is_stone(board.at(point)) && board.chain_id(point) == point;
      if (is_first) groups.push_back(group_at(board, point));
    }
  }
  return groups;
}

Window neighborhood(Size size, Point center, int radius) {
  Window window{std::max(0, center.col() - radius), std::max(0, center.row() - radius), 0, 0};
  window.width = std::min(size.width - 1, center.col() + radius) - window.x0 + 1;
  window.height = std::min(size.height - 1, center.row() + radius) - window.y0 + 1;
  return window;
}

Owners territory_map(const Game& game) {
  const Board& board = game.record().board();
  const auto& score = game.score();
  const Scoring scoring = score ? score->by : game.header().rules.scoring;
  const Marks marks = score ? Marks{score->removed, score->seki} : Marks{};
  return scoring == Scoring::Area ? area_owners(board, marks.dead) : territory_owners(board, marks);
}

}  // namespace tengen::rules
