#include "clients/house/local_game.h"

#include <algorithm>
#include <utility>

namespace tengen::house {

using rules::Color;
using rules::Move;
using rules::Placement;
using rules::Point;
using rules::Record;
using rules::Refusal;
using rules::Ruleset;
using rules::Size;
using rules::Stone;

LocalGame::LocalGame(Size size, const Ruleset& rules)
    : rules_(rules), record_(size, rules.ko, rules.suicide) {}

bool LocalGame::is_untouched() const {
  return record_.setup().empty() && record_.moves().empty() && edits_.empty();
}

Color LocalGame::to_move() const {
  return record_.moves().empty() ? first_ : rules::other(record_.moves().back().color);
}

void LocalGame::clear(Size size) { *this = LocalGame(size, rules_); }

bool LocalGame::place_handicap(const std::vector<Point>& points) {
  if (!is_untouched()) return false;
  std::vector<Stone> stones;
  stones.reserve(points.size());
  for (const Point point : points) stones.push_back({Color::Black, point});
  if (!record_.set_up(stones)) return false;
  handicap_ = static_cast<int>(points.size());
  first_ = Color::White;
  return true;
}

std::size_t LocalGame::undoable() const {
  return record_.moves().size() - (edits_.empty() ? 0 : edits_.back().moves);
}

bool LocalGame::undo(std::size_t count) {
  if (count > undoable()) return false;
  bool is_done = true;
  for (std::size_t i = 0; i < count; ++i) is_done = record_.undo() && is_done;
  return is_done;
}

bool LocalGame::change_rules(const Ruleset& rules) {
  LocalGame changed(size(), rules);
  if (!changed.load(text())) return false;
  *this = std::move(changed);
  return true;
}

bool LocalGame::load(const GameText& game) {
  LocalGame loaded(game.size, rules_);
  loaded.handicap_ = game.handicap;
  loaded.first_ = game.first;
  Record& record = loaded.record_;
  if (!game.setup.empty() && !record.set_up(game.setup)) return false;
  const auto is_dead = [&](const Stone& stone) {
    return record.board().liberties(stone.point) == 0;
  };
  if (std::any_of(game.setup.begin(), game.setup.end(), is_dead)) return false;
  for (const Step& step : game.steps) {
    if (const Move* move = std::get_if<Move>(&step)) {
      if (record.play(*move) != Refusal::None) return false;
      continue;
    }
    const auto& placements = std::get<std::vector<Placement>>(step);
    if (!record.edit(placements)) return false;
    loaded.edits_.push_back({record.moves().size(), placements});
  }
  *this = std::move(loaded);
  return true;
}

GameText LocalGame::text() const {
  GameText game{size(), record_.setup(), {}, handicap_, first_};
  const auto& moves = record_.moves();
  std::size_t edit = 0;
  for (std::size_t made = 0; made <= moves.size(); ++made) {
    while (edit < edits_.size() && edits_[edit].moves == made) {
      game.steps.emplace_back(edits_[edit++].placements);
    }
    if (made < moves.size()) game.steps.emplace_back(moves[made]);
  }
  return game;
}

}  // namespace tengen::house
