// A hub with engines that analyse, for the tests of analysis.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {

/// Engines "kata" that analyse, up to three, and one "mute" that does not.
inline HubConfig analysis_config() {
  auto config = rig_config();
  pool::Profile mute = config.profiles.front();
  mute.name = "mute";
  mute.processes_max = 2;
  pool::Profile kata = mute;
  kata.name = "kata";
  kata.settings.clear();  // KataGo has no level
  kata.analysis = pool::AnalysisDialect::Kata;
  kata.processes_warm = 3;
  kata.processes_max = 3;
  kata.stream_limit = std::chrono::seconds(60);
  pool::Profile single = kata;
  single.name = "single";
  single.processes_warm = 0;
  single.processes_max = 1;
  config.profiles = {kata, mute, single};
  config.limits.analysis = {4, 3, 2};
  return config;
}

inline tests::Script katago() {
  tests::Script script;
  script.persona = tests::Persona::KataGo;
  return script;
}

inline protocol::StartAnalysis analysis_of(protocol::AnalysisSource source) {
  protocol::StartAnalysis start;
  start.source = std::move(source);
  start.profile = "kata";
  return start;
}

inline protocol::PositionSource small_position(std::vector<rules::Move> moves = {}) {
  protocol::PositionSource position;
  position.size = {5, 5};
  position.rules = rules::find_preset("chinese")->rules;
  position.moves = std::move(moves);
  if (!position.moves.empty()) position.to_move = other(position.moves.back().color);
  return position;
}

class HubAnalysisTest : public testing::Test {
 protected:
  explicit HubAnalysisTest(tests::Script script = katago()) : rig_(analysis_config(), {script}) {
    player_ = rig_.join();
    watcher_ = rig_.join();
  }

  rules::GameId make_game(rules::AnalysisPolicy policy) {
    auto create = people_game("game");
    create.analysis = policy;
    return rig_.make_game(player_, create);
  }
  void play(rules::GameId game, const char* vertex) {
    rig_.ask<protocol::Accepted>(player_,
                                 rig_.play(game, vertex, played_, "", played_ % 2 == 0 ? 1 : 2));
    ++played_;
  }
  void resign(rules::GameId game) {
    rig_.ask<protocol::Accepted>(player_, protocol::Resign{game, 1, "resign"});
  }
  std::uint32_t start(ConnId id, protocol::StartAnalysis what) {
    return rig_.ask<protocol::AnalysisStarted>(id, std::move(what)).analysis;
  }
  protocol::Error refused(ConnId id, protocol::ClientMessage what) {
    return rig_.ask<protocol::Error>(id, std::move(what));
  }
  template <typename Message>
  std::vector<Message> pushes(ConnId id) const {
    std::vector<Message> all;
    for (const auto& frame : rig_.frames(id)) {
      if (const auto* push = std::get_if<Message>(&frame.message)) all.push_back(*push);
    }
    return all;
  }
  std::vector<protocol::AnalysisUpdate> updates(ConnId id) const {
    return pushes<protocol::AnalysisUpdate>(id);
  }
  int streaming() const { return rig_.hub().pool().statuses().front().streaming; }

  mutable HubRig rig_;
  ConnId player_;
  ConnId watcher_;
  std::uint32_t played_ = 0;
};

}  // namespace tengen::daemon
