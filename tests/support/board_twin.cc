#include "tests/support/board_twin.h"

#include <algorithm>
#include <set>

namespace tengen::tests {
namespace {

using rules::Color;
using rules::KoRule;
using rules::Move;
using rules::Point;
using rules::Refusal;
using rules::Stone;
using rules::SuicideRule;

char letter_of(Color color) { return color == Color::Black ? 'X' : 'O'; }

std::size_t index_in(const SlowBoard& board, Point point) {
  return static_cast<std::size_t>(point.row() * board.width() + point.col());
}

Point point_at(const SlowBoard& board, std::size_t index) {
  const int at = static_cast<int>(index);
  return Point::at(at % board.width(), at / board.width());
}

/// How many stones of the letter one text has and the other, at the same point, has not.
int lost(const std::string& before, const std::string& after, char letter) {
  int count = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == letter && after[i] != letter) ++count;
  }
  return count;
}

}  // namespace

BoardTwin::BoardTwin(rules::Size size, KoRule ko, SuicideRule suicide)
    : ko_(ko), suicide_(suicide), record_(size, ko, suicide), slow_(size.width, size.height) {
  positions_.emplace_back(slow_.text(), '?');
}

std::optional<std::string> BoardTwin::play(Move move) {
  const Refusal expected = move.is_pass() ? Refusal::None : judge(move.color, *move.point);
  const Refusal found = record_.play(move);
  if (found != expected) {
    return "refused as " + std::string(name_of(found)) + ", not " + std::string(name_of(expected));
  }
  if (found != Refusal::None) return std::nullopt;
  make(move);
  return compare();
}

std::optional<std::string> BoardTwin::undo() {
  if (record_.undo() == past_.empty()) return "undo finds no move, or one too many";
  if (past_.empty()) return std::nullopt;
  slow_ = past_.back().board;
  ko_ban_ = past_.back().ko_ban;
  captured_ = past_.back().captured;
  positions_.resize(past_.back().positions, Position{});
  past_.pop_back();
  if (past_.empty()) positions_.front().second = '?';
  return compare();
}

std::optional<std::string> BoardTwin::compare_legal_points(Color color) const {
  std::vector<Point> expected;
  for (std::size_t i = 0; i < slow_.text().size(); ++i) {
    const Point point = point_at(slow_, i);
    if (judge(color, point) == Refusal::None) expected.push_back(point);
  }
  if (record_.legal_points(color) != expected) return "other legal points";
  return std::nullopt;
}

Refusal BoardTwin::judge(Color color, Point point) const {
  if (slow_.at(point.col(), point.row()) != '.') return Refusal::Occupied;
  SlowBoard after = slow_;
  after.play(letter_of(color), point.col(), point.row());
  if (after.text()[index_in(after, point)] == '.') {
    const int stones = lost(slow_.text(), after.text(), letter_of(color)) + 1;
    const bool is_allowed =
        suicide_ == SuicideRule::Any || (suicide_ == SuicideRule::Multi && stones > 1);
    if (!is_allowed) return Refusal::Suicide;
  }
  if (ko_ban_ == Stone{color, point}) return Refusal::Ko;
  if (ko_ == KoRule::Simple) return Refusal::None;
  // At the very start the side that does not move first counts as having moved last.
  const auto repeats = [&](const Position& position) {
    if (position.first != after.text()) return false;
    return ko_ == KoRule::Positional || position.second == letter_of(color);
  };
  const bool is_repeated = std::any_of(positions_.begin(), positions_.end(), repeats);
  return is_repeated ? Refusal::Superko : Refusal::None;
}

void BoardTwin::make(Move move) {
  if (past_.empty()) positions_.front().second = letter_of(other(move.color));
  past_.push_back({slow_, positions_.size(), ko_ban_, captured_});
  ko_ban_.reset();
  if (!move.is_pass()) {
    const SlowBoard before = slow_;
    slow_.play(letter_of(move.color), move.point->col(), move.point->row());
    note_ko(move.color, *move.point, before);
  }
  positions_.emplace_back(slow_.text(), letter_of(move.color));
}

void BoardTwin::note_ko(Color color, Point point, const SlowBoard& before) {
  const int enemies = lost(before.text(), slow_.text(), letter_of(other(color)));
  const bool is_suicide = slow_.text()[index_in(slow_, point)] == '.';
  const int own = lost(before.text(), slow_.text(), letter_of(color)) + (is_suicide ? 1 : 0);
  captured_[static_cast<std::size_t>(index_of(color))] += enemies;
  captured_[static_cast<std::size_t>(index_of(other(color)))] += own;
  if (is_suicide) ++suicides_;
  if (enemies > 0) ++captures_;
  if (enemies != 1) return;
  const SlowBoard::Chain chain = slow_.chain(point.col(), point.row());
  if (chain.stones.size() != 1 || chain.liberties.size() != 1) return;
  ko_ban_ = Stone{other(color), point_at(slow_, static_cast<std::size_t>(chain.liberties[0]))};
}

std::optional<std::string> BoardTwin::compare() const {
  rules::Board fresh(record_.size());
  std::string text;
  for (std::size_t i = 0; i < slow_.text().size(); ++i) {
    const Point point = point_at(slow_, i);
    const rules::Cell cell = record_.board().at(point);
    text += cell == rules::Cell::Black ? 'X' : cell == rules::Cell::White ? 'O' : '.';
    if (is_stone(cell)) fresh.place({color_of(cell), point});
  }
  if (text != slow_.text()) return "another board";
  if (record_.board().hash() != fresh.hash()) return "another hash";
  if (record_.board().stones() != fresh.stones()) return "another number of stones";
  if (record_.ko_ban() != ko_ban_) return "another ko";
  for (const Color color : {Color::Black, Color::White}) {
    if (record_.captured_by(color) != captured_[static_cast<std::size_t>(index_of(color))]) {
      return "another number of captures";
    }
  }
  return compare_chains();
}

std::optional<std::string> BoardTwin::compare_chains() const {
  std::vector<bool> done(slow_.text().size());
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (slow_.text()[i] == '.' || done[i]) continue;
    const Point point = point_at(slow_, i);
    const SlowBoard::Chain chain = slow_.chain(point.col(), point.row());
    for (const int stone : chain.stones) done[static_cast<std::size_t>(stone)] = true;
    const rules::Board& board = record_.board();
    if (board.chain_id(point) != point) return "another chain id";
    if (board.chain_size(point) != static_cast<int>(chain.stones.size())) return "another chain";
    if (board.liberties(point) != static_cast<int>(chain.liberties.size())) {
      return "another number of liberties";
    }
  }
  return std::nullopt;
}

std::optional<std::string> play_random_twin(BoardTwin& twin, int attempts, std::mt19937_64& random,
                                            long& moves) {
  const rules::Size size = twin.record().size();
  Color color = Color::Black;
  for (int i = 0; i < attempts; ++i) {
    const std::size_t before = twin.record().moves().size();
    std::optional<std::string> difference;
    if (random() % 8 == 0) {
      difference = twin.undo();
    } else if (random() % 32 == 0) {
      difference = twin.play(Move::pass(color));
    } else {
      const int col = static_cast<int>(random() % size.width);
      difference =
          twin.play(Move::play(color, Point::at(col, static_cast<int>(random() % size.height))));
    }
    if (twin.record().moves().size() > before) ++moves;
    if (!difference && i % 64 == 0) difference = twin.compare_legal_points(color);
    if (!difference && i % 64 == 0) difference = twin.compare_legal_points(other(color));
    if (difference) return *difference + " at attempt " + std::to_string(i);
    if (random() % 16 != 0) color = other(color);
  }
  return std::nullopt;
}

}  // namespace tengen::tests
