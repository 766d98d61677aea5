// Games through frames: made, joined, played against people and engines, and the output rule.
#include <gtest/gtest.h>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using protocol::Accepted;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameCreated;
using protocol::GameJoined;
using rules::Color;

// An engine that plays the first legal point in index order: A9, then B9 ... on 9x9.
rules::Point point_at(std::string_view text) {
  return rules::parse_gtp_vertex(text, {9, 9}).value();
}

class HubGamesTest : public testing::TestWithParam<protocol::Format> {
 protected:
  HubRig rig_{rig_config(), {first_legal()}};
};

INSTANTIATE_TEST_SUITE_P(BothFormats, HubGamesTest,
                         testing::Values(protocol::Format::Binary, protocol::Format::Json),
                         [](const auto& each) {
                           return each.param == protocol::Format::Binary ? "Binary" : "Json";
                         });

TEST_P(HubGamesTest, HelloIsAnsweredWithWhatTheDaemonOffers) {
  const ConnId client = rig_.connect(GetParam());
  const auto welcome =
      rig_.ask<protocol::Welcome>(client, protocol::Hello{protocol::kVersion, "test"});
  EXPECT_EQ(welcome.version, 1u);
  EXPECT_EQ(welcome.server, "tengend test");
  EXPECT_EQ(welcome.heartbeat_ms, 15'000u);
  EXPECT_EQ(welcome.limits.games_max, 10'000u);
  EXPECT_EQ(welcome.limits.subscriptions_max, 64u);
  EXPECT_NE(std::find(welcome.presets.begin(), welcome.presets.end(), "tromp-taylor"),
            welcome.presets.end());
  ASSERT_EQ(welcome.engines.size(), 1u);
  EXPECT_EQ(welcome.engines.front().profile, "fake");
  EXPECT_EQ(welcome.engines.front().name, "Scripted");
  EXPECT_EQ(welcome.engines.front().processes, 1);
  EXPECT_EQ(welcome.engines.front().settings,
            (std::vector<protocol::EngineSetting>{{"level", 0, 10, 10}}));
}

TEST_P(HubGamesTest, PingComesBackWithBothTimes) {
  const auto pong = rig_.ask<protocol::Pong>(rig_.join(GetParam()), protocol::Ping{42});
  EXPECT_EQ(pong.client_time_ms, 42);
  EXPECT_EQ(pong.server_time_ms, rig_.now().unix_ms);
}

TEST_P(HubGamesTest, TicketsAreGivenForTheSeatsOfPeopleOnly) {
  const ConnId client = rig_.join(GetParam());
  EXPECT_EQ(rig_.ask<GameCreated>(client, people_game("a")).tickets.size(), 2u);
  const auto created = rig_.ask<GameCreated>(client, engine_game("b"));
  ASSERT_EQ(created.tickets.size(), 1u);
  EXPECT_EQ(created.tickets.front().slot, 1);
  EXPECT_EQ(created.slot1_color, Color::Black);
}

TEST_P(HubGamesTest, CreatingAgainGivesTheSameGameAndTheSameTickets) {
  const ConnId client = rig_.join(GetParam());
  const auto first = rig_.ask<GameCreated>(client, people_game("a"));
  EXPECT_EQ(rig_.ask<GameCreated>(client, people_game("a")), first);
  EXPECT_EQ(rig_.ask<GameCreated>(rig_.join(), people_game("a")), first);
  EXPECT_EQ(rig_.hub().games(), 1u);
}

TEST_P(HubGamesTest, ARandomColourIsDrawnOnce) {
  const ConnId client = rig_.join(GetParam());
  int blacks = 0;
  for (int i = 0; i < 40; ++i) {
    auto create = people_game("r" + std::to_string(i));
    create.colors = protocol::ColorChoice::Random;
    const auto first = rig_.ask<GameCreated>(client, create);
    EXPECT_EQ(rig_.ask<GameCreated>(client, create), first);
    blacks += first.slot1_color == Color::Black ? 1 : 0;
  }
  // Less than one chance in a million to be outside by accident, and the seed is fixed.
  EXPECT_GT(blacks, 5);
  EXPECT_LT(blacks, 35);
}

TEST_P(HubGamesTest, CreatingAnotherGameWithTheSameRequestIsAConflict) {
  const ConnId client = rig_.join(GetParam());
  rig_.ask<GameCreated>(client, people_game("a"));
  auto larger = people_game("a");
  larger.size = {13, 13};
  auto other_komi = people_game("a");
  other_komi.komi_half = 13;
  auto white = people_game("a");
  white.colors = protocol::ColorChoice::Slot1White;
  auto named = people_game("a");
  named.seats[0].name = "Ada";
  for (const auto& create : {larger, other_komi, white, named, engine_game("a")}) {
    EXPECT_EQ(rig_.ask<Error>(client, create).code, ErrorCode::RequestIdConflict);
  }
  EXPECT_EQ(rig_.hub().games(), 1u);
}

TEST_P(HubGamesTest, AnEngineSeatMustBePlayableByItsProfile) {
  const ConnId client = rig_.join(GetParam());
  auto unknown = engine_game("a");
  unknown.seats[1].profile = "nobody";
  EXPECT_EQ(rig_.ask<Error>(client, unknown).code, ErrorCode::UnknownProfile);
  auto large = engine_game("a");
  large.size = {25, 25};
  EXPECT_EQ(rig_.ask<Error>(client, large).code, ErrorCode::EngineCannotPlay);
  auto strong = engine_game("a");
  strong.seats[1].settings = {{"level", "11"}};
  EXPECT_EQ(rig_.ask<Error>(client, strong).code, ErrorCode::EngineCannotPlay);
  EXPECT_EQ(rig_.hub().games(), 0u);
  EXPECT_TRUE(rig_.commits().empty());
  rig_.ask<GameCreated>(client, engine_game("a"));  // a refused request may be used again
}

TEST_P(HubGamesTest, ATicketOpensItsSeatOnAnyConnection) {
  const auto created = rig_.ask<GameCreated>(rig_.join(), people_game("a"));
  const ConnId other = rig_.join(GetParam());
  const auto joined = rig_.ask<GameJoined>(other, protocol::JoinGame{created.tickets[1].ticket});
  EXPECT_EQ(joined.slot, 2);
  EXPECT_EQ(joined.color, Color::White);
  EXPECT_EQ(joined.snapshot.game, created.game);
  EXPECT_EQ(joined.snapshot.seq, 0u);
  EXPECT_EQ(rig_.ask<GameJoined>(other, protocol::JoinGame{created.tickets[1].ticket}), joined);
}

TEST_P(HubGamesTest, AFalseTicketOpensNothing) {
  const ConnId client = rig_.join(GetParam());
  const auto created = rig_.ask<GameCreated>(client, engine_game("a"));
  std::string forged = created.tickets.front().ticket;
  forged.back() = forged.back() == '0' ? '1' : '0';
  EXPECT_EQ(rig_.ask<Error>(client, protocol::JoinGame{forged}).code, ErrorCode::BadTicket);
  EXPECT_EQ(rig_.ask<Error>(client, protocol::JoinGame{"x"}).code, ErrorCode::BadTicket);
  // A genuine MAC for the engine's seat is no way in either.
  const auto engines = make_ticket(rig_config().ticket_key, {created.game, 2});
  EXPECT_EQ(rig_.ask<Error>(client, protocol::JoinGame{engines}).code, ErrorCode::BadTicket);
}

TEST_P(HubGamesTest, ActingNeedsTheSeatNotOnlyTheGamesId) {
  const auto created = rig_.ask<GameCreated>(rig_.join(), people_game("a"));
  const ConnId other = rig_.join(GetParam());
  EXPECT_EQ(rig_.ask<Error>(other, rig_.play(created.game, "E5", 0)).code, ErrorCode::NotYourSeat);
  rig_.ask<GameJoined>(other, protocol::JoinGame{created.tickets[1].ticket});
  EXPECT_EQ(rig_.ask<Error>(other, rig_.play(created.game, "E5", 0, "", 1)).code,
            ErrorCode::NotYourSeat);
  EXPECT_EQ(rig_.ask<Error>(other, rig_.play(created.game, "E5", 0)).code, ErrorCode::NotYourTurn);
}

TEST_P(HubGamesTest, WhoHoldsBothSeatsNamesTheSlot) {
  const ConnId client = rig_.join(GetParam());
  const auto game = rig_.make_game(client, people_game("a"));
  EXPECT_EQ(rig_.ask<Error>(client, rig_.play(game, "E5", 0)).code, ErrorCode::NotYourSeat);
  EXPECT_EQ(rig_.ask<Accepted>(client, rig_.play(game, "E5", 0, "", 1)),
            (Accepted{game, 1, 1, std::nullopt}));
  EXPECT_EQ(rig_.ask<Accepted>(client, rig_.play(game, "C3", 1, "", 2)),
            (Accepted{game, 2, 2, std::nullopt}));
}

TEST_P(HubGamesTest, AnEngineAnswersAPersonsMove) {
  const ConnId client = rig_.join(GetParam());
  const auto game = rig_.make_game(client, engine_game("a"));
  rig_.ask<protocol::Subscribed>(client, protocol::Subscribe{game, 0});
  const auto answer = rig_.ask<Accepted>(client, rig_.play(game, "E5", 0));
  ASSERT_TRUE(answer.events);
  ASSERT_EQ(answer.events->events.size(), 1u);
  EXPECT_EQ(answer.events->events[0].body,
            rules::EventBody(rules::Played{Color::Black, point_at("E5")}));
  const auto pushed = rig_.pushed(client);
  ASSERT_EQ(pushed.size(), 1u);
  EXPECT_EQ(pushed[0].body, rules::EventBody(rules::Played{Color::White, point_at("A9")}));
}

TEST_P(HubGamesTest, LegalMovesAreThoseOfWhoseTurnItIs) {
  const ConnId client = rig_.join(GetParam());
  const auto game = rig_.make_game(client, people_game("a"));
  rig_.ask<Accepted>(client, rig_.play(game, "E5", 0, "", 1));
  const auto legal = rig_.ask<protocol::LegalMoves>(client, protocol::GetLegalMoves{game});
  EXPECT_EQ(legal.color, Color::White);
  EXPECT_EQ(legal.position_seq, 1u);
  EXPECT_EQ(legal.points.size(), 80u);
  EXPECT_EQ(std::count(legal.points.begin(), legal.points.end(), point_at("E5")), 0);
}

TEST_P(HubGamesTest, AGameThatDoesNotExistIsUnknown) {
  const ConnId client = rig_.join(GetParam());
  const rules::GameId nowhere{1, 2};
  EXPECT_EQ(rig_.ask<Error>(client, protocol::GetSnapshot{nowhere}).code, ErrorCode::UnknownGame);
  EXPECT_EQ(rig_.ask<Error>(client, protocol::Subscribe{nowhere, 3}).code, ErrorCode::UnknownGame);
  EXPECT_EQ(rig_.ask<Error>(client, rig_.play(nowhere, "E5", 0)).code, ErrorCode::UnknownGame);
  EXPECT_EQ(rig_.loads(), 3u);
  EXPECT_TRUE(rig_.commits().empty());
}

// The output rule.
class OutputRuleTest : public testing::Test {
 protected:
  void SetUp() override {
    player_ = rig_.join();
    game_ = rig_.make_game(player_, engine_game("game"));
    watcher_ = rig_.join();
    rig_.ask<protocol::Subscribed>(watcher_, protocol::Subscribe{game_, std::nullopt});
  }
  bool has_reply(ConnId id, std::uint32_t frame) { return rig_.reply_to(id, frame).has_value(); }

  HubRig rig_{rig_config(), {first_legal()}};
  ConnId player_;
  ConnId watcher_;
  rules::GameId game_;
};

TEST_F(OutputRuleTest, ANewGameIsToldOfOnlyOnceItIsDurable) {
  rig_.is_store_held = true;
  const auto first = rig_.send(player_, people_game("new"));
  const auto again = rig_.send(watcher_, people_game("new"));
  EXPECT_FALSE(has_reply(player_, first));
  EXPECT_FALSE(has_reply(watcher_, again));
  rig_.finish_commit();
  EXPECT_TRUE(has_reply(player_, first));
  EXPECT_EQ(rig_.reply_to(player_, first), rig_.reply_to(watcher_, again));
}

TEST_F(OutputRuleTest, AMoveIsToldToNobodyBeforeItIsDurable) {
  rig_.is_store_held = true;
  rig_.are_engines_held = true;
  const auto move = rig_.send(player_, rig_.play(game_, "E5", 0));
  EXPECT_FALSE(has_reply(player_, move));
  EXPECT_TRUE(rig_.pushed(watcher_).empty());
  rig_.finish_commit();
  EXPECT_TRUE(has_reply(player_, move));
  EXPECT_EQ(rig_.pushed(watcher_).size(), 1u);
}

TEST_F(OutputRuleTest, TheEngineIsAskedBeforeTheMoveIsDurable) {
  rig_.is_store_held = true;
  rig_.are_engines_held = true;
  rig_.send(player_, rig_.play(game_, "E5", 0));
  EXPECT_TRUE(rig_.has_written("genmove W"));
}

TEST_F(OutputRuleTest, EveryAnswerThatReflectsTheMoveWaitsForIt) {
  rig_.is_store_held = true;
  rig_.are_engines_held = true;
  rig_.send(player_, rig_.play(game_, "E5", 0, "move"));
  const std::vector<std::uint32_t> answers{
      rig_.send(player_, rig_.play(game_, "E5", 0, "move")),  // the same again
      rig_.send(player_, rig_.play(game_, "C3", 0)),          // stale, with the state
      rig_.send(player_, protocol::GetSnapshot{game_}),
      rig_.send(player_, protocol::GetLegalMoves{game_}),
      rig_.send(player_, protocol::Subscribe{game_, 0}),
      rig_.send(player_, protocol::JoinGame{make_ticket(rig_config().ticket_key, {game_, 1})})};
  for (const auto frame : answers) EXPECT_FALSE(has_reply(player_, frame)) << frame;
  const auto ping = rig_.send(player_, protocol::Ping{1});
  EXPECT_TRUE(has_reply(player_, ping)) << "what reflects no change does not wait";
  rig_.finish_commit();
  for (const auto frame : answers) EXPECT_TRUE(has_reply(player_, frame)) << frame;
}

TEST_F(OutputRuleTest, WhatHappensDuringACommitIsTheNextOneTogether) {
  rig_.is_store_held = true;
  const auto before = rig_.commits().size();
  rig_.send(player_, rig_.play(game_, "E5", 0));  // the engine answers with A9 during the commit
  rig_.send(player_, rig_.play(game_, "C3", 2));  // and with B9
  EXPECT_EQ(rig_.commits().size(), before + 1);
  rig_.finish_commit();
  ASSERT_EQ(rig_.commits().size(), before + 2);
  EXPECT_EQ(rig_.commits().back().batch.events.size(), 3u);
  EXPECT_EQ(rig_.pushed(watcher_).size(), 1u);
  rig_.finish_commit();
  EXPECT_EQ(rig_.pushed(watcher_).size(), 4u);
}

TEST_F(OutputRuleTest, TheBatchesOfARunAreTheGameInOrder) {
  rig_.ask<Accepted>(player_, rig_.play(game_, "E5", 0));
  rig_.ask<Accepted>(player_, protocol::Resign{game_, 0, "end"});
  std::uint32_t next = 1;
  std::vector<rules::GameId> finished;
  for (const auto& commit : rig_.commits()) {
    for (const auto& event : commit.batch.events) EXPECT_EQ(event.seq, next++);
    finished.insert(finished.end(), commit.batch.finished.begin(), commit.batch.finished.end());
  }
  EXPECT_EQ(next, 5u);  // E5, A9, the resignation, the end
  EXPECT_EQ(finished, std::vector{game_});
}

// After kill -9: a new hub on what was durable.
TEST(HubRestartTest, AnUnacknowledgedMoveIsGoneAndAnAcknowledgedOneIsThere) {
  HubRig rig;
  ConnId client = rig.join();
  const auto game = rig.make_game(client, people_game("a"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0, "first", 1));
  rig.is_store_held = true;
  const auto lost = rig.send(client, rig.play(game, "C3", 1, "second", 2));
  EXPECT_FALSE(rig.reply_to(client, lost));
  rig.is_store_held = false;
  rig.restart();
  client = rig.join();
  EXPECT_EQ(rig.ask<protocol::Snapshot>(client, protocol::GetSnapshot{game}).seq, 1u);
}

TEST(HubRestartTest, TicketsAndRequestsWorkAcrossARestart) {
  HubRig rig;
  ConnId client = rig.join();
  const auto created = rig.ask<GameCreated>(client, people_game("a"));
  rig.ask<GameJoined>(client, protocol::JoinGame{created.tickets[0].ticket});
  const auto first = rig.ask<Accepted>(client, rig.play(created.game, "E5", 0, "move"));
  rig.restart();
  client = rig.join();
  EXPECT_EQ(rig.ask<GameCreated>(client, people_game("a")), created);
  rig.ask<GameJoined>(client, protocol::JoinGame{created.tickets[0].ticket});
  EXPECT_EQ(rig.ask<Accepted>(client, rig.play(created.game, "E5", 0, "move")), first);
  EXPECT_EQ(rig.ask<Error>(client, rig.play(created.game, "C3", 1, "move")).code,
            ErrorCode::RequestIdConflict);
}

TEST(HubRestartTest, AnUnfinishedSearchStartsAgain) {
  HubRig rig;
  ConnId client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  rig.are_engines_held = true;
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.are_engines_held = false;
  rig.restart();
  client = rig.join();
  const auto snapshot = rig.ask<protocol::Snapshot>(client, protocol::GetSnapshot{game});
  EXPECT_EQ(snapshot.seq, 2u);
  EXPECT_EQ(snapshot.turn, Color::Black);
}

TEST(HubRestartTest, AGameMadeBeforeWithTheSameRequestIsFoundWhenItHasFinished) {
  HubRig rig;
  ConnId client = rig.join();
  const auto created = rig.ask<GameCreated>(client, people_game("a"));
  rig.ask<GameJoined>(client, protocol::JoinGame{created.tickets[0].ticket});
  rig.ask<Accepted>(client, protocol::Resign{created.game, 0, "end"});
  rig.restart();
  client = rig.join();
  EXPECT_EQ(rig.hub().games(), 0u);
  EXPECT_EQ(rig.ask<GameCreated>(client, people_game("a")), created);
  EXPECT_EQ(rig.loads(), 1u);
}

TEST(HubRestartTest, ALogThatCannotBeReadIsNamed) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, people_game("a"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0, "", 1));
  StoredState state;
  state.unfinished.push_back({rig.commits().front().batch.games.front().header, {"not an event"}});
  Hub hub(rig_config());
  const auto problem = hub.restore(std::move(state));
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find(rules::to_text(game)), std::string::npos) << *problem;
  EXPECT_NE(problem->find("event 1"), std::string::npos) << *problem;
}

TEST(HubRestartTest, ALogThatTheRulesDoNotReproduceIsNamed) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, people_game("a"));
  rig.ask<Accepted>(client, rig.play(game, "E5", 0, "", 1));
  const auto& move = rig.commits().back().batch.events.front().body;
  StoredState state;
  state.unfinished.push_back({rig.commits().front().batch.games.front().header, {move, move}});
  Hub hub(rig_config());
  const auto problem = hub.restore(std::move(state));
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find("game " + rules::to_text(game) + ": event 2"), std::string::npos)
      << *problem;
}

// Draining.
TEST(HubDrainTest, ClientsAreToldToComeBackAndNewOnesAreTurnedAway) {
  HubRig rig;
  const ConnId client = rig.join();
  rig.drain();
  ASSERT_TRUE(rig.closed(client));
  EXPECT_EQ(rig.closed(client)->code, protocol::kCloseGoingAway);
  const ConnId late = rig.connect();
  ASSERT_TRUE(rig.closed(late));
  EXPECT_EQ(rig.closed(late)->code, protocol::kCloseGoingAway);
  EXPECT_TRUE(rig.hub().is_drained());
}

TEST(HubDrainTest, ASearchIsGivenUpAndTheGameKeptForTheNextRun) {
  HubRig rig(rig_config(), {first_legal()});
  ConnId client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  rig.are_engines_held = true;
  rig.ask<Accepted>(client, rig.play(game, "E5", 0));
  rig.drain();
  rig.are_engines_held = false;
  rig.settle();
  EXPECT_TRUE(rig.hub().is_drained());
  rig.restart();
  client = rig.join();
  EXPECT_EQ(rig.ask<protocol::Snapshot>(client, protocol::GetSnapshot{game}).seq, 2u);
}

TEST(HubDrainTest, AMoveAcceptedWhileDrainingIsStoredAndNoEngineIsAsked) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  rig.drain();
  EXPECT_EQ(rig.ask<Accepted>(client, rig.play(game, "E5", 0)).seq, 1u);
  EXPECT_EQ(rig.ask<Error>(client, people_game("b")).code, ErrorCode::Unavailable);
  EXPECT_TRUE(rig.hub().is_drained());
}

TEST(HubDrainTest, IsNotOverBeforeEverythingIsStored) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, people_game("a"));
  rig.is_store_held = true;
  rig.send(client, rig.play(game, "E5", 0, "", 1));
  rig.drain();
  EXPECT_FALSE(rig.hub().is_drained());
  EXPECT_FALSE(rig.closed(client)) << "the reply goes out before the connection is closed";
  rig.finish_commit();
  EXPECT_TRUE(rig.hub().is_drained());
  EXPECT_TRUE(rig.closed(client));
}

}  // namespace
}  // namespace tengen::daemon
