#include "clients/house/search.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "clients/house/life.h"
#include "clients/house/position.h"
#include "clients/house/tree.h"

namespace tengen::house {

using rules::Board;
using rules::Cell;
using rules::Color;
using rules::Move;
using rules::Point;

namespace {

/// One simulation in so many starts with a pass, to learn what a pass would leave undone.
constexpr int kPassEvery = 16;
/// A move must not be worth less than a pass by more than this, of kFullValue.
constexpr int kTolerance = 30;
/// Playouts that a move needs before it is compared with a pass.
constexpr std::uint32_t kCloserLook = 48;

/// Plays made so far, setup included, black's minus white's.
int plays_margin(const rules::Record& record) {
  int margin = 0;
  for (const rules::Stone& stone : record.setup()) margin += stone.color == Color::Black ? 1 : -1;
  for (const Move& move : record.moves()) {
    if (!move.is_pass()) margin += move.color == Color::Black ? 1 : -1;
  }
  return margin;
}

/// The legal moves worth a look: no suicide and no own eye.
std::vector<Point> sensible_moves(const SearchTask& task, const Position& root) {
  std::vector<Point> moves;
  root.find_moves(moves);
  std::erase_if(moves, [&](Point point) {
    return task.record.check(Move::play(task.color, point)) != rules::Refusal::None;
  });
  return moves;
}

struct Choice {
  Point point;
  int value = 0;
};

/// The tree of one position and what it answers.
class Searcher {
 public:
  Searcher(const SearchTask& task, const Position& root, std::span<const Point> moves)
      : tree_(root, moves,
              {.scoring = task.scoring,
               .white_extra_half = task.white_extra_half,
               .plays_margin = plays_margin(task.record)},
              task.seed) {}

  void run(int playouts) {
    for (int i = 1; i <= playouts; ++i) {
      if (i % kPassEvery == 0) {
        after_pass_.add(tree_.simulate_child(0));
      } else {
        tree_.simulate();
      }
    }
    spare_ = playouts / 4;
  }

  const Ownership& after_pass() const { return after_pass_; }
  int playouts() const { return static_cast<int>(tree_.root().playouts); }
  double win_rate() const { return 1 - static_cast<double>(tree_.root().mean()) / kFullValue; }
  bool gains(Choice choice) const { return choice.value > pass_value() + kTolerance; }

  /// The play with most playouts, if there is one.
  std::optional<Choice> favourite() const {
    const Tree::Node* best = nullptr;
    for (const Tree::Node& child : tree_.children().subspan(1)) {
      if (child.playouts > (best == nullptr ? 0 : best->playouts)) best = &child;
    }
    if (best == nullptr) return std::nullopt;
    return Choice{*best->point, best->mean()};
  }

  /// The best play among those that `wanted` accepts and that lose nothing against a pass, if there
  /// is one. Looks closer at those the tree passed over, as long as playouts are left.
  template <typename Wanted>
  std::optional<Choice> best_safe(Wanted wanted) {
    std::optional<Choice> best;
    for (std::size_t i = 1; i < tree_.children().size(); ++i) {
      if (!wanted(*tree_.children()[i].point)) continue;
      look_closer(i);
      const Tree::Node& child = tree_.children()[i];
      if (child.playouts == 0 || child.mean() + kTolerance < pass_value()) continue;
      if (!best || child.mean() > best->value) best = Choice{*child.point, child.mean()};
    }
    return best;
  }

 private:
  int pass_value() const { return tree_.children().front().mean(); }

  void look_closer(std::size_t child) {
    for (; spare_ > 0 && tree_.children()[child].playouts < kCloserLook; --spare_) {
      tree_.simulate_child(child);
    }
  }

  Tree tree_;
  Ownership after_pass_;
  int spare_ = 0;  // playouts left for closer looks
};

bool has_opponent_passed(const SearchTask& task) {
  const std::vector<Move>& moves = task.record.moves();
  return !moves.empty() && moves.back() == Move::pass(other(task.color));
}

/// Whether the position wins as it stands when all that is not surely ours is the other side's.
bool wins_as_it_stands(const SearchTask& task, const Owners& owners) {
  const Cell own = rules::cell_of(task.color);
  const auto ours = static_cast<int>(std::count(owners.begin(), owners.end(), own));
  int black = 2 * (2 * ours - task.record.size().area());
  if (task.color == Color::White) black = -black;
  black -= task.white_extra_half;
  if (task.scoring != rules::Scoring::Area) black -= 2 * plays_margin(task.record);
  return task.color == Color::Black ? black > 0 : black < 0;
}

/// The move that gains something, if any. Where the owner is settled nothing is to be gained,
/// unless the search sees more in it than in a pass; a self-atari fills no neutral point.
std::optional<Choice> gaining_move(Searcher& searcher, const Position& root, const Owners& owners) {
  Tactics tactics;
  const auto is_open = [&](Point point) {
    return owners[point.index()] == Cell::Empty && tactics.liberties_after(root, point) > 1;
  };
  const std::optional<Choice> move = searcher.favourite();
  if (!move || searcher.gains(*move) || is_open(move->point)) return move;
  return searcher.best_safe(is_open);
}

/// A safe liberty of the lost chain with the fewest liberties that has one, else any safe move in
/// the own area, from where such a liberty may become safe.
std::optional<Choice> capturing_move(const SearchTask& task, Searcher& searcher,
                                     const Owners& owners) {
  const Board& board = task.record.board();
  std::optional<Choice> best;
  int fewest = 0;
  const std::vector<Point> lost = lost_chains(board, other(task.color), searcher.after_pass());
  for (const Point stone : lost) {
    if (best && board.liberties(stone) >= fewest) continue;
    if (board.chain_id(stone) != stone) continue;
    const std::vector<Point> liberties = board.chain_liberties(stone);
    const std::optional<Choice> move = searcher.best_safe(
        [&](Point point) { return std::binary_search(liberties.begin(), liberties.end(), point); });
    if (!move) continue;
    best = move;
    fewest = board.liberties(stone);
  }
  if (best || lost.empty()) return best;
  return searcher.best_safe(
      [&](Point point) { return owners[point.index()] == rules::cell_of(task.color); });
}

std::optional<Choice> choose(const SearchTask& task, Searcher& searcher, const Position& root) {
  const Owners owners = settled_owners(task.record.board(), searcher.after_pass());
  if (!has_opponent_passed(task) || !wins_as_it_stands(task, owners)) {
    if (const auto move = gaining_move(searcher, root, owners)) return move;
  }
  if (task.aim == Aim::Play) return std::nullopt;
  return capturing_move(task, searcher, owners);
}

}  // namespace

SearchResult search(const SearchTask& task) {
  const Position root(task.record, task.color);
  Searcher searcher(task, root, sensible_moves(task, root));
  searcher.run(std::clamp(task.playouts, 1, kPlayoutsMax));
  const std::optional<Choice> choice = choose(task, searcher, root);
  const Move move = choice ? Move::play(task.color, choice->point) : Move::pass(task.color);
  return {move, searcher.win_rate(), searcher.playouts()};
}

int default_playouts(rules::Size size) {
  constexpr int kMost = 10'000;
  constexpr int kPointPlayouts = 3'000'000;  // playouts by points of the board
  return std::min(kMost, kPointPlayouts / size.area());
}

}  // namespace tengen::house
