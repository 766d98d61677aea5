// One connection in its WebSocket phase: frames both ways, from the answer to the upgrade request
// on. It decides nothing about their content.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/net/http_connection.h"
#include "protocol/codec.h"
#include "protocol/outbox.h"
#include "protocol/session.h"

namespace tengen::daemon {

struct SocketLimits {
  std::uint32_t frame_bytes_max = 64 * 1024;          // longer ones close with 1009
  std::chrono::milliseconds handshake_limit{10'000};  // for the upgrade's answer
  /// From the first close frame, ours or the peer's, to the end of the connection.
  std::chrono::milliseconds close_limit{5'000};
  std::chrono::milliseconds idle_limit{30'000};   // silence; pings go out at half of it
  std::chrono::milliseconds write_limit{10'000};  // for one frame to leave
};

/// Called from the loop; `bytes` is valid during the call. `opened` comes before any frame and
/// `closed` exactly once, last, also when the upgrade failed.
struct SocketEvents {
  std::function<void(protocol::Format)> opened;
  std::function<void(protocol::FrameKind, std::string_view bytes)> frame;
  std::function<void()> closed;
};

class WebSocket {
 public:
  virtual ~WebSocket() = default;
  /// Answers the upgrade request.
  virtual void start(const Upgrade& upgrade) = 0;
  /// Queues a frame; a reader too slow for its outbox is closed with kCloseSlowReader.
  /// With a number that is not 0 it takes the place of a frame of the same number that still waits,
  /// and is left out where there is no room: it is for a reader who wants the newest only.
  virtual void send(protocol::SharedFrame frame, std::uint32_t newest_of) = 0;
  /// Closes after what was queued; the peer gets the code.
  virtual void close(std::uint16_t code, std::string reason) = 0;
  /// Cuts the connection when a write has hung for longer than its limit.
  virtual void cut_if_stuck(std::chrono::steady_clock::time_point now) = 0;
};

std::shared_ptr<WebSocket> make_websocket(Wire wire, const SocketLimits& limits,
                                          SocketEvents events);

}  // namespace tengen::daemon
