// Published and independently computed counts, the quick ones: legal positions (John Tromp, OEIS
// A094777, and a brute-force count for rectangles), games on tiny boards (Tromp and Farneback,
// Combinatorics of Go), and move sequences that KataGo's rules code counts alike. tests/oracles
// counts on.
#include "tests/oracles/counts.h"

#include <gtest/gtest.h>

#include <string>

#include "rules/game.h"

namespace tengen::rules {
namespace {

using tengen::tests::count_games;
using tengen::tests::count_legal_positions;
using tengen::tests::perft;
using tengen::tests::perft_rows;
using tengen::tests::PerftRow;

std::string size_text(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

TEST(Counts, LegalPositions) {
  const std::pair<Size, std::uint64_t> kCounts[] = {
      {{1, 1}, 1},    {{1, 2}, 5},     {{2, 1}, 5},     {{3, 1}, 15},    {{1, 4}, 41},
      {{5, 1}, 113},  {{1, 6}, 313},   {{7, 1}, 867},   {{2, 2}, 57},    {{2, 3}, 489},
      {{4, 2}, 4125}, {{3, 3}, 12675}, {{2, 5}, 35117}, {{4, 3}, 321689}};
  for (const auto& [size, count] : kCounts) {
    EXPECT_EQ(count_legal_positions(size), count) << size_text(size);
  }
}

TEST(Counts, GamesOverTheGraphOfMoves) {
  const std::pair<Size, std::uint64_t> kCounts[] = {{{1, 1}, 1}, {{1, 2}, 9}, {{3, 1}, 907}};
  for (const auto& [size, count] : kCounts) EXPECT_EQ(count_games(size), count) << size_text(size);
}

/// Sequences of moves of either colour, the empty one included, that repeat no position.
int count_free_games(Record& record) {
  int count = 1;
  for (const Color color : {Color::Black, Color::White}) {
    for (const Point point : record.legal_points(color)) {
      EXPECT_EQ(record.play(Move::play(color, point)), Refusal::None);
      count += count_free_games(record);
      EXPECT_TRUE(record.undo());
    }
  }
  return count;
}

TEST(Counts, GamesByTheHistoryOfTheRecord) {
  const std::pair<Size, int> kCounts[] = {{{1, 1}, 1}, {{1, 2}, 9}, {{3, 1}, 907}};
  for (const auto& [size, count] : kCounts) {
    Record record(size, KoRule::Positional, SuicideRule::Any);
    EXPECT_EQ(count_free_games(record), count) << size_text(size);
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
    EXPECT_EQ(count_whole_games(Game(header)), count) << size_text(size);
  }
}

// The rows of up to 20,000 sequences; tests/oracles counts the others.
TEST(Counts, MoveSequencesFromTheEmptyBoard) {
  constexpr std::uint64_t kNodesMax = 20'000;
  int counted = 0;
  for (const PerftRow& row : perft_rows(TENGEN_TESTS_DIR "/data/rules/counts.json")) {
    if (row.expected.nodes > kNodesMax) continue;
    ++counted;
    EXPECT_EQ(perft(row), row.expected)
        << size_text(row.size) << " " << row.rule << " depth " << row.depth;
  }
  EXPECT_GT(counted, 200);
}

}  // namespace
}  // namespace tengen::rules
