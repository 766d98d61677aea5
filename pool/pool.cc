// The pool is its teams, one per profile; this file finds the team that an event is for.
#include "pool/pool.h"

#include <algorithm>

#include "pool/require.h"
#include "pool/team.h"

namespace tengen::pool {

struct Pool::State {
  std::vector<std::unique_ptr<Team>> teams;
  std::vector<std::unique_ptr<Team>> closed;  // of profiles that are no more, until they are gone
  EngineIds ids;
  std::uint64_t seed = 0;
  std::uint64_t last_order = 0;
  bool is_draining = false;

  Team* find(std::string_view profile) const {
    for (const auto& team : teams) {
      if (team->profile().name == profile) return team.get();
    }
    return nullptr;
  }
  /// Hands the engine and its team over; nothing happens when it has gone.
  template <typename Act>
  void with(EngineId id, const Act& act) const {
    for (const auto* list : {&teams, &closed}) {
      for (const auto& team : *list) {
        if (Engine* engine = team->find(id)) return act(*team, *engine);
      }
    }
  }

  template <typename Act>
  void for_all(const Act& act) const {
    for (const auto& team : teams) act(*team);
    for (const auto& team : closed) act(*team);
  }

  void bring_back_or_add(Profile profile, Effects& out) {
    const auto found = std::find_if(closed.begin(), closed.end(), [&](const auto& team) {
      return team->profile().name == profile.name;
    });
    if (found == closed.end()) return add(std::move(profile));
    (*found)->open_again(std::move(profile), out);
    teams.push_back(std::move(*found));
    closed.erase(found);
  }

  void add(Profile profile) {
    require(!pool::problem(profile), "profiles have no problem");
    require(find(profile.name) == nullptr, "profiles have different names");
    teams.push_back(std::make_unique<Team>(std::move(profile), seed++, ids));
  }
};

Pool::Pool(std::vector<Profile> profiles, std::uint64_t seed) : state_(std::make_unique<State>()) {
  state_->seed = seed;
  for (Profile& profile : profiles) state_->add(std::move(profile));
}

Pool::~Pool() = default;
Pool::Pool(Pool&&) noexcept = default;
Pool& Pool::operator=(Pool&&) noexcept = default;

void Pool::start(TimePoint now, Effects& out) {
  for (const auto& team : state_->teams) team->start(now, out);
}

void Pool::submit(Job job, TimePoint now, Effects& out) {
  Team* team = state_->find(job.profile);
  if (team == nullptr) {
    const JobError error = state_->is_draining ? JobError::Draining : JobError::UnknownProfile;
    out.emplace_back(
        JobDone{job.id, JobFailure{error, "there is no profile of that name", {}}, {}});
    return;
  }
  team->submit(std::make_unique<Work>(std::move(job), ++state_->last_order, now), now, out);
}

void Pool::cancel(JobId job, TimePoint now, Effects& out) {
  for (const auto* list : {&state_->teams, &state_->closed}) {
    for (const auto& team : *list) {
      if (team->cancel(job, now, out)) return;
    }
  }
}

void Pool::cancel_game(rules::GameId game, TimePoint now, Effects& out) {
  state_->for_all([&](Team& team) { team.cancel_game(game, now, out); });
}

void Pool::cancel_client(ClientId client, TimePoint now, Effects& out) {
  state_->for_all([&](Team& team) { team.cancel_client(client, now, out); });
}

void Pool::reload(std::vector<Profile> profiles, TimePoint now, Effects& out) {
  if (state_->is_draining) return;
  auto old = std::exchange(state_->teams, {});
  for (Profile& profile : profiles) {
    const auto same = std::find_if(old.begin(), old.end(), [&](const auto& team) {
      return team && team->profile().name == profile.name;
    });
    if (same == old.end()) {
      state_->bring_back_or_add(std::move(profile), out);
      continue;
    }
    (*same)->reload(std::move(profile), out);
    state_->teams.push_back(std::move(*same));
  }
  for (auto& team : old) {
    if (!team) continue;
    team->close(now, out);
    state_->closed.push_back(std::move(team));
  }
  dispatch(now, out);
}

bool Pool::retire(EngineId engine, TimePoint now, Effects& out) {
  bool is_known = false;
  state_->with(engine, [&](Team& team, const Engine&) {
    is_known = true;
    team.retire_by_order(engine, now, out);
  });
  return is_known;
}

bool Pool::set_intake(std::string_view profile, Intake intake) {
  Team* team = state_->find(profile);
  if (team == nullptr) return false;
  team->set_intake(intake);
  return true;
}

Intake Pool::intake(std::string_view profile) const {
  const Team* team = state_->find(profile);
  return team == nullptr ? Intake::Open : team->intake();
}

void Pool::drain(TimePoint now, Effects& out) {
  state_->is_draining = true;
  state_->for_all([&](Team& team) { team.drain(now, out); });
}

void Pool::on_spawned(EngineId engine, int pid, TimePoint now, Effects& out) {
  state_->with(engine, [&](Team&, Engine& found) { found.on_spawned(pid, now, out); });
}

void Pool::on_spawn_failed(EngineId engine, std::string_view reason, TimePoint now, Effects& out) {
  state_->with(engine,
               [&](Team& team, Engine& found) { team.on_spawn_failed(found, reason, now, out); });
}

void Pool::on_output(EngineId engine, std::string_view bytes, TimePoint now, Effects& out) {
  state_->with(engine, [&](Team& team, Engine& found) { team.on_output(found, bytes, now, out); });
}

void Pool::on_error_output(EngineId engine, std::string_view bytes, TimePoint, Effects&) {
  state_->with(engine, [&](Team&, Engine& found) { found.on_error_output(bytes); });
}

void Pool::on_memory(EngineId engine, std::uint64_t resident_bytes, TimePoint, Effects&) {
  state_->with(engine, [&](Team&, Engine& found) { found.on_memory(resident_bytes); });
}

void Pool::on_exit(EngineId engine, ExitStatus status, TimePoint now, Effects& out) {
  state_->with(engine, [&](Team& team, Engine& found) { team.on_exit(found, status, now, out); });
}

std::optional<TimePoint> Pool::deadline() const {
  std::optional<TimePoint> earliest;
  state_->for_all([&](const Team& team) {
    const auto each = team.deadline();
    if (each && (!earliest || *each < *earliest)) earliest = each;
  });
  return earliest;
}

void Pool::on_deadline(TimePoint now, Effects& out) {
  state_->for_all([&](Team& team) { team.on_deadline(now, out); });
}

void Pool::dispatch(TimePoint now, Effects& out) {
  state_->for_all([&](Team& team) { team.dispatch(now, out); });
  if (state_->closed.empty()) return;
  std::erase_if(state_->closed, [](const auto& team) { return team->is_gone(); });
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

std::optional<std::chrono::milliseconds> Pool::wait_estimate(std::string_view profile) const {
  const Team* team = state_->find(profile);
  return team == nullptr ? std::nullopt : team->wait_estimate();
}

std::vector<EngineStatus> Pool::engines(std::string_view profile) const {
  const Team* team = state_->find(profile);
  return team == nullptr ? std::vector<EngineStatus>() : team->engines();
}

const TeamStats& Pool::stats(std::string_view profile) const {
  static const TeamStats kNone;
  const Team* team = state_->find(profile);
  return team == nullptr ? kNone : team->stats();
}

bool Pool::is_gone() const {
  bool is_gone = state_->is_draining;
  state_->for_all([&](const Team& team) { is_gone = is_gone && team.is_gone(); });
  return is_gone;
}

std::vector<JobId> Pool::open_jobs() const {
  std::vector<JobId> jobs;
  state_->for_all([&](const Team& team) { team.add_open_jobs(jobs); });
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

std::optional<std::string> Pool::broken_invariant() const {
  std::optional<std::string> broken;
  state_->for_all([&](const Team& team) {
    if (!broken) broken = team.broken_invariant();
  });
  if (broken) return broken;
  const auto jobs = open_jobs();
  if (std::adjacent_find(jobs.begin(), jobs.end()) != jobs.end()) {
    return "a job is in two places";
  }
  return std::nullopt;
}

}  // namespace tengen::pool
