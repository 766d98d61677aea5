// The simulator: the real hub with a carrier made of virtual time. Engines are scripted, clients
// are seeded, the store can be slow, fail, or lose its process; one seed reproduces a run. After
// every turn the hub's bookkeeping, and for every frame that goes out the output rule, are checked.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "daemon/hub.h"
#include "sim/caller.h"
#include "sim/line.h"
#include "support/scripted_engine.h"

namespace tengen::sim {

/// An agent that makes no call for so long has departed.
inline constexpr std::chrono::milliseconds kSilenceMax{10'000};

/// A promise broken on purpose, to prove that the simulator sees it.
enum class Sabotage : std::uint8_t {
  None,
  AnswerBeforeCommit,  // the store says durable before it is
  LoseEvent,           // the store drops an event of a durable batch
  AnswerTwice,         // a reply goes out twice
  LoseReply,           // a reply never goes out
  ForgetGame,          // a restart forgets a game
  LoseAnswer,          // an HTTP request is never answered
  AnswerCallTwice,     // an HTTP request is answered twice
  ForgetAgentAct,      // the store drops what became of an agent's act
  OfferTakenPoint,     // a view offers a point where a stone stands
  ShowAhead,           // a game's page shows what its delay withholds
  KeepGoneWait,        // the hub is not told that a waiting agent has hung up
  LoseEnd,             // an analysis ends and nobody is told
  EndTwice,            // the end of an analysis is told twice
  UpdateAfterEnd,      // an update comes after the end
  KeepGoneListener,    // the hub is not told that a connection has gone
};

struct Failure {
  std::string what;
};

class Agent;
class Analyst;
class Client;
class Guest;

class World {
 public:
  World(std::uint64_t seed, Sabotage sabotage);
  ~World();

  /// Plays the whole run. Nothing when every promise was kept.
  std::optional<std::string> run();
  /// What happened, a number for each kind; to see that the run was not idle.
  std::map<std::string, std::uint64_t> counts;

  // For clients.
  std::mt19937_64& random() { return random_; }
  bool chance(double probability);
  std::uint64_t below(std::uint64_t bound);
  daemon::Now now() const { return now_; }
  void connect(Line& line, protocol::Format format);
  void disconnect(Line& line);
  void send(Line& line, protocol::FrameKind kind, std::string bytes);
  /// Makes an HTTP request: its caller is told of the answer or of the loss, once, unless it hangs
  /// up first.
  daemon::HttpId call(Caller& caller, daemon::HttpRequest request);
  void hang_up(daemon::HttpId id);
  void after(std::chrono::microseconds delay, std::function<void()> action);
  [[noreturn]] void fail(const std::string& what) const;
  /// Faults happen only in the first part of a run, so that every game can end.
  bool may_fail() const { return now_.steady < faults_until_; }

  /// The events that are durable for a game; empty when there is no such game.
  struct DurableGame {
    std::string header;
    std::vector<std::string> events;
    std::vector<daemon::AgentAct> agent_acts{};  // the oldest first
    bool finished = false;
    std::chrono::milliseconds delay{0};  // of its broadcast
  };
  /// How many analyses somebody who is connected may hear of.
  std::size_t wanted_analyses() const;
  const DurableGame* durable(rules::GameId id) const;
  /// The game after its durable event `seq`, or before it when there is no game between an act and
  /// what follows from it. By the rules, from nothing but the log.
  rules::Game game_at(rules::GameId id, std::size_t seq) const;
  /// The same after all that followed from the act that the event belongs to.
  rules::Game game_after_act(rules::GameId id, std::size_t seq) const;
  rules::Game game_now(rules::GameId id) const;
  /// The last event that somebody without a seat may know of by now.
  std::size_t public_seq(const DurableGame& game) const;
  /// No clock shows anything that its control does not allow, least of all less than nothing.
  static bool ended_in_play(const rules::Game& game);
  void check_clocks(const rules::Game& game) const;
  std::size_t durable_games() const { return games_.size(); }
  std::optional<rules::GameId> any_game();
  std::optional<rules::GameId> any_game_in_play();
  bool is_seated(daemon::ConnId id, rules::GameId game) const {
    return seated_.contains({id, game});
  }
  /// An open seat is taken by one request, however often that is sent.
  void note_taker(rules::GameId game, int slot, const std::string& request_id);

 private:
  struct Engine {
    explicit Engine(tests::Script script) : brain(std::move(script)) {}
    tests::ScriptedEngine brain;
    std::chrono::microseconds delay{};
    bool is_thinking = false;
    bool is_ticking = false;
    daemon::TimePoint busy_until{};
  };
  struct Timed {
    daemon::TimePoint at;
    std::uint64_t order = 0;
    std::function<void()> action;
    bool operator>(const Timed& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  void boot();
  void crash(bool is_in_flight_durable);
  void make_clients();
  bool is_over() const;
  /// One event or deadline; false when there is none until then.
  bool advance(daemon::TimePoint until);
  void wind_down();
  void check_end() const;
  void check_nothing_left() const;
  void turn();
  void carry_out();
  void deliver(const daemon::SendFrame& what);
  void answer(const daemon::HttpAnswer& what);
  void offer_taken_point(std::string& body);
  void check_output_rule(daemon::ConnId id, const protocol::ServerFrame& frame);
  void check_sight(daemon::ConnId id, rules::GameId game, std::uint32_t seq);
  void note_seat(daemon::ConnId id, rules::GameId game);
  void commit(daemon::Commit what);
  void apply(const daemon::Batch& batch);
  void load(rules::GameId id);
  void spawn(const pool::Spawn& what);
  void write(const pool::Write& what);
  void say(pool::EngineId id, const std::string& bytes, std::chrono::microseconds delay);
  void think(pool::EngineId id, std::chrono::microseconds delay);
  void tick_later(pool::EngineId id);
  void exit_later(pool::EngineId id, pool::ExitStatus status, std::chrono::microseconds delay);
  tests::Script make_script(const std::vector<std::string>& argv);
  void spoil(tests::Script& script);
  void spoil_stream(tests::Script& script);
  std::chrono::microseconds micros(std::uint64_t from, std::uint64_t to);

  std::uint64_t seed_;
  Sabotage sabotage_;
  mutable std::mt19937_64 random_;
  daemon::Now now_;
  daemon::TimePoint faults_until_;
  std::priority_queue<Timed, std::vector<Timed>, std::greater<>> events_;
  std::uint64_t next_order_ = 0;
  bool is_winding_down_ = false;  // nobody comes any more
  std::uint64_t life_ = 0;        // counts boots: what was meant for an earlier hub is dropped
  std::unique_ptr<daemon::Hub> hub_;
  daemon::Effects effects_;
  std::map<std::uint32_t, Engine> engines_;
  std::map<rules::GameId, DurableGame> games_;
  std::vector<std::pair<std::string, rules::GameId>> requests_;
  std::optional<daemon::Commit> in_flight_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::unique_ptr<Guest>> guests_;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::vector<std::unique_ptr<Analyst>> analysts_;
  std::map<std::pair<rules::GameId, int>, std::string> takers_;
  std::map<daemon::ConnId, Line*> connections_;
  std::map<daemon::ConnId, daemon::TimePoint>
      last_arrival_;  // frames of a connection keep their order
  std::uint64_t next_connection_ = 1;
  std::set<std::pair<daemon::ConnId, rules::GameId>> seated_;
  std::set<std::pair<daemon::ConnId, rules::GameId>> saw_ahead_;  // in this turn
  std::map<daemon::ConnId, protocol::ServerFrame> last_update_;   // kept for UpdateAfterEnd
  std::map<daemon::HttpId, Caller*> calls_;
  std::set<daemon::HttpId> hung_up_;
  std::uint64_t next_call_ = 1;
  daemon::TicketKey key_{};
};

}  // namespace tengen::sim
