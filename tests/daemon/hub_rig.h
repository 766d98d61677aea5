// The hub with a store in memory, scripted engines as its processes and clients made of frames, in
// virtual time. After each step it checks the hub's own bookkeeping.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/hub.h"
#include "tests/support/scripted_engine.h"

namespace tengen::daemon {

/// A profile "fake" for boards of 2 to 19 with a setting "level", and limits that a test can reach.
HubConfig rig_config();

/// A 9x9 game by the Chinese rules between two people, or a person and an engine.
protocol::CreateGame people_game(std::string request_id);
protocol::CreateGame engine_game(std::string request_id);

/// An engine that plays the first legal point.
tests::Script first_legal();
/// The same, but its searches end when the test says so.
tests::Script waiting_engine();

class HubRig {
 public:
  /// The n-th process follows the n-th script; the last one serves all that come later.
  explicit HubRig(HubConfig config = rig_config(), std::vector<tests::Script> scripts = {{}});

  Hub& hub() { return *hub_; }
  Now now() const { return now_; }

  // Clients.
  ConnId connect(protocol::Format format = protocol::Format::Binary,
                 std::string_view address = "127.0.0.1");
  /// Connects and is welcomed.
  ConnId join(protocol::Format format = protocol::Format::Binary);
  void disconnect(ConnId id);
  /// Sends a request and gives its frame id; the reply may come at once or later.
  std::uint32_t send(ConnId id, protocol::ClientMessage message);
  void send_bytes(ConnId id, protocol::FrameKind kind, std::string_view bytes);
  /// The reply to a frame; nothing while there is none. The test fails when there are two.
  std::optional<protocol::ServerMessage> reply_to(ConnId id, std::uint32_t frame) const;
  /// Sends and takes the reply, which must be there and be a Message.
  template <typename Message>
  Message ask(ConnId id, protocol::ClientMessage message) {
    const auto reply = reply_to(id, send(id, std::move(message)));
    const auto* found = reply ? std::get_if<Message>(&*reply) : nullptr;
    if (found == nullptr) complain(reply);
    return found != nullptr ? *found : Message{};
  }
  std::vector<protocol::ServerFrame> frames(ConnId id) const;
  /// Events pushed to a connection, all of them in the order they came.
  std::vector<rules::Event> pushed(ConnId id) const;
  std::optional<CloseConnection> closed(ConnId id) const;

  /// Makes a game and joins its human seats; its id.
  rules::GameId make_game(ConnId id, protocol::CreateGame create);
  protocol::Play play(rules::GameId game, std::string_view vertex, std::uint32_t position_seq,
                      std::string request_id = "", int slot = 0);

  // Agents over HTTP.
  /// Makes the request and gives its name; the answer may come at once or later.
  HttpId call(HttpRequest request);
  /// Nothing while there is none. The test fails when there are two.
  std::optional<HttpResponse> answer_to(HttpId id) const;
  void hang_up(HttpId id);

  // The world around the hub.
  /// While held, commits and loads wait.
  bool is_store_held = false;
  /// While held, what engines write waits.
  bool are_engines_held = false;
  /// The commit in flight becomes durable.
  void finish_commit();
  /// Carries out everything until nothing is left to do at this instant.
  void settle();
  void advance(std::chrono::nanoseconds by);
  /// Engines whose scripts let searches wait give the answers they withhold.
  void finish_searches();
  /// Engines at an analysis tell their next update, once each.
  void tick();
  void drain();
  /// A new hub on what is durable now, as after kill -9.
  void restart();
  /// The same with other profiles in the configuration.
  void restart(std::vector<pool::Profile> profiles);
  void reload(std::vector<pool::Profile> profiles);
  void set_access(AccessConfig config);
  /// Changes a durable event's bytes.
  void damage(rules::GameId game, std::size_t event) { games_.at(game).log.events.at(event) = "?"; }

  const std::vector<Commit>& commits() const { return commits_; }
  std::size_t loads() const { return loads_; }
  const std::vector<LogLine>& log() const { return log_; }
  std::size_t spawned() const { return spawned_; }
  bool has_written(std::string_view part) const;

 private:
  struct DurableGame {
    StoredGame log;
    bool is_finished = false;
  };
  struct EngineSays {
    pool::EngineId engine;
    std::string bytes;
    bool is_exit = false;
  };

  void boot();
  void carry_out(Effect effect);
  void answer_engine(const EngineSays& what);
  void feed(const pool::Write& write);
  void apply(const Batch& batch);
  static void complain(const std::optional<protocol::ServerMessage>& reply);

  HubConfig config_;
  std::vector<tests::Script> scripts_;
  Now now_;
  std::unique_ptr<Hub> hub_;
  Effects effects_;
  std::map<std::uint32_t, tests::ScriptedEngine> engines_;
  std::deque<EngineSays> said_;
  std::deque<pool::EngineId> starting_;
  std::map<rules::GameId, DurableGame> games_;
  std::vector<std::pair<std::string, rules::GameId>> requests_;
  std::vector<Commit> commits_;
  std::optional<Commit> in_flight_;
  std::deque<rules::GameId> to_load_;
  std::map<ConnId, protocol::Format> formats_;
  std::map<ConnId, std::vector<protocol::ServerFrame>> frames_;
  std::map<ConnId, CloseConnection> closed_;
  std::map<HttpId, std::vector<HttpResponse>> answers_;
  std::vector<LogLine> log_;
  std::string written_;
  std::size_t loads_ = 0;
  std::size_t spawned_ = 0;
  std::uint64_t next_connection_ = 1;
  std::uint64_t next_call_ = 1;
  std::uint32_t next_frame_ = 1;
  std::uint32_t next_request_ = 1;
};

}  // namespace tengen::daemon
