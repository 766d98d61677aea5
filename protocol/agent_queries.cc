#include "protocol/agent_queries.h"

#include <utility>
#include <variant>
#include <vector>

#include "protocol/agent_json.h"
#include "rules/queries.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;
using rules::Board;
using rules::Point;

json::object group_json(const rules::Group& group) {
  return {{"color", role_name(group.color)},
          {"stones", json_of(group.stones)},
          {"liberties", json_of(group.liberties)}};
}

json::array every_group(const Board& board) {
  json::array groups;
  for (const rules::Group& group : rules::groups_of(board)) groups.push_back(group_json(group));
  return groups;
}

json::array cells_json(const Board& board, const rules::Window& window) {
  json::array rows;
  for (int y = window.y0; y < window.y0 + window.height; ++y) {
    json::array row;
    for (int x = window.x0; x < window.x0 + window.width; ++x) {
      row.push_back(static_cast<int>(board.at(Point::at(x, y))));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

struct Answer {
  const rules::Game& game;
  const Board& board = game.record().board();

  // Exactly the points given are emptied: half a chain may stay.
  json::object operator()(const AgentEstimate& query) const {
    const rules::Area area = rules::area(board, query.dead.value_or(std::vector<Point>{}));
    const int komi_half = game.header().komi_half;
    return {{"black", area.black},
            {"white", points_json(2 * area.white + komi_half)},
            {"komi", points_json(komi_half)},
            {"method", query.dead ? "area_with_dead" : "area_all_alive"}};
  }

  json::object operator()(const AgentGroups& query) const {
    if (!query.at) return {{"groups", every_group(board)}};
    json::array groups;
    if (is_stone(board.at(*query.at))) {
      groups.push_back(group_json(rules::group_at(board, *query.at)));
    }
    return {{"groups", std::move(groups)}};
  }

  json::object operator()(const AgentNeighborhood& query) const {
    const auto [cx, cy] = rules::agent_point(query.center);
    const rules::Window window = rules::neighborhood(board.size(), query.center, query.radius);
    return {{"x0", window.x0},
            {"y0", window.y0},
            {"width", window.width},
            {"height", window.height},
            {"cx", cx},
            {"cy", cy},
            {"cells", cells_json(board, window)}};
  }
};

}  // namespace

std::string answer_json(const AgentQuery& query, const rules::Game& game) {
  return json_text(std::visit(Answer{game}, query));
}

}  // namespace tengen::protocol
