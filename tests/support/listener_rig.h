// The daemon's listener alone, on a loop in a thread of its own: a test hands out the answers, late
// or never, and has limits that it can wait for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "daemon/net/listener.h"

namespace tengen::tests {

/// A request that waits for its answer.
struct Asked {
  daemon::HttpId id;
  daemon::HttpRequest request;
};

class ListenerRig {
 public:
  /// Called on the loop for every request; with nothing it waits for the test.
  using Answerer = std::function<std::optional<daemon::HttpResponse>(const daemon::HttpRequest&)>;

  explicit ListenerRig(daemon::ListenerConfig config, Answerer answerer = nullptr);
  ~ListenerRig();
  ListenerRig(const ListenerRig&) = delete;
  ListenerRig& operator=(const ListenerRig&) = delete;

  std::uint16_t port() const;
  /// The next request that waits for the test; throws when none comes in time.
  Asked asked();
  void respond(daemon::HttpId id, daemon::HttpResponse response);
  /// The next request whose peer has left; nothing when none does in time.
  std::optional<daemon::HttpId> gone(std::chrono::milliseconds patience);
  /// Listener::stop.
  void stop();
  std::size_t connections() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tengen::tests
