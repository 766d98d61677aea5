// What the world holds the hub to: nothing leaves before it is durable, clocks show what they can,
// and in the end every log replays.
#include <algorithm>

#include "protocol/log_codec.h"
#include "sim/agent.h"
#include "sim/analyst.h"
#include "sim/client.h"
#include "sim/world.h"

namespace tengen::sim {

namespace {

rules::Event event_of(const std::string& bytes) {
  auto event = protocol::decode_event(bytes);
  return event ? std::move(*event) : rules::Event{};
}

}  // namespace

rules::Game World::game_at(rules::GameId id, std::size_t seq) const {
  const auto* game = durable(id);
  if (game == nullptr || game->events.size() < seq) fail("something is told before it is durable");
  const auto header = protocol::decode_header(game->header);
  if (!header) fail("a header cannot be read");
  std::vector<rules::Event> events;
  for (std::size_t i = 0; i < seq; ++i) events.push_back(event_of(game->events[i]));
  std::string reason;
  while (true) {
    auto replayed = rules::Game::replay(*header, events);
    if (auto* found = std::get_if<rules::Game>(&replayed)) return std::move(*found);
    reason = std::get<rules::ReplayError>(replayed).reason;
    if (events.empty()) fail("a log does not replay: " + reason);
    events.pop_back();
  }
}

rules::Game World::game_after_act(rules::GameId id, std::size_t seq) const {
  const auto* game = durable(id);
  const auto count = game != nullptr ? game->events.size() : 0;
  while (seq < count && rules::is_derived(event_of(game->events[seq]).body)) ++seq;
  return game_at(id, seq);
}

rules::Game World::game_now(rules::GameId id) const {
  const auto* game = durable(id);
  return game_at(id, game != nullptr ? game->events.size() : 1);
}

std::size_t World::public_seq(const DurableGame& game) const {
  std::size_t seq = game.events.size();
  if (game.delay.count() == 0) return seq;
  const auto is_young = [&](const std::string& bytes) {
    return event_of(bytes).stamp.unix_ms + game.delay.count() > now_.unix_ms;
  };
  while (seq > 0 && is_young(game.events[seq - 1])) --seq;
  return seq;
}

// Whoever sits down is told what was withheld, and of the seat in the same turn.
void World::check_sight(daemon::ConnId id, rules::GameId game, std::uint32_t seq) {
  const auto* known = durable(game);
  if (known == nullptr || known->delay.count() == 0 || seated_.contains({id, game})) return;
  if (seq > public_seq(*known)) saw_ahead_.emplace(id, game);
}

void World::note_seat(daemon::ConnId id, rules::GameId game) {
  seated_.emplace(id, game);
  saw_ahead_.erase({id, game});
}

void World::check_output_rule(daemon::ConnId connection, const protocol::ServerFrame& frame) {
  const auto require = [&](rules::GameId id, std::uint32_t seq) {
    const auto* game = durable(id);
    if (game == nullptr || game->events.size() < seq) {
      fail("a frame tells of event " + std::to_string(seq) + " before it is durable");
    }
    check_sight(connection, id, seq);
  };
  std::visit(
      [&](const auto& message) {
        using Message = std::decay_t<decltype(message)>;
        if constexpr (std::is_same_v<Message, protocol::GameCreated>) {
          require(message.game, 0);
        } else if constexpr (std::is_same_v<Message, protocol::RematchMade>) {
          require(message.created.game, 0);
        } else if constexpr (std::is_same_v<Message, protocol::SeatTaken>) {
          note_seat(connection, message.joined.snapshot.game);
          require(message.joined.snapshot.game, message.joined.snapshot.seq);
        } else if constexpr (std::is_same_v<Message, protocol::QueryResult> ||
                             std::is_same_v<Message, protocol::LegalMoves>) {
          require(message.game, message.position_seq);
        } else if constexpr (std::is_same_v<Message, protocol::Accepted>) {
          require(message.game, message.events ? message.events->events.back().seq : message.seq);
        } else if constexpr (std::is_same_v<Message, protocol::Snapshot>) {
          require(message.game, message.seq);
        } else if constexpr (std::is_same_v<Message, protocol::GameJoined>) {
          note_seat(connection, message.snapshot.game);
          require(message.snapshot.game, message.snapshot.seq);
        } else if constexpr (std::is_same_v<Message, protocol::GameEvents>) {
          require(message.game, message.events.back().seq);
        } else if constexpr (std::is_same_v<Message, protocol::Subscribed>) {
          require(message.game, message.head);
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
  for (const auto& agent : agents_) agent->check_end();
}

std::size_t World::wanted_analyses() const {
  std::size_t count = 0;
  for (const auto& analyst : analysts_) count += analyst->wanted();
  return count;
}

// Everybody has gone: whatever the hub or an engine still does, it does for nobody.
void World::check_nothing_left() const {
  if (hub_->connections() != 0) fail("connections are left");
  if (hub_->analyses() != 0) fail("analyses are left");
  if (hub_->open_waits() != 0) fail("agents are left waiting");
  if (hub_->parked_calls() != 0) fail("requests are left that wait for a game");
  for (const auto& status : hub_->pool().statuses()) {
    if (status.streaming != 0) fail("the pool has a stream left");
    if (status.busy != 0 || status.queued != 0) fail("the pool has work left");
  }
  for (const auto& [id, engine] : engines_) {
    if (engine.brain.is_streaming()) fail("an engine is left streaming");
  }
}

}  // namespace tengen::sim
