// Counted by hand on this corner (from A19), with white's Q16 and Q15 far away:
//   . X .
//   . X .
//   X . .
#include "protocol/agent_queries.h"

#include <gtest/gtest.h>

#include "tests/protocol/agent_table.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;
using rules::Table;

/// The answer, held against the schema of that query.
json::value answer(const Table& table, std::string_view name, std::string_view args) {
  const std::string body =
      "{\"name\":\"" + std::string(name) + "\",\"args\":" + std::string(args) + "}";
  const auto query = parse_query(body);
  EXPECT_TRUE(std::holds_alternative<AgentQuery>(query)) << body;
  const json::value result = parse(answer_json(std::get<AgentQuery>(query), table.game));
  expect_fits(schema("queries").at(name).at("resultSchema"), result);
  return result;
}

class AgentQueriesTest : public ::testing::Test {
 protected:
  void SetUp() override { play_on(table, {"B19", "Q16", "B18", "Q15", "A17"}); }

  json::value estimate(std::string_view args) { return answer(table, "estimate_score", args); }

  Table table = agent_table();
};

// Black: three stones, A19 and A18. White: two stones and the komi. The rest borders both.
TEST_F(AgentQueriesTest, EstimateCountsTheAreaOfWhatStands) {
  EXPECT_EQ(estimate("{}"),
            parse(R"({"black": 5, "white": 9.5, "komi": 7.5, "method": "area_all_alive"})"));
}

TEST_F(AgentQueriesTest, EstimateEmptiesExactlyThePointsGiven) {
  EXPECT_EQ(estimate(R"({"dead": [{"x": 15, "y": 3}]})"),
            parse(R"({"black": 5, "white": 8.5, "komi": 7.5, "method": "area_with_dead"})"));
  EXPECT_EQ(estimate(R"({"dead": [{"x": 15, "y": 3}, {"x": 15, "y": 4}]})"),
            parse(R"({"black": 361, "white": 7.5, "komi": 7.5, "method": "area_with_dead"})"));
  // Without B18 the corner is open: black has two stones.
  EXPECT_EQ(estimate(R"({"dead": [{"x": 1, "y": 1}]})"),
            parse(R"({"black": 2, "white": 9.5, "komi": 7.5, "method": "area_with_dead"})"));
}

TEST_F(AgentQueriesTest, EmptyListAndEmptyOrRepeatedPointsChangeTheMethodOnly) {
  for (const std::string_view args :
       {R"({"dead": []})", R"({"dead": [{"x": 9, "y": 9}, {"x": 0, "y": 0}]})"}) {
    EXPECT_EQ(estimate(args),
              parse(R"({"black": 5, "white": 9.5, "komi": 7.5, "method": "area_with_dead"})"));
  }
  EXPECT_EQ(estimate(R"({"dead": [{"x": 15, "y": 3}, {"x": 15, "y": 3}]})"),
            parse(R"({"black": 5, "white": 8.5, "komi": 7.5, "method": "area_with_dead"})"));
}

TEST_F(AgentQueriesTest, GroupsHaveColourStonesAndLiberties) {
  EXPECT_EQ(answer(table, "group_liberties", "{}"), parse(R"({"groups": [
      {"color": "black", "stones": [{"x": 1, "y": 0}, {"x": 1, "y": 1}], "liberties": [
       {"x": 0, "y": 0}, {"x": 2, "y": 0}, {"x": 0, "y": 1}, {"x": 2, "y": 1}, {"x": 1, "y": 2}]},
      {"color": "black", "stones": [{"x": 0, "y": 2}], "liberties": [
       {"x": 0, "y": 1}, {"x": 1, "y": 2}, {"x": 0, "y": 3}]},
      {"color": "white", "stones": [{"x": 15, "y": 3}, {"x": 15, "y": 4}], "liberties": [
       {"x": 15, "y": 2}, {"x": 14, "y": 3}, {"x": 16, "y": 3}, {"x": 14, "y": 4},
       {"x": 16, "y": 4}, {"x": 15, "y": 5}]}]})"));
}

TEST_F(AgentQueriesTest, GroupIsFoundByAnyOfItsStones) {
  const json::value expected = parse(R"({"groups": [
      {"color": "white", "stones": [{"x": 15, "y": 3}, {"x": 15, "y": 4}], "liberties": [
       {"x": 15, "y": 2}, {"x": 14, "y": 3}, {"x": 16, "y": 3}, {"x": 14, "y": 4},
       {"x": 16, "y": 4}, {"x": 15, "y": 5}]}]})");
  EXPECT_EQ(answer(table, "group_liberties", R"({"x": 15, "y": 3})"), expected);
  EXPECT_EQ(answer(table, "group_liberties", R"({"x": 15, "y": 4})"), expected);
  EXPECT_EQ(answer(table, "group_liberties", R"({"x": 3, "y": 15})"), parse(R"({"groups": []})"));
}

TEST_F(AgentQueriesTest, NeighborhoodIsASquareAroundThePoint) {
  EXPECT_EQ(answer(table, "neighborhood", R"({"x": 15, "y": 3})"), parse(R"({
      "x0": 13, "y0": 1, "width": 5, "height": 5, "cx": 15, "cy": 3, "cells": [
      [0,0,0,0,0], [0,0,0,0,0], [0,0,2,0,0], [0,0,2,0,0], [0,0,0,0,0]]})"));
}

TEST_F(AgentQueriesTest, NeighborhoodIsClippedAtTheEdges) {
  EXPECT_EQ(answer(table, "neighborhood", R"({"x": 0, "y": 1, "radius": 1})"), parse(R"({
      "x0": 0, "y0": 0, "width": 2, "height": 3, "cx": 0, "cy": 1, "cells": [
      [0,1], [0,1], [1,0]]})"));
  EXPECT_EQ(answer(table, "neighborhood", R"({"x": 17, "y": 6, "radius": 4})"), parse(R"({
      "x0": 13, "y0": 2, "width": 6, "height": 9, "cx": 17, "cy": 6, "cells": [
      [0,0,0,0,0,0], [0,0,2,0,0,0], [0,0,2,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0],
      [0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0]]})"));
  const json::value corner = answer(table, "neighborhood", R"({"x": 16, "y": 18, "radius": 3})");
  EXPECT_EQ(corner.at("x0"), 13);
  EXPECT_EQ(corner.at("y0"), 15);
  EXPECT_EQ(corner.at("width"), 6);
  EXPECT_EQ(corner.at("height"), 4);
}

TEST_F(AgentQueriesTest, QueriesAreAnsweredAfterTheEndAndChangeNothing) {
  play_on(table, {"pass", "pass"});
  const std::string before = agent_view_json(table.game, viewer_of(kBlack));
  EXPECT_EQ(estimate(R"({"dead": [{"x": 15, "y": 3}]})").at("white"), 8.5);
  EXPECT_EQ(answer(table, "group_liberties", "{}").at("groups").as_array().size(), 3u);
  EXPECT_EQ(agent_view_json(table.game, viewer_of(kBlack)), before);
}

TEST_F(AgentQueriesTest, EmptyBoardHasNoGroupsAndNoArea) {
  const Table empty = agent_table();
  EXPECT_EQ(answer(empty, "group_liberties", "{}"), parse(R"({"groups": []})"));
  EXPECT_EQ(answer(empty, "estimate_score", "{}"),
            parse(R"({"black": 0, "white": 7.5, "komi": 7.5, "method": "area_all_alive"})"));
}

}  // namespace
}  // namespace tengen::protocol
