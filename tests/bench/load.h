// Many clients in one thread, each with one move under way at a time. A round ends only when every
// move under way is answered, so that what a server did in it can be counted exactly.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace tengen::tests {

struct LoadCounts {
  std::uint64_t moves = 0;   // sent by us and answered
  std::uint64_t frames = 0;  // received
  std::uint64_t bytes = 0;   // received, without WebSocket's own
  std::uint64_t games = 0;   // finished
};

class Load {
 public:
  /// Each connection plays 9x9 games against an engine of the profile `instant`, the first legal
  /// point each time, and begins a new one when one ends.
  static std::unique_ptr<Load> games(std::uint16_t port, int connections);
  /// Each connection sends messages of this size and counts a move for each two frames back.
  static std::unique_ptr<Load> echoes(std::uint16_t port, int connections,
                                      std::size_t message_bytes);
  virtual ~Load() = default;

  /// One round; returns when nothing is under way any more. Throws when a connection is lost.
  virtual LoadCounts run_for(std::chrono::milliseconds time) = 0;
};

}  // namespace tengen::tests
