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
      CallVirtualEngine{engine, "GenMove", testing::color_request(1, rules::Color::Black), "m1"});
  rig.disconnect(first);
  const ConnId second = rig.join();
  // A resend gets the first answer, and no second move is made.
  const auto again = rig.ask<GtpReply>(
      second,
      CallVirtualEngine{engine, "GenMove", testing::color_request(1, rules::Color::Black), "m1"});
  EXPECT_EQ(again.bytes, moved.bytes);
  EXPECT_NE(raw(rig, second, engine, "showboard").find('X'), std::string::npos);
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
