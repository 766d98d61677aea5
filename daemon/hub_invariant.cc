// Whether the hub's books agree with each other, for the simulator.
#include <algorithm>

#include "daemon/hub.h"

namespace tengen::daemon {

std::optional<std::string> Hub::broken_invariant() const {
  if (auto broken = pool_.broken_invariant()) return broken;
  std::vector<pool::JobId> awaited = analyses_.jobs();
  std::size_t waits = 0;
  std::uint64_t watches = 0;
  std::size_t finished = 0;
  for (const auto& [id, entry] : games_) {
    const auto& match = entry->match;
    watches += entry->watchers.size();
    finished += match.game().is_finished() ? 1 : 0;
    if (entry->agents != nullptr) {
      waits += entry->agents->waits();
      const bool is_late = match.game().is_finished() && entry->agents->waits() != 0;
      if (is_late) return "an agent that waits for a game that is over";
    }
    if (match.game().seq() != entry->published) return "events that were not published";
    for (const auto job : match.awaited_jobs()) awaited.push_back(job);
    const bool is_engines_turn =
        match.game().turn() &&
        match.game().seat(*match.game().turn()).kind == rules::SeatKind::Engine;
    const bool is_stopped = match.game().pause_reason() == rules::PauseReason::Agreed;
    if (is_engines_turn && !is_stopped && !draining_ && match.awaited_jobs().empty() &&
        !match.deadline()) {
      return "a game waits for an engine that was not asked";
    }
    for (const auto watcher : entry->watchers) {
      const auto found = connections_.find(watcher);
      if (found == connections_.end()) return "a watcher that is not connected";
      const auto& theirs = found->second.subscriptions;
      if (std::count(theirs.begin(), theirs.end(), id) != 1)
        return "a watcher without subscription";
    }
    for (const int slot : {1, 2}) {
      for (const auto holder : entry->holders[static_cast<std::size_t>(slot - 1)]) {
        const auto found = connections_.find(holder);
        if (found == connections_.end()) return "a seat held by nobody who is connected";
        const auto& seats = found->second.seats;
        const auto held = std::count_if(
            seats.begin(), seats.end(),
            [&, game = id](const SeatOf& s) { return s.game == game && s.slot == slot; });
        if (held != 1) return "a seat that its holder does not have once";
      }
    }
  }
  const bool has_games = deadlines_.all_of([&](const Key& key) {
    return std::visit(
        [&](const auto& each) {
          using Each = std::decay_t<decltype(each)>;
          if constexpr (requires { each.game; }) {
            return games_.contains(each.game);
          } else if constexpr (std::is_same_v<Each, rules::GameId>) {
            return games_.contains(each);
          } else {
            return true;
          }
        },
        key);
  });
  if (!has_games) return "a deadline of a game that is not in memory";
  if (waits != waits_.size()) return "waiting agents that no game knows of";
  if (finished != finished_.size()) return "finished games that are not in the list of them";
  for (const auto& [id, connection] : connections_) watches -= connection.subscriptions.size();
  if (watches != 0) return "subscriptions without a watcher";
  if (const auto broken = broken_count()) return broken;
  auto open = pool_.open_jobs();
  if (const auto broken = virtuals_.broken_invariant()) return broken;
  std::erase_if(open, [](pool::JobId job) { return VirtualEngines::is_its_job(job); });
  std::sort(open.begin(), open.end());
  std::sort(awaited.begin(), awaited.end());
  if (open != awaited) return "the pool's jobs are not the jobs that are waited for";
  return std::nullopt;
}

// What is counted is what there is.
std::optional<std::string> Hub::broken_count() const {
  if (analysis_holders_.size() != analyses_.subscriptions()) return "analyses that nobody holds";
  if (virtual_holders_.size() != virtuals_.size()) return "virtual engines that nobody holds";
  std::uint64_t watches = 0;
  for (const auto& [id, connection] : connections_) watches += connection.subscriptions.size();
  if (usage_.total(Holding::Watch) != watches) return "subscriptions are counted wrong";
  if (usage_.total(Holding::Analysis) != analysis_holders_.size()) {
    return "analyses are counted wrong";
  }
  if (usage_.total(Holding::VirtualEngine) != virtual_holders_.size()) {
    return "virtual engines are counted wrong";
  }
  return std::nullopt;
}

}  // namespace tengen::daemon
