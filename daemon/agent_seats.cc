#include "daemon/agent_seats.h"

#include <algorithm>
#include <utility>

namespace tengen::daemon {
namespace {

std::optional<TimePoint> earlier(std::optional<TimePoint> a, std::optional<TimePoint> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

}  // namespace

AgentSeats::AgentSeats(std::vector<int> slots, const AgentLimits& limits)
    : slots_(std::move(slots)), limits_(limits) {}

const AgentAct* AgentSeats::last_act(int slot) const {
  const auto& last = last_[index(slot)];
  return last ? &*last : nullptr;
}

const AgentAct* AgentSeats::find_act(int slot, std::string_view key) const {
  if (key.empty()) return nullptr;
  const auto found = by_key_[index(slot)].find(std::string(key));
  return found != by_key_[index(slot)].end() ? &found->second : nullptr;
}

bool AgentSeats::has_room_for(int slot, std::string_view key) const {
  return key.empty() || by_key_[index(slot)].size() < limits_.keys_max;
}

void AgentSeats::remember(AgentAct act) {
  if (!act.key.empty()) by_key_[index(act.slot)].insert_or_assign(act.key, act);
  last_[index(act.slot)] = std::move(act);
}

bool AgentSeats::can_wait(int slot) const {
  const auto open = std::count_if(waits_.begin(), waits_.end(),
                                  [&](const Wait& wait) { return wait.slot == slot; });
  return static_cast<std::uint32_t>(open) < limits_.waits_max;
}

void AgentSeats::forget_wait(HttpId request, TimePoint now) {
  std::erase_if(waits_, [&](const Wait& wait) {
    if (wait.request != request) return false;
    note_call(wait.slot, now);
    return true;
  });
}

std::vector<AgentSeats::Wait> AgentSeats::take_waits(std::optional<int> slot) {
  std::vector<Wait> taken;
  std::erase_if(waits_, [&](const Wait& wait) {
    const bool is_meant = !slot || wait.slot == *slot;
    if (is_meant) taken.push_back(wait);
    return is_meant;
  });
  return taken;
}

std::vector<AgentSeats::Wait> AgentSeats::take_due_waits(TimePoint now) {
  std::vector<Wait> taken;
  std::erase_if(waits_, [&](const Wait& wait) {
    if (wait.until > now) return false;
    note_call(wait.slot, now);
    taken.push_back(wait);
    return true;
  });
  return taken;
}

std::optional<TimePoint> AgentSeats::silent_until(int slot) const {
  const bool is_waiting = std::any_of(waits_.begin(), waits_.end(),
                                      [&](const Wait& wait) { return wait.slot == slot; });
  if (is_waiting) return std::nullopt;
  return heard_[index(slot)] + limits_.silence_max;
}

std::optional<int> AgentSeats::absent(TimePoint now) const {
  for (const int slot : slots_) {
    const auto until = silent_until(slot);
    if (until && *until <= now) return slot;
  }
  return std::nullopt;
}

std::optional<TimePoint> AgentSeats::deadline() const {
  std::optional<TimePoint> first;
  for (const Wait& wait : waits_) first = earlier(first, wait.until);
  for (const int slot : slots_) first = earlier(first, silent_until(slot));
  return first;
}

}  // namespace tengen::daemon
