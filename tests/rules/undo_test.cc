// Undo and edits of a Record: everything a move changed is as it was before.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "rules/record.h"
#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

using tengen::tests::drawn;
using tengen::tests::vertex;

void expect_same(const Record& undone, const Record& before) {
  ASSERT_EQ(undone.board(), before.board());
  EXPECT_EQ(undone.board().hash(), before.board().hash());
  EXPECT_EQ(undone.board().stones(), before.board().stones());
  EXPECT_EQ(undone.moves(), before.moves());
  EXPECT_EQ(undone.taken(), before.taken());
  EXPECT_EQ(undone.ko_ban(), before.ko_ban());
  for (const Color color : {Color::Black, Color::White}) {
    EXPECT_EQ(undone.captured_by(color), before.captured_by(color));
    EXPECT_EQ(undone.legal_points(color), before.legal_points(color));
  }
  for (std::uint16_t i = 0; i < kCells; ++i) {
    if (!is_stone(before.board().at(Point(i)))) continue;
    EXPECT_EQ(undone.board().chain(Point(i)), before.board().chain(Point(i)));
    EXPECT_EQ(undone.board().liberties(Point(i)), before.board().liberties(Point(i)));
  }
}

Move random_move(Size size, std::mt19937_64& random) {
  const Color color = random() % 2 == 0 ? Color::Black : Color::White;
  if (random() % 16 == 0) return Move::pass(color);
  return Move::play(color, Point::at(static_cast<int>(random() % size.width),
                                     static_cast<int>(random() % size.height)));
}

TEST(Undo, TakesBackEveryMoveOfRandomGames) {
  std::mt19937_64 random(20);
  for (const KoRule ko : {KoRule::Simple, KoRule::Positional, KoRule::Situational}) {
    for (const Size size : {Size{2, 2}, Size{3, 3}, Size{5, 4}, Size{7, 7}}) {
      Record record(size, ko, SuicideRule::Any);
      std::vector<Record> before;
      for (int attempt = 0; attempt < 400; ++attempt) {
        const Record now = record;
        if (record.play(random_move(size, random)) == Refusal::None) before.push_back(now);
      }
      ASSERT_GT(before.size(), 20u);
      while (!before.empty()) {
        ASSERT_TRUE(record.undo());
        ASSERT_NO_FATAL_FAILURE(expect_same(record, before.back()));
        before.pop_back();
      }
      EXPECT_FALSE(record.undo());
    }
  }
}

// A branch: the positions of the moves taken back are no part of its history.
TEST(Undo, TakesPositionsOutOfTheHistory) {
  Record record({3, 1}, KoRule::Positional, SuicideRule::No);
  const Move left = Move::play(Color::Black, Point::at(0, 0));
  const Move right = Move::play(Color::White, Point::at(2, 0));
  ASSERT_EQ(record.play(left), Refusal::None);
  ASSERT_EQ(record.play(right), Refusal::None);
  ASSERT_TRUE(record.undo());
  ASSERT_TRUE(record.undo());
  EXPECT_EQ(record.play(right), Refusal::None);
  EXPECT_EQ(record.play(left), Refusal::None);
}

TEST(Undo, StopsAtTheSetup) {
  Record record({5, 5}, KoRule::Positional, SuicideRule::No);
  ASSERT_TRUE(record.set_up({{Color::Black, vertex("C3", record.size())}}));
  ASSERT_EQ(record.play(Move::pass(Color::White)), Refusal::None);
  EXPECT_TRUE(record.undo());
  EXPECT_FALSE(record.undo());
  EXPECT_EQ(record.board().stones(), 1);
}

TEST(Edit, SetsAndEmptiesPointsAtAnyTime) {
  Record record({5, 5}, KoRule::Positional, SuicideRule::No);
  const Size size = record.size();
  ASSERT_EQ(record.play(Move::play(Color::Black, vertex("C3", size))), Refusal::None);
  ASSERT_TRUE(record.edit({{vertex("C3", size), Cell::White},
                           {vertex("A1", size), Cell::Black},
                           {vertex("E5", size), Cell::Empty}}));
  EXPECT_EQ(record.board(), tengen::tests::board_of({".....", ".....", "..O..", ".....", "X...."}));
  EXPECT_FALSE(record.undo());
  ASSERT_EQ(record.play(Move::play(Color::White, vertex("A2", size))), Refusal::None);
  EXPECT_TRUE(record.undo());
  EXPECT_FALSE(record.undo());
}

TEST(Edit, RefusesBadListsAndChainsWithoutLiberties) {
  Record record({5, 5}, KoRule::Positional, SuicideRule::No);
  const Point corner = Point::at(0, 0);
  const Board before = record.board();
  EXPECT_FALSE(record.edit({{Point::at(5, 0), Cell::Black}}));
  EXPECT_FALSE(record.edit({{corner, Cell::Black}, {corner, Cell::White}}));
  EXPECT_FALSE(record.edit(
      {{corner, Cell::White}, {Point::at(1, 0), Cell::Black}, {Point::at(0, 1), Cell::Black}}));
  EXPECT_EQ(record.board(), before);
}

// The edited position is in the history, and so are those before the edit.
TEST(Edit, PositionsBeforeAndAfterItMayNotBeRepeated) {
  Record record({3, 1}, KoRule::Positional, SuicideRule::Any);
  const auto play = [&](Color color, int col) {
    return record.play(Move::play(color, Point::at(col, 0)));
  };
  ASSERT_EQ(play(Color::Black, 0), Refusal::None);             // X..
  ASSERT_TRUE(record.edit({{Point::at(0, 0), Cell::Empty}}));  // ...
  EXPECT_EQ(play(Color::Black, 0), Refusal::Superko);          // X.. again
  ASSERT_TRUE(record.edit({{Point::at(1, 0), Cell::White}}));  // .O.
  ASSERT_EQ(play(Color::Black, 0), Refusal::Superko);          // a lone suicide
  ASSERT_EQ(play(Color::White, 0), Refusal::None);             // OO.
  ASSERT_EQ(play(Color::Black, 2), Refusal::None);             // ..X, two taken
  EXPECT_EQ(play(Color::White, 1), Refusal::Superko);          // takes it: .O.
}

TEST(Force, MakesWhatOnlyTheHistoryForbids) {
  Record record({9, 9}, KoRule::Positional, SuicideRule::No);
  ASSERT_TRUE(record.set_up(drawn({".........", ".........", ".........", "..XO.....", ".X.XO....",
                                   "..XO.....", ".........", ".........", "........."})
                                .stones));
  const Size size = record.size();
  ASSERT_EQ(record.play(Move::play(Color::White, vertex("C5", size))), Refusal::None);
  const Move retake = Move::play(Color::Black, vertex("D5", size));
  ASSERT_EQ(record.check(retake), Refusal::Ko);
  EXPECT_EQ(record.force(retake), Refusal::None);
  EXPECT_EQ(record.captured_by(Color::Black), 1);
  EXPECT_EQ(record.force(retake), Refusal::Occupied);
  EXPECT_EQ(record.force(Move::play(Color::Black, Point::at(9, 0))), Refusal::OffBoard);
}

}  // namespace
}  // namespace tengen::rules
