#include "rules/game.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tengen::rules {
namespace {

constexpr std::int64_t kMaxCreatedMs = 253'402'300'799'999;  // the end of the year 9999
constexpr int kHandicapMin = 2;

std::optional<std::string> seat_problem(const Seat& seat) {
  if (seat.kind == SeatKind::Engine && seat.profile.empty()) {
    return "an engine seat needs a profile";
  }
  if (seat.kind != SeatKind::Engine && !(seat.profile.empty() && seat.settings.empty())) {
    return "only an engine seat has a profile and settings";
  }
  if (seat.kind != SeatKind::Engine && seat.other_rules) {
    return "people and agents play by the game's rules";
  }
  if (seat.kind != SeatKind::Engine && seat.resign_from != 0) {
    return "only an engine's resignation can count as a pass";
  }
  if (seat.kind != SeatKind::Engine && (seat.undos != 0 || seat.pauses != 0)) {
    return "people and agents grant what they like";
  }
  if (seat.undos < 0 || seat.undos > kQuestionsMax || seat.pauses < 0 ||
      seat.pauses > kQuestionsMax) {
    return "an engine grants no more than can be asked";
  }
  if (seat.kind == SeatKind::Engine && seat.is_open) return "an engine's seat is taken";
  if (seat.resign_from < 0) return "an engine resigns from a move on, not before there are any";
  return std::nullopt;
}

std::optional<std::string> absence_problem(const Header& header) {
  const std::chrono::milliseconds none{0};
  if (header.absence < none || header.absence > kAbsenceMax) {
    return "a person may be away for up to a day";
  }
  if (header.absence == none && !header.absence_profile.empty()) {
    return "a seat that is never lost is nobody's to take over";
  }
  if (header.broadcast_delay < none || header.broadcast_delay > kBroadcastDelayMax) {
    return "a broadcast is delayed by up to an hour";
  }
  if (header.lag_allowance < none || header.lag_allowance > kLagAllowanceMax) {
    return "up to two seconds of a turn are the network's";
  }
  return std::nullopt;
}

// The view that agents get knows one kind of game (document 002).
std::optional<std::string> agent_problem(const Header& header) {
  const auto is_agent = [](const Seat& seat) { return seat.kind == SeatKind::Agent; };
  if (std::none_of(header.seats.begin(), header.seats.end(), is_agent)) return std::nullopt;
  if (header.preset != kAgentPreset) {
    return "agents play by the preset " + std::string(kAgentPreset) + " only";
  }
  if (header.komi_half != find_preset(kAgentPreset)->komi_half) {
    return "agents play with the preset's komi";
  }
  if (!header.setup.empty() || header.free_handicap != 0 || header.first != Color::Black) {
    return "agents play without handicap and setup";
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

std::optional<std::string> free_handicap_problem(const Header& header) {
  if (header.free_handicap == 0) return std::nullopt;
  // A board that is full of stones has no liberty left.
  if (header.free_handicap < kHandicapMin || header.free_handicap >= header.size.area()) {
    return "a free handicap is two stones or more, and leaves room on the board";
  }
  if (!header.setup.empty() || header.first != Color::White) {
    return "a free handicap is placed on an empty board, and white moves first";
  }
  return std::nullopt;
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
    case Phase::Cleanup:
      return "cleanup";
    case Phase::Handicap:
      return "handicap";
  }
  return "unknown";
}

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
  if (auto problem = rules::problem(header.clock)) return problem;
  for (const Seat& seat : header.seats) {
    if (auto problem = seat_problem(seat)) return problem;
  }
  if (auto problem = agent_problem(header)) return problem;
  if (auto problem = absence_problem(header)) return problem;
  if (auto problem = free_handicap_problem(header)) return problem;
  if (header.annul_before < 0) return "a game is annulled before a move, not before there are any";
  if (header.marking_time < kMarkingTimeMin || header.marking_time > kMarkingTimeMax) {
    return "the marking time must be a tenth of a second up to a day";
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
  if (header_.free_handicap > 0) phase_ = Phase::Handicap;
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
  const ClockFace left = charge(color, time);
  append(Played{color, point, time, left}, stamp);
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
  const ClockFace left = charge(color, time);
  append(Passed{color, time, left}, stamp);
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
  if (is_finished()) return Refusal::GameOver;
  if (is_in_play()) {
    if (const Refusal refusal = judge_move(color, {}); refusal != Refusal::None) return refusal;
    if (!time_left()) return Refusal::WrongPhase;
    clocks_[index_of(color)] = ClockFace{};
  } else if (!is_waiting_on(color) || awaits_list(color)) {
    return Refusal::WrongPhase;  // a list that does not come is the other side's list
  }
  append(TimedOut{color}, stamp);
  finish({ResultKind::Timeout, other(color), 0}, stamp);
  return Refusal::None;
}

Refusal Game::abandon(Color color, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  append(Abandoned{color}, stamp);
  finish({ResultKind::Abandon, other(color), 0}, stamp);
  return Refusal::None;
}

Refusal Game::annul(std::optional<Color> by, std::string reason, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  append(Annulled{by, std::move(reason)}, stamp);
  finish({ResultKind::Annulled, std::nullopt, 0}, stamp);
  return Refusal::None;
}

Refusal Game::ask(Color color, AskKind kind, int moves, const Stamp& stamp) {
  const Asked asked{color, kind, moves};
  if (const Refusal refusal = judge_question(asked); refusal != Refusal::None) return refusal;
  if (asked_) return Refusal::AlreadyAsked;
  int& questions = questions_[index_of(color)];
  if (questions == kQuestionsMax) return Refusal::AskedTooOften;
  ++questions;
  asked_ = asked;
  append(asked, stamp);
  asked_seq_ = seq();
  return Refusal::None;
}

Refusal Game::decline(Color color, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  if (!asked_) return Refusal::NothingAsked;
  asked_.reset();
  append(Declined{color}, stamp);
  return Refusal::None;
}

// Whether the thing could be done now.
Refusal Game::judge_question(const Asked& asked) const {
  if (is_finished()) return Refusal::GameOver;
  if (!is_in_play()) return Refusal::WrongPhase;
  if (is_paused()) return Refusal::Paused;
  if (asked.kind == AskKind::NoResult && !is_repeated()) return Refusal::NoRepetition;
  const bool is_undo = asked.kind == AskKind::Undo;
  if (is_undo ? asked.moves < 1 || asked.moves > undoable() : asked.moves != 0) {
    return Refusal::NothingToUndo;
  }
  return Refusal::None;
}

Refusal Game::judge_agreement(const Asked& asked) const {
  const Refusal refusal = judge_question(asked);
  if (refusal != Refusal::None) return refusal;
  return asked_ == asked ? Refusal::None : Refusal::NothingAsked;
}

Refusal Game::undo(Color asker, int moves, const Stamp& stamp) {
  const Refusal refusal = judge_agreement({asker, AskKind::Undo, moves});
  if (refusal != Refusal::None) return refusal;
  Record& record = own_record();
  for (int i = 0; i < moves; ++i) {
    (void)record.undo();  // nothing below the floor is reached
    turn_ = other(turn_);
  }
  if (!clocks_before_.empty()) {
    clocks_ = clocks_before_[record.moves().size()];
    clocks_before_.resize(record.moves().size());
  }
  passes_ = 0;
  for (std::size_t i = record.moves().size(); i > undo_floor_; --i, ++passes_) {
    if (!record.moves()[i - 1].is_pass()) break;
  }
  asked_.reset();
  append(Undone{asker, moves}, stamp);
  position_seq_ = seq();
  return Refusal::None;
}

Refusal Game::pause(Color asker, const Stamp& stamp, MoveTime time) {
  const Refusal refusal = judge_agreement({asker, AskKind::Pause, 0});
  if (refusal != Refusal::None) return refusal;
  if (!allows(time)) return Refusal::GameOver;
  asked_.reset();
  stop_clocks({asker, time, {}, PauseReason::Agreed}, stamp);
  return Refusal::None;
}

Refusal Game::pause_for_server(const Stamp& stamp, MoveTime time) {
  if (const Refusal refusal = judge_move(turn_, time); refusal != Refusal::None) return refusal;
  if (!time_left()) return Refusal::WrongPhase;
  stop_clocks({turn_, time, {}, PauseReason::ServerLag}, stamp);
  return Refusal::None;
}

// allows() has seen that it is in time.
void Game::stop_clocks(const Paused& paused, const Stamp& stamp) {
  constexpr ClockTime kStart{};
  Clock clock(header_.clock);
  (void)clock.restore(clocks_, turn_, kStart);
  (void)clock.resume(kStart);
  (void)clock.pause(kStart + paused.time.used);
  clocks_ = clock.faces();
  pause_ = paused.reason;
  append(Paused{paused.color, paused.time, clocks_[index_of(turn_)], paused.reason}, stamp);
}

Refusal Game::unpause(Color color, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  if (!is_paused()) return Refusal::WrongPhase;
  if (pause_ == PauseReason::ServerLag && color != turn_) return Refusal::Paused;
  pause_.reset();
  append(Unpaused{color}, stamp);
  return Refusal::None;
}

Refusal Game::place_handicap(std::vector<Point> points, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  if (phase_ != Phase::Handicap) return Refusal::WrongPhase;
  std::sort(points.begin(), points.end());
  const auto count = static_cast<int>(std::min<std::size_t>(points.size(), kCells));
  if (count < kHandicapMin || count > header_.free_handicap) return Refusal::BadHandicap;
  std::vector<Stone> stones;
  for (const Point point : points) stones.push_back({Color::Black, point});
  if (!own_record().set_up(stones)) return Refusal::BadHandicap;
  phase_ = Phase::Play;
  append(HandicapPlaced{std::move(points)}, stamp);
  position_seq_ = seq();
  return Refusal::None;
}

Refusal Game::change_seat(Color color, Seat seat, std::string reason, const Stamp& stamp) {
  if (is_finished()) return Refusal::GameOver;
  if (seat_problem(seat)) return Refusal::WrongPhase;
  seats_[index_of_slot(color)] = seat;
  append(SeatChanged{color, std::move(seat), std::move(reason)}, stamp);
  return Refusal::None;
}

std::optional<Color> Game::turn() const {
  if (!is_in_play()) return std::nullopt;
  return turn_;
}

bool Game::is_waiting_on(Color color) const {
  switch (phase_) {
    case Phase::Play:
    case Phase::Cleanup:
      return color == turn_;
    case Phase::Handicap:
      return color == Color::Black;
    case Phase::Marking:
      if (header_.rules.end == EndRule::CompareLists) return awaits_list(color);
      return (color == turn_) != is_proposed_;
    case Phase::Finished:
      break;
  }
  return false;
}

int Game::handicap() const {
  if (header_.free_handicap == 0) return handicap_stones(header_);
  return static_cast<int>(record_->setup().size());
}

std::optional<std::chrono::nanoseconds> Game::time_left() const {
  if (!is_in_play()) return std::nullopt;
  return time_to_flag(header_.clock, clocks_[index_of(turn_)]);
}

bool Game::allows(const MoveTime& time) const {
  const auto left = time_left();
  if (!left) return time == MoveTime{};
  return time.used.count() >= 0 && time.used <= *left && time.lag.count() >= 0;
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
  if (!is_in_play()) return Refusal::WrongPhase;
  if (is_paused()) return Refusal::Paused;
  if (color != turn_) return Refusal::NotYourTurn;
  return allows(time) ? Refusal::None : Refusal::GameOver;
}

// Takes the time off the mover's clock; gives what it shows then.
ClockFace Game::charge(Color color, const MoveTime& time) {
  if (header_.clock.system == ClockSystem::None) return {};
  clocks_before_.push_back(clocks_);
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
    Refusal operator()(const Undone& e) const { return game.undo(e.color, e.moves, stamp); }
    Refusal operator()(const Marked& e) const { return game.mark(e.color, e.point, stamp); }
    Refusal operator()(const SekiMarked& e) const {
      return game.mark_seki(e.color, e.point, stamp);
    }
    Refusal operator()(const MarkingDone& e) const { return game.done(e.color, stamp); }
    Refusal operator()(const MarkingAccepted& e) const { return game.accept(e.color, stamp); }
    Refusal operator()(const MarkingDisputed& e) const { return game.dispute(e.color, stamp); }
    Refusal operator()(const HandicapPlaced& e) const {
      return game.place_handicap(e.points, stamp);
    }
    Refusal operator()(const Abandoned& e) const { return game.abandon(e.color, stamp); }
    Refusal operator()(const Annulled& e) const { return game.annul(e.by, e.reason, stamp); }
    Refusal operator()(const NoResultAgreed& e) const { return game.no_result(e.color, stamp); }
    Refusal operator()(const Paused& e) const {
      return e.reason == PauseReason::ServerLag ? game.pause_for_server(stamp, e.time)
                                                : game.pause(e.color, stamp, e.time);
    }
    Refusal operator()(const Unpaused& e) const { return game.unpause(e.color, stamp); }
    Refusal operator()(const Asked& e) const { return game.ask(e.color, e.kind, e.moves, stamp); }
    Refusal operator()(const Declined& e) const { return game.decline(e.color, stamp); }
    Refusal operator()(const Continued&) const { return Refusal::WrongPhase; }
    Refusal operator()(const Captured&) const { return Refusal::WrongPhase; }
    Refusal operator()(const Stopped&) const { return Refusal::WrongPhase; }
    Refusal operator()(const Scored&) const { return Refusal::WrongPhase; }
    Refusal operator()(const Finished&) const { return Refusal::WrongPhase; }
  };
  return std::visit(Do{*this, event.stamp}, event.body);
}

void Game::after_move(const Stamp& stamp) {
  turn_ = other(turn_);
  asked_.reset();
  if (passes_ == 2) {
    append(Stopped{StopReason::TwoPasses}, stamp);
    after_stop(stamp);
  } else if (record_->moves().size() >= header_.rules.effective_move_limit(header_.size)) {
    append(Stopped{StopReason::MoveLimit}, stamp);
    finish_by_score(header_.rules.scoring, {}, stamp);
  }
}

void Game::finish(Result result, const Stamp& stamp) {
  phase_ = Phase::Finished;
  asked_.reset();
  result_ = result;
  append(Finished{result}, stamp);
}

void Game::append(EventBody body, const Stamp& stamp) {
  events_.push_back({seq() + 1, stamp, std::move(body)});
}

}  // namespace tengen::rules
