#include "rules/game.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "rules/score.h"

namespace tengen::rules {
namespace {

constexpr std::int64_t kMaxCreatedMs = 253'402'300'799'999;  // the end of the year 9999

std::optional<std::string> seat_problem(const Seat& seat) {
  if (seat.kind == SeatKind::Engine && seat.profile.empty()) {
    return "an engine seat needs a profile";
  }
  if (seat.kind == SeatKind::Human && !(seat.profile.empty() && seat.settings.empty())) {
    return "a human seat has no profile and no settings";
  }
  if (seat.kind == SeatKind::Human && seat.other_rules) {
    return "a human seat plays by the game's rules";
  }
  return std::nullopt;
}

std::optional<std::string> preset_problem(const Header& header) {
  if (header.preset.empty()) return std::nullopt;
  const Preset* preset = find_preset(header.preset);
  if (preset == nullptr) return "unknown preset " + header.preset;
  if (preset->only_size && *preset->only_size != header.size) {
    return "preset " + header.preset + " is for " + std::to_string(preset->only_size->width) + "x" +
           std::to_string(preset->only_size->height) + " only";
  }
  Ruleset rules = header.rules;
  rules.move_limit = preset->rules.move_limit;
  if (rules != preset->rules) return "the rules are not those of preset " + header.preset;
  return std::nullopt;
}

std::optional<std::string> setup_problem(const Header& header) {
  Record record(header.size, header.rules.ko, header.rules.suicide);
  if (!record.set_up(header.setup)) return "a setup stone is off the board or on another one";
  for (const Stone& stone : header.setup) {
    if (record.board().liberties(stone.point) == 0) {
      return "the setup chain at " + gtp_vertex(stone.point, header.size) + " has no liberty";
    }
  }
  return std::nullopt;
}

Result result_of(const Scored& scored) {
  const int lead = scored.black_half - scored.white_half;
  Result result{ResultKind::Score, std::nullopt, std::abs(lead)};
  if (lead != 0) result.winner = lead > 0 ? Color::Black : Color::White;
  return result;
}

std::string difference(const Event& made, const Event& logged) {
  const std::string made_name(name_of(made.body));
  const std::string logged_name(name_of(logged.body));
  if (made_name != logged_name) return "the rules give " + made_name + ", not " + logged_name;
  if (made.body == logged.body) return "the stamp of " + made_name + " is not that of its act";
  return "the rules give another " + made_name + " event";
}

}  // namespace

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::Play:
      return "play";
    case Phase::Marking:
      return "marking";
    case Phase::Finished:
      return "finished";
  }
  return "unknown";
}

bool Game::is_playable(const Ruleset& rules) { return rules.end != EndRule::Confirmation; }

std::optional<std::string> Game::problem(const Header& header) {
  if (!header.size.is_valid()) return "the board must be 1 to 25 points wide and high";
  if (std::abs(header.komi_half) > kMaxKomiHalf) {
    return "komi must be within " + komi_text(kMaxKomiHalf) + " points either way";
  }
  if (header.created_ms < 0 || header.created_ms > kMaxCreatedMs) {
    return "the game must be made between the years 1970 and 9999";
  }
  if (auto problem = preset_problem(header)) return problem;
  if (auto problem = rules::problem(header.rules)) return problem;
  if (!is_playable(header.rules)) return "games that end by confirmation cannot be played yet";
  if (auto problem = rules::problem(header.clock)) return problem;
  for (const Seat& seat : header.seats) {
    if (auto problem = seat_problem(seat)) return problem;
  }
  return setup_problem(header);
}

Game::Game(Header header)
    : header_(std::move(header)),
      seats_(header_.seats),
      record_(std::make_shared<Record>(header_.size, header_.rules.ko, header_.rules.suicide)),
      turn_(header_.first),
      clocks_{first_face(header_.clock), first_face(header_.clock)} {
  (void)record_->set_up(header_.setup);  // problem() has seen that it fits
}

std::variant<Game, ReplayError> Game::replay(Header header, std::span<const Event> events) {
  if (auto problem = Game::problem(header)) return ReplayError{0, std::move(*problem)};
  Game game(std::move(header));
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto seq = static_cast<std::uint32_t>(i + 1);
    if (auto error = game.follow(seq, events[i])) return std::move(*error);
  }
  if (game.events_.size() > events.size()) {
    const Event& missing = game.events_[events.size()];
    return ReplayError{missing.seq, "the log ends before " + std::string(name_of(missing.body))};
  }
  return game;
}

Refusal Game::play(Color color, Point point, const Stamp& stamp, MoveTime time) {
  if (const Refusal refusal = judge_move(color, time); refusal != Refusal::None) return refusal;
  const Refusal refusal = own_record().play(Move::play(color, point));
  if (refusal != Refusal::None) return refusal;
  append(Played{color, point, time, charge(color, time)}, stamp);
  position_seq_ = seq();
  passes_ = 0;
  if (!record_->taken().empty()) {
    const bool stands = record_->board().at(point) == cell_of(color);
    std::vector<Point> points = record_->taken();
    std::sort(points.begin(), points.end());
    append(Captured{stands ? color : other(color), std::move(points)}, stamp);
  }
  after_move(stamp);
  return Refusal::None;
}

Refusal Game::pass(Color color, const Stamp& stamp, MoveTime time) {
  if (const Refusal refusal = judge_move(color, time); refusal != Refusal::None) return refusal;
  const Refusal refusal = own_record().play(Move::pass(color));
  if (refusal != Refusal::None) return refusal;
  append(Passed{color, time, charge(color, time)}, stamp);
  position_seq_ = seq();
  ++passes_;
  after_move(stamp);
  return Refusal::None;
}

Refusal Game::resign(Color color, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  append(Resigned{color}, stamp);
  finish({ResultKind::Resign, other(color), 0}, stamp);
  return Refusal::None;
}

Refusal Game::forfeit(Color color, std::string reason, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  append(Forfeited{color, std::move(reason)}, stamp);
  finish({ResultKind::Forfeit, other(color), 0}, stamp);
  return Refusal::None;
}

Refusal Game::time_out(Color color, const Stamp& stamp) {
  if (const Refusal refusal = judge_move(color, {}); refusal != Refusal::None) return refusal;
  if (!time_left()) return Refusal::WrongPhase;
  clocks_[index_of(color)] = ClockFace{};
  append(TimedOut{color}, stamp);
  finish({ResultKind::Timeout, other(color), 0}, stamp);
  return Refusal::None;
}

Refusal Game::change_seat(Color color, Seat seat, std::string reason, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  if (seat_problem(seat)) return Refusal::WrongPhase;
  seats_[index_of_slot(color)] = seat;
  append(SeatChanged{color, std::move(seat), std::move(reason)}, stamp);
  return Refusal::None;
}

Refusal Game::list_dead(Color color, std::optional<std::vector<Point>> points, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  if (!awaits_list(color)) return Refusal::WrongPhase;
  if (points) {
    points = whole_chains(record_->board(), *points);
    if (!points) return Refusal::BadList;
  }
  lists_[index_of(color)].emplace(points);
  append(DeadListed{color, std::move(points)}, stamp);
  if (!awaits_list(other(color))) compare_lists(stamp);
  return Refusal::None;
}

std::optional<Color> Game::turn() const {
  if (phase_ != Phase::Play) return std::nullopt;
  return turn_;
}

std::optional<std::chrono::nanoseconds> Game::time_left() const {
  if (phase_ != Phase::Play) return std::nullopt;
  return time_to_flag(header_.clock, clocks_[index_of(turn_)]);
}

bool Game::allows(const MoveTime& time) const {
  const auto left = time_left();
  if (!left) return time == MoveTime{};
  return time.used.count() >= 0 && time.used <= *left && time.lag.count() >= 0;
}

bool Game::awaits_list(Color color) const {
  return phase_ == Phase::Marking && !lists_[index_of(color)].has_value();
}

std::vector<Point> Game::legal_points(Color color) const {
  if (turn() != color) return {};
  return record_->legal_points(color);
}

Record& Game::own_record() {
  if (record_.use_count() > 1) record_ = std::make_shared<Record>(*record_);
  return *record_;
}

Refusal Game::judge_move(Color color, const MoveTime& time) const {
  if (is_finished()) return Refusal::GameOver;
  if (phase_ != Phase::Play) return Refusal::WrongPhase;
  if (color != turn_) return Refusal::NotYourTurn;
  return allows(time) ? Refusal::None : Refusal::GameOver;
}

// Takes the time off the mover's clock; gives what it shows then.
ClockFace Game::charge(Color color, const MoveTime& time) {
  constexpr ClockTime kStart{};
  Clock clock(header_.clock);
  (void)clock.restore(clocks_, color, kStart);
  (void)clock.resume(kStart);
  (void)clock.move(color, kStart + time.used);  // allows() has seen that it is in time
  clocks_ = clock.faces();
  return clocks_[index_of(color)];
}

// A derived event has been made by the act before it; any other is an act to be done now.
std::optional<ReplayError> Game::follow(std::uint32_t seq, const Event& event) {
  if (event.seq != seq) return ReplayError{seq, "numbered " + std::to_string(event.seq)};
  if (this->seq() < seq) {
    if (is_derived(event.body)) {
      return ReplayError{seq, std::string(name_of(event.body)) + " does not follow from the rules"};
    }
    const Refusal refusal = act(event);
    if (refusal != Refusal::None) {
      const bool is_late = refusal == Refusal::GameOver && !is_finished();
      const std::string why = is_late ? " takes more time than its clock has"
                                      : " is refused: " + std::string(name_of(refusal));
      return ReplayError{seq, std::string(name_of(event.body)) + why};
    }
  }
  const Event& made = events_[seq - 1];
  if (made != event) return ReplayError{seq, difference(made, event)};
  return std::nullopt;
}

Refusal Game::act(const Event& event) {
  struct Do {
    Game& game;
    const Stamp& stamp;
    Refusal operator()(const Played& e) const { return game.play(e.color, e.point, stamp, e.time); }
    Refusal operator()(const Passed& e) const { return game.pass(e.color, stamp, e.time); }
    Refusal operator()(const Resigned& e) const { return game.resign(e.color, stamp); }
    Refusal operator()(const DeadListed& e) const {
      return game.list_dead(e.color, e.points, stamp);
    }
    Refusal operator()(const Forfeited& e) const { return game.forfeit(e.color, e.reason, stamp); }
    Refusal operator()(const TimedOut& e) const { return game.time_out(e.color, stamp); }
    Refusal operator()(const SeatChanged& e) const {
      return game.change_seat(e.color, *e.seat, e.reason, stamp);
    }
    Refusal operator()(const Captured&) const { return Refusal::WrongPhase; }
    Refusal operator()(const Stopped&) const { return Refusal::WrongPhase; }
    Refusal operator()(const Scored&) const { return Refusal::WrongPhase; }
    Refusal operator()(const Finished&) const { return Refusal::WrongPhase; }
  };
  return std::visit(Do{*this, event.stamp}, event.body);
}

void Game::after_move(const Stamp& stamp) {
  turn_ = other(turn_);
  if (passes_ == 2) {
    append(Stopped{StopReason::TwoPasses}, stamp);
    after_stop(stamp);
  } else if (record_->moves().size() >= header_.rules.effective_move_limit(header_.size)) {
    append(Stopped{StopReason::MoveLimit}, stamp);
    finish_by_score({}, stamp);
  }
}

void Game::after_stop(const Stamp& stamp) {
  switch (header_.rules.end) {
    case EndRule::AllAlive:
      finish_by_score({}, stamp);
      return;
    case EndRule::CompareLists:
      phase_ = Phase::Marking;
      return;
    case EndRule::Confirmation:
      return;  // problem() refuses such a game
  }
}

void Game::compare_lists(const Stamp& stamp) {
  const DeadList& black = *lists_[index_of(Color::Black)];
  const DeadList& white = *lists_[index_of(Color::White)];
  std::vector<Point> removed;
  if (!black || !white || *black == *white) {
    removed = black.value_or(white.value_or(std::vector<Point>{}));
  }
  finish_by_score(std::move(removed), stamp);
}

void Game::finish_by_score(std::vector<Point> removed, const Stamp& stamp) {
  const Points points = count(*record_, header_.rules.scoring, {removed, {}});
  const int bonus = bonus_points(header_.rules.bonus, handicap_stones(header_));
  Scored scored;
  scored.black_half = 2 * points.black;
  scored.white_half = 2 * (points.white + bonus) + header_.komi_half;
  scored.removed = std::move(removed);
  score_ = scored;
  const Result result = result_of(scored);
  append(std::move(scored), stamp);
  finish(result, stamp);
}

void Game::finish(Result result, const Stamp& stamp) {
  phase_ = Phase::Finished;
  result_ = result;
  append(Finished{result}, stamp);
}

void Game::append(EventBody body, const Stamp& stamp) {
  events_.push_back({seq() + 1, stamp, std::move(body)});
}

}  // namespace tengen::rules
