// One connection's half of the conversation: decodes frames, insists on Hello first, on fresh frame
// ids and on the limits, and sees to it that each request gets exactly one reply. A core.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "protocol/codec.h"

namespace tengen::protocol {

using TimePoint = std::chrono::steady_clock::time_point;

struct Limits {
  std::uint32_t frame_bytes_max = 64 * 1024;
  std::uint32_t frame_bytes_before_hello_max = 4 * 1024;
  std::uint32_t requests_in_flight_max = 32;
  std::uint32_t bad_frames_max = 64;  // then the connection is closed with kCloseBadFrames
  std::chrono::milliseconds hello_limit{5'000};
};

// Close codes beside the standard ones (1000, 1001, 1003, 1009). Reconnecting makes sense after
// those marked *.
inline constexpr std::uint16_t kCloseNormal = 1000;
inline constexpr std::uint16_t kCloseGoingAway = 1001;  // * draining
// A text frame under tengen.v1.pb, or the other way round.
inline constexpr std::uint16_t kCloseUnsupportedData = 1003;
inline constexpr std::uint16_t kCloseTooBig = 1009;
inline constexpr std::uint16_t kCloseTryLater = 1013;      // * too many connections
inline constexpr std::uint16_t kCloseHelloTimeout = 4001;  // *
inline constexpr std::uint16_t kCloseBadToken = 4003;
inline constexpr std::uint16_t kCloseKicked = 4004;
inline constexpr std::uint16_t kCloseBadFrames = 4008;
inline constexpr std::uint16_t kCloseVersion = 4010;
inline constexpr std::uint16_t kCloseSlowReader = 4013;  // * resync needed

/// A request for the hub; its reply goes through Session::reply.
struct Request {
  std::uint32_t id = 0;
  ClientMessage message;
};
/// Bytes for this connection.
struct Send {
  std::string bytes;
};
struct Close {
  std::uint16_t code = kCloseNormal;
  std::string reason;
};
using SessionEffect = std::variant<Request, Send, Close>;
using SessionEffects = std::vector<SessionEffect>;

enum class FrameKind : std::uint8_t { Text, Binary };

class Session {
 public:
  Session(Format format, const Limits& limits, TimePoint now);

  /// One whole message from the client. Hello is passed on as a request like the others.
  void on_frame(FrameKind kind, std::string_view bytes, TimePoint now, SessionEffects& out);
  /// The hub accepted the Hello: other requests may follow.
  void welcome();
  /// The reply to a request that was passed on and has not been answered; gives its bytes.
  std::string reply(std::uint32_t request, const ServerMessage& message);
  /// The same for bytes that go out later: the request is in flight until let_go.
  std::string hold_reply(std::uint32_t request, const ServerMessage& message);
  void let_go(std::uint32_t request);

  Format format() const { return format_; }
  bool is_welcomed() const { return state_ == State::Open; }
  std::size_t in_flight() const { return in_flight_.size() + held_.size(); }
  std::optional<TimePoint> deadline() const;
  void on_deadline(TimePoint now, SessionEffects& out);

 private:
  enum class State : std::uint8_t { AwaitingHello, Open, Closed };
  std::size_t frame_bytes_max() const;
  void on_bad_frame(const DecodeError& bad, SessionEffects& out);
  bool is_in_flight(std::uint32_t request) const {
    return in_flight_.contains(request) || held_.contains(request);
  }
  /// Why a frame that was read is refused.
  std::optional<Error> objection(const ClientFrame& frame) const;
  std::optional<Error> objection_to(const Hello& hello) const;
  void refuse(std::uint32_t frame_id, const Error& error, SessionEffects& out);
  void close(std::uint16_t code, std::string reason, SessionEffects& out);

  Format format_;
  Limits limits_;
  State state_ = State::AwaitingHello;
  TimePoint opened_;
  std::uint32_t bad_frames_ = 0;
  std::unordered_set<std::uint32_t> in_flight_;
  std::unordered_set<std::uint32_t> held_;  // whose replies are made and not out
};

}  // namespace tengen::protocol
