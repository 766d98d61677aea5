// What a match asks of the pool and what it makes of the answers; see match.h. What players ask is
// in match_acts.cc.
#include "daemon/match.h"

#include <algorithm>
#include <utility>

#include "daemon/check.h"
#include "daemon/seeds.h"
#include "rules/benson.h"
#include "rules/handicap.h"
#include "rules/score.h"

namespace tengen::daemon {
namespace {

using rules::Color;
using rules::Refusal;

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

// Stones of a list that are not in chains that nothing can kill.
std::vector<rules::Point> without_alive(std::vector<rules::Point> stones,
                                        const rules::Record& record) {
  for (const Color color : {Color::Black, Color::White}) {
    const auto alive = rules::pass_alive(record.board(), color, record.suicide()).stones;
    std::erase_if(stones, [&](rules::Point stone) {
      return std::find(alive.begin(), alive.end(), stone) != alive.end();
    });
  }
  return stones;
}

std::vector<rules::Point> fixed_handicap_up_to(const rules::Header& header) {
  const int most = rules::fixed_handicap_max(header.size);
  return rules::fixed_handicap(header.size, std::min(header.free_handicap, most));
}

bool has_changed_seat(const rules::Game& game, Color color) {
  return std::any_of(game.events().begin(), game.events().end(), [&](const rules::Event& event) {
    const auto* changed = std::get_if<rules::SeatChanged>(&event.body);
    return changed != nullptr && changed->color == color;
  });
}

}  // namespace

Match::Match(std::uint32_t number, rules::Game game) : number_(number), game_(std::move(game)) {
  for (const auto& event : game_.events()) remember(event);
}

void Match::resume(Now now, MatchEffects& out) {
  turn_.begin(now.steady);
  ask(now, out);
}

// Asks for what the game waits for, once.
void Match::ask(Now now, MatchEffects& out) {
  note_waiting(now);
  if (retry_at_ || game_.is_finished() || has_open_seat()) return;
  if (game_.is_paused() && !is_late()) return;
  const auto turn = game_.turn();
  if (!turn) return ask_after_stop(out);
  const bool is_cleanup = game_.phase() == rules::Phase::Cleanup || wants_to_pass_;
  const auto want = is_cleanup ? pool::Want::CleanupGenmove : pool::Want::Genmove;
  if (!is_persons_turn()) ask_engine(*turn, want, out);
}

void Match::ask_after_stop(MatchEffects& out) {
  const bool is_handicap = game_.phase() == rules::Phase::Handicap;
  const auto want = is_handicap ? pool::Want::FreeHandicap : pool::Want::DeadList;
  for (const Color color : {Color::Black, Color::White}) {
    if (game_.is_waiting_on(color) && !is_person(color)) ask_engine(color, want, out);
  }
}

bool Match::is_person(Color color) const {
  return game_.seat(color).kind != rules::SeatKind::Engine;
}

bool Match::is_persons_turn() const {
  const auto turn = game_.turn();
  return turn && is_person(*turn);
}

// The marking time of a side begins when it is waited for, not with each of its marks.
void Match::note_waiting(Now now) {
  std::array<bool, 2> waits{};
  if (!game_.is_in_play() && !has_open_seat()) {
    for (const Color color : {Color::Black, Color::White}) {
      waits[static_cast<std::size_t>(index_of(color))] = game_.is_waiting_on(color);
    }
  }
  // Where both list at once, the second one's time does not begin anew with the first one's list.
  const bool is_new = (waits[0] && !waits_on_[0]) || (waits[1] && !waits_on_[1]);
  if (is_new) waits_since_ = now.steady;
  waits_on_ = waits;
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
  if (want == pool::Want::DeadList) job.priority = pool::Priority::Question;
  job.clock = turn_.for_job(game_);
  job.stones = game_.header().free_handicap;
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
  } else if (want == pool::Want::FreeHandicap) {
    on_handicap_done(*color, done, substitute, now);
  } else {
    on_turn_done(*color, done, want, substitute, now);
  }
  ask(now, out);
}

void Match::on_turn_done(Color color, const pool::JobDone& done, pool::Want want,
                         const Substitute& substitute, Now now) {
  if (done.searched.count() > 0) end_server_pause(now);
  turn_.add_search(done.searched);
  if (turn_.is_overdrawn(game_)) return time_out(color, now);
  const auto* failure = std::get_if<pool::JobFailure>(&done.result);
  const bool is_cleanup = want == pool::Want::CleanupGenmove;
  // An engine that cannot clean up has nothing to capture that it knows of.
  const bool cannot =
      is_cleanup && failure != nullptr && failure->error == pool::JobError::NotSupported;
  if (failure != nullptr && !cannot) return on_failure(color, *failure, substitute, now);
  const auto* found = std::get_if<pool::EngineMove>(&done.result);
  check(cannot || found != nullptr, "a search ends with a move or a failure");
  const pool::EngineMove move =
      cannot ? pool::EngineMove{pool::EngineMove::Kind::Pass, {}} : *found;
  // Where every stone counts as alive, an engine that would pass is asked first whether there is
  // something left to capture.
  const bool is_pass = move.kind == pool::EngineMove::Kind::Pass;
  if (is_pass && !is_cleanup && game_.header().rules.end == rules::EndRule::AllAlive) {
    failures_ = 0;
    wants_to_pass_ = true;
    return;
  }
  on_move(color, move, substitute, now);
}

void Match::on_move(Color color, const pool::EngineMove& move, const Substitute& substitute,
                    Now now) {
  failures_ = 0;
  end_server_pause(now);
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
      refusal = is_resignation_taken(color) ? game_.resign(color, stamp_of(now, {}))
                                            : game_.pass(color, stamp_of(now, {}), time);
      break;
  }
  if (refusal == Refusal::None) {
    illegal_answers_ = 0;
    wants_to_pass_ = false;
    turn_.begin(now.steady);
    return;
  }
  if (++illegal_answers_ >= kIllegalAnswersMax) {
    give_up(color, "illegal move: " + std::string(name_of(refusal)), substitute, now);
  }
}

// Until its move has come, an engine that gives up passes.
bool Match::is_resignation_taken(Color color) const {
  const auto moves = static_cast<int>(game_.record().moves().size());
  return moves >= game_.seat(color).resign_from;
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
  if (stones != nullptr) failures_ = 0;
  if (game_.awaits_list(color)) {
    const auto points = stones != nullptr ? std::optional(stones->points) : std::nullopt;
    take_list(color, points, now);
  } else if (game_.is_proposed()) {
    answer_proposal(color, stones != nullptr ? &stones->points : nullptr, now);
  } else {
    propose(color, stones != nullptr ? stones->points : std::vector<rules::Point>{}, now);
  }
}

void Match::take_list(Color color, std::optional<std::vector<rules::Point>> points, Now now) {
  const auto stamp = stamp_of(now, {});
  if (game_.list_dead(color, std::move(points), stamp) != Refusal::None) {
    // A list that names empty points is no list.
    check(game_.list_dead(color, std::nullopt, stamp) == Refusal::None, "an awaited list is taken");
  }
  if (game_.is_in_play()) turn_.begin(now.steady);
}

// What an engine finds dead is what it proposes, but for chains that nothing can kill.
void Match::propose(Color color, const std::vector<rules::Point>& dead, Now now) {
  const auto stamp = stamp_of(now, {});
  std::vector<rules::Point> marked;
  for (const rules::Point point : dead) {
    if (std::binary_search(marked.begin(), marked.end(), point)) continue;
    if (game_.mark(color, point, stamp) == Refusal::None) marked = game_.marked_dead();
  }
  check(game_.done(color, stamp) == Refusal::None, "an awaited proposal is made");
}

// An engine accepts what it finds dead itself, and anything when it finds nothing out.
void Match::answer_proposal(Color color, const std::vector<rules::Point>* dead, Now now) {
  const auto stamp = stamp_of(now, {});
  auto own = dead != nullptr ? rules::whole_chains(game_.record().board(), *dead) : std::nullopt;
  const bool agrees = !own || without_alive(std::move(*own), game_.record()) == game_.marked_dead();
  const Refusal refusal = agrees ? game_.accept(color, stamp) : game_.dispute(color, stamp);
  check(refusal == Refusal::None, "an awaited answer is taken");
  if (!agrees) turn_.begin(now.steady);
}

void Match::on_handicap_done(Color color, const pool::JobDone& done, const Substitute& substitute,
                             Now now) {
  const auto* failure = std::get_if<pool::JobFailure>(&done.result);
  const bool cannot = failure != nullptr && failure->error == pool::JobError::NotSupported;
  if (failure != nullptr && !cannot) return on_failure(color, *failure, substitute, now);
  const auto* stones = std::get_if<pool::EngineStones>(&done.result);
  check(cannot || stones != nullptr, "a handicap ends with stones or a failure");
  failures_ = 0;
  // An engine that knows no free handicap takes the fixed one, where the board has one.
  const auto points = cannot ? fixed_handicap_up_to(game_.header()) : stones->points;
  if (game_.place_handicap(points, stamp_of(now, {})) == Refusal::None) {
    illegal_answers_ = 0;
    turn_.begin(now.steady);
  } else if (++illegal_answers_ >= kIllegalAnswersMax) {
    give_up(color, "a handicap that cannot be placed", substitute, now);
  }
}

bool Match::is_turns_job(pool::JobId job) const {
  const auto color = color_awaiting(job);
  return color && color == game_.turn();
}

void Match::on_search_begun(pool::JobId job, Now now) {
  if (!is_turns_job(job)) return;
  end_server_pause(now);
  turn_.on_search_begun();
}

void Match::on_job_moved(const pool::JobMoved& moved) {
  if (is_turns_job(moved.job)) turn_.on_search_lost(moved.searched);
}

bool Match::is_late() const { return game_.pause_reason() == rules::PauseReason::ServerLag; }

void Match::end_server_pause(Now now) {
  if (!is_late()) return;
  check(game_.unpause(*game_.turn(), stamp_of(now, {})) == Refusal::None,
        "the side that is waited for goes on");
  turn_.begin(now.steady);
}

std::optional<TimePoint> Match::deadline() const {
  if (has_open_seat()) return std::nullopt;
  if (game_.is_paused()) return is_late() ? retry_at_ : std::nullopt;
  if (is_persons_turn() && !retry_at_) return turn_.flag_at(game_);
  std::optional<TimePoint> first = retry_at_;
  if (game_.is_in_play() && !is_persons_turn()) {
    const auto end = turn_.grace_end(game_);
    if (end) first = std::min(first.value_or(TimePoint::max()), *end);
  }
  for (const Color color : {Color::Black, Color::White}) {
    if (!waits_on_[static_cast<std::size_t>(index_of(color))] || !is_person(color)) continue;
    const TimePoint end = waits_since_ + game_.header().marking_time;
    first = first ? std::min(*first, end) : end;
  }
  return first;
}

void Match::on_deadline(Now now, MatchEffects& out) {
  const auto due = deadline();
  if (!due || *due > now.steady) return;
  if (retry_at_ && *retry_at_ <= now.steady) {
    retry_at_.reset();
  } else if (is_persons_turn()) {
    return time_out(*game_.turn(), now);
  } else if (game_.is_in_play()) {
    const auto time = turn_.for_server_pause(game_, now.steady);
    check(game_.pause_for_server(stamp_of(now, {}), time) == Refusal::None,
          "a clock that runs can be stopped");
    turn_.begin(now.steady);
  } else {
    end_marking_time(now);
    if (game_.is_finished()) cancel_jobs(out);
  }
  ask(now, out);
}

// Whoever does not list takes the other side's list; whoever does not mark, answer or place has
// lost on time.
void Match::end_marking_time(Now now) {
  for (const Color color : {Color::Black, Color::White}) {
    if (game_.is_in_play() || !game_.is_waiting_on(color) || !is_person(color)) continue;
    if (game_.awaits_list(color)) {
      take_list(color, std::nullopt, now);
    } else {
      time_out(color, now);
    }
  }
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
  wants_to_pass_ = false;
  stranded_[static_cast<std::size_t>(index_of(color))] = false;
  check(game_.change_seat(color, *substitute, clean_reason(reason), stamp_of(now, {})) ==
            Refusal::None,
        "a seat in play can be changed");
  return true;
}

protocol::Snapshot Match::snapshot(Now now) const {
  auto snapshot = protocol::snapshot_of(game_, turn_.elapsed(now.steady));
  if (has_open_seat() && snapshot.clocks) {
    snapshot.clocks->running.reset();
    snapshot.clocks->elapsed = {};
  }
  return snapshot;
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
