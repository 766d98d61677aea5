// Lines of moves for analysis: what of a position or a record can be thought about.
#include "daemon/analysis_line.h"

#include <gtest/gtest.h>

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::PositionSource;
using protocol::SgfSource;
using rules::Color;
using rules::Move;
using rules::Point;

AnalysisLine line(const std::string& sgf, std::optional<std::uint32_t> move = std::nullopt) {
  auto found = line_of(SgfSource{sgf, 0, move});
  if (const auto* error = std::get_if<Error>(&found)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<AnalysisLine>(std::move(found));
}

std::string problem(const std::string& sgf, std::uint32_t index = 0) {
  const auto found = line_of(SgfSource{sgf, index, std::nullopt});
  const auto* error = std::get_if<Error>(&found);
  return error != nullptr ? error->reason + ": " + error->message : "none";
}

AnalysisPosition at(const AnalysisLine& of, std::optional<std::uint32_t> move) {
  auto found = position_at(of, move);
  if (const auto* error = std::get_if<Error>(&found)) {
    ADD_FAILURE() << error->message;
    return LineWalk(of).at(of.before);
  }
  return std::get<AnalysisPosition>(std::move(found));
}

std::string problem_at(const AnalysisLine& of, std::uint32_t move) {
  const auto found = position_at(of, move);
  const auto* error = std::get_if<Error>(&found);
  return error != nullptr ? error->reason : "none";
}

TEST(AnalysisLineTest, ARecordHasItsRulesKomiAndHandicap) {
  const auto found = line("(;GM[1]SZ[9]RU[Japanese]KM[0.5]HA[2]AB[gc][cg];W[ee];B[cc])");
  EXPECT_EQ(found.size, (rules::Size{9, 9}));
  EXPECT_EQ(found.rules, rules::find_preset("japanese")->rules);
  EXPECT_EQ(found.komi_half, 1);
  EXPECT_EQ(found.setup.size(), 2u);
  EXPECT_EQ(found.end(), 2u);
  EXPECT_EQ(at(found, 0).to_move, Color::White);
  EXPECT_EQ(at(found, 1).to_move, Color::Black);
  EXPECT_EQ(at(found, 2).to_move, Color::White);
  EXPECT_EQ(at(found, 2).record.setup().size(), 2u);
  EXPECT_EQ(at(found, 2).record.moves().size(), 2u);
}

TEST(AnalysisLineTest, RulesThatNobodyKnowsAreTheChinese) {
  const auto found = line("(;SZ[9]RU[of the house])");
  EXPECT_EQ(found.rules, rules::find_preset("chinese")->rules);
  EXPECT_EQ(found.komi_half, 15);
  EXPECT_EQ(at(found, std::nullopt).to_move, Color::Black);
}

TEST(AnalysisLineTest, StonesSetUpBetweenMovesBeginANewLine) {
  const std::string record = "(;SZ[5];B[aa];W[bb];AE[aa]AB[cc];W[dd])";
  const auto found = line(record);
  EXPECT_EQ(found.before, 2u);
  EXPECT_EQ(found.end(), 3u);
  EXPECT_EQ(found.setup, (std::vector<rules::Stone>{{Color::White, Point::at(1, 1)},
                                                    {Color::Black, Point::at(2, 2)}}));
  EXPECT_EQ(problem_at(found, 1), "move");
  EXPECT_EQ(at(found, 2).record.moves().size(), 0u);
  EXPECT_EQ(at(found, 3).move, 3u);
  EXPECT_EQ(found.open_positions(0, 9), (std::vector<std::uint32_t>{2, 3}));
  const auto early = line(record, 1);
  EXPECT_EQ(early.before, 0u);
  EXPECT_EQ(at(early, 1).record.moves().size(), 1u);
}

TEST(AnalysisLineTest, WhatIsNoRecordOfGoIsRefused) {
  EXPECT_EQ(problem("hello").substr(0, 5), "sgf: ");
  EXPECT_EQ(problem("(;GM[2])").substr(0, 5), "sgf: ");
  EXPECT_EQ(problem("(;SZ[26])").substr(0, 5), "sgf: ");
  EXPECT_EQ(problem("(;SZ[9])(;SZ[9])", 2), "index: the file has 2 game trees");
  EXPECT_EQ(problem("(;SZ[9]KM[401.0])"), "sgf: the komi is out of range");
  EXPECT_EQ(problem("(;SZ[5];B[aa];W[ff])"), "sgf: move 2 names no point of the board");
  EXPECT_EQ(problem("(;SZ[3]AB[ab][ba];W[aa])"),
            "sgf: move 1, white A3, is against the rules: suicide");
  EXPECT_EQ(problem("(;SZ[3];B[cc]AW[aa]AB[ab][ba])"),
            "sgf: a setup leaves a chain without liberties");
}

TEST(AnalysisLineTest, ARecordIsNoLongerThanAGame) {
  std::string passes;
  for (int i = 0; i < 1'875; ++i) passes += i % 2 == 0 ? ";B[]" : ";W[]";
  EXPECT_EQ(line("(;SZ[19]" + passes + ")").end(), 1'875u);
  EXPECT_EQ(problem("(;SZ[19]" + passes + ";W[])"), "sgf: more than 1875 moves");
}

TEST(AnalysisLineTest, AHostileRecordIsRefusedInNoTime) {
  const std::string deep(60'000, '(');
  EXPECT_NE(problem(deep), "none");
  std::string wide;
  while (wide.size() < 60'000) wide += "(;)";
  EXPECT_NE(problem(wide), "none") << "more trees than are read";
}

TEST(AnalysisLineTest, ASetupThatCannotStandIsRefused) {
  PositionSource source;
  source.size = {3, 3};
  const auto reason = [&] {
    const auto found = line_of(source);
    const auto* error = std::get_if<Error>(&found);
    return error != nullptr ? error->reason : "none";
  };
  source.setup = {{Color::White, Point::at(0, 0)}, {Color::White, Point::at(0, 0)}};
  EXPECT_EQ(reason(), "setup");
  source.setup = {{Color::White, Point::at(0, 0)},
                  {Color::Black, Point::at(0, 1)},
                  {Color::Black, Point::at(1, 0)}};
  EXPECT_EQ(reason(), "setup") << "white A3 has no liberty";
  source.setup.pop_back();
  EXPECT_EQ(reason(), "none");
}

TEST(AnalysisLineTest, TwoPassesClosePositionsUntilTheNextMove) {
  const auto found = line("(;SZ[5];B[aa];W[];B[];W[bb];B[];W[])");
  EXPECT_EQ(found.open_positions(0, 6), (std::vector<std::uint32_t>{0, 1, 2, 4, 5}));
  EXPECT_EQ(problem_at(found, 3), "move");
  EXPECT_EQ(problem_at(found, 6), "move");
  EXPECT_EQ(at(found, std::nullopt).move, 5u);
}

TEST(AnalysisLineTest, AWalkGivesThePositionsInTurn) {
  LineWalk walk(line("(;SZ[5];B[aa];W[bb];B[cc])"));
  EXPECT_EQ(walk.at(1).record.moves().size(), 1u);
  const auto third = walk.at(3);
  EXPECT_EQ(walk.at(3).record.moves(), third.record.moves());
  EXPECT_EQ(third.move, 3u);
}

}  // namespace
}  // namespace tengen::daemon
