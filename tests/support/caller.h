// A client in whole requests: each is sent and its reply waited for; pushes are kept for later.
// What should not happen is thrown: in a test that is a failure with its text.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "protocol/codec.h"
#include "protocol/messages.h"
#include "tests/support/ws_client.h"

namespace tengen::tests {

/// Long enough for any answer that does come, also from a sanitizer build on a busy machine.
inline constexpr std::chrono::seconds kAnswerPatience{30};

/// "Error INVALID_VERTEX: ..." and the like, for messages.
std::string describe(const protocol::ServerMessage& message);

/// One connection after its Hello.
class Caller {
 public:
  /// With the secret of an access token, or without one.
  explicit Caller(std::uint16_t port, protocol::Format format = protocol::Format::Binary,
                  std::string token = "");

  protocol::ServerMessage ask(protocol::ClientMessage message);
  /// The reply, which must be of this kind.
  template <typename Reply>
  Reply expect(protocol::ClientMessage message) {
    auto reply = ask(std::move(message));
    if (auto* wanted = std::get_if<Reply>(&reply)) return std::move(*wanted);
    throw std::runtime_error("unexpected answer: " + describe(reply));
  }
  protocol::Error expect_error(protocol::ClientMessage message) {
    return expect<protocol::Error>(std::move(message));
  }
  /// The next events pushed; nothing when none come in time.
  std::optional<protocol::GameEvents> pushed(std::chrono::milliseconds patience);
  /// Sends without waiting; gives the id that its reply will name.
  std::uint32_t send(protocol::ClientMessage message);
  /// The next frame, whatever it is, in the order of arrival.
  std::optional<protocol::ServerFrame> next(std::chrono::milliseconds patience);
  const protocol::Welcome& welcome() const { return welcome_; }
  WsClient& socket() { return socket_; }

 private:
  std::optional<protocol::ServerFrame> read(std::chrono::milliseconds patience);

  WsClient socket_;
  protocol::Format format_;
  std::uint32_t next_id_ = 1;
  std::deque<protocol::ServerFrame> kept_;  // came while another reply was waited for
  protocol::Welcome welcome_;
};

/// "gnugo:level=1" style seats.
protocol::SeatRequest engine_seat(std::string profile, rules::Settings settings = {});
protocol::SeatRequest human_seat(std::string name = "");
/// Chinese rules, slot 1 black, a request id of its own.
protocol::CreateGame game_of(int size, protocol::SeatRequest black, protocol::SeatRequest white);
/// A 9x9 one in which a person has black against an engine of the profile.
protocol::CreateGame game_against(const std::string& profile);
/// A request id that no other call in this process gives.
std::string fresh_request_id();

}  // namespace tengen::tests
