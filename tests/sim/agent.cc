#include "sim/agent.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "protocol/log_codec.h"
#include "sim/world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using rules::Color;
using rules::SeatKind;

bool is_move(const rules::EventBody& body) {
  return std::holds_alternative<rules::Played>(body) || std::holds_alternative<rules::Passed>(body);
}

}  // namespace

Agent::Agent(World& world, std::uint64_t number)
    : world_(world), number_(number), pause_us_(world.chance(0.2) ? 3'000'000 : 200'000) {
  for (auto i = 1 + world_.below(2); i > 0; --i) {
    matches_.emplace_back();
    matches_.back().create = make_request();
  }
}

std::string Agent::next_id() {
  return "a" + std::to_string(number_) + "-" + std::to_string(next_id_++);
}

protocol::CreateGame Agent::make_request() {
  const auto* preset = rules::find_preset(rules::kAgentPreset);
  protocol::CreateGame create;
  create.request_id = next_id();
  create.size = {19, 19};
  create.preset = std::string(preset->name);
  create.rules = preset->rules;
  create.komi_half = preset->komi_half;
  create.colors = protocol::ColorChoice::Random;
  create.analysis = static_cast<rules::AnalysisPolicy>(1 + world_.below(3));
  create.seats[0].kind = SeatKind::Agent;
  auto& other = create.seats[1];
  const auto opponent = world_.below(10);
  other.kind = opponent < 5 ? SeatKind::Agent : opponent < 8 ? SeatKind::Engine : SeatKind::Human;
  if (other.kind == SeatKind::Engine) {
    other.profile = world_.chance(0.7) ? "alpha" : "kata";
  } else {
    other.is_open = world_.chance(0.3);
    // Whoever takes an open seat may have come for nothing else.
    if (other.is_open) create.absence = std::chrono::milliseconds(1'000 + world_.below(5'000));
  }
  if (world_.chance(0.4)) create.broadcast_delay = std::chrono::milliseconds(world_.below(3'000));
  // An engine must have its time; without one flags fall.
  const char* clocks[] = {"absolute:60", "fischer:10+1", "absolute:3", "fischer:1+0.2"};
  const auto count = other.kind == SeatKind::Engine ? 2 : 4;
  if (world_.chance(0.3)) {
    const auto* clock = clocks[world_.below(static_cast<std::uint64_t>(count))];
    create.time = std::get<rules::TimeControl>(rules::parse_time_control(clock));
  }
  ++world_.counts["agents' games"];
  return create;
}

void Agent::start() {
  world_.after(std::chrono::microseconds(world_.below(100'000)), [this] { think(); });
}

bool Agent::is_done() const {
  return calls_.empty() && std::all_of(matches_.begin(), matches_.end(), [&](const Match& match) {
           const auto* game = match.id ? world_.durable(*match.id) : nullptr;
           return game != nullptr && game->finished && !match.is_asking &&
                  std::none_of(match.seats.begin(), match.seats.end(),
                               [](const Seat& seat) { return seat.act.has_value(); });
         });
}

void Agent::think() {
  step();
  if (is_done()) return;
  world_.after(std::chrono::microseconds(5'000 + world_.below(pause_us_)), [this] { think(); });
}

void Agent::step() {
  check_open_calls();
  for (std::size_t at = 0; at < matches_.size(); ++at) {
    if (is_welcome_) step_line(matches_[at]);
    for (std::size_t seat = 0; seat < matches_[at].seats.size(); ++seat) step_seat(at, seat);
  }
  if (!connection_) {
    world_.connect(*this, format());
    return ask(protocol::Hello{protocol::kVersion, "agent"}, matches_.front());
  }
  if (world_.may_fail() && world_.chance(0.01)) world_.disconnect(*this);
}

void Agent::step_line(Match& match) {
  if (match.is_asking) return;
  if (!match.id) return ask(match.create, match);
  if (match.open && world_.chance(0.2)) return ask(*match.open, match);
  if (match.person && !match.is_joined) return ask(protocol::JoinGame{*match.person}, match);
  if (match.person && world_.chance(0.5)) play_person(match);
}

// A person who sees the game as the log has it.
void Agent::play_person(Match& match) {
  const auto game = world_.game_now(*match.id);
  const int slot = 2;
  const auto actions = legal_actions(game, slot);
  if (actions.empty()) return;
  const auto late = game.record().moves().size() > 12;
  if (late && world_.chance(0.1)) return ask(protocol::Resign{*match.id, slot, next_id()}, match);
  if (world_.chance(late ? 0.6 : 0.05)) {
    return ask(protocol::Pass{*match.id, slot, next_id(), game.position_seq()}, match);
  }
  const auto action = actions[world_.below(actions.size())];
  if (!action) return;
  ask(protocol::Play{*match.id, slot, next_id(), game.position_seq(),
                     rules::gtp_vertex(*action, game.header().size)},
      match);
}

void Agent::ask(protocol::ClientMessage message, Match& match) {
  if (!connection_) return;
  const auto frame = next_frame_++;
  auto bytes = protocol::encode(format(), protocol::ClientFrame{frame, message});
  match.is_asking = !std::holds_alternative<protocol::Hello>(message);
  const auto at = static_cast<std::size_t>(&match - matches_.data());
  in_flight_.emplace(frame, std::pair(std::move(message), at));
  world_.send(*this, protocol::FrameKind::Binary, std::move(bytes));
}

void Agent::on_disconnected() {
  connection_.reset();
  is_welcome_ = false;
  in_flight_.clear();
  for (auto& match : matches_) {
    match.is_asking = false;
    match.is_joined = false;
  }
}

void Agent::on_frame(daemon::ConnId, const protocol::ServerFrame& frame) {
  if (frame.reply_to == 0) return;
  const auto found = in_flight_.find(frame.reply_to);
  if (found == in_flight_.end()) world_.fail("a request about agents was answered twice");
  const auto [asked, at] = std::move(found->second);
  in_flight_.erase(found);
  if (std::holds_alternative<protocol::Welcome>(frame.message)) {
    is_welcome_ = true;
    return;
  }
  matches_[at].is_asking = false;
  on_reply(matches_[at], asked, frame.message);
}

void Agent::on_reply(Match& match, const protocol::ClientMessage& asked,
                     const protocol::ServerMessage& message) {
  const auto sit = [&](const protocol::TicketOf& ticket) {
    const auto kind = match.create.seats[static_cast<std::size_t>(ticket.slot - 1)].kind;
    if (kind == SeatKind::Human) {
      match.person = ticket.ticket;
    } else {
      match.seats.emplace_back();
      match.seats.back().slot = ticket.slot;
      match.seats.back().ticket = ticket.ticket;
      match.seats.back().polls = world_.chance(0.3);
    }
  };
  if (const auto* created = std::get_if<protocol::GameCreated>(&message)) {
    if (match.id) world_.fail("one request made an agents' game twice");
    match.id = created->game;
    for (const auto& ticket : created->tickets) sit(ticket);
    if (match.create.seats[1].is_open) {
      match.open = protocol::TakeSeat{created->game, 2, next_id(), "late"};
    }
  } else if (const auto* taken = std::get_if<protocol::SeatTaken>(&message)) {
    world_.note_taker(*match.id, taken->ticket.slot, match.open->request_id);
    match.open.reset();
    sit(taken->ticket);
    match.is_joined = match.person.has_value();
  } else if (std::holds_alternative<protocol::GameJoined>(message)) {
    match.is_joined = true;
  } else if (const auto* error = std::get_if<protocol::Error>(&message)) {
    if (std::holds_alternative<protocol::TakeSeat>(asked) && !protocol::is_retryable(error->code)) {
      match.open.reset();  // somebody was faster, or the game is over
    }
    const bool is_bad = error->code == protocol::ErrorCode::IllegalMove ||
                        std::holds_alternative<protocol::JoinGame>(asked) ||
                        (std::holds_alternative<protocol::CreateGame>(asked) &&
                         !protocol::is_retryable(error->code));
    if (is_bad) world_.fail("refused: " + error->message);
  }
}

// Every move of an agent in the log is an act that it knows of, and none is there twice.
void Agent::check_end() const {
  for (const auto& match : matches_) {
    const auto game = world_.game_now(*match.id);
    for (const auto& seat : match.seats) {
      const Color color = game.header().color_of_slot(seat.slot);
      std::uint64_t moves = 0;
      for (const auto& event : game.events()) {
        if (!is_move(event.body)) continue;
        const auto* played = std::get_if<rules::Played>(&event.body);
        const auto by =
            played != nullptr ? played->color : std::get<rules::Passed>(event.body).color;
        if (by == color) ++moves;
      }
      if (moves < seat.accepted || moves > seat.accepted + seat.lost) {
        world_.fail("an agent's moves in the log are not its acts");
      }
      const auto& result = game.result();
      const bool has_departed = result && result->kind == rules::ResultKind::Abandon &&
                                result->winner == rules::other(color);
      if (has_departed && !seat.is_silent) world_.fail("an agent that was there has departed");
    }
  }
}

}  // namespace tengen::sim
