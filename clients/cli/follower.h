// A game as the daemon tells it, judged again by our own rules: every event the daemon sends must
// be the one the rules produce. The copy is therefore never ahead of the truth and never a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "rules/game.h"

namespace tengen::cli {

class Follower {
 public:
  /// A game without events, or what is wrong with the header.
  static std::variant<Follower, std::string> of(rules::Header header);

  /// Takes the next events; those seen before must be the same again. Gives what is wrong with the
  /// first one that does not fit, in which case those before it are taken.
  [[nodiscard]] std::optional<std::string> on_events(std::span<const rules::Event> events);

  /// The number of the last event the daemon has sent; 0 at first.
  std::uint32_t seen() const { return seen_; }
  /// Whether the game has ended and its last event has been seen.
  bool is_finished() const { return game_.is_finished() && seen_ == game_.seq(); }
  /// Holds derived events as soon as their cause was seen.
  const rules::Game& game() const { return game_; }

 private:
  explicit Follower(rules::Header header) : game_(std::move(header)) {}
  std::optional<std::string> on_event(const rules::Event& event);

  rules::Game game_;
  std::uint32_t seen_ = 0;
};

}  // namespace tengen::cli
