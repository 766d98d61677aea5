// Feeds a daemon's events to a game of our own and compares.
#include "clients/cli/follower.h"

#include <utility>

namespace tengen::cli {

std::variant<Follower, std::string> Follower::of(rules::Header header) {
  if (auto problem = rules::Game::problem(header)) return *problem;
  return Follower(std::move(header));
}

std::optional<std::string> Follower::on_events(std::span<const rules::Event> events) {
  for (const rules::Event& event : events) {
    if (auto problem = on_event(event)) {
      return "event " + std::to_string(event.seq) + " (" + std::string(name_of(event.body)) +
             "): " + *problem;
    }
  }
  return std::nullopt;
}

std::optional<std::string> Follower::on_event(const rules::Event& event) {
  if (event.seq == 0 || event.seq > seen_ + 1) {
    return "expected event " + std::to_string(seen_ + 1);
  }
  if (event.seq > game_.seq()) {
    if (rules::is_derived(event.body)) return "the rules do not lead to it";
    const auto refusal = game_.act(event);
    if (refusal != rules::Refusal::None) {
      return "refused by the rules: " + std::string(name_of(refusal));
    }
  }
  if (game_.events()[event.seq - 1].body != event.body) return "the rules lead to another event";
  if (event.seq > seen_) seen_ = event.seq;
  return std::nullopt;
}

}  // namespace tengen::cli
