// A small honest daemon without engines, storage or sockets.
#include "tests/cli/fake_daemon.h"

#include <utility>

namespace tengen::cli {

namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::ServerFrame;
using protocol::ServerMessage;

rules::GameId id_of(std::size_t nth) { return {0x0123456789abcdefu, nth}; }

rules::Header header_of(const protocol::CreateGame& request, std::size_t nth, bool other_rules) {
  rules::Header header;
  header.id = id_of(nth);
  header.size = request.size;
  header.preset = request.preset;
  header.rules = request.rules;
  header.komi_half = request.komi_half;
  for (std::size_t i = 0; i < 2; ++i) {
    const protocol::SeatRequest& seat = request.seats[i];
    const bool is_engine = seat.kind == rules::SeatKind::Engine;
    header.seats[i] = {seat.kind, seat.name, seat.profile, seat.settings, is_engine && other_rules};
  }
  header.clock = request.time;
  header.slot1_color = request.colors == protocol::ColorChoice::Slot1White ? rules::Color::White
                                                                           : rules::Color::Black;
  return header;
}

Error refusal_error(rules::Refusal refusal) {
  const bool off_turn = refusal == rules::Refusal::NotYourTurn;
  return {off_turn ? ErrorCode::NotYourTurn : ErrorCode::IllegalMove, std::string(name_of(refusal)),
          "", 0, std::nullopt};
}

}  // namespace

std::vector<ServerFrame> FakeDaemon::on_request(const protocol::ClientFrame& frame) {
  heard_.push_back(frame.message);
  std::vector<ServerFrame> frames{{frame.id, answer(frame.message)}};
  for (ServerFrame& push : news()) frames.push_back(std::move(push));
  return frames;
}

std::vector<ServerFrame> FakeDaemon::move(std::size_t nth, const std::string& vertex) {
  (void)apply(nth, vertex, "");
  return news();
}

std::vector<ServerFrame> FakeDaemon::happen(std::size_t nth, rules::EventBody body) {
  (void)games_[nth].act({0, {}, std::move(body)});
  return news();
}

ServerMessage FakeDaemon::answer(const protocol::ClientMessage& message) {
  if (std::holds_alternative<protocol::Hello>(message)) return welcome;
  if (std::holds_alternative<protocol::ListEngines>(message)) {
    return protocol::EngineList{welcome.engines};
  }
  if (const auto* request = std::get_if<protocol::Ping>(&message)) {
    return protocol::Pong{request->client_time_ms, 0};
  }
  if (std::holds_alternative<protocol::ListGames>(message)) {
    if (no_list) return *no_list;
    return protocol::GameList{};
  }
  if (const auto* request = std::get_if<protocol::CreateGame>(&message)) return create(*request);
  if (const auto* request = std::get_if<protocol::JoinGame>(&message)) return join(*request);
  if (const auto* request = std::get_if<protocol::GetSnapshot>(&message)) {
    return protocol::snapshot_of(games_[nth_of(request->game)]);
  }
  if (const auto* request = std::get_if<protocol::Subscribe>(&message)) return subscribe(*request);
  if (const auto* request = std::get_if<protocol::Unsubscribe>(&message)) {
    subscribed_.erase(nth_of(request->game));
    return protocol::Unsubscribed{request->game};
  }
  if (const auto* request = std::get_if<protocol::Play>(&message)) {
    return act(request->game, request->vertex, request->request_id);
  }
  if (const auto* request = std::get_if<protocol::Pass>(&message)) {
    return act(request->game, "pass", request->request_id);
  }
  if (const auto* request = std::get_if<protocol::Resign>(&message)) {
    return act(request->game, "resign", request->request_id);
  }
  return Error{ErrorCode::InvalidArgument, "request", "not known to the fake", 0, std::nullopt};
}

ServerMessage FakeDaemon::create(const protocol::CreateGame& request) {
  const auto known = answers_.find(request.request_id);
  if (known != answers_.end()) return known->second;
  if (no_game) return *no_game;
  for (const protocol::SeatRequest& seat : request.seats) {
    if (seat.kind == rules::SeatKind::Engine && seat.profile != "gnugo") {
      return Error{ErrorCode::UnknownProfile, "", "no profile " + seat.profile, 0, std::nullopt};
    }
  }
  const std::size_t nth = games_.size();
  games_.emplace_back(header_of(request, nth, plays_other_rules));
  protocol::GameCreated created{id_of(nth), games_.back().header().slot1_color, {}};
  if (request.seats[0].kind != rules::SeatKind::Engine) created.tickets = {{1, ticket_of(nth)}};
  if (request.seats[1].kind == rules::SeatKind::Agent) created.tickets.push_back({2, "ticket-2"});
  answers_[request.request_id] = created;
  return created;
}

ServerMessage FakeDaemon::join(const protocol::JoinGame& request) const {
  for (std::size_t nth = 0; nth < games_.size(); ++nth) {
    if (request.ticket != ticket_of(nth)) continue;
    return protocol::GameJoined{1, games_[nth].header().slot1_color,
                                protocol::snapshot_of(games_[nth])};
  }
  return Error{ErrorCode::BadTicket, "", "", 0, std::nullopt};
}

ServerMessage FakeDaemon::subscribe(const protocol::Subscribe& request) {
  const std::size_t nth = nth_of(request.game);
  const rules::Game& game = games_[nth];
  const std::uint32_t after = request.after_seq.value_or(0);
  protocol::GameEvents missed{request.game, game.header().size, {}};
  missed.events.assign(game.events().begin() + after, game.events().end());
  subscribed_[nth] = game.seq();
  return protocol::Subscribed{request.game, game.seq(), missed};
}

ServerMessage FakeDaemon::act(rules::GameId id, const std::string& vertex,
                              const std::string& request_id) {
  const auto known = answers_.find(request_id);
  if (known != answers_.end()) return known->second;
  const std::size_t nth = nth_of(id);
  const std::uint32_t seq = games_[nth].seq() + 1;
  const rules::Refusal refusal = apply(nth, vertex, request_id);
  if (refusal != rules::Refusal::None) return refusal_error(refusal);
  protocol::Accepted accepted{id, seq, games_[nth].position_seq(), std::nullopt};
  answers_[request_id] = accepted;
  // Who watches has the act's events in the answer and is not pushed them.
  const auto watched = subscribed_.find(nth);
  if (watched != subscribed_.end()) {
    const rules::Game& game = games_[nth];
    accepted.events = protocol::GameEvents{id, game.header().size, {}};
    accepted.events->events.assign(game.events().begin() + watched->second, game.events().end());
    watched->second = game.seq();
  }
  return accepted;
}

rules::Refusal FakeDaemon::apply(std::size_t nth, const std::string& vertex,
                                 const std::string& request_id) {
  rules::Game& game = games_[nth];
  const rules::Stamp stamp{0, request_id};
  // A person has slot 1; what comes without a request id is an engine's move.
  const bool is_engine = request_id.empty();
  const rules::Color color =
      is_engine ? game.turn().value_or(rules::Color::White) : game.header().slot1_color;
  const rules::MoveTime taken = game.time_left() ? time : rules::MoveTime{};
  if (vertex == "pass") return game.pass(color, stamp, taken);
  if (vertex == "resign") return game.resign(color, stamp);
  const auto point = rules::parse_gtp_vertex(vertex, game.header().size);
  return point ? game.play(color, *point, stamp, taken) : rules::Refusal::OffBoard;
}

std::size_t FakeDaemon::nth_of(rules::GameId id) const { return static_cast<std::size_t>(id.low); }

std::vector<ServerFrame> FakeDaemon::news() {
  std::vector<ServerFrame> frames;
  for (auto& [nth, sent] : subscribed_) {
    const rules::Game& game = games_[nth];
    if (game.seq() <= sent) continue;
    protocol::GameEvents events{game.header().id, game.header().size, {}};
    events.events.assign(game.events().begin() + sent, game.events().end());
    sent = game.seq();
    frames.push_back({0, events});
  }
  return frames;
}

}  // namespace tengen::cli
