#include "sim/analyst.h"

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "protocol/log_codec.h"
#include "sim/world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using protocol::AnalysisEnd;
using protocol::ErrorCode;
using rules::AnalysisPolicy;
using rules::Color;
using rules::Point;

/// Beyond what was asked for: queues, slow commits, engines that start.
constexpr auto kPatience = 360s;
/// From an event to when everybody has heard of it.
constexpr auto kTelling = 10s;

/// No analysis comes so far.
constexpr std::uint32_t kNobodys = 1'000'000;

const protocol::AnalysisSource* source_of(const protocol::ClientMessage& message) {
  if (const auto* start = std::get_if<protocol::StartAnalysis>(&message)) return &start->source;
  if (const auto* review = std::get_if<protocol::ReviewGame>(&message)) return &review->source;
  return nullptr;
}

std::optional<protocol::GameSource> game_of(const protocol::ClientMessage& message) {
  const auto* source = source_of(message);
  const auto* game = source != nullptr ? std::get_if<protocol::GameSource>(source) : nullptr;
  return game != nullptr ? std::optional(*game) : std::nullopt;
}

bool was_taken_back(const rules::Game& game) {
  return std::any_of(game.events().begin(), game.events().end(), [](const rules::Event& event) {
    return std::holds_alternative<rules::Undone>(event.body);
  });
}

/// Whether it goes on with its game. Where the game was over already it did not begin so.
bool may_follow(const protocol::ClientMessage& message) {
  const auto game = game_of(message);
  return game && !game->move && std::holds_alternative<protocol::StartAnalysis>(message);
}

}  // namespace

Analyst::Analyst(World& world) : world_(world), wishes_(5 + world.below(25)) {}

void Analyst::start() {
  world_.after(std::chrono::microseconds(world_.below(200'000)), [this] { think(); });
}

void Analyst::think() {
  step();
  // Where it has sat down others wait until it has gone.
  if (is_done()) return world_.disconnect(*this);
  world_.after(
      std::chrono::microseconds(5'000 + world_.below(world_.chance(0.8) ? 200'000 : 3'000'000)),
      [this] { think(); });
}

std::size_t Analyst::wanted() const {
  const auto asked = std::count_if(in_flight_.begin(), in_flight_.end(), [](const auto& each) {
    return source_of(each.second.message) != nullptr;
  });
  return running_.size() + static_cast<std::size_t>(asked);
}

void Analyst::step() {
  check_ages();
  if (!connection_) {
    format_ = world_.chance(0.3) ? protocol::Format::Json : protocol::Format::Binary;
    world_.connect(*this, format_);
    return ask(protocol::Hello{protocol::kVersion, "analyst"});
  }
  if (!is_welcome_) return;
  if (wishes_ > 0 && world_.chance(0.5)) wish();
  if (world_.may_fail() && world_.chance(0.02)) world_.disconnect(*this);
}

void Analyst::wish() {
  --wishes_;
  switch (world_.below(13)) {
    case 0:
      return ask(protocol::StopAnalysis{kNobodys});
    case 1:
    case 2:
      if (running_.empty()) return;
      return ask(protocol::StopAnalysis{running_.begin()->first});
    case 3:
    case 4: {
      auto [source, is_bad] = make_source();
      auto review = make_review();
      review.source = std::move(source);
      return ask(std::move(review), is_bad);
    }
    case 5:
    case 6: {
      // Who sits down is no spectator any more.
      const auto game = game_of(running_.empty() ? protocol::ClientMessage{protocol::Ping{}}
                                                 : running_.begin()->second.asked);
      if (!game) return;
      return ask(protocol::TakeSeat{game->game, 1 + static_cast<int>(world_.below(2)),
                                    "analyst" + std::to_string(world_.random()()), "analyst"});
    }
    case 7: {
      auto start = make_start();
      start.source = make_position(true);
      start.profile = world_.chance(0.5) ? "alpha" : "nobody";
      return ask(std::move(start), true);
    }
    default: {
      auto [source, is_bad] = make_source();
      auto start = make_start();
      start.source = std::move(source);
      return ask(std::move(start), is_bad);
    }
  }
}

protocol::StartAnalysis Analyst::make_start() {
  protocol::StartAnalysis start;
  start.profile = "kata";
  start.detail.ownership = world_.chance(0.2);
  // Few differences, so that some share a stream.
  start.interval = 500ms;
  if (world_.chance(0.4)) start.time_max = std::chrono::milliseconds(100 + world_.below(5'000));
  if (world_.chance(0.2)) start.visits_max = static_cast<std::uint32_t>(1 + world_.below(200));
  return start;
}

protocol::ReviewGame Analyst::make_review() {
  protocol::ReviewGame review;
  review.profile = "kata";
  review.time_per_move = std::chrono::milliseconds(50 + world_.below(500));
  if (world_.chance(0.3)) review.visits_max = static_cast<std::uint32_t>(1 + world_.below(200));
  return review;
}

std::pair<protocol::AnalysisSource, bool> Analyst::make_source() {
  const auto game = world_.chance(0.6) ? world_.any_game_in_play() : world_.any_game();
  const auto kind = world_.below(6);
  if (game && kind < 3) {
    protocol::GameSource source{*game, std::nullopt};
    if (world_.chance(0.2)) source.move = static_cast<std::uint32_t>(world_.below(3));
    return {source, false};
  }
  if (kind == 4) {
    const bool is_good = world_.chance(0.7);
    protocol::SgfSource source;
    source.sgf = is_good ? "(;GM[1]SZ[5]KM[6.5]RU[Chinese];B[cc];W[bb];B[bc];W[cb];B[dd])"
                 : world_.chance(0.5) ? "(;GM[1]SZ[5];B[cc];W[cc])"
                                      : "(;GM[1]SZ[5]";
    if (is_good && world_.chance(0.3)) source.move = static_cast<std::uint32_t>(world_.below(6));
    return {source, !is_good};
  }
  const bool is_legal = world_.chance(0.8);
  return {make_position(is_legal), !is_legal};
}

protocol::PositionSource Analyst::make_position(bool is_legal) {
  protocol::PositionSource position;
  position.size = {5, 5};
  position.rules = rules::find_preset("chinese")->rules;
  rules::Record record(position.size, position.rules.ko, position.rules.suicide);
  for (auto i = world_.below(6); i > 0; --i) {
    const auto points = record.legal_points(position.to_move);
    const auto move = rules::Move::play(position.to_move, points[world_.below(points.size())]);
    static_cast<void>(record.play(move));
    position.moves.push_back(move);
    position.to_move = other(position.to_move);
  }
  if (is_legal) return position;
  position.moves.push_back(rules::Move::play(Color::Black, Point::at(2, 2)));
  position.moves.push_back(rules::Move::play(Color::White, Point::at(2, 2)));
  return position;
}

void Analyst::ask(protocol::ClientMessage message, bool must_be_refused) {
  if (!connection_) return;
  const auto frame = next_frame_++;
  auto bytes = protocol::encode(format_, protocol::ClientFrame{frame, message});
  const auto game = game_of(message);
  const auto seq = game ? world_.game_now(game->game).position_seq() : 0;
  in_flight_.emplace(frame, Asked{std::move(message), must_be_refused, world_.now().steady, seq});
  const auto kind =
      format_ == protocol::Format::Json ? protocol::FrameKind::Text : protocol::FrameKind::Binary;
  world_.send(*this, kind, std::move(bytes));
}

// What ran for a connection ends with it.
void Analyst::on_disconnected() {
  connection_.reset();
  is_welcome_ = false;
  in_flight_.clear();
  running_.clear();
}

void Analyst::on_frame(daemon::ConnId, const protocol::ServerFrame& frame) {
  if (frame.reply_to == 0) {
    std::visit(
        [&](const auto& push) {
          using Push = std::decay_t<decltype(push)>;
          if constexpr (std::is_same_v<Push, protocol::AnalysisUpdate>) {
            on_update(push);
          } else if constexpr (std::is_same_v<Push, protocol::ReviewProgress>) {
            on_progress(push);
          } else if constexpr (std::is_same_v<Push, protocol::AnalysisEnded>) {
            on_ended(push);
          }
        },
        frame.message);
    return;
  }
  const auto found = in_flight_.find(frame.reply_to);
  if (found == in_flight_.end()) world_.fail("a request about analysis was answered twice");
  const auto asked = std::move(found->second);
  in_flight_.erase(found);
  on_reply(asked, frame.message);
}

void Analyst::on_reply(const Asked& asked, const protocol::ServerMessage& message) {
  if (const auto* error = std::get_if<protocol::Error>(&message)) return on_refused(asked, *error);
  if (asked.must_be_refused) world_.fail("an analysis that cannot be was begun");
  if (std::holds_alternative<protocol::Welcome>(message)) {
    is_welcome_ = true;
  } else if (const auto* started = std::get_if<protocol::AnalysisStarted>(&message)) {
    on_started(started->analysis, asked, 0);
  } else if (const auto* begun = std::get_if<protocol::ReviewStarted>(&message)) {
    on_started(begun->analysis, asked, begun->positions);
  } else if (const auto* stopped = std::get_if<protocol::AnalysisStopped>(&message)) {
    if (running_.erase(stopped->analysis) != 0) ++world_.counts["analyses stopped"];
  } else if (const auto* taken = std::get_if<protocol::SeatTaken>(&message)) {
    const auto& take = std::get<protocol::TakeSeat>(asked.message);
    world_.note_taker(take.game, taken->ticket.slot, take.request_id);
    for (const auto& [id, each] : running_) {
      if (const auto game = game_of(each.asked); game && game->game == take.game) {
        check_may_analyse(take.game);
      }
    }
  }
}

// The same wishes for the same game once more are the same analysis.
void Analyst::on_started(std::uint32_t analysis, const Asked& asked, std::uint32_t positions) {
  ++world_.counts["analyses"];
  if (const auto game = game_of(asked.message)) check_may_analyse(game->game);
  const auto known = running_.find(analysis);
  if (known != running_.end() &&
      (!may_follow(asked.message) || game_of(known->second.asked) != game_of(asked.message))) {
    world_.fail("two analyses have one name");
  }
  running_.insert_or_assign(analysis,
                            Running{asked.message, world_.now().steady, positions, 0, asked.seq});
}

void Analyst::on_refused(const Asked& asked, const protocol::Error& error) const {
  ++world_.counts["analyses refused"];
  if (asked.must_be_refused || std::holds_alternative<protocol::TakeSeat>(asked.message)) return;
  const bool is_busy =
      error.code == ErrorCode::LimitReached || error.code == ErrorCode::Unavailable;
  if (is_busy) return;
  const auto game = game_of(asked.message);
  const bool is_game = game && source_of(asked.message) != nullptr;
  // A game's present position may be one that nobody thinks about, or it may forbid it.
  if (is_game && error.code == ErrorCode::Forbidden) {
    const auto now = world_.game_now(game->game);
    const bool is_open = now.header().broadcast_delay.count() == 0 &&
                         (now.is_finished() || now.header().analysis == AnalysisPolicy::Everyone);
    if (!is_open || world_.durable(game->game)->delay.count() != 0) return;
    // It may have ended since it was refused.
    if (now.header().analysis != AnalysisPolicy::Everyone) return;
  }
  if (is_game && error.code == ErrorCode::InvalidArgument) return;
  world_.fail("an analysis was refused: " + std::string(name_of(error.code)) + " " + error.message);
}

// By the game's own policy, as documented; whoever sits at it is no spectator.
void Analyst::check_may_analyse(rules::GameId id) const {
  const auto game = world_.game_now(id);
  if (game.is_finished()) return;
  const auto policy = game.header().analysis;
  const bool is_seated = connection_ && world_.is_seated(*connection_, id);
  const bool is_delayed = game.header().broadcast_delay.count() != 0 && !is_seated;
  const bool may = (policy == AnalysisPolicy::Everyone && !is_delayed) ||
                   (policy == AnalysisPolicy::Spectators && !is_seated && !is_delayed);
  if (!may) world_.fail("a game is analysed that must not be");
}

Analyst::Running& Analyst::running(std::uint32_t analysis, const char* what) {
  const auto found = running_.find(analysis);
  if (found == running_.end()) {
    world_.fail(std::string(what) + " of an analysis that has not begun or is over");
  }
  return found->second;
}

void Analyst::on_update(const protocol::AnalysisUpdate& update) {
  auto& each = running(update.analysis, "an update");
  if (std::holds_alternative<protocol::ReviewGame>(each.asked)) {
    world_.fail("a review is told as an analysis");
  }
  ++world_.counts["analysis updates"];
  const auto seq = update.position.position_seq;
  if (seq != 0 && seq < each.seq) world_.fail("an analysis tells of the past");
  if (seq != 0) each.seq = seq;
  check_position(each, update.position);
}

void Analyst::on_progress(const protocol::ReviewProgress& progress) {
  auto& each = running(progress.analysis, "progress");
  ++world_.counts["reviewed positions"];
  if (progress.done != ++each.done || progress.positions != each.positions) {
    world_.fail("a review leaves a position out or tells one twice");
  }
  if (each.move && progress.position.move <= *each.move) world_.fail("a review goes back");
  each.move = progress.position.move;
  check_position(each, progress.position);
}

void Analyst::on_ended(const protocol::AnalysisEnded& ended) {
  const auto each = running(ended.analysis, "an end");
  running_.erase(ended.analysis);
  ++world_.counts[ended.reason == AnalysisEnd::GameOver    ? "analyses ended with their game"
                  : ended.reason == AnalysisEnd::Forbidden ? "analyses forbidden later"
                  : ended.reason == AnalysisEnd::Done      ? "analyses done"
                                                           : "analyses failed"];
  const auto game = game_of(each.asked);
  if (ended.reason == AnalysisEnd::GameOver) {
    if (!may_follow(each.asked) || !world_.game_now(game->game).is_finished()) {
      world_.fail("an analysis ends with a game that is not over");
    }
  } else if (ended.reason == AnalysisEnd::Forbidden) {
    if (!game || !connection_) world_.fail("an analysis of no game is forbidden");
  } else if (ended.reason == AnalysisEnd::Done) {
    const bool is_short = each.positions != 0 && each.done != each.positions;
    if (is_short) world_.fail("a review is done before its last position");
  } else if (ended.reason == AnalysisEnd::Draining) {
    world_.fail("an analysis ends as if the daemon went down");
  }
}

// Of a game that is followed the position is the log's, and what is proposed can be played there.
void Analyst::check_position(const Running& each,
                             const protocol::PositionAnalysis& position) const {
  const auto game = game_of(each.asked);
  if (!game) return;
  if (position.position_seq == 0) {
    const auto now = world_.game_now(game->game);
    if (position.move > now.record().moves().size() && !was_taken_back(now)) {
      world_.fail("an analysis of a position that the game has not had");
    }
    return;
  }
  const auto then = world_.game_after_act(game->game, position.position_seq);
  if (then.record().moves().size() != position.move ||
      then.position_seq() != position.position_seq) {
    world_.fail("an analysis tells of another position");
  }
  check_candidates(then, position);
}

void Analyst::check_candidates(const rules::Game& game,
                               const protocol::PositionAnalysis& position) const {
  if (game.turn() && game.turn() != position.to_move) world_.fail("an analysis is of another side");
  for (const auto& candidate : position.candidates) {
    const auto& move = candidate.variation.front();
    if (move.color != position.to_move) world_.fail("a candidate of the other side");
    if (game.record().check(move) != rules::Refusal::None) {
      world_.fail("a candidate that cannot be played");
    }
  }
}

// What has a limit ends by it, what follows a game with the game.
void Analyst::check_ages() const {
  for (const auto& [frame, asked] : in_flight_) {
    if (world_.now().steady - asked.at > 60s) world_.fail("a request about analysis had no answer");
  }
  for (const auto& [id, each] : running_) {
    const auto age = world_.now().steady - each.since;
    const auto* start = std::get_if<protocol::StartAnalysis>(&each.asked);
    const bool is_limited = start == nullptr || start->time_max.count() != 0;
    if (age > kPatience && (is_limited || !may_follow(each.asked))) {
      world_.fail("an analysis has no end");
    }
    if (may_follow(each.asked) && age > kTelling) check_follows(each, age);
  }
}

// One that began before its game was over has followed it.
void Analyst::check_follows(const Running& each, daemon::TimePoint::duration age) const {
  const auto id = game_of(each.asked)->game;
  if (!world_.durable(id)->finished) return;
  const auto game = world_.game_now(id);
  const std::chrono::milliseconds over(world_.now().unix_ms - game.events().back().stamp.unix_ms);
  if (over > kTelling && age > over) world_.fail("an analysis outlives its game");
}

}  // namespace tengen::sim
