// The client's end of the protocol, as a core: it greets, numbers requests, keeps within the
// server's limit of requests in flight, repeats what the server asks to be repeated, and comes back
// after a loss. A server that says nothing for two heartbeats, asked after one whether it is there,
// is lost too. It forgets requests at a loss; the command asks again when the server is back.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "clients/cli/backoff.h"
#include "clients/cli/effects.h"

namespace tengen::cli {

/// A request as its sender knows it. Repeated requests keep it; frame ids change.
enum class RequestId : std::uint32_t {};

/// A request_id for the daemon's exactly-once rule: 32 random hexadecimal digits.
std::string fresh_request_id(Random& random);

/// Why a connection ended or never began. Code 0: without a close frame.
struct Loss {
  enum class Hope : std::uint8_t { Some, None };
  std::uint16_t close_code = 0;
  std::string reason;
  Hope hope = Hope::Some;  // none: the next connection would only end the same way
};

// What a command hears.
struct Nothing {};
/// The server is there, for the first time or again.
struct Opened {
  protocol::Welcome welcome;
};
struct Reply {
  RequestId request;
  protocol::ServerMessage message;
};
struct Push {
  protocol::GameEvents events;
};
/// No server for now; heard once for each outage.
struct Lost {
  std::string reason;
};
/// The conversation is over and cannot be mended.
struct Broken {
  std::string reason;
};
using Heard = std::variant<Nothing, Opened, Reply, Push, Lost, Broken>;

class Conversation {
 public:
  static constexpr std::chrono::seconds kConnectLimit{5};       // TCP and the upgrade
  static constexpr std::chrono::seconds kWelcomeLimit{5};       // from Hello to Welcome
  static constexpr std::chrono::seconds kReplyLimit{30};        // then the server counts as lost
  static constexpr std::chrono::seconds kFirstContactLimit{5};  // for a server never met
  static constexpr std::chrono::seconds kGiveUpAfter{60};       // for a server met before
  static constexpr std::chrono::seconds kReturnAfterMax{10};    // what a server may ask for
  // Of a server that does not say, and what one can say that does.
  static constexpr std::chrono::seconds kHeartbeat{15};
  static constexpr std::chrono::seconds kHeartbeatMin{1};
  static constexpr std::chrono::seconds kHeartbeatMax{60};
  /// A connection that lived this long starts the next back-off from its first step.
  static constexpr std::chrono::seconds kSteadyAfter{1};
  /// A request refused as "later" for this long is given to the command as refused.
  static constexpr std::chrono::minutes kRefusalPatience{10};
  /// Reasons of such refusals that are told, each once, to whoever waits.
  static constexpr std::size_t kRefusalsToldMax = 16;
  /// Requests in flight when the server does not say.
  static constexpr std::uint32_t kInFlight = 16;

  enum class Patience : std::uint8_t { None, Reconnect };

  struct Options {
    std::string server;  // as the user knows it, for messages
    std::string client;  // "tengen 0.1.0"
    Patience patience = Patience::Reconnect;
    std::string token{};  // an access token; empty: none
  };

  Conversation(Options options, Random random);

  void on_start(TimePoint now, Effects& out);
  Heard on_connected(TimePoint now, Effects& out);
  Heard on_frame(const protocol::ServerFrame& frame, TimePoint now, Effects& out);
  Heard on_disconnected(const Loss& loss, TimePoint now, Effects& out);
  Heard on_deadline(TimePoint now, Effects& out);
  std::optional<TimePoint> deadline() const;

  /// Asks the server, now or when there is room. Only while is_open().
  RequestId send(protocol::ClientMessage message, TimePoint now, Effects& out);
  bool is_open() const { return state_ == State::Open; }
  Random& random() { return random_; }

 private:
  enum class State : std::uint8_t { Idle, Connecting, Greeting, Open, Waiting, Over };
  struct Request {
    RequestId id{};
    protocol::ClientMessage message;
    TimePoint sent;  // the last time
    Backoff backoff;
    std::optional<TimePoint> refused_since;
  };
  struct Postponed {
    TimePoint at;
    Request request;
  };

  void connect(TimePoint now, Effects& out);
  void submit(Request request, TimePoint now, Effects& out);
  void submit_queued(TimePoint now, Effects& out);
  Heard on_greeting(const protocol::ServerFrame& frame, TimePoint now, Effects& out);
  Heard on_reply(const protocol::ServerFrame& frame, TimePoint now, Effects& out);
  bool postpone(Request& request, const protocol::Error& error, TimePoint now, Effects& out);
  void tell_refusal(const std::string& why, Effects& out);
  Heard on_silence(TimePoint now, Effects& out);
  Heard lose(const std::string& reason, TimePoint now, Effects& out);
  Heard abandon(std::string reason, Effects& out);
  void forget_requests();

  Options options_;
  Random random_;
  Backoff backoff_;
  State state_ = State::Idle;
  std::optional<TimePoint> timer_;             // of Connecting, Greeting and Waiting
  std::chrono::milliseconds return_after_{0};  // as a daemon that goes down wishes
  TimePoint away_since_;                       // when the server was last there, or the start
  TimePoint opened_at_;
  bool has_met_ = false;
  bool outage_told_ = false;
  std::chrono::milliseconds heartbeat_{kHeartbeat};
  TimePoint heard_at_;                  // while open: when the server last said anything
  std::optional<TimePoint> pinged_at_;  // since then
  std::set<std::string> refusals_told_;
  std::uint32_t last_frame_id_ = 0;
  std::uint32_t last_request_ = 0;
  std::uint32_t in_flight_max_ = kInFlight;
  std::map<std::uint32_t, Request> in_flight_;  // by frame id, so the oldest first
  std::deque<Request> queued_;
  std::vector<Postponed> postponed_;
};

}  // namespace tengen::cli
