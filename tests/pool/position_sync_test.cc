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
                  Unwilling unwilling = {}, const Profile& profile = profile_with_level()) {
  const SyncPlan plan = plan_sync(held, needs, profile, unwilling);
  Commands all = plan.base;
  all.insert(all.end(), plan.undos, "undo");
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
  other.state[0] = "komi 6.5";
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
  const Commands plays = commands(std::nullopt, position, Unwilling{true, false});
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

Profile profile_with_undo(int most) {
  Profile profile = profile_with_level();
  profile.undo_max = most;
  return profile;
}

TEST(PositionSync, TakesBackAFewMovesWhereTheProfileSaysSo) {
  const Position held = needed({"D4", "E5", "C3", "F6"});
  const Position needs = needed({"D4", "E5", "G7"});
  EXPECT_EQ(commands(held, needs, {}, profile_with_undo(2)),
            (Commands{"undo", "undo", "play B G7"}));
  EXPECT_EQ(commands(held, needs, {}, profile_with_undo(1)).front(), "boardsize 9");
}

TEST(PositionSync, ReplaysWhenThatIsShorterThanTakingBack) {
  const Position held = needed({"D4", "E5", "C3", "F6", "G7", "C7", "B2", "H8"});
  EXPECT_EQ(commands(held, needed({"E5"}), {}, profile_with_undo(100)).front(), "boardsize 9");
  EXPECT_EQ(commands(held, needed({"D4", "E5", "C3", "F6", "G7"}), {}, profile_with_undo(100)),
            (Commands{"undo", "undo", "undo"}));
}

TEST(PositionSync, NeverTakesSetupBack) {
  Position held = needed({"D4"});
  held.setup = {stone(rules::Color::Black, "C3"), stone(rules::Color::Black, "G7")};
  EXPECT_EQ(commands(held, needed({"D4"}), {}, profile_with_undo(100)).front(), "boardsize 9");
}

TEST(PositionSync, TellsTheTimeSystemAfterEachClearBoardUnlessTheEngineRefusesIt) {
  Profile profile = tests::fake_profile();
  profile.clock = ClockDialect::Gtp;
  Job job = tests::genmove_job(1, 1, {});
  rules::TimeControl control;
  control.system = rules::ClockSystem::ByoYomi;
  control.main = std::chrono::minutes(10);
  control.period = std::chrono::seconds(30);
  control.periods = 1;
  job.clock = JobClock{control, {rules::first_face(control), rules::first_face(control)}};
  EXPECT_EQ(commands(std::nullopt, position_of(job, profile)),
            (Commands{"boardsize 9", "clear_board", "komi 7.5", "time_settings 600 30 1"}));
  EXPECT_EQ(commands(std::nullopt, position_of(job, profile, Unwilling{false, true})).size(), 3u);
}

TEST(PositionSync, LowersThePaceSettingWhenTheTimeIsShort) {
  Profile profile = profile_with_level();
  profile.pace_setting = "level";
  profile.pace = {{1, std::chrono::milliseconds(100)}, {8, std::chrono::milliseconds(60'000)}};
  Job job = tests::genmove_job(1, 1, {}, 19);
  rules::TimeControl control;
  control.system = rules::ClockSystem::PerMove;
  control.period = std::chrono::seconds(2);
  job.clock = JobClock{control, {rules::first_face(control), rules::first_face(control)}};
  EXPECT_EQ(commands(std::nullopt, position_of(job, profile)).back(), "level 1");
  job.clock.reset();
  EXPECT_EQ(commands(std::nullopt, position_of(job, profile)).back(), "level 8");
}

}  // namespace
}  // namespace tengen::pool
