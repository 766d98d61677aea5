// Who is at which seat: joining, open seats, presence and absence, rematches, and what spectators
// of a delayed broadcast may see.
#include <algorithm>

#include "daemon/check.h"
#include "daemon/encoded_push.h"
#include "daemon/engine_seats.h"
#include "daemon/game_at.h"
#include "daemon/hub.h"
#include "daemon/seeds.h"
#include "protocol/log_codec.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using rules::SeatKind;

std::size_t index_of_slot(int slot) { return static_cast<std::size_t>(slot - 1); }

bool is_persons(const rules::Seat& seat) { return seat.kind == SeatKind::Human && !seat.is_open; }

Error bad_ticket() { return {ErrorCode::BadTicket, "ticket", "this ticket opens no seat here"}; }

/// The name under which a rematch is remembered; clients' request ids have no spaces.
std::string rematch_name(rules::GameId game) { return "rematch " + rules::to_text(game); }

}  // namespace

// ---- Joining

void Hub::handle(ConnId id, std::uint32_t request, protocol::JoinGame& join, Entry& entry, Now now,
                 Effects& out) {
  const auto seat = open_ticket(ticket_key_, join.ticket);
  if (!seat || !is_persons(entry.match.game().seats()[index_of_slot(seat->slot)])) {
    return refuse(id, request, bad_ticket(), out);
  }
  if (auto error = sit_down(id, *seat, entry, now, out)) {
    return refuse(id, request, std::move(*error), out);
  }
  reply(id, request, joined(entry, seat->slot, now), entry.last, out);
}

protocol::GameJoined Hub::joined(const Entry& entry, int slot, Now now) const {
  return {slot, entry.match.game().header().color_of_slot(slot), snapshot(entry, now)};
}

std::optional<Error> Hub::objection_to_sitting(ConnId id, SeatOf seat, const Entry& entry) {
  const auto& seats = connections_.at(id).seats;
  const auto& holders = entry.holders[index_of_slot(seat.slot)];
  if (std::find(holders.begin(), holders.end(), id) != holders.end()) return std::nullopt;
  if (seats.size() >= limits_.seats_max) leave_finished(id);
  if (seats.size() < limits_.seats_max) return std::nullopt;
  return Error{ErrorCode::LimitReached, "seats_max", "this connection has joined too many seats"};
}

// A seat taken once more by the same connection changes nothing.
std::optional<Error> Hub::sit_down(ConnId id, SeatOf seat, Entry& entry, Now now, Effects& out) {
  auto& seats = connections_.at(id).seats;
  auto& holders = entry.holders[index_of_slot(seat.slot)];
  if (std::find(holders.begin(), holders.end(), id) != holders.end()) return std::nullopt;
  if (auto error = objection_to_sitting(id, seat, entry)) return error;
  release_events(entry, now, out);
  const auto seen = visible_seq(entry, id, now);
  seats.push_back(seat);
  holders.push_back(id);
  catch_up(entry, id, seen, out);
  if (holders.size() == 1) push_presence(entry, seat.slot, out);
  set_absence_deadline(entry);
  on_seat_joined(id, entry, now, out);
  return std::nullopt;
}

// Seats of games that are over make room.
void Hub::leave_finished(ConnId id) {
  std::erase_if(connections_.at(id).seats, [&](const SeatOf& seat) {
    const auto found = games_.find(seat.game);
    if (found == games_.end()) return true;
    if (!found->second->match.game().is_finished()) return false;
    std::erase(found->second->holders[index_of_slot(seat.slot)], id);
    return true;
  });
}

void Hub::stand_up(ConnId id, const std::vector<SeatOf>& seats, Now now, Effects& out) {
  for (const SeatOf& seat : seats) {
    const auto found = games_.find(seat.game);
    if (found == games_.end()) continue;
    auto& entry = *found->second;
    auto& holders = entry.holders[index_of_slot(seat.slot)];
    if (std::erase(holders, id) == 0 || !holders.empty()) continue;
    entry.away_since[index_of_slot(seat.slot)] = now.steady;
    push_presence(entry, seat.slot, out);
    set_absence_deadline(entry);
  }
}

std::array<bool, 2> Hub::presence_of(const Entry& entry) {
  std::array<bool, 2> present{true, true};
  for (std::size_t i = 0; i < present.size(); ++i) {
    present[i] = !is_persons(entry.match.game().seats()[i]) || !entry.holders[i].empty();
  }
  return present;
}

void Hub::push_presence(const Entry& entry, int slot, Effects& out) {
  const auto& game = entry.match.game();
  if (game.is_finished() || !is_persons(game.seats()[index_of_slot(slot)])) return;
  EncodedPush presence(
      protocol::Presence{game.header().id, slot, !entry.holders[index_of_slot(slot)].empty()});
  for (const ConnId watcher : entry.watchers) {
    const auto format = connections_.at(watcher).session.format();
    journal_.send_after(entry.last, SendFrame{watcher, presence.in(format)}, out);
  }
}

// ---- Absence

void Hub::set_absence_deadline(const Entry& entry) {
  const auto& game = entry.match.game();
  const AbsenceKey key{game.header().id};
  std::optional<TimePoint> first;
  const bool counts = !draining_ && !game.is_finished() && game.header().absence.count() != 0 &&
                      !entry.match.has_open_seat();
  for (std::size_t i = 0; counts && i < entry.holders.size(); ++i) {
    if (!is_persons(game.seats()[i]) || !entry.holders[i].empty()) continue;
    const TimePoint until = entry.away_since[i] + game.header().absence;
    first = first ? std::min(*first, until) : until;
  }
  deadlines_.set(key, first);
}

// The seat goes to an engine where the game says so and one can play it; else the game is lost.
void Hub::on_absence_deadline(Entry& entry, Now now, Effects& out) {
  const auto& game = entry.match.game();
  const auto& header = game.header();
  MatchEffects effects;
  for (const int slot : {1, 2}) {
    const auto i = index_of_slot(slot);
    if (game.is_finished() || !is_persons(game.seats()[i]) || !entry.holders[i].empty()) continue;
    if (entry.away_since[i] + header.absence > now.steady) continue;
    std::optional<rules::Seat> engine;
    const auto& profile = header.absence_profile;
    if (!profile.empty() &&
        !objection(pool_, profile, {}, {header.size, header.rules, header.clock})) {
      engine = rules::Seat{
          SeatKind::Engine, "", profile, {}, plays_other_rules(pool_, profile, header.rules)};
      engine->undos = rules::kUndosGranted;
      engine->pauses = rules::kPausesGranted;
    }
    entry.match.on_absent(header.color_of_slot(slot), engine, now, effects);
  }
  settle(entry, std::move(effects), now, out);
}

// ---- Open seats

void Hub::handle(ConnId id, std::uint32_t request, const protocol::TakeSeat& take, Entry& entry,
                 Now now, Effects& out) {
  const auto& game = entry.match.game();
  const SeatOf seat{take.game, take.slot};
  if (auto error = objection_to_sitting(id, seat, entry)) {
    return refuse(id, request, std::move(*error), out);
  }
  MatchEffects effects;
  const auto taking = taking_name(ticket_key_, connections_.at(id).caller.name, take.request_id);
  if (auto error = entry.match.on_take_seat(take.slot, take.name, taking, now, effects)) {
    return refuse(id, request, std::move(*error), out);
  }
  publish(entry, out);
  if (is_persons(game.seats()[index_of_slot(take.slot)])) {
    check(!sit_down(id, seat, entry, now, out), "there is room for the seat");
  }
  for (std::size_t i = 0; i < entry.holders.size(); ++i) {
    if (entry.holders[i].empty()) entry.away_since[i] = now.steady;
  }
  if (entry.agents != nullptr) {
    for (const int slot : entry.agents->slots()) entry.agents->note_call(slot, now.steady);
  }
  reply(id, request,
        protocol::SeatTaken{{take.slot, make_ticket(ticket_key_, seat)},
                            joined(entry, take.slot, now)},
        entry.last, out);
  settle(entry, std::move(effects), now, out);
}

// ---- Rematches

void Hub::handle(ConnId id, std::uint32_t request, const protocol::Rematch& rematch, Entry& entry,
                 Now now, Effects& out) {
  const int slot = slot_of_act(connections_.at(id), rematch.game, rematch.slot);
  const auto& game = entry.match.game();
  if (slot == 0) return refuse(id, request, not_your_seat(), out);
  if (!game.is_finished()) {
    return refuse(id, request,
                  {ErrorCode::WrongPhase, "play", "the game is not over: no rematch yet"}, out);
  }
  for (const auto& seat : game.seats()) {
    if (seat.kind != SeatKind::Agent) continue;
    return refuse(id, request,
                  {ErrorCode::UnsupportedRules, "agents", "agents are not asked for rematches"},
                  out);
  }
  const auto made = requests_.find(rematch_name(rematch.game));
  if (made != requests_.end()) {
    const auto next = games_.find(made->second);
    const Ticket last = next != games_.end() ? next->second->last : Ticket{};
    return reply(id, request, rematch_made(entry, made->second, id), last, out);
  }
  entry.rematch_wanted[index_of_slot(slot)] = true;
  const auto is_wanted = [&](int each) {
    return game.seats()[index_of_slot(each)].kind == SeatKind::Engine ||
           entry.rematch_wanted[index_of_slot(each)];
  };
  if (!is_wanted(1) || !is_wanted(2)) {
    const protocol::RematchOffered offer{rematch.game, slot};
    for (const ConnId other : entry.holders[index_of_slot(3 - slot)]) {
      if (other != id) push_to(other, connections_.at(other), offer, entry.last, out);
    }
    return reply(id, request, offer, entry.last, out);
  }
  auto header = rematch_header(game, now);
  if (auto error = judge_rematch(header)) return refuse(id, request, std::move(*error), out);
  const auto& caller = connections_.at(id).caller;
  if (auto error = take_quota(caller, Holding::Game)) {
    return refuse(id, request, std::move(*error), out);
  }
  journal_.add(NewGame{header.id, protocol::encode_header(header), rematch_name(rematch.game)});
  remember_request(rematch_name(rematch.game), header.id);
  auto& next = add_match(rules::Game(std::move(header)), journal_.open_ticket(), 0, now.steady);
  next.client = {id.value};
  next.maker = caller.name;
  const auto next_id = next.match.game().header().id;
  reply(id, request, rematch_made(entry, next_id, id), next.last, out);
  for (const auto& holders : entry.holders) {
    for (const ConnId holder : holders) {
      if (holder == id) continue;
      push_to(holder, connections_.at(holder), rematch_made(entry, next_id, holder), next.last,
              out);
    }
  }
  MatchEffects effects;
  next.match.resume(now, effects);
  settle(next, std::move(effects), now, out);
}

/// The same game with colours swapped and a secret of its own. Who plays now plays again.
rules::Header Hub::rematch_header(const rules::Game& game, Now now) {
  rules::Header header = game.header();
  header.id = fresh_game_id(now);
  header.created_ms = now.unix_ms;
  header.slot1_color = rules::other(header.slot1_color);
  header.seats = game.seats();
  header.seed = draw_seed(ticket_key_, header.id);
  return header;
}

std::optional<Error> Hub::judge_rematch(const rules::Header& header) const {
  if (auto error = judge_new_game()) return error;
  for (const auto& seat : header.seats) {
    if (seat.kind != SeatKind::Engine) continue;
    if (auto error = objection_to_new(pool_, seat.profile, seat.settings,
                                      {header.size, header.rules, header.clock})) {
      return error;
    }
  }
  return std::nullopt;
}

/// With the tickets of the slots that this connection holds in the old game: slots stay the same.
protocol::RematchMade Hub::rematch_made(const Entry& entry, rules::GameId next, ConnId id) const {
  const auto& header = entry.match.game().header();
  protocol::RematchMade made{header.id, {next, rules::other(header.slot1_color), {}}};
  for (const SeatOf& seat : connections_.at(id).seats) {
    if (seat.game != header.id) continue;
    made.created.tickets.push_back({seat.slot, make_ticket(ticket_key_, {next, seat.slot})});
  }
  return made;
}

// ---- Delayed broadcasts

bool Hub::is_spectator(const Entry& entry, ConnId id) {
  const auto holds = [&](const std::vector<ConnId>& holders) {
    return std::find(holders.begin(), holders.end(), id) != holders.end();
  };
  return !holds(entry.holders[0]) && !holds(entry.holders[1]);
}

// The last event that spectators may know. Events are stamped in order, but for a clock that was
// set back: what has been seen stays seen.
std::uint32_t Hub::spectators_seq(const Entry& entry, Now now) {
  const auto& game = entry.match.game();
  const auto delay = game.header().broadcast_delay.count();
  if (delay == 0) return game.seq();
  std::uint32_t seq = entry.released;
  while (seq < game.seq() && game.events()[seq].stamp.unix_ms + delay <= now.unix_ms) ++seq;
  return whole_act_up_to(game, seq);
}

std::uint32_t Hub::visible_seq(const Entry& entry, ConnId id, Now now) {
  if (entry.match.game().header().broadcast_delay.count() == 0 || !is_spectator(entry, id)) {
    return entry.match.game().seq();
  }
  return spectators_seq(entry, now);
}

// A spectator that has sat down sees at once what was still withheld.
void Hub::catch_up(Entry& entry, ConnId id, std::uint32_t seen, Effects& out) {
  const auto& game = entry.match.game();
  const bool watches =
      std::find(entry.watchers.begin(), entry.watchers.end(), id) != entry.watchers.end();
  if (!watches || seen == game.seq()) return;
  const protocol::GameEvents events{
      game.header().id, game.header().size, {game.events().begin() + seen, game.events().end()}};
  push_to(id, connections_.at(id), events, entry.last, out);
}

void Hub::release_events(Entry& entry, Now now, Effects& out) {
  const auto& game = entry.match.game();
  if (game.header().broadcast_delay.count() == 0) return;
  const auto until = spectators_seq(entry, now);
  if (until > entry.released) {
    EncodedPush events(protocol::GameEvents{
        game.header().id,
        game.header().size,
        {game.events().begin() + entry.released, game.events().begin() + until}});
    for (const ConnId watcher : entry.watchers) {
      if (!is_spectator(entry, watcher)) continue;
      const auto format = connections_.at(watcher).session.format();
      journal_.send_after(entry.last, SendFrame{watcher, events.in(format)}, out);
    }
    entry.released = until;
  }
  std::optional<TimePoint> next;
  if (until < game.seq() && !draining_) {
    const auto due = game.events()[until].stamp.unix_ms + game.header().broadcast_delay.count();
    next = now.steady + std::chrono::milliseconds(std::max<std::int64_t>(1, due - now.unix_ms));
  }
  deadlines_.set(BroadcastKey{game.header().id}, next);
}

}  // namespace tengen::daemon
