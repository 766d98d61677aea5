// Speed of the rules core, one thread, in process CPU time: replay and legal lists with positional
// superko on 19x19, and random playouts on 9x9. Not a test: prints the best of five runs.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "rules/record.h"

namespace tengen::rules {
namespace {

constexpr int kRunsPerClock = 32;  // reading the CPU clock is slow

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Calls `run`, which returns how much it did, for half a second each time.
template <typename Run>
double best_rate(Run run) {
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const double start = cpu_seconds();
    double done = 0;
    double elapsed = 0;
    while (elapsed < 0.5) {
      for (int i = 0; i < kRunsPerClock; ++i) done += static_cast<double>(run());
      elapsed = cpu_seconds() - start;
    }
    best = std::max(best, done / elapsed);
  }
  return best;
}

/// A point whose neighbours are all own stones or edge, and at most one diagonal (none at the edge)
/// is the enemy's.
bool is_own_eye(const Board& board, Color color, Point point) {
  bool is_at_edge = false;
  for (const Point near : point.neighbours()) {
    if (board.at(near) == Cell::Border) is_at_edge = true;
    if (board.at(near) != Cell::Border && board.at(near) != cell_of(color)) return false;
  }
  int enemies = 0;
  for (const int step : {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1}) {
    const Point diagonal(static_cast<std::uint16_t>(point.index() + step));
    if (board.at(diagonal) == cell_of(other(color))) ++enemies;
  }
  return enemies <= (is_at_edge ? 0 : 1);
}

/// Uniform over the legal points that fill no own eye, to two passes or 3 * area moves. The list of
/// empty points is kept beside the record.
class Playout {
 public:
  Playout(Size size, KoRule ko, std::uint64_t seed)
      : record_(size, ko, SuicideRule::No), random_(seed * 0x9e3779b97f4a7c15u) {
    for (int row = 0; row < size.height; ++row) {
      for (int col = 0; col < size.width; ++col) empty_.push_back(Point::at(col, row));
    }
  }

  const Record& run(std::size_t move_limit) {
    Color color = Color::Black;
    for (int passes = 0; passes < 2 && record_.moves().size() < move_limit; color = other(color)) {
      passes = play_somewhere(color) ? 0 : passes + 1;
    }
    return record_;
  }

 private:
  bool play_somewhere(Color color) {
    auto left = static_cast<std::uint32_t>(empty_.size());
    while (left > 0) {
      const std::uint32_t pick = random_below(left);
      const Point point = empty_[pick];
      if (!is_own_eye(record_.board(), color, point) &&
          record_.play(Move::play(color, point)) == Refusal::None) {
        empty_[pick] = empty_.back();
        empty_.pop_back();
        empty_.insert(empty_.end(), record_.taken().begin(), record_.taken().end());
        return true;
      }
      std::swap(empty_[pick], empty_[--left]);
    }
    (void)record_.play(Move::pass(color));
    return false;
  }

  /// A xorshift generator's number from 0 to limit - 1.
  std::uint32_t random_below(std::uint32_t limit) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return static_cast<std::uint32_t>((random_ >> 32) * limit >> 32);
  }

  Record record_;
  std::vector<Point> empty_;
  std::uint64_t random_;
};

std::vector<Record> random_games(int count, std::size_t move_limit) {
  std::vector<Record> games;
  for (int i = 0; i < count; ++i) {
    Playout playout({19, 19}, KoRule::Positional, 100u + static_cast<std::uint64_t>(i));
    games.push_back(playout.run(move_limit));
  }
  return games;
}

std::size_t replay(const Record& game) {
  Record record(game.size(), game.ko(), game.suicide());
  for (const Move& move : game.moves()) (void)record.play(move);
  return record.moves().size();
}

void run_all() {
  const std::vector<Record> whole = random_games(60, 250);
  std::size_t next = 0;
  const double replayed = best_rate([&] { return replay(whole[next++ % whole.size()]); });
  std::printf("replay with superko, 19x19:     %.2f M moves/s\n", replayed / 1e6);

  const std::vector<Record> middle = random_games(60, 150);
  const double listed = best_rate([&] {
    const Record& record = middle[next++ % middle.size()];
    return record.legal_points(Color::Black).size() + 1;
  });
  std::printf("legal list with superko, 19x19: %.2f M listed moves/s\n", listed / 1e6);

  std::uint64_t seed = 1;
  const double playouts = best_rate([&] {
    Playout({9, 9}, KoRule::Simple, seed++).run(3 * 81);
    return 1;
  });
  std::printf("random playouts, 9x9:           %.1f k/s\n", playouts / 1e3);
}

}  // namespace
}  // namespace tengen::rules

int main() { tengen::rules::run_all(); }
