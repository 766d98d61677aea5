// See team.h: the jobs. Events change states and the queue; dispatch, once per turn, brings jobs
// and engines together, so that after it no job waits beside an idle engine that may do it.
#include "pool/team.h"

#include <algorithm>
#include <utility>

#include "pool/limits.h"
#include "pool/old_profile.h"
#include "pool/pace.h"
#include "pool/verdict.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr const char* kGoingDown = "the daemon is going down";

Shares shares_of(const Profile& profile) {
  return {profile.share_moves, profile.share_questions, profile.share_analysis};
}

JobFailure failure(JobError error, std::string detail, milliseconds retry_after = milliseconds(0)) {
  return {error, std::move(detail), retry_after};
}

}  // namespace

Team::Team(Profile profile, std::uint64_t seed, EngineIds& ids)
    : profile_(std::make_shared<const Profile>(std::move(profile))),
      ids_(&ids),
      scheduler_(shares_of(*profile_)),
      health_(seed) {}

void Team::start(TimePoint now, Effects& out) { top_up(now, out); }

void Team::submit(std::unique_ptr<Work> work, TimePoint now, Effects& out) {
  ++stats_.submitted;
  if (auto refused = refusal_of(*work, now)) {
    return tell(*work, std::move(*refused), nanoseconds(0), out);
  }
  work->due = due_of(*work, now);
  note_deadline(work->job.until);
  scheduler_.add(std::move(work));
}

std::optional<JobFailure> Team::refusal_of(const Work& work, TimePoint now) const {
  const Job& job = work.job;
  if (is_draining_) return failure(JobError::Draining, kGoingDown);
  if (is_closed_) return failure(JobError::UnknownProfile, profile_->name + " is no more");
  if (auto refused = refusal_by_profile(job)) return refused;
  if (job.until && *job.until <= now) {
    return failure(JobError::Expired, "it was of no use any more when it came");
  }
  if (is_hopeless(job)) {
    return failure(JobError::ProfileFailed, profile_->name + " cannot be started",
                   health_.pause(now));
  }
  if (const auto left = quarantine_.left(job, now)) {
    return failure(JobError::EnginesFailed, "two engines failed at it not long ago", *left);
  }
  const auto idle = static_cast<std::size_t>(count(EngineState::Idle));
  if (scheduler_.size() >= profile_->queue_max + idle) {
    return failure(JobError::QueueFull,
                   std::to_string(scheduler_.size()) + " jobs wait for " + profile_->name,
                   wait_estimate().value_or(milliseconds(0)));
  }
  const std::size_t own_max = profile_->queue_per_client_max + idle;
  if (scheduler_.size() >= own_max && scheduler_.size_of(job.client) >= own_max) {
    return failure(JobError::QueueFull,
                   "so many jobs of one client wait for " + profile_->name + " already",
                   wait_estimate().value_or(milliseconds(0)));
  }
  return std::nullopt;
}

// A game may be older than the profile as it is now.
std::optional<JobFailure> Team::refusal_by_profile(const Job& job) const {
  if (auto problem = profile_->problem(job.record.size(), job.settings)) {
    return failure(JobError::NotSupported, std::move(*problem));
  }
  if (is_stream(job.want) && profile_->processes_max < 2) {
    return failure(JobError::NotSupported,
                   "streams never take the last engine, and " + profile_->name + " has only one");
  }
  return refusal(job, *profile_);
}

// A clock says how soon an answer is wanted even though the engine's side does not pay for waiting:
// whoever plays fast should not wait behind those who have hours.
std::optional<TimePoint> Team::due_of(const Work& work, TimePoint now) const {
  const Job& job = work.job;
  if (!job.clock) return job.until;
  const auto& face = job.clock->faces[static_cast<std::size_t>(rules::index_of(job.color))];
  const auto budget =
      move_budget(job.clock->control, face, job.record.size(), job.record.moves().size());
  if (!budget) return job.until;
  return job.until ? std::min(*job.until, now + *budget) : now + *budget;
}

void Team::dispatch(TimePoint now, Effects& out) {
  if (!roster_.idle().empty()) {
    if (may_have_unfit()) retire_unfit(now, out);
    if (!scheduler_.is_empty()) {
      go_on_with_same_games(now, out);
      give_out(now, out);
      make_room(now, out);
    }
  }
  if (!scheduler_.is_empty()) preempt(now, out);
  top_up(now, out);
}

void Team::go_on_with_same_games(TimePoint now, Effects& out) {
  const std::vector<Engine*> idle = roster_.idle();
  for (Engine* engine : idle) {
    if (scheduler_.is_empty()) return;
    auto work = scheduler_.take_same_game(
        engine->held(), [&](const Work& each) { return may_take(*engine, each); });
    if (work) assign(*engine, std::move(work), now, out);
  }
}

void Team::give_out(TimePoint now, Effects& out) {
  if (scheduler_.is_empty()) return;  // as in most turns
  find_rested();
  while (!scheduler_.is_empty() && !rested_.empty()) {
    const auto best = best_rested(scheduler_.next()->job);
    Engine& engine = *best->engine;
    auto work = scheduler_.take(
        best->held, [&](const Work& each) { return may_take(engine, each); }, now);
    rested_.erase(best);
    if (work) assign(engine, std::move(work), now, out);
  }
}

void Team::find_rested() {
  std::vector<Engine*> idle = roster_.idle();
  std::sort(idle.begin(), idle.end(),
            [](const Engine* a, const Engine* b) { return has_rested_longer(*a, *b); });
  rested_.clear();
  for (Engine* engine : idle) rested_.push_back({engine, engine->held()});
}

// The fit is cheaper to tell than whether the engine is one for the job at all.
std::vector<Team::Rested>::const_iterator Team::best_rested(const Job& job) const {
  auto best = rested_.end();
  for (auto each = rested_.begin(); each != rested_.end(); ++each) {
    const Fit fit = fit_of(each->held, job);
    const bool is_better = best == rested_.end() || fit > fit_of(best->held, job);
    if (!is_better || !fits(*each->engine, job)) continue;
    best = each;
    if (fit == Fit::SameGame) break;
  }
  return best == rested_.end() ? rested_.begin() : best;
}

bool Team::fits(const Engine& engine, const Job& job) const {
  return engine.profile().variant_for(job.rules) == engine.variant() &&
         (!is_stale(engine) || can_still_do(engine.profile(), *profile_, job));
}

Scheduler::May Team::may_take(const Engine& engine, const Work& work) const {
  const Job& job = work.job;
  if (!fits(engine, job)) return Scheduler::May::OtherVariant;
  if (is_stream(job.want)) {
    const bool is_last = streams() + 1 >= profile_->processes_max ||
                         count(EngineState::Idle) + count(EngineState::Searching) < 2;
    return is_last ? Scheduler::May::NotNow : Scheduler::May::Take;
  }
  if (is_scoring(job.want) && is_scoring_now()) return Scheduler::May::NotNow;
  return Scheduler::May::Take;
}

// GNU Go's final_score can take half a minute: it must not take every engine.
bool Team::is_scoring_now() const {
  return std::any_of(engines_.begin(), engines_.end(), [](const auto& each) {
    const Work* work = each.second.work();
    return work != nullptr && is_scoring(work->job.want);
  });
}

void Team::assign(Engine& engine, std::unique_ptr<Work> work, TimePoint now, Effects& out) {
  if (auto refused = refusal_by_engine(engine, work->job)) {
    scheduler_.settle(*work, nanoseconds(0));
    return tell(*work, std::move(*refused), nanoseconds(0), out);
  }
  engine.begin(std::move(work), now, out);
  note_deadline(engine.deadline());
}

// Which commands it knows only an engine itself can say.
std::optional<JobFailure> Team::refusal_by_engine(const Engine& engine, const Job& job) const {
  const std::string command = engine.command_for(job);
  const auto name = std::string_view(command).substr(0, command.find(' '));
  if (name != engine.profile().search_command && !engine.knows(name)) {
    return failure(JobError::NotSupported, profile_->name + " does not know " + std::string(name));
  }
  if (is_deadly(command, job, engine.profile())) {
    return failure(JobError::NotSupported,
                   profile_->name + " cannot be asked for a move after two passes");
  }
  return std::nullopt;
}

// Moves wait, no engine is free for them, and streams have had their share: those that have run
// longest make room.
void Team::preempt(TimePoint now, Effects& out) {
  if (count(EngineState::Streaming) == 0) return;
  std::vector<const Work*> waiting = jobs_without_engine();
  for (Engine* stream : streams_by_age()) {
    const auto suits = [&](const Work* work) { return fits(*stream, work->job); };
    if (std::none_of(waiting.begin(), waiting.end(), suits)) continue;
    const nanoseconds ran = now - stream->begun_at();
    const auto due = std::find_if(waiting.begin(), waiting.end(), [&](const Work* work) {
      return suits(work) && scheduler_.is_before_stream(work->job.priority, ran);
    });
    if (ran < Limits::kStreamQuantum) {
      note_deadline(stream->begun_at() + Limits::kStreamQuantum);
    } else if (due == waiting.end()) {
      note_deadline(now + Limits::kStreamQuantum);
    } else {
      waiting.erase(due);
      stream->interrupt(Engine::Interruption::Preempted, now, out);
      note_deadline(stream->deadline());
    }
  }
}

// Moves and questions that would be begun if there were engines for them beside those that are idle
// or being freed already.
std::vector<const Work*> Team::jobs_without_engine() const {
  std::vector<const Work*> jobs = scheduler_.next_ones(Priority::Move);
  const auto questions = scheduler_.next_ones(Priority::Question);
  jobs.insert(jobs.end(), questions.begin(), questions.end());
  bool is_scoring_taken = is_scoring_now();
  std::erase_if(jobs, [&](const Work* work) {
    return is_scoring(work->job.want) && std::exchange(is_scoring_taken, true);
  });
  for (const auto& each : engines_) {
    const Engine& engine = each.second;
    const bool is_free_soon =
        engine.state() == EngineState::Idle || engine.state() == EngineState::Interrupting;
    if (!is_free_soon) continue;
    const auto its = std::find_if(jobs.begin(), jobs.end(),
                                  [&](const Work* work) { return fits(engine, work->job); });
    if (its != jobs.end()) jobs.erase(its);
  }
  return jobs;
}

std::vector<Engine*> Team::streams_by_age() {
  std::vector<Engine*> streams;
  for (auto& [id, engine] : engines_) {
    if (engine.state() == EngineState::Streaming) streams.push_back(&engine);
  }
  std::stable_sort(streams.begin(), streams.end(),
                   [](const Engine* a, const Engine* b) { return a->begun_at() < b->begun_at(); });
  return streams;
}

// A stream whose time was up while it made room for others has simply ended.
void Team::expire(TimePoint now, Effects& out) {
  for (auto& work : scheduler_.remove_expired(now)) {
    if (work->stream_until && now >= *work->stream_until) {
      tell(*work, AnalysisEnd{work->updates}, nanoseconds(0), out);
    } else {
      tell(*work, failure(JobError::Expired, "it waited for too long"), work->searched, out);
    }
  }
}

// The profile may have changed since the job was taken.
void Team::wait_under(std::unique_ptr<Work> work, Effects& out) {
  if (auto refused = refusal_by_profile(work->job)) {
    return tell(*work, std::move(*refused), work->searched, out);
  }
  scheduler_.add(std::move(work));
}

// A stream's time goes on while it waits.
void Team::wait_again(std::unique_ptr<Work> work, Effects& out) {
  auto& until = work->job.until;
  if (work->stream_until && (!until || *work->stream_until < *until)) until = work->stream_until;
  note_deadline(until);
  wait_under(std::move(work), out);
}

bool Team::cancel(JobId job, TimePoint now, Effects& out) {
  if (const auto work = scheduler_.remove(job)) {
    tell(*work, failure(JobError::Cancelled, "cancelled while waiting"), work->searched, out);
    return true;
  }
  for (auto& [id, engine] : engines_) {
    const Work* work = engine.work();
    if (work == nullptr || work->job.id != job || work->is_told) continue;
    give_up_on(engine, JobError::Cancelled, "cancelled while an engine was at it", now, out);
    return true;
  }
  return false;
}

void Team::cancel_game(rules::GameId game, TimePoint now, Effects& out) {
  tell_all(scheduler_.remove_game(game), JobError::Cancelled, "cancelled while waiting", out);
  for (auto& [id, engine] : engines_) {
    const Work* work = engine.work();
    if (work == nullptr || work->job.game != game || work->is_told) continue;
    give_up_on(engine, JobError::Cancelled, "cancelled while an engine was at it", now, out);
  }
}

void Team::cancel_client(ClientId client, TimePoint now, Effects& out) {
  tell_all(scheduler_.remove_client(client), JobError::Cancelled, "cancelled while waiting", out);
  for (auto& [id, engine] : engines_) {
    const Work* work = engine.work();
    if (work == nullptr || work->job.client != client || work->is_told) continue;
    give_up_on(engine, JobError::Cancelled, "cancelled while an engine was at it", now, out);
  }
}

// Tells the job's end at once and frees the engine in the cheapest way.
void Team::give_up_on(Engine& engine, JobError error, const std::string& why, TimePoint now,
                      Effects& out) {
  tell(*engine.work(), failure(error, why), engine.work()->searched, out);
  const EngineState before = engine.state();
  const auto how =
      is_dear_to_wait_out(engine, now) ? Engine::Abandon::MayKill : Engine::Abandon::WaitOut;
  act_on(engine, before, engine.abandon(how, now, out), now, out);
}

// A search is expected to take as long as the others have; one that has taken longer already, as
// long again.
bool Team::is_dear_to_wait_out(const Engine& engine, TimePoint now) const {
  switch (engine.profile().cancel) {
    case CancelBy::Kill:
      return true;
    case CancelBy::Stop:
      if (is_stoppable(engine.work()->job.want)) return false;
      break;
    case CancelBy::Wait:
      break;
  }
  const nanoseconds usual = scheduler_.usual_cost(engine.work()->job.priority);
  const nanoseconds ran = now - engine.begun_at();
  const nanoseconds left = ran < usual ? usual - ran : ran;
  return start_time_ > nanoseconds(0) && left > 2 * start_time_ + Limits::kSpareWait;
}

void Team::act_on(Engine& engine, EngineState before, Progress progress, TimePoint now,
                  Effects& out) {
  if (progress.finished) end(engine, std::move(*progress.finished), out);
  if (progress.preempted) {
    ++stats_.preempted;
    scheduler_.settle(*progress.preempted, progress.preempted_cost);
    if (is_draining_ || is_closed_) {
      const auto why = is_draining_
                           ? failure(JobError::Draining, kGoingDown)
                           : failure(JobError::UnknownProfile, profile_->name + " is no more");
      tell(*progress.preempted, why, nanoseconds(0), out);
    } else {
      wait_again(std::move(progress.preempted), out);
    }
  }
  if (!progress.broken.empty()) {
    const bool is_wanted = progress.fault == Fault::Unwanted;
    const auto level = is_wanted ? Note::Level::Debug : Note::Level::Warning;
    note(out, level, engine.id(), "is killed: " + progress.broken + last_words(engine));
    count_fault(progress.fault);
    if (!is_wanted) count_death(engine, before, now, out);
    if (auto work = engine.take_work()) {
      try_again(std::move(work), engine, progress.broken, progress.fault, now, out);
    }
    give_up_if_hopeless(out);
  } else if (progress.is_ready) {
    on_ready(engine, out);
  }
  note_deadline(engine.deadline());
  if (engine.state() == EngineState::Idle) note_deadline(now + profile_->idle_limit);
}

void Team::end(const Engine& engine, Finished finished, Effects& out) {
  health_.on_job_done();
  if (engine.jobs_finished() > 1) health_.on_rest_outlived();
  scheduler_.settle(*finished.work, finished.cost);
  tell(*finished.work, std::move(finished.result), finished.searched, out);
}

void Team::try_again(std::unique_ptr<Work> work, const Engine& engine, const std::string& reason,
                     Fault fault, TimePoint now, Effects& out) {
  scheduler_.settle(*work, now - engine.begun_at());
  if (work->is_told) return;
  const bool is_hopeless_list = fault == Fault::Late && is_scoring(work->job.want);
  if (++work->engines_failed >= Limits::kEnginesPerJobMax || is_hopeless_list || is_closed_) {
    quarantine_.add(work->job, now + profile_->quarantine);
    ++stats_.quarantined;
    return tell(*work, failure(JobError::EnginesFailed, reason, profile_->quarantine),
                work->searched, out);
  }
  ++stats_.moved;
  out.emplace_back(JobMoved{work->job.id, engine.id(), reason, work->searched});
  wait_again(std::move(work), out);
}

void Team::tell(Work& work, JobResult result, nanoseconds searched, Effects& out) {
  if (work.is_told) return;
  work.is_told = true;
  if (const auto* failed = std::get_if<JobFailure>(&result)) {
    ++stats_.failed[static_cast<std::size_t>(failed->error)];
  } else {
    ++stats_.done;
  }
  out.emplace_back(JobDone{work.job.id, std::move(result), searched});
}

void Team::tell_all(std::vector<std::unique_ptr<Work>> works, JobError error,
                    const std::string& why, Effects& out) {
  for (auto& work : works) tell(*work, failure(error, why), work->searched, out);
}

void Team::give_up_if_hopeless(Effects& out) {
  if (!health_.is_failed()) return;
  for (const Work* each : scheduler_.all()) {
    if (!is_hopeless(each->job)) continue;
    const auto work = scheduler_.remove(each->job.id);
    tell(*work, failure(JobError::ProfileFailed, profile_->name + " cannot be started"),
         work->searched, out);
  }
}

void Team::drain(TimePoint now, Effects& out) {
  if (is_draining_) return;
  is_draining_ = true;
  tell_all(scheduler_.remove_all(), JobError::Draining, kGoingDown, out);
  for (auto& [id, engine] : engines_) {
    if (engine.state() == EngineState::Stopping) continue;
    engine.quit(now, out);
    if (auto work = engine.take_work()) {
      tell(*work, failure(JobError::Draining, kGoingDown), work->searched, out);
    }
  }
  find_deadline();
}

void Team::reload(Profile profile, Effects& out) {
  health_.heal();
  quarantine_.clear();
  intake_ = Intake::Open;
  if (profile == *profile_) return;
  profile_ = std::make_shared<const Profile>(std::move(profile));
  has_stale_ = true;
  scheduler_.set_shares(shares_of(*profile_));
  for (auto& work : scheduler_.remove_all()) wait_under(std::move(work), out);
  note(out, Note::Level::Info, EngineId{},
       "has changed: its engines are replaced as they get idle");
}

void Team::open_again(Profile profile, Effects& out) {
  is_closed_ = false;
  reload(std::move(profile), out);
}

void Team::close(TimePoint now, Effects& out) {
  is_closed_ = true;
  tell_all(scheduler_.remove_all(), JobError::UnknownProfile, profile_->name + " is no more", out);
  retire_unfit(now, out);
}

// What is ahead, shared out among the engines there can be: queued moves at their usual cost, half
// of one for each that runs, and the other kinds' shares while they wait too.
std::optional<milliseconds> Team::wait_estimate() const {
  if (health_.is_failed() || is_closed_ || is_draining_) return std::nullopt;
  const bool is_free = count(EngineState::Idle) > 0 && scheduler_.is_empty();
  if (is_free) return milliseconds(0);
  const nanoseconds usual = scheduler_.usual_cost(Priority::Move);
  nanoseconds ahead = usual * static_cast<std::int64_t>(scheduler_.size(Priority::Move)) +
                      usual * count(EngineState::Searching) / 2;
  int weights = profile_->share_moves;
  if (scheduler_.size(Priority::Question) > 0) weights += profile_->share_questions;
  if (scheduler_.size(Priority::Analysis) > 0) weights += profile_->share_analysis;
  ahead = ahead * weights / profile_->share_moves / std::max(profile_->processes_max, 1);
  const bool must_start = count(EngineState::Idle) + count(EngineState::Searching) + streams() == 0;
  if (must_start) ahead += start_time_;
  return std::chrono::ceil<milliseconds>(ahead);
}

void Team::add_open_jobs(std::vector<JobId>& jobs) const {
  for (const Work* work : scheduler_.all()) jobs.push_back(work->job.id);
  for (const auto& [id, engine] : engines_) {
    if (engine.work() != nullptr && !engine.work()->is_told) jobs.push_back(engine.work()->job.id);
  }
}

}  // namespace tengen::pool
