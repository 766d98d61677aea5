#include "rules/board.h"

#include <gtest/gtest.h>

#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

using tengen::tests::board_of;
using tengen::tests::vertex;

std::vector<Point> vertices(std::initializer_list<std::string_view> names, Size size) {
  std::vector<Point> points;
  for (const std::string_view name : names) points.push_back(vertex(name, size));
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<Point> play(Board& board, Color color, std::string_view at) {
  std::vector<Point> taken;
  board.play(color, vertex(at, board.size()), taken);
  std::sort(taken.begin(), taken.end());
  return taken;
}

TEST(Board, IsDrawnFromTheTop) {
  Board board({4, 2});
  play(board, Color::Black, "A2");
  play(board, Color::White, "D1");
  EXPECT_EQ(board.to_text(), "X...\n...O\n");
  EXPECT_EQ(board.stones(), 2);
}

TEST(Board, LibertiesSharedByTwoStonesOfAChainCountOnce) {
  // The black chain C3 C4 D3 has liberties B3 B4 C2 C5 D2 D4 E3; D4 touches two of its stones.
  const Board board = board_of({".....", "..X..", "..XX.", ".....", "....."});
  const Point stone = vertex("C3", board.size());
  EXPECT_EQ(board.liberties(stone), 7);
  EXPECT_EQ(board.chain_size(stone), 3);
  EXPECT_EQ(board.chain_liberties(stone),
            vertices({"B3", "B4", "C2", "C5", "D2", "D4", "E3"}, board.size()));
}

TEST(Board, AChainIsNamedByItsLowestPoint) {
  const Board board = board_of({"..X", "XXX", "X.."});
  for (const Point stone : vertices({"C3", "A2", "B2", "C2", "A1"}, board.size())) {
    EXPECT_EQ(board.chain_id(stone), vertex("C3", board.size()));
    EXPECT_EQ(board.chain(stone), vertices({"C3", "A2", "B2", "C2", "A1"}, board.size()));
  }
}

TEST(Board, AStoneThatJoinsFourChainsCountsTheirLibertiesOnce) {
  Board board = board_of({".....", "..X..", ".X.X.", "..X..", "....."});
  play(board, Color::Black, "C3");
  const Point centre = vertex("C3", board.size());
  EXPECT_EQ(board.chain_size(centre), 5);
  // B4 D4 B2 D2 each touch two stones; C5 A3 E3 C1 touch one.
  EXPECT_EQ(board.liberties(centre), 8);
}

TEST(Board, ACapturedChainGivesItsPointsBackAsLiberties) {
  Board board = board_of({"OOX..", "XX...", "....."});
  EXPECT_EQ(play(board, Color::White, "E1"), std::vector<Point>{});
  board = board_of({"OO...", "XX...", "....."});
  EXPECT_EQ(play(board, Color::Black, "C3"), vertices({"A3", "B3"}, board.size()));
  EXPECT_EQ(board.to_text(), "..X..\nXX...\n.....\n");
  EXPECT_EQ(board.liberties(vertex("A2", board.size())), 5);
  EXPECT_EQ(board.liberties(vertex("C3", board.size())), 3);
}

TEST(Board, CaptureComesBeforeOwnSuicide) {
  Board board = board_of({".OX", "OX.", "X.."});
  const Board::Outcome outcome = board.preview(Color::Black, vertex("A3", board.size()));
  EXPECT_EQ(outcome.captured, 2);
  EXPECT_EQ(outcome.suicided, 0);
  EXPECT_EQ(play(board, Color::Black, "A3"), vertices({"B3", "A2"}, board.size()));
}

TEST(Board, SuicideTakesTheWholeChain) {
  Board board = board_of({".XO", "XO.", "O.."});
  EXPECT_EQ(board.preview(Color::Black, vertex("A3", board.size())).suicided, 3);
  EXPECT_EQ(play(board, Color::Black, "A3"), vertices({"A3", "B3", "A2"}, board.size()));
  EXPECT_EQ(board.to_text(), "..O\n.O.\nO..\n");
}

TEST(Board, HashIsThatOfTheStonesAloneHoweverTheyCame) {
  Board played({3, 3});
  play(played, Color::Black, "A3");
  play(played, Color::White, "B3");
  play(played, Color::White, "A2");  // takes A3
  EXPECT_EQ(played.hash(), board_of({".O.", "O..", "..."}).hash());
  EXPECT_NE(played.hash(), board_of({".X.", "O..", "..."}).hash());
  played.remove(vertices({"B3", "A2"}, played.size()));
  EXPECT_EQ(played.hash(), 0u);
}

TEST(Board, RemovalSplitsChainsAndCountsAgain) {
  Board board = board_of({"XXX", "O.O", "..."});
  board.remove(vertices({"B3", "B2"}, board.size()));
  EXPECT_EQ(board, board_of({"X.X", "O.O", "..."}));
  EXPECT_EQ(board.chain_size(vertex("A3", board.size())), 1);
  EXPECT_EQ(board.liberties(vertex("A3", board.size())), 1);
  EXPECT_EQ(board.stones(), 4);
}

TEST(Board, SetupRemovesNothing) {
  const Board board = board_of({"XO", "O."});
  EXPECT_EQ(board.liberties(vertex("A2", board.size())), 0);
  EXPECT_EQ(board.to_text(), "XO\nO.\n");
}

TEST(Board, SixHundredAndTwentyFourStonesAreTakenAtOnce) {
  std::vector<std::string> rows(25, std::string(25, 'O'));
  rows[24][24] = '.';
  Board board = board_of(rows);
  EXPECT_EQ(board.chain_size(Point::at(0, 0)), 624);
  EXPECT_EQ(board.liberties(Point::at(0, 0)), 1);
  const Point corner = Point::at(24, 24);
  EXPECT_EQ(board.preview(Color::Black, corner).captured, 624);
  EXPECT_EQ(board.preview(Color::White, corner).suicided, 625);
  EXPECT_EQ(board.preview(Color::White, corner).hash, 0u);
  EXPECT_EQ(play(board, Color::Black, "Z1").size(), 624u);
  EXPECT_EQ(board.stones(), 1);
  EXPECT_EQ(board.liberties(corner), 2);
}

}  // namespace
}  // namespace tengen::rules
