#include "daemon/match.h"

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

}  // namespace

Match::Match(std::uint32_t number, rules::Game game) : number_(number), game_(std::move(game)) {
  for (const auto& event : game_.events()) remember(event);
}

void Match::resume(Now now, MatchEffects& out) { ask(now, out); }

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
  if (auto error = judge_turn(slot, request.position_seq)) return *error;
  return after_act(game_.play(color, *point, stamp_of(now, request.request_id)), color, now, out);
}

Match::Answer Match::on_pass(int slot, const protocol::Pass& request, Now now, MatchEffects& out) {
  const Color color = game_.header().color_of_slot(slot);
  if (auto again = answer_again(color, request.request_id, rules::Passed{color})) return *again;
  if (auto error = judge_turn(slot, request.position_seq)) return *error;
  return after_act(game_.pass(color, stamp_of(now, request.request_id)), color, now, out);
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

std::optional<Error> Match::judge_turn(int slot, std::uint32_t position_seq) const {
  if (game_.is_finished()) return error_of(Refusal::GameOver);
  if (position_seq != game_.position_seq()) {
    return Error{ErrorCode::Stale, "position_seq", "the position has changed since", 0,
                 protocol::snapshot_of(game_)};
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
  if (game_.is_finished()) cancel_jobs(out);
  ask(now, out);
  return answer;
}

void Match::remember(const rules::Event& event) {
  const auto color = actor_of(event.body);
  if (!color || event.stamp.request_id.empty()) return;
  done_.emplace(request_key(*color, event.stamp.request_id), Done{*color, event.body, event.seq});
}

// Asks for what the game waits for, once.
void Match::ask(Now now, MatchEffects& out) {
  if (retry_at_ || game_.is_finished()) return;
  if (const auto turn = game_.turn()) {
    if (game_.header().seat(*turn).kind == rules::SeatKind::Engine) {
      ask_engine(*turn, pool::Want::Genmove, out);
    }
    return;
  }
  for (const Color color : {Color::Black, Color::White}) {
    if (!game_.awaits_list(color)) continue;
    if (game_.header().seat(color).kind == rules::SeatKind::Engine) {
      ask_engine(color, pool::Want::DeadList, out);
    } else {
      // Until people can mark stones themselves they take the other side's list.
      check(game_.list_dead(color, std::nullopt, stamp_of(now, {})) == Refusal::None,
            "an awaited list is taken");
    }
  }
}

void Match::ask_engine(Color color, pool::Want want, MatchEffects& out) {
  auto& awaited = awaited_[static_cast<std::size_t>(index_of(color))];
  if (awaited) return;
  const auto& header = game_.header();
  const auto& seat = header.seat(color);
  const pool::JobId id{(static_cast<std::uint64_t>(number_) << 32) | ++jobs_made_};
  awaited = Awaited{id, want};
  out.submit.push_back(pool::Job{id, header.id, seat.profile, seat.settings, game_.record(),
                                 header.rules, header.komi_half, color, want,
                                 engine_seed(header.seed, game_.record().moves().size())});
}

void Match::on_job_done(pool::JobId job, const pool::JobResult& result, Now now,
                        MatchEffects& out) {
  const auto color = color_awaiting(job);
  if (!color) return;
  auto& awaited = awaited_[static_cast<std::size_t>(index_of(*color))];
  const pool::Want want = awaited->want;
  awaited.reset();
  const auto* failure = std::get_if<pool::JobFailure>(&result);
  // Asking again would be refused again at once: the next run of the daemon asks.
  if (failure != nullptr && failure->error == pool::JobError::Draining) return;
  if (const auto* move = std::get_if<pool::EngineMove>(&result)) {
    on_move(*color, *move, now);
  } else if (const auto* list = std::get_if<pool::EngineDeadList>(&result)) {
    on_dead_list(*color, list->points, now);
  } else {
    on_failure(*color, want, *failure, now);
  }
  ask(now, out);
}

void Match::on_move(Color color, const pool::EngineMove& move, Now now) {
  failures_ = 0;
  Refusal refusal = Refusal::None;
  switch (move.kind) {
    case pool::EngineMove::Kind::Play:
      refusal = game_.play(color, move.point, stamp_of(now, {}));
      break;
    case pool::EngineMove::Kind::Pass:
      refusal = game_.pass(color, stamp_of(now, {}));
      break;
    case pool::EngineMove::Kind::Resign:
      refusal = game_.resign(color, stamp_of(now, {}));
      break;
  }
  if (refusal == Refusal::None) {
    illegal_answers_ = 0;
    return;
  }
  if (++illegal_answers_ >= kIllegalAnswersMax) {
    forfeit(color, "illegal move: " + std::string(name_of(refusal)), now);
  }
}

void Match::on_dead_list(Color color, std::vector<rules::Point> points, Now now) {
  failures_ = 0;
  const auto refusal = game_.list_dead(color, std::move(points), stamp_of(now, {}));
  if (refusal == Refusal::None) return;
  // A list that names empty points is no list.
  check(game_.list_dead(color, std::nullopt, stamp_of(now, {})) == Refusal::None,
        "an awaited list is taken");
}

void Match::on_failure(Color color, pool::Want want, const pool::JobFailure& failure, Now now) {
  if (want == pool::Want::DeadList) {
    check(game_.list_dead(color, std::nullopt, stamp_of(now, {})) == Refusal::None,
          "an awaited list is taken");
    return;
  }
  switch (failure.error) {
    case pool::JobError::PositionRefused:
    case pool::JobError::NotSupported:
    case pool::JobError::UnknownProfile:
      forfeit(color, std::string(name_of(failure.error)) + ": " + failure.detail, now);
      return;
    case pool::JobError::EnginesFailed:
      if (++failures_ >= kEngineFailuresMax) {
        forfeit(color, std::string(name_of(failure.error)) + ": " + failure.detail, now);
        return;
      }
      break;
    default:
      break;
  }
  retry_at_ = now.steady + kEngineRetryDelay;
}

void Match::on_deadline(Now now, MatchEffects& out) {
  if (!retry_at_ || *retry_at_ > now.steady) return;
  retry_at_.reset();
  ask(now, out);
}

void Match::forfeit(Color color, std::string reason, Now now) {
  constexpr std::size_t kReasonBytesMax = 200;
  if (reason.size() > kReasonBytesMax) reason.resize(kReasonBytesMax);
  // Engine text may be part of it.
  for (char& c : reason) c = c >= ' ' && c <= '~' ? c : '?';
  check(game_.forfeit(color, std::move(reason), stamp_of(now, {})) == Refusal::None,
        "a game in play can be forfeited");
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
