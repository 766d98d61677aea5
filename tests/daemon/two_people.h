// Two people at one game, and what they are told.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "tests/daemon/hub_rig.h"

namespace tengen::daemon {

template <typename Message>
std::vector<Message> pushes(const HubRig& rig, ConnId id) {
  std::vector<Message> found;
  for (const auto& frame : rig.frames(id)) {
    const auto* message = std::get_if<Message>(&frame.message);
    if (message != nullptr && frame.reply_to == 0) found.push_back(*message);
  }
  return found;
}

inline protocol::Snapshot snapshot_of(HubRig& rig, ConnId id, rules::GameId game) {
  return rig.ask<protocol::Snapshot>(id, protocol::GetSnapshot{game});
}

/// Two people at a game of their own connections.
struct Two {
  HubRig& rig;
  ConnId black;
  ConnId white;
  protocol::GameCreated game;

  Two(HubRig& hub_rig, protocol::CreateGame create)
      : rig(hub_rig), black(rig.join()), white(rig.join()) {
    game = rig.ask<protocol::GameCreated>(black, std::move(create));
    rig.ask<protocol::GameJoined>(black, protocol::JoinGame{game.tickets.at(0).ticket});
    rig.ask<protocol::GameJoined>(white, protocol::JoinGame{game.tickets.at(1).ticket});
  }
  void play(ConnId id, std::string_view vertex) {
    rig.ask<protocol::Accepted>(
        id, rig.play(game.game, vertex, snapshot_of(rig, id, game.game).position_seq));
  }
};

}  // namespace tengen::daemon
