// Lists of games and questions about their boards, by frame.
#include <gtest/gtest.h>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using protocol::GameCreated;
using protocol::GameList;
using protocol::ListGames;

std::vector<rules::GameId> ids_of(const GameList& list) {
  std::vector<rules::GameId> ids;
  for (const auto& game : list.games) ids.push_back(game.game);
  return ids;
}

protocol::CreateGame named_game(std::string request_id, std::string name) {
  auto create = people_game(std::move(request_id));
  create.seats[0].name = std::move(name);
  return create;
}

TEST(HubListTest, TheNewestGameComesFirstAndListsGoOn) {
  HubRig rig;
  const ConnId client = rig.join();
  std::vector<rules::GameId> made;
  for (const char* request : {"a", "b", "c"}) {
    made.insert(made.begin(), rig.ask<GameCreated>(client, people_game(request)).game);
    rig.advance(std::chrono::milliseconds(1));
  }
  const auto all = rig.ask<GameList>(client, ListGames{});
  EXPECT_EQ(ids_of(all), made);
  EXPECT_FALSE(all.has_more);
  const auto first = rig.ask<GameList>(client, ListGames{.limit = 2});
  EXPECT_EQ(ids_of(first), (std::vector{made[0], made[1]}));
  EXPECT_TRUE(first.has_more);
  const auto rest = rig.ask<GameList>(client, ListGames{.limit = 2, .before = made[1]});
  EXPECT_EQ(ids_of(rest), std::vector{made[2]});
  EXPECT_FALSE(rest.has_more);
}

TEST(HubListTest, FiltersLookAtEnginesNamesAndTheEnd) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto engine = rig.ask<GameCreated>(client, engine_game("a")).game;
  const auto named = rig.ask<GameCreated>(client, named_game("b", "Shusaku"));
  EXPECT_EQ(ids_of(rig.ask<GameList>(client, ListGames{.profile = "fake"})), std::vector{engine});
  EXPECT_EQ(ids_of(rig.ask<GameList>(client, ListGames{.name = "Shusaku"})),
            std::vector{named.game});
  EXPECT_TRUE(rig.ask<GameList>(client, ListGames{.name = "Shu"}).games.empty());
  rig.ask<protocol::GameJoined>(client, protocol::JoinGame{named.tickets[0].ticket});
  rig.ask<protocol::Accepted>(client, protocol::Resign{named.game, 1, "r"});
  EXPECT_EQ(ids_of(rig.ask<GameList>(client, ListGames{.in_play_only = true})),
            std::vector{engine});
  const auto finished = rig.ask<GameList>(client, ListGames{.name = "Shusaku"});
  ASSERT_EQ(finished.games.size(), 1u);
  EXPECT_EQ(finished.games[0].result, "W+R");
}

TEST(HubListTest, WatchersAreCounted) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.ask<GameCreated>(client, people_game("a")).game;
  rig.ask<protocol::Subscribed>(client, protocol::Subscribe{game, std::nullopt});
  EXPECT_EQ(rig.ask<GameList>(client, ListGames{}).games.at(0).watchers, 1u);
}

TEST(HubListTest, AQuestionAboutABoardIsAnsweredAlsoAfterTheGame) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, people_game("a"));
  rig.ask<protocol::Accepted>(client, rig.play(game, "E5", 0, "", 1));
  rig.ask<protocol::Accepted>(client, protocol::Resign{game, 2, "r"});
  const auto result =
      rig.ask<protocol::QueryResult>(client, protocol::Query{game, protocol::EstimateScore{}});
  // 81 points for one stone, 7.5 for white.
  EXPECT_EQ(std::get<protocol::ScoreEstimate>(result.body),
            (protocol::ScoreEstimate{162, 15, 15, false}));
  const auto unknown = rig.ask<protocol::Error>(
      client, protocol::Query{rules::GameId{1, 2}, protocol::TerritoryMap{}});
  EXPECT_EQ(unknown.code, protocol::ErrorCode::UnknownGame);
}

TEST(HubListTest, DrainingTellsClientsWhenToComeBack) {
  HubRig rig;
  const ConnId client = rig.join();
  const ConnId silent = rig.connect();
  rig.drain();
  const auto frames = rig.frames(client);
  ASSERT_FALSE(frames.empty());
  const auto* notice = std::get_if<protocol::Draining>(&frames.back().message);
  ASSERT_NE(notice, nullptr);
  EXPECT_GE(notice->reconnect_after_ms, 1'000u);
  EXPECT_LE(notice->reconnect_after_ms, 5'000u);
  EXPECT_EQ(rig.closed(client).value_or(CloseConnection{}).code, protocol::kCloseGoingAway);
  EXPECT_TRUE(rig.frames(silent).empty());
}

}  // namespace
}  // namespace tengen::daemon
