// What waits to be written to one connection, with a limit in bytes. A reader who lets it overflow
// has to resync: the connection is closed with kCloseSlowReader, nobody else is hurt.
#pragma once

#include <cstddef>
#include <cstdint>
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
  /// The newest of a kind of which only the newest matters: one with the same key, not 0, that
  /// still waits is forgotten. Overflow leaves the outbox without either.
  [[nodiscard]] Queued push_newest(SharedFrame frame, std::uint64_t key);
  /// The frame to write next, which stays in the outbox until written(); null when there is none or
  /// one is being written.
  SharedFrame begin_write();
  void written();
  /// Forgets every frame but the one being written.
  void drop_waiting();

  std::size_t bytes() const { return bytes_; }
  bool is_empty() const { return frames_.empty(); }

 private:
  struct Waiting {
    SharedFrame frame;
    std::uint64_t key = 0;  // 0: none
  };
  Queued add(Waiting waiting);

  std::deque<Waiting> frames_;
  std::size_t bytes_ = 0;
  bool writing_ = false;
};

}  // namespace tengen::protocol
