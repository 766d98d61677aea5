// Analysis through the hub: who may have what analysed, what is pushed while games go on, what is
// shared, and how each analysis ends.
#include "daemon/access.h"
#include "tests/daemon/analysis_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Accepted;
using protocol::AnalysisEnd;
using protocol::AnalysisEnded;
using protocol::AnalysisStarted;
using protocol::AnalysisStopped;
using protocol::AnalysisUpdate;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameSource;
using protocol::ReviewGame;
using protocol::SgfSource;
using protocol::StopAnalysis;
using rules::AnalysisPolicy;
using rules::Color;
using rules::Move;
using rules::Point;

TEST_F(HubAnalysisTest, AGameIsFollowedMoveByMoveAndEveryNumberIsBlacks) {
  const auto game = make_game(AnalysisPolicy::Everyone);
  const auto id = start(watcher_, analysis_of(GameSource{game, std::nullopt}));
  rig_.tick();
  ASSERT_EQ(updates(watcher_).size(), 1u);
  const auto first = updates(watcher_).back();
  EXPECT_EQ(first.analysis, id);
  EXPECT_EQ(first.position.move, 0u);
  EXPECT_EQ(first.position.position_seq, 0u);
  EXPECT_EQ(first.position.size, (rules::Size{9, 9}));
  EXPECT_EQ(first.position.to_move, Color::Black);
  // The imitation finds 51 in a hundred for whoever is to move, and a lead of 0.2 points.
  EXPECT_NEAR(first.position.winrate.value_or(0), 0.51, 1e-9);
  EXPECT_NEAR(first.position.score_lead.value_or(0), 0.2, 1e-9);
  EXPECT_NEAR(first.position.candidates.front().winrate, 0.51, 1e-9);
  EXPECT_NEAR(first.position.candidates.front().lcb.value_or(0), 0.505, 1e-9);
  EXPECT_EQ(first.position.candidates.front().variation.front().color, Color::Black);

  play(game, "E5");
  rig_.tick();
  ASSERT_EQ(updates(watcher_).size(), 2u);
  const auto second = updates(watcher_).back();
  EXPECT_EQ(second.analysis, id);
  EXPECT_EQ(second.position.move, 1u);
  EXPECT_EQ(second.position.position_seq, 1u);
  EXPECT_EQ(second.position.to_move, Color::White);
  EXPECT_NEAR(second.position.winrate.value_or(0), 0.49, 1e-9);
  EXPECT_NEAR(second.position.score_lead.value_or(0), -0.2, 1e-9);
  EXPECT_NEAR(second.position.candidates.front().lcb.value_or(0), 0.495, 1e-9);
  EXPECT_EQ(second.position.candidates.front().variation.front().color, Color::White);
  EXPECT_EQ(streaming(), 1) << "the stream of the old position has ended";
}

TEST_F(HubAnalysisTest, WhoeverAsksForTheSameSharesTheEngine) {
  const auto game = make_game(AnalysisPolicy::Everyone);
  const auto other = rig_.join(protocol::Format::Json);
  const auto id = start(watcher_, analysis_of(GameSource{game, std::nullopt}));
  rig_.tick();
  EXPECT_EQ(start(other, analysis_of(GameSource{game, std::nullopt})), id);
  ASSERT_EQ(updates(other).size(), 1u) << "the newest comes at once";
  EXPECT_EQ(streaming(), 1);
  EXPECT_EQ(rig_.hub().analyses(), 1u);
  rig_.tick();
  EXPECT_EQ(updates(other).back(), updates(watcher_).back());
  rig_.ask<AnalysisStopped>(watcher_, StopAnalysis{id});
  EXPECT_EQ(streaming(), 1) << "one still listens";
  rig_.tick();
  EXPECT_EQ(updates(watcher_).size(), 2u);
  EXPECT_EQ(updates(other).size(), 3u);
  rig_.disconnect(other);
  EXPECT_EQ(streaming(), 0) << "it has ended with the last";
  EXPECT_EQ(rig_.hub().analyses(), 0u);
}

TEST_F(HubAnalysisTest, AnotherWishIsAnotherStream) {
  const auto game = make_game(AnalysisPolicy::Everyone);
  auto wish = analysis_of(GameSource{game, std::nullopt});
  const auto first = start(watcher_, wish);
  EXPECT_EQ(start(watcher_, wish), first) << "asked twice";
  wish.detail.ownership = true;
  EXPECT_NE(start(watcher_, wish), first);
  EXPECT_EQ(streaming(), 2);
  rig_.tick();
  std::size_t owned = 0;
  for (const auto& update : updates(watcher_)) owned += update.position.ownership.size();
  EXPECT_EQ(owned, 81u) << "of one of them";
}

TEST_F(HubAnalysisTest, NoMoreIsToldThanWasAskedFor) {
  auto wish = analysis_of(small_position());
  wish.detail.moves_max = 2;
  wish.detail.variation_max = 3;
  start(watcher_, wish);
  rig_.tick();
  const auto position = updates(watcher_).back().position;
  ASSERT_EQ(position.candidates.size(), 2u);
  EXPECT_EQ(position.candidates.front().variation.size(), 3u);
  EXPECT_TRUE(position.ownership.empty());
}

TEST_F(HubAnalysisTest, WhileAGameIsInPlayItsPolicySaysWhoMay) {
  const struct {
    AnalysisPolicy policy;
    bool player;
    bool watcher;
  } kCases[] = {{AnalysisPolicy::AfterEnd, false, false},
                {AnalysisPolicy::Spectators, false, true},
                {AnalysisPolicy::Everyone, true, true}};
  for (const auto& each : kCases) {
    auto create = people_game("game-" + std::to_string(static_cast<int>(each.policy)));
    create.analysis = each.policy;
    const auto game = rig_.make_game(player_, create);
    for (const bool is_player : {true, false}) {
      const auto who = is_player ? player_ : watcher_;
      const bool may = is_player ? each.player : each.watcher;
      for (const auto move : {std::optional<std::uint32_t>{}, std::optional<std::uint32_t>{0}}) {
        const auto wish = analysis_of(GameSource{game, move});
        if (may) {
          rig_.ask<AnalysisStopped>(who, StopAnalysis{start(who, wish)});
          continue;
        }
        const auto error = refused(who, wish);
        EXPECT_EQ(error.code, ErrorCode::Forbidden);
        EXPECT_EQ(error.reason, "analysis");
      }
      ReviewGame review;
      review.source = GameSource{game, std::nullopt};
      review.profile = "kata";
      if (!may) {
        EXPECT_EQ(refused(who, review).code, ErrorCode::Forbidden);
      }
    }
  }
}

TEST_F(HubAnalysisTest, SpectatorsOfADelayedBroadcastHaveToSeeItsEndFirst) {
  auto create = people_game("game");
  create.analysis = AnalysisPolicy::Everyone;
  create.broadcast_delay = 60s;
  const auto game = rig_.make_game(player_, create);
  const auto wish = analysis_of(GameSource{game, std::nullopt});
  rig_.ask<AnalysisStopped>(player_, StopAnalysis{start(player_, wish)});
  EXPECT_EQ(refused(watcher_, wish).code, ErrorCode::Forbidden);
  resign(game);
  EXPECT_EQ(refused(watcher_, wish).code, ErrorCode::Forbidden);
  rig_.advance(60s);
  start(watcher_, wish);
}

TEST_F(HubAnalysisTest, WhoTakesASeatIsNoSpectatorAnyMore) {
  auto create = people_game("game");
  create.analysis = AnalysisPolicy::Spectators;
  const auto created = rig_.ask<protocol::GameCreated>(player_, create);
  const auto mine = start(player_, analysis_of(GameSource{created.game, std::nullopt}));
  const auto fixed = start(player_, analysis_of(GameSource{created.game, 0}));
  EXPECT_EQ(start(watcher_, analysis_of(GameSource{created.game, std::nullopt})), mine);
  rig_.ask<protocol::GameJoined>(player_, protocol::JoinGame{created.tickets.front().ticket});
  const auto ended = pushes<AnalysisEnded>(player_);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].analysis, mine);
  EXPECT_EQ(ended[1].analysis, fixed);
  EXPECT_EQ(ended[0].reason, AnalysisEnd::Forbidden);
  rig_.tick();
  EXPECT_TRUE(updates(player_).empty());
  EXPECT_EQ(updates(watcher_).size(), 1u);
}

TEST_F(HubAnalysisTest, WithTheGameItsAnalysisEndsAndThenEveryoneMay) {
  const auto game = make_game(AnalysisPolicy::Spectators);
  play(game, "E5");
  const auto id = start(watcher_, analysis_of(GameSource{game, std::nullopt}));
  resign(game);
  const auto ended = pushes<AnalysisEnded>(watcher_);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0], (AnalysisEnded{id, AnalysisEnd::GameOver, ""}));
  EXPECT_EQ(streaming(), 0);
  start(player_, analysis_of(GameSource{game, std::nullopt}));
  rig_.tick();
  ASSERT_EQ(updates(player_).size(), 1u);
  EXPECT_EQ(updates(player_)[0].position.move, 1u) << "the last position";
}

TEST_F(HubAnalysisTest, AfterTwoPassesThereIsNothingToThinkAbout) {
  const auto game = make_game(AnalysisPolicy::Everyone);
  play(game, "E5");
  start(watcher_, analysis_of(GameSource{game, std::nullopt}));
  for (const int slot : {2, 1}) {
    rig_.ask<Accepted>(player_, protocol::Pass{game, slot, "p" + std::to_string(slot), played_++});
  }
  EXPECT_EQ(streaming(), 0);
  EXPECT_TRUE(pushes<AnalysisEnded>(watcher_).empty()) << "the game may go on";
  const auto error = refused(watcher_, analysis_of(GameSource{game, 3}));
  EXPECT_EQ(error.reason, "move");
  const auto earlier = start(watcher_, analysis_of(GameSource{game, 2}));
  rig_.tick();
  EXPECT_EQ(updates(watcher_).back().analysis, earlier);
  EXPECT_EQ(updates(watcher_).back().position.move, 2u);
}

TEST_F(HubAnalysisTest, AnyPositionMayBeSentAlong) {
  auto position = small_position({Move::play(Color::Black, Point::at(2, 2))});
  position.setup = {{Color::White, Point::at(0, 0)}};
  start(watcher_, analysis_of(position));
  rig_.tick();
  ASSERT_EQ(updates(watcher_).size(), 1u);
  EXPECT_EQ(updates(watcher_)[0].position.move, 1u);
  EXPECT_EQ(updates(watcher_)[0].position.to_move, Color::White);
  EXPECT_TRUE(rig_.has_written("boardsize 5"));
  EXPECT_TRUE(rig_.has_written("kata-analyze W 50"));
}

TEST_F(HubAnalysisTest, SoMayARecord) {
  const std::string record = "(;GM[1]SZ[5]RU[Japanese]KM[5.5];B[cc];W[bb];B[];W[])";
  start(watcher_, analysis_of(SgfSource{record, 0, 1}));
  start(watcher_, analysis_of(SgfSource{record, 0, std::nullopt}));
  rig_.tick();
  ASSERT_EQ(updates(watcher_).size(), 2u);
  EXPECT_EQ(updates(watcher_)[0].position.move, 1u);
  EXPECT_EQ(updates(watcher_)[1].position.move, 3u) << "the last one with something to think about";
  EXPECT_TRUE(rig_.has_written("komi 5.5"));
}

TEST_F(HubAnalysisTest, WhatTheRulesRefuseIsRefusedByTheMovesNumber) {
  const auto twice = small_position(
      {Move::play(Color::Black, Point::at(2, 2)), Move::play(Color::White, Point::at(2, 2))});
  auto error = refused(watcher_, analysis_of(twice));
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error.reason, "moves");
  EXPECT_EQ(error.message, "move 2, white C3, is against the rules: occupied");
  error = refused(watcher_, analysis_of(SgfSource{"(;SZ[5];B[cc];W[cc])", 0, std::nullopt}));
  EXPECT_EQ(error.reason, "sgf");
  EXPECT_EQ(error.message, "move 2, white C3, is against the rules: occupied");
  start(watcher_, analysis_of(SgfSource{"(;SZ[5];B[cc];W[cc])", 0, 1}));
}

TEST_F(HubAnalysisTest, AGameThatIsNotThereCannotBeAnalysed) {
  const rules::GameId nobody{1, 2};
  EXPECT_EQ(refused(watcher_, analysis_of(GameSource{nobody, std::nullopt})).code,
            ErrorCode::UnknownGame);
  const auto game = make_game(AnalysisPolicy::Everyone);
  EXPECT_EQ(refused(watcher_, analysis_of(GameSource{game, 1})).reason, "move");
}

TEST_F(HubAnalysisTest, EnginesThatCannotAreNotAsked) {
  const struct {
    const char* profile;
    ErrorCode code;
    const char* reason;
  } kCases[] = {{"nobody", ErrorCode::UnknownProfile, "profile"},
                {"mute", ErrorCode::EngineCannotPlay, "analysis"},
                {"single", ErrorCode::EngineCannotPlay, "analysis"}};
  for (const auto& each : kCases) {
    auto wish = analysis_of(small_position());
    wish.profile = each.profile;
    const auto error = refused(watcher_, wish);
    EXPECT_EQ(error.code, each.code) << each.profile;
    EXPECT_EQ(error.reason, each.reason) << each.profile;
  }
  auto large = small_position();
  large.size = {25, 25};
  EXPECT_EQ(refused(watcher_, analysis_of(large)).code, ErrorCode::EngineCannotPlay);
  auto unset = analysis_of(small_position());
  unset.settings = {{"level", "11"}};
  EXPECT_EQ(refused(watcher_, unset).code, ErrorCode::EngineCannotPlay);
}

TEST_F(HubAnalysisTest, NothingComesAfterTheAnswerToStop) {
  const auto id = start(watcher_, analysis_of(small_position()));
  rig_.tick();
  rig_.ask<AnalysisStopped>(player_, StopAnalysis{id});
  EXPECT_EQ(streaming(), 1) << "another connection's is none of its business";
  rig_.ask<AnalysisStopped>(watcher_, StopAnalysis{id});
  EXPECT_EQ(streaming(), 0);
  rig_.tick();
  EXPECT_EQ(updates(watcher_).size(), 1u);
  EXPECT_TRUE(pushes<AnalysisEnded>(watcher_).empty());
  rig_.ask<AnalysisStopped>(watcher_, StopAnalysis{id});
  rig_.ask<AnalysisStopped>(watcher_, StopAnalysis{4'000'000'000u});
}

// While something else waits for the disk: the answers come in the order of the requests, since
// both name the same analysis.
TEST_F(HubAnalysisTest, WhoeverStopsAndJoinsAgainIsToldSoInThisOrder) {
  const auto game = make_game(rules::AnalysisPolicy::Everyone);
  const auto follow = analysis_of(protocol::GameSource{game, std::nullopt});
  const auto id = start(watcher_, follow);
  EXPECT_EQ(start(player_, follow), id);
  rig_.is_store_held = true;
  rig_.send(player_, people_game("another"));
  const auto before = rig_.frames(watcher_).size();
  const auto stopped = rig_.send(watcher_, protocol::StopAnalysis{id});
  const auto started = rig_.send(watcher_, follow);
  rig_.is_store_held = false;
  rig_.settle();
  std::vector<std::uint32_t> replies;
  const auto frames = rig_.frames(watcher_);
  for (auto frame = frames.begin() + static_cast<std::ptrdiff_t>(before); frame != frames.end();
       ++frame) {
    if (frame->reply_to != 0) replies.push_back(frame->reply_to);
  }
  EXPECT_EQ(replies, (std::vector<std::uint32_t>{stopped, started}));
}

TEST_F(HubAnalysisTest, EachListenerHasATimeOfItsOwn) {
  const auto game = make_game(AnalysisPolicy::Everyone);
  auto wish = analysis_of(GameSource{game, std::nullopt});
  wish.time_max = 1'000ms;
  const auto id = start(watcher_, wish);
  wish.time_max = 5'000ms;
  EXPECT_EQ(start(player_, wish), id);
  rig_.advance(999ms);
  EXPECT_TRUE(pushes<AnalysisEnded>(watcher_).empty());
  rig_.advance(1ms);
  ASSERT_EQ(pushes<AnalysisEnded>(watcher_).size(), 1u);
  EXPECT_EQ(pushes<AnalysisEnded>(watcher_)[0].reason, AnalysisEnd::Done);
  EXPECT_EQ(streaming(), 1);
  wish.time_max = 8'000ms;
  EXPECT_EQ(start(player_, wish), id) << "asked again: the newer time counts";
  rig_.advance(7'999ms);
  EXPECT_EQ(streaming(), 1);
  rig_.advance(1ms);
  EXPECT_EQ(streaming(), 0);
  EXPECT_EQ(pushes<AnalysisEnded>(player_).size(), 1u);
}

TEST_F(HubAnalysisTest, WithItsVisitsAPositionIsDoneAndAGameWaitsForTheNextMove) {
  auto wish = analysis_of(small_position());
  wish.visits_max = 1;
  const auto id = start(watcher_, wish);
  rig_.tick();
  EXPECT_EQ(updates(watcher_).size(), 1u);
  ASSERT_EQ(pushes<AnalysisEnded>(watcher_).size(), 1u);
  EXPECT_EQ(pushes<AnalysisEnded>(watcher_)[0], (AnalysisEnded{id, AnalysisEnd::Done, ""}));

  const auto game = make_game(AnalysisPolicy::Everyone);
  wish.source = GameSource{game, std::nullopt};
  start(watcher_, wish);
  rig_.tick();
  EXPECT_EQ(streaming(), 0);
  play(game, "E5");
  EXPECT_EQ(streaming(), 1);
  EXPECT_EQ(pushes<AnalysisEnded>(watcher_).size(), 1u);
}

TEST_F(HubAnalysisTest, OfAMoveThatIsNotStoredNothingIsToldAndThenOnlyTheNewest) {
  const auto game = make_game(AnalysisPolicy::Everyone);
  start(watcher_, analysis_of(GameSource{game, std::nullopt}));
  rig_.is_store_held = true;
  rig_.send(player_, rig_.play(game, "E5", 0, "", 1));
  rig_.tick();
  rig_.tick();
  rig_.tick();
  EXPECT_TRUE(updates(watcher_).empty());
  rig_.finish_commit();
  ASSERT_EQ(updates(watcher_).size(), 1u);
  EXPECT_EQ(updates(watcher_)[0].position.move, 1u);
  EXPECT_EQ(updates(watcher_)[0].position.candidates.front().visits, 3u * 40 + 1) << "the third";
}

TEST_F(HubAnalysisTest, EachLimitIsReached) {
  for (int i = 0; i < 3; ++i) start(watcher_, analysis_of(small_position()));
  auto error = refused(watcher_, analysis_of(small_position()));
  EXPECT_EQ(error.code, ErrorCode::LimitReached);
  EXPECT_EQ(error.reason, "analyses_max");
  const auto game = make_game(AnalysisPolicy::Everyone);
  start(player_, analysis_of(GameSource{game, std::nullopt}));
  const auto third = rig_.join();
  EXPECT_EQ(refused(third, analysis_of(small_position())).reason, "analyses_running_max");
  start(third, analysis_of(GameSource{game, std::nullopt}));
  EXPECT_EQ(refused(rig_.join(), analysis_of(GameSource{game, std::nullopt})).reason,
            "analysis_subscribers_max");
}

TEST_F(HubAnalysisTest, TheDaemonGoesDownAndSaysSo) {
  const auto id = start(watcher_, analysis_of(small_position()));
  rig_.drain();
  ASSERT_EQ(pushes<AnalysisEnded>(watcher_).size(), 1u);
  EXPECT_EQ(pushes<AnalysisEnded>(watcher_)[0], (AnalysisEnded{id, AnalysisEnd::Draining, ""}));
  EXPECT_EQ(rig_.hub().analyses(), 0u);
}

TEST_F(HubAnalysisTest, AnEngineOfAGameIsNeverTakenByItsAnalysis) {
  auto create = engine_game("game");
  create.seats[1].profile = "kata";
  create.analysis = AnalysisPolicy::Everyone;
  const auto game = rig_.make_game(player_, create);
  for (const bool ownership : {false, true}) {
    auto wish = analysis_of(GameSource{game, std::nullopt});
    wish.detail.ownership = ownership;
    start(watcher_, wish);
  }
  EXPECT_EQ(streaming(), 2);
  rig_.ask<Accepted>(player_, rig_.play(game, "E5", 0, "", 1));
  const auto snapshot = rig_.ask<protocol::Snapshot>(player_, protocol::GetSnapshot{game});
  EXPECT_EQ(snapshot.moves.size(), 2u) << "it has answered";
  rig_.tick();
  EXPECT_EQ(updates(watcher_).back().position.move, 2u);
}

class HubFailingAnalysisTest : public HubAnalysisTest {
 protected:
  static tests::Script crashing() {
    auto script = katago();
    script.stream_crash_at = 1;
    return script;
  }
  HubFailingAnalysisTest() : HubAnalysisTest(crashing()) {}
};

TEST_F(HubFailingAnalysisTest, EnginesThatFailEndItAndSayHow) {
  const auto id = start(watcher_, analysis_of(small_position()));
  for (int i = 0; i < 4; ++i) {
    rig_.tick();
    rig_.advance(1'000ms);
  }
  const auto ended = pushes<AnalysisEnded>(watcher_);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].analysis, id);
  EXPECT_EQ(ended[0].reason, AnalysisEnd::Engine);
  EXPECT_NE(ended[0].message.find("engines failed"), std::string::npos) << ended[0].message;
}

TEST_F(HubAnalysisTest, AGameOfAnEarlierRunIsLoadedForIt) {
  auto config = analysis_config();
  config.limits.finished_kept_max = 0;
  HubRig rig(config, {katago()});
  const auto player = rig.join();
  const auto game = rig.make_game(player, people_game("game"));
  rig.ask<Accepted>(player, rig.play(game, "E5", 0, "", 1));
  rig.ask<Accepted>(player, protocol::Resign{game, 2, "resign"});
  rig.settle();
  ASSERT_EQ(rig.hub().games(), 0u);
  rig.ask<AnalysisStarted>(player, analysis_of(GameSource{game, std::nullopt}));
  rig.tick();
  const auto last = rig.frames(player).back().message;
  ASSERT_TRUE(std::holds_alternative<AnalysisUpdate>(last));
  EXPECT_EQ(std::get<AnalysisUpdate>(last).position.move, 1u);
  EXPECT_EQ(rig.loads(), 1u);
}

TEST(HubAnalysisAccessTest, AnAnalysisNeedsItsRoleAndCountsForItsToken) {
  const std::string secret = "tengen_0123456789abcdefghijklmnopqrstuv";
  Quotas quotas = kNoQuotas;
  quotas.analyses_max = 1;
  auto config = analysis_config();
  config.access.tokens = {{"club", hash_of(secret), {Role::Analyse}, quotas}};
  config.access.anonymous.roles = {Role::Play, Role::Watch};
  HubRig rig(config, {katago()});
  const auto wish = analysis_of(small_position());
  const auto error = rig.ask<Error>(rig.join(), wish);
  EXPECT_EQ(error.code, ErrorCode::Forbidden);
  EXPECT_EQ(error.reason, "analyse");
  const auto enter = [&] {
    const auto id = rig.connect();
    rig.ask<protocol::Welcome>(id, protocol::Hello{protocol::kVersion, "test", secret});
    return id;
  };
  const auto one = enter();
  const auto two = enter();
  const auto id = rig.ask<AnalysisStarted>(one, wish).analysis;
  EXPECT_EQ(rig.ask<Error>(two, wish).reason, "token_analyses_max");
  rig.ask<AnalysisStopped>(one, StopAnalysis{id});
  rig.ask<AnalysisStarted>(two, wish);
  rig.disconnect(two);
  auto short_one = wish;
  short_one.time_max = 100ms;
  rig.ask<AnalysisStarted>(one, short_one);
  rig.advance(100ms);
  rig.ask<AnalysisStarted>(one, wish);
}

TEST(HubAnalysisAccessTest, WithoutATokenAnAnalysisCountsForItsAddress) {
  auto config = analysis_config();
  config.access.anonymous.quotas.analyses_max = 1;
  HubRig rig(config, {katago()});
  const auto wish = analysis_of(small_position());
  const auto from = [&](std::string_view address) {
    const auto id = rig.connect(protocol::Format::Binary, address);
    rig.ask<protocol::Welcome>(id, protocol::Hello{protocol::kVersion, "test"});
    return id;
  };
  const auto one = from("192.0.2.1");
  rig.ask<AnalysisStarted>(one, wish);
  EXPECT_EQ(rig.ask<Error>(from("192.0.2.1"), wish).reason, "token_analyses_max");
  rig.ask<AnalysisStarted>(from("192.0.2.2"), wish);
  rig.disconnect(one);
  rig.ask<AnalysisStarted>(from("192.0.2.1"), wish);
}

}  // namespace
}  // namespace tengen::daemon
