// Watching games: what a subscription begins with, what is pushed, and finished games that are
// dropped from memory and loaded again.
#include <gtest/gtest.h>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using protocol::Accepted;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameEvents;
using protocol::Snapshot;
using protocol::Subscribe;
using protocol::Subscribed;

constexpr const char* kMoves[] = {"E5", "C3", "G7", "C7", "G3", "D4"};

class HubWatchTest : public testing::Test {
 protected:
  explicit HubWatchTest(HubConfig config = rig_config()) : rig_(std::move(config)) {}
  void SetUp() override {
    player_ = rig_.join();
    game_ = rig_.make_game(player_, people_game("game"));
  }
  void play(int moves) {
    for (int i = 0; i < moves; ++i, ++played_) {
      rig_.ask<Accepted>(player_,
                         rig_.play(game_, kMoves[played_], played_, "", played_ % 2 == 0 ? 1 : 2));
    }
  }
  static std::vector<std::uint32_t> numbers(const std::vector<rules::Event>& events) {
    std::vector<std::uint32_t> all;
    for (const auto& event : events) all.push_back(event.seq);
    return all;
  }
  static std::vector<std::uint32_t> gap(const Subscribed& answer) {
    const auto* events = std::get_if<GameEvents>(&answer.start);
    EXPECT_NE(events, nullptr) << "a snapshot came";
    return events != nullptr ? numbers(events->events) : std::vector<std::uint32_t>{};
  }

  HubRig rig_;
  ConnId player_;
  rules::GameId game_;
  std::uint32_t played_ = 0;
};

using Numbers = std::vector<std::uint32_t>;

TEST_F(HubWatchTest, WithoutALastSequenceItBeginsWithASnapshot) {
  play(2);
  const auto answer = rig_.ask<Subscribed>(rig_.join(), Subscribe{game_, std::nullopt});
  EXPECT_EQ(answer.head, 2u);
  const auto* snapshot = std::get_if<Snapshot>(&answer.start);
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->seq, 2u);
  EXPECT_EQ(snapshot->moves.size(), 2u);
}

TEST_F(HubWatchTest, WithTheLastSequenceItBeginsWithWhatIsMissing) {
  play(4);
  const ConnId watcher = rig_.join();
  EXPECT_EQ(gap(rig_.ask<Subscribed>(watcher, Subscribe{game_, 0})), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(gap(rig_.ask<Subscribed>(watcher, Subscribe{game_, 3})), Numbers{4});
  EXPECT_EQ(gap(rig_.ask<Subscribed>(watcher, Subscribe{game_, 4})), Numbers{});
}

TEST_F(HubWatchTest, ASequenceThatHasNotBeenReachedIsAnsweredWithASnapshot) {
  play(2);
  const auto answer = rig_.ask<Subscribed>(rig_.join(), Subscribe{game_, 3});
  EXPECT_TRUE(std::holds_alternative<Snapshot>(answer.start));
  EXPECT_EQ(answer.head, 2u);
}

TEST_F(HubWatchTest, EventsArePushedOnceAndInOrderAfterTheStart) {
  play(1);
  const ConnId watcher = rig_.join(protocol::Format::Json);
  rig_.ask<Subscribed>(watcher, Subscribe{game_, 0});
  rig_.ask<Subscribed>(watcher, Subscribe{game_, 1});  // asking again does not double the pushes
  play(2);
  EXPECT_EQ(numbers(rig_.pushed(watcher)), (Numbers{2, 3}));
}

TEST_F(HubWatchTest, AnActorWhoWatchesHasTheEventsInTheAnswerAndOthersArePushedThem) {
  const auto watcher = rig_.join();
  rig_.ask<Subscribed>(watcher, Subscribe{game_, 0});
  rig_.ask<Subscribed>(player_, Subscribe{game_, 0});
  const auto move = rig_.play(game_, "E5", 0, "move", 1);
  const auto answer = rig_.ask<Accepted>(player_, move);
  ASSERT_TRUE(answer.events);
  EXPECT_EQ(numbers(answer.events->events), (Numbers{1}));
  EXPECT_TRUE(rig_.pushed(player_).empty());
  EXPECT_EQ(numbers(rig_.pushed(watcher)), (Numbers{1}));
  EXPECT_EQ(rig_.ask<Accepted>(player_, move), (Accepted{game_, 1, 1, std::nullopt}));
}

TEST_F(HubWatchTest, ASubscriptionDuringACommitMissesNothingAndGetsNothingTwice) {
  play(1);
  rig_.is_store_held = true;
  rig_.send(player_, rig_.play(game_, "C3", 1, "", 2));
  const ConnId watcher = rig_.join();
  const auto frame = rig_.send(watcher, Subscribe{game_, 0});
  rig_.send(player_, rig_.play(game_, "G7", 2, "", 1));
  EXPECT_FALSE(rig_.reply_to(watcher, frame));
  rig_.finish_commit();
  ASSERT_TRUE(rig_.reply_to(watcher, frame));
  EXPECT_EQ(gap(std::get<Subscribed>(*rig_.reply_to(watcher, frame))), (Numbers{1, 2}));
  EXPECT_TRUE(rig_.pushed(watcher).empty());
  rig_.finish_commit();
  EXPECT_EQ(numbers(rig_.pushed(watcher)), Numbers{3});
}

TEST_F(HubWatchTest, AfterUnsubscribingNothingIsPushed) {
  const ConnId watcher = rig_.join();
  rig_.ask<Subscribed>(watcher, Subscribe{game_, 0});
  rig_.ask<protocol::Unsubscribed>(watcher, protocol::Unsubscribe{game_});
  rig_.ask<protocol::Unsubscribed>(watcher, protocol::Unsubscribe{game_});
  play(1);
  EXPECT_TRUE(rig_.pushed(watcher).empty());
}

TEST_F(HubWatchTest, AWatcherWhoLeavesIsForgotten) {
  const ConnId watcher = rig_.join();
  rig_.ask<Subscribed>(watcher, Subscribe{game_, 0});
  rig_.disconnect(watcher);
  play(1);
  EXPECT_TRUE(rig_.pushed(watcher).empty());
}

TEST_F(HubWatchTest, WhoOnlyPlaysIsPushedNothing) {
  play(2);
  EXPECT_TRUE(rig_.pushed(player_).empty());
}

class ShortGapTest : public HubWatchTest {
 protected:
  ShortGapTest() : HubWatchTest(config()) {}
  static HubConfig config() {
    auto config = rig_config();
    config.limits.events_in_reply_max = 2;
    return config;
  }
};

TEST_F(ShortGapTest, ALongerGapThanTheLimitIsAnsweredWithASnapshot) {
  play(3);
  const ConnId watcher = rig_.join();
  EXPECT_EQ(gap(rig_.ask<Subscribed>(watcher, Subscribe{game_, 1})), (Numbers{2, 3}));
  const auto answer = rig_.ask<Subscribed>(watcher, Subscribe{game_, 0});
  EXPECT_TRUE(std::holds_alternative<Snapshot>(answer.start));
}

// Finished games beyond a few are dropped from memory.
class FinishedGamesTest : public HubWatchTest {
 protected:
  FinishedGamesTest() : HubWatchTest(config()) {}
  static HubConfig config() {
    auto config = rig_config();
    config.limits.finished_kept_max = 1;
    return config;
  }
  void end(rules::GameId game) { rig_.ask<Accepted>(player_, protocol::Resign{game, 1, "end"}); }
  /// Another finished game, so that an older one is dropped.
  void end_another() { end(rig_.make_game(player_, people_game("x" + std::to_string(++others_)))); }

  int others_ = 0;
};

TEST_F(FinishedGamesTest, TheLongestFinishedIsDroppedAndLoadedAgainWhenAskedFor) {
  play(2);
  end(game_);
  EXPECT_EQ(rig_.hub().games(), 1u);
  end_another();
  EXPECT_EQ(rig_.hub().games(), 1u);
  const auto snapshot = rig_.ask<Snapshot>(player_, protocol::GetSnapshot{game_});
  EXPECT_EQ(rig_.loads(), 1u);
  EXPECT_EQ(snapshot.game, game_);
  EXPECT_EQ(snapshot.seq, 4u);
  EXPECT_EQ(snapshot.result, (rules::Result{rules::ResultKind::Resign, rules::Color::White, 0}));
}

TEST_F(FinishedGamesTest, ALoadedGameKnowsItsRequests) {
  end(game_);
  end_another();
  EXPECT_EQ(rig_.ask<Accepted>(player_, protocol::Resign{game_, 1, "end"}),
            (Accepted{game_, 1, 0, std::nullopt}));
  EXPECT_EQ(rig_.ask<Error>(player_, rig_.play(game_, "E5", 0, "", 2)).code, ErrorCode::GameOver);
}

TEST_F(FinishedGamesTest, RequestsThatWaitForALoadShareItAndAreAnsweredInOrder) {
  end(game_);
  end_another();
  rig_.is_store_held = true;
  const auto snapshot = rig_.send(player_, protocol::GetSnapshot{game_});
  const ConnId watcher = rig_.join();
  const auto subscription = rig_.send(watcher, Subscribe{game_, 0});
  const ConnId gone = rig_.join();
  rig_.send(gone, protocol::GetSnapshot{game_});
  rig_.disconnect(gone);
  EXPECT_EQ(rig_.loads(), 1u);
  rig_.is_store_held = false;
  rig_.settle();
  EXPECT_TRUE(rig_.reply_to(player_, snapshot));
  EXPECT_EQ(gap(std::get<Subscribed>(*rig_.reply_to(watcher, subscription))), (Numbers{1, 2}));
  EXPECT_EQ(rig_.loads(), 1u);
}

TEST_F(FinishedGamesTest, AWatchedGameGoesLikeAnyOtherAndNothingIsSaidOfIt) {
  play(2);
  const ConnId watcher = rig_.join();
  rig_.ask<Subscribed>(watcher, Subscribe{game_, 0});
  end(game_);
  const auto heard = rig_.frames(watcher).size();
  const auto before = rig_.ask<Snapshot>(player_, protocol::GetSnapshot{game_});
  end_another();
  EXPECT_EQ(rig_.hub().games(), 1u);
  EXPECT_EQ(rig_.frames(watcher).size(), heard);
  EXPECT_EQ(rig_.loads(), 0u);
  EXPECT_EQ(rig_.ask<Snapshot>(watcher, protocol::GetSnapshot{game_}), before);
  EXPECT_EQ(rig_.loads(), 1u);
  EXPECT_EQ(gap(rig_.ask<Subscribed>(watcher, Subscribe{game_, 1})), (Numbers{2, 3, 4}));
  rig_.ask<protocol::Unsubscribed>(watcher, protocol::Unsubscribe{game_});
}

class AfterAWhileTest : public HubWatchTest {
 protected:
  AfterAWhileTest() : HubWatchTest(config()) {}
  static HubConfig config() {
    auto config = rig_config();
    config.limits.finished_kept_for = std::chrono::minutes(10);
    config.limits.subscriptions_max = 1;
    return config;
  }
};

TEST_F(AfterAWhileTest, AFinishedGameGoesFromMemoryWithWatchersStillThere) {
  play(3);
  std::vector<ConnId> watchers;
  for (int i = 0; i < 3; ++i) {
    watchers.push_back(rig_.join());
    rig_.ask<Subscribed>(watchers.back(), Subscribe{game_, 0});
  }
  rig_.ask<Accepted>(player_, protocol::Resign{game_, 1, "end"});
  const auto before = rig_.ask<Snapshot>(player_, protocol::GetSnapshot{game_});
  rig_.advance(std::chrono::minutes(10) - std::chrono::milliseconds(1));
  EXPECT_EQ(rig_.hub().games(), 1u);
  const auto heard = rig_.frames(watchers[0]).size();
  rig_.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(rig_.hub().games(), 0u);
  EXPECT_EQ(rig_.hub().connections(), 4u);
  EXPECT_EQ(rig_.frames(watchers[0]).size(), heard);
  // What there is to know of it is read from the store, and the subscription counts no more.
  EXPECT_EQ(rig_.ask<Snapshot>(watchers[0], protocol::GetSnapshot{game_}), before);
  const auto other = rig_.make_game(player_, people_game("other"));
  rig_.ask<Subscribed>(watchers[0], Subscribe{other, 0});
  EXPECT_EQ(gap(rig_.ask<Subscribed>(watchers[1], Subscribe{game_, 0})), (Numbers{1, 2, 3, 4, 5}));
  rig_.disconnect(watchers[1]);
  // Loaded, it has its while again.
  rig_.advance(std::chrono::minutes(10));
  EXPECT_EQ(rig_.hub().games(), 1u);
  rig_.disconnect(watchers[2]);
}

TEST_F(AfterAWhileTest, AGameThatIsPlayedStays) {
  rig_.advance(std::chrono::minutes(10));
  play(1);
  rig_.advance(std::chrono::minutes(10));
  EXPECT_EQ(rig_.hub().games(), 1u);
}

TEST_F(FinishedGamesTest, AGameWhoseEndIsNotDurableIsKept) {
  const auto other = rig_.make_game(player_, people_game("other"));
  rig_.is_store_held = true;
  rig_.send(player_, protocol::Resign{game_, 1, "end"});
  rig_.send(player_, protocol::Resign{other, 1, "end"});
  EXPECT_EQ(rig_.hub().games(), 2u);
  rig_.is_store_held = false;
  rig_.settle();
  EXPECT_EQ(rig_.hub().games(), 1u);
}

TEST_F(FinishedGamesTest, ADamagedLogIsAnErrorForTheClientAndALineInTheLog) {
  end(game_);
  end_another();
  rig_.damage(game_, 1);
  EXPECT_EQ(rig_.ask<Error>(player_, protocol::GetSnapshot{game_}).code, ErrorCode::Internal);
  ASSERT_FALSE(rig_.log().empty());
  EXPECT_EQ(rig_.log().back().level, pool::Note::Level::Error);
  EXPECT_NE(rig_.log().back().text.find(rules::to_text(game_) + ": event 2"), std::string::npos)
      << rig_.log().back().text;
}

}  // namespace
}  // namespace tengen::daemon
