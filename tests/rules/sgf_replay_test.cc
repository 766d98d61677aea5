// Replays of real records and awkward ones; what must come out is in the manifests, where several
// independent programs agree.
#include "rules/sgf_replay.h"

#include <gtest/gtest.h>

#include "rules/score.h"
#include "rules/sgf_text.h"
#include "tests/rules/sgf_files.h"

namespace tengen::rules {
namespace {

namespace json = boost::json;
using tengen::tests::json_text;
using tengen::tests::parsed_sgf;
using tengen::tests::sgf_bytes;
using tengen::tests::sgf_manifest;

SgfGame first_game(std::string_view sgf) {
  return std::get<SgfGame>(game_of(parsed_sgf(sgf).trees.front()));
}

Ruleset rules_with(KoRule ko, SuicideRule suicide = SuicideRule::Any) {
  Ruleset rules;
  rules.ko = ko;
  rules.suicide = suicide;
  return rules;
}

SgfReplay replayed(std::string_view sgf, const Ruleset& rules, Strictness strictness) {
  return std::get<SgfReplay>(replay(first_game(sgf), rules, strictness));
}

std::string rows_text(const json::value& rows) {
  std::string text;
  for (const auto& row : rows.as_array()) text += json_text(row) + "\n";
  return text;
}

json::array games() { return sgf_manifest("games_manifest.json").at("games").as_array(); }

TEST(SgfReplay, RealRecordsEndAsOthersSay) {
  const json::array all = games();
  ASSERT_EQ(all.size(), 60u);
  for (const json::value& game : all) {
    SCOPED_TRACE(json_text(game.at("file")));
    const json::value& facts = game.at("facts");
    const SgfReplay found = replayed(sgf_bytes(json_text(game.at("file"))),
                                     rules_with(KoRule::Simple), Strictness::Lenient);
    EXPECT_EQ(found.moves, facts.at("moves").as_int64());
    EXPECT_EQ(found.passes, facts.at("passes").as_int64());
    EXPECT_EQ(found.record.board().to_text(), rows_text(facts.at("final_rows")));
    EXPECT_EQ(found.record.captured_by(Color::White), facts.at("captured_black").as_int64());
    EXPECT_EQ(found.record.captured_by(Color::Black), facts.at("captured_white").as_int64());
    EXPECT_EQ(found.refused.empty(), facts.at("first_illegal_simple").is_null());
  }
}

void expect_first_refusal(const SgfReplay& found, const json::value& expected) {
  ASSERT_EQ(found.refused.empty(), expected.is_null());
  if (expected.is_null()) return;
  const RefusedMove& first = found.refused.front();
  EXPECT_EQ(first.number, expected.at("move_number").as_int64());
  EXPECT_EQ(first.color == Color::Black ? "B" : "W", json_text(expected.at("color")));
  EXPECT_EQ(first.at, json_text(expected.at("at")));
  EXPECT_EQ(name_of(first.reason), json_text(expected.at("why")));
}

TEST(SgfReplay, StrictReplaysStopWhereOthersDo) {
  for (const json::value& game : games()) {
    const std::string bytes = sgf_bytes(json_text(game.at("file")));
    for (const auto& [ko, key] : {std::pair(KoRule::Simple, "first_illegal_simple"),
                                  std::pair(KoRule::Positional, "first_illegal_positional"),
                                  std::pair(KoRule::Situational, "first_illegal_situational")}) {
      SCOPED_TRACE(json_text(game.at("file")) + " " + key);
      for (const Strictness strictness : {Strictness::Strict, Strictness::Lenient}) {
        expect_first_refusal(replayed(bytes, rules_with(ko), strictness), game.at("facts").at(key));
      }
    }
  }
}

/// The points of a list of vertices; none when there is no list.
std::vector<Point> points_of(const json::value& game, const char* key, Size size) {
  std::vector<Point> points;
  const json::value* list = game.as_object().if_contains(key);
  if (list == nullptr || !list->is_array()) return points;
  for (const auto& vertex : list->as_array()) {
    points.push_back(parse_gtp_vertex(json_text(vertex), size).value());
  }
  return points;
}

/// White's lead in half points by one of the manifest's four ways of counting.
int white_lead(const SgfReplay& found, const json::value& game, const std::string& way) {
  const Board& board = found.record.board();
  const std::vector<Point> dead = points_of(game, "dead_marked_by_gnugo", board.size());
  const Marks marks{dead, points_of(game, "seki_marked_by_gnugo", board.size())};
  const SgfGame read = first_game(sgf_bytes(json_text(game.at("file"))));
  const int komi = read.komi_half.value();
  if (way == "territory") {
    const Territory points = territory(board, marks, DeadOutsideTerritory::IsPrisoner);
    const int black = points.black + points.dead_white + found.record.captured_by(Color::Black);
    const int white = points.white + points.dead_black + found.record.captured_by(Color::White);
    return 2 * (white - black) + komi;
  }
  const Area points = area(board, dead);
  const auto bonus = way == "area"     ? HandicapBonus::None
                     : way == "area+n" ? HandicapBonus::N
                                       : HandicapBonus::NMinusOne;
  return 2 * (points.white - points.black) + komi + 2 * bonus_points(bonus, handicap_stones(read));
}

TEST(SgfReplay, StatedResultsFollowFromTheMarks) {
  int reproduced = 0;
  for (const json::value& game : games()) {
    const json::value* ways = game.as_object().if_contains("result_reproduced_by");
    if (ways == nullptr || !ways->is_array()) continue;
    const SgfReplay found = replayed(sgf_bytes(json_text(game.at("file"))),
                                     rules_with(KoRule::Simple), Strictness::Lenient);
    const SgfResult result = parse_result_text(json_text(game.at("result")));
    if (!result.margin_half) continue;
    for (const auto& way : ways->as_array()) {
      SCOPED_TRACE(json_text(game.at("file")) + " by " + json_text(way));
      const int lead = white_lead(found, game, json_text(way));
      const bool is_white = result.winner == Color::White;
      EXPECT_EQ(is_white ? lead : -lead, *result.margin_half);
      ++reproduced;
    }
  }
  EXPECT_GT(reproduced, 40);
}

// The published condition: with the same dead stones and nothing in seki, the area margin exceeds
// the territory margin by black's stones placed minus white's.
TEST(SgfReplay, TheTwoCountsAgreeAsFarAsTheyMust) {
  for (const json::value& game : games()) {
    SCOPED_TRACE(json_text(game.at("file")));
    const SgfGame read = first_game(sgf_bytes(json_text(game.at("file"))));
    const SgfReplay found =
        std::get<SgfReplay>(replay(read, rules_with(KoRule::Simple), Strictness::Lenient));
    const Board& board = found.record.board();
    int placed = 0;  // black's minus white's
    for (const SgfStep& step : read.steps) {
      for (const Placement& edit : step.edits) placed += edit.cell == Cell::Black ? 1 : -1;
      if (step.kind == SgfStepKind::Play) placed += step.color == Color::Black ? 1 : -1;
    }
    const std::vector<Point> dead = points_of(game, "dead_marked_by_gnugo", board.size());
    const Area points = area(board, dead);
    const Territory counted = territory(board, {dead, {}}, DeadOutsideTerritory::IsPrisoner);
    const int territory_margin =
        counted.black + counted.dead_white + found.record.captured_by(Color::Black) -
        (counted.white + counted.dead_black + found.record.captured_by(Color::White));
    EXPECT_EQ(points.black - points.white - territory_margin, placed);
  }
}

TEST(SgfReplay, StrictKeepsThePositionBeforeTheRefusedMove) {
  const SgfReplay found =
      replayed("(;SZ[9];B[aa];W[aa];B[bb])", rules_with(KoRule::Positional), Strictness::Strict);
  ASSERT_EQ(found.refused.size(), 1u);
  EXPECT_EQ(found.refused[0].number, 2);
  EXPECT_EQ(found.refused[0].reason, Refusal::Occupied);
  EXPECT_EQ(found.moves, 3);
  EXPECT_EQ(found.record.moves().size(), 1u);
  EXPECT_EQ(found.to_move, Color::White);
}

TEST(SgfReplay, LenientSkipsWhatCannotBePlayedAndPlaysTheRest) {
  // White's second stone is on black's, black's second off the board; white's third is suicide.
  const SgfReplay found =
      replayed("(;SZ[5];B[ab];W[ab];B[zz];W[ee];B[ba];W[aa];B[cc])",
               rules_with(KoRule::Positional, SuicideRule::No), Strictness::Lenient);
  ASSERT_EQ(found.refused.size(), 3u);
  EXPECT_EQ(found.refused[0].reason, Refusal::Occupied);
  EXPECT_FALSE(found.refused[0].is_played);
  EXPECT_EQ(found.refused[1].reason, Refusal::OffBoard);
  EXPECT_EQ(found.refused[1].at, "zz");
  EXPECT_FALSE(found.refused[1].is_played);
  EXPECT_EQ(found.refused[2].reason, Refusal::Suicide);
  EXPECT_EQ(found.refused[2].number, 6);
  EXPECT_TRUE(found.refused[2].is_played);
  EXPECT_EQ(found.record.captured_by(Color::Black), 1);
  EXPECT_EQ(found.moves, 7);
  EXPECT_EQ(found.to_move, Color::White);
}

TEST(SgfReplay, SetupInMidGameIsMade) {
  const SgfReplay found = replayed("(;SZ[3]AB[aa];W[bb];AE[aa]AW[cc]AB[ca];B[ac])",
                                   rules_with(KoRule::Positional), Strictness::Strict);
  EXPECT_EQ(found.record.board().to_text(), "..X\n.O.\nX.O\n");
}

TEST(SgfReplay, WhatCannotBeReplayedSaysWhere) {
  const auto reason = [](std::string_view sgf) {
    const auto found = replay(first_game(sgf), Ruleset{}, Strictness::Lenient);
    const SgfError error = std::get<SgfError>(found);
    return std::to_string(error.line) + ": " + error.reason;
  };
  EXPECT_EQ(reason("(;SZ[9]\nAW[aa]AB[ab][ba])"), "2: the setup leaves a chain without liberties");
  std::string many = "(;SZ[9]\n";
  for (int i = 0; i <= kReplayStepsMax; ++i) many += ";B[]";
  EXPECT_EQ(reason(many + ")"), "2: more than 10000 moves and setups");
}

TEST(SgfReplay, TheStonesDecideTheHandicap) {
  EXPECT_EQ(handicap_stones(first_game("(;SZ[9]HA[5]AB[cc][gg]AB[gc];W[ee])")), 3);
  EXPECT_EQ(handicap_stones(first_game("(;SZ[9]AB[cc][gg])")), 2);
  EXPECT_EQ(handicap_stones(first_game("(;SZ[9]AB[cc][gg];B[ee])")), 0);
  EXPECT_EQ(handicap_stones(first_game("(;SZ[9]AB[cc][gg]AW[ee];W[aa])")), 0);
  EXPECT_EQ(handicap_stones(first_game("(;SZ[9]HA[2];W[aa])")), 0);
}

}  // namespace
}  // namespace tengen::rules
