// See team.h. Events change states and the queue; dispatch, once per turn, brings jobs and engines
// together, so that after it no job waits beside an idle engine.
#include "pool/team.h"

#include <algorithm>

namespace tengen::pool {
namespace {

void tell(Work& work, JobResult result, Effects& out) {
  if (work.is_told) return;
  work.is_told = true;
  out.emplace_back(JobDone{work.job.id, std::move(result)});
}

void tell(Work& work, JobError error, std::string detail, Effects& out) {
  tell(work, JobFailure{error, std::move(detail)}, out);
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, and good enough for jitter.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::string text_of(ExitStatus status) {
  const std::string value = std::to_string(status.value);
  return status.signalled ? "was killed by signal " + value : "exited with code " + value;
}

std::string with_tail(std::string text, const Engine& engine) {
  const std::string tail = engine.error_tail();
  if (!tail.empty()) text += "; its last words: " + tail;
  return text;
}

}  // namespace

Team::Team(Profile profile, std::uint64_t seed, EngineIds& ids)
    : profile_(std::move(profile)), ids_(&ids), random_(seed) {}

void Team::start(TimePoint now, Effects& out) { top_up(now, out); }

void Team::submit(std::unique_ptr<Work> work, Effects& out) {
  if (is_draining_) return tell(*work, JobError::Draining, "the daemon is going down", out);
  if (is_hopeless()) {
    return tell(*work, JobError::ProfileFailed, profile_.name + " cannot be started", out);
  }
  const auto idle = static_cast<std::size_t>(count(EngineState::Idle));
  if (queue_.size() >= profile_.queue_max + idle) {
    return tell(*work, JobError::QueueFull,
                std::to_string(queue_.size()) + " jobs wait for " + profile_.name, out);
  }
  enqueue(queue_, std::move(work));
}

void Team::dispatch(TimePoint now, Effects& out) {
  go_on_with_same_games(now, out);
  while (!queue_.empty()) {
    const auto chosen = choose_engine(idle_engines(), queue_.front()->job);
    if (!chosen) break;
    Engine& engine = *find(*chosen);
    assign(engine, take_best(queue_, engine.held()), now, out);
  }
  top_up(now, out);
}

void Team::go_on_with_same_games(TimePoint now, Effects& out) {
  for (auto& [id, engine] : engines_) {
    if (queue_.empty()) return;
    if (engine.state() != EngineState::Idle) continue;
    if (auto work = take_same_game(queue_, engine.held()))
      assign(engine, std::move(work), now, out);
  }
}

void Team::assign(Engine& engine, std::unique_ptr<Work> work, TimePoint now, Effects& out) {
  if (work->job.want == Want::DeadList && !engine.knows("final_status_list")) {
    return tell(*work, JobError::NotSupported, profile_.name + " does not list dead stones", out);
  }
  engine.begin(std::move(work), now, out);
}

bool Team::cancel(JobId job, TimePoint, Effects& out) {
  const auto waiting = std::find_if(queue_.begin(), queue_.end(),
                                    [&](const auto& work) { return work->job.id == job; });
  if (waiting != queue_.end()) {
    tell(**waiting, JobError::Cancelled, "cancelled while waiting", out);
    queue_.erase(waiting);
    return true;
  }
  for (auto& [id, engine] : engines_) {
    Work* work = engine.work();
    if (work == nullptr || work->job.id != job || work->is_told) continue;
    tell(*work, JobError::Cancelled, "cancelled while an engine was at it", out);
    return true;
  }
  return false;
}

void Team::drain(TimePoint now, Effects& out) {
  if (is_draining_) return;
  is_draining_ = true;
  restart_at_.reset();
  for (auto& work : queue_) tell(*work, JobError::Draining, "the daemon is going down", out);
  queue_.clear();
  for (auto& [id, engine] : engines_) {
    if (engine.state() == EngineState::Stopping) continue;
    engine.quit(now, out);
    if (auto work = engine.take_work()) {
      tell(*work, JobError::Draining, "the daemon is going down", out);
    }
  }
}

void Team::on_spawned(EngineId id, int pid, TimePoint now, Effects& out) {
  if (Engine* engine = find(id)) engine->on_spawned(pid, now, out);
}

void Team::on_spawn_failed(EngineId id, std::string_view reason, TimePoint now, Effects& out) {
  Engine* engine = find(id);
  if (engine == nullptr) return;
  note(out, Note::Level::Warning, id, "cannot be started: " + printable(reason));
  const EngineState before = engine->state();
  engine->on_gone();
  count_death(*engine, before, now, out);
  engines_.erase(id);
  give_up_if_hopeless(out);
}

void Team::on_exit(EngineId id, ExitStatus status, TimePoint now, Effects& out) {
  Engine* engine = find(id);
  if (engine == nullptr) return;
  const EngineState before = engine->state();
  const bool is_expected = before == EngineState::Stopping;
  const std::string end = is_expected ? text_of(status) : with_tail(text_of(status), *engine);
  note(out, is_expected ? Note::Level::Debug : Note::Level::Warning, id, end);
  engine->on_gone();
  count_death(*engine, before, now, out);
  if (auto work = engine->take_work()) try_again(std::move(work), "the engine " + end, out);
  engines_.erase(id);
  give_up_if_hopeless(out);
}

void Team::on_output(EngineId id, std::string_view bytes, TimePoint now, Effects& out) {
  Engine* engine = find(id);
  if (engine == nullptr) return;
  const EngineState before = engine->state();
  act_on(*engine, before, engine->on_output(bytes, now, out), now, out);
}

void Team::on_error_output(EngineId id, std::string_view bytes) {
  if (Engine* engine = find(id)) engine->on_error_output(bytes);
}

std::optional<TimePoint> Team::deadline() const {
  std::optional<TimePoint> earliest = restart_at_;
  for (const auto& [id, engine] : engines_) {
    const auto each = engine.deadline();
    if (each && (!earliest || *each < *earliest)) earliest = each;
  }
  if (const Engine* engine = surplus()) {
    const TimePoint retires_at = engine->idle_since() + profile_.idle_limit;
    if (!earliest || retires_at < *earliest) earliest = retires_at;
  }
  return earliest;
}

void Team::on_deadline(TimePoint now, Effects& out) {
  for (auto& [id, engine] : engines_) {
    const EngineState before = engine.state();
    act_on(engine, before, engine.on_deadline(now, out), now, out);
  }
  if (restart_at_ && now >= *restart_at_) restart_at_.reset();
  for (const Engine* idle = surplus(); idle != nullptr; idle = surplus()) {
    if (now < idle->idle_since() + profile_.idle_limit) return;
    note(out, Note::Level::Info, idle->id(), "is retired: it has had no work");
    find(idle->id())->quit(now, out);
  }
}

void Team::act_on(Engine& engine, EngineState before, Progress progress, TimePoint now,
                  Effects& out) {
  if (progress.finished) {
    forgive(idle_deaths_);
    tell(*progress.finished->work, std::move(progress.finished->result), out);
  }
  if (!progress.broken.empty()) {
    note(out, Note::Level::Warning, engine.id(),
         with_tail("is killed: " + progress.broken, engine));
    count_death(engine, before, now, out);
    if (auto work = engine.take_work()) try_again(std::move(work), progress.broken, out);
    give_up_if_hopeless(out);
  } else if (progress.is_ready) {
    on_ready(engine, out);
  }
}

void Team::on_ready(Engine& engine, Effects& out) {
  engine_name_ = engine.name();
  engine_version_ = engine.version();
  if (is_failed()) note(out, Note::Level::Info, engine.id(), "starts again");
  forgive(start_failures_);
  note(out, Note::Level::Info, engine.id(),
       "is ready: " + engine_name_ + ' ' + engine_version_ + ", pid " +
           std::to_string(engine.pid()));
}

void Team::try_again(std::unique_ptr<Work> work, const std::string& reason, Effects& out) {
  if (work->is_told) return;
  if (++work->engines_failed >= Limits::kEnginesPerJobMax) {
    return tell(*work, JobError::EnginesFailed, reason, out);
  }
  enqueue(queue_, std::move(work));
}

// Deaths at work are charged to the job; only starts and idle deaths say that the profile is ill.
void Team::count_death(const Engine& engine, EngineState before, TimePoint now, Effects& out) {
  if (before == EngineState::Starting) {
    ++start_failures_;
  } else if (before == EngineState::Idle && engine.jobs_finished() == 0) {
    ++idle_deaths_;
  } else {
    return;
  }
  if (is_draining_) return;
  const auto pause = backoff();
  restart_at_ = now + pause;
  if (start_failures_ + idle_deaths_ != Limits::kStartFailuresMax) return;
  note(out, Note::Level::Error, EngineId{},
       "cannot be started: " + std::to_string(Limits::kStartFailuresMax) +
           " failures in a row; the next attempt is in " + std::to_string(pause.count()) + " ms");
}

void Team::forgive(int& deaths) {
  deaths = 0;
  if (start_failures_ + idle_deaths_ == 0) restart_at_.reset();
}

std::chrono::milliseconds Team::backoff() {
  const int doublings = std::min(start_failures_ + idle_deaths_ - 1, 16);
  auto longest = std::min(Limits::kBackoffFirst * (1 << doublings), Limits::kBackoffMax);
  if (is_failed()) longest = Limits::kBackoffMax;
  const auto quarter = static_cast<std::uint64_t>(longest.count() / 4);
  return longest - std::chrono::milliseconds(next_random(random_) % (quarter + 1));
}

bool Team::is_hopeless() const {
  return is_failed() && count(EngineState::Idle) == 0 && count(EngineState::Searching) == 0;
}

void Team::give_up_if_hopeless(Effects& out) {
  if (!is_hopeless()) return;
  for (auto& work : queue_) {
    tell(*work, JobError::ProfileFailed, profile_.name + " cannot be started", out);
  }
  queue_.clear();
}

const Engine* Team::surplus() const {
  const int usable =
      count(EngineState::Starting) + count(EngineState::Idle) + count(EngineState::Searching);
  if (is_draining_ || usable <= profile_.processes_warm) return nullptr;
  const Engine* oldest = nullptr;
  for (const auto& [id, engine] : engines_) {
    if (engine.state() != EngineState::Idle) continue;
    if (oldest == nullptr || engine.idle_since() < oldest->idle_since()) oldest = &engine;
  }
  return oldest;
}

// An ill profile is tried with one process at a time, and tried even when nobody waits: only a
// success heals it.
bool Team::wants_engine(TimePoint now) const {
  if (is_draining_ || static_cast<int>(engines_.size()) >= profile_.processes_max) return false;
  if (restart_at_ && now < *restart_at_) return false;
  const int starting = count(EngineState::Starting);
  const int usable = starting + count(EngineState::Idle) + count(EngineState::Searching);
  const bool is_ill = start_failures_ + idle_deaths_ > 0;
  if (is_ill && starting > 0) return false;
  if (usable < profile_.processes_warm || (usable == 0 && is_failed())) return true;
  return static_cast<int>(queue_.size()) > starting;
}

void Team::top_up(TimePoint now, Effects& out) {
  while (wants_engine(now)) {
    const EngineId id = ids_->next();
    engines_.try_emplace(id, id, profile_, now, out);
    note(out, Note::Level::Debug, id, "is started");
  }
}

void Team::note(Effects& out, Note::Level level, EngineId engine, const std::string& text) const {
  out.emplace_back(Note{level, engine, profile_.name + ' ' + text});
}

Engine* Team::find(EngineId id) {
  const auto found = engines_.find(id);
  return found == engines_.end() ? nullptr : &found->second;
}

int Team::count(EngineState state) const {
  return static_cast<int>(std::count_if(engines_.begin(), engines_.end(), [&](const auto& each) {
    return each.second.state() == state;
  }));
}

std::vector<IdleEngine> Team::idle_engines() const {
  std::vector<IdleEngine> idle;
  for (const auto& [id, engine] : engines_) {
    if (engine.state() != EngineState::Idle) continue;
    idle.push_back({id, engine.held(), engine.idle_since()});
  }
  return idle;
}

ProfileStatus Team::status() const {
  ProfileStatus status;
  status.name = profile_.name;
  status.engine_name = engine_name_;
  status.engine_version = engine_version_;
  status.starting = count(EngineState::Starting);
  status.idle = count(EngineState::Idle);
  status.busy = count(EngineState::Searching);
  status.stopping = count(EngineState::Stopping);
  status.queued = queue_.size();
  status.failed = is_failed();
  return status;
}

void Team::add_open_jobs(std::vector<JobId>& jobs) const {
  for (const auto& work : queue_) jobs.push_back(work->job.id);
  for (const auto& [id, engine] : engines_) {
    if (engine.work() != nullptr && !engine.work()->is_told) jobs.push_back(engine.work()->job.id);
  }
}

std::optional<std::string> Team::broken_invariant() const {
  for (const auto& [id, engine] : engines_) {
    if (auto broken = engine.broken_invariant()) return broken;
    if (engine.id() != id) return profile_.name + ": an engine is filed under another's id";
    if (engine.state() == EngineState::Gone) return profile_.name + ": a gone engine is kept";
  }
  if (static_cast<int>(engines_.size()) > profile_.processes_max) {
    return profile_.name + ": more processes than processes_max";
  }
  if (queue_.size() > profile_.queue_max + static_cast<std::size_t>(profile_.processes_max)) {
    return profile_.name + ": the queue is longer than its limit";
  }
  const auto is_later = [](const auto& a, const auto& b) { return a->order >= b->order; };
  if (std::adjacent_find(queue_.begin(), queue_.end(), is_later) != queue_.end()) {
    return profile_.name + ": the queue is out of order";
  }
  if (queue_.empty()) return std::nullopt;
  if (is_draining_) return profile_.name + ": a job waits although the pool drains";
  if (count(EngineState::Idle) > 0) return profile_.name + ": a job waits beside an idle engine";
  if (engines_.empty() && !restart_at_) return profile_.name + ": a job waits for nothing";
  return std::nullopt;
}

}  // namespace tengen::pool
