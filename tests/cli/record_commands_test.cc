// `tengen replay` and `tengen score`: what they print of records whose outcome is known.
#include "clients/cli/record_commands.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace tengen::cli {
namespace {

std::string bytes_of(const std::string& name) {
  std::ifstream file(TENGEN_TESTS_DIR "/data/rules/sgf/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

RecordOptions by_rules(std::string_view rules) {
  RecordOptions options;
  options.file = "game.sgf";
  if (!rules.empty()) options.rules = std::get<rules::NamedRules>(rules::parse_rules(rules));
  return options;
}

ScoreOptions score_by(std::string_view rules, std::optional<int> komi_half) {
  ScoreOptions options;
  options.record = by_rules(rules);
  options.komi_half = komi_half;
  return options;
}

// GNU Go's game against itself that came with the description of the gtp package: 40 to 39 by area,
// and white's eye J7 is in a seki.
const std::string kSeedGame = "seed_game_9x9.sgf";

TEST(ScoreRecord, TheSeedGameIsBlacksByOneAndWithItsSekiMarkedByTwo) {
  const std::string sgf = bytes_of(kSeedGame);
  EXPECT_EQ(score_record(sgf, score_by("chinese", 0)).out, "B+1\n");
  EXPECT_EQ(score_record(sgf, score_by("japanese", 0)).out, "B+1\n");
  ScoreOptions marked = score_by("japanese", 0);
  marked.seki = {"J7"};
  EXPECT_EQ(score_record(sgf, marked).out, "B+2\n");
}

TEST(ScoreRecord, JsonHoldsTheScoresAndBlacksLead) {
  ScoreOptions options = score_by("chinese", 15);
  options.record.output = Output::Json;
  EXPECT_EQ(score_record(bytes_of(kSeedGame), options).out,
            "{\"black\":40,\"white\":46.5,\"margin\":-6.5}\n");
}

TEST(ScoreRecord, KomiIsTheFilesElseThatOfTheRules) {
  // One black stone owns a board of 25 points.
  EXPECT_EQ(score_record("(;SZ[5]KM[5,5];B[cc])", score_by("", {})).out, "B+19.5\n");
  EXPECT_EQ(score_record("(;SZ[5];B[cc])", score_by("", {})).out, "B+17.5\n");
  EXPECT_EQ(score_record("(;SZ[5]RU[Japanese];B[cc])", score_by("", {})).out, "B+17.5\n");
  EXPECT_EQ(score_record("(;SZ[5]KM[0]RU[NZ];B[cc])", score_by("", {})).out, "B+25\n");
  EXPECT_EQ(score_record("(;SZ[5]KM[0])", score_by("", {})).out, "0\n");
}

TEST(ScoreRecord, HandicapIsPaidAsTheRulesSay) {
  const std::string sgf = "(;SZ[9]HA[2]KM[0]AB[cc][gg];W[];B[])";
  EXPECT_EQ(score_record(sgf, score_by("chinese", {})).out, "B+79\n");
  EXPECT_EQ(score_record(sgf, score_by("aga", {})).out, "B+80\n");
  EXPECT_EQ(score_record(sgf, score_by("tromp-taylor", {})).out, "B+81\n");
}

TEST(ScoreRecord, AMarkMeansTheWholeChain) {
  // Two white stones in black's corner: 25 points once they are lifted, 23 of territory and two
  // prisoners for the stones.
  const std::string sgf = "(;SZ[5]KM[0]AB[ca][cb][cc][bc][ac]AW[aa][ab])";
  ScoreOptions options = score_by("chinese", {});
  options.dead = {"A5"};
  EXPECT_EQ(score_record(sgf, options).out, "B+25\n");
  options.record.rules = by_rules("japanese").rules;
  EXPECT_EQ(score_record(sgf, options).out, "B+22\n");
}

TEST(ScoreRecord, MarksThatMeanNothingAreWrongUsage) {
  ScoreOptions options = score_by("chinese", 0);
  options.dead = {"A1", "E5"};
  EXPECT_EQ(score_record("(;SZ[5];B[cc])", options).code, ExitCode::Usage);
  options.dead = {"I1"};
  const Printed printed = score_record("(;SZ[5];B[cc])", options);
  EXPECT_EQ(printed.code, ExitCode::Usage);
  EXPECT_EQ(printed.error, "tengen: game.sgf: 'I1' is no point of the board\n");
}

TEST(ScoreRecord, ARecordAgainstTheRulesIsNotScored) {
  const Printed printed = score_record("(;SZ[5];B[aa];W[aa])", score_by("chinese", 0));
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(printed.out, "");
  EXPECT_NE(printed.error.find("move 2, W A5, is refused: occupied"), std::string::npos);
  ScoreOptions lenient = score_by("chinese", 0);
  lenient.record.strictness = rules::Strictness::Lenient;
  EXPECT_EQ(score_record("(;SZ[5];B[aa];W[aa])", lenient).out, "B+25\n");
}

// The board at the end of that description.
TEST(ReplayRecord, TheSeedGameEndsOnItsBoard) {
  const Printed printed = replay_record(bytes_of(kSeedGame), by_rules(""));
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_EQ(printed.out,
            "66 moves, 2 of them passes, by chinese rules\n"
            "   A B C D E F G H J\n"
            " 9 . . X X X O O X . 9\n"
            " 8 . . X O O O . X O 8\n"
            " 7 X X X X X O O O . 7\n"
            " 6 O X O X . X X O O 6\n"
            " 5 O O O X X X X X O 5\n"
            " 4 . . O O O X X O O 4\n"
            " 3 . O O X X X + X O 3\n"
            " 2 . . O X . X . X O 2\n"
            " 1 . . O O X . X O O 1\n"
            "   A B C D E F G H J\n"
            "Stones lost: black 1, white 1. Black is to move.\n"
            "Result in the file: B+2.0\n");
  EXPECT_EQ(printed.error, "");
}

TEST(ReplayRecord, JsonSaysEverythingOnOneLine) {
  RecordOptions options = by_rules("");
  options.output = Output::Json;
  EXPECT_EQ(replay_record("(;SZ[3:2]RE[W+R];B[aa];W[ba];B[];W[ab])", options).out,
            "{\"moves\":4,\"passes\":1,\"lost\":{\"black\":1,\"white\":0},"
            "\"rows\":[\".O.\",\"O..\"],\"to_move\":\"B\",\"first_illegal\":null,"
            "\"reason\":null,\"result\":\"W+R\"}\n");
}

// The manifest of the records: superko at move 226, confirmed by several programs.
TEST(ReplayRecord, StrictStopsAtTheFirstRefusedMoveAndLenientNamesIt) {
  const std::string sgf = bytes_of("games/067-pgx-1164.sgf");
  RecordOptions options = by_rules("tromp-taylor");
  options.output = Output::Json;
  const Printed strict = replay_record(sgf, options);
  EXPECT_EQ(strict.code, ExitCode::No);
  EXPECT_NE(strict.out.find("\"moves\":226,"), std::string::npos);
  EXPECT_NE(strict.out.find("\"first_illegal\":226,\"reason\":\"superko\""), std::string::npos);
  EXPECT_NE(strict.error.find("move 226, W B3, is refused: superko\n"), std::string::npos);
  options.strictness = rules::Strictness::Lenient;
  const Printed lenient = replay_record(sgf, options);
  EXPECT_EQ(lenient.code, ExitCode::Done);
  EXPECT_NE(lenient.out.find("\"first_illegal\":226,\"reason\":\"superko\""), std::string::npos);
  EXPECT_NE(lenient.error.find("superko (played nevertheless)\n"), std::string::npos);
}

TEST(ReplayRecord, TheFilesRulesCountUnlessOthersAreAskedFor) {
  const auto first_line = [](const std::string& sgf, std::string_view rules) {
    const std::string out = replay_record(sgf, by_rules(rules)).out;
    return out.substr(0, out.find('\n'));
  };
  EXPECT_EQ(first_line("(;SZ[5]RU[AGA])", ""), "0 moves, 0 of them passes, by aga rules");
  EXPECT_EQ(first_line("(;SZ[5]RU[GOE])", ""), "0 moves, 0 of them passes, by chinese rules");
  EXPECT_EQ(first_line("(;SZ[5]RU[AGA])", "japanese"),
            "0 moves, 0 of them passes, by japanese rules");
  EXPECT_EQ(first_line("(;SZ[5])", "aga,ko=simple"),
            "0 moves, 0 of them passes, by aga rules (ko=simple,suicide=no,scoring=area,"
            "bonus=n-1,end=compare-lists)");
}

TEST(ReplayRecord, WhatItDoesNotUnderstandIsSaid) {
  EXPECT_EQ(replay_record("(;SZ[5]RU[GOE])", by_rules("")).error,
            "tengen: game.sgf: the rules 'GOE' are not known; chinese are used\n");
  EXPECT_EQ(replay_record("(;SZ[5]RU[GOE])", by_rules("aga")).error, "");
  const Printed score = score_record("(;SZ[5]KM[7.3];B[cc])", score_by("chinese", {}));
  EXPECT_EQ(score.out, "B+17.5\n");
  EXPECT_EQ(score.error,
            "tengen: game.sgf: the komi '7.3' cannot be read; that of the rules is used\n");
  EXPECT_EQ(score_record("(;SZ[5]KM[7.3];B[cc])", score_by("chinese", 0)).error, "");
}

TEST(ReplayRecord, RulesForOneSizeAreForNoOther) {
  EXPECT_EQ(replay_record("(;SZ[9])", by_rules("go-chinese-19-0.3")).code, ExitCode::Usage);
  EXPECT_EQ(replay_record("(;SZ[19])", by_rules("go-chinese-19-0.3")).code, ExitCode::Done);
}

TEST(ReplayRecord, OneOfSeveralGamesCanBeChosen) {
  const std::string sgf = bytes_of("awkward/17-collection.sgf");  // four trees, three of Go
  const int moves[] = {1, 2, 3};
  for (int game = 1; game <= 3; ++game) {
    RecordOptions options = by_rules("");
    options.game = game;
    EXPECT_EQ(replay_record(sgf, options).out.substr(0, 1), std::to_string(moves[game - 1]));
  }
  RecordOptions options = by_rules("");
  options.game = 4;
  EXPECT_EQ(replay_record(sgf, options).code, ExitCode::No);
}

TEST(ReplayRecord, AFileThatIsNoRecordSaysWhere) {
  const Printed printed = replay_record("(;SZ[9];B[aa];W[b", by_rules(""));
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(printed.error.rfind("tengen: game.sgf: line 1, column ", 0), 0u) << printed.error;
  EXPECT_EQ(replay_record("", by_rules("")).code, ExitCode::No);
}

}  // namespace
}  // namespace tengen::cli
