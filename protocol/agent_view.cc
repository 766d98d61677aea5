#include "protocol/agent_view.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "protocol/agent_events.h"
#include "protocol/agent_json.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;
using rules::Board;
using rules::Color;
using rules::Game;
using rules::Point;
using rules::ResultKind;

json::value role_json(std::optional<Color> color) {
  if (!color) return nullptr;
  return json::value(role_name(*color));
}

json::object place_json(Point point) {
  const auto [x, y] = rules::agent_point(point);
  return {{"type", "place"}, {"x", x}, {"y", y}};
}

// ---- Observation

json::array board_json(const Board& board) {
  json::array rows;
  for (int y = 0; y < board.size().height; ++y) {
    json::array row;
    for (int x = 0; x < board.size().width; ++x) {
      row.push_back(static_cast<int>(board.at(Point::at(x, y))));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

json::value last_move_json(const std::vector<rules::Move>& moves) {
  if (moves.empty()) return nullptr;
  const rules::Move& move = moves.back();
  json::object out = move.is_pass() ? json::object{{"type", "pass"}} : place_json(*move.point);
  out["seat"] = role_name(move.color);
  return out;
}

int passes_in_a_row(const std::vector<rules::Move>& moves) {
  int passes = 0;
  for (auto move = moves.rbegin(); move != moves.rend() && move->is_pass(); ++move) ++passes;
  return passes;
}

json::value scores_json(const Game& game) {
  if (!game.score()) return nullptr;
  return json::object{{"black", points_json(game.score()->black_half)},
                      {"white", points_json(game.score()->white_half)}};
}

json::object observation_json(const Game& game) {
  const rules::Record& record = game.record();
  return {{"kind", "go"},
          {"rulesVersion", kAgentRules},
          {"size", record.size().width},
          {"komi", points_json(game.header().komi_half)},
          {"board", board_json(record.board())},
          {"toMove", role_json(game.turn())},
          {"lastMove", last_move_json(record.moves())},
          {"consecutivePasses", passes_in_a_row(record.moves())},
          {"captures", json::object{{"black", record.captured_by(Color::Black)},
                                    {"white", record.captured_by(Color::White)}}},
          {"scores", scores_json(game)}};
}

// ---- Events

std::string_view name_of(AgentEvent::Kind kind) {
  switch (kind) {
    case AgentEvent::Kind::Capture:
      return "capture";
    case AgentEvent::Kind::Atari:
      return "atari";
    case AgentEvent::Kind::Pass:
      break;
  }
  return "pass";
}

json::object data_json(const AgentEvent& event) {
  json::object data;
  if (event.kind == AgentEvent::Kind::Pass) return data;
  data["stones"] = json_of(event.stones);
  if (event.kind == AgentEvent::Kind::Capture) return data;
  data["liberties"] = json_of(event.liberties);
  data["seat"] = role_name(event.owner);
  return data;
}

json::array events_json(const Game& game, const AgentViewer& viewer) {
  json::array out;
  if (!viewer.color) return out;
  for (const AgentEvent& event : agent_events(game.record(), *viewer.color)) {
    const bool is_own = event.actor == *viewer.color;
    out.push_back(json::object{{"type", name_of(event.kind)},
                               {"relation", is_own ? "self" : "other"},
                               {"actor", role_name(event.actor)},
                               {"data", data_json(event)}});
  }
  return out;
}

// ---- End

bool is_ruling(const rules::Event& event) {
  const auto* forfeited = std::get_if<rules::Forfeited>(&event.body);
  return forfeited != nullptr && forfeited->reason.starts_with("adjudicated");
}

/// Who gave the game up: a person or an agent leaves; an engine that fails has departed, and so
/// has, for want of a better word, whoever lost by an operator's ruling.
std::string_view forfeit_reason(const Game& game) {
  if (std::any_of(game.events().begin(), game.events().end(), is_ruling)) return "departure";
  const Color loser = rules::other(game.result()->winner.value());
  return game.seat(loser).kind == rules::SeatKind::Engine ? "departure" : "leave";
}

std::string_view end_reason(const Game& game) {
  switch (game.result()->kind) {
    case ResultKind::Score:
      return "score";
    case ResultKind::Resign:
      return "resign";
    case ResultKind::Forfeit:
      return forfeit_reason(game);
    case ResultKind::Timeout:
      return "timeout";
    case ResultKind::Abandon:
      return "departure";
    case ResultKind::NoResult:  // has no place in these rules
    case ResultKind::Annulled:
      break;
  }
  return "annulled";
}

json::object standing_json(const Game& game, Color color) {
  const auto& score = game.score();
  if (!score)
    return {{"seat", role_name(color)}, {"score", game.result()->winner == color ? 1 : 0}};
  const int half = color == Color::Black ? score->black_half : score->white_half;
  return {{"seat", role_name(color)}, {"score", points_json(half)}};
}

json::object ended_json(const Game& game) {
  const auto winner = game.result()->winner;
  json::array standings;
  if (winner) standings = {standing_json(game, *winner), standing_json(game, other(*winner))};
  return {{"reason", end_reason(game)},
          {"winnerSeat", role_json(winner)},
          {"standings", std::move(standings)}};
}

// ---- The envelope

bool is_turn_of(const Game& game, const AgentViewer& viewer) {
  return viewer.color && game.turn() == viewer.color && !game.is_paused();
}

std::string_view status_of(const Game& game, const AgentViewer& viewer) {
  if (game.is_finished()) return "ended";
  return viewer.color ? "playing" : "waiting";
}

json::array legal_actions_json(const Game& game, const AgentViewer& viewer) {
  json::array actions;
  if (!is_turn_of(game, viewer)) return actions;
  for (const Point point : game.legal_points(*viewer.color)) actions.push_back(place_json(point));
  actions.push_back(json::object{{"type", "pass"}});
  return actions;
}

json::object last_act_json(const LastAct& act) {
  json::object out{{"accepted", act.is_accepted}};
  if (!act.reason.empty()) out["reason"] = act.reason;
  return out;
}

}  // namespace

std::string agent_view_json(const Game& game, const AgentViewer& viewer) {
  json::object view{{"matchId", viewer.match_id},
                    {"seat", viewer.slot},
                    {"role", role_json(viewer.color)},
                    {"status", status_of(game, viewer)},
                    {"yourTurn", is_turn_of(game, viewer)},
                    {"spectatorUrl", viewer.spectator_url},
                    {"legalActions", legal_actions_json(game, viewer)},
                    {"observation", observation_json(game)},
                    {"events", events_json(game, viewer)}};
  if (viewer.last_act) view["lastActionResult"] = last_act_json(*viewer.last_act);
  if (game.is_finished()) view["ended"] = ended_json(game);
  return json_text(view);
}

std::string refused_act_json(const Game& game, const AgentViewer& viewer, std::string_view error) {
  return json_text(
      json::object{{"error", error}, {"legalActions", legal_actions_json(game, viewer)}});
}

std::string agent_error_json(std::string_view error) {
  return json_text(json::object{{"error", error}});
}

}  // namespace tengen::protocol
