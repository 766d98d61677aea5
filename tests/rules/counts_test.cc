// Published and independently computed counts: legal positions (John Tromp, OEIS A094777, and a
// brute-force count for rectangles), games on tiny boards (Tromp and Farneback, Combinatorics of
// Go), and move sequences from the empty board that KataGo's rules code counts alike.
#include <gtest/gtest.h>

#include <string>

#include "rules/game.h"
#include "rules/record.h"

namespace tengen::rules {
namespace {

std::string text_of(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

bool is_legal_position(const Board& board) {
  for (std::uint16_t i = 0; i < kCells; ++i) {
    if (is_stone(board.at(Point(i))) && board.liberties(Point(i)) == 0) return false;
  }
  return true;
}

/// Legal positions among all ways to fill the points from `index` on.
int count_positions(const Board& board, int index) {
  const Size size = board.size();
  if (index == size.area()) return is_legal_position(board) ? 1 : 0;
  int count = count_positions(board, index + 1);
  for (const Color color : {Color::Black, Color::White}) {
    Board with_stone = board;
    with_stone.place({color, Point::at(index % size.width, index / size.width)});
    count += count_positions(with_stone, index + 1);
  }
  return count;
}

TEST(Counts, LegalPositions) {
  const std::pair<Size, int> kCounts[] = {
      {{1, 1}, 1},    {{1, 2}, 5},     {{2, 1}, 5},    {{3, 1}, 15}, {{1, 4}, 41},
      {{5, 1}, 113},  {{1, 6}, 313},   {{7, 1}, 867},  {{2, 2}, 57}, {{2, 3}, 489},
      {{4, 2}, 4125}, {{3, 3}, 12675}, {{2, 5}, 35117}};
  for (const auto& [size, count] : kCounts) {
    EXPECT_EQ(count_positions(Board(size), 0), count) << text_of(size);
  }
}

/// Sequences of moves of either colour, the empty one included, that repeat no position.
int count_free_games(const Record& record) {
  int count = 1;
  for (const Color color : {Color::Black, Color::White}) {
    for (const Point point : record.legal_points(color)) {
      Record next = record;
      EXPECT_EQ(next.play(Move::play(color, point)), Refusal::None);
      count += count_free_games(next);
    }
  }
  return count;
}

TEST(Counts, GamesOfEitherColourOnTinyBoards) {
  const std::pair<Size, int> kCounts[] = {{{1, 1}, 1}, {{1, 2}, 9}, {{3, 1}, 907}};
  for (const auto& [size, count] : kCounts) {
    EXPECT_EQ(count_free_games(Record(size, KoRule::Positional, SuicideRule::Any)), count)
        << text_of(size);
  }
}

/// Games in turn, passes included, that end by two passes.
int count_whole_games(const Game& game) {
  if (game.is_finished()) return 1;
  const Color color = game.turn().value();
  Game passed = game;
  EXPECT_EQ(passed.pass(color, {}), Refusal::None);
  int count = count_whole_games(passed);
  for (const Point point : game.legal_points(color)) {
    Game next = game;
    EXPECT_EQ(next.play(color, point, {}), Refusal::None);
    count += count_whole_games(next);
  }
  return count;
}

// The number of games that end by two passes equals the number of games of either colour.
TEST(Counts, WholeGamesOnTinyBoards) {
  const std::pair<Size, int> kCounts[] = {{{1, 1}, 1}, {{2, 1}, 9}, {{1, 3}, 907}};
  for (const auto& [size, count] : kCounts) {
    Header header;
    header.size = size;
    header.rules = find_preset("tromp-taylor")->rules;
    header.rules.move_limit = 100;
    EXPECT_EQ(count_whole_games(Game(header)), count) << text_of(size);
  }
}

/// Move sequences of exactly `depth` moves in turn; two passes in a row are not gone beyond.
int perft(const Record& record, Color color, int depth, int passes) {
  if (passes == 2) return 0;
  const std::vector<Point> points = record.legal_points(color);
  if (depth == 1) return static_cast<int>(points.size()) + 1;
  Record passed = record;
  EXPECT_EQ(passed.play(Move::pass(color)), Refusal::None);
  int count = perft(passed, other(color), depth - 1, passes + 1);
  for (const Point point : points) {
    Record next = record;
    EXPECT_EQ(next.play(Move::play(color, point)), Refusal::None);
    count += perft(next, other(color), depth - 1, 0);
  }
  return count;
}

struct PerftRow {
  Size size;
  KoRule ko;
  SuicideRule suicide;
  int depth;
  int nodes;
};

TEST(Counts, MoveSequencesFromTheEmptyBoard) {
  using enum KoRule;
  using enum SuicideRule;
  const PerftRow kRows[] = {
      {{1, 1}, Positional, No, 2, 1},       {{2, 1}, Positional, No, 6, 0},
      {{2, 1}, Situational, No, 6, 0},      {{2, 1}, Situational, Multi, 6, 10},
      {{2, 1}, Situational, Any, 6, 10},    {{3, 1}, Positional, No, 8, 110},
      {{3, 1}, Positional, Any, 8, 110},    {{3, 1}, Situational, No, 8, 118},
      {{3, 1}, Situational, Multi, 8, 270}, {{3, 1}, Situational, Any, 8, 638},
      {{2, 2}, Positional, No, 9, 4184},    {{2, 2}, Simple, No, 9, 5768},
      {{2, 2}, Situational, Any, 9, 9808},  {{3, 2}, Positional, No, 7, 20760},
      {{3, 2}, Positional, Any, 7, 26504},  {{3, 2}, Simple, No, 7, 20760},
      {{3, 2}, Situational, No, 7, 20760},  {{3, 2}, Situational, Multi, 7, 26760},
      {{3, 2}, Situational, Any, 7, 36216}, {{3, 3}, Positional, No, 6, 179712},
      {{3, 3}, Positional, Any, 6, 180768}, {{3, 3}, Situational, Any, 6, 193040},
      {{9, 9}, Positional, Any, 3, 531522}, {{19, 19}, Situational, No, 2, 130683}};
  for (const PerftRow& row : kRows) {
    EXPECT_EQ(perft(Record(row.size, row.ko, row.suicide), Color::Black, row.depth, 0), row.nodes)
        << text_of(row.size) << " " << name_of(row.ko) << " " << name_of(row.suicide);
  }
}

}  // namespace
}  // namespace tengen::rules
