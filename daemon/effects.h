// What the hub wants done. The shell carries the effects out in order and reports back through the
// hub's on_ methods.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "daemon/ids.h"
#include "daemon/net/http.h"
#include "pool/effects.h"
#include "protocol/outbox.h"
#include "rules/game_id.h"

namespace tengen::daemon {

using TimePoint = std::chrono::steady_clock::time_point;

/// The time of one turn of the loop: monotonic for decisions, Unix milliseconds for the log.
struct Now {
  TimePoint steady;
  std::int64_t unix_ms = 0;
};

/// A batch's number; batches become durable in this order.
struct Ticket {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(const Ticket&, const Ticket&) = default;
};

struct NewGame {
  rules::GameId id;
  std::string header;      // as log_codec writes it
  std::string request_id;  // of the request that made it
};
struct NewEvent {
  rules::GameId game;
  std::uint32_t seq = 0;
  std::string body;  // as log_codec writes it
};
/// What became of an agent's act. Of those without a key only a slot's newest is kept.
struct AgentAct {
  int slot = 0;
  std::string key{};  // the caller's; may be empty
  bool is_accepted = false;
  int status = 0;         // of the HTTP answer
  std::uint32_t seq = 0;  // the game's last event when it was answered
  std::string reason{};   // why it was refused
  friend bool operator==(const AgentAct&, const AgentAct&) = default;
};
struct NewAgentAct {
  rules::GameId game;
  AgentAct act;
};
/// What becomes durable in one transaction, in this order.
struct Batch {
  std::vector<NewGame> games{};
  std::vector<NewEvent> events{};
  std::vector<rules::GameId> finished{};
  std::vector<NewAgentAct> agent_acts{};
  bool is_empty() const {
    return games.empty() && events.empty() && finished.empty() && agent_acts.empty();
  }
};

/// Frames go out in the order of the effects.
struct SendFrame {
  enum class Kind : std::uint8_t { Reply, Push };
  ConnId connection;
  protocol::SharedFrame frame;
  Kind kind = Kind::Push;
  /// Not 0: an earlier frame of the same number that still waits to be written is left out for it.
  std::uint32_t newest_of = 0;
  std::uint32_t reply_to = 0;  // Reply: the request
};
/// After what was sent before it.
struct CloseConnection {
  ConnId connection;
  std::uint16_t code = 1000;
  std::string reason;
};
struct HttpAnswer {
  HttpId request;
  HttpResponse response;
};
/// Answered by on_stored once durable. Never given while another is in flight.
struct Commit {
  Ticket ticket;
  Batch batch;
};
/// Answered by on_loaded.
struct LoadGame {
  rules::GameId id;
};
struct LogLine {
  pool::Note::Level level = pool::Note::Level::Info;
  std::string text;
};

using Effect = std::variant<SendFrame, CloseConnection, HttpAnswer, Commit, LoadGame, LogLine,
                            pool::Spawn, pool::Write, pool::CloseInput, pool::Kill>;
using Effects = std::vector<Effect>;

/// A game as the store keeps it.
struct StoredGame {
  std::string header;
  std::vector<std::string> events;     // events[k] has sequence number k + 1
  std::vector<AgentAct> agent_acts{};  // the oldest first
};
/// The store's answer to LoadGame.
struct LoadedGame {
  rules::GameId id;
  std::optional<StoredGame> game;  // absent: there is none, or it cannot be read
  std::string problem;             // why it cannot be read
};
/// What a restart needs from the store.
struct StoredState {
  std::vector<StoredGame> unfinished;
  /// Requests that made games, the newest last.
  std::vector<std::pair<std::string, rules::GameId>> requests;
};

}  // namespace tengen::daemon
