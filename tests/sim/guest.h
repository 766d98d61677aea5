// A seeded guest: takes open seats, leaves games alone so that their absence ends them, asks for
// rematches, lists, watches, asks about boards, opens virtual engines and forgets them. It follows
// what it watches event by event, and knows that every request is answered once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rules/game_id.h"
#include "sim/line.h"

namespace tengen::sim {

class World;

class Guest final : public Line {
 public:
  Guest(World& world, std::uint64_t number);

  void start();
  /// Nothing that it made waits for anybody any more.
  bool is_done() const { return in_flight_.empty() && open_.empty(); }

  std::optional<daemon::ConnId> connection() const override { return connection_; }
  protocol::Format format() const override { return protocol::Format::Binary; }
  void on_connecting(daemon::ConnId id) override;
  void on_disconnected() override;
  void on_frame(daemon::ConnId id, const protocol::ServerFrame& frame) override;

 private:
  void think();
  void step();
  void do_anything();
  void make_game();
  void ask(protocol::ClientMessage message);
  void on_reply(const protocol::ClientMessage& asked, const protocol::ServerMessage& message);
  void take(const protocol::GameEvents& events);
  std::optional<rules::GameId> own_game();
  std::string next_request_id();

  World& world_;
  std::uint64_t number_;
  std::uint64_t next_request_ = 1;
  std::uint32_t next_frame_ = 1;
  std::optional<daemon::ConnId> connection_;
  bool is_welcome_ = false;
  std::map<std::uint32_t, protocol::ClientMessage> in_flight_;  // on this connection
  std::vector<protocol::CreateGame> creations_;                 // not answered yet
  std::map<rules::GameId, protocol::TakeSeat> open_;  // seats of its own games to be taken
  std::set<rules::GameId> taken_;                     // sat down at, on this connection
  std::map<rules::GameId, std::uint32_t> watched_;    // the last event seen
  std::vector<protocol::VirtualEngineId> engines_;
};

}  // namespace tengen::sim
