// What waits to be written to one connection, with a limit in bytes. A reader who lets it overflow
// has to resync: the connection is closed with kCloseSlowReader, nobody else is hurt.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

namespace tengen::protocol {

/// A frame encoded once and shared by all its receivers.
using SharedFrame = std::shared_ptr<const std::string>;

inline constexpr std::size_t kOutboxBytesMax = 1024 * 1024;

class Outbox {
 public:
  enum class Queued { Accepted, Overflow };

  /// Overflow leaves the outbox as it was.
  [[nodiscard]] Queued push(SharedFrame frame);
  /// The frame to write next, which stays in the outbox until written(); null when there is none or
  /// one is being written.
  SharedFrame begin_write();
  void written();
  /// Forgets every frame but the one being written.
  void drop_waiting();

  std::size_t bytes() const { return bytes_; }
  bool is_empty() const { return frames_.empty(); }

 private:
  std::deque<SharedFrame> frames_;
  std::size_t bytes_ = 0;
  bool writing_ = false;
};

}  // namespace tengen::protocol
