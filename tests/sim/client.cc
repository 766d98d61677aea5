#include "sim/client.h"

#include <algorithm>
#include <utility>

#include "protocol/log_codec.h"
#include "rules/handicap.h"
#include "sim/world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using protocol::ErrorCode;

constexpr auto kAnswerMax = 60s;

rules::Color color_of(const rules::Game& game, int slot) {
  return game.header().color_of_slot(slot);
}

const std::string* request_id_of(const protocol::ClientMessage& message) {
  return std::visit(
      [](const auto& m) -> const std::string* {
        if constexpr (requires { m.request_id; }) return &m.request_id;
        return nullptr;
      },
      message);
}

bool is_act(const protocol::ClientMessage& message) {
  return std::holds_alternative<protocol::Play>(message) ||
         std::holds_alternative<protocol::Pass>(message) ||
         std::holds_alternative<protocol::Resign>(message) ||
         std::holds_alternative<protocol::GameAct>(message);
}

int questions_of(const rules::Game& game, rules::Color color) {
  return static_cast<int>(
      std::count_if(game.events().begin(), game.events().end(), [&](const rules::Event& event) {
        const auto* asked = std::get_if<rules::Asked>(&event.body);
        return asked != nullptr && asked->color == color;
      }));
}

}  // namespace

Client::Client(World& world, std::uint64_t number) : world_(world), number_(number) {
  const auto games = 1 + world_.below(3);
  for (std::uint64_t i = 0; i < games; ++i) {
    tables_.emplace_back();
    tables_.back().create = make_request();
  }
}

std::string Client::next_request_id() {
  return "c" + std::to_string(number_) + "-" + std::to_string(next_request_++);
}

protocol::CreateGame Client::make_request() {
  protocol::CreateGame create;
  create.request_id = next_request_id();
  const auto side = static_cast<std::uint8_t>(4 + world_.below(4));
  create.size = {side, side};
  const char* presets[] = {"chinese", "tromp-taylor", "aga", "japanese"};
  const auto* preset = rules::find_preset(presets[world_.below(4)]);
  create.preset = preset->name;
  create.rules = preset->rules;
  create.komi_half = preset->komi_half;
  create.colors = static_cast<protocol::ColorChoice>(world_.below(3));
  create.marking_time = world_.chance(0.3) ? 1s : 600s;
  if (world_.chance(0.2)) {
    create.placement =
        world_.chance(0.5) ? protocol::HandicapPlacement::Free : protocol::HandicapPlacement::Fixed;
    const bool is_free = create.placement == protocol::HandicapPlacement::Free;
    create.handicap = is_free || rules::fixed_handicap_max(create.size) >= 2 ? 2 : 0;
  }
  for (auto& seat : create.seats) {
    if (world_.chance(0.4)) continue;
    seat.kind = rules::SeatKind::Engine;
    seat.profile = world_.chance(0.7) ? "alpha" : "beta";
    if (world_.chance(0.3)) seat.undos = static_cast<int>(world_.below(3));
    if (world_.chance(0.3)) seat.pauses = static_cast<int>(world_.below(3));
  }
  create.time = make_clock(create);
  return create;
}

// Half of the games have a clock; with some of these many flags fall. The last two leave less for a
// move than an engine must have.
rules::TimeControl Client::make_clock(const protocol::CreateGame& create) {
  const char* clocks[] = {"fischer:2+0.1", "absolute:20",     "byoyomi:1+3x0.3", "canadian:1+5/1",
                          "permove:0.2",   "absolute:600",    "absolute:3",      "fischer:3+0.02/3",
                          "absolute:0.3",  "fischer:1+0.02/3"};
  if (world_.chance(0.5)) return {};
  ++world_.counts["games with clocks"];
  const bool has_engine =
      std::any_of(create.seats.begin(), create.seats.end(),
                  [](const auto& seat) { return seat.kind == rules::SeatKind::Engine; });
  const auto nth = world_.below(has_engine ? 8 : 10);
  return std::get<rules::TimeControl>(rules::parse_time_control(clocks[nth]));
}

void Client::start() {
  world_.after(std::chrono::microseconds(world_.below(50'000)), [this] { think(); });
}

bool Client::is_done() const {
  return in_flight_.empty() && std::all_of(tables_.begin(), tables_.end(), [](const Table& table) {
           return table.copy && table.copy->is_finished() && !table.act;
         });
}

void Client::think() {
  step();
  if (is_done()) return;
  world_.after(std::chrono::microseconds(500 + world_.below(30'000)), [this] { think(); });
}

void Client::step() {
  if (!connection_) {
    if (!world_.chance(0.3)) return;
    format_ = world_.chance(0.3) ? protocol::Format::Json : protocol::Format::Binary;
    world_.connect(*this, format_);
    return;
  }
  for (const auto& [id, sent] : in_flight_) {
    if (world_.now().steady - sent.at > kAnswerMax) world_.fail("a request was not answered");
  }
  if (!is_welcome_) {
    if (!std::exchange(is_greeting_, true)) ask(protocol::Hello{protocol::kVersion, "sim"}, 0);
    return;
  }
  if (world_.may_fail() && world_.chance(0.05)) misbehave();
  for (std::size_t at = 0; at < tables_.size() && connection_; ++at) step_table(at);
}

// One thing at a time for each game: make it, learn its header, take the seats, watch it, play.
void Client::step_table(std::size_t at) {
  auto& table = tables_[at];
  if (table.is_asking) return;
  if (!table.id) {
    table.is_asking = true;
    return ask(table.create, at);
  }
  if (!table.copy) {
    table.is_asking = true;
    return ask(protocol::GetSnapshot{*table.id}, at);
  }
  for (const auto& ticket : table.tickets) {
    if (table.joined.contains(ticket.slot)) continue;
    table.is_asking = true;
    return ask(protocol::JoinGame{ticket.ticket}, at);
  }
  if (!table.is_subscribed) {
    table.is_asking = true;
    return ask(protocol::Subscribe{*table.id, table.copy->seq()}, at);
  }
  act(at);
}

void Client::act(std::size_t at) {
  auto& table = tables_[at];
  if (table.act) {
    if (!std::exchange(table.is_act_sent, true)) {
      ++world_.counts["acts sent again"];
      ask(*table.act, at);
    }
    return;
  }
  if (auto chosen = choose_act(table)) {
    table.act = std::move(chosen);
    table.is_act_sent = true;
    ask(*table.act, at);
  }
}

std::optional<protocol::ClientMessage> Client::choose_act(const Table& table) {
  const auto& game = *table.copy;
  const auto turn = game.turn();
  if (auto talk = choose_talk(table)) return talk;
  if (!turn) return choose_act_after_stop(table);
  if (game.is_paused()) return std::nullopt;
  const int slot = game.header().slot_of(*turn);
  const bool is_mine = std::any_of(table.tickets.begin(), table.tickets.end(),
                                   [&](const auto& ticket) { return ticket.slot == slot; });
  if (!is_mine) return std::nullopt;
  const auto id = *table.id;
  if (world_.chance(0.003)) return protocol::Resign{id, slot, next_request_id()};
  const auto points = game.legal_points(*turn);
  const bool is_late =
      game.record().moves().size() > static_cast<std::size_t>(game.header().size.area());
  if (points.empty() || world_.chance(is_late ? 0.4 : 0.02)) {
    return protocol::Pass{id, slot, next_request_id(), game.position_seq()};
  }
  const auto point = points[world_.below(points.size())];
  return protocol::Play{id, slot, next_request_id(), game.position_seq(),
                        rules::gtp_vertex(point, game.header().size)};
}

// Questions to the other side, and answers to its own.
std::optional<protocol::ClientMessage> Client::choose_talk(const Table& table) {
  const auto& game = *table.copy;
  for (const auto& ticket : table.tickets) {
    const rules::Color color = color_of(game, ticket.slot);
    const auto say = [&](protocol::ActBody body) {
      ++world_.counts["questions and answers"];
      return protocol::GameAct{*table.id, ticket.slot, next_request_id(), game.position_seq(),
                               std::move(body)};
    };
    if (game.is_finished()) return std::nullopt;
    if (game.is_paused()) {
      const bool is_agreed = game.pause_reason() == rules::PauseReason::Agreed;
      if (is_agreed && world_.chance(0.2)) return say(protocol::Unpause{});
    } else if (game.asked()) {
      if (game.asked()->color == color) continue;
      if (world_.chance(0.3)) return say(protocol::Agree{game.asked_seq()});
      if (world_.chance(0.2)) return say(protocol::Decline{});
    } else if (game.is_in_play() && world_.chance(0.02) &&
               questions_of(game, color) < rules::kQuestionsMax) {
      const bool is_pause = world_.chance(0.3) || game.undoable() == 0;
      if (is_pause) return say(protocol::AskOpponent{rules::AskKind::Pause, 0});
      return say(protocol::AskOpponent{rules::AskKind::Undo,
                                       1 + static_cast<int>(world_.below(static_cast<std::uint64_t>(
                                               std::min(game.undoable(), 3))))});
    }
  }
  return std::nullopt;
}

std::optional<protocol::ClientMessage> Client::choose_act_after_stop(const Table& table) {
  const auto& game = *table.copy;
  for (const auto& ticket : table.tickets) {
    const rules::Color color = color_of(game, ticket.slot);
    if (!game.is_waiting_on(color) || !world_.chance(0.5)) continue;
    return protocol::GameAct{*table.id, ticket.slot, next_request_id(), game.position_seq(),
                             choose_body(game, color)};
  }
  return std::nullopt;
}

protocol::ActBody Client::choose_body(const rules::Game& game, rules::Color color) {
  ++world_.counts["acts after a stop"];
  const rules::Size size = game.header().size;
  std::vector<rules::Point> stones;
  std::vector<rules::Point> empty;
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) {
      const auto point = rules::Point::at(col, row);
      (rules::is_stone(game.record().board().at(point)) ? stones : empty).push_back(point);
    }
  }
  const auto any = [&](const std::vector<rules::Point>& points) {
    return rules::gtp_vertex(points[world_.below(points.size())], size);
  };
  if (game.phase() == rules::Phase::Handicap) {
    return protocol::PlaceHandicap{
        {rules::gtp_vertex(empty.front(), size), rules::gtp_vertex(empty.back(), size)}};
  }
  if (world_.chance(0.02)) return protocol::Leave{};
  if (game.awaits_list(color)) {
    if (stones.empty() || world_.chance(0.4)) return protocol::ListDead{};
    if (world_.chance(0.5)) return protocol::ListDead{std::vector<std::string>{}};
    return protocol::ListDead{std::vector<std::string>{any(stones)}};
  }
  if (game.is_proposed()) {
    if (world_.chance(0.5)) return protocol::AcceptMarks{};
    return protocol::DisputeMarks{};
  }
  if (!stones.empty() && world_.chance(0.4)) {
    const std::string stone = any(stones);
    rules::Game trial = game;  // some chains cannot be killed, and so not marked
    if (trial.mark(color, *rules::parse_gtp_vertex(stone, size), {}) == rules::Refusal::None) {
      return protocol::MarkChain{stone};
    }
  }
  if (!empty.empty() && world_.chance(0.3)) return protocol::MarkSekiPoint{any(empty)};
  return protocol::ProposeMarks{};
}

void Client::misbehave() {
  ++world_.counts["misdeeds"];
  const auto at = world_.below(tables_.size());
  auto& table = tables_[at];
  switch (world_.below(7)) {
    case 0:
      return world_.disconnect(*this);
    case 1: {
      sent_garbage_ = true;
      std::string bytes;
      for (auto i = world_.below(40) + 1; i > 0; --i) {
        bytes += static_cast<char>(world_.below(256));
      }
      bytes += "\xff\xff";
      return world_.send(*this,
                         format_ == protocol::Format::Json ? protocol::FrameKind::Text
                                                           : protocol::FrameKind::Binary,
                         std::move(bytes));
    }
    case 2:
      return ask(protocol::GetSnapshot{{1, 2}}, at, true);
    case 3:
      return ask(protocol::JoinGame{"no ticket at all"}, at, true);
    case 4:
      if (!table.ledger.empty() && !table.tickets.empty() &&
          table.joined.size() == table.tickets.size()) {
        auto entry = table.ledger.begin();
        std::advance(entry, static_cast<std::ptrdiff_t>(world_.below(table.ledger.size())));
        ++world_.counts["acts sent again"];
        ask(entry->second.act, at);
      }
      return;
    case 5:
      if (table.copy && table.copy->position_seq() > 0 && !table.joined.empty()) {
        ask(protocol::Pass{*table.id, *table.joined.begin(), next_request_id(),
                           table.copy->position_seq() - 1},
            at, true);
      }
      return;
    default:
      if (table.copy && table.id) ask(protocol::GetLegalMoves{*table.id}, at);
      return;
  }
}

void Client::ask(protocol::ClientMessage message, std::size_t table, bool must_be_refused) {
  const auto id = next_frame_++;
  auto bytes = protocol::encode(format_, protocol::ClientFrame{id, message});
  in_flight_.emplace(id, Sent{std::move(message), table, must_be_refused, world_.now().steady});
  world_.send(
      *this,
      format_ == protocol::Format::Json ? protocol::FrameKind::Text : protocol::FrameKind::Binary,
      std::move(bytes));
}

void Client::on_connecting(daemon::ConnId id) {
  connection_ = id;
  is_welcome_ = false;
  is_greeting_ = false;
}

void Client::on_disconnected() {
  connection_.reset();
  sent_garbage_ = false;
  in_flight_.clear();
  for (auto& table : tables_) {
    table.is_asking = false;
    table.joined.clear();
    table.is_subscribed = false;
    table.is_act_sent = false;
  }
}

void Client::on_frame(daemon::ConnId id, const protocol::ServerFrame& frame) {
  if (id != connection_) return;
  if (frame.reply_to == 0) {
    if (const auto* events = std::get_if<protocol::GameEvents>(&frame.message)) {
      for (auto& table : tables_) {
        if (table.id != events->game) continue;
        if (!table.is_subscribed) world_.fail("a push without a subscription");
        take(table, *events);
      }
    }
    return;
  }
  const auto found = in_flight_.find(frame.reply_to);
  if (found == in_flight_.end()) {
    // Garbage may happen to carry an id; its refusal then names it.
    if (sent_garbage_ && std::holds_alternative<protocol::Error>(frame.message)) return;
    world_.fail("a reply that was not asked for, or a second one");
  }
  const Sent sent = std::move(found->second);
  in_flight_.erase(found);
  on_reply(sent, frame.message);
}

void Client::on_reply(const Sent& sent, const protocol::ServerMessage& message) {
  auto& table = tables_[sent.table];
  const bool is_setting_up = std::holds_alternative<protocol::CreateGame>(sent.message) ||
                             (std::holds_alternative<protocol::GetSnapshot>(sent.message) ||
                              std::holds_alternative<protocol::JoinGame>(sent.message) ||
                              std::holds_alternative<protocol::Subscribe>(sent.message));
  if (is_setting_up && !sent.must_be_refused) table.is_asking = false;
  if (const auto* error = std::get_if<protocol::Error>(&message)) {
    return on_error(table, sent, *error);
  }
  if (sent.must_be_refused) world_.fail("a request that must be refused was accepted");
  if (std::holds_alternative<protocol::Welcome>(message)) {
    is_welcome_ = true;
  } else if (const auto* created = std::get_if<protocol::GameCreated>(&message)) {
    if (table.id && table.id != created->game) world_.fail("one request made two games");
    table.id = created->game;
    table.tickets = created->tickets;
  } else if (const auto* joined = std::get_if<protocol::GameJoined>(&message)) {
    table.joined.insert(joined->slot);
    if (color_of(*table.copy, joined->slot) != joined->color) world_.fail("another colour");
    on_snapshot(table, joined->snapshot);
  } else if (const auto* snapshot = std::get_if<protocol::Snapshot>(&message)) {
    on_snapshot(table, *snapshot);
  } else if (const auto* subscribed = std::get_if<protocol::Subscribed>(&message)) {
    table.is_subscribed = true;
    const auto* events = std::get_if<protocol::GameEvents>(&subscribed->start);
    if (events == nullptr) world_.fail("a short gap was answered with a snapshot");
    take(table, *events);
    if (table.copy->seq() < subscribed->head) world_.fail("events up to the head are missing");
  } else if (const auto* accepted = std::get_if<protocol::Accepted>(&message)) {
    on_accepted(table, sent, *accepted);
  } else if (const auto* legal = std::get_if<protocol::LegalMoves>(&message)) {
    if (legal->color && legal->position_seq == table.copy->position_seq() &&
        table.copy->is_in_play() && legal->points != table.copy->legal_points(*legal->color)) {
      world_.fail("the legal moves differ");
    }
  }
}

void Client::on_accepted(Table& table, const Sent& sent, const protocol::Accepted& accepted) {
  const auto& request_id = *request_id_of(sent.message);
  if (accepted.events) {
    if (!table.is_subscribed) world_.fail("events in an answer without a subscription");
    take(table, *accepted.events);
  }
  const auto known = table.ledger.find(request_id);
  if (known != table.ledger.end() && known->second.seq != accepted.seq) {
    world_.fail("a resend got another answer");
  }
  table.ledger.emplace(request_id, Acknowledged{accepted.seq, sent.message});
  if (table.act && *request_id_of(*table.act) == request_id) table.act.reset();
  ++world_.counts["acts accepted"];
}

void Client::on_error(Table& table, const Sent& sent, const protocol::Error& error) {
  ++world_.counts["refusals"];
  if (sent.must_be_refused) return;
  if (!is_act(sent.message)) {
    world_.fail("refused: " + std::string(name_of(error.code)) + " " + error.message);
  }
  const auto& request_id = *request_id_of(sent.message);
  if (table.ledger.contains(request_id)) world_.fail("a resend of an accepted act was refused");
  if (error.code == ErrorCode::IllegalMove || error.code == ErrorCode::InvalidVertex ||
      error.code == ErrorCode::NotYourSeat || error.code == ErrorCode::RequestIdConflict) {
    world_.fail("a legal act was refused: " + error.message);
  }
  if (error.code == ErrorCode::Stale) {
    if (!error.state) world_.fail("STALE without the present state");
    on_snapshot(table, *error.state);
  }
  if (table.act && *request_id_of(*table.act) == request_id) table.act.reset();
}

void Client::on_snapshot(Table& table, const protocol::Snapshot& snapshot) {
  if (!table.copy) {
    if (const auto problem = rules::Game::problem(snapshot.header)) world_.fail(*problem);
    table.copy.emplace(snapshot.header);
  }
  const auto& copy = *table.copy;
  if (snapshot.seq < copy.seq()) world_.fail("a snapshot from the past");
  if (snapshot.seq != copy.seq()) return;
  const auto mine = protocol::snapshot_of(copy);
  if (snapshot.rows != mine.rows || snapshot.moves != mine.moves || snapshot.turn != mine.turn ||
      snapshot.phase != mine.phase || snapshot.result != mine.result ||
      snapshot.position_seq != mine.position_seq || snapshot.captured != mine.captured ||
      snapshot.seats != mine.seats) {
    world_.fail("a snapshot differs from its events");
  }
  if (snapshot.clocks.has_value() != mine.clocks.has_value()) world_.fail("a clock too many");
  if (snapshot.clocks &&
      (snapshot.clocks->faces != mine.clocks->faces ||
       snapshot.clocks->running != mine.clocks->running || snapshot.clocks->elapsed.count() < 0)) {
    world_.fail("a snapshot's clocks are not those of its events");
  }
}

void Client::take(Table& table, const protocol::GameEvents& events) {
  for (const auto& event : events.events) take(*table.copy, event);
}

// Player and outside events are made again by the rules; derived ones must then be there already.
void Client::take(rules::Game& copy, const rules::Event& event) {
  if (event.seq > copy.seq() + 1) world_.fail("a gap in a game's events");
  if (event.seq == copy.seq() + 1) {
    const auto refusal = copy.act(event);
    if (refusal != rules::Refusal::None) {
      world_.fail("an event the rules refuse: " + std::string(name_of(refusal)));
    }
    if (std::holds_alternative<rules::TimedOut>(event.body)) ++world_.counts["flags fallen"];
    if (std::holds_alternative<rules::SeatChanged>(event.body)) ++world_.counts["seats changed"];
    const auto* paused = std::get_if<rules::Paused>(&event.body);
    if (paused != nullptr && paused->reason == rules::PauseReason::ServerLag) {
      ++world_.counts["pauses for the server"];
    }
    world_.check_clocks(copy);
  }
  if (copy.events()[event.seq - 1].body != event.body) world_.fail("an event differs");
}

// Everything acknowledged is in the durable log, and every request there once.
void Client::check_end() const {
  for (const auto& table : tables_) {
    const auto* durable = world_.durable(*table.id);
    if (durable == nullptr) world_.fail("a game that was made is not there");
    std::map<std::string, int> times;
    std::vector<rules::Event> log;
    for (const auto& bytes : durable->events) {
      log.push_back(*protocol::decode_event(bytes));
      if (!log.back().stamp.request_id.empty() &&
          (std::holds_alternative<rules::Played>(log.back().body) ||
           std::holds_alternative<rules::Passed>(log.back().body) ||
           std::holds_alternative<rules::Resigned>(log.back().body) ||
           std::holds_alternative<rules::Marked>(log.back().body) ||
           std::holds_alternative<rules::SekiMarked>(log.back().body) ||
           std::holds_alternative<rules::MarkingDone>(log.back().body) ||
           std::holds_alternative<rules::DeadListed>(log.back().body))) {
        ++times[log.back().stamp.request_id];
      }
    }
    for (const auto& [id, count] : times) {
      if (count != 1) world_.fail("a request was carried out " + std::to_string(count) + " times");
    }
    for (const auto& [id, acknowledged] : table.ledger) {
      if (acknowledged.seq > log.size() || log[acknowledged.seq - 1].stamp.request_id != id) {
        world_.fail("an acknowledged act is not in the log");
      }
    }
    for (std::size_t i = 0; i < log.size(); ++i) {
      if (table.copy->seq() <= i || table.copy->events()[i].body != log[i].body) {
        world_.fail("a client's events are not the log's");
      }
    }
  }
}

}  // namespace tengen::sim
