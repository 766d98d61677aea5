#include "rules/record.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <bitset>
#include <optional>
#include <tuple>

#include "rules/score.h"
#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

using tengen::tests::board_of;
using tengen::tests::drawn;
using tengen::tests::vertex;

Record record_of(const std::vector<std::string>& rows, KoRule ko, SuicideRule suicide) {
  Record record(drawn(rows).size, ko, suicide);
  EXPECT_TRUE(record.set_up(drawn(rows).stones));
  return record;
}

Refusal play(Record& record, Color color, std::string_view at) {
  return record.play(Move::play(color, vertex(at, record.size())));
}

TEST(Record, ARefusalChangesNothing) {
  Record record({5, 5}, KoRule::Positional, SuicideRule::No);
  ASSERT_EQ(play(record, Color::Black, "C3"), Refusal::None);
  EXPECT_EQ(play(record, Color::White, "C3"), Refusal::Occupied);
  EXPECT_EQ(record.play(Move::play(Color::White, Point())), Refusal::OffBoard);
  EXPECT_EQ(record.play(Move::play(Color::White, Point::at(5, 0))), Refusal::OffBoard);
  EXPECT_EQ(record.play(Move::play(Color::White, Point(65535))), Refusal::OffBoard);
  EXPECT_EQ(record.moves().size(), 1u);
  EXPECT_EQ(record.board(), board_of({".....", ".....", "..X..", ".....", "....."}));
}

TEST(Record, AnyColourMayMoveAtAnyTimeAndPassesNeverEndIt) {
  Record record({5, 5}, KoRule::Positional, SuicideRule::No);
  EXPECT_EQ(play(record, Color::White, "A1"), Refusal::None);
  EXPECT_EQ(play(record, Color::White, "B1"), Refusal::None);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(record.play(Move::pass(Color::White)), Refusal::None);
  EXPECT_EQ(play(record, Color::Black, "C1"), Refusal::None);
}

TEST(Record, SetupIsAllOrNothing) {
  Record record({3, 3}, KoRule::Positional, SuicideRule::No);
  const Stone corner{Color::Black, Point::at(0, 0)};
  EXPECT_FALSE(record.set_up({corner, {Color::White, Point::at(3, 0)}}));
  EXPECT_FALSE(record.set_up({corner, {Color::White, Point::at(0, 0)}}));
  EXPECT_EQ(record.board().stones(), 0);
  EXPECT_TRUE(record.setup().empty());
  EXPECT_TRUE(record.set_up({corner}));
  EXPECT_FALSE(record.set_up({corner}));
  EXPECT_TRUE(record.set_up({{Color::White, Point::at(1, 0)}}));
  EXPECT_EQ(record.setup().size(), 2u);
}

TEST(Record, SetupIsRefusedAfterAMove) {
  Record record({3, 3}, KoRule::Positional, SuicideRule::No);
  ASSERT_EQ(record.play(Move::pass(Color::Black)), Refusal::None);
  EXPECT_FALSE(record.set_up({{Color::Black, Point::at(0, 0)}}));
}

TEST(Record, AnImmediateRetakeIsKoUnderEveryRule) {
  for (const KoRule ko : {KoRule::Simple, KoRule::Positional, KoRule::Situational}) {
    SCOPED_TRACE(name_of(ko));
    Record record = record_of({".XO.", "X.XO", ".XO.", "...."}, ko, SuicideRule::No);
    ASSERT_EQ(play(record, Color::White, "B3"), Refusal::None);
    EXPECT_EQ(record.ko_ban(), (Stone{Color::Black, vertex("C3", record.size())}));
    EXPECT_EQ(play(record, Color::Black, "C3"), Refusal::Ko);
    EXPECT_EQ(record.captured_by(Color::White), 1);
  }
}

TEST(Record, APassClearsTheKoBanButNotSuperko) {
  const std::pair<KoRule, Refusal> kRules[] = {{KoRule::Simple, Refusal::None},
                                               {KoRule::Positional, Refusal::Superko},
                                               {KoRule::Situational, Refusal::Superko}};
  for (const auto& [ko, expected] : kRules) {
    SCOPED_TRACE(name_of(ko));
    Record record = record_of({".XO.", "XO.O", ".XO.", "...."}, ko, SuicideRule::No);
    ASSERT_EQ(play(record, Color::Black, "C3"), Refusal::None);
    EXPECT_EQ(record.check(Move::play(Color::White, vertex("B3", record.size()))), Refusal::Ko);
    ASSERT_EQ(record.play(Move::pass(Color::White)), Refusal::None);
    ASSERT_EQ(record.play(Move::pass(Color::Black)), Refusal::None);
    EXPECT_FALSE(record.ko_ban());
    EXPECT_EQ(play(record, Color::White, "B3"), expected);
  }
}

TEST(Record, ALoneSuicideIsJudgedByTheSuicideRuleFirst) {
  const std::tuple<SuicideRule, KoRule, Refusal> kRules[] = {
      {SuicideRule::No, KoRule::Positional, Refusal::Suicide},
      {SuicideRule::Multi, KoRule::Positional, Refusal::Suicide},
      {SuicideRule::Any, KoRule::Positional, Refusal::Superko},
      {SuicideRule::Any, KoRule::Situational, Refusal::None},
      {SuicideRule::Any, KoRule::Simple, Refusal::None}};
  for (const auto& [suicide, ko, expected] : kRules) {
    SCOPED_TRACE(std::string(name_of(suicide)) + " " + std::string(name_of(ko)));
    Record record = record_of({".O.", "O..", "..."}, ko, suicide);
    EXPECT_EQ(play(record, Color::Black, "A3"), expected);
  }
}

TEST(Record, ASecondLoneSuicideRepeatsTheSituation) {
  Record record = record_of({".O.", "O..", "..."}, KoRule::Situational, SuicideRule::Any);
  ASSERT_EQ(play(record, Color::Black, "A3"), Refusal::None);
  ASSERT_EQ(record.play(Move::pass(Color::White)), Refusal::None);
  EXPECT_EQ(play(record, Color::Black, "A3"), Refusal::Superko);
}

TEST(Record, SuicidedStonesAreTheOtherSidesPrisoners) {
  Record record = record_of({".XO", "XO.", "O.."}, KoRule::Positional, SuicideRule::Multi);
  ASSERT_EQ(play(record, Color::Black, "A3"), Refusal::None);
  EXPECT_EQ(record.captured_by(Color::White), 3);
  EXPECT_EQ(record.captured_by(Color::Black), 0);
  EXPECT_EQ(record.taken().size(), 3u);
}

TEST(Record, ASuicideMayNotRepeatThePositionEither) {
  // On 2x1 black fills both points and is gone: the board is empty again, as at the start.
  Record record({2, 1}, KoRule::Positional, SuicideRule::Multi);
  ASSERT_EQ(play(record, Color::Black, "A1"), Refusal::None);
  EXPECT_EQ(play(record, Color::Black, "B1"), Refusal::Superko);
}

TEST(Record, TheStartPositionIsASituationOfTheSideThatDidNotMoveFirst) {
  // White empties the board after black moved first: black is to move on an empty board again.
  Record white_last({2, 1}, KoRule::Situational, SuicideRule::Multi);
  ASSERT_EQ(white_last.play(Move::pass(Color::Black)), Refusal::None);
  ASSERT_EQ(play(white_last, Color::White, "A1"), Refusal::None);
  EXPECT_EQ(play(white_last, Color::White, "B1"), Refusal::Superko);
  // When black empties it, white is to move there for the first time.
  Record black_last({2, 1}, KoRule::Situational, SuicideRule::Multi);
  ASSERT_EQ(play(black_last, Color::Black, "A1"), Refusal::None);
  EXPECT_EQ(play(black_last, Color::Black, "B1"), Refusal::None);
}

TEST(Record, ManyPassesStayCheap) {
  Record record({9, 9}, KoRule::Situational, SuicideRule::No);
  Color color = Color::Black;
  for (int i = 0; i < 200'000; ++i, color = other(color)) {
    ASSERT_EQ(record.play(Move::pass(color)), Refusal::None);
  }
  EXPECT_EQ(record.legal_points(Color::Black).size(), 81u);
}

/// Points in the right half of a 19x19 board whose black stones have hashes that XOR to `target`.
std::vector<Point> points_that_hash_to(std::uint64_t target) {
  constexpr std::size_t kFree = 190;
  struct Row {
    std::uint64_t hash = 0;
    std::bitset<kFree> points;
  };
  std::array<Row, 64> basis;
  const auto reduce = [&basis](Row row) {
    for (int bit = 63; bit >= 0; --bit) {
      const Row& base = basis[static_cast<std::size_t>(bit)];
      if ((row.hash >> bit & 1u) == 0 || base.hash == 0) continue;
      row.hash ^= base.hash;
      row.points ^= base.points;
    }
    return row;
  };
  const auto point_of = [](std::size_t i) {
    return Point::at(static_cast<int>(9 + i % 10), static_cast<int>(i / 10));
  };
  for (std::size_t i = 0; i < kFree; ++i) {
    Board board({19, 19});
    board.place({Color::Black, point_of(i)});
    Row row{board.hash(), {}};
    row.points.set(i);
    row = reduce(row);
    if (row.hash == 0) continue;
    basis[static_cast<std::size_t>(63 - std::countl_zero(row.hash))] = row;
  }
  const Row solved = reduce({target, {}});
  EXPECT_EQ(solved.hash, 0u);
  std::vector<Point> points;
  for (std::size_t i = 0; i < kFree; ++i) {
    if (solved.points.test(i)) points.push_back(point_of(i));
  }
  return points;
}

// A real collision of the 64-bit hash: black retakes D4 on a board that hashes to 0 like the empty
// start position, because the other black stones were chosen by linear algebra to make it so.
TEST(Record, ABoardThatOnlyHashesLikeAnEarlierOneIsNoRepetition) {
  Record record({19, 19}, KoRule::Positional, SuicideRule::No);
  ASSERT_EQ(play(record, Color::Black, "D4"), Refusal::None);
  for (const std::string_view at : {"C4", "E4", "D3", "D5"}) {
    ASSERT_EQ(play(record, Color::White, at), Refusal::None);
  }
  for (const std::string_view at : {"B4", "C3", "C5"}) {
    ASSERT_EQ(play(record, Color::Black, at), Refusal::None);
  }
  const Point last = vertex("D4", record.size());
  const std::uint64_t target = record.board().preview(Color::Black, last).hash;
  for (const Point point : points_that_hash_to(target)) {
    ASSERT_EQ(record.play(Move::play(Color::Black, point)), Refusal::None);
  }
  ASSERT_EQ(record.board().preview(Color::Black, last).hash, Board(record.size()).hash());
  EXPECT_EQ(record.play(Move::play(Color::Black, last)), Refusal::None);
  EXPECT_EQ(record.taken(), std::vector<Point>{vertex("C4", record.size())});
}

// A game of GNU Go 3.8 against itself. By area as it stands black has 31 stones and 9 points, white
// 31 and 8; G8 and J9 are nobody's.
constexpr std::string_view kExampleGame =
    "fd cg fg gc gd fc ec eb dc db cc eh fh hd he hc dh ch dg df eg be fe ie if id cb hf ge di ei "
    "ci "
    "hh ig bd ce de cd bc ad ac ae da fa dd ef hg ih gf if ee hi gi ii ca cf ea fb hb ib ha ga ff "
    "bg";

TEST(Record, TheExampleGameEndsFortyToThirtyNine) {
  Record record({9, 9}, KoRule::Positional, SuicideRule::No);
  Color color = Color::Black;
  for (std::size_t i = 0; i < kExampleGame.size(); i += 3, color = other(color)) {
    const auto point = parse_sgf_point(kExampleGame.substr(i, 2), record.size());
    ASSERT_EQ(record.play(Move::play(color, point.value())), Refusal::None);
  }
  EXPECT_EQ(record.board().stones(), 62);
  EXPECT_EQ(area(record.board()), (Area{40, 39}));
}

}  // namespace
}  // namespace tengen::rules
