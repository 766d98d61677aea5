// A daemon of values for the client's tests: it keeps real games by the rules, remembers request
// ids, answers requests and pushes events to whoever subscribed. Engines move when a test says so.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/messages.h"
#include "rules/game.h"

namespace tengen::cli {

class FakeDaemon {
 public:
  /// What it tells every client about itself.
  protocol::Welcome welcome;
  /// What each move takes in games with a clock.
  rules::MoveTime time{};
  /// Whether its engines are marked as playing by other rules.
  bool plays_other_rules = false;
  /// What it answers whoever lists games, and whoever makes one.
  std::optional<protocol::Error> no_list{};
  std::optional<protocol::Error> no_game{};

  /// The frames that answer a request.
  std::vector<protocol::ServerFrame> on_request(const protocol::ClientFrame& frame);
  /// The connection is gone, and with it everything that was not in the log.
  void forget_connection() { subscribed_.clear(); }
  /// Makes a move in the game made `nth` (from 0) for the side to move: a vertex, "pass" or
  /// "resign". Gives the pushes.
  std::vector<protocol::ServerFrame> move(std::size_t nth, const std::string& vertex);
  /// Something happens in that game that is no move. Gives the pushes.
  std::vector<protocol::ServerFrame> happen(std::size_t nth, rules::EventBody body);

  const std::vector<rules::Game>& games() const { return games_; }
  /// All requests of one kind that were answered, in order.
  template <typename Message>
  std::vector<Message> heard() const {
    std::vector<Message> messages;
    for (const protocol::ClientMessage& message : heard_) {
      if (const auto* match = std::get_if<Message>(&message)) messages.push_back(*match);
    }
    return messages;
  }
  /// The ticket of slot 1 of the game made `nth`.
  static std::string ticket_of(std::size_t nth) { return "ticket-" + std::to_string(nth); }

 private:
  protocol::ServerMessage answer(const protocol::ClientMessage& message);
  protocol::ServerMessage create(const protocol::CreateGame& request);
  protocol::ServerMessage join(const protocol::JoinGame& request) const;
  protocol::ServerMessage subscribe(const protocol::Subscribe& request);
  protocol::ServerMessage act(rules::GameId id, const std::string& vertex,
                              const std::string& request_id);
  std::size_t nth_of(rules::GameId id) const;
  rules::Refusal apply(std::size_t nth, const std::string& vertex, const std::string& request_id);
  std::vector<protocol::ServerFrame> news();

  std::vector<rules::Game> games_;
  std::map<std::string, protocol::ServerMessage> answers_;  // by request_id
  std::map<std::size_t, std::uint32_t> subscribed_;         // game to the last sequence sent
  std::vector<protocol::ClientMessage> heard_;
};

}  // namespace tengen::cli
