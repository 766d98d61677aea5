// Questions about games, and their answers.
#include <string>
#include <utility>

#include "protocol/convert.h"
#include "protocol/text.h"

namespace tengen::protocol {
namespace {

constexpr std::size_t kResultBytesMax = 16;

Neighborhood read_neighborhood(const v1::Neighborhood& wire, FieldReader& reader) {
  Neighborhood query{reader.vertex_text(wire.vertex())};
  if (wire.radius() != 0) {
    query.radius = reader.number(wire.radius(), rules::kNeighborhoodRadiusMax, "radius");
  }
  return query;
}

EstimateScore read_estimate(const v1::EstimateScore& wire, FieldReader& reader) {
  if (!wire.has_dead()) return {};
  return {read_vertex_texts(wire.dead().vertices(), reader)};
}

struct QueryWriter {
  v1::Query& wire;

  void operator()(const EstimateScore& query) const {
    v1::EstimateScore& to = *wire.mutable_estimate_score();
    if (!query.dead) return;
    to.mutable_dead()->mutable_vertices()->Add(query.dead->begin(), query.dead->end());
  }
  void operator()(const GroupLiberties& query) const {
    wire.mutable_group_liberties()->set_vertex(query.vertex);
  }
  void operator()(const Neighborhood& query) const {
    wire.mutable_neighborhood()->set_vertex(query.vertex);
    wire.mutable_neighborhood()->set_radius(static_cast<std::uint32_t>(query.radius));
  }
  void operator()(const TerritoryMap&) const { wire.mutable_territory_map(); }
};

struct ResultWriter {
  v1::QueryResult& wire;

  void operator()(const ScoreEstimate& estimate) const {
    v1::ScoreEstimate& to = *wire.mutable_score_estimate();
    to.set_black_half(estimate.black_half);
    to.set_white_half(estimate.white_half);
    to.set_komi_half(estimate.komi_half);
    to.set_method(estimate.has_dead ? v1::ESTIMATE_METHOD_AREA_WITH_DEAD
                                    : v1::ESTIMATE_METHOD_AREA_ALL_ALIVE);
  }
  void operator()(const Groups& groups) const {
    v1::Groups& to = *wire.mutable_groups();
    to.set_width(groups.size.width);
    to.set_height(groups.size.height);
    for (const rules::Group& group : groups.groups) {
      v1::Group& each = *to.add_groups();
      each.set_color(wire_color(group.color));
      write_points(group.stones, groups.size, *each.mutable_stones());
      write_points(group.liberties, groups.size, *each.mutable_liberties());
    }
  }
  void operator()(const Cells& cells) const {
    v1::Cells& to = *wire.mutable_cells();
    to.set_x0(static_cast<std::uint32_t>(cells.x0));
    to.set_y0(static_cast<std::uint32_t>(cells.y0));
    to.mutable_rows()->Add(cells.rows.begin(), cells.rows.end());
  }
  void operator()(const OwnerMap& map) const {
    wire.mutable_owner_map()->mutable_rows()->Add(map.rows.begin(), map.rows.end());
    wire.mutable_owner_map()->set_is_final(map.is_final);
  }
};

/// A part of a board in rows.
std::vector<std::string> read_picture(const Texts& wire, FieldReader& reader) {
  const auto height = static_cast<std::uint32_t>(wire.size());
  const auto width = static_cast<std::uint32_t>(wire.empty() ? 0 : wire[0].size());
  return read_rows(wire, reader.size(width, height), reader);
}

Groups read_groups(const v1::Groups& wire, FieldReader& reader) {
  Groups groups{{}, reader.size(wire.width(), wire.height())};
  for (const v1::Group& group : wire.groups()) {
    groups.groups.push_back({read_color(group.color(), reader),
                             read_points(group.stones(), groups.size, reader),
                             read_points(group.liberties(), groups.size, reader)});
  }
  return groups;
}

GameSummary read_summary(const v1::GameSummary& wire, FieldReader& reader) {
  GameSummary summary{.game = reader.game(wire.game()),
                      .created_ms = wire.created_ms(),
                      .size = reader.size(wire.width(), wire.height()),
                      .preset = reader.text(wire.preset(), kNameBytesMax, "preset"),
                      .seats = {},
                      .moves = wire.moves(),
                      .phase = reader.choice(wire.phase(), rules::Phase::Handicap, "phase"),
                      .watchers = wire.watchers(),
                      .result = reader.text(wire.result(), kResultBytesMax, "result")};
  if (wire.seats_size() != 2) reader.refuse("seats", "seats must be exactly two");
  for (int i = 0; i < 2 && i < wire.seats_size(); ++i) {
    summary.seats[static_cast<std::size_t>(i)] = read_seat(wire.seats(i), reader);
  }
  return summary;
}

}  // namespace

Query read_query(const v1::Query& wire, FieldReader& reader) {
  Query query{reader.game(wire.game()), TerritoryMap{}};
  switch (wire.query_case()) {
    case v1::Query::kEstimateScore:
      query.body = read_estimate(wire.estimate_score(), reader);
      break;
    case v1::Query::kGroupLiberties:
      query.body = GroupLiberties{reader.vertex_text(wire.group_liberties().vertex())};
      break;
    case v1::Query::kNeighborhood:
      query.body = read_neighborhood(wire.neighborhood(), reader);
      break;
    case v1::Query::kTerritoryMap:
      break;
    case v1::Query::QUERY_NOT_SET:
      reader.refuse("query", "query must be one that this version knows");
  }
  return query;
}

void write_query(const Query& query, v1::Query& wire) {
  wire.set_game(to_text(query.game));
  std::visit(QueryWriter{wire}, query.body);
}

ListGames read_list_games(const v1::ListGames& wire, FieldReader& reader) {
  ListGames list{.in_play_only = wire.in_play_only(),
                 .profile = reader.text(wire.profile(), kProfileBytesMax, "profile"),
                 .name = reader.text(wire.name(), kNameBytesMax, "name"),
                 .limit = wire.limit() == 0 ? kGamesListed : wire.limit(),
                 .before = std::nullopt};
  if (list.limit > kGamesListedMax) {
    reader.refuse("limit", "limit must be 0.." + std::to_string(kGamesListedMax));
  }
  if (wire.before().empty()) return list;
  list.before = rules::parse_game_id(wire.before());
  if (!list.before) reader.refuse("before", "before must be 32 hexadecimal digits, or empty");
  return list;
}

void write_list_games(const ListGames& list, v1::ListGames& wire) {
  wire.set_in_play_only(list.in_play_only);
  wire.set_profile(list.profile);
  wire.set_name(list.name);
  wire.set_limit(list.limit);
  if (list.before) wire.set_before(to_text(*list.before));
}

QueryResult read_query_result(const v1::QueryResult& wire, FieldReader& reader) {
  QueryResult result{reader.game(wire.game()), wire.position_seq(), ScoreEstimate{}};
  switch (wire.result_case()) {
    case v1::QueryResult::kScoreEstimate: {
      const v1::ScoreEstimate& from = wire.score_estimate();
      result.body = ScoreEstimate{from.black_half(), from.white_half(), from.komi_half(),
                                  from.method() == v1::ESTIMATE_METHOD_AREA_WITH_DEAD};
      break;
    }
    case v1::QueryResult::kGroups:
      result.body = read_groups(wire.groups(), reader);
      break;
    case v1::QueryResult::kCells: {
      const v1::Cells& from = wire.cells();
      result.body =
          Cells{reader.number(from.x0(), rules::kMaxSize, "x0"),
                reader.number(from.y0(), rules::kMaxSize, "y0"), read_picture(from.rows(), reader)};
      break;
    }
    case v1::QueryResult::kOwnerMap:
      result.body =
          OwnerMap{read_picture(wire.owner_map().rows(), reader), wire.owner_map().is_final()};
      break;
    case v1::QueryResult::RESULT_NOT_SET:
      reader.refuse("result", "result must be one that this version knows");
  }
  return result;
}

void write_query_result(const QueryResult& result, v1::QueryResult& wire) {
  wire.set_game(to_text(result.game));
  wire.set_position_seq(result.position_seq);
  std::visit(ResultWriter{wire}, result.body);
}

GameList read_game_list(const v1::GameList& wire, FieldReader& reader) {
  GameList list{{}, wire.has_more()};
  for (const v1::GameSummary& game : wire.games()) list.games.push_back(read_summary(game, reader));
  return list;
}

void write_game_list(const GameList& list, v1::GameList& wire) {
  for (const GameSummary& game : list.games) {
    v1::GameSummary& to = *wire.add_games();
    to.set_game(to_text(game.game));
    to.set_created_ms(game.created_ms);
    to.set_width(game.size.width);
    to.set_height(game.size.height);
    to.set_preset(game.preset);
    for (const rules::Seat& seat : game.seats) write_seat(seat, *to.add_seats());
    to.set_moves(game.moves);
    to.set_phase(static_cast<v1::Phase>(game.phase));
    to.set_watchers(game.watchers);
    to.set_result(game.result);
  }
  wire.set_has_more(list.has_more);
}

}  // namespace tengen::protocol
