#include "protocol/agent_queries.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/agent_json.h"
#include "rules/board.h"
#include "rules/score.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;
using rules::Board;
using rules::Point;

json::object group_json(const Board& board, Point chain) {
  std::vector<Point> stones = board.chain(chain);
  std::vector<Point> liberties = board.chain_liberties(chain);
  std::sort(stones.begin(), stones.end());
  std::sort(liberties.begin(), liberties.end());
  return {{"color", role_name(color_of(board.at(chain)))},
          {"stones", json_of(stones)},
          {"liberties", json_of(liberties)}};
}

json::array every_group(const Board& board) {
  json::array groups;
  for (int y = 0; y < board.size().height; ++y) {
    for (int x = 0; x < board.size().width; ++x) {
      const Point point = Point::at(x, y);
      const bool is_first = is_stone(board.at(point)) && board.chain_id(point) == point;
      if (is_first) groups.push_back(group_json(board, point));
    }
  }
  return groups;
}

json::array cells_json(const Board& board, int x0, int y0, int width, int height) {
  json::array rows;
  for (int y = y0; y < y0 + height; ++y) {
    json::array row;
    for (int x = x0; x < x0 + width; ++x)
      row.push_back(static_cast<int>(board.at(Point::at(x, y))));
    rows.push_back(std::move(row));
  }
  return rows;
}

struct Answer {
  const rules::Game& game;
  const Board& board = game.record().board();

  // Exactly the points given are emptied: half a chain may stay.
  json::object operator()(const EstimateScore& query) const {
    const rules::Area area = rules::area(board, query.dead.value_or(std::vector<Point>{}));
    const int komi_half = game.header().komi_half;
    return {{"black", area.black},
            {"white", points_json(2 * area.white + komi_half)},
            {"komi", points_json(komi_half)},
            {"method", query.dead ? "area_with_dead" : "area_all_alive"}};
  }

  json::object operator()(const GroupLiberties& query) const {
    if (!query.at) return {{"groups", every_group(board)}};
    json::array groups;
    if (is_stone(board.at(*query.at))) groups.push_back(group_json(board, *query.at));
    return {{"groups", std::move(groups)}};
  }

  json::object operator()(const Neighborhood& query) const {
    const auto [cx, cy] = rules::agent_point(query.center);
    const int x0 = std::max(0, cx - query.radius);
    const int y0 = std::max(0, cy - query.radius);
    const int width = std::min(board.size().width - 1, cx + query.radius) - x0 + 1;
    const int height = std::min(board.size().height - 1, cy + query.radius) - y0 + 1;
    return {{"x0", x0},
            {"y0", y0},
            {"width", width},
            {"height", height},
            {"cx", cx},
            {"cy", cy},
            {"cells", cells_json(board, x0, y0, width, height)}};
  }
};

}  // namespace

std::string answer_json(const AgentQuery& query, const rules::Game& game) {
  return json_text(std::visit(Answer{game}, query));
}

}  // namespace tengen::protocol
