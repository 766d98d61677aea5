// Virtual GTP engines by frame: opened, called, closed, gone on with from elsewhere, and counted.
#include <gtest/gtest.h>

#include "protocol/gtp_calls.h"
#include "tests/daemon/hub_rig.h"
#include "tests/daemon/virtual_rig.h"

namespace tengen::daemon {
namespace {

using protocol::CallVirtualEngine;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GtpReply;
using protocol::OpenVirtualEngine;
using protocol::VirtualEngineOpened;

OpenVirtualEngine on_nine() {
  return {"fake", {}, {{9, 9}, 15, {}}, rules::find_preset("chinese")->rules};
}

/// The text that answers a raw command.
std::string raw(HubRig& rig, ConnId id, protocol::VirtualEngineId engine, std::string line) {
  return rig.ask<GtpReply>(id, CallVirtualEngine{engine, "Raw", std::move(line), ""}).bytes;
}

TEST(HubVirtualTest, AnEngineIsOpenedCalledAndClosed) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto engine = rig.ask<VirtualEngineOpened>(client, on_nine()).engine;
  EXPECT_EQ(raw(rig, client, engine, "final_score").substr(0, 2), "= ");
  EXPECT_EQ(
      rig.ask<protocol::VirtualEngineClosed>(client, protocol::CloseVirtualEngine{engine}).engine,
      engine);
  const auto late = rig.ask<Error>(client, CallVirtualEngine{engine, "Raw", "showboard", ""});
  EXPECT_EQ(late.code, ErrorCode::UnknownEngine);
}

TEST(HubVirtualTest, WhoeverKnowsItsNameGoesOnWithIt) {
  HubRig rig;
  const ConnId first = rig.join();
  const auto engine = rig.ask<VirtualEngineOpened>(first, on_nine()).engine;
  const auto moved = rig.ask<GtpReply>(
      first,
      CallVirtualEngine{engine, "GenMove", tests::color_request(1, rules::Color::Black), "m1"});
  rig.disconnect(first);
  const ConnId second = rig.join();
  // A resend gets the first answer, and no second move is made.
  const auto again = rig.ask<GtpReply>(
      second,
      CallVirtualEngine{engine, "GenMove", tests::color_request(1, rules::Color::Black), "m1"});
  EXPECT_EQ(again.bytes, moved.bytes);
  EXPECT_NE(raw(rig, second, engine, "showboard").find('X'), std::string::npos);
}

OpenVirtualEngine named(std::string request_id) {
  auto open = on_nine();
  open.request_id = std::move(request_id);
  return open;
}

TEST(HubVirtualTest, AnOpeningWhoseAnswerWasLostOpensNoSecondEngine) {
  auto config = rig_config();
  config.access.anonymous.quotas.virtual_engines_max = 1;
  HubRig rig(config);
  const ConnId first = rig.join();
  rig.send(first, named("open"));
  rig.disconnect(first);
  const ConnId second = rig.join();
  const auto engine = rig.ask<VirtualEngineOpened>(second, named("open")).engine;
  EXPECT_EQ(rig.ask<VirtualEngineOpened>(second, named("open")).engine, engine);
  EXPECT_EQ(raw(rig, second, engine, "final_score").substr(0, 2), "= ");
  EXPECT_EQ(rig.ask<Error>(second, named("another")).reason, "token_virtual_engines_max");
  rig.ask<protocol::VirtualEngineClosed>(second, protocol::CloseVirtualEngine{engine});
  // It has ended: the same name is free, and nothing is left over.
  EXPECT_NE(rig.ask<VirtualEngineOpened>(second, named("open")).engine, engine);
}

TEST(HubVirtualTest, AnotherOpeningUnderTheSameNameIsRefused) {
  HubRig rig;
  const ConnId client = rig.join();
  rig.ask<VirtualEngineOpened>(client, named("open"));
  auto larger = named("open");
  larger.start.size = {13, 13};
  EXPECT_EQ(rig.ask<Error>(client, larger).code, ErrorCode::RequestIdConflict);
  auto weaker = named("open");
  weaker.settings = {{"level", "1"}};
  EXPECT_EQ(rig.ask<Error>(client, weaker).code, ErrorCode::RequestIdConflict);
  auto japanese = named("open");
  japanese.rules = rules::find_preset("japanese")->rules;
  EXPECT_EQ(rig.ask<Error>(client, japanese).code, ErrorCode::RequestIdConflict);
}

TEST(HubVirtualTest, WithoutANameEachOpeningIsAnother) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto one = rig.ask<VirtualEngineOpened>(client, named("")).engine;
  EXPECT_NE(rig.ask<VirtualEngineOpened>(client, named("")).engine, one);
}

// A name is a token's own.
TEST(HubVirtualTest, NobodyIsGivenAnothersEngineByItsName) {
  const std::string one = "tengen_0123456789abcdefghijklmnopqrstuv";
  const std::string two = "tengen_another_secret_of_somebody_else";
  auto config = rig_config();
  config.access.tokens = {{"one", hash_of(one), {Role::Play}, kNoQuotas},
                          {"two", hash_of(two), {Role::Play}, kNoQuotas}};
  HubRig rig(config);
  const auto enter = [&](const std::string& token) {
    const ConnId id = rig.connect();
    rig.ask<protocol::Welcome>(id, protocol::Hello{protocol::kVersion, "test", token});
    return id;
  };
  const auto engine = rig.ask<VirtualEngineOpened>(enter(one), named("open")).engine;
  EXPECT_NE(rig.ask<VirtualEngineOpened>(enter(two), named("open")).engine, engine);
  EXPECT_NE(rig.ask<VirtualEngineOpened>(enter(""), named("open")).engine, engine);
  EXPECT_EQ(rig.ask<VirtualEngineOpened>(enter(one), named("open")).engine, engine);
}

TEST(HubVirtualTest, AnUnknownProfileIsRefused) {
  HubRig rig;
  auto open = on_nine();
  open.profile = "nobody";
  EXPECT_EQ(rig.ask<Error>(rig.join(), open).code, ErrorCode::UnknownProfile);
}

TEST(HubVirtualTest, AConnectionHasSoManyAndAClosedOneMakesRoom) {
  auto config = rig_config();
  config.limits.virtuals.engines_per_owner_max = 2;
  HubRig rig(config);
  const ConnId client = rig.join();
  const auto first = rig.ask<VirtualEngineOpened>(client, on_nine()).engine;
  rig.ask<VirtualEngineOpened>(client, on_nine());
  EXPECT_EQ(rig.ask<Error>(client, on_nine()).reason, "engines_per_owner_max");
  rig.ask<protocol::VirtualEngineClosed>(client, protocol::CloseVirtualEngine{first});
  rig.ask<VirtualEngineOpened>(client, on_nine());
}

TEST(HubVirtualTest, AnIdleOneEnds) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto engine = rig.ask<VirtualEngineOpened>(client, on_nine()).engine;
  rig.advance(std::chrono::minutes(30));
  const auto late = rig.ask<Error>(client, CallVirtualEngine{engine, "Raw", "showboard", ""});
  EXPECT_EQ(late.code, ErrorCode::UnknownEngine);
}

}  // namespace
}  // namespace tengen::daemon
