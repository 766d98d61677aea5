// The search tree: UCT with all-moves-as-first statistics, heuristic priors and no exploration
// term. All sums are integers, so that a seed gives the same tree on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "clients/house/playout.h"
#include "clients/house/position.h"
#include "clients/house/random.h"
#include "rules/ruleset.h"

namespace tengen::house {

struct TreeLimits {
  /// A full tree grows no further, playouts go on. About 20 MB; the root's children are made
  /// anyway.
  std::size_t nodes = std::size_t{1} << 19;
};

/// How a finished playout is counted.
struct Goal {
  rules::Scoring scoring = rules::Scoring::Area;
  int white_extra_half = 0;  // half points that white gets
  /// Black's stones put on the board so far minus white's: what territory differs from area by.
  int plays_margin = 0;
  /// Of kFullValue, how much the margin decides; winning decides the rest.
  int margin_share = 100;
};

/// The value of a sure win by the whole board.
inline constexpr int kFullValue = 1000;

class Tree {
 public:
  struct Node {
    std::optional<rules::Point> point;  // the move that leads here; absent: a pass
    std::uint16_t prior_visits = 0;     // playouts it is credited with before its first
    std::uint16_t prior_wins = 0;
    std::uint32_t first_child = 0;
    std::uint32_t child_count = 0;
    // Values are sums for the side that made the move.
    std::uint32_t playouts = 0;
    std::uint32_t amaf_playouts = 0;
    std::uint64_t value = 0;
    std::uint64_t amaf_value = 0;

    /// The mean value of its playouts; 0 when it has none.
    int mean() const { return playouts == 0 ? 0 : static_cast<int>(value / playouts); }
  };

  /// The children of the root are a pass and `moves`, which must be playable in `root`.
  Tree(const Position& root, std::span<const rules::Point> moves, const Goal& goal,
       std::uint64_t seed, TreeLimits limits = {});
  Tree(const Tree&) = delete;  // the playout keeps a reference to the random numbers
  Tree& operator=(const Tree&) = delete;

  /// Runs one simulation that starts with the most promising child, or with the given one. What
  /// comes back is the board played out, valid until the next call.
  const rules::Board& simulate();
  const rules::Board& simulate_child(std::size_t child);

  std::size_t size() const { return nodes_.size(); }
  const Node& root() const { return nodes_.front(); }
  /// The root's children, the pass first; valid until the next simulation.
  std::span<const Node> children() const {
    return {nodes_.data() + root().first_child, root().child_count};
  }

 private:
  std::uint32_t best_child(const Node& node) const;
  void step(std::uint32_t child);
  void expand(std::uint32_t index);
  void add_children(std::uint32_t parent, std::span<const rules::Point> moves);
  Node child_for(rules::Point point);
  void back_up(int black_value);
  int black_value() const;

  Position start_;
  Goal goal_;
  TreeLimits limits_;
  Random random_;
  Playout playout_;
  std::vector<Node> nodes_;
  // The simulation at hand.
  Position position_;
  int plays_margin_ = 0;
  std::vector<std::uint32_t> path_;
  FirstPlays first_{};
  std::vector<rules::Point> taken_;
  std::vector<rules::Point> moves_;
};

}  // namespace tengen::house
