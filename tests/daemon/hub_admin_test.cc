// What operators do at the hub: each verb, who may not, and what the log says of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/access.h"
#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Admin;
using protocol::AdminDone;
using protocol::ConnectionList;
using protocol::ConnectionNumber;
using protocol::EndGame;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Kick;
using protocol::Notice;
using rules::Color;

const std::string kChief = "tengen_chief_chief_chief_chief_chief_chief_0";
const std::string kClub = "tengen_club_club_club_club_club_club_club_00";

AccessConfig two_tokens() {
  AccessConfig access;
  access.tokens = {{"chief", hash_of(kChief), {Role::Admin, Role::Watch}, kNoQuotas},
                   {"club", hash_of(kClub), {Role::Play, Role::Watch}, kNoQuotas}};
  return access;
}

HubConfig admin_config() {
  auto config = rig_config();
  config.access = two_tokens();
  return config;
}

class HubAdminTest : public ::testing::Test {
 protected:
  ConnId enter(const std::string& token, const std::string& client = "test") {
    const ConnId id = rig_.connect();
    rig_.ask<protocol::Welcome>(id, protocol::Hello{protocol::kVersion, client, token});
    return id;
  }
  AdminDone rule(protocol::AdminVerb verb) {
    return rig_.ask<AdminDone>(chief_, Admin{fresh_id(), std::move(verb)});
  }
  Error refused(protocol::AdminVerb verb) {
    return rig_.ask<Error>(chief_, Admin{fresh_id(), std::move(verb)});
  }
  std::string fresh_id() { return "a" + std::to_string(++requests_); }
  std::size_t logged(const std::string& text) const {
    return static_cast<std::size_t>(
        std::count_if(rig_.log().begin(), rig_.log().end(), [&](const LogLine& line) {
          return line.level == pool::Note::Level::Info && line.text == text;
        }));
  }
  std::vector<std::string> notices(ConnId id) const {
    std::vector<std::string> texts;
    for (const auto& frame : rig_.frames(id)) {
      const auto* notice = std::get_if<Notice>(&frame.message);
      if (notice == nullptr) continue;
      EXPECT_EQ(frame.reply_to, 0u);
      texts.push_back(notice->text);
    }
    return texts;
  }
  protocol::EngineInfo engine_info(std::size_t nth = 0) {
    return rig_.ask<protocol::EngineList>(chief_, protocol::ListEngines{}).engines.at(nth);
  }

  HubRig rig_{admin_config(), {waiting_engine()}};
  int requests_ = 0;
  ConnId chief_ = enter(kChief);
  ConnId player_ = enter(kClub, "club client");
};

// ---- Who may

TEST_F(HubAdminTest, OnlyTheRoleAdminMay) {
  const ConnId anonymous = enter("");
  const std::vector<protocol::AdminVerb> verbs{EndGame{{1, 2}, Color::Black, ""},
                                               Kick{"club"},
                                               protocol::RevokeToken{"club"},
                                               protocol::RetireEngine{1},
                                               protocol::DrainProfile{"fake", false},
                                               protocol::SendNotice{"x"},
                                               protocol::ListConnections{}};
  for (const ConnId id : {anonymous, player_}) {
    for (const auto& verb : verbs) {
      const auto error = rig_.ask<Error>(id, Admin{"r", verb});
      EXPECT_EQ(error.code, ErrorCode::Forbidden);
      EXPECT_EQ(error.reason, "admin");
    }
  }
  EXPECT_EQ(rig_.loads(), 0u) << "not even the game is looked for";
  EXPECT_FALSE(rig_.closed(player_));
  for (const auto& line : rig_.log()) EXPECT_FALSE(line.text.starts_with("admin ")) << line.text;
}

TEST_F(HubAdminTest, TheRoleAdminAloneDoesNotPlay) {
  EXPECT_EQ(rig_.ask<Error>(chief_, people_game("g")).reason, "play");
}

// ---- Games

TEST_F(HubAdminTest, AGameIsAdjudicatedAndItsPeopleAreTold) {
  const auto game = rig_.make_game(player_, people_game("g"));
  rig_.ask<protocol::Subscribed>(player_, protocol::Subscribe{game, 0});
  rule(EndGame{game, Color::White, "black has left"});
  const auto events = rig_.pushed(player_);
  ASSERT_EQ(events.size(), 2u);
  const auto& forfeited = std::get<rules::Forfeited>(events[0].body);
  EXPECT_EQ(forfeited.color, Color::Black);
  EXPECT_EQ(forfeited.reason, "adjudicated: black has left");
  const auto result = rig_.ask<protocol::Snapshot>(player_, protocol::GetSnapshot{game}).result;
  EXPECT_EQ(result, (rules::Result{rules::ResultKind::Forfeit, Color::White, 0}));
  EXPECT_EQ(
      logged("admin chief: ends game " + rules::to_text(game) + ", white wins: black has left"),
      1u);
  for (const auto& line : rig_.log())
    EXPECT_NE(line.level, pool::Note::Level::Warning) << line.text;
}

TEST_F(HubAdminTest, AGameIsAnnulledAtAnyTime) {
  const auto game = rig_.make_game(player_, people_game("g"));
  rig_.ask<protocol::Accepted>(player_, rig_.play(game, "D4", 0, "", 1));
  rule(EndGame{game, std::nullopt, ""});
  const auto snapshot = rig_.ask<protocol::Snapshot>(player_, protocol::GetSnapshot{game});
  EXPECT_EQ(snapshot.result, (rules::Result{rules::ResultKind::Annulled, std::nullopt, 0}));
  EXPECT_EQ(logged("admin chief: ends game " + rules::to_text(game) + ", it does not count"), 1u);
  EXPECT_EQ(rig_.hub().games_in_play(), 0u);
}

TEST_F(HubAdminTest, AnEnginesSearchEndsWithItsGame) {
  const auto game = rig_.make_game(player_, engine_game("g"));
  rig_.ask<protocol::Accepted>(player_, rig_.play(game, "D4", 0));
  EXPECT_EQ(rig_.hub().pool().open_jobs().size(), 1u);
  rule(EndGame{game, Color::Black, ""});
  EXPECT_TRUE(rig_.hub().pool().open_jobs().empty());
}

TEST_F(HubAdminTest, AGameThatIsOverIsNotEndedAgain) {
  const auto game = rig_.make_game(player_, people_game("g"));
  rig_.ask<protocol::Accepted>(player_, protocol::Resign{game, 1, "r"});
  EXPECT_EQ(refused(EndGame{game, Color::Black, ""}).code, ErrorCode::GameOver);
  EXPECT_EQ(refused(EndGame{{7, 7}, Color::Black, ""}).code, ErrorCode::UnknownGame);
}

TEST_F(HubAdminTest, TheAnswerToAnEndWaitsForTheStore) {
  const auto game = rig_.make_game(player_, people_game("g"));
  rig_.is_store_held = true;
  const Admin end{"e", EndGame{game, Color::Black, ""}};
  const auto first = rig_.send(chief_, end);
  const auto second = rig_.send(chief_, end);
  EXPECT_FALSE(rig_.reply_to(chief_, first));
  EXPECT_FALSE(rig_.reply_to(chief_, second)) << "nor does a resend know more";
  rig_.finish_commit();
  EXPECT_TRUE(rig_.reply_to(chief_, first));
  EXPECT_TRUE(rig_.reply_to(chief_, second));
}

// ---- Connections and tokens

TEST_F(HubAdminTest, ATokenIsKickedFromAllItsConnections) {
  const ConnId other = enter(kClub);
  const ConnId anonymous = enter("");
  EXPECT_EQ(rule(Kick{"club"}).connections, 2u);
  for (const ConnId id : {player_, other}) {
    ASSERT_TRUE(rig_.closed(id));
    EXPECT_EQ(rig_.closed(id)->code, 4004);
  }
  EXPECT_FALSE(rig_.closed(chief_));
  EXPECT_FALSE(rig_.closed(anonymous));
  EXPECT_EQ(rule(Kick{"anonymous"}).connections, 1u);
  EXPECT_TRUE(rig_.closed(anonymous));
  EXPECT_EQ(logged("admin chief: kicks token club, 2 connections"), 1u);
  enter(kClub);  // it may come back
}

TEST_F(HubAdminTest, OneConnectionIsKickedByItsNumber) {
  const ConnId other = enter(kClub);
  EXPECT_EQ(rule(Kick{ConnectionNumber{other.value}}).connections, 1u);
  EXPECT_TRUE(rig_.closed(other));
  EXPECT_FALSE(rig_.closed(player_));
  EXPECT_EQ(logged("admin chief: kicks connection " + std::to_string(other.value)), 1u);
  rig_.disconnect(other);
  const auto gone = refused(Kick{ConnectionNumber{other.value}});
  EXPECT_EQ(gone.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(gone.reason, "connection");
  EXPECT_EQ(refused(Kick{"nobody"}).reason, "token");
}

TEST_F(HubAdminTest, WhoeverKicksItselfHasItsAnswerFirst) {
  EXPECT_EQ(rule(Kick{"chief"}).connections, 1u);
  EXPECT_TRUE(rig_.closed(chief_));
}

TEST_F(HubAdminTest, ARevokedTokenIsNobodysUntilAReload) {
  EXPECT_EQ(rule(protocol::RevokeToken{"club"}).connections, 1u);
  ASSERT_TRUE(rig_.closed(player_));
  EXPECT_EQ(rig_.closed(player_)->code, protocol::kCloseBadToken);
  EXPECT_EQ(logged("admin chief: revokes token club, 1 connection"), 1u);
  const ConnId late = rig_.connect();
  const auto error = rig_.ask<Error>(late, protocol::Hello{protocol::kVersion, "test", kClub});
  EXPECT_EQ(error.code, ErrorCode::Unauthenticated);
  EXPECT_EQ(refused(protocol::RevokeToken{"club"}).reason, "name");
  rig_.set_access(two_tokens());
  enter(kClub);
}

TEST_F(HubAdminTest, ConnectionsAreListedWithWhatTheyDo) {
  const auto game = rig_.make_game(player_, people_game("g"));
  rig_.ask<protocol::Subscribed>(player_, protocol::Subscribe{game, 0});
  rig_.connect();  // not welcomed
  const ConnId anonymous = enter("", "");
  const auto list = rig_.ask<ConnectionList>(chief_, Admin{"l", protocol::ListConnections{}});
  const std::vector<protocol::ConnectionInfo> expected{
      {{chief_.value}, "chief", "test", "127.0.0.1", 0, 0},
      {{player_.value}, "club", "club client", "127.0.0.1", 2, 1},
      {{anonymous.value}, "anonymous", "", "127.0.0.1", 0, 0}};
  EXPECT_EQ(list.connections, expected);
  EXPECT_FALSE(list.has_more);
  const auto rest =
      rig_.ask<ConnectionList>(chief_, Admin{"l", protocol::ListConnections{player_.value}});
  ASSERT_EQ(rest.connections.size(), 1u);
  EXPECT_EQ(rest.connections[0], expected[2]);
  EXPECT_EQ(logged("admin chief: lists connections"), 2u);
}

TEST_F(HubAdminTest, AListHasAThousandConnectionsAtMost) {
  for (int i = 0; i < 999; ++i) enter("");
  const auto list = rig_.ask<ConnectionList>(chief_, Admin{"l", protocol::ListConnections{}});
  ASSERT_EQ(list.connections.size(), 1'000u);
  EXPECT_TRUE(list.has_more);
  const auto last = list.connections.back().connection.value;
  const auto rest = rig_.ask<ConnectionList>(chief_, Admin{"l", protocol::ListConnections{last}});
  EXPECT_EQ(rest.connections.size(), 1u);
  EXPECT_FALSE(rest.has_more);
}

// ---- Notices

TEST_F(HubAdminTest, ANoticeIsPushedToEveryWelcomedConnection) {
  const ConnId json = rig_.connect(protocol::Format::Json);
  rig_.ask<protocol::Welcome>(json, protocol::Hello{protocol::kVersion, "test", kClub});
  const ConnId stranger = rig_.connect();
  const std::vector<std::string> expected{"We stop at noon"};
  EXPECT_EQ(rule(protocol::SendNotice{expected[0]}).connections, 3u);
  for (const ConnId id : {chief_, player_, json}) EXPECT_EQ(notices(id), expected);
  EXPECT_TRUE(rig_.frames(stranger).empty());
  EXPECT_EQ(logged("admin chief: tells 3 connections: We stop at noon"), 1u);
}

// ---- Engines and profiles

TEST_F(HubAdminTest, AnEngineIsReplacedAfterItsSearch) {
  const auto game = rig_.make_game(player_, engine_game("g"));
  rig_.ask<protocol::Accepted>(player_, rig_.play(game, "D4", 0));
  rule(protocol::RetireEngine{1});
  EXPECT_EQ(rig_.spawned(), 1u) << "it is still at it";
  rig_.finish_searches();
  EXPECT_EQ(rig_.ask<protocol::Snapshot>(player_, protocol::GetSnapshot{game}).moves.size(), 2u);
  EXPECT_EQ(rig_.spawned(), 2u);
  EXPECT_EQ(logged("admin chief: retires engine 1"), 1u);
  const auto gone = refused(protocol::RetireEngine{1});
  EXPECT_EQ(gone.code, ErrorCode::UnknownEngine);
  EXPECT_EQ(gone.reason, "engine");
}

TEST_F(HubAdminTest, ADrainedProfileHasNoNewGamesAndKeepsThoseItHas) {
  const auto game = rig_.make_game(player_, engine_game("g"));
  rule(protocol::DrainProfile{"fake", false});
  EXPECT_TRUE(engine_info().draining);
  const auto error = rig_.ask<Error>(player_, engine_game("h"));
  EXPECT_EQ(error.code, ErrorCode::Unavailable);
  EXPECT_EQ(error.reason, "profile_draining");
  EXPECT_GT(error.retry_after_ms, 0u);
  rig_.ask<protocol::GameCreated>(player_, engine_game("g"));  // a resend makes none
  rig_.ask<protocol::GameCreated>(player_, people_game("p"));

  rig_.advance(10min);  // its engine has quit by then
  rig_.ask<protocol::Accepted>(player_, rig_.play(game, "D4", 0));
  rig_.finish_searches();
  EXPECT_EQ(rig_.ask<protocol::Snapshot>(player_, protocol::GetSnapshot{game}).moves.size(), 2u);

  rule(protocol::DrainProfile{"fake", true});
  EXPECT_FALSE(engine_info().draining);
  rig_.ask<protocol::GameCreated>(player_, engine_game("h"));
  EXPECT_EQ(logged("admin chief: drains profile fake"), 1u);
  EXPECT_EQ(logged("admin chief: lets profile fake have new games again"), 1u);
  EXPECT_EQ(refused(protocol::DrainProfile{"other", false}).code, ErrorCode::UnknownProfile);
}

TEST_F(HubAdminTest, ADrainedProfileHasNoRematchesAndNoVirtualEngines) {
  const auto game = rig_.make_game(player_, engine_game("g"));
  rig_.ask<protocol::Accepted>(player_, protocol::Resign{game, 1, "r"});
  rule(protocol::DrainProfile{"fake", false});
  EXPECT_EQ(rig_.ask<Error>(player_, protocol::Rematch{game, 0}).reason, "profile_draining");
  const protocol::OpenVirtualEngine open{
      "fake", {}, {{9, 9}, 0, {}}, rules::find_preset("chinese")->rules};
  EXPECT_EQ(rig_.ask<Error>(player_, open).reason, "profile_draining");
  auto absent = people_game("a");
  absent.absence = 60s;
  absent.absence_profile = "fake";
  EXPECT_EQ(rig_.ask<Error>(player_, absent).reason, "profile_draining");
}

TEST_F(HubAdminTest, AReloadEndsTheDrain) {
  rule(protocol::DrainProfile{"fake", false});
  rig_.reload(rig_config().profiles);
  EXPECT_FALSE(engine_info().draining);
  rig_.ask<protocol::GameCreated>(player_, engine_game("h"));
}

TEST_F(HubAdminTest, AnAbsentPersonsSeatStillGoesToTheProfileThatItsGameNamed) {
  auto create = people_game("a");
  create.absence = 60s;
  create.absence_profile = "fake";
  const auto game = rig_.make_game(player_, create);
  rule(protocol::DrainProfile{"fake", false});
  rig_.disconnect(player_);
  rig_.advance(61s);
  const auto snapshot = rig_.ask<protocol::Snapshot>(chief_, protocol::GetSnapshot{game});
  EXPECT_FALSE(snapshot.result);
  EXPECT_EQ(snapshot.seats[0].profile, "fake");
}

// ---- Once

TEST_F(HubAdminTest, ARequestSentAgainIsDoneOnceAndAnsweredAgain) {
  const Admin notice{"n", protocol::SendNotice{"hello"}};
  EXPECT_EQ(rig_.ask<AdminDone>(chief_, notice).connections, 2u);
  enter("");
  EXPECT_EQ(rig_.ask<AdminDone>(chief_, notice).connections, 2u);
  EXPECT_EQ(notices(player_).size(), 1u);
  EXPECT_EQ(logged("admin chief: tells 2 connections: hello"), 1u);
  const auto other = rig_.ask<Error>(chief_, Admin{"n", protocol::SendNotice{"other"}});
  EXPECT_EQ(other.code, ErrorCode::RequestIdConflict);
}

TEST_F(HubAdminTest, WhatWasRefusedIsJudgedAnew) {
  const Admin kick{"k", Kick{ConnectionNumber{player_.value + 1}}};
  rig_.ask<Error>(chief_, kick);
  enter("");
  EXPECT_EQ(rig_.ask<AdminDone>(chief_, kick).connections, 1u);
}

TEST(HubAdmin, RemembersSoManyRequestsAndNoMore) {
  auto config = admin_config();
  config.limits.admin_kept_max = 2;
  HubRig rig(config);
  const ConnId chief = rig.connect();
  rig.ask<protocol::Welcome>(chief, protocol::Hello{protocol::kVersion, "test", kChief});
  const auto ask = [&](const std::string& id) {
    rig.ask<AdminDone>(chief, Admin{id, protocol::SendNotice{id}});
  };
  const auto pushed = [&] {
    const auto frames = rig.frames(chief);
    return std::count_if(frames.begin(), frames.end(), [](const protocol::ServerFrame& frame) {
      return std::holds_alternative<Notice>(frame.message);
    });
  };
  for (const char* id : {"1", "2", "3"}) ask(id);
  ask("2");
  EXPECT_EQ(pushed(), 3);
  ask("1");
  EXPECT_EQ(pushed(), 4) << "it has been forgotten";
}

}  // namespace
}  // namespace tengen::daemon
