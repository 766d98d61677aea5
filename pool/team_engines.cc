// See team.h: the engines. How many there are, which ones go, and what their deaths say.
#include <algorithm>

#include "pool/exit_text.h"
#include "pool/limits.h"
#include "pool/team.h"
#include "pool/verdict.h"

namespace tengen::pool {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

constexpr const char* kByOrder = "an operator wants another in its place";

}  // namespace

std::string last_words(const Engine& engine) {
  const std::string tail = engine.error_tail();
  return tail.empty() ? std::string() : "; its last words: " + tail;
}

void Team::on_spawn_failed(Engine& engine, std::string_view reason, TimePoint now, Effects& out) {
  ++stats_.spawn_failures;
  note(out, Note::Level::Warning, engine.id(), "cannot be started: " + printable(reason));
  const EngineState before = engine.state();
  engine.on_gone(now);
  count_death(engine, before, now, out);
  engines_.erase(engine.id());
  give_up_if_hopeless(out);
  find_deadline();
}

void Team::on_exit(Engine& engine, ExitStatus status, TimePoint now, Effects& out) {
  const EngineState before = engine.state();
  const bool is_expected = before == EngineState::Stopping;
  std::string end = exit_text(status);
  if (!is_expected) {
    end += last_words(engine);
    ++stats_.exits_unasked;
  }
  note(out, is_expected ? Note::Level::Debug : Note::Level::Warning, engine.id(), end);
  engine.on_gone(now);
  count_death(engine, before, now, out);
  if (auto work = engine.take_work()) {
    try_again(std::move(work), engine, "the engine " + end, Fault::Tainted, now, out);
  }
  engines_.erase(engine.id());
  give_up_if_hopeless(out);
  if (engines_.empty()) find_deadline();
}

void Team::on_output(Engine& engine, std::string_view bytes, TimePoint now, Effects& out) {
  const EngineState before = engine.state();
  act_on(engine, before, engine.on_output(bytes, now, out), now, out);
}

void Team::on_ready(Engine& engine, Effects& out) {
  engine_name_ = engine.name();
  engine_version_ = engine.version();
  start_time_ = engine.start_time();
  if (health_.is_failed()) note(out, Note::Level::Info, engine.id(), "starts again");
  health_.on_ready();
  note(out, Note::Level::Info, engine.id(),
       "is ready: " + engine_name_ + ' ' + engine_version_ + ", pid " +
           std::to_string(engine.pid()));
}

// Engines that an ill profile still has go on with whatever suits them.
bool Team::is_hopeless(const Job& job) const {
  if (!health_.is_failed()) return false;
  return std::none_of(engines_.begin(), engines_.end(), [&](const auto& each) {
    const EngineState state = each.second.state();
    return state != EngineState::Starting && state != EngineState::Stopping &&
           fits(each.second, job);
  });
}

// One that a game's clock left too little time says nothing of the profile: whoever made the game
// chose the clock.
void Team::count_death(const Engine& engine, EngineState before, TimePoint now, Effects& out) {
  bool has_failed = false;
  if (before == EngineState::Starting) {
    has_failed = health_.on_start_failure(now);
  } else if (before == EngineState::Idle) {
    has_failed =
        engine.jobs_finished() == 0 ? health_.on_idle_death(now) : health_.on_death_after_job(now);
  } else if (engine.work() != nullptr && !engine.is_out_of_time()) {
    has_failed = health_.on_death_at_work(engine.work()->job.id, now);
  }
  if (is_draining_) return;
  note_deadline(health_.restart_at());
  if (!has_failed) return;
  note(out, Note::Level::Error, EngineId{},
       "cannot be started: " + std::to_string(Limits::kStartFailuresMax) +
           " failures in a row; the next attempt is in " +
           std::to_string(health_.pause(now).count()) + " ms");
}

void Team::count_fault(Fault fault) {
  switch (fault) {
    case Fault::Late:
      ++stats_.killed_late;
      return;
    case Fault::Tainted:
      ++stats_.killed_tainted;
      return;
    case Fault::Unwanted:
      ++stats_.killed_cancelled;
      return;
  }
}

void Team::retire(Engine& engine, const std::string& why, TimePoint now, Effects& out) {
  note(out, Note::Level::Info, engine.id(), "is retired: " + why);
  ++stats_.retired;
  engine.quit(now, out);
  note_deadline(engine.deadline());
}

// An idle one goes at once, the others when they get idle: a stream as soon as it lets go.
void Team::retire_by_order(EngineId id, TimePoint now, Effects& out) {
  Engine& engine = *find(id);
  if (engine.state() == EngineState::Stopping || engine.is_to_retire()) return;
  if (engine.state() == EngineState::Idle) return retire(engine, kByOrder, now, out);
  engine.mark_to_retire();
  has_engine_to_retire_ = true;
  if (engine.state() != EngineState::Streaming) return;
  engine.interrupt(Engine::Interruption::Preempted, now, out);
  note_deadline(engine.deadline());
}

bool Team::has_engine_to_retire() const {
  return std::any_of(engines_.begin(), engines_.end(), [](const auto& each) {
    return each.second.is_to_retire() && each.second.state() != EngineState::Stopping;
  });
}

void Team::set_intake(Intake intake) {
  intake_ = intake;
  if (is_surplus()) note_deadline(idlest()->idle_since() + profile_->idle_limit);
}

bool Team::is_stale(const Engine& engine) const { return &engine.profile() != profile_.get(); }

bool Team::may_have_unfit() const {
  return is_closed_ || has_stale_ || has_engine_to_retire_ || profile_->memory_max_bytes > 0;
}

int Team::stale() const {
  if (!has_stale_) return 0;
  return static_cast<int>(std::count_if(engines_.begin(), engines_.end(), [&](const auto& each) {
    return is_stale(each.second) && each.second.state() != EngineState::Stopping;
  }));
}

// Engines that take too much memory go at once. Those of an old profile go one at a time, when
// there is one of the new to follow: a reload neither drops a search nor leaves nobody to search.
void Team::retire_unfit(TimePoint now, Effects& out) {
  const std::vector<Engine*> idle = roster_.idle();
  has_stale_ = stale() > 0;
  has_engine_to_retire_ = has_engine_to_retire();
  const bool may_replace = count(EngineState::Starting) == 0 && count(EngineState::Stopping) == 0 &&
                           !health_.is_failed() && health_.may_start(now);
  bool has_replaced = false;
  for (Engine* engine : idle) {
    const std::uint64_t most = engine->profile().memory_max_bytes;
    if (is_closed_) {
      retire(*engine, "its profile is no more", now, out);
    } else if (engine->is_to_retire()) {
      retire(*engine, kByOrder, now, out);
    } else if (most > 0 && engine->resident_bytes() > most) {
      retire(*engine,
             "it holds " + std::to_string(engine->resident_bytes() >> 20) + " MiB of memory", now,
             out);
    } else if (is_stale(*engine) && may_replace && !has_replaced && !wants_engine(now)) {
      retire(*engine, "its profile has changed", now, out);
      has_replaced = true;
    }
  }
}

// Jobs that need another variant than the engines have: one that has nothing to do makes room.
void Team::make_room(TimePoint now, Effects& out) {
  if (roster_.idle().empty() || static_cast<int>(engines_.size()) < profile_->processes_max) return;
  // One at a time: a stream may only wait for a second engine to be there.
  if (count(EngineState::Stopping) + count(EngineState::Starting) > 0) return;
  const bool is_start_cheap = start_time_ < scheduler_.usual_cost(Priority::Move);
  for (const Work* work : scheduler_.next_ones()) {
    const bool may_wait = has_engine_for(work->job) && !is_start_cheap;
    if (may_wait) continue;
    const auto& idle = roster_.idle();
    const auto misfit = std::find_if(idle.begin(), idle.end(), [&](const Engine* each) {
      return may_take(*each, *work) == Scheduler::May::OtherVariant;
    });
    if (misfit == idle.end()) continue;
    return retire(**misfit, "games by other rules wait", now, out);
  }
}

bool Team::has_engine_for(const Job& job) const {
  return std::any_of(engines_.begin(), engines_.end(), [&](const auto& each) {
    const Engine& engine = each.second;
    return engine.state() != EngineState::Stopping && fits(engine, job);
  });
}

int Team::usable() const {
  return static_cast<int>(engines_.size()) - count(EngineState::Stopping);
}

bool Team::is_surplus() const {
  return !is_draining_ && usable() > processes_warm() && !roster_.idle().empty();
}

Engine* Team::idlest() const {
  const auto& idle = roster_.idle();
  return *std::min_element(idle.begin(), idle.end(), [](const Engine* a, const Engine* b) {
    return has_rested_longer(*a, *b);
  });
}

void Team::retire_surplus(TimePoint now, Effects& out) {
  while (is_surplus()) {
    Engine* idle = idlest();
    if (now < idle->idle_since() + profile_->idle_limit) return;
    if (idle->jobs_finished() > 0) health_.on_rest_outlived();
    retire(*idle, "it has had no work", now, out);
  }
}

// Jobs that another engine would help: not scores that wait for the one that is being counted.
std::size_t Team::jobs_worth_an_engine() const {
  if (scheduler_.is_empty()) return 0;
  const bool is_scoring_busy = is_scoring_now();
  std::size_t jobs = 0;
  for (const Work* work : scheduler_.next_ones()) {
    if (is_scoring_busy && is_scoring(work->job.want)) continue;
    if (is_stream(work->job.want) && streams() + 1 >= profile_->processes_max) continue;
    ++jobs;
  }
  return jobs;
}

// An ill profile is tried with one process at a time, and tried even when nobody waits: only a
// success heals it.
bool Team::wants_engine(TimePoint now) const {
  if (is_draining_ || is_closed_) return false;
  if (static_cast<int>(engines_.size()) >= profile_->processes_max) return false;
  if (!health_.may_start(now)) return false;
  const int starting = count(EngineState::Starting);
  if (health_.failures() > 0 && starting > 0) return false;
  const int fresh = usable() - stale();
  if (fresh < processes_warm() || (usable() == 0 && health_.is_failed())) return true;
  return jobs_worth_an_engine() > static_cast<std::size_t>(starting);
}

// That of the first job which no engine that is idle or starting can take.
std::size_t Team::variant_wanted() const {
  for (const Work* work : scheduler_.next_ones()) {
    const std::size_t variant = profile_->variant_for(work->job.rules);
    const bool is_coming = std::any_of(engines_.begin(), engines_.end(), [&](const auto& each) {
      const Engine& engine = each.second;
      return engine.state() == EngineState::Starting && engine.variant() == variant;
    });
    if (!is_coming) return variant;
  }
  return scheduler_.is_empty() ? 0 : profile_->variant_for(scheduler_.next()->job.rules);
}

void Team::top_up(TimePoint now, Effects& out) {
  while (wants_engine(now)) {
    const EngineId id = ids_->next();
    const std::size_t variant = variant_wanted();
    const auto made = engines_.try_emplace(id, id, profile_, variant, roster_, stats_, now, out);
    note_deadline(made.first->second.deadline());
    note(out, Note::Level::Debug, id, "is started");
  }
}

std::optional<TimePoint> Team::deadline() const { return deadline_; }

void Team::note_deadline(std::optional<TimePoint> at) {
  if (at && (!deadline_ || *at < *deadline_)) deadline_ = at;
}

void Team::find_deadline() {
  deadline_.reset();
  for (const auto& [id, engine] : engines_) note_deadline(engine.deadline());
  if (is_draining_) return;
  note_deadline(health_.restart_at());
  note_deadline(scheduler_.next_expiry());
  if (is_surplus()) note_deadline(idlest()->idle_since() + profile_->idle_limit);
}

void Team::on_deadline(TimePoint now, Effects& out) {
  if (!deadline_ || now < *deadline_) return;
  for (auto& [id, engine] : engines_) {
    const EngineState before = engine.state();
    act_on(engine, before, engine.on_deadline(now, out), now, out);
  }
  health_.on_deadline(now);
  expire(now, out);
  retire_surplus(now, out);
  find_deadline();
}

void Team::note(Effects& out, Note::Level level, EngineId engine, const std::string& text) const {
  out.emplace_back(Note{level, engine, profile_->name + ' ' + text});
}

Engine* Team::find(EngineId id) {
  const auto found = engines_.find(id);
  return found == engines_.end() ? nullptr : &found->second;
}

ProfileStatus Team::status() const {
  ProfileStatus status;
  status.name = profile_->name;
  status.engine_name = engine_name_;
  status.engine_version = engine_version_;
  status.starting = count(EngineState::Starting);
  status.idle = count(EngineState::Idle);
  status.busy = count(EngineState::Searching);
  status.streaming = streams();
  status.stopping = count(EngineState::Stopping);
  status.queued = scheduler_.size();
  status.wait = wait_estimate().value_or(milliseconds(0));
  status.failed = health_.is_failed();
  status.intake = intake_;
  return status;
}

std::vector<EngineStatus> Team::engines() const {
  std::vector<EngineStatus> all;
  for (const auto& [id, engine] : engines_) {
    EngineStatus status;
    status.id = id;
    status.pid = engine.pid();
    status.state = name_of(engine.state());
    const auto& variants = engine.profile().variants;
    if (engine.variant() < variants.size()) status.variant = variants[engine.variant()].name;
    if (engine.work() != nullptr) status.job = engine.work()->job.id;
    status.resident_bytes = engine.resident_bytes();
    all.push_back(std::move(status));
  }
  return all;
}

std::optional<std::string> Team::broken_invariant() const {
  for (const auto& [id, engine] : engines_) {
    if (auto broken = engine.broken_invariant()) return broken;
    if (engine.id() != id) return profile_->name + ": an engine is filed under another's id";
    if (engine.state() == EngineState::Gone) return profile_->name + ": a gone engine is kept";
    if (engine.deadline() && (!deadline_ || *engine.deadline() < *deadline_)) {
      return profile_->name + ": an engine's deadline is not seen";
    }
  }
  if (auto broken = scheduler_.broken_invariant()) return profile_->name + ": " + *broken;
  if (scheduler_.is_empty()) return std::nullopt;
  if (is_draining_ || is_closed_) return profile_->name + ": a job waits although nobody will come";
  const Work& next = *scheduler_.next();
  for (const Engine* engine : roster_.idle()) {
    if (may_take(*engine, next) == Scheduler::May::Take) {
      return profile_->name + ": a job waits beside an idle engine";
    }
  }
  if (engines_.empty() && !health_.restart_at())
    return profile_->name + ": a job waits for nothing";
  return std::nullopt;
}

}  // namespace tengen::pool
