// What the world holds the hub to: nothing leaves before it is durable, clocks show what they can,
// and in the end every log replays.
#include "protocol/log_codec.h"
#include "sim/client.h"
#include "sim/world.h"

namespace tengen::sim {

void World::check_output_rule(const protocol::ServerFrame& frame) const {
  const auto require = [&](rules::GameId id, std::uint32_t seq) {
    const auto* game = durable(id);
    if (game == nullptr || game->events.size() < seq) {
      fail("a frame tells of event " + std::to_string(seq) + " before it is durable");
    }
  };
  std::visit(
      [&](const auto& message) {
        using Message = std::decay_t<decltype(message)>;
        if constexpr (std::is_same_v<Message, protocol::GameCreated>) {
          require(message.game, 0);
        } else if constexpr (std::is_same_v<Message, protocol::RematchMade>) {
          require(message.created.game, 0);
        } else if constexpr (std::is_same_v<Message, protocol::SeatTaken>) {
          require(message.joined.snapshot.game, message.joined.snapshot.seq);
        } else if constexpr (std::is_same_v<Message, protocol::QueryResult>) {
          require(message.game, message.position_seq);
        } else if constexpr (std::is_same_v<Message, protocol::Accepted>) {
          require(message.game, message.events ? message.events->events.back().seq : message.seq);
        } else if constexpr (std::is_same_v<Message, protocol::Snapshot>) {
          require(message.game, message.seq);
        } else if constexpr (std::is_same_v<Message, protocol::GameJoined>) {
          require(message.snapshot.game, message.snapshot.seq);
        } else if constexpr (std::is_same_v<Message, protocol::GameEvents>) {
          require(message.game, message.events.back().seq);
        } else if constexpr (std::is_same_v<Message, protocol::Subscribed>) {
          require(message.game, message.head);
        } else if constexpr (std::is_same_v<Message, protocol::LegalMoves>) {
          require(message.game, message.position_seq);
        } else if constexpr (std::is_same_v<Message, protocol::Error>) {
          if (message.state) require(message.state->game, message.state->seq);
        }
      },
      frame.message);
}

// Whoever lets the marking time or that of a handicap pass loses on time with time on the clock.
bool World::ended_in_play(const rules::Game& game) {
  bool is_in_play = game.header().free_handicap == 0;
  for (const auto& event : game.events()) {
    if (std::holds_alternative<rules::HandicapPlaced>(event.body) ||
        std::holds_alternative<rules::Continued>(event.body)) {
      is_in_play = true;
    } else if (std::holds_alternative<rules::Stopped>(event.body)) {
      is_in_play = false;
    }
  }
  return is_in_play;
}

void World::check_clocks(const rules::Game& game) const {
  const auto& control = game.header().clock;
  const auto& result = game.result();
  for (const auto color : {rules::Color::Black, rules::Color::White}) {
    const auto& face = game.clocks()[static_cast<std::size_t>(index_of(color))];
    const bool has_lost = result && result->kind == rules::ResultKind::Timeout &&
                          result->winner != std::optional(color) && ended_in_play(game);
    if (has_lost ? face != rules::ClockFace{} : !rules::fits(control, face)) {
      fail("a clock shows what it cannot");
    }
  }
}

void World::check_end() const {
  for (const auto& [id, game] : games_) {
    if (!game.finished) fail("game " + rules::to_text(id) + " has no end");
    auto header = protocol::decode_header(game.header);
    if (!header) fail("a header cannot be read");
    std::vector<rules::Event> events;
    for (const auto& bytes : game.events) {
      auto event = protocol::decode_event(bytes);
      if (!event) fail("an event cannot be read");
      events.push_back(std::move(*event));
    }
    const auto replayed = rules::Game::replay(*header, events);
    if (const auto* error = std::get_if<rules::ReplayError>(&replayed)) {
      fail("a log does not replay: " + error->reason);
    }
    if (!std::get<rules::Game>(replayed).is_finished()) fail("a finished game's log is open");
    check_clocks(std::get<rules::Game>(replayed));
  }
  for (const auto& client : clients_) client->check_end();
}

}  // namespace tengen::sim
