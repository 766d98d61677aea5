// Questions about a game and their answers, by document 002 and SPEC 8, in the wire's own terms.
#include <gtest/gtest.h>

#include "protocol/messages.h"
#include "tests/rules/game_table.h"

namespace tengen::protocol {
namespace {

using rules::kBlack;
using rules::kWhite;

rules::Game game_on(const std::vector<std::string>& rows, int komi_half = 15) {
  auto header = rules::header_of(rows, "chinese");
  header.komi_half = komi_half;
  return rules::Game(header);
}

// Black owns the left two columns, white the right two of a board of four: six points each.
const std::vector<std::string> kHalves = {".XO.", ".XO.", ".XO."};

template <typename Result>
Result result_of(const rules::Game& game, decltype(Query::body) body) {
  auto found = answer(Query{game.header().id, std::move(body)}, game);
  EXPECT_TRUE(std::holds_alternative<QueryResult>(found));
  return std::get<Result>(std::get<QueryResult>(found).body);
}

TEST(QueriesTest, AnEstimateCountsAreaAndWhiteHasTheKomi) {
  const auto game = game_on(kHalves);
  EXPECT_EQ(result_of<ScoreEstimate>(game, EstimateScore{}), (ScoreEstimate{12, 27, 15, false}));
}

// Without B2 the region A1-A3, B2 touches white at C2 and is nobody's: black keeps two stones.
TEST(QueriesTest, ExactlyThePointsGivenAreEmptied) {
  const auto game = game_on(kHalves, 0);
  const auto estimate =
      result_of<ScoreEstimate>(game, EstimateScore{std::vector<std::string>{"B2"}});
  EXPECT_EQ(estimate, (ScoreEstimate{4, 12, 0, true}));
}

TEST(QueriesTest, AnEmptyOrRepeatedPointChangesNothingAndAnEmptyListIsAnotherQuestion) {
  const auto game = game_on(kHalves, 0);
  for (const auto& dead : {std::vector<std::string>{}, {"A1"}, {"A1", "a1"}}) {
    EXPECT_EQ(result_of<ScoreEstimate>(game, EstimateScore{dead}),
              (ScoreEstimate{12, 12, 0, true}));
  }
}

TEST(QueriesTest, GroupsAreAllOrTheOneAtAPoint) {
  const auto game = game_on(kHalves);
  EXPECT_EQ(result_of<Groups>(game, GroupLiberties{}).groups.size(), 2u);
  const auto one = result_of<Groups>(game, GroupLiberties{"C1"}).groups;
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].color, kWhite);
  EXPECT_EQ(one[0].liberties.size(), 3u);
  EXPECT_TRUE(result_of<Groups>(game, GroupLiberties{"A1"}).groups.empty());
}

TEST(QueriesTest, ANeighborhoodIsAPartOfTheBoardFromTheTopLeft) {
  const auto game = game_on({"X...", "....", "...O"});
  EXPECT_EQ(result_of<Cells>(game, Neighborhood{"A3", 1}), (Cells{0, 0, {"X.", ".."}}));
  EXPECT_EQ(result_of<Cells>(game, Neighborhood{"D1", 1}), (Cells{2, 1, {"..", ".O"}}));
}

TEST(QueriesTest, TheOwnerMapSaysWhetherItIsFinal) {
  const auto game = game_on(kHalves);
  EXPECT_EQ(result_of<OwnerMap>(game, TerritoryMap{}), (OwnerMap{{"XXOO", "XXOO", "XXOO"}, false}));
}

TEST(QueriesTest, VerticesOffTheBoardAreNamed) {
  const auto game = game_on(kHalves);
  using Body = decltype(Query::body);
  for (const Body& body :
       {Body(EstimateScore{std::vector<std::string>{"E1"}}), Body(GroupLiberties{"A4"}),
        Body(Neighborhood{"pass", 2}), Body(Neighborhood{"", 2})}) {
    const auto found = answer(Query{game.header().id, body}, game);
    const auto* error = std::get_if<Error>(&found);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->code, ErrorCode::InvalidVertex);
  }
}

TEST(QueriesTest, ASummaryNamesBothSidesByColourAndKeepsSettingsToItself) {
  auto header = rules::header_of(rules::Size{9, 9}, "chinese");
  header.slot1_color = kWhite;
  header.seats[0].name = "first";
  header.seats[1] = {rules::SeatKind::Engine, "", "gnugo", {{"level", "5"}}, false};
  rules::Table table(header);
  ASSERT_EQ(table.play(kBlack, "E5"), rules::Refusal::None);
  auto summary = summary_of(table.game);
  EXPECT_EQ(summary.seats[0].profile, "gnugo");
  EXPECT_TRUE(summary.seats[0].settings.empty());
  EXPECT_EQ(summary.seats[1].name, "first");
  EXPECT_EQ(summary.moves, 1u);
  EXPECT_EQ(summary.phase, rules::Phase::Play);
  EXPECT_EQ(summary.result, "");
  ASSERT_EQ(table.game.resign(kWhite, table.stamp()), rules::Refusal::None);
  EXPECT_EQ(summary_of(table.game).result, "B+R");
}

}  // namespace
}  // namespace tengen::protocol
