#include "rules/benson.h"

#include <algorithm>
#include <array>

namespace tengen::rules {
namespace {

constexpr std::uint16_t kNone = 0xffff;

/// A maximal set of connected points without stones of the colour.
struct Region {
  std::vector<Point> points;
  std::vector<std::uint16_t> border;  // chains around it, each once
  std::vector<std::uint16_t> eye_of;  // chains it is an eye of: at most four
  int inner = 0;                      // points that touch no chain of the colour
};

class Benson {
 public:
  Benson(const Board& board, Color color, SuicideRule suicide)
      : board_(board), own_(cell_of(color)), suicide_(suicide) {
    chain_of_.fill(kNone);
    for (std::uint16_t i = 0; i < kCells; ++i) {
      if (board.at(Point(i)) == own_ && chain_of_[i] == kNone) add_chain(Point(i));
    }
    for (std::uint16_t i = 0; i < kCells; ++i) {
      if (is_open(Point(i)) && !met_[i]) add_region(Point(i));
    }
  }

  PassAlive solve() {
    while (drop_chains()) {
    }
    PassAlive found;
    for (std::uint16_t i = 0; i < kCells; ++i) {
      if (chain_of_[i] != kNone && alive_[chain_of_[i]]) found.stones.push_back(Point(i));
    }
    for (const Region& region : regions_) {
      if (region.border.empty() || region.inner > 1 || !is_healthy(region)) continue;
      found.territory.insert(found.territory.end(), region.points.begin(), region.points.end());
    }
    std::sort(found.territory.begin(), found.territory.end());
    return found;
  }

 private:
  bool is_open(Point point) const {
    const Cell cell = board_.at(point);
    return cell != own_ && cell != Cell::Border;
  }

  void add_chain(Point stone) {
    for (const Point member : board_.chain(stone)) {
      chain_of_[member.index()] = static_cast<std::uint16_t>(alive_.size());
    }
    alive_.push_back(true);
  }

  void add_region(Point start) {
    Region region;
    region.points.push_back(start);
    met_[start.index()] = true;
    bool is_first = true;
    for (std::size_t next = 0; next < region.points.size(); ++next) {
      const Point point = region.points[next];
      const std::vector<std::uint16_t> around = chains_around(point);
      if (around.empty()) ++region.inner;
      region.border.insert(region.border.end(), around.begin(), around.end());
      if (board_.at(point) == Cell::Empty || suicide_ != SuicideRule::No) {
        region.eye_of = is_first ? around : common(region.eye_of, around);
        is_first = false;
      }
      for (const Point near : point.neighbours()) {
        if (!is_open(near) || met_[near.index()]) continue;
        met_[near.index()] = true;
        region.points.push_back(near);
      }
    }
    std::sort(region.border.begin(), region.border.end());
    region.border.erase(std::unique(region.border.begin(), region.border.end()),
                        region.border.end());
    regions_.push_back(std::move(region));
  }

  std::vector<std::uint16_t> chains_around(Point point) const {
    std::vector<std::uint16_t> chains;
    for (const Point near : point.neighbours()) {
      const std::uint16_t chain = chain_of_[near.index()];
      if (chain == kNone || std::count(chains.begin(), chains.end(), chain) != 0) continue;
      chains.push_back(chain);
    }
    return chains;
  }

  static std::vector<std::uint16_t> common(const std::vector<std::uint16_t>& a,
                                           const std::vector<std::uint16_t>& b) {
    std::vector<std::uint16_t> both;
    for (const std::uint16_t chain : a) {
      if (std::count(b.begin(), b.end(), chain) != 0) both.push_back(chain);
    }
    return both;
  }

  bool is_healthy(const Region& region) const {
    return std::all_of(region.border.begin(), region.border.end(),
                       [this](std::uint16_t chain) { return alive_[chain]; });
  }

  /// Drops the chains with fewer than two healthy eyes; whether there were any.
  bool drop_chains() {
    std::vector<int> eyes(alive_.size(), 0);
    for (const Region& region : regions_) {
      if (!is_healthy(region)) continue;
      for (const std::uint16_t chain : region.eye_of) ++eyes[chain];
    }
    bool dropped = false;
    for (std::size_t chain = 0; chain < alive_.size(); ++chain) {
      if (!alive_[chain] || eyes[chain] >= 2) continue;
      alive_[chain] = false;
      dropped = true;
    }
    return dropped;
  }

  const Board& board_;
  Cell own_;
  SuicideRule suicide_;
  std::array<std::uint16_t, kCells> chain_of_{};
  std::array<bool, kCells> met_{};
  std::vector<bool> alive_;
  std::vector<Region> regions_;
};

}  // namespace

PassAlive pass_alive(const Board& board, Color color, SuicideRule suicide) {
  return Benson(board, color, suicide).solve();
}

}  // namespace tengen::rules
