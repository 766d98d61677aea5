// The pool is its teams, one per profile; this file finds the team that an event is for.
#include "pool/pool.h"

#include <algorithm>

#include "pool/require.h"
#include "pool/team.h"

namespace tengen::pool {

struct Pool::State {
  std::vector<std::unique_ptr<Team>> teams;
  EngineIds ids;
  std::uint64_t last_order = 0;
  bool is_draining = false;

  Team* find(std::string_view profile) const {
    for (const auto& team : teams) {
      if (team->profile().name == profile) return team.get();
    }
    return nullptr;
  }
  Team* owner_of(EngineId engine) const {
    for (const auto& team : teams) {
      if (team->has(engine)) return team.get();
    }
    return nullptr;
  }
};

Pool::Pool(std::vector<Profile> profiles, std::uint64_t seed) : state_(std::make_unique<State>()) {
  for (Profile& profile : profiles) {
    require(!pool::problem(profile), "profiles have no problem");
    require(state_->find(profile.name) == nullptr, "profiles have different names");
    state_->teams.push_back(std::make_unique<Team>(std::move(profile), seed++, state_->ids));
  }
}

Pool::~Pool() = default;
Pool::Pool(Pool&&) noexcept = default;
Pool& Pool::operator=(Pool&&) noexcept = default;

void Pool::start(TimePoint now, Effects& out) {
  for (const auto& team : state_->teams) team->start(now, out);
}

void Pool::submit(Job job, TimePoint, Effects& out) {
  Team* team = state_->find(job.profile);
  if (team == nullptr) {
    const JobError error = state_->is_draining ? JobError::Draining : JobError::UnknownProfile;
    out.emplace_back(JobDone{job.id, JobFailure{error, "there is no profile of that name"}});
    return;
  }
  auto work = std::make_unique<Work>(std::move(job), ++state_->last_order);
  team->submit(std::move(work), out);
}

void Pool::cancel(JobId job, TimePoint now, Effects& out) {
  for (const auto& team : state_->teams) {
    if (team->cancel(job, now, out)) return;
  }
}

void Pool::drain(TimePoint now, Effects& out) {
  state_->is_draining = true;
  for (const auto& team : state_->teams) team->drain(now, out);
}

void Pool::on_spawned(EngineId engine, int pid, TimePoint now, Effects& out) {
  if (Team* team = state_->owner_of(engine)) team->on_spawned(engine, pid, now, out);
}

void Pool::on_spawn_failed(EngineId engine, std::string_view reason, TimePoint now, Effects& out) {
  if (Team* team = state_->owner_of(engine)) team->on_spawn_failed(engine, reason, now, out);
}

void Pool::on_output(EngineId engine, std::string_view bytes, TimePoint now, Effects& out) {
  if (Team* team = state_->owner_of(engine)) team->on_output(engine, bytes, now, out);
}

void Pool::on_error_output(EngineId engine, std::string_view bytes, TimePoint, Effects&) {
  if (Team* team = state_->owner_of(engine)) team->on_error_output(engine, bytes);
}

void Pool::on_exit(EngineId engine, ExitStatus status, TimePoint now, Effects& out) {
  if (Team* team = state_->owner_of(engine)) team->on_exit(engine, status, now, out);
}

std::optional<TimePoint> Pool::deadline() const {
  std::optional<TimePoint> earliest;
  for (const auto& team : state_->teams) {
    const auto each = team->deadline();
    if (each && (!earliest || *each < *earliest)) earliest = each;
  }
  return earliest;
}

void Pool::on_deadline(TimePoint now, Effects& out) {
  for (const auto& team : state_->teams) team->on_deadline(now, out);
}

void Pool::dispatch(TimePoint now, Effects& out) {
  for (const auto& team : state_->teams) team->dispatch(now, out);
}

const Profile* Pool::find_profile(std::string_view name) const {
  const Team* team = state_->find(name);
  return team == nullptr ? nullptr : &team->profile();
}

std::vector<ProfileStatus> Pool::statuses() const {
  std::vector<ProfileStatus> statuses;
  for (const auto& team : state_->teams) statuses.push_back(team->status());
  return statuses;
}

bool Pool::is_gone() const {
  const auto is_team_gone = [](const auto& team) { return team->is_gone(); };
  return state_->is_draining &&
         std::all_of(state_->teams.begin(), state_->teams.end(), is_team_gone);
}

std::vector<JobId> Pool::open_jobs() const {
  std::vector<JobId> jobs;
  for (const auto& team : state_->teams) team->add_open_jobs(jobs);
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

std::optional<std::string> Pool::broken_invariant() const {
  for (const auto& team : state_->teams) {
    if (auto broken = team->broken_invariant()) return broken;
  }
  const auto jobs = open_jobs();
  if (std::adjacent_find(jobs.begin(), jobs.end()) != jobs.end()) {
    return "a job is in two places";
  }
  return std::nullopt;
}

}  // namespace tengen::pool
