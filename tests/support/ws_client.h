// A WebSocket connection that blocks, for tests: it can say anything, also what no honest client
// would. Beast is in the source file.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/codec.h"
#include "protocol/session.h"

namespace tengen::tests {

struct WsOptions {
  std::string target = "/";
  std::string subprotocol{protocol::kBinarySubprotocol};  // empty: none is offered
  std::string host = "127.0.0.1";                         // as the Host header names it
  int receive_buffer = 0;                                 // bytes in the kernel; 0: its own choice
  std::string origin;                                     // empty: no header
};

class WsClient {
 public:
  /// Connects and upgrades. A refusal of the upgrade is not an error: see http_status.
  explicit WsClient(std::uint16_t port, const WsOptions& options = {});
  WsClient(WsClient&&) noexcept;
  WsClient& operator=(WsClient&&) noexcept;
  /// Closes the socket without a close frame.
  ~WsClient();

  /// 101 when the upgrade succeeded.
  int http_status() const;
  /// The body of a refusal.
  std::string http_body() const;

  void send(protocol::FrameKind kind, std::string_view bytes);
  /// The same, and nothing is read meanwhile: what comes piles up in the kernel and at the peer.
  void send_without_reading(protocol::FrameKind kind, std::string_view bytes);
  /// The next message, or nothing when there is none in time or the connection has ended.
  std::optional<std::string> receive(std::chrono::milliseconds patience);
  bool is_closed() const;
  /// The peer's close code once it has closed; nothing when it went without one or has not gone.
  std::optional<std::uint16_t> close_code() const;
  /// Reads until the connection ends, throws messages away and gives the close code.
  std::optional<std::uint16_t> wait_for_close(std::chrono::milliseconds patience);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tengen::tests
