// What each request does. Those about one game wait until it is in memory.
#include <algorithm>

#include "daemon/check.h"
#include "daemon/engine_seats.h"
#include "daemon/hub.h"
#include "daemon/seeds.h"
#include "protocol/log_codec.h"
#include "rules/game.h"
#include "rules/handicap.h"

namespace tengen::daemon {

using protocol::Error;
using protocol::ErrorCode;

namespace {

// Black's stones by the table, or how many it places itself; white then moves first.
void set_handicap(const protocol::CreateGame& create, rules::Header& header) {
  if (create.handicap == 0) return;
  header.first = rules::Color::White;
  if (create.placement == protocol::HandicapPlacement::Free) {
    header.free_handicap = create.handicap;
    return;
  }
  for (const rules::Point point : rules::fixed_handicap(create.size, create.handicap)) {
    header.setup.push_back({rules::Color::Black, point});
  }
}

bool has_handicap(const protocol::CreateGame& create, const rules::Header& header) {
  rules::Header asked;
  set_handicap(create, asked);
  return asked.first == header.first && asked.free_handicap == header.free_handicap &&
         asked.setup == header.setup;
}

// What is said of the engine aside.
rules::Seat seat_of(const protocol::SeatRequest& asked) {
  rules::Seat seat{asked.kind, asked.name,        asked.profile, asked.settings,
                   false,      asked.resign_from, asked.is_open};
  if (asked.kind != rules::SeatKind::Engine) return seat;
  seat.undos = asked.undos;
  seat.pauses = asked.pauses;
  return seat;
}

// Whether the game was asked for by this very request; ids, dates, drawn colours and what is said
// of the engines aside.
bool is_same_request(const protocol::CreateGame& create, const rules::Header& header) {
  bool same = create.size == header.size && create.preset == header.preset &&
              create.rules == header.rules && create.komi_half == header.komi_half &&
              create.seed.value_or(header.seed) == header.seed && create.time == header.clock &&
              create.marking_time == header.marking_time &&
              create.annul_before == header.annul_before && create.absence == header.absence &&
              create.absence_profile == header.absence_profile &&
              create.broadcast_delay == header.broadcast_delay &&
              create.lag_allowance == header.lag_allowance && create.analysis == header.analysis &&
              has_handicap(create, header);
  for (std::size_t i = 0; i < create.seats.size(); ++i) {
    rules::Seat asked = seat_of(create.seats[i]);
    asked.other_rules = header.seats[i].other_rules;
    same = same && asked == header.seats[i];
  }
  if (create.colors == protocol::ColorChoice::Random) return same;
  const bool is_black = create.colors == protocol::ColorChoice::Slot1Black;
  return same && is_black == (header.slot1_color == rules::Color::Black);
}

// Agents know one kind of game, in which nobody chooses a colour (document 002).
std::optional<Error> objection_to_agents(const protocol::CreateGame& create) {
  if (create.preset != rules::kAgentPreset) {
    return Error{ErrorCode::UnsupportedRules, "preset",
                 "agents play by the preset " + std::string(rules::kAgentPreset) + " only"};
  }
  if (create.colors != protocol::ColorChoice::Random) {
    return Error{ErrorCode::InvalidArgument, "colors", "the colours of agents' games are random"};
  }
  return std::nullopt;
}

}  // namespace

void Hub::on_request(ConnId id, protocol::Request request, Now now, Effects& out) {
  if (auto error = objection_to_caller(connections_.at(id), request.message, now)) {
    return refuse(id, request.id, std::move(*error), out);
  }
  if (const auto game = game_of(request.message)) {
    const auto found = games_.find(*game);
    if (found != games_.end()) return handle_in_game(id, request, *found->second, now, out);
    if (parked_count_ < limits_.parked_max) {
      return park(FrameCall{id, std::move(request)}, *game, out);
    }
    return refuse(
        id, request.id,
        {ErrorCode::LimitReached, "parked_max", "too many games are being loaded", 100, {}}, out);
  }
  std::visit(
      [&](auto& message) {
        using Message = std::decay_t<decltype(message)>;
        if constexpr (std::is_same_v<Message, protocol::JoinGame>) {
          refuse(id, request.id,
                 {ErrorCode::BadTicket, "ticket", "this ticket opens no seat here", 0, {}}, out);
        } else if constexpr (std::is_same_v<Message, protocol::Hello> ||
                             std::is_same_v<Message, protocol::ListEngines> ||
                             std::is_same_v<Message, protocol::CreateGame> ||
                             std::is_same_v<Message, protocol::OpenVirtualEngine> ||
                             std::is_same_v<Message, protocol::CallVirtualEngine> ||
                             std::is_same_v<Message, protocol::CloseVirtualEngine> ||
                             std::is_same_v<Message, protocol::ListGames> ||
                             std::is_same_v<Message, protocol::StopAnalysis> ||
                             std::is_same_v<Message, protocol::Ping>) {
          handle(id, request.id, message, now, out);
        } else if constexpr (std::is_same_v<Message, protocol::StartAnalysis> ||
                             std::is_same_v<Message, protocol::ReviewGame> ||
                             std::is_same_v<Message, protocol::Admin>) {
          handle(id, request.id, message, nullptr, now, out);
        }
      },
      request.message);
}

// The game a request is about; nothing for those about none and for a false ticket.
std::optional<rules::GameId> Hub::game_of(const protocol::ClientMessage& message) const {
  return std::visit(
      [&](const auto& m) -> std::optional<rules::GameId> {
        using Message = std::decay_t<decltype(m)>;
        if constexpr (std::is_same_v<Message, protocol::JoinGame>) {
          const auto seat = open_ticket(ticket_key_, m.ticket);
          return seat ? std::optional(seat->game) : std::nullopt;
        } else if constexpr (std::is_same_v<Message, protocol::CreateGame>) {
          const auto known = requests_.find(m.request_id);
          return known != requests_.end() ? std::optional(known->second) : std::nullopt;
        } else if constexpr (std::is_same_v<Message, protocol::Admin>) {
          const auto* end = std::get_if<protocol::EndGame>(&m.verb);
          return end != nullptr ? std::optional(end->game) : std::nullopt;
        } else if constexpr (requires { m.source; }) {
          const auto* source = std::get_if<protocol::GameSource>(&m.source);
          return source != nullptr ? std::optional(source->game) : std::nullopt;
        } else if constexpr (requires { m.game; }) {
          return m.game;
        } else {
          return std::nullopt;
        }
      },
      message);
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::Hello& hello, Now now, Effects& out) {
  if (!authenticate(id, request, hello, now, out)) return;
  connections_.at(id).session.welcome();
  connections_.at(id).client = std::move(hello.client);
  protocol::Welcome welcome;
  welcome.version = protocol::kVersion;
  welcome.server = server_;
  welcome.limits = {limits_.session.frame_bytes_max,
                    limits_.session.frame_bytes_before_hello_max,
                    limits_.session.requests_in_flight_max,
                    limits_.subscriptions_max,
                    limits_.games_max,
                    protocol::kNameBytesMax,
                    protocol::kRequestIdBytesMax,
                    limits_.analysis.per_connection_max};
  for (const auto& preset : rules::presets()) {
    welcome.presets.emplace_back(preset.name);
  }
  welcome.engines = engine_infos();
  welcome.heartbeat_ms = limits_.heartbeat_ms;
  const Quotas& quotas = connections_.at(id).caller.quotas;
  welcome.quotas = {.games_max = quotas.games_max,
                    .analyses_max = quotas.analyses_max,
                    .virtual_engines_max = quotas.virtual_engines_max,
                    .watches_max = quotas.watches_max,
                    .requests_per_minute = quotas.requests_per_minute};
  reply(id, request, std::move(welcome), Ticket{}, out);
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::ListEngines& /*list*/, Now /*now*/,
                 Effects& out) {
  reply(id, request, protocol::EngineList{engine_infos()}, Ticket{}, out);
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::Ping& ping, Now now, Effects& out) {
  reply(id, request, protocol::Pong{ping.client_time_ms, now.unix_ms}, Ticket{}, out);
}

std::vector<protocol::EngineInfo> Hub::engine_infos() const {
  std::vector<protocol::EngineInfo> infos;
  for (auto& status : pool_.statuses()) {
    const auto* profile = pool_.find_profile(status.name);
    protocol::EngineInfo info;
    info.profile = std::move(status.name);
    info.name = std::move(status.engine_name);
    info.version = std::move(status.engine_version);
    info.processes =
        status.starting + status.idle + status.busy + status.streaming + status.stopping;
    info.processes_max = profile->processes_max;
    info.busy = status.busy;
    info.queued = static_cast<std::uint32_t>(status.queued);
    info.failed = status.failed;
    info.size_min = profile->size_min;
    info.size_max = profile->size_max;
    for (const auto& setting : profile->settings) {
      info.settings.push_back({setting.key, setting.minimum, setting.maximum, setting.standard});
    }
    info.honours_clock = profile->honours_clock;
    info.wait = status.wait;
    info.streaming = status.streaming;
    info.draining = status.intake == pool::Intake::Closed;
    infos.push_back(std::move(info));
  }
  return infos;
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::CreateGame& create, Now now,
                 Effects& out) {
  if (auto error = judge(create)) return refuse(id, request, std::move(*error), out);
  auto header = header_of(create, now);
  if (auto problem = rules::Game::problem(header)) {
    return refuse(id, request, {ErrorCode::InvalidArgument, "game", std::move(*problem), 0, {}},
                  out);
  }
  const auto& connection = connections_.at(id);
  if (auto error = take_quota(connection, Holding::Game)) {
    return refuse(id, request, std::move(*error), out);
  }
  journal_.add(NewGame{header.id, protocol::encode_header(header), create.request_id});
  remember_request(create.request_id, header.id);
  auto& entry = add_match(rules::Game(std::move(header)), journal_.open_ticket(), 0, now.steady);
  entry.client = {id.value};
  entry.maker = connection.account;
  reply(id, request, created(entry.match), entry.last, out);
  MatchEffects effects;
  entry.match.resume(now, effects);
  settle(entry, std::move(effects), now, out);
}

std::optional<Error> Hub::judge_new_game() const {
  if (draining_) {
    return Error{ErrorCode::Unavailable, "draining", "the daemon is stopping", 1'000, {}};
  }
  if (unfinished_ >= limits_.games_max) {
    return Error{ErrorCode::LimitReached, "games_max", "too many games are in play", 5'000, {}};
  }
  return std::nullopt;
}

std::optional<Error> Hub::judge(const protocol::CreateGame& create) const {
  if (auto error = judge_new_game()) return error;
  if (!create.absence_profile.empty()) {
    if (auto error = objection_to_new(pool_, create.absence_profile, {},
                                      {create.size, create.rules, create.time})) {
      return error;
    }
  }
  for (const auto& seat : create.seats) {
    if (seat.kind == rules::SeatKind::Agent) {
      if (auto error = objection_to_agents(create)) return error;
    }
    if (seat.kind != rules::SeatKind::Engine) continue;
    if (auto error = objection_to_new(pool_, seat.profile, seat.settings,
                                      {create.size, create.rules, create.time})) {
      return error;
    }
  }
  return std::nullopt;
}

rules::GameId Hub::fresh_game_id(Now now) {
  rules::GameId id;
  do {
    id = make_game_id(now.unix_ms, random_);
  } while (games_.contains(id));
  return id;
}

rules::Header Hub::header_of(protocol::CreateGame& create, Now now) {
  rules::Header header;
  header.id = fresh_game_id(now);
  header.created_ms = now.unix_ms;
  header.size = create.size;
  header.preset = create.preset;
  header.rules = create.rules;
  header.komi_half = create.komi_half;
  for (std::size_t i = 0; i < create.seats.size(); ++i) {
    const auto& asked = create.seats[i];
    header.seats[i] = seat_of(asked);
    header.seats[i].other_rules = asked.kind == rules::SeatKind::Engine &&
                                  plays_other_rules(pool_, asked.profile, create.rules);
  }
  const bool is_black = create.colors == protocol::ColorChoice::Random
                            ? (random_() >> 63) == 0
                            : create.colors == protocol::ColorChoice::Slot1Black;
  header.slot1_color = is_black ? rules::Color::Black : rules::Color::White;
  header.seed = create.seed ? *create.seed : draw_seed(ticket_key_, header.id);
  header.clock = create.time;
  header.marking_time = create.marking_time;
  header.annul_before = create.annul_before;
  header.analysis = create.analysis;
  header.absence = create.absence;
  header.absence_profile = create.absence_profile;
  header.broadcast_delay = create.broadcast_delay;
  header.lag_allowance = create.lag_allowance;
  set_handicap(create, header);
  return header;
}

protocol::GameCreated Hub::created(const Match& match) const {
  const auto& header = match.game().header();
  protocol::GameCreated answer{header.id, header.slot1_color, {}};
  for (const int slot : {1, 2}) {
    const auto& seat = header.seats[static_cast<std::size_t>(slot - 1)];
    if (seat.kind == rules::SeatKind::Engine || seat.is_open) continue;
    answer.tickets.push_back({slot, make_ticket(ticket_key_, {header.id, slot})});
  }
  return answer;
}

void Hub::handle_in_game(ConnId id, protocol::Request& request, Entry& entry, Now now,
                         Effects& out) {
  std::visit(
      [&](auto& message) {
        using Message = std::decay_t<decltype(message)>;
        if constexpr (std::is_same_v<Message, protocol::JoinGame> ||
                      std::is_same_v<Message, protocol::GetLegalMoves> ||
                      std::is_same_v<Message, protocol::Query> ||
                      std::is_same_v<Message, protocol::TakeSeat> ||
                      std::is_same_v<Message, protocol::Rematch> ||
                      std::is_same_v<Message, protocol::Subscribe>) {
          handle(id, request.id, message, entry, now, out);
        } else if constexpr (std::is_same_v<Message, protocol::CreateGame>) {
          if (is_same_request(message, entry.match.game().header())) {
            reply(id, request.id, created(entry.match), entry.last, out);
          } else {
            refuse(id, request.id,
                   {ErrorCode::RequestIdConflict,
                    "request_id",
                    "this request_id has made another game",
                    0,
                    {}},
                   out);
          }
        } else if constexpr (std::is_same_v<Message, protocol::Play> ||
                             std::is_same_v<Message, protocol::Pass> ||
                             std::is_same_v<Message, protocol::Resign> ||
                             std::is_same_v<Message, protocol::GameAct>) {
          handle_act(id, request.id, message, entry, now, out);
        } else if constexpr (std::is_same_v<Message, protocol::GetSnapshot>) {
          reply(id, request.id, snapshot_for(entry, id, now), entry.last, out);
        } else if constexpr (std::is_same_v<Message, protocol::Unsubscribe>) {
          unsubscribe(id, message.game);
          reply(id, request.id, protocol::Unsubscribed{message.game}, entry.last, out);
        } else if constexpr (std::is_same_v<Message, protocol::StartAnalysis> ||
                             std::is_same_v<Message, protocol::ReviewGame> ||
                             std::is_same_v<Message, protocol::Admin>) {
          handle(id, request.id, message, &entry, now, out);
        }
      },
      request.message);
}

int Hub::slot_of_act(const Connection& connection, rules::GameId game, int slot) const {
  int found = 0;
  int held = 0;
  for (const auto& seat : connection.seats) {
    if (seat.game != game) continue;
    ++held;
    if (slot == 0 || slot == seat.slot) found = seat.slot;
  }
  return slot == 0 && held > 1 ? 0 : found;
}

Error Hub::not_your_seat() {
  return {ErrorCode::NotYourSeat, "slot",
          "join the seat with its ticket first; name the slot when you hold both"};
}

template <typename Act>
void Hub::handle_act(ConnId id, std::uint32_t request, const Act& act, Entry& entry, Now now,
                     Effects& out) {
  const int slot = slot_of_act(connections_.at(id), act.game, act.slot);
  if (slot == 0) return refuse(id, request, not_your_seat(), out);
  MatchEffects effects;
  Match::Answer answer;
  if constexpr (std::is_same_v<Act, protocol::Play>) {
    answer = entry.match.on_play(slot, act, now, effects);
  } else if constexpr (std::is_same_v<Act, protocol::Pass>) {
    answer = entry.match.on_pass(slot, act, now, effects);
  } else if constexpr (std::is_same_v<Act, protocol::Resign>) {
    answer = entry.match.on_resign(slot, act, now, effects);
  } else {
    answer = entry.match.on_act(slot, act, now, effects);
  }
  auto events = record(entry, now, out);
  auto* accepted = std::get_if<protocol::Accepted>(&answer);
  const bool is_watching = std::count(entry.watchers.begin(), entry.watchers.end(), id) != 0;
  if (accepted != nullptr && is_watching && !events.empty()) {
    accepted->events = protocol::GameEvents{act.game, entry.match.game().header().size, events};
  }
  auto* error = std::get_if<protocol::Error>(&answer);
  if (error != nullptr && error->state) error->state = snapshot(entry, now);
  std::visit([&](auto& message) { reply(id, request, std::move(message), entry.last, out); },
             answer);
  push(entry, std::move(events), id, out);
  settle(entry, std::move(effects), now, out);
}

void Hub::handle(ConnId id, std::uint32_t request, const protocol::GetLegalMoves& get,
                 const Entry& entry, Now now, Effects& out) {
  const auto& game = sight_of(entry, id, now);
  const auto turn = game.turn();
  protocol::LegalMoves legal{get.game, game.position_seq(), game.header().size, turn, {}};
  if (turn) legal.points = game.legal_points(*turn);
  reply(id, request, std::move(legal), entry.last, out);
}

void Hub::handle(ConnId id, std::uint32_t request, const protocol::Query& query, const Entry& entry,
                 Now now, Effects& out) {
  auto found = protocol::answer(query, sight_of(entry, id, now));
  std::visit([&](auto& message) { reply(id, request, std::move(message), entry.last, out); },
             found);
}

void Hub::handle(ConnId id, std::uint32_t request, const protocol::Subscribe& subscribe,
                 Entry& entry, Now now, Effects& out) {
  release_events(entry, now, out);  // before this one watches
  auto& connection = connections_.at(id);
  auto& subscriptions = connection.subscriptions;
  const bool is_new =
      std::find(subscriptions.begin(), subscriptions.end(), subscribe.game) == subscriptions.end();
  if (is_new && subscriptions.size() >= limits_.subscriptions_max) {
    return refuse(id, request,
                  {ErrorCode::LimitReached, "subscriptions_max", "too many subscriptions", 0, {}},
                  out);
  }
  if (is_new && entry.watchers.size() >= limits_.watchers_max) {
    return refuse(id, request,
                  {ErrorCode::LimitReached, "watchers_max", "too many watch this game", 0, {}},
                  out);
  }
  if (is_new) {
    if (auto error = take_quota(connection, Holding::Watch)) {
      return refuse(id, request, std::move(*error), out);
    }
    subscriptions.push_back(subscribe.game);
    entry.watchers.push_back(id);
  }
  const auto& game = entry.match.game();
  const auto head = visible_seq(entry, id, now);
  protocol::Subscribed answer;
  answer.game = subscribe.game;
  answer.head = head;
  const bool has_gap = subscribe.after_seq && *subscribe.after_seq <= head &&
                       head - *subscribe.after_seq <= limits_.events_in_reply_max;
  if (has_gap) {
    const auto first = game.events().begin();
    answer.start = protocol::GameEvents{
        subscribe.game, game.header().size, {first + *subscribe.after_seq, first + head}};
  } else {
    answer.start = snapshot_for(entry, id, now);
  }
  reply(id, request, std::move(answer), entry.last, out);
}

}  // namespace tengen::daemon
