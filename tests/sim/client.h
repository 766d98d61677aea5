// A seeded client: it makes games, plays its seats with legal moves it works out itself, and does
// what clients do to servers: resends, stale moves, garbage, abrupt ends, reconnects with the last
// sequence. It keeps its own copy of each game and its own ledger of what was acknowledged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/effects.h"
#include "protocol/codec.h"
#include "rules/game.h"
#include "sim/line.h"

namespace tengen::sim {

class World;

class Client final : public Line {
 public:
  Client(World& world, std::uint64_t number);

  void start();
  bool is_done() const;
  void check_end() const;

  std::optional<daemon::ConnId> connection() const override { return connection_; }
  protocol::Format format() const override { return format_; }
  void on_connecting(daemon::ConnId id) override;
  void on_disconnected() override;
  void on_frame(daemon::ConnId id, const protocol::ServerFrame& frame) override;

 private:
  /// What was acknowledged, and must be in the log for ever.
  struct Acknowledged {
    std::uint32_t seq;
    protocol::ClientMessage act;
  };
  struct Table {
    protocol::CreateGame create;
    std::optional<rules::GameId> id;
    std::vector<protocol::TicketOf> tickets;
    std::optional<rules::Game> copy;
    std::optional<protocol::ClientMessage> act;  // not answered yet
    std::map<std::string, Acknowledged> ledger;  // by request id
    // On this connection.
    bool is_asking = false;  // for creation, the snapshot, a seat or the subscription
    std::set<int> joined;
    bool is_subscribed = false;
    bool is_act_sent = false;
  };
  struct Sent {
    protocol::ClientMessage message;
    std::size_t table = 0;
    bool must_be_refused = false;
    daemon::TimePoint at;
  };

  void think();
  void step();
  void step_table(std::size_t at);
  void act(std::size_t at);
  void misbehave();
  void ask(protocol::ClientMessage message, std::size_t table, bool must_be_refused = false);
  protocol::CreateGame make_request();
  rules::TimeControl make_clock(const protocol::CreateGame& create);
  std::optional<protocol::ClientMessage> choose_act(const Table& table);
  std::optional<protocol::ClientMessage> choose_act_after_stop(const Table& table);
  std::optional<protocol::ClientMessage> choose_talk(const Table& table);
  protocol::ActBody choose_body(const rules::Game& game, rules::Color color);
  std::string next_request_id();

  void on_reply(const Sent& sent, const protocol::ServerMessage& message);
  void on_accepted(Table& table, const Sent& sent, const protocol::Accepted& accepted);
  void on_error(Table& table, const Sent& sent, const protocol::Error& error);
  void on_snapshot(Table& table, const protocol::Snapshot& snapshot);
  void take(Table& table, const protocol::GameEvents& events);
  void take(rules::Game& copy, const rules::Event& event);

  World& world_;
  std::uint64_t number_;
  std::uint64_t next_request_ = 1;
  std::vector<Table> tables_;
  std::optional<daemon::ConnId> connection_;
  protocol::Format format_ = protocol::Format::Binary;
  bool is_welcome_ = false;
  bool is_greeting_ = false;
  bool sent_garbage_ = false;  // on this connection
  std::uint32_t next_frame_ = 1;
  std::map<std::uint32_t, Sent> in_flight_;
};

}  // namespace tengen::sim
