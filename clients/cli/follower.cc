// Feeds a daemon's events to a game of our own and compares.
#include "clients/cli/follower.h"

#include <utility>

namespace tengen::cli {

namespace {

using rules::Refusal;

/// Makes the act an event tells of; derived events are nobody's act.
struct Act {
  rules::Game& game;
  const rules::Stamp& stamp;

  std::optional<Refusal> operator()(const rules::Played& e) const {
    return game.play(e.color, e.point, stamp);
  }
  std::optional<Refusal> operator()(const rules::Passed& e) const {
    return game.pass(e.color, stamp);
  }
  std::optional<Refusal> operator()(const rules::Resigned& e) const {
    return game.resign(e.color, stamp);
  }
  std::optional<Refusal> operator()(const rules::DeadListed& e) const {
    return game.list_dead(e.color, e.points, stamp);
  }
  std::optional<Refusal> operator()(const rules::Forfeited& e) const {
    return game.forfeit(e.color, e.reason, stamp);
  }
  std::optional<Refusal> operator()(const rules::Captured&) const { return std::nullopt; }
  std::optional<Refusal> operator()(const rules::Stopped&) const { return std::nullopt; }
  std::optional<Refusal> operator()(const rules::Scored&) const { return std::nullopt; }
  std::optional<Refusal> operator()(const rules::Finished&) const { return std::nullopt; }
};

}  // namespace

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
    const auto refusal = std::visit(Act{game_, event.stamp}, event.body);
    if (!refusal) return "the rules do not lead to it";
    if (*refusal != Refusal::None) return "refused by the rules: " + std::string(name_of(*refusal));
  }
  if (game_.events()[event.seq - 1].body != event.body) return "the rules lead to another event";
  if (event.seq > seen_) seen_ = event.seq;
  return std::nullopt;
}

}  // namespace tengen::cli
