// The human slot of one game: it follows the daemon's events with a copy of the game and plays
// simple moves.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/game.h"
#include "tests/support/caller.h"
#include "tests/support/ledger.h"

namespace tengen::tests {

/// Over one connection at a time. Throws like Caller.
class Player {
 public:
  /// Makes a game against an engine, joins and subscribes.
  Player(std::uint16_t port, const protocol::CreateGame& create,
         protocol::Format format = protocol::Format::Binary);

  /// Takes the seat that a ticket opens, and subscribes.
  Player(std::uint16_t port, std::string ticket,
         protocol::Format format = protocol::Format::Binary);

  /// A new connection: joins again and subscribes from the last event seen.
  void reconnect(std::uint16_t port);
  void disconnect() { caller_.reset(); }
  Caller& caller() { return *caller_; }

  /// Sends a play or a pass, which must be accepted.
  template <typename Act>
  protocol::Accepted act(const Act& request) {
    const auto accepted = caller_->expect<protocol::Accepted>(request);
    acted_seq_ = accepted.seq;
    return accepted;
  }
  /// Waits until our last act was seen and it is our turn or the game is over; false when neither
  /// comes in time. Asked for its dead stones it takes the other side's list.
  bool wait_for_turn(std::chrono::milliseconds patience = kAnswerPatience);
  /// Waits until the last event seen has at least this number.
  bool wait_for_seq(std::uint32_t seq, std::chrono::milliseconds patience = kAnswerPatience);
  protocol::Play play_request(std::string vertex) const;
  protocol::Pass pass_request() const;
  protocol::GameAct agree_request() const;
  /// Plays a simple legal move (no own eye is filled), or passes when there is none.
  protocol::Accepted play_simple();
  protocol::Accepted pass() { return act(pass_request()); }

  rules::GameId id() const { return header_.id; }
  const std::string& ticket() const { return ticket_; }
  rules::Color color() const { return color_; }
  const Ledger& ledger() const { return ledger_; }
  /// The game as its events say; throws when the rules do not reproduce them.
  rules::Game game() const;

 private:
  void join_and_subscribe();
  void take(const std::vector<rules::Event>& events);

  protocol::Format format_;
  std::optional<Caller> caller_;
  std::string ticket_;
  rules::Header header_;
  rules::Color color_ = rules::Color::Black;
  Ledger ledger_;
  std::uint32_t acted_seq_ = 0;  // the event of our last act
};

/// A legal point that is no eye of its own colour and leaves its chain a liberty to spare, chosen
/// by the number; nothing when there is none.
std::optional<rules::Point> simple_point(const rules::Game& game, rules::Color color,
                                         std::uint64_t choice);

}  // namespace tengen::tests
