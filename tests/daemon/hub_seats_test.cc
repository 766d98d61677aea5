// Which engines may take a seat, what is said of them, and who takes over.
#include <gtest/gtest.h>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Accepted;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameCreated;
using protocol::Snapshot;
using rules::Color;

/// The profile "fake" plays without suicide only.
HubConfig without_suicide(pool::OtherRules other_rules) {
  auto config = rig_config();
  config.profiles[0].plays.suicide = {rules::SuicideRule::No};
  config.profiles[0].other_rules = other_rules;
  return config;
}

/// A game with suicide against "fake".
protocol::CreateGame suicidal_game(std::string request_id) {
  auto create = engine_game(std::move(request_id));
  create.preset = "tromp-taylor";
  create.rules = rules::find_preset("tromp-taylor")->rules;
  return create;
}

TEST(HubSeatsTest, AnEngineThatCannotPlayTheRulesIsRefused) {
  HubRig rig(without_suicide(pool::OtherRules::Refuse));
  const ConnId client = rig.join();
  const auto error = rig.ask<Error>(client, suicidal_game("a"));
  EXPECT_EQ(error.code, ErrorCode::EngineCannotPlay);
  EXPECT_EQ(error.reason, "rules");
  EXPECT_FALSE(error.message.empty());
  EXPECT_EQ(rig.hub().games(), 0u);
  rig.ask<GameCreated>(client, engine_game("a"));
}

TEST(HubSeatsTest, OrItsSeatIsMarkedWhereTheProfileAllowsThat) {
  HubRig rig(without_suicide(pool::OtherRules::Mark));
  const ConnId client = rig.join();
  const auto created = rig.ask<GameCreated>(client, suicidal_game("a"));
  EXPECT_EQ(rig.ask<GameCreated>(client, suicidal_game("a")), created);
  const auto marked = rig.ask<Snapshot>(client, protocol::GetSnapshot{created.game});
  EXPECT_FALSE(marked.header.seats[0].other_rules);
  EXPECT_TRUE(marked.header.seats[1].other_rules);
  EXPECT_TRUE(marked.seats[1].other_rules);
  const auto plain = rig.ask<GameCreated>(client, engine_game("b"));
  EXPECT_FALSE(
      rig.ask<Snapshot>(client, protocol::GetSnapshot{plain.game}).header.seats[1].other_rules);
}

TEST(HubSeatsTest, TheMarkSurvivesARestart) {
  HubRig rig(without_suicide(pool::OtherRules::Mark));
  const auto created = rig.ask<GameCreated>(rig.join(), suicidal_game("a"));
  rig.restart();
  const auto snapshot = rig.ask<Snapshot>(rig.join(), protocol::GetSnapshot{created.game});
  EXPECT_TRUE(snapshot.seats[1].other_rules);
}

// At its fastest it takes 5 s a move on 19x19, so on 9x9 5 * 81 / 361 = 1.12 s.
TEST(HubSeatsTest, AnEngineThatCannotKeepTheClockIsRefused) {
  auto config = rig_config();
  config.profiles[0].pace_setting = "level";
  config.profiles[0].pace = {{0, 5'000ms}, {10, 60'000ms}};
  HubRig rig(config);
  const ConnId client = rig.join();
  auto fast = engine_game("a");
  fast.time = {rules::ClockSystem::PerMove, {}, {}, {}, 500ms, 0, 0};
  const auto error = rig.ask<Error>(client, fast);
  EXPECT_EQ(error.code, ErrorCode::EngineCannotPlay);
  EXPECT_EQ(error.reason, "time");
  auto slow = engine_game("b");
  slow.time = {rules::ClockSystem::PerMove, {}, {}, {}, 60s, 0, 0};
  rig.ask<GameCreated>(client, slow);
}

TEST(HubSeatsTest, EnginesSayWhetherTheyHonourClocksAndHowLongOneWaits) {
  auto config = rig_config();
  config.profiles[0].clock = pool::ClockDialect::Gtp;
  config.profiles[0].honours_clock = true;
  HubRig rig(config);
  const auto list = rig.ask<protocol::EngineList>(rig.join(), protocol::ListEngines{});
  ASSERT_EQ(list.engines.size(), 1u);
  EXPECT_TRUE(list.engines[0].honours_clock);
  EXPECT_EQ(list.engines[0].wait, 0ms);
  EXPECT_EQ(list.engines[0].streaming, 0);
}

/// "fake" is replaced by "house", which comes second; the first process is of "fake".
HubConfig with_substitute() {
  auto config = rig_config();
  auto house = config.profiles[0];
  house.name = "house";
  config.profiles[0].substitute = "house";
  config.profiles.push_back(house);
  return config;
}

/// The first one refuses every stone, so that it cannot take the position.
std::vector<tests::Script> first_engine_is_bad() {
  tests::Script bad = first_legal();
  bad.refuse_play_at = 1;
  bad.refuse_plays_after_that = true;
  return {bad, first_legal()};
}

std::vector<rules::SeatChanged> changes(const std::vector<rules::Event>& events) {
  std::vector<rules::SeatChanged> found;
  for (const auto& event : events) {
    if (const auto* changed = std::get_if<rules::SeatChanged>(&event.body)) {
      found.push_back(*changed);
    }
  }
  return found;
}

TEST(HubSeatsTest, ASubstituteTakesOverAndWatchersAreTold) {
  HubRig rig(with_substitute(), first_engine_is_bad());
  const ConnId client = rig.join();
  auto create = engine_game("a");
  create.seats[1].settings = {{"level", "3"}};
  create.seats[1].undos = 7;
  create.seats[1].pauses = 1;
  const auto game = rig.make_game(client, create);
  rig.ask<protocol::Subscribed>(client, protocol::Subscribe{game, 0});
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(60s);
  const auto events = rig.pushed(client);
  ASSERT_EQ(changes(events).size(), 1u);
  EXPECT_EQ(changes(events)[0].color, Color::White);
  EXPECT_EQ(*changes(events)[0].seat,
            (rules::Seat{rules::SeatKind::Engine, "", "house", {}, false, 0, false, 7, 1}));
  EXPECT_FALSE(changes(events)[0].reason.empty());
  const auto snapshot = rig.ask<Snapshot>(client, protocol::GetSnapshot{game});
  EXPECT_EQ(snapshot.turn, Color::Black);
  EXPECT_EQ(snapshot.moves.size(), 2u);
  EXPECT_EQ(snapshot.seats[1].profile, "house");
  EXPECT_EQ(snapshot.header.seats[1].profile, "fake");
  rig.restart();
  const auto later = rig.ask<Snapshot>(rig.join(), protocol::GetSnapshot{game});
  EXPECT_EQ(later.seats[1].profile, "house");
}

TEST(HubSeatsTest, ASubstituteThatCannotPlayTheGameIsNone) {
  auto config = with_substitute();
  config.profiles[1].size_max = 7;
  HubRig rig(config, first_engine_is_bad());
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(60s);
  const auto snapshot = rig.ask<Snapshot>(client, protocol::GetSnapshot{game});
  EXPECT_EQ(snapshot.result, (rules::Result{rules::ResultKind::Forfeit, Color::Black, 0}));
}

TEST(HubSeatsTest, ASubstituteThatPlaysByOtherRulesIsMarked) {
  auto config = with_substitute();
  config.profiles[1].plays.suicide = {rules::SuicideRule::No};
  config.profiles[1].other_rules = pool::OtherRules::Mark;
  HubRig rig(config, first_engine_is_bad());
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, suicidal_game("a"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(60s);
  const auto snapshot = rig.ask<Snapshot>(client, protocol::GetSnapshot{game});
  EXPECT_EQ(snapshot.seats[1].profile, "house");
  EXPECT_TRUE(snapshot.seats[1].other_rules);
}

TEST(HubSeatsTest, AnEngineThatIsReplacedAtWorkIsALineInTheLog) {
  tests::Script dies = first_legal();
  dies.searches_wait = true;
  HubRig rig(rig_config(), {dies, first_legal()});
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.advance(120s);  // it is given up at the limit of a search
  bool is_told = false;
  for (const auto& line : rig.log()) {
    is_told =
        is_told || (line.level == pool::Note::Level::Warning &&
                    line.text.find("game " + rules::to_text(game) + ": engine 1 replaced: ") == 0);
  }
  EXPECT_TRUE(is_told);
  EXPECT_EQ(rig.ask<Snapshot>(client, protocol::GetSnapshot{game}).moves.size(), 2u);
}

}  // namespace
}  // namespace tengen::daemon
