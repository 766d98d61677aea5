// The referee: moves, history, score and the engine. Expected values are those of GTP 2 and of the
// cases named; where GNU Go 3.8 is followed instead, its answers were taken from a run of it.
#include "clients/house/referee.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/house/house_rig.h"

namespace tengen::house {
namespace {

TEST(Referee, EveryListedCommandIsKnownAndNoOther) {
  HouseRig rig;
  const auto names = sorted_words(rig.ask("list_commands"));
  // GTP 2's required commands, and what KGS and tournament controllers ask for.
  for (const char* name : {"protocol_version",
                           "name",
                           "version",
                           "known_command",
                           "list_commands",
                           "quit",
                           "boardsize",
                           "clear_board",
                           "komi",
                           "play",
                           "genmove",
                           "undo",
                           "time_settings",
                           "time_left",
                           "fixed_handicap",
                           "place_free_handicap",
                           "set_free_handicap",
                           "loadsgf",
                           "reg_genmove",
                           "showboard",
                           "final_score",
                           "final_status_list",
                           "kgs-genmove_cleanup",
                           "kgs-game_over",
                           "kgs-rules",
                           "kgs-time_settings",
                           "rectangular_boardsize",
                           "list_stones",
                           "captures"}) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
  for (const std::string& name : names) EXPECT_EQ(rig.ask("known_command " + name), "= true");
  EXPECT_EQ(rig.ask("known_command stop"), "= false");
  EXPECT_EQ(rig.ask("stop"), "? unknown command");
  EXPECT_EQ(rig.ask("NAME"), "? unknown command");
}

TEST(Referee, ArgumentsThatAreMissingOrTooManyAreSyntaxErrors) {
  HouseRig rig;
  for (const char* command :
       {"play", "play b", "play b d4 d5", "genmove", "genmove b w", "boardsize", "boardsize 9 13",
        "rectangular_boardsize 9", "komi", "komi 6 5", "known_command", "loadsgf", "time_left b 1",
        "time_settings 1 2", "name x", "undo 2", "kgs-time_settings"}) {
    EXPECT_EQ(rig.ask(command), "? syntax error") << command;
  }
}

TEST(Referee, APlayIsReadInAnyCaseAndRefusedWithItsReason) {
  HouseRig rig;
  run(rig, {"boardsize 9", "play Black d4", "play WHITE D5", "play b PASS", "play b pass"});
  for (const char* command : {"play b resign", "play x d4", "play b i5", "play b z26", "play b a0",
                              "play b d", "play b 44", "play b d4x", "play b d04"}) {
    EXPECT_EQ(rig.ask(command), "? syntax error") << command;
  }
  EXPECT_EQ(rig.ask("play b d5"), "? illegal move: occupied");
  EXPECT_EQ(rig.ask("play b k1"), "? illegal move: off-board");
  EXPECT_EQ(rig.ask("play b a10"), "? illegal move: off-board");
  EXPECT_EQ(rig.ask("play b z25"), "? illegal move: off-board");
  EXPECT_EQ(rig.ask("move_history"), "= black pass\nblack pass\nwhite D5\nblack D4");
}

TEST(Referee, SuicideAndKoAreNamed) {
  HouseRig rig;
  run(rig, {"boardsize 5", "play b a2", "play b b1"});
  EXPECT_EQ(rig.ask("play w a1"), "? illegal move: suicide");
  run(rig, {"play b b3", "play b c2", "play w c1", "play w d2", "play w c3", "play w b2"});
  EXPECT_EQ(rig.ask("captures w"), "= 1");
  EXPECT_EQ(rig.ask("play b c2"), "? illegal move: ko");
  EXPECT_EQ(rig.ask("is_legal b c2"), "= 0");
  EXPECT_EQ(rig.ask("is_legal b pass"), "= 1");
  EXPECT_EQ(rig.ask("is_legal b e5"), "= 1");
  EXPECT_EQ(rig.ask("is_legal b f5"), "= 0");
  // After a pass the ko is open, but the retake makes the board of before it again.
  run(rig, {"play b pass"});
  EXPECT_EQ(rig.ask("play b c2"), "? illegal move: superko");
  run(rig, {"tengen-rules japanese", "play b c2"});
}

// Two black stones are taken, then one white stone: the board is again as after the sixth move, but
// then black was to move.
TEST(Referee, SuperkoIsRefusedAsTheRulesSay) {
  const std::pair<const char*, const char*> kAnswers[] = {
      {"chinese", "? illegal move: superko"},
      {"chinese,ko=situational", "="},
      {"chinese,ko=simple", "="},
      {"japanese", "="},
      {"tromp-taylor", "? illegal move: superko"}};
  for (const auto& [rules, answer] : kAnswers) {
    SCOPED_TRACE(rules);
    HouseRig rig(quick_options(rules));
    run(rig, {"boardsize 9", "play B J8", "play W H8", "play B H7", "play W A1", "play B J6",
              "play W H9", "play B J9", "play W J7"});
    EXPECT_EQ(rig.ask("captures w"), "= 2");
    EXPECT_EQ(rig.ask("9 play B J8").substr(2), std::string(answer).substr(1));
  }
}

TEST(Referee, ThereIsNoTurnAndNoEnd) {
  HouseRig rig;
  run(rig, {"boardsize 9", "play w e5", "play w e4", "play b pass", "play w pass", "play w pass",
            "play b a1", "genmove w", "genmove w"});
}

TEST(Referee, UndoGoesBackOverPassesAndNeverIntoTheHandicap) {
  HouseRig rig;
  run(rig, {"boardsize 9", "fixed_handicap 2"});
  EXPECT_EQ(rig.ask("undo"), "? cannot undo");
  run(rig, {"play w e5", "play b pass", "play w pass", "undo", "undo"});
  EXPECT_EQ(rig.ask("list_stones w"), "= E5");
  run(rig, {"undo"});
  EXPECT_EQ(rig.ask("list_stones w"), "=");
  EXPECT_EQ(rig.ask("undo"), "? cannot undo");
  EXPECT_EQ(rig.ask("list_stones b"), "= G7 C3");
}

TEST(Referee, ManyMovesAreTakenBackTogetherOrNotAtAll) {
  HouseRig rig;
  run(rig, {"boardsize 3", "play b a1", "play w a2"});
  EXPECT_EQ(rig.ask("gg-undo 3"), "? cannot undo");
  EXPECT_EQ(rig.ask("gg-undo x"), "? syntax error");
  EXPECT_EQ(rig.ask("list_stones w"), "= A2");
  run(rig, {"gg-undo 2"});
  EXPECT_EQ(rig.ask("gg-undo"), "? cannot undo");
}

TEST(Referee, AnUndoneCaptureGivesItsPrisonersBack) {
  HouseRig rig;
  run(rig, {"boardsize 9", "play b b1", "play w a1", "play b a2"});
  EXPECT_EQ(rig.ask("captures b"), "= 1");
  run(rig, {"undo"});
  EXPECT_EQ(rig.ask("captures b"), "= 0");
  EXPECT_EQ(rig.ask("list_stones w"), "= A1");
}

// A wall each on two columns of 5x5, and white's lone stone E5 in black's area.
const std::vector<std::string> kWalls = {"boardsize 5", "komi 0",    "play b d1",   "play w c1",
                                         "play b d2",   "play w c2", "play b d3",   "play w c3",
                                         "play b d4",   "play w c4", "play b d5",   "play w c5",
                                         "play b pass", "play w e5", "play b pass", "play w pass"};

TEST(Referee, UnderAllAliveTheBoardCountsAsItStands) {
  HouseRig rig(quick_options("tromp-taylor"));
  run(rig, kWalls);
  EXPECT_EQ(rig.ask("final_status_list dead"), "=");
  EXPECT_EQ(rig.ask("final_score"), "= W+11");  // 5 to 15 and 1: E1 to E4 touch both colours
  EXPECT_EQ(rig.ask("final_status_list alive"), "= C5 C4 C3 C2 C1\nD5 D4 D3 D2 D1\nE5");
}

/// Both sides have two eyes on 7x7; white's E4 is lost inside black's area.
const std::vector<std::string> kSettled = {
    "boardsize 7", "komi 0",    "play b d1", "play b d2", "play b d3", "play b d4", "play b d5",
    "play b d6",   "play b d7", "play b f1", "play b f2", "play b e2", "play b g2", "play b e6",
    "play b f6",   "play b g6", "play w c1", "play w c2", "play w c3", "play w c4", "play w c5",
    "play w c6",   "play w c7", "play w b2", "play w a2", "play w b6", "play w a6", "play w f4"};

TEST(Referee, DeadStonesAreLiftedAndNeverThoseAliveForCertain) {
  HouseOptions options = quick_options("chinese");
  options.playouts = 1000;
  HouseRig rig(options);
  run(rig, kSettled);
  EXPECT_EQ(rig.ask("final_status_list dead"), "= F4");
  EXPECT_EQ(rig.ask("final_status_list seki"), "=");
  EXPECT_EQ(rig.ask("final_score"), "= B+7");  // 28 to 21
  EXPECT_EQ(rig.ask("final_status_list lost"), "? syntax error");
}

TEST(Referee, UnderAllAliveDeadStonesAreTakenBeforeThePass) {
  HouseOptions options = quick_options("tromp-taylor");
  options.playouts = 500;
  HouseRig rig(options);
  run(rig, kSettled);
  std::string answer;
  for (int i = 0; i < 10 && answer != "= pass"; ++i) {
    run(rig, {"play w pass"});
    answer = rig.ask("genmove b");
  }
  EXPECT_EQ(answer, "= pass");
  EXPECT_EQ(rig.ask("captures b"), "= 1");
}

// Black: 28 points less 14 stones are 14, and one prisoner more than that for F4. White: 21
// less 11.
TEST(Referee, TerritoryCountsPrisonersAndNotStones) {
  HouseOptions options = quick_options("japanese");
  options.playouts = 1000;
  HouseRig rig(options);
  run(rig, kSettled);
  EXPECT_EQ(rig.ask("final_score"), "= B+5");
}

TEST(Referee, PlayoutsSeedAndLevelAreNumbersInRange) {
  HouseRig rig;
  run(rig, {"tengen-playouts 0", "tengen-playouts 1", "tengen-playouts 1000000", "level 1",
            "level 10", "set_random_seed 0", "set_random_seed 18446744073709551615"});
  for (const char* command : {"tengen-playouts -1", "tengen-playouts 1000001", "tengen-playouts x",
                              "level 0", "level 11", "set_random_seed -1"}) {
    EXPECT_EQ(rig.ask(command), "? syntax error") << command;
  }
}

TEST(Referee, AMoveDependsOnTheSeedAndTheGameNotOnTheProcess) {
  HouseRig lived;
  run(lived, {"boardsize 7", "set_random_seed 5"});
  std::vector<std::string> moves;
  for (int i = 0; i < 12; ++i) {
    const std::string color = i % 2 == 0 ? "b " : "w ";
    const std::string move = lived.ask("genmove " + color).substr(2);
    HouseRig fresh;
    run(fresh, {"boardsize 7", "set_random_seed 5"});
    run(fresh, moves);
    EXPECT_EQ(fresh.ask("reg_genmove " + color).substr(2), move) << "move " << i;
    EXPECT_EQ(fresh.ask("genmove " + color).substr(2), move) << "move " << i;
    moves.push_back("play " + color + move);
  }
  run(lived, {"undo"});
  EXPECT_EQ("play w " + lived.ask("genmove w").substr(2), moves.back());
}

TEST(Referee, ReadingAMoveChangesNothing) {
  HouseRig rig;
  run(rig, {"boardsize 5", "reg_genmove b"});
  EXPECT_EQ(rig.ask("last_move"), "? no previous move known");
}

}  // namespace
}  // namespace tengen::house
