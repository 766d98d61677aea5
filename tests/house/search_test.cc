// The house engine's moves on small drawn positions whose best move is derived by hand, and its
// promises everywhere: legal, reproducible, done in bounded time.
#include "clients/house/search.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "clients/house/random.h"
#include "rules/score.h"
#include "tests/support/drawn_board.h"

namespace tengen::house {
namespace {

using rules::Color;
using rules::KoRule;
using rules::Move;
using rules::Record;
using rules::Refusal;
using rules::Scoring;
using rules::SuicideRule;
using tengen::tests::drawn;
using tengen::tests::vertex;
using Rows = std::vector<std::string>;

constexpr Color kColors[] = {Color::Black, Color::White};

Record record_of(const Rows& rows, KoRule ko = KoRule::Positional) {
  Record record(drawn(rows).size, ko, SuicideRule::No);
  EXPECT_TRUE(record.set_up(drawn(rows).stones));
  return record;
}

std::string text_of(const Move& move, const Record& record) {
  return move.is_pass() ? "pass" : rules::gtp_vertex(*move.point, record.size());
}

std::string answer(const SearchTask& task) { return text_of(search(task).move, task.record); }

/// Lets the engine clean up against an opponent who only passes; how many stones it played.
int clean_up(Record& record, Color color) {
  SearchTask task{.record = record, .color = color, .playouts = 1000, .aim = Aim::Cleanup};
  for (int plays = 0; plays < record.size().area(); ++plays) {
    task.seed = static_cast<std::uint64_t>(plays);
    const Move move = search(task).move;
    EXPECT_EQ(record.play(move), Refusal::None);
    EXPECT_EQ(record.play(Move::pass(other(color))), Refusal::None);
    if (move.is_pass()) return plays;
  }
  return record.size().area();
}

// Four white stones and the five black ones above them have one liberty, E1, and it is the same:
// who plays there takes the other. Black then has 10 points to 15, white has 25.
TEST(Search, TakesTheChainInAtariThatDecidesTheGame) {
  const Record record = record_of({"O.O.O",  //
                                   "OOOOO",  //
                                   "OOOOO",  //
                                   "XXXXX",  //
                                   "OOOO."});
  for (const Color color : kColors) {
    EXPECT_EQ(answer({.record = record, .color = color, .white_extra_half = -13}), "E1");
  }
}

// Black's five stones on the fourth line have one liberty, D5, beside black's living stones. Saved,
// black has 20 points to 29; lost, 14 to 35. White gives 9.5 points.
TEST(Search, SavesItsOwnChainOrTakesTheOthers) {
  const Record record = record_of({".X.X.X.",  //
                                   "XXXXXXX",  //
                                   "OOO.OOO",  //
                                   "OXXXXXO",  //
                                   "OOOOOOO",  //
                                   "OOOOOOO",  //
                                   ".O.O.O."});
  for (const Color color : kColors) {
    EXPECT_EQ(answer({.record = record, .color = color, .white_extra_half = -19}), "D5");
  }
}

// White's only eye space is A7 B7 C7. A white stone in the middle makes two eyes, a black one
// leaves a single eye however white goes on. Alive white has 8 points to 41, and gets 40.5.
TEST(Search, PlaysTheMiddleOfThreeToLiveAndToKill) {
  const Record record = record_of({"...OX.X",  //
                                   "OOOOXXX",  //
                                   "XXXXXXX",  //
                                   "X.X.X.X",  //
                                   "XXXXXXX",  //
                                   "X.X.X.X",  //
                                   "XXXXXXX"});
  for (const Color color : kColors) {
    EXPECT_EQ(answer({.record = record, .color = color, .white_extra_half = 81}), "B7");
  }
}

TEST(Search, FillsNoEyeOfItsOwn) {
  const Record record = record_of({".XO.O",  //
                                   "XXOOO",  //
                                   "XXOOO",  //
                                   "XXOOO",  //
                                   ".XO.O"});
  for (const Color color : kColors) {
    for (const Aim aim : {Aim::Play, Aim::Cleanup}) {
      EXPECT_EQ(answer({.record = record, .color = color, .playouts = 200, .aim = aim}), "pass");
    }
  }
}

// Both chains in the corner have the liberties A2 and C2 and no other; who fills one is taken.
TEST(Search, LeavesASekiAlone) {
  const Record record = record_of({".O.O.O.O",  //
                                   "OOOOOOOO",  //
                                   "OOOOOOOO",  //
                                   "XXXXXXOO",  //
                                   ".O.OOXOO",  //
                                   "OOOOOXO."});
  for (const Color color : kColors) {
    for (const Aim aim : {Aim::Play, Aim::Cleanup}) {
      EXPECT_EQ(answer({.record = record, .color = color, .aim = aim}), "pass");
    }
  }
}

// Neither side has room for a living group of the other. 21 points each.
const Rows kWallRows = {"..XO..", ".XXOO.", "..XO..", ".XXOO.", "..XO..", ".XXOO.", "..XO.."};

TEST(Search, PassesWhenTheBordersAreClosed) {
  for (const Color color : kColors) {
    for (const Scoring scoring : {Scoring::Area, Scoring::Territory}) {
      const Record record = record_of(kWallRows);
      EXPECT_EQ(answer({.record = record, .color = color, .scoring = scoring}), "pass");
    }
  }
}

// D4 is the only point that both colours touch.
TEST(Search, TakesTheLastNeutralPointUnderArea) {
  Rows rows(7, "..XOO.");
  rows[3] = "..X.O.";
  const Record record = record_of(rows);
  for (const Color color : kColors) {
    EXPECT_EQ(answer({.record = record, .color = color}), "D4");
  }
}

// White wins by 21 + 7.5 to 21 as the board stands, white's stone at A1 counted as lost.
TEST(Search, AnswersAPassWithAPassWhenThatWins) {
  Rows rows = kWallRows;
  rows[6] = "O.XO..";
  Record record = record_of(rows);
  ASSERT_EQ(record.play(Move::pass(Color::Black)), Refusal::None);
  EXPECT_EQ(answer({.record = record, .color = Color::White}), "pass");
}

// One stone of each colour stands hopelessly in the other's area. When they are gone the count with
// all stones alive is the count with them lifted.
TEST(Search, CleansUpDeadStonesThenPasses) {
  Rows rows = kWallRows;
  rows[2] = "O.XO..";
  rows[4] = "..XO.X";
  for (const Color first : kColors) {
    Record record = record_of(rows);
    EXPECT_GT(clean_up(record, first), 0);
    EXPECT_GT(clean_up(record, other(first)), 0);
    EXPECT_EQ(rules::area(record.board()), (rules::Area{21, 21}));
  }
}

TEST(Search, PlaysNothingInACleanupWithoutDeadStones) {
  for (const Color color : kColors) {
    Record record = record_of(kWallRows);
    EXPECT_EQ(clean_up(record, color), 0);
  }
}

TEST(Search, SameSeedSameMove) {
  const Record record({9, 9}, KoRule::Positional, SuicideRule::No);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const SearchTask task{.record = record, .playouts = 300, .seed = seed};
    const SearchResult one = search(task);
    const SearchResult two = search(task);
    EXPECT_EQ(one.move, two.move);
    EXPECT_EQ(one.win_rate, two.win_rate);
    EXPECT_GE(one.playouts, 300);
  }
}

// Positions case ko-05: white took the ko and both passed, so the simple ko is over, but C3 would
// bring back the start position.
TEST(Search, ObeysSuperko) {
  for (const KoRule ko : {KoRule::Positional, KoRule::Simple}) {
    Record record = record_of({".....",  //
                               ".XO..",  //
                               "X.XO.",  //
                               ".XO..",  //
                               "....."},
                              ko);
    const auto at = [&](std::string_view name) { return vertex(name, record.size()); };
    ASSERT_EQ(record.play(Move::play(Color::White, at("B3"))), Refusal::None);
    ASSERT_EQ(record.play(Move::pass(Color::Black)), Refusal::None);
    ASSERT_EQ(record.play(Move::pass(Color::White)), Refusal::None);
    int retakes = 0;  // by the side that would like to
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Move move = search({.record = record, .color = Color::Black, .seed = seed}).move;
      EXPECT_EQ(record.check(move), Refusal::None);
      if (text_of(move, record) == "C3") ++retakes;
    }
    EXPECT_EQ(retakes > 0, ko == KoRule::Simple);
  }
}

/// A game of the engine against itself by tiny searches, from an arbitrary seed: colours in any
/// order, both aims, both ways of scoring. False at the first illegal move.
bool plays_legally(rules::Size size, KoRule ko, SuicideRule suicide, std::uint64_t seed,
                   int moves) {
  Record record(size, ko, suicide);
  Random random(seed);
  for (int i = 0; i < moves; ++i) {
    SearchTask task{.record = record, .playouts = 1 + static_cast<int>(random.below(20))};
    task.color = random.chance(1, 2) ? Color::Black : Color::White;
    task.scoring = random.chance(1, 2) ? Scoring::Area : Scoring::Territory;
    task.aim = random.chance(1, 2) ? Aim::Play : Aim::Cleanup;
    task.seed = random.below(1000);
    if (record.play(search(task).move) != Refusal::None) return false;
  }
  return true;
}

TEST(Search, IsLegalOnEverySizeUnderEveryRuleForEitherColourAtAnyTime) {
  constexpr rules::Size kSizes[] = {{1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 7}, {4, 4}, {7, 5}};
  constexpr SuicideRule kSuicides[] = {SuicideRule::No, SuicideRule::Multi, SuicideRule::Any};
  std::uint64_t seed = 0;
  for (const rules::Size size : kSizes) {
    for (const KoRule ko : {KoRule::Simple, KoRule::Positional, KoRule::Situational}) {
      const SuicideRule suicide = kSuicides[++seed % 3];
      EXPECT_TRUE(plays_legally(size, ko, suicide, seed, 2 * size.area())) << seed;
    }
  }
}

TEST(Search, IsLegalOnTheLargestBoard) {
  EXPECT_TRUE(plays_legally({25, 25}, KoRule::Positional, SuicideRule::No, 1, 40));
}

TEST(Search, AsksForNoMorePlayoutsOnAnyBoardThanOn9x9) {
  EXPECT_EQ(default_playouts({1, 1}), default_playouts({9, 9}));
  EXPECT_LE(default_playouts({19, 19}), default_playouts({9, 9}));
  EXPECT_LT(default_playouts({25, 25}), default_playouts({19, 19}));
}

}  // namespace
}  // namespace tengen::house
