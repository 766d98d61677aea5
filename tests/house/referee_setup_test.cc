// The referee's board, komi, rules, handicap, files and time. Expected values are those of GTP 2
// and of the cases named.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/house/referee.h"
#include "tests/house/house_rig.h"

namespace tengen::house {
namespace {

using rules::Size;

TEST(Referee, BoardSizesAre1To25EachWayAndClearTheBoard) {
  HouseRig rig;
  for (const char* size : {"0", "26", "1000000000000"}) {
    EXPECT_EQ(rig.ask("boardsize " + std::string(size)), "? unacceptable size");
  }
  for (const char* size : {"x", "-9", "9.5", "9x9"}) {
    EXPECT_EQ(rig.ask("boardsize " + std::string(size)), "? syntax error");
  }
  run(rig, {"play b d4", "boardsize 19"});
  EXPECT_EQ(rig.ask("list_stones b"), "=");
  EXPECT_EQ(rig.ask("undo"), "? cannot undo");
  run(rig, {"rectangular_boardsize 25 2", "play b Z1", "play w A2"});
  EXPECT_EQ(rig.ask("list_stones b"), "= Z1");
  EXPECT_EQ(rig.ask("rectangular_boardsize 25 26"), "? unacceptable size");
  EXPECT_EQ(rig.ask("list_stones b"), "= Z1");
}

TEST(Referee, RulesForOneSizeKeepIt) {
  HouseRig rig(quick_options("go-chinese-19-0.3"));
  EXPECT_EQ(rig.ask("boardsize 9"), "? unacceptable size");
  EXPECT_EQ(rig.ask("boardsize 19"), "=");
  HouseRig other;
  run(other, {"boardsize 9"});
  EXPECT_EQ(other.ask("tengen-rules go-chinese-19-0.3"), "? unacceptable size");
}

TEST(Referee, KomiIsAMultipleOfAHalf) {
  HouseRig rig;
  const std::pair<const char*, const char*> kScores[] = {
      {"7.5", "= W+7.5"}, {"7.50", "= W+7.5"}, {"0", "= 0"}, {"-3", "= B+3"}, {"400", "= W+400"}};
  for (const auto& [komi, score] : kScores) {
    EXPECT_EQ(rig.ask("komi " + std::string(komi)), "=");
    EXPECT_EQ(rig.ask("final_score"), score);
  }
  for (const char* komi : {"6,5", "6.25", "x", "inf", "nan", "1e3", "400.5", "7.5x"}) {
    EXPECT_EQ(rig.ask("komi " + std::string(komi)), "? syntax error") << komi;
  }
  EXPECT_EQ(rig.ask("final_score"), "= W+400");
}

TEST(Referee, FixedHandicapsAreThoseOfTheTable) {
  std::ifstream file(TENGEN_TESTS_DIR "/data/rules/handicap.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto sizes = boost::json::parse(text).at("vertices").as_object();
  HouseRig rig;
  for (int size = 1; size <= rules::kMaxSize; ++size) {
    const auto* rows = sizes.if_contains(std::to_string(size));
    for (int stones = 0; stones <= 10; ++stones) {
      run(rig, {"boardsize " + std::to_string(size)});
      const std::string answer = rig.ask("fixed_handicap " + std::to_string(stones));
      const auto* row =
          rows == nullptr ? nullptr : rows->as_object().if_contains(std::to_string(stones));
      if (row == nullptr) {
        EXPECT_EQ(answer, "? invalid number of stones") << size << ": " << stones;
        continue;
      }
      std::vector<std::string> expected;
      for (const auto& name : row->as_array()) expected.emplace_back(name.as_string());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(sorted_words(answer), expected) << size;
      EXPECT_EQ(sorted_words(rig.ask("list_stones b")), expected) << size;
    }
  }
}

TEST(Referee, AHandicapNeedsAnEmptyBoardAndANumber) {
  HouseRig rig;
  for (const char* command : {"fixed_handicap", "place_free_handicap"}) {
    const std::string name(command);
    run(rig, {"boardsize 9"});
    EXPECT_EQ(rig.ask(name + " x"), "? syntax error");
    EXPECT_EQ(rig.ask(name + " 1"), "? invalid number of stones");
    EXPECT_EQ(rig.ask(name + " 81"), "? invalid number of stones");
    EXPECT_EQ(rig.ask(name + " 99999999999999"), "? invalid number of stones");
    run(rig, {"play b e5"});
    EXPECT_EQ(rig.ask(name + " 2"), "? board not empty");
  }
  EXPECT_EQ(rig.ask("set_free_handicap a1 b1"), "? board not empty");
}

TEST(Referee, AFreeHandicapHasAsManyStonesAsAskedOnAnyBoard) {
  HouseRig rig;
  for (const Size size : {Size{19, 19}, Size{9, 9}, Size{6, 6}, Size{25, 1}, Size{13, 7}}) {
    for (const int stones : {2, 5, 10, size.area() - 1}) {
      run(rig, {"rectangular_boardsize " + std::to_string(size.width) + " " +
                std::to_string(size.height)});
      const auto words = sorted_words(rig.ask("place_free_handicap " + std::to_string(stones)));
      EXPECT_EQ(std::set(words.begin(), words.end()).size(), static_cast<std::size_t>(stones));
      EXPECT_EQ(sorted_words(rig.ask("list_stones b")), words);
    }
  }
  run(rig, {"boardsize 19"});
  EXPECT_EQ(rig.ask("place_free_handicap 4"), "= D4 Q16 D16 Q4");
}

// The limits are GTP's; that a refused list leaves nothing behind is where GNU Go differs.
TEST(Referee, ABadListOfHandicapStonesPlacesNone) {
  HouseRig rig;
  run(rig, {"boardsize 3"});
  for (const char* list : {"", " a1", " a1 a1", " a1 b2 pass", " a1 b2 z9", " a1 b2 d4", " a1 b2 x",
                           " a1 a2 a3 b1 b2 b3 c1 c2 c3"}) {
    EXPECT_EQ(rig.ask("set_free_handicap" + std::string(list)), "? bad vertex list") << list;
    EXPECT_EQ(rig.ask("list_stones b"), "=") << list;
  }
  run(rig, {"set_free_handicap a1 a2 a3 b1 b2 b3 c1 c2"});
  EXPECT_EQ(rig.ask("undo"), "? cannot undo");
  EXPECT_EQ(rig.ask("set_free_handicap a1 a2"), "? board not empty");
}

// The board is empty under area: komi and the bonus are left. Bonus: chinese n, aga n - 1.
TEST(Referee, WhiteGetsTheBonusOfTheRules) {
  const std::pair<const char*, const char*> kScores[] = {{"chinese", "= B+70.5"},
                                                         {"aga", "= B+71.5"},
                                                         {"new-zealand", "= B+74"},
                                                         {"tromp-taylor", "= B+73.5"}};
  for (const auto& [rules, score] : kScores) {
    HouseRig rig(quick_options(std::string(rules) + ",end=all-alive"));
    run(rig, {"boardsize 9", "fixed_handicap 3"});
    EXPECT_EQ(rig.ask("final_score"), score) << rules;
  }
}

TEST(Referee, RulesChangeInTheMiddleOnlyIfTheyAllowTheMoves) {
  HouseRig rig(quick_options("tromp-taylor"));
  // Black fills both points of a corner that white surrounds: suicide of two stones. White's move
  // between keeps the board from repeating.
  run(rig, {"boardsize 5", "play w a3", "play w b2", "play w b1", "play b a1", "play w e5",
            "play b a2"});
  EXPECT_EQ(rig.ask("captures w"), "= 2");
  EXPECT_EQ(rig.ask("tengen-rules chinese"), "? a move made is illegal by these rules");
  EXPECT_EQ(rig.ask("kgs-rules japanese"), "? a move made is illegal by these rules");
  EXPECT_EQ(rig.ask("tengen-rules"),
            "= ko=positional,suicide=any,scoring=area,bonus=none,end=all-alive");
  run(rig, {"kgs-rules new_zealand"});
  EXPECT_EQ(rig.ask("tengen-rules"),
            "= ko=situational,suicide=any,scoring=area,bonus=none,end=compare-lists");
  EXPECT_EQ(rig.ask("captures w"), "= 2");
  run(rig, {"undo", "tengen-rules chinese"});
  EXPECT_EQ(rig.ask("play b a2"), "? illegal move: suicide");
}

TEST(Referee, RulesThatDoNotExistAreNamed) {
  HouseRig rig;
  EXPECT_EQ(rig.ask("kgs-rules korean"), "? syntax error");
  EXPECT_EQ(rig.ask("tengen-rules ing").substr(0, 27), "? 'ing' are not known rules");
  run(rig, {"kgs-rules aga", "kgs-rules chinese", "kgs-rules japanese"});
}

TEST(Referee, TimeCommandsTakeNumbers) {
  HouseRig rig;
  run(rig, {"time_settings 0 1 0", "time_settings 300 10 25", "time_left b 12 0",
            "time_left white 99999999999999 3", "kgs-time_settings none",
            "kgs-time_settings absolute 60", "kgs-time_settings byoyomi 60 10 5",
            "kgs-time_settings canadian 60 300 25"});
  for (const char* command :
       {"time_settings x 1 1", "time_settings 1 -1 1", "time_left x 1 1", "time_left b x 0",
        "kgs-time_settings", "kgs-time_settings none 5", "kgs-time_settings byoyomi 60 10",
        "kgs-time_settings fischer 60 10", "kgs-time_settings absolute x"}) {
    EXPECT_EQ(rig.ask(command), "? syntax error") << command;
  }
}

TEST(Referee, AGameIsLoadedUpToTheMoveBefore) {
  HouseRig rig;
  rig.add_file("game.sgf", "(;GM[1]SZ[9]KM[3.5]AB[cc][gg];W[ee];B[];W[ef](;B[aa];AW[bb])(;B[bb]))");
  rig.add_file("bad.sgf", "(;SZ[9];B[ee];W[ee])");
  rig.add_file("no.sgf", "hello");
  rig.add_file("big.sgf", "(;SZ[26];B[ee])");
  rig.add_file("off.sgf", "(;SZ[9];B[ee];W[zz])");
  EXPECT_EQ(rig.ask("loadsgf game.sgf"), "=");
  EXPECT_EQ(rig.ask("list_stones b"), "= A9 C7 G3");
  EXPECT_EQ(rig.ask("list_stones w"), "= B8 E5 E4");
  EXPECT_EQ(rig.ask("move_history"), "= black A9\nwhite E4\nblack pass\nwhite E5");
  EXPECT_EQ(rig.ask("undo"), "? cannot undo");  // the setup after the last move stands in the way
  for (const char* command : {"loadsgf bad.sgf", "loadsgf no.sgf", "loadsgf big.sgf",
                              "loadsgf off.sgf", "loadsgf missing.sgf"}) {
    EXPECT_EQ(rig.ask(command), "? cannot load file") << command;
  }
  EXPECT_EQ(rig.ask("loadsgf game.sgf x"), "? syntax error");
  EXPECT_EQ(rig.ask("last_move"), "= black A9");
  run(rig, {"loadsgf game.sgf 4"});
  EXPECT_EQ(rig.ask("move_history"), "= white E4\nblack pass\nwhite E5");
  run(rig, {"loadsgf game.sgf 1"});
  EXPECT_EQ(rig.ask("last_move"), "? no previous move known");
  EXPECT_EQ(rig.ask("undo"), "? cannot undo");
  run(rig, {"loadsgf bad.sgf 2", "tengen-rules chinese,end=all-alive", "loadsgf game.sgf 1"});
  EXPECT_EQ(rig.ask("final_score"), "= B+75.5");  // komi 3.5 and two points for two stones
}

TEST(Referee, RulesChangeUnderALoadedGameWithSetupInTheMiddle) {
  HouseRig rig;
  rig.add_file("edits.sgf", "(;SZ[9]AB[aa];B[ee];AE[ee]AW[dd];W[ff])");
  run(rig, {"loadsgf edits.sgf", "tengen-rules japanese"});
  EXPECT_EQ(rig.ask("list_stones w"), "= D6 F4");
  EXPECT_EQ(rig.ask("list_stones b"), "= A9");
  run(rig, {"undo"});
  EXPECT_EQ(rig.ask("undo"), "? cannot undo");
}

TEST(Referee, AGameHasALimitOfMoves) {
  HouseOptions options = quick_options();
  options.limits.moves = 3;
  HouseRig rig(options);
  rig.add_file("long.sgf", "(;SZ[9];B[];W[];B[];W[])");
  run(rig, {"boardsize 9", "play b pass", "play w pass", "genmove b"});
  EXPECT_EQ(rig.ask("play w pass"), "? too many moves");
  EXPECT_EQ(rig.ask("genmove w"), "? too many moves");
  run(rig, {"undo", "play b pass"});
  EXPECT_EQ(rig.ask("loadsgf long.sgf"), "? cannot load file");
  run(rig, {"loadsgf long.sgf 4"});
}

}  // namespace
}  // namespace tengen::house
