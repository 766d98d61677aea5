// Answers to questions about a game, and its line in a list; see messages.h.
#include <utility>

#include "protocol/messages.h"
#include "rules/queries.h"
#include "rules/score.h"

namespace tengen::protocol {
namespace {

using rules::Point;

struct Answerer {
  const rules::Game& game;
  const rules::Board& board = game.record().board();
  using Body = std::variant<ScoreEstimate, Groups, Cells, OwnerMap>;
  using Answer = std::variant<Body, Error>;

  static Error bad_vertex() {
    return {ErrorCode::InvalidVertex, "vertex", "vertex must be a point of the board"};
  }

  // Exactly the points given are emptied: half a chain may stay.
  Answer operator()(const EstimateScore& query) const {
    std::vector<Point> dead;
    for (const std::string& vertex : query.dead.value_or(std::vector<std::string>{})) {
      const auto point = rules::parse_gtp_vertex(vertex, board.size());
      if (!point) return bad_vertex();
      dead.push_back(*point);
    }
    const rules::Area area = rules::area(board, dead);
    const int komi_half = game.header().komi_half;
    return ScoreEstimate{2 * area.black, 2 * area.white + komi_half, komi_half,
                         query.dead.has_value()};
  }

  Answer operator()(const GroupLiberties& query) const {
    if (query.vertex.empty()) return Groups{rules::groups_of(board), board.size()};
    const auto point = rules::parse_gtp_vertex(query.vertex, board.size());
    if (!point) return bad_vertex();
    Groups groups{{}, board.size()};
    if (is_stone(board.at(*point))) groups.groups.push_back(rules::group_at(board, *point));
    return groups;
  }

  Answer operator()(const Neighborhood& query) const {
    const auto center = rules::parse_gtp_vertex(query.vertex, board.size());
    if (!center) return bad_vertex();
    const auto window = rules::neighborhood(board.size(), *center, query.radius);
    Cells cells{window.x0, window.y0, {}};
    for (int y = window.y0; y < window.y0 + window.height; ++y) {
      std::string& row = cells.rows.emplace_back();
      for (int x = window.x0; x < window.x0 + window.width; ++x) {
        row += letter_of(board.at(Point::at(x, y)));
      }
    }
    return cells;
  }

  Answer operator()(const TerritoryMap&) const {
    const rules::Owners owners = rules::territory_map(game);
    OwnerMap map{{}, game.score().has_value()};
    for (int y = 0; y < board.size().height; ++y) {
      std::string& row = map.rows.emplace_back();
      for (int x = 0; x < board.size().width; ++x) {
        row += letter_of(owners[Point::at(x, y).index()]);
      }
    }
    return map;
  }
};

}  // namespace

std::variant<QueryResult, Error> answer(const Query& query, const rules::Game& game) {
  auto found = std::visit(Answerer{game}, query.body);
  if (auto* error = std::get_if<Error>(&found)) return std::move(*error);
  return QueryResult{query.game, game.position_seq(), std::move(std::get<Answerer::Body>(found))};
}

GameSummary summary_of(const rules::Game& game) {
  const rules::Header& header = game.header();
  GameSummary summary{.game = header.id,
                      .created_ms = header.created_ms,
                      .size = header.size,
                      .preset = header.preset,
                      .seats = {game.seat(rules::Color::Black), game.seat(rules::Color::White)},
                      .moves = static_cast<std::uint32_t>(game.record().moves().size()),
                      .phase = game.phase(),
                      .watchers = 0,
                      .result = game.result() ? rules::result_text(*game.result()) : ""};
  for (rules::Seat& seat : summary.seats) seat.settings.clear();
  return summary;
}

}  // namespace tengen::protocol
