// The agents' calls over HTTP (document 002): who calls, which game, and what is answered. What is
// said of a game waits for its commit like every other answer.
#include <algorithm>

#include "daemon/check.h"
#include "daemon/game_at.h"
#include "daemon/hub.h"
#include "daemon/watch_page.h"
#include "protocol/agent_queries.h"
#include "protocol/agent_requests.h"
#include "protocol/agent_rules.h"
#include "protocol/agent_view.h"

namespace tengen::daemon {
namespace {

using protocol::ErrorCode;
using rules::Color;
using rules::SeatKind;

HttpResponse json_response(int status, std::string body) {
  HttpResponse response;
  response.status = status;
  response.type = "application/json";
  response.body = std::move(body);
  return response;
}

HttpResponse json_error(int status, std::string_view text) {
  return json_response(status, protocol::agent_error_json(text));
}

HttpResponse too_many(std::string_view text) {
  auto response = json_error(429, text);
  response.retry_after = 1;
  return response;
}

HttpResponse unauthorized() {
  auto response = json_error(401, "this call needs the match ticket of an agent's seat as Bearer");
  response.www_authenticate = "Bearer";
  return response;
}

std::string etag_of(std::uint32_t seq) { return '"' + std::to_string(seq) + '"'; }

/// If-Match names the view that an act was made for. A star is any.
bool is_of_view(std::string_view if_match, std::uint32_t seq) {
  return if_match.empty() || if_match == "*" || if_match == etag_of(seq);
}

bool is_key(std::string_view key) {
  return key.size() <= protocol::kRequestIdBytesMax &&
         std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// As the view says: before every seat is taken nobody has a turn, or a colour.
bool is_agents_turn(const Match& match, int slot) {
  const auto& game = match.game();
  return game.turn() == game.header().color_of_slot(slot) && !game.is_paused() &&
         !match.has_open_seat();
}

}  // namespace

std::unique_ptr<AgentSeats> Hub::agent_seats_of(const rules::Game& game, TimePoint now) const {
  std::vector<int> slots;
  for (const int slot : {1, 2}) {
    const auto& seat = game.header().seats[static_cast<std::size_t>(slot - 1)];
    if (seat.kind == SeatKind::Agent) slots.push_back(slot);
  }
  if (slots.empty()) return nullptr;
  auto seats = std::make_unique<AgentSeats>(slots, limits_.agents);
  for (const int slot : slots) seats->note_call(slot, now);
  return seats;
}

void Hub::on_http(HttpId id, HttpRequest request, Now now, Effects& out) {
  const Peer peer(request.peer);
  if (gate_.rates().on_http(everyone(), peer, now.steady)) {
    return answer_http(id, too_many("too many requests from there"), Ticket{}, out);
  }
  const auto found = route_of(request.method, request.target);
  if (const auto* none = std::get_if<NoRoute>(&found)) {
    auto response = json_error(none->status, none->text);
    response.allow = none->allow;
    return answer_http(id, std::move(response), Ticket{}, out);
  }
  const auto& route = std::get<HttpRoute>(found);
  if (route.call == HttpCall::Rules) {
    return answer_http(id, json_response(200, protocol::agent_rules_json()), Ticket{}, out);
  }
  AgentCall call{id, route.call, {}, std::move(request)};
  if (route.game) {
    call.seat = {*route.game, 0};
    return find_game(std::move(call), now, out);
  }
  if (gate_.rates().judge_attempt(peer, now.steady)) {
    return answer_http(id, too_many("too many false tickets from there"), Ticket{}, out);
  }
  const auto bearer = bearer_of(call.request.authorization);
  const auto seat = open_ticket(ticket_key_, bearer.value_or(""));
  if (!seat) {
    if (bearer) gate_.rates().on_bad_secret(peer, now.steady);
    return answer_http(id, unauthorized(), Ticket{}, out);
  }
  call.seat = *seat;
  find_game(std::move(call), now, out);
}

void Hub::on_http_gone(HttpId id, Now now) {
  const auto found = waits_.find(id);
  if (found == waits_.end()) return;
  const auto entry = games_.find(found->second);
  waits_.erase(found);
  if (entry == games_.end()) return;
  entry->second->agents->forget_wait(id, now.steady);
  set_agent_deadline(*entry->second);
}

void Hub::answer_http(HttpId id, HttpResponse response, Ticket after, Effects& out) {
  journal_.send_after(after, HttpAnswer{id, std::move(response)}, out);
}

void Hub::find_game(AgentCall call, Now now, Effects& out) {
  if (draining_) {
    auto response = json_error(503, "the daemon is stopping; games go on when it is back");
    response.retry_after = 1;
    return answer_http(call.id, std::move(response), Ticket{}, out);
  }
  const auto game = call.seat.game;
  const auto found = games_.find(game);
  if (found != games_.end()) return handle_call(call, *found->second, now, out);
  if (parked_count_ >= limits_.parked_max) {
    return answer_http(call.id, too_many("too many games are being loaded"), Ticket{}, out);
  }
  park(Parked{std::move(call)}, game, out);
}

void Hub::answer_unknown_game(const AgentCall& call, const protocol::Error& error, Effects& out) {
  const int status = error.code == ErrorCode::UnknownGame ? 404 : 500;
  answer_http(call.id, json_error(status, error.message), Ticket{}, out);
}

void Hub::handle_call(AgentCall& call, Entry& entry, Now now, Effects& out) {
  const auto& game = entry.match.game();
  if (call.what == HttpCall::Watch) {
    HttpResponse response;
    response.type = "text/html; charset=utf-8";
    response.body = watch_page(sight_of(entry, ConnId{}, now));
    return answer_http(call.id, std::move(response), entry.last, out);
  }
  const Color color = game.header().color_of_slot(call.seat.slot);
  if (game.seat(color).kind != SeatKind::Agent || entry.agents == nullptr) {
    return answer_http(call.id, unauthorized(), Ticket{}, out);
  }
  entry.agents->note_call(call.seat.slot, now.steady);
  switch (call.what) {
    case HttpCall::View:
      answer_http(call.id, view_response(entry, call.seat.slot), entry.last, out);
      break;
    case HttpCall::Act:
      on_agent_act(call, entry, now, out);
      break;
    case HttpCall::Wait:
      on_agent_wait(call, entry, now, out);
      break;
    case HttpCall::Query:
      on_agent_query(call, entry, out);
      break;
    case HttpCall::Leave:
      on_agent_leave(call, entry, now, out);
      break;
    default:
      break;
  }
  set_agent_deadline(entry);
}

protocol::AgentViewer Hub::viewer_of(const Entry& entry, int slot) const {
  const auto& header = entry.match.game().header();
  protocol::AgentViewer viewer;
  viewer.match_id = rules::to_text(header.id);
  viewer.slot = slot;
  // Until every seat is taken nobody knows a colour.
  if (!entry.match.has_open_seat()) viewer.color = header.color_of_slot(slot);
  viewer.spectator_url = public_url_ + std::string(kWatchPath) + viewer.match_id;
  if (const auto* last = entry.agents->last_act(slot)) {
    viewer.last_act = protocol::LastAct{last->is_accepted, last->reason};
  }
  return viewer;
}

HttpResponse Hub::view_response(const Entry& entry, int slot) const {
  const auto& game = entry.match.game();
  auto response = json_response(200, protocol::agent_view_json(game, viewer_of(entry, slot)));
  response.etag = etag_of(game.seq());
  return response;
}

// The answer to an act, as it was when the act was made.
HttpResponse Hub::act_response(const Entry& entry, const AgentAct& act) const {
  const auto& present = entry.match.game();
  auto viewer = viewer_of(entry, act.slot);
  viewer.last_act = protocol::LastAct{act.is_accepted, act.reason};
  const bool is_present = act.seq == present.seq();
  const auto past = is_present ? std::nullopt : std::optional(game_at(present, act.seq));
  const rules::Game& game = past ? *past : present;
  const bool had_open_seat = game.seats()[0].is_open || game.seats()[1].is_open;
  if (had_open_seat) viewer.color.reset();
  auto response =
      act.is_accepted
          ? json_response(act.status, protocol::agent_view_json(game, viewer))
          : json_response(act.status, protocol::refused_act_json(game, viewer, act.reason));
  response.etag = etag_of(act.seq);
  return response;
}

void Hub::on_agent_act(AgentCall& call, Entry& entry, Now now, Effects& out) {
  const int slot = call.seat.slot;
  const std::string& key = call.request.idempotency_key;
  if (!is_key(key)) {
    return answer_http(call.id,
                       json_error(400,
                                  "Idempotency-Key is up to 64 printable characters without "
                                  "spaces"),
                       Ticket{}, out);
  }
  if (const auto* known = entry.agents->find_act(slot, key)) {
    return answer_http(call.id, act_response(entry, *known), entry.last, out);
  }
  if (!entry.agents->has_room_for(slot, key)) {
    // Later will be no better: an act without a key is.
    return answer_http(call.id, json_error(429, "too many Idempotency-Keys for this ticket"),
                       Ticket{}, out);
  }
  AgentAct act{slot, key};
  MatchEffects effects;
  if (const auto refusal = try_agent_act(call, entry, now, effects)) {
    act.status = refusal->status;
    act.reason = refusal->reason;
  } else {
    act.is_accepted = true;
    act.status = 200;
  }
  auto events = record(entry, now, out);
  act.seq = entry.match.game().seq();
  journal_.add(NewAgentAct{call.seat.game, act});
  entry.last = journal_.open_ticket();
  entry.agents->remember(act);
  answer_http(call.id, act_response(entry, act), entry.last, out);
  push(entry, std::move(events), std::nullopt, out);
  settle(entry, std::move(effects), now, out);
}

// Why an act is refused; nothing when it is made.
std::optional<Hub::ActRefusal> Hub::try_agent_act(const AgentCall& call, Entry& entry, Now now,
                                                  MatchEffects& effects) {
  const auto& game = entry.match.game();
  const auto parsed = protocol::parse_act(call.request.body);
  if (const auto* bad = std::get_if<protocol::BadBody>(&parsed)) return ActRefusal{400, bad->text};
  if (!is_of_view(call.request.if_match, game.seq())) {
    return ActRefusal{412, "the game has gone on since the view that If-Match names"};
  }
  const auto& point = std::get<protocol::AgentAct>(parsed).point;
  // No two accepted acts have the same next event.
  const std::string request_id = "agent-" + std::to_string(game.seq() + 1);
  const int slot = call.seat.slot;
  const auto answer =
      point ? entry.match.on_play(slot,
                                  {call.seat.game, slot, request_id, game.position_seq(),
                                   rules::gtp_vertex(*point, protocol::kAgentBoard)},
                                  now, effects)
            : entry.match.on_pass(slot, {call.seat.game, slot, request_id, game.position_seq()},
                                  now, effects);
  if (const auto* error = std::get_if<protocol::Error>(&answer)) {
    return ActRefusal{400, error->message};
  }
  return std::nullopt;
}

void Hub::on_agent_wait(const AgentCall& call, Entry& entry, Now now, Effects& out) {
  const auto time = protocol::parse_wait(call.request.body);
  if (const auto* bad = std::get_if<protocol::BadBody>(&time)) {
    return answer_http(call.id, json_error(400, bad->text), Ticket{}, out);
  }
  const int slot = call.seat.slot;
  const auto& game = entry.match.game();
  if (game.is_finished() || is_agents_turn(entry.match, slot)) {
    return answer_http(call.id, view_response(entry, slot), entry.last, out);
  }
  if (!entry.agents->can_wait(slot)) {
    return answer_http(call.id, too_many("two waits are open for this ticket"), Ticket{}, out);
  }
  entry.agents->wait({call.id, slot, now.steady + std::get<std::chrono::seconds>(time)});
  waits_.emplace(call.id, call.seat.game);
}

void Hub::on_agent_query(const AgentCall& call, const Entry& entry, Effects& out) {
  const auto query = protocol::parse_query(call.request.body);
  if (const auto* bad = std::get_if<protocol::BadBody>(&query)) {
    return answer_http(call.id, json_error(400, bad->text), Ticket{}, out);
  }
  answer_http(call.id,
              json_response(200, protocol::answer_json(std::get<protocol::AgentQuery>(query),
                                                       entry.match.game())),
              entry.last, out);
}

// Leaving a game that is over changes nothing.
void Hub::on_agent_leave(const AgentCall& call, Entry& entry, Now now, Effects& out) {
  if (const auto bad = protocol::parse_nothing(call.request.body)) {
    return answer_http(call.id, json_error(400, bad->text), Ticket{}, out);
  }
  const int slot = call.seat.slot;
  const auto& game = entry.match.game();
  MatchEffects effects;
  if (!game.is_finished()) {
    const std::string request_id = "agent-" + std::to_string(game.seq() + 1);
    const auto answer = entry.match.on_act(
        slot, {call.seat.game, slot, request_id, game.position_seq(), protocol::Leave{}}, now,
        effects);
    check(std::holds_alternative<protocol::Accepted>(answer), "a game in play can be left");
  }
  auto events = record(entry, now, out);
  answer_http(call.id, view_response(entry, slot), entry.last, out);
  push(entry, std::move(events), std::nullopt, out);
  settle(entry, std::move(effects), now, out);
}

void Hub::answer_waits(Entry& entry, const std::vector<AgentSeats::Wait>& waits, Effects& out) {
  for (const auto& wait : waits) {
    waits_.erase(wait.request);
    answer_http(wait.request, view_response(entry, wait.slot), entry.last, out);
  }
}

// Whoever waits is told when its turn has come or the game is over.
void Hub::wake_agents(Entry& entry, Now now, Effects& out) {
  if (entry.agents == nullptr) return;
  const auto& game = entry.match.game();
  for (const int slot : entry.agents->slots()) {
    if (!game.is_finished() && !is_agents_turn(entry.match, slot)) continue;
    const auto waits = entry.agents->take_waits(slot);
    if (!waits.empty()) entry.agents->note_call(slot, now.steady);
    answer_waits(entry, waits, out);
  }
  set_agent_deadline(entry);
}

void Hub::set_agent_deadline(const Entry& entry) {
  const AgentsKey key{entry.match.game().header().id};
  const bool is_over = entry.match.game().is_finished() || draining_;
  deadlines_.set(key, is_over ? std::nullopt : entry.agents->deadline());
}

void Hub::on_agents_deadline(Entry& entry, Now now, Effects& out) {
  answer_waits(entry, entry.agents->take_due_waits(now.steady), out);
  if (entry.match.has_open_seat()) {  // nobody is late for a game that has not begun
    for (const int slot : entry.agents->slots()) entry.agents->note_call(slot, now.steady);
  }
  if (const auto slot = entry.agents->absent(now.steady)) {
    MatchEffects effects;
    entry.match.on_departed(entry.match.game().header().color_of_slot(*slot), now, effects);
    entry.agents->note_call(*slot, now.steady);
    settle(entry, std::move(effects), now, out);
  }
  set_agent_deadline(entry);
}

}  // namespace tengen::daemon
