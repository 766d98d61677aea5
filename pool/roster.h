// How many engines of a team are in which state, and which are idle: kept as they move, so that
// nobody has to look through all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tengen::pool {

enum class EngineState : std::uint8_t {
  Starting,  // from the spawn to the end of the handshake
  Idle,
  Searching,     // has a job: its sync, its search, or what is left of a refused write
  Streaming,     // has a job that goes on until it is interrupted
  Interrupting,  // is being stopped in its job
  Stopping,      // asked to quit or killed; what it says no longer counts
  Gone,
};
inline constexpr std::size_t kEngineStates = 7;
/// "starting", "idle" ...
std::string_view name_of(EngineState state);

class Engine;

class Roster {
 public:
  void enter(EngineState state) { ++counts_[static_cast<std::size_t>(state)]; }
  void leave(EngineState state) { --counts_[static_cast<std::size_t>(state)]; }
  int count(EngineState state) const { return counts_[static_cast<std::size_t>(state)]; }

  void add_idle(Engine& engine) { idle_.push_back(&engine); }
  void remove_idle(const Engine& engine);
  /// In no order.
  const std::vector<Engine*>& idle() const { return idle_; }

 private:
  std::array<int, kEngineStates> counts_{};
  std::vector<Engine*> idle_;
};

}  // namespace tengen::pool
