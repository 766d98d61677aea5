#include "daemon/match.h"

#include <algorithm>
#include <utility>

#include "daemon/check.h"
#include "daemon/seeds.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using rules::Color;
using rules::Refusal;

Error error_of(Refusal refusal) {
  const std::string reason(name_of(refusal));
  switch (refusal) {
    case Refusal::NotYourTurn:
      return {ErrorCode::NotYourTurn, reason, "it is the other side's turn", 0, {}};
    case Refusal::GameOver:
      return {ErrorCode::GameOver, reason, "the game is over", 0, {}};
    case Refusal::WrongPhase:
      return {ErrorCode::WrongPhase, reason, "the game is not in play", 0, {}};
    default:
      return {ErrorCode::IllegalMove, reason, "illegal move: " + reason, 0, {}};
  }
}

std::string request_key(Color color, const std::string& request_id) {
  return (color == Color::Black ? 'b' : 'w') + request_id;
}

std::optional<Color> actor_of(const rules::EventBody& body) {
  if (const auto* played = std::get_if<rules::Played>(&body)) return played->color;
  if (const auto* passed = std::get_if<rules::Passed>(&body)) return passed->color;
  if (const auto* resigned = std::get_if<rules::Resigned>(&body)) return resigned->color;
  return std::nullopt;
}

rules::Stamp stamp_of(Now now, const std::string& request_id) { return {now.unix_ms, request_id}; }

// Engine text may be part of a reason.
std::string clean_reason(std::string reason) {
  constexpr std::size_t kReasonBytesMax = 200;
  if (reason.size() > kReasonBytesMax) reason.resize(kReasonBytesMax);
  for (char& c : reason) c = c >= ' ' && c <= '~' ? c : '?';
  return reason;
}

/// Whether it says something of the configuration and nothing of the engine: a game was accepted
/// for what the profile was then, and it may be so again. A list that an engine does not support is
/// none, as for any program that cannot list.
bool is_of_configuration(pool::JobError error, pool::Want want) {
  return error == pool::JobError::UnknownProfile ||
         (error == pool::JobError::NotSupported && want == pool::Want::Genmove);
}

/// Whether a list was not had for now only: nobody has tried to make it.
bool is_list_to_come(pool::JobError error) {
  switch (error) {
    case pool::JobError::UnknownProfile:
    case pool::JobError::QueueFull:
    case pool::JobError::Cancelled:
    case pool::JobError::Draining:
      return true;
    case pool::JobError::ProfileFailed:
    case pool::JobError::EnginesFailed:
    case pool::JobError::PositionRefused:
    case pool::JobError::NotSupported:
    case pool::JobError::Expired:
      return false;
  }
  return false;
}

bool has_changed_seat(const rules::Game& game, Color color) {
  return std::any_of(game.events().begin(), game.events().end(), [&](const rules::Event& event) {
    const auto* changed = std::get_if<rules::SeatChanged>(&event.body);
    return changed != nullptr && changed->color == color;
  });
}

// The act without what it took: that is not for whoever sends it again to say.
rules::EventBody bare_act(rules::EventBody act) {
  if (auto* played = std::get_if<rules::Played>(&act)) {
    act = rules::Played{played->color, played->point};
  } else if (auto* passed = std::get_if<rules::Passed>(&act)) {
    act = rules::Passed{passed->color};
  }
  return act;
}

}  // namespace

Match::Match(std::uint32_t number, rules::Game game) : number_(number), game_(std::move(game)) {
  for (const auto& event : game_.events()) remember(event);
}

void Match::resume(Now now, MatchEffects& out) {
  turn_.begin(now.steady);
  ask(now, out);
}

Match::Answer Match::on_play(int slot, const protocol::Play& request, Now now, MatchEffects& out) {
  const auto point = rules::parse_gtp_vertex(request.vertex, game_.header().size);
  if (!point) {
    return Error{ErrorCode::InvalidVertex,
                 "vertex",
                 "vertex is a letter and a number on this board, such as D4",
                 0,
                 {}};
  }
  const Color color = game_.header().color_of_slot(slot);
  if (auto again = answer_again(color, request.request_id, rules::Played{color, *point})) {
    return *again;
  }
  if (auto error = judge_turn(slot, request.position_seq, now)) return *error;
  const auto time = turn_.for_person(game_, now.steady);
  return after_act(game_.play(color, *point, stamp_of(now, request.request_id), time), color, now,
                   out);
}

Match::Answer Match::on_pass(int slot, const protocol::Pass& request, Now now, MatchEffects& out) {
  const Color color = game_.header().color_of_slot(slot);
  if (auto again = answer_again(color, request.request_id, rules::Passed{color})) return *again;
  if (auto error = judge_turn(slot, request.position_seq, now)) return *error;
  const auto time = turn_.for_person(game_, now.steady);
  return after_act(game_.pass(color, stamp_of(now, request.request_id), time), color, now, out);
}

Match::Answer Match::on_resign(int slot, const protocol::Resign& request, Now now,
                               MatchEffects& out) {
  const Color color = game_.header().color_of_slot(slot);
  if (auto again = answer_again(color, request.request_id, rules::Resigned{color})) return *again;
  return after_act(game_.resign(color, stamp_of(now, request.request_id)), color, now, out);
}

std::optional<Match::Answer> Match::answer_again(Color color, const std::string& request_id,
                                                 const rules::EventBody& act) const {
  const auto found = done_.find(request_key(color, request_id));
  if (found == done_.end()) return std::nullopt;
  if (found->second.act != act) {
    return Error{ErrorCode::RequestIdConflict,
                 "request_id",
                 "this request_id has been used for another act",
                 0,
                 {}};
  }
  return accepted(found->second.seq);
}

std::optional<Error> Match::judge_turn(int slot, std::uint32_t position_seq, Now now) const {
  if (game_.is_finished()) return error_of(Refusal::GameOver);
  if (position_seq != game_.position_seq()) {
    return Error{ErrorCode::Stale, "position_seq", "the position has changed since", 0,
                 snapshot(now)};
  }
  if (game_.phase() != rules::Phase::Play) return error_of(Refusal::WrongPhase);
  if (game_.turn() != game_.header().color_of_slot(slot)) return error_of(Refusal::NotYourTurn);
  return std::nullopt;
}

protocol::Accepted Match::accepted(std::uint32_t seq) const {
  std::uint32_t position = 0;
  for (std::uint32_t i = seq; i > 0 && position == 0; --i) {
    const auto& body = game_.events()[i - 1].body;
    if (std::holds_alternative<rules::Played>(body) ||
        std::holds_alternative<rules::Passed>(body)) {
      position = i;
    }
  }
  return {game_.header().id, seq, position, std::nullopt};
}

Match::Answer Match::after_act(Refusal refusal, Color color, Now now, MatchEffects& out) {
  if (refusal != Refusal::None) return error_of(refusal);
  // The act's own event is the last one that somebody did; derived ones may follow it.
  std::uint32_t seq = game_.seq();
  while (actor_of(game_.events()[seq - 1].body) != color) --seq;
  remember(game_.events()[seq - 1]);
  const auto answer = accepted(seq);
  turn_.begin(now.steady);
  if (game_.is_finished()) cancel_jobs(out);
  ask(now, out);
  return answer;
}

void Match::remember(const rules::Event& event) {
  const auto color = actor_of(event.body);
  if (!color || event.stamp.request_id.empty()) return;
  done_.emplace(request_key(*color, event.stamp.request_id),
                Done{*color, bare_act(event.body), event.seq});
}

// Asks for what the game waits for, once.
void Match::ask(Now now, MatchEffects& out) {
  if (retry_at_ || game_.is_finished()) return;
  if (const auto turn = game_.turn()) {
    if (!is_persons_turn()) ask_engine(*turn, pool::Want::Genmove, out);
    return;
  }
  for (const Color color : {Color::Black, Color::White}) {
    if (!game_.awaits_list(color)) continue;
    if (game_.seat(color).kind == rules::SeatKind::Engine) {
      ask_engine(color, pool::Want::DeadList, out);
    } else {
      // Until people can mark stones themselves they take the other side's list.
      take_list(color, std::nullopt, now);
    }
  }
}

bool Match::is_persons_turn() const {
  const auto turn = game_.turn();
  return turn && game_.seat(*turn).kind == rules::SeatKind::Human;
}

void Match::ask_engine(Color color, pool::Want want, MatchEffects& out) {
  auto& awaited = awaited_[static_cast<std::size_t>(index_of(color))];
  if (awaited) return;
  const auto& header = game_.header();
  const auto& seat = game_.seat(color);
  const pool::JobId id{(static_cast<std::uint64_t>(number_) << 32) | ++jobs_made_};
  awaited = Awaited{id, want};
  pool::Job job{id,
                header.id,
                seat.profile,
                seat.settings,
                pool::SharedRecord(game_.shared_record()),
                header.rules,
                header.komi_half,
                color,
                want,
                engine_seed(header.seed, {game_.record().moves().size(), illegal_answers_})};
  if (want != pool::Want::Genmove) job.priority = pool::Priority::Question;
  job.clock = turn_.for_job(game_);
  out.submit.push_back(std::move(job));
}

void Match::on_job_done(const pool::JobDone& done, const Substitute& substitute, Now now,
                        MatchEffects& out) {
  const auto color = color_awaiting(done.job);
  if (!color) return;
  auto& awaited = awaited_[static_cast<std::size_t>(index_of(*color))];
  const pool::Want want = awaited->want;
  awaited.reset();
  const auto* failure = std::get_if<pool::JobFailure>(&done.result);
  // Asking again would be refused again at once: the next run of the daemon asks.
  if (failure != nullptr && failure->error == pool::JobError::Draining) return;
  stranded_[static_cast<std::size_t>(index_of(*color))] =
      failure != nullptr && is_of_configuration(failure->error, want);
  if (want == pool::Want::DeadList) {
    on_list_done(*color, done.result, now);
  } else {
    on_turn_done(*color, done, substitute, now);
  }
  ask(now, out);
}

void Match::on_turn_done(Color color, const pool::JobDone& done, const Substitute& substitute,
                         Now now) {
  turn_.add_search(done.searched);
  if (turn_.is_overdrawn(game_)) return time_out(color, now);
  if (const auto* move = std::get_if<pool::EngineMove>(&done.result)) {
    return on_move(color, *move, substitute, now);
  }
  const auto* failure = std::get_if<pool::JobFailure>(&done.result);
  check(failure != nullptr, "a search ends with a move or a failure");
  on_failure(color, *failure, substitute, now);
}

void Match::on_move(Color color, const pool::EngineMove& move, const Substitute& substitute,
                    Now now) {
  failures_ = 0;
  const auto time = turn_.for_engine(game_, now.steady);
  Refusal refusal = Refusal::None;
  switch (move.kind) {
    case pool::EngineMove::Kind::Play:
      refusal = game_.play(color, move.point, stamp_of(now, {}), time);
      break;
    case pool::EngineMove::Kind::Pass:
      refusal = game_.pass(color, stamp_of(now, {}), time);
      break;
    case pool::EngineMove::Kind::Resign:
      refusal = game_.resign(color, stamp_of(now, {}));
      break;
  }
  if (refusal == Refusal::None) {
    illegal_answers_ = 0;
    turn_.begin(now.steady);
    return;
  }
  if (++illegal_answers_ >= kIllegalAnswersMax) {
    give_up(color, "illegal move: " + std::string(name_of(refusal)), substitute, now);
  }
}

void Match::on_failure(Color color, const pool::JobFailure& failure, const Substitute& substitute,
                       Now now) {
  const std::string reason = std::string(name_of(failure.error)) + ": " + failure.detail;
  switch (failure.error) {
    case pool::JobError::PositionRefused:
      return give_up(color, reason, substitute, now);
    case pool::JobError::NotSupported:
    case pool::JobError::UnknownProfile:
      if (replace(color, reason, substitute, now)) return;
      break;
    case pool::JobError::EnginesFailed:
      if (++failures_ < kEngineFailuresMax) break;
      return give_up(color, reason, substitute, now);
    case pool::JobError::QueueFull:
    case pool::JobError::ProfileFailed:
    case pool::JobError::Expired:
    case pool::JobError::Cancelled:
    case pool::JobError::Draining:
      break;
  }
  ask_later(color, failure, now);
}

// Where two lists have to be asked for again, both are when the first can be.
void Match::ask_later(Color color, const pool::JobFailure& failure, Now now) {
  const bool is_told_when = failure.retry_after > std::chrono::milliseconds{0};
  const auto pause = is_stranded(color) ? kStrandedRetryDelay
                     : is_told_when     ? failure.retry_after
                                        : kEngineRetryDelay;
  retry_at_ = std::min(retry_at_.value_or(TimePoint::max()), now.steady + pause);
}

void Match::on_reload(Now now) {
  const bool is_any = is_stranded(Color::Black) || is_stranded(Color::White);
  if (is_any && retry_at_) retry_at_ = now.steady;
}

void Match::on_list_done(Color color, const pool::JobResult& result, Now now) {
  const auto* failure = std::get_if<pool::JobFailure>(&result);
  if (failure != nullptr && is_list_to_come(failure->error)) return ask_later(color, *failure, now);
  const auto* stones = std::get_if<pool::EngineStones>(&result);
  if (stones == nullptr) return take_list(color, std::nullopt, now);
  failures_ = 0;
  take_list(color, stones->points, now);
}

void Match::take_list(Color color, std::optional<std::vector<rules::Point>> points, Now now) {
  const auto stamp = stamp_of(now, {});
  if (game_.list_dead(color, std::move(points), stamp) == Refusal::None) return;
  // A list that names empty points is no list.
  check(game_.list_dead(color, std::nullopt, stamp) == Refusal::None, "an awaited list is taken");
}

std::optional<TimePoint> Match::deadline() const {
  if (retry_at_) return retry_at_;
  return is_persons_turn() ? turn_.flag_at(game_) : std::nullopt;
}

void Match::on_deadline(Now now, MatchEffects& out) {
  const auto due = deadline();
  if (!due || *due > now.steady) return;
  if (!retry_at_) return time_out(*game_.turn(), now);
  retry_at_.reset();
  ask(now, out);
}

void Match::time_out(Color color, Now now) {
  check(game_.time_out(color, stamp_of(now, {})) == Refusal::None, "a clock that runs can run out");
}

// The engine that plays this side is of no use any more.
void Match::give_up(Color color, const std::string& reason, const Substitute& substitute, Now now) {
  if (replace(color, reason, substitute, now)) return;
  check(game_.forfeit(color, clean_reason(reason), stamp_of(now, {})) == Refusal::None,
        "a game in play can be forfeited");
}

// False when nobody can take the seat over.
bool Match::replace(Color color, const std::string& reason, const Substitute& substitute, Now now) {
  if (!substitute || has_changed_seat(game_, color)) return false;
  illegal_answers_ = 0;
  failures_ = 0;
  stranded_[static_cast<std::size_t>(index_of(color))] = false;
  check(game_.change_seat(color, *substitute, clean_reason(reason), stamp_of(now, {})) ==
            Refusal::None,
        "a seat in play can be changed");
  return true;
}

protocol::Snapshot Match::snapshot(Now now) const {
  return protocol::snapshot_of(game_, turn_.elapsed(now.steady));
}

void Match::cancel_jobs(MatchEffects& out) {
  for (auto& awaited : awaited_) {
    if (awaited) out.cancel.push_back(awaited->job);
    awaited.reset();
  }
  retry_at_.reset();
}

std::optional<Color> Match::color_awaiting(pool::JobId job) const {
  for (const Color color : {Color::Black, Color::White}) {
    const auto& awaited = awaited_[static_cast<std::size_t>(index_of(color))];
    if (awaited && awaited->job == job) return color;
  }
  return std::nullopt;
}

std::vector<pool::JobId> Match::awaited_jobs() const {
  std::vector<pool::JobId> jobs;
  for (const auto& awaited : awaited_) {
    if (awaited) jobs.push_back(awaited->job);
  }
  return jobs;
}

}  // namespace tengen::daemon
