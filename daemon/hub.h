// The whole daemon without I/O: connections and their sessions, games and their watchers, the pool
// and the journal. Events and the turn's time go in, effects come out; end_turn closes each turn.
// The server is its carrier in production, the simulator in tests.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/deadlines.h"
#include "daemon/effects.h"
#include "daemon/journal.h"
#include "daemon/match.h"
#include "daemon/tickets.h"
#include "pool/pool.h"
#include "protocol/session.h"

namespace tengen::daemon {

/// What can grow in the hub, and how far.
struct HubLimits {
  protocol::Limits session;
  std::uint32_t connections_max = 10'000;
  std::uint32_t games_max = 10'000;           // unfinished ones
  std::uint32_t finished_kept_max = 256;      // in memory; older ones are loaded when asked for
  std::uint32_t subscriptions_max = 64;       // per connection
  std::uint32_t seats_max = 64;               // joined per connection
  std::uint32_t watchers_max = 10'000;        // per game
  std::uint32_t parked_max = 1'024;           // requests that wait for a game to be loaded
  std::uint32_t events_in_reply_max = 4'096;  // a longer gap is answered with a snapshot
  std::uint32_t requests_kept_max = 65'536;   // remembered CreateGame requests
  std::uint32_t heartbeat_ms = 15'000;        // published; the shell pings as often
};

struct HubConfig {
  HubLimits limits;
  std::vector<pool::Profile> profiles;
  std::string server;  // "tengend 0.1.0"
  TicketKey ticket_key{};
  std::uint64_t seed = 0;  // of game ids, random colours and back-off jitter
};

class Hub {
 public:
  explicit Hub(HubConfig config);

  /// Takes up the games of an earlier run, before start. Names what cannot be: a log that the rules
  /// do not reproduce, a header of another version.
  [[nodiscard]] std::optional<std::string> restore(StoredState state);
  /// Warms the engines and lets restored games go on.
  void start(Now now, Effects& out);

  void on_connected(ConnId connection, protocol::Format format, Now now, Effects& out);
  void on_frame(ConnId connection, protocol::FrameKind kind, std::string_view bytes, Now now,
                Effects& out);
  void on_disconnected(ConnId connection);

  void on_stored(Ticket ticket, Effects& out);
  void on_loaded(LoadedGame loaded, Now now, Effects& out);

  void on_spawned(pool::EngineId engine, int pid, Now now, Effects& out);
  void on_spawn_failed(pool::EngineId engine, std::string_view reason, Now now, Effects& out);
  void on_output(pool::EngineId engine, std::string_view bytes, Now now, Effects& out);
  void on_error_output(pool::EngineId engine, std::string_view bytes, Now now, Effects& out);
  void on_memory(pool::EngineId engine, std::uint64_t resident_bytes, Now now, Effects& out);
  void on_exit(pool::EngineId engine, pool::ExitStatus status, Now now, Effects& out);

  std::optional<TimePoint> deadline() const { return deadlines_.next(); }
  void on_deadline(Now now, Effects& out);
  /// Ends a turn: engines get their next jobs, and what was changed goes to the store.
  void end_turn(Now now, Effects& out);

  /// The configuration has changed; see Pool::reload. Games in play are never too many.
  void reload(std::vector<pool::Profile> profiles, std::uint32_t games_max, Now now, Effects& out);
  /// No new connections or games; clients are told to come back, engines quit.
  void drain(Now now, Effects& out);
  bool is_draining() const { return draining_; }
  /// After drain: no engine is left and everything is stored.
  bool is_drained() const { return draining_ && pool_.is_gone() && journal_.is_settled(); }

  const pool::Pool& pool() const { return pool_; }
  std::size_t games() const { return games_.size(); }
  std::size_t games_in_play() const { return unfinished_; }
  std::size_t connections() const { return connections_.size(); }
  /// What is broken in the hub's own bookkeeping; nothing when all is well. For the simulator.
  std::optional<std::string> broken_invariant() const;

 private:
  struct Connection {
    protocol::Session session;
    std::vector<SeatOf> seats;
    std::vector<rules::GameId> subscriptions;
    std::uint32_t held_replies = 0;  // wait for the store; they still count as in flight
  };
  struct Entry {
    Match match;
    Ticket last;                  // the batch that holds its latest change
    std::uint32_t published = 0;  // events up to here are in the journal
    std::vector<ConnId> watchers;
    pool::ClientId client;  // whose connection made it; after a restart one of its own
  };
  struct Parked {
    ConnId connection;
    protocol::Request request;
  };
  /// What has a deadline: the pool, a connection's session, a match.
  struct PoolKey {
    friend auto operator<=>(const PoolKey&, const PoolKey&) = default;
  };
  using Key = std::variant<PoolKey, ConnId, rules::GameId>;

  void carry(ConnId connection, protocol::SessionEffects effects, Now now, Effects& out);
  void on_request(ConnId id, protocol::Request request, Now now, Effects& out);
  void reply(ConnId connection, std::uint32_t request, const protocol::ServerMessage& message,
             Ticket after, Effects& out);
  void refuse(ConnId connection, std::uint32_t request, protocol::Error error, Effects& out);

  // Requests that name no game (hub_requests.cc).
  void handle(ConnId id, std::uint32_t request, protocol::Hello& hello, Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::ListEngines& list, Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::Ping& ping, Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::CreateGame& create, Now now,
              Effects& out);
  std::optional<protocol::Error> judge(const protocol::CreateGame& create) const;
  rules::Header header_of(protocol::CreateGame& create, Now now);
  protocol::GameCreated created(const Match& match) const;
  std::vector<protocol::EngineInfo> engine_infos() const;

  // Requests about one game; they wait until it is in memory (hub_requests.cc).
  void handle(ConnId id, std::uint32_t request, protocol::JoinGame& join, Entry& entry, Now now,
              Effects& out);
  template <typename Act>
  void handle_act(ConnId id, std::uint32_t request, const Act& act, Entry& entry, Now now,
                  Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::GetLegalMoves& get, Entry& entry,
              Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::Subscribe& subscribe, Entry& entry,
              Now now, Effects& out);
  void handle_in_game(ConnId id, protocol::Request& request, Entry& entry, Now now, Effects& out);
  std::optional<rules::GameId> game_of(const protocol::ClientMessage& message) const;
  void leave_finished(std::vector<SeatOf>& seats) const;
  /// The slot an act is for, or 0 when the connection has not joined it.
  int slot_of_act(const Connection& connection, rules::GameId game, int slot) const;

  // Games (hub_games.cc).
  Entry& add_match(rules::Game game, Ticket last, std::uint32_t published);
  /// The game as it is now; every snapshot that is sent is made here.
  protocol::Snapshot snapshot(const Entry& entry, Now now) const;
  std::optional<protocol::Waiting> waiting_of(const Match& match) const;
  void park(ConnId id, protocol::Request request, rules::GameId game, Effects& out);
  void settle(Entry& entry, MatchEffects effects, Now now, Effects& out);
  void publish(Entry& entry, Effects& out);
  std::vector<rules::Event> record(Entry& entry, Effects& out);
  static void note_fault(const rules::Game& game, const rules::Event& event, Effects& out);
  void push(const Entry& entry, std::vector<rules::Event> events, std::optional<ConnId> actor,
            Effects& out);
  void submit(std::vector<pool::Job> jobs, Now now, Effects& out);
  void dispatch(Now now, Effects& out);
  void carry_pool(pool::Effects& effects, Now now, Effects& out);
  void on_job_done(const pool::JobDone& done, Now now, Effects& out);
  static void note_failure(const Entry& entry, const pool::JobFailure& failure, rules::Color color,
                           Effects& out);
  void on_job_moved(const pool::JobMoved& moved, Effects& out) const;
  void retire_finished();
  void remember_request(std::string request_id, rules::GameId game);
  void unsubscribe(ConnId connection, rules::GameId game);

  HubLimits limits_;
  std::string server_;
  TicketKey ticket_key_;
  std::mt19937_64 random_;
  pool::Pool pool_;
  pool::Effects dispatched_;  // of one call, kept for its memory
  Journal journal_;
  Deadlines<Key> deadlines_;
  std::unordered_map<ConnId, Connection> connections_;
  std::unordered_map<rules::GameId, std::unique_ptr<Entry>> games_;
  std::unordered_map<std::uint32_t, Entry*> by_number_;  // unfinished or finished, all in games_
  std::uint32_t next_number_ = 1;
  std::uint32_t unfinished_ = 0;
  std::deque<rules::GameId> finished_;  // in memory, the oldest first
  std::unordered_map<rules::GameId, std::vector<Parked>> parked_;
  std::size_t parked_count_ = 0;
  std::unordered_map<std::string, rules::GameId> requests_;  // by request id of CreateGame
  std::deque<std::string> request_order_;
  bool draining_ = false;
};

}  // namespace tengen::daemon
