#include "sim/guest.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kEnginesMax = 4;
constexpr std::uint64_t kGamesMax = 6;  // of one guest

}  // namespace

Guest::Guest(World& world, std::uint64_t number) : world_(world), number_(number) {}

std::string Guest::next_request_id() {
  return "g" + std::to_string(number_) + "-" + std::to_string(next_request_++);
}

void Guest::start() {
  world_.after(std::chrono::microseconds(world_.below(100'000)), [this] { think(); });
}

// Once nothing fails any more it only sees to it that its own games can end.
void Guest::think() {
  step();
  if (!world_.may_fail() && is_done() && creations_.empty()) {
    if (connection_) world_.disconnect(*this);
    return;
  }
  world_.after(std::chrono::microseconds(5'000 + world_.below(300'000)), [this] { think(); });
}

void Guest::step() {
  if (!connection_) {
    world_.connect(*this, format());
    return ask(protocol::Hello{protocol::kVersion, "guest"});
  }
  if (!is_welcome_) return;
  for (const auto& create : std::exchange(creations_, {})) ask(create);
  for (const auto& [game, take] : open_) {
    if (!world_.may_fail() || world_.chance(0.2)) ask(take);
  }
  if (world_.may_fail()) do_anything();
}

void Guest::do_anything() {
  const auto game = world_.any_game();
  const auto own = own_game();
  switch (world_.below(12)) {
    case 0:
      return world_.disconnect(*this);
    case 1:
      return make_game();
    case 2:
      if (game) ask(protocol::Subscribe{*game, std::nullopt});
      return;
    case 3:
      if (own) ask(protocol::Rematch{*own, 0});
      return;
    case 4:
      return ask(protocol::ListGames{world_.chance(0.5)});
    case 5:
      if (game) ask(protocol::Query{*game, protocol::TerritoryMap{}});
      return;
    case 6:
      // What others have seen of a taken seat opens nothing.
      if (game)
        ask(protocol::TakeSeat{*game, 1 + static_cast<int>(world_.below(2)), next_request_id(),
                               "thief"});
      return;
    case 7:
      if (engines_.size() < kEnginesMax) {
        ask(protocol::OpenVirtualEngine{"alpha", {}, {{5, 5}, 0, {}}, {}});
      }
      return;
    case 8:
    case 9:
      if (!engines_.empty()) {
        const bool is_raw = world_.chance(0.5);
        ask(protocol::CallVirtualEngine{engines_[world_.below(engines_.size())],
                                        is_raw ? "Raw" : "GenMove",
                                        is_raw ? "showboard" : std::string("\x10\x01", 2),
                                        world_.chance(0.5) ? next_request_id() : ""});
      }
      return;
    case 10:
      if (!engines_.empty()) {
        ask(protocol::CloseVirtualEngine{engines_.back()});
        engines_.pop_back();
      }
      return;
    default:
      if (own) ask(protocol::GameAct{*own, 0, next_request_id(), 0, protocol::Leave{}});
  }
}

// Nobody plays these: whoever sits down and goes loses them by absence.
void Guest::make_game() {
  if (next_request_ > 4 * kGamesMax && !world_.chance(0.1)) return;
  protocol::CreateGame create;
  create.request_id = next_request_id();
  create.size = {5, 5};
  const auto* preset = rules::find_preset("tromp-taylor");
  create.preset = preset->name;
  create.rules = preset->rules;
  create.komi_half = preset->komi_half;
  create.absence = std::chrono::milliseconds(1'000 + world_.below(5'000));
  if (world_.chance(0.3)) create.absence_profile = "alpha";
  if (world_.chance(0.5)) {
    create.broadcast_delay = std::chrono::milliseconds(world_.below(3'000));
  }
  create.seats[0].is_open = true;
  create.analysis = static_cast<rules::AnalysisPolicy>(1 + world_.below(3));
  if (world_.chance(0.5)) {
    create.seats[1] = {rules::SeatKind::Engine, "", "alpha", {}};
  }
  ++world_.counts["guests' games"];
  creations_.push_back(std::move(create));
}

// One in which it sits.
std::optional<rules::GameId> Guest::own_game() {
  if (taken_.empty()) return std::nullopt;
  auto game = taken_.begin();
  std::advance(game, static_cast<std::ptrdiff_t>(world_.below(taken_.size())));
  return *game;
}

void Guest::ask(protocol::ClientMessage message) {
  if (!connection_) return;
  const auto frame = next_frame_++;
  auto bytes = protocol::encode(format(), protocol::ClientFrame{frame, message});
  in_flight_.emplace(frame, std::move(message));
  world_.send(*this, protocol::FrameKind::Binary, std::move(bytes));
}

void Guest::on_connecting(daemon::ConnId id) { connection_ = id; }

void Guest::on_disconnected() {
  connection_.reset();
  is_welcome_ = false;
  for (auto& [frame, message] : std::exchange(in_flight_, {})) {
    if (auto* create = std::get_if<protocol::CreateGame>(&message)) creations_.push_back(*create);
  }
  taken_.clear();
  watched_.clear();
}

void Guest::on_frame(daemon::ConnId, const protocol::ServerFrame& frame) {
  if (frame.reply_to == 0) {
    if (const auto* events = std::get_if<protocol::GameEvents>(&frame.message)) take(*events);
    return;
  }
  const auto found = in_flight_.find(frame.reply_to);
  if (found == in_flight_.end()) world_.fail("a guest's request was answered twice");
  const auto asked = std::move(found->second);
  in_flight_.erase(found);
  on_reply(asked, frame.message);
}

void Guest::on_reply(const protocol::ClientMessage& asked, const protocol::ServerMessage& message) {
  if (std::holds_alternative<protocol::Welcome>(message)) is_welcome_ = true;
  const auto* error = std::get_if<protocol::Error>(&message);
  if (const auto* create = std::get_if<protocol::CreateGame>(&asked)) {
    if (error != nullptr && protocol::is_retryable(error->code)) creations_.push_back(*create);
    if (const auto* created = std::get_if<protocol::GameCreated>(&message)) {
      open_.insert_or_assign(created->game,
                             protocol::TakeSeat{created->game, 1, next_request_id(), "guest"});
    }
  } else if (const auto* take_seat = std::get_if<protocol::TakeSeat>(&asked)) {
    const auto open = open_.find(take_seat->game);
    const bool is_own = open != open_.end() && open->second == *take_seat;
    if (const auto* taken = std::get_if<protocol::SeatTaken>(&message)) {
      ++world_.counts["seats taken"];
      world_.note_taker(take_seat->game, taken->ticket.slot, take_seat->request_id);
      taken_.insert(take_seat->game);
      if (is_own) open_.erase(open);
    } else if (is_own && error != nullptr && !protocol::is_retryable(error->code)) {
      open_.erase(open);  // somebody was faster, or it is over
    }
  } else if (const auto* opened = std::get_if<protocol::VirtualEngineOpened>(&message)) {
    ++world_.counts["virtual engines"];
    engines_.push_back(opened->engine);
  } else if (std::holds_alternative<protocol::RematchMade>(message)) {
    ++world_.counts["rematches"];
  } else if (const auto* subscribed = std::get_if<protocol::Subscribed>(&message)) {
    watched_.insert_or_assign(subscribed->game, subscribed->head);
  }
  if (const auto* accepted = std::get_if<protocol::Accepted>(&message)) {
    if (accepted->events) take(*accepted->events);
  }
}

void Guest::take(const protocol::GameEvents& events) {
  const auto found = watched_.find(events.game);
  if (found == watched_.end()) return world_.fail("events of a game that is not watched");
  for (const auto& event : events.events) {
    if (event.seq != found->second + 1) world_.fail("a guest missed an event or saw one twice");
    ++found->second;
  }
}

}  // namespace tengen::sim
