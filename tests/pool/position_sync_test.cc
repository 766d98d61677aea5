// Which commands bring an engine from what it holds to what a job needs.
#include "pool/position_sync.h"

#include <gtest/gtest.h>

#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using Commands = std::vector<std::string>;

Profile profile_with_level() {
  Profile profile = tests::fake_profile();
  profile.settings = {{"level", "level", 1, 10, 8}};
  return profile;
}

Position needed(const std::vector<std::string>& moves, rules::Settings settings = {}) {
  Job job = tests::genmove_job(1, 1, moves);
  job.settings = std::move(settings);
  return position_of(job, profile_with_level());
}

/// All commands of a plan, plays included.
Commands commands(const std::optional<Position>& held, const Position& needs,
                  SetupBy setup_by = SetupBy::Handicap) {
  const SyncPlan plan = plan_sync(held, needs, setup_by);
  Commands all = plan.base;
  for (std::size_t i = plan.first_move; i < needs.moves.size(); ++i) {
    all.push_back(play_command(needs.moves[i], needs.size));
  }
  return all;
}

rules::Stone stone(rules::Color color, const char* vertex) {
  return {color, *rules::parse_gtp_vertex(vertex, {9, 9})};
}

TEST(PositionSync, TellsAnUnknownEngineEverything) {
  EXPECT_EQ(commands(std::nullopt, needed({"D4", "pass", "J9"})),
            (Commands{"boardsize 9", "clear_board", "komi 7.5", "level 8", "play B D4",
                      "play W pass", "play B J9"}));
}

TEST(PositionSync, SendsOnlyTheMissingMoves) {
  EXPECT_EQ(commands(needed({"D4", "E5"}), needed({"D4", "E5", "C3", "F6"})),
            (Commands{"play B C3", "play W F6"}));
}

TEST(PositionSync, SendsNothingWhenThePositionIsHeld) {
  EXPECT_EQ(commands(needed({"D4"}), needed({"D4"})), Commands{});
}

TEST(PositionSync, ReplaysWhenTheEngineIsAheadOrWentAnotherWay) {
  const Commands replay{"boardsize 9", "clear_board", "komi 7.5", "level 8", "play B D4"};
  EXPECT_EQ(commands(needed({"D4", "E5"}), needed({"D4"})), replay);
  EXPECT_EQ(commands(needed({"E4"}), needed({"D4"})), replay);
}

TEST(PositionSync, ReplaysWhenAnythingElseDiffers) {
  const Position held = needed({"D4"});
  Position other = held;
  other.komi_half = 13;
  EXPECT_EQ(commands(held, other)[2], "komi 6.5");
  other = held;
  other.size = {13, 13};
  EXPECT_EQ(commands(held, other)[0], "boardsize 13");
  other = needed({"D4"}, {{"level", "3"}});
  EXPECT_EQ(commands(held, other)[3], "level 3");
  other = held;
  other.setup = {stone(rules::Color::White, "A1")};
  EXPECT_EQ(commands(held, other)[4], "play W A1");
}

TEST(PositionSync, TellsABlackSetupAsHandicapWhereThatIsKnown) {
  Position position = needed({});
  position.setup = {stone(rules::Color::Black, "C3"), stone(rules::Color::Black, "G7")};
  EXPECT_EQ(commands(std::nullopt, position).back(), "set_free_handicap C3 G7");
  const Commands plays = commands(std::nullopt, position, SetupBy::Plays);
  EXPECT_EQ(plays.back(), "play B G7");
  EXPECT_EQ(plays.size(), 6u);
}

TEST(PositionSync, TellsOneStoneMixedColoursAndLongSetupsAsPlays) {
  Position position = needed({});
  position.setup = {stone(rules::Color::Black, "C3")};
  EXPECT_EQ(commands(std::nullopt, position).back(), "play B C3");
  position.setup.push_back(stone(rules::Color::White, "D4"));
  EXPECT_EQ(commands(std::nullopt, position).back(), "play W D4");
  position.setup.clear();  // 80 stones of two letters and a blank are 240 bytes, with the name 257
  for (int i = 0; i < 80; ++i) {
    position.setup.push_back({rules::Color::Black, rules::Point::at(i % 9, i / 9)});
  }
  EXPECT_EQ(commands(std::nullopt, position).size(), 4u + 80u);
}

TEST(PositionSync, TellsTheRulesWhereTheProfileHasADialect) {
  Profile profile = tests::fake_profile();
  profile.rules = RulesDialect::Tengen;
  Job job = tests::genmove_job(1, 1, {});
  job.rules = rules::find_preset("aga")->rules;
  const Position aga = position_of(job, profile);
  EXPECT_EQ(commands(std::nullopt, aga),
            (Commands{"boardsize 9", "clear_board", "komi 7.5",
                      "tengen-rules ko=situational,suicide=no,scoring=area,bonus=n-1,"
                      "end=compare-lists"}));
  EXPECT_EQ(commands(aga, aga), Commands{});
  job.rules = rules::find_preset("tromp-taylor")->rules;
  EXPECT_EQ(commands(aga, position_of(job, profile)).size(), 4u);
}

TEST(PositionSync, NamesBothSidesOfARectangle) {
  Position position = needed({});
  position.size = {9, 13};
  EXPECT_EQ(commands(std::nullopt, position)[0], "rectangular_boardsize 9 13");
}

}  // namespace
}  // namespace tengen::pool
