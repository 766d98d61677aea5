#include "sim/view_check.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>

namespace tengen::sim {
namespace {

namespace json = boost::json;
using rules::Color;
using rules::Game;
using rules::Point;

bool has_open_seat(const Game& game) { return game.seats()[0].is_open || game.seats()[1].is_open; }

bool is_on_turn(const Game& game, int slot) {
  return !has_open_seat(game) && !game.is_paused() &&
         game.turn() == game.header().color_of_slot(slot);
}

std::string_view word_of(Color color) { return color == Color::Black ? "black" : "white"; }

template <typename Each>
void for_each_point(rules::Size size, Each each) {
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) each(Point::at(col, row));
  }
}

std::optional<Action> read_action(const json::value& value) {
  const auto* object = value.if_object();
  const auto* type = object != nullptr ? object->if_contains("type") : nullptr;
  if (type == nullptr) return std::nullopt;
  if (*type == "pass") return object->size() == 1 ? std::optional(Action{}) : std::nullopt;
  const auto* x = object->if_contains("x");
  const auto* y = object->if_contains("y");
  const bool is_place = *type == "place" && x != nullptr && x->is_int64() && y != nullptr &&
                        y->is_int64() && object->size() == 3;
  if (!is_place) return std::nullopt;
  return Action(Point::at(static_cast<int>(x->get_int64()), static_cast<int>(y->get_int64())));
}

/// The actions of a body; nothing when one is none, or comes twice.
std::optional<std::vector<Action>> read_actions(const json::object& body) {
  const auto* list = body.if_contains("legalActions");
  if (list == nullptr || !list->is_array()) return std::nullopt;
  std::vector<Action> actions;
  for (const auto& each : list->get_array()) {
    const auto action = read_action(each);
    if (!action) return std::nullopt;
    actions.push_back(*action);
  }
  return actions;
}

bool is_same_set(std::vector<Action> a, std::vector<Action> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

json::array board_of(const Game& game) {
  json::array rows(static_cast<std::size_t>(game.header().size.height));
  for_each_point(game.header().size, [&](Point point) {
    const auto cell = game.record().board().at(point);
    auto& row = rows[static_cast<std::size_t>(point.row())];
    if (!row.is_array()) row = json::array();
    row.get_array().push_back(cell == rules::Cell::Black ? 1 : cell == rules::Cell::White ? 2 : 0);
  });
  return rows;
}

/// What the view must have, member for member, where the game alone tells it.
json::object facts_of(const Game& game, int slot) {
  const bool is_open = has_open_seat(game);
  json::object facts;
  facts["matchId"] = rules::to_text(game.header().id);
  facts["seat"] = slot;
  facts["role"] = nullptr;
  if (!is_open) facts["role"] = word_of(game.header().color_of_slot(slot));
  facts["status"] = game.is_finished() ? "ended" : is_open ? "waiting" : "playing";
  facts["yourTurn"] = is_on_turn(game, slot);
  return facts;
}

json::object board_facts_of(const Game& game) {
  json::object facts;
  facts["board"] = board_of(game);
  facts["toMove"] = nullptr;
  if (const auto turn = game.turn()) facts["toMove"] = word_of(*turn);
  facts["captures"] = {{"black", game.record().captured_by(Color::Black)},
                       {"white", game.record().captured_by(Color::White)}};
  return facts;
}

std::optional<std::string> difference(const json::object& shown, const json::object& facts) {
  for (const auto& [name, value] : facts) {
    const auto* found = shown.if_contains(name);
    if (found == nullptr || *found != value) {
      return "a view's " + std::string(name) +
             " is not the game's: " + (found != nullptr ? json::serialize(*found) : "absent") +
             ", not " + json::serialize(value);
    }
  }
  return std::nullopt;
}

std::optional<std::string> difference(const json::object& view, const Game& game, int slot) {
  if (auto found = difference(view, facts_of(game, slot))) return found;
  const auto* observation = view.if_contains("observation");
  if (observation == nullptr || !observation->is_object()) return "a view without an observation";
  if (auto found = difference(observation->get_object(), board_facts_of(game))) return found;
  const auto* ended = view.if_contains("ended");
  if ((ended != nullptr) != game.is_finished()) return "a view that is wrong about the end";
  if (ended == nullptr) return std::nullopt;
  json::value winner = nullptr;
  if (game.result()->winner) winner = word_of(*game.result()->winner);
  if (ended->at("winnerSeat") != winner) return "a view with another winner";
  return std::nullopt;
}

std::variant<AgentSight, std::string> read_offers(const json::object& body, const Game& game,
                                                  int slot) {
  auto offered = read_actions(body);
  if (!offered) return "what is offered cannot be read";
  if (!is_same_set(*offered, legal_actions(game, slot))) {
    return "what is offered is not what is legal";
  }
  AgentSight sight{is_on_turn(game, slot), game.is_finished(), std::move(*offered), {}};
  return sight;
}

std::optional<json::object> parse_object(std::string_view body) {
  json::error_code error;
  auto value = json::parse(json::string_view(body.data(), body.size()), error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

std::string rows_of(const rules::Board& board) {
  std::string rows;
  for_each_point(board.size(), [&](Point point) {
    const auto cell = board.at(point);
    rows += cell == rules::Cell::Black ? 'X' : cell == rules::Cell::White ? 'O' : '.';
  });
  return rows;
}

/// The cells of the page's drawing: what stands between a row's two numbers.
std::string rows_of(std::string_view page) {
  const auto begin = page.find("<pre>");
  const auto end = page.find("</pre>");
  if (begin == std::string_view::npos || end == std::string_view::npos) return "none";
  const auto drawing = page.substr(begin, end - begin);
  std::string rows;
  const auto first = drawing.find('\n');
  const auto last = drawing.rfind('\n', drawing.size() - 2);
  for (const char c : drawing.substr(first, last - first)) {
    if (c == 'X' || c == 'O' || c == '.') rows += c;
  }
  return rows;
}

}  // namespace

std::vector<Action> legal_actions(const Game& game, int slot) {
  std::vector<Action> actions;
  if (!is_on_turn(game, slot)) return actions;
  const Color color = *game.turn();
  rules::Record record = game.record();
  for_each_point(record.size(), [&](Point point) {
    if (record.play(rules::Move::play(color, point)) != rules::Refusal::None) return;
    actions.emplace_back(point);
    static_cast<void>(record.undo());
  });
  actions.emplace_back();
  return actions;
}

std::variant<AgentSight, std::string> read_view(std::string_view body, const Game& game, int slot) {
  const auto view = parse_object(body);
  if (!view) return "a view that is no JSON object";
  if (auto found = difference(*view, game, slot)) return std::move(*found);
  auto sight = read_offers(*view, game, slot);
  const auto* last = view->if_contains("lastActionResult");
  if (auto* read = std::get_if<AgentSight>(&sight); read != nullptr && last != nullptr) {
    read->last_accepted = last->at("accepted").as_bool();
  }
  return sight;
}

std::variant<AgentSight, std::string> read_refusal(std::string_view body, const Game& game,
                                                   int slot) {
  const auto refusal = parse_object(body);
  if (!refusal || !refusal->contains("error")) return "a refusal without its reason";
  return read_offers(*refusal, game, slot);
}

std::optional<std::string> problem_of_page(std::string_view page, const Game& game) {
  if (page.find("finished: ") != std::string_view::npos && !game.is_finished()) {
    return "a page tells of an end that is not to be known";
  }
  std::size_t moves = 0;
  const std::string_view word = ", move ";
  const auto at = page.find(word);
  if (at != std::string_view::npos) {
    std::from_chars(page.data() + at + word.size(), page.data() + page.size(), moves);
  }
  const auto& known = game.record().moves();
  if (moves > known.size()) return "a page tells of a move that is not to be known";
  if (game.header().preset != rules::kAgentPreset) return std::nullopt;
  rules::Record record(game.header().size, game.header().rules.ko, game.header().rules.suicide);
  if (!record.set_up(game.record().setup())) return "a setup that cannot stand";
  for (std::size_t i = 0; i < moves; ++i) static_cast<void>(record.force(known[i]));
  if (rows_of(page) != rows_of(record.board())) return "a page shows another board";
  return std::nullopt;
}

}  // namespace tengen::sim
