#include "clients/house/tree.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>

namespace tengen::house {

using rules::Board;
using rules::Cell;
using rules::Color;
using rules::Point;

namespace {

constexpr std::uint32_t kPlayoutsToExpand = 2;
// What a child is credited with before its first playout, in playouts: half of kPriorVisits won (of
// a pass a quarter), then wins and losses for what the move does.
constexpr std::uint16_t kPriorVisits = 10;
constexpr int kWinsForTaking = 15;
constexpr int kWinsForSaving = 10;
constexpr int kWinsForShape = 10;
constexpr int kLossesForSelfAtari = 15;
constexpr int kOpeningShift = 10;
/// By distance to the last move.
constexpr std::array<int, 7> kWinsForNearness = {0, 0, 14, 12, 7, 6, 4};
/// The number of playouts at which a node's own mean weighs as much as many all-moves-as-first
/// ones.
constexpr std::uint64_t kAmafEquivalence = 2500;

/// Columns plus rows plus the larger of the two: 2 for a neighbour, 3 for a diagonal.
int distance(Point a, Point b) {
  const int cols = std::abs(a.col() - b.col());
  const int rows = std::abs(a.row() - b.row());
  return cols + rows + std::max(cols, rows);
}

/// Lines from the edge, from 1.
int line_of(Point point, rules::Size size) {
  const int col = std::min(point.col(), size.width - 1 - point.col());
  const int row = std::min(point.row(), size.height - 1 - point.row());
  return std::min(col, row) + 1;
}

/// Whether no stone is near.
bool is_lonely(const Board& board, Point point) {
  constexpr int kReach = 3;
  const rules::Size size = board.size();
  for (int row = std::max(0, point.row() - kReach); row <= point.row() + kReach; ++row) {
    for (int col = std::max(0, point.col() - kReach); col <= point.col() + kReach; ++col) {
      if (row >= size.height || col >= size.width) continue;
      if (rules::is_stone(board.at(Point::at(col, row)))) return false;
    }
  }
  return true;
}

void add_wins(Tree::Node& node, int count) {
  node.prior_visits = static_cast<std::uint16_t>(node.prior_visits + count);
  node.prior_wins = static_cast<std::uint16_t>(node.prior_wins + count);
}

void add_losses(Tree::Node& node, int count) {
  node.prior_visits = static_cast<std::uint16_t>(node.prior_visits + count);
}

/// Alone, the third and fourth lines are good and the two lowest are bad.
void add_opening_prior(const Board& board, Point point, Tree::Node& node) {
  if (!is_lonely(board, point)) return;
  const int line = line_of(point, board.size());
  if (line <= 2) add_losses(node, kOpeningShift);
  if (line == 3 || line == 4) add_wins(node, kOpeningShift);
}

void add_distance_prior(Point last, Point point, Tree::Node& node) {
  const auto away = static_cast<std::size_t>(distance(last, point));
  if (away < kWinsForNearness.size()) add_wins(node, kWinsForNearness[away]);
}

}  // namespace

Tree::Tree(const Position& root, std::span<const Point> moves, const Goal& goal, std::uint64_t seed,
           TreeLimits limits)
    : start_(root),
      goal_(goal),
      limits_(limits),
      random_(seed),
      playout_(random_),
      position_(root) {
  nodes_.emplace_back();
  add_children(0, moves);
}

const Board& Tree::simulate() { return simulate_child(best_child(root()) - root().first_child); }

const Board& Tree::simulate_child(std::size_t child) {
  position_ = start_;
  plays_margin_ = goal_.plays_margin;
  first_.fill(Cell::Empty);
  path_.assign(1, 0);
  std::uint32_t at = root().first_child + static_cast<std::uint32_t>(child);
  step(at);
  while (position_.passes() < 2) {
    if (nodes_[at].child_count == 0) expand(at);
    if (nodes_[at].child_count == 0) break;
    at = best_child(nodes_[at]);
    step(at);
  }
  playout_.run(position_, first_);
  back_up(black_value());
  return position_.board();
}

// Both means are fractions over visits; weighing them by beta = amaf / (amaf + visits +
// amaf * visits / K) and clearing the denominators leaves one division.
std::uint32_t Tree::best_child(const Node& node) const {
  constexpr std::uint64_t kScale = 1000;
  std::uint32_t best = node.first_child;
  std::uint64_t best_value = 0;
  for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
    const Node& child = nodes_[i];
    const std::uint64_t visits = child.playouts + child.prior_visits;
    const std::uint64_t sum = child.value + std::uint64_t{child.prior_wins} * kFullValue;
    const std::uint64_t weight = kAmafEquivalence + child.amaf_playouts;
    const std::uint64_t value = (kAmafEquivalence * child.amaf_value + weight * sum) * kScale /
                                (kAmafEquivalence * child.amaf_playouts + weight * visits);
    if (value <= best_value) continue;
    best_value = value;
    best = i;
  }
  return best;
}

void Tree::step(std::uint32_t child) {
  path_.push_back(child);
  const std::optional<Point> point = nodes_[child].point;
  if (!point) {
    position_.pass();
    return;
  }
  const Color color = position_.to_move();
  plays_margin_ += color == Color::Black ? 1 : -1;
  Cell& first = first_[point->index()];
  if (first == Cell::Empty) first = rules::cell_of(color);
  position_.play(*point, taken_);
}

void Tree::expand(std::uint32_t index) {
  if (nodes_[index].playouts < kPlayoutsToExpand) return;
  position_.find_moves(moves_);
  if (nodes_.size() + moves_.size() + 1 > limits_.nodes) return;
  add_children(index, moves_);
}

void Tree::add_children(std::uint32_t parent, std::span<const Point> moves) {
  nodes_[parent].first_child = static_cast<std::uint32_t>(nodes_.size());
  nodes_[parent].child_count = static_cast<std::uint32_t>(moves.size() + 1);
  Node pass;
  pass.prior_visits = kPriorVisits;
  pass.prior_wins = kPriorVisits / 4;
  nodes_.push_back(pass);
  for (const Point point : moves) nodes_.push_back(child_for(point));
}

Tree::Node Tree::child_for(Point point) {
  const Board& board = position_.board();
  const Cell own = rules::cell_of(position_.to_move());
  bool takes = false;
  bool saves = false;
  for (const Point near : point.neighbours()) {
    if (!rules::is_stone(board.at(near)) || board.liberties(near) != 1) continue;
    (board.at(near) == own ? saves : takes) = true;
  }
  const bool in_atari = playout_.tactics().liberties_after(position_, point) < 2;
  Node node;
  node.point = point;
  node.prior_visits = kPriorVisits;
  node.prior_wins = kPriorVisits / 2;
  if (takes) add_wins(node, kWinsForTaking);
  if (saves && !in_atari) add_wins(node, kWinsForSaving);
  if (in_atari && !takes) add_losses(node, kLossesForSelfAtari);
  if (playout_.patterns().match(board, point, position_.to_move())) add_wins(node, kWinsForShape);
  add_opening_prior(board, point, node);
  if (position_.last()) add_distance_prior(*position_.last(), point, node);
  return node;
}

void Tree::back_up(int black_value) {
  const auto value_for = [&](Color color) {
    return static_cast<std::uint64_t>(color == Color::Black ? black_value
                                                            : kFullValue - black_value);
  };
  Color mover = other(start_.to_move());
  for (const std::uint32_t index : path_) {
    Node& node = nodes_[index];
    ++node.playouts;
    node.value += value_for(mover);
    mover = other(mover);
    const Cell cell = rules::cell_of(mover);
    for (std::uint32_t i = 0; i < node.child_count; ++i) {
      Node& child = nodes_[node.first_child + i];
      if (!child.point || first_[child.point->index()] != cell) continue;
      ++child.amaf_playouts;
      child.amaf_value += value_for(mover);
    }
  }
}

/// What the finished playout is worth to black. Plays below the tree are taken to alternate, so
/// under territory they cancel.
int Tree::black_value() const {
  const Board& board = position_.board();
  int margin = 0;
  for (int row = 0; row < board.size().height; ++row) {
    for (int col = 0; col < board.size().width; ++col) {
      const Cell cell = owner(board, Point::at(col, row));
      if (cell != Cell::Empty) margin += cell == Cell::Black ? 2 : -2;
    }
  }
  margin -= goal_.white_extra_half;
  if (goal_.scoring != rules::Scoring::Area) margin -= 2 * plays_margin_;
  const int all = 2 * board.size().area();
  assert(all > 0);
  const int share = goal_.margin_share * (all + std::clamp(margin, -all, all)) / (2 * all);
  const int won = margin == 0 ? 1 : margin > 0 ? 2 : 0;
  return share + (kFullValue - goal_.margin_share) * won / 2;
}

}  // namespace tengen::house
