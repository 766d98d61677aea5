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

#include "daemon/agent_seats.h"
#include "daemon/analyses.h"
#include "daemon/deadlines.h"
#include "daemon/effects.h"
#include "daemon/engine_seats.h"
#include "daemon/game_at.h"
#include "daemon/gate.h"
#include "daemon/http_route.h"
#include "daemon/journal.h"
#include "daemon/match.h"
#include "daemon/rematch_offers.h"
#include "daemon/tickets.h"
#include "daemon/usage.h"
#include "daemon/virtual_engines.h"
#include "pool/pool.h"
#include "protocol/agent_view.h"
#include "protocol/session.h"

namespace tengen::daemon {

/// What can grow in the hub, and how far.
struct HubLimits {
  protocol::Limits session;
  std::uint32_t connections_max = 10'000;
  std::uint32_t games_max = 10'000;       // unfinished ones
  std::uint32_t finished_kept_max = 256;  // in memory; older ones are loaded when asked for
  std::chrono::milliseconds finished_kept_for{600'000};  // there, watched or not
  std::uint32_t rematches_kept_max = 4'096;   // finished games of which a rematch is offered
  std::uint32_t subscriptions_max = 64;       // per connection
  std::uint32_t seats_max = 64;               // joined per connection
  std::uint32_t watchers_max = 10'000;        // per game
  std::uint32_t parked_max = 1'024;           // requests that wait for a game to be loaded
  std::uint32_t events_in_reply_max = 4'096;  // a longer gap is answered with a snapshot
  std::uint32_t requests_kept_max = 65'536;   // remembered CreateGame requests
  std::uint32_t admin_kept_max = 256;         // remembered Admin requests
  AgentLimits agents;
  AnalysisLimits analysis;
  RateLimits rates;
  VirtualLimits virtuals;
  std::uint32_t heartbeat_ms = 15'000;  // published; the shell pings as often
};

struct HubConfig {
  HubLimits limits;
  std::vector<pool::Profile> profiles;
  std::string server;  // "tengend 0.1.0"
  AccessConfig access;
  std::string public_url;  // "http://127.0.0.1:8374", without a slash at the end
  TicketKey ticket_key{};
  std::uint64_t seed = 0;  // of game ids, random colours and back-off jitter
};

/// An agent's call over HTTP, or a look at a game's page.
struct AgentCall {
  HttpId id;
  HttpCall what = HttpCall::Watch;  // or one of those with a ticket
  SeatOf seat;                      // who calls; slot 0 with Watch
  HttpRequest request;
};

class Hub {
 public:
  explicit Hub(HubConfig config);

  /// Takes up the games of an earlier run, before start. Names what cannot be: a log that the rules
  /// do not reproduce, a header of another version.
  [[nodiscard]] std::optional<std::string> restore(StoredState state);
  /// Warms the engines and lets restored games go on.
  void start(Now now, Effects& out);

  /// `address` is where it comes from, without a port.
  void on_connected(ConnId connection, protocol::Format format, std::string_view address, Now now,
                    Effects& out);
  void on_frame(ConnId connection, protocol::FrameKind kind, std::string_view bytes, Now now,
                Effects& out);
  void on_disconnected(ConnId connection, Now now, Effects& out);

  /// A plain HTTP request for /v1/... or /watch/..., answered once by an HttpAnswer unless its peer
  /// goes first.
  void on_http(HttpId id, HttpRequest request, Now now, Effects& out);
  void on_http_gone(HttpId id, Now now);

  void on_stored(Ticket ticket, Now now, Effects& out);
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
  /// How the daemon is reached from outside, for links: without a slash at the end.
  void set_public_url(std::string url) { public_url_ = std::move(url); }
  /// Tokens and roles have changed; connections whose tokens are gone are closed.
  void set_access(AccessConfig config, Effects& out);
  /// No new connections or games; clients are told to come back, engines quit.
  void drain(Now now, Effects& out);
  bool is_draining() const { return draining_; }
  /// After drain: no engine is left and everything is stored.
  bool is_drained() const { return draining_ && pool_.is_gone() && journal_.is_settled(); }

  const pool::Pool& pool() const { return pool_; }
  std::size_t games() const { return games_.size(); }
  std::size_t games_in_play() const { return unfinished_; }
  std::size_t connections() const { return connections_.size(); }
  std::size_t analyses() const { return analyses_.running(); }
  /// Agents' calls that wait for their turn.
  std::size_t open_waits() const { return waits_.size(); }
  /// Requests and calls that wait for a game to be loaded.
  std::size_t parked_calls() const { return parked_count_; }
  /// What is broken in the hub's own bookkeeping; nothing when all is well. For the simulator.
  std::optional<std::string> broken_invariant() const;

 private:
  struct Connection {
    protocol::Session session;
    std::vector<SeatOf> seats;
    std::vector<rules::GameId> subscriptions;
    AccessToken caller{};   // without a role until Hello
    std::string account{};  // what it has is counted there
    Peer peer{""};
    Bucket bucket{};
    std::string address{};  // without a port
    std::string client{};   // as Hello says
  };
  struct Entry {
    Match match;
    Ticket last;                  // the batch that holds its latest change
    std::uint32_t published = 0;  // events up to here are in the journal
    std::vector<ConnId> watchers;
    std::string maker;                   // its account; empty after a restart
    pool::ClientId client;               // whose connection made it; after a restart one of its own
    std::unique_ptr<AgentSeats> agents;  // absent where no agent plays
    std::array<std::vector<ConnId>, 2> holders{};  // by slot: connections that have joined it
    std::array<TimePoint, 2> away_since{};         // by slot, while nobody holds it
    std::uint32_t released = 0;  // events that spectators of a delayed broadcast have seen
    mutable PastGame past{};     // as they see it
  };
  struct FrameCall {
    ConnId connection;
    protocol::Request request;
  };
  using Parked = std::variant<FrameCall, AgentCall>;
  /// What has a deadline: the pool, a connection's session, a match, and what belongs to one.
  struct PoolKey {
    friend auto operator<=>(const PoolKey&, const PoolKey&) = default;
  };
  /// The agents of a game: their waits and silences.
  struct AgentsKey {
    rules::GameId game;
    friend auto operator<=>(const AgentsKey&, const AgentsKey&) = default;
  };
  struct AnalysesKey {
    friend auto operator<=>(const AnalysesKey&, const AnalysesKey&) = default;
  };
  /// The people of a game who are away.
  struct AbsenceKey {
    rules::GameId game;
    friend auto operator<=>(const AbsenceKey&, const AbsenceKey&) = default;
  };
  /// What spectators of a game may see next.
  struct BroadcastKey {
    rules::GameId game;
    friend auto operator<=>(const BroadcastKey&, const BroadcastKey&) = default;
  };
  /// A finished game that is to go from memory.
  struct FinishedKey {
    rules::GameId game;
    friend auto operator<=>(const FinishedKey&, const FinishedKey&) = default;
  };
  struct VirtualKey {
    friend auto operator<=>(const VirtualKey&, const VirtualKey&) = default;
  };
  using Key = std::variant<VirtualKey, PoolKey, ConnId, rules::GameId, AgentsKey, AbsenceKey,
                           BroadcastKey, FinishedKey, AnalysesKey>;

  void carry(ConnId connection, protocol::SessionEffects effects, Now now, Effects& out);
  void on_request(ConnId id, protocol::Request request, Now now, Effects& out);
  void reply(ConnId connection, std::uint32_t request, const protocol::ServerMessage& message,
             Ticket after, Effects& out);
  void refuse(ConnId connection, std::uint32_t request, protocol::Error error, Effects& out);
  void push_to(ConnId id, const Connection& connection, protocol::ServerMessage message,
               Ticket after, Effects& out);

  // Requests that name no game (hub_requests.cc).
  void handle(ConnId id, std::uint32_t request, protocol::Hello& hello, Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::ListEngines& list, Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::Ping& ping, Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::CreateGame& create, Now now,
              Effects& out);
  std::optional<protocol::Error> judge_new_game() const;
  std::optional<protocol::Error> judge(const protocol::CreateGame& create) const;
  rules::GameId fresh_game_id(Now now);
  rules::Header header_of(protocol::CreateGame& create, Now now);
  protocol::GameCreated created(const Match& match) const;
  std::vector<protocol::EngineInfo> engine_infos() const;

  // Requests about one game; they wait until it is in memory (hub_requests.cc).
  template <typename Act>
  void handle_act(ConnId id, std::uint32_t request, const Act& act, Entry& entry, Now now,
                  Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::GetLegalMoves& get,
              const Entry& entry, Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::Subscribe& subscribe, Entry& entry,
              Now now, Effects& out);
  void handle_in_game(ConnId id, protocol::Request& request, Entry& entry, Now now, Effects& out);
  std::optional<rules::GameId> game_of(const protocol::ClientMessage& message) const;
  /// The slot an act is for, or 0 when the connection has not joined it.
  int slot_of_act(const Connection& connection, rules::GameId game, int slot) const;
  static protocol::Error not_your_seat();

  void handle(ConnId id, std::uint32_t request, const protocol::Query& query, const Entry& entry,
              Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::ListGames& list, Now now,
              Effects& out);

  // Who may do what (hub_access.cc).
  std::optional<protocol::Error> objection_to_caller(Connection& connection,
                                                     const protocol::ClientMessage& message,
                                                     Now now);
  bool authenticate(ConnId id, std::uint32_t request, const protocol::Hello& hello, Now now,
                    Effects& out);
  void check_callers(Effects& out);
  std::optional<protocol::Error> take_quota(const Connection& connection, Holding what);

  // Operators (hub_admin.cc). The entry is null unless a game is to be ended.
  struct Deed;
  using Outcome = std::variant<Deed, protocol::Error>;
  void handle(ConnId id, std::uint32_t request, const protocol::Admin& admin, Entry* entry, Now now,
              Effects& out);
  Outcome carry_out(const protocol::AdminVerb& verb, Entry* entry, Now now, Effects& out);
  bool answer_admin_again(ConnId id, std::uint32_t request, const protocol::Admin& admin,
                          Effects& out);
  void remember_admin(const std::string& token, const protocol::Admin& admin,
                      protocol::AdminDone done);
  Outcome end_game(const protocol::EndGame& end, Entry& entry, Now now, Effects& out);
  Outcome kick(const protocol::Kick& kick) const;
  Outcome revoke_token(const protocol::RevokeToken& revoke);
  Outcome retire_engine(const protocol::RetireEngine& retire, Now now, Effects& out);
  Outcome drain_profile(const protocol::DrainProfile& drain);
  Outcome send_notice(const protocol::SendNotice& notice) const;
  void push_notice(const std::string& text, Effects& out);
  std::vector<ConnId> connections_of(std::string_view token) const;
  protocol::ConnectionList list_connections(std::uint64_t after) const;

  // Virtual GTP engines (hub_virtual.cc).
  void handle(ConnId id, std::uint32_t request, protocol::OpenVirtualEngine& open, Now now,
              Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::CallVirtualEngine& call, Now now,
              Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::CloseVirtualEngine& close, Now now,
              Effects& out);
  void carry_virtual(VirtualEffects effects, Now now, Effects& out);

  // Seats and who is at them, and what spectators see (hub_people.cc).
  void handle(ConnId id, std::uint32_t request, protocol::JoinGame& join, Entry& entry, Now now,
              Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::TakeSeat& take, Entry& entry,
              Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::Rematch& rematch, Entry& entry,
              Now now, Effects& out);
  protocol::GameJoined joined(const Entry& entry, int slot, Now now) const;
  std::optional<protocol::Error> objection_to_sitting(ConnId id, SeatOf seat, const Entry& entry);
  std::optional<protocol::Error> sit_down(ConnId id, SeatOf seat, Entry& entry, Now now,
                                          Effects& out);
  void leave_finished(ConnId id);
  void stand_up(ConnId id, const std::vector<SeatOf>& seats, Now now, Effects& out);
  static std::array<bool, 2> presence_of(const Entry& entry);
  void push_presence(const Entry& entry, int slot, Effects& out);
  void set_absence_deadline(const Entry& entry);
  void on_absence_deadline(Entry& entry, Now now, Effects& out);
  rules::Header rematch_header(const rules::Game& game, Now now);
  std::optional<protocol::Error> judge_rematch(const rules::Header& header) const;
  protocol::RematchMade rematch_made(const Entry& entry, rules::GameId next, ConnId id) const;
  static bool is_spectator(const Entry& entry, ConnId id);
  static std::uint32_t spectators_seq(const Entry& entry, Now now);
  static std::uint32_t visible_seq(const Entry& entry, ConnId id, Now now);
  void catch_up(Entry& entry, ConnId id, std::uint32_t seen, Effects& out);
  void release_events(Entry& entry, Now now, Effects& out);

  // Analysis (hub_analysis.cc). The entry is null where the source is no game.
  void handle(ConnId id, std::uint32_t request, protocol::StartAnalysis& start, const Entry* entry,
              Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, protocol::ReviewGame& review, const Entry* entry,
              Now now, Effects& out);
  void handle(ConnId id, std::uint32_t request, const protocol::StopAnalysis& stop, Now now,
              Effects& out);
  static bool may_analyse(ConnId id, const Entry& entry, Now now);
  std::optional<protocol::Error> judge_analysis(ConnId id, const Entry* entry, Now now,
                                                const std::string& profile,
                                                const rules::Settings& settings,
                                                const EngineTerms& terms) const;
  std::optional<protocol::Error> hold_analysis(ConnId id, const Analyses::Start& begun);
  void on_seat_joined(ConnId id, const Entry& entry, Now now, Effects& out);
  void note_position(const Entry& entry, Now now, Effects& out);
  void settle_analyses(AnalysisEffects effects, Now now, Effects& out);

  // Agents (hub_agents.cc).
  struct ActRefusal {
    int status = 400;
    std::string reason;
  };
  std::unique_ptr<AgentSeats> agent_seats_of(const rules::Game& game, TimePoint now) const;
  void answer_http(HttpId id, HttpResponse response, Ticket after, Effects& out);
  void find_game(AgentCall call, Now now, Effects& out);
  void handle_call(AgentCall& call, Entry& entry, Now now, Effects& out);
  protocol::AgentViewer viewer_of(const Entry& entry, int slot) const;
  HttpResponse view_response(const Entry& entry, int slot) const;
  HttpResponse act_response(const Entry& entry, const AgentAct& act) const;
  void on_agent_act(AgentCall& call, Entry& entry, Now now, Effects& out);
  std::optional<ActRefusal> try_agent_act(const AgentCall& call, Entry& entry, Now now,
                                          MatchEffects& effects);
  void on_agent_wait(const AgentCall& call, Entry& entry, Now now, Effects& out);
  void on_agent_query(const AgentCall& call, const Entry& entry, Effects& out);
  void on_agent_leave(const AgentCall& call, Entry& entry, Now now, Effects& out);
  void answer_unknown_game(const AgentCall& call, const protocol::Error& error, Effects& out);
  void answer_waits(Entry& entry, const std::vector<AgentSeats::Wait>& waits, Effects& out);
  void wake_agents(Entry& entry, Now now, Effects& out);
  void set_agent_deadline(const Entry& entry);
  void on_agents_deadline(Entry& entry, Now now, Effects& out);

  // Games (hub_games.cc).
  Entry& add_match(rules::Game game, Ticket last, std::uint32_t published, TimePoint now);
  /// The game as it is now; every snapshot that is sent is made here.
  protocol::Snapshot snapshot(const Entry& entry, Now now) const;
  /// The game as somebody may see it: as it is, or as it was when a delayed broadcast is at. Holds
  /// until the next look at this game.
  static const rules::Game& sight_of(const Entry& entry, ConnId id, Now now);
  protocol::Snapshot snapshot_for(const Entry& entry, ConnId id, Now now) const;
  std::optional<protocol::Waiting> waiting_of(const Match& match) const;
  void park(Parked call, rules::GameId game, Effects& out);
  void settle(Entry& entry, MatchEffects effects, Now now, Effects& out);
  void publish(Entry& entry, Now now, Effects& out);
  std::vector<rules::Event> record(Entry& entry, Now now, Effects& out);
  static void note_fault(const rules::Game& game, const rules::Event& event, Effects& out);
  void push(const Entry& entry, std::vector<rules::Event> events, std::optional<ConnId> actor,
            Effects& out);
  void submit(std::vector<pool::Job> jobs, Now now, Effects& out);
  void dispatch(Now now, Effects& out);
  void carry_pool(pool::Effects& effects, Now now, Effects& out);
  void on_job_done(const pool::JobDone& done, Now now, Effects& out);
  static void note_failure(const Entry& entry, const pool::JobFailure& failure, rules::Color color,
                           Effects& out);
  void on_search_begun(const pool::SearchBegun& begun, Now now, Effects& out);
  void on_job_moved(const pool::JobMoved& moved, Now now, Effects& out);
  static bool is_still_told(const Entry& entry);
  void retire_finished();
  void on_finished_deadline(rules::GameId id, Now now);
  void let_go(rules::GameId id);
  void remember_request(std::string request_id, rules::GameId game);
  void unsubscribe(ConnId id, rules::GameId game);
  bool drop_subscription(Connection& connection, rules::GameId game);
  std::optional<std::string> broken_count() const;

  HubLimits limits_;
  std::string server_;
  std::string public_url_;
  TicketKey ticket_key_;
  std::mt19937_64 random_;
  Gate gate_;
  Usage usage_;
  pool::Pool pool_;
  pool::Effects dispatched_;  // of one call, kept for its memory
  Analyses analyses_;
  /// Accounts, by who takes part in which analysis.
  std::map<std::pair<ConnId, std::uint32_t>, std::string> analysis_holders_;
  VirtualEngines virtuals_;
  std::unordered_map<VirtualEngineId, std::string> virtual_holders_;  // accounts
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
  std::unordered_map<HttpId, rules::GameId> waits_;          // agents' open ones
  std::unordered_map<std::string, rules::GameId> requests_;  // by request id of CreateGame
  std::deque<std::string> request_order_;
  RematchOffers rematch_offers_;
  struct AdminKept {
    std::string token;
    protocol::Admin admin;
    protocol::AdminDone done;
  };
  std::deque<AdminKept> admin_kept_;  // carried out, the oldest first
  bool draining_ = false;
};

}  // namespace tengen::daemon
