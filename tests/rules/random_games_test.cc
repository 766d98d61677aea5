// Board and Record against a slow, obviously right board over random games of every size.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "rules/record.h"
#include "tests/support/slow_board.h"

namespace tengen::rules {
namespace {

using tengen::testing::SlowBoard;

char letter_of(Color color) { return color == Color::Black ? 'X' : 'O'; }

/// One game under positional superko with every suicide allowed, played on both boards at once.
class Twin {
 public:
  explicit Twin(Size size)
      : slow_(size.width, size.height), record_(size, KoRule::Positional, SuicideRule::Any) {
    seen_.insert(slow_.text());
  }

  int moves() const { return static_cast<int>(record_.moves().size()); }

  /// Whether the play leads to a board not seen before; judged by the slow board alone.
  bool is_legal(Color color, Point point) const {
    if (slow_.at(point.col(), point.row()) != '.') return false;
    SlowBoard after = slow_;
    after.play(letter_of(color), point.col(), point.row());
    return !seen_.contains(after.text());
  }

  void try_play(Color color, Point point) {
    const Refusal refusal = record_.play(Move::play(color, point));
    ASSERT_EQ(refusal == Refusal::None, is_legal(color, point)) << name_of(refusal);
    if (refusal != Refusal::None) return;
    const int lifted = slow_.play(letter_of(color), point.col(), point.row());
    seen_.insert(slow_.text());
    ASSERT_EQ(record_.taken().size(), static_cast<std::size_t>(lifted));
    expect_same_board();
  }

  void expect_same_legal_points(Color color) const {
    std::vector<Point> expected;
    for_each_point([&](Point point) {
      if (is_legal(color, point)) expected.push_back(point);
    });
    ASSERT_EQ(record_.legal_points(color), expected);
  }

 private:
  template <typename Visit>
  void for_each_point(Visit visit) const {
    for (int row = 0; row < slow_.height(); ++row) {
      for (int col = 0; col < slow_.width(); ++col) visit(Point::at(col, row));
    }
  }

  void expect_same_board() const {
    Board fresh(record_.size());
    std::string text;
    for_each_point([&](Point point) {
      const Cell cell = record_.board().at(point);
      text += cell == Cell::Black ? 'X' : cell == Cell::White ? 'O' : '.';
      if (is_stone(cell)) fresh.place({color_of(cell), point});
    });
    ASSERT_EQ(text, slow_.text());
    ASSERT_EQ(record_.board().hash(), fresh.hash());
    ASSERT_EQ(record_.board().stones(), fresh.stones());
    expect_same_chains();
  }

  void expect_same_chains() const {
    std::set<int> done;
    for_each_point([&](Point point) {
      const int index = point.row() * slow_.width() + point.col();
      if (slow_.at(point.col(), point.row()) == '.' || done.contains(index)) return;
      const SlowBoard::Chain chain = slow_.chain(point.col(), point.row());
      done.insert(chain.stones.begin(), chain.stones.end());
      ASSERT_EQ(record_.board().chain_id(point), point);
      ASSERT_EQ(record_.board().chain_size(point), static_cast<int>(chain.stones.size()));
      ASSERT_EQ(record_.board().liberties(point), static_cast<int>(chain.liberties.size()));
    });
  }

  SlowBoard slow_;
  Record record_;
  std::set<std::string> seen_;
};

/// Plays random points, mostly in turn, until `attempts` have been made; returns the moves made.
int play_random_game(Size size, int attempts, std::mt19937_64& random) {
  Twin twin(size);
  Color color = Color::Black;
  for (int i = 0; i < attempts && !::testing::Test::HasFatalFailure(); ++i) {
    const int col = static_cast<int>(random() % size.width);
    const int row = static_cast<int>(random() % size.height);
    twin.try_play(color, Point::at(col, row));
    if (i % 64 == 0) twin.expect_same_legal_points(color);
    if (random() % 16 != 0) color = other(color);
  }
  return twin.moves();
}

TEST(RandomGames, AgreeWithTheSlowBoardOnEverySize) {
  std::mt19937_64 random(2024);
  int moves = 0;
  for (std::uint8_t width = 1; width <= 25; ++width) {
    const Size size{width, static_cast<std::uint8_t>(1 + random() % 25)};
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
    moves += play_random_game(size, 5 * size.area(), random);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(moves, 5000);
}

TEST(RandomGames, AgreeWithTheSlowBoardOnCrowdedSmallBoards) {
  std::mt19937_64 random(7);
  int moves = 0;
  for (int game = 0; game < 400; ++game) {
    const Size size{static_cast<std::uint8_t>(2 + random() % 6),
                    static_cast<std::uint8_t>(2 + random() % 6)};
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
    moves += play_random_game(size, 150, random);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(moves, 15000);
}

}  // namespace
}  // namespace tengen::rules
