// What a game keeps for the agents in its seats (document 002): what became of their acts, their
// open waits, and when each was last heard of. A core; it knows nothing of the game itself.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "daemon/effects.h"

namespace tengen::daemon {

struct AgentLimits {
  std::uint32_t waits_max = 2;                     // open at a time, per seat
  std::uint32_t keys_max = 4'096;                  // Idempotency-Keys remembered, per seat
  std::chrono::milliseconds silence_max{600'000};  // without a call; then the agent has departed
};

class AgentSeats {
 public:
  /// `slots` are those that agents play.
  AgentSeats(std::vector<int> slots, const AgentLimits& limits);

  const std::vector<int>& slots() const { return slots_; }

  // Acts.
  /// The newest one of a slot; nothing before the first.
  const AgentAct* last_act(int slot) const;
  /// The one that was made with that key.
  const AgentAct* find_act(int slot, std::string_view key) const;
  /// Whether an act with a key of its own can still be remembered.
  bool has_room_for(int slot, std::string_view key) const;
  void remember(AgentAct act);

  // Waits.
  struct Wait {
    HttpId request;
    int slot = 0;
    TimePoint until{};
  };
  bool can_wait(int slot) const;
  void wait(const Wait& wait) { waits_.push_back(wait); }
  /// The waiting side has gone; it was there until now.
  void forget_wait(HttpId request, TimePoint now);
  /// Takes out the waits of a slot, or of every slot.
  std::vector<Wait> take_waits(std::optional<int> slot = std::nullopt);
  /// Takes out those whose time is over; each is a sign of life until now.
  std::vector<Wait> take_due_waits(TimePoint now);
  std::size_t waits() const { return waits_.size(); }

  // Presence.
  void note_call(int slot, TimePoint now) { heard_[index(slot)] = now; }
  /// A slot that has been silent for too long.
  std::optional<int> absent(TimePoint now) const;

  /// When a wait or a silence ends.
  std::optional<TimePoint> deadline() const;

 private:
  static std::size_t index(int slot) { return static_cast<std::size_t>(slot - 1); }
  /// A wait that is open is a presence.
  std::optional<TimePoint> silent_until(int slot) const;

  std::vector<int> slots_;
  AgentLimits limits_;
  std::array<std::optional<AgentAct>, 2> last_;
  std::array<std::unordered_map<std::string, AgentAct>, 2> by_key_;
  std::array<TimePoint, 2> heard_{};
  std::vector<Wait> waits_;  // the oldest first
};

}  // namespace tengen::daemon
