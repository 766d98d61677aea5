// See pool_world.h: the run.
#include "sim/pool_world.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;

/// A pool at peace has done its work and has its warm engines within this, whatever went before:
/// the longest pause between two starts is 30 seconds, and each job takes a few at the most.
constexpr auto kRestTime = 120s;
constexpr auto kRestTimePerJob = 5s;
constexpr auto kDrainTime = 5s;  // a little more than the grace for engines that do not quit

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

PoolWorld::PoolWorld(std::uint64_t seed, std::uint64_t jobs, PoolSabotage sabotage)
    : seed_(seed), jobs_left_(jobs), sabotage_(sabotage), dice_(seed), now_(1h) {}

PoolWorld::~PoolWorld() = default;

std::optional<std::string> PoolWorld::run() {
  try {
    while (jobs_left_ > 0) play_season();
    drain();
  } catch (const std::exception& broken) {
    return broken.what();
  }
  return std::nullopt;
}

void PoolWorld::fail(const std::string& what) const {
  const auto at = std::chrono::duration_cast<std::chrono::microseconds>(now_ - pool::TimePoint(1h));
  throw Broken("seed " + std::to_string(seed_) + ", season " + std::to_string(season_) + ", " +
               std::to_string(at.count()) + " us, job " + std::to_string(last_job_) + ": " + what);
}

void PoolWorld::trace(const char* what, std::uint64_t whose, std::string_view text) const {
  if (!is_traced) return;
  const auto at = std::chrono::duration_cast<std::chrono::microseconds>(now_ - pool::TimePoint(1h));
  std::fprintf(stderr, "%lld %s %llu: %.*s\n", static_cast<long long>(at.count()), what,
               static_cast<unsigned long long>(whose), static_cast<int>(text.size()), text.data());
}

void PoolWorld::play_season() {
  begin_season();
  while (season_jobs_left_ > 0 && jobs_left_ > 0) {
    if (!advance(pool::TimePoint::max())) fail("nothing happens any more");
  }
  rest();
}

void PoolWorld::begin_season() {
  ++season_;
  ++counts["seasons"];
  const double storms[] = {0, 0, 0.1, 0.3, 0.7};
  storm_ = storms[dice_.below(5)];
  was_stormy_ = storm_ > 0;
  pace_ = Micros(dice_.between(1, 40) * 1000);
  season_jobs_left_ = static_cast<std::uint64_t>(dice_.between(200, 4000));
  std::vector<pool::Profile> profiles;
  for (int i = dice_.between(1, 3); i > 0; --i) {
    profiles.push_back(random_profile(dice_, "p" + std::to_string(i)));
  }
  if (pool_) {
    reload(std::move(profiles));
  } else {
    profiles_ = profiles;
    pool_.emplace(std::move(profiles), seed_);
    pool_->start(now_, effects_);
  }
  is_open_ = true;
  turn();
  begin_games();
}

// The weather clears and nobody asks for more: what is open must end, and the pool must be as it
// was meant to be.
void PoolWorld::rest() {
  is_open_ = false;
  storm_ = 0;
  for (auto& [id, process] : processes_) process.of->heal();
  const auto end = now_ + kRestTime + kRestTimePerJob * static_cast<std::int64_t>(jobs_.size());
  while (!is_at_rest()) {
    if (advance(end)) continue;
    std::string what = "the pool does not come to rest;";
    for (const auto& status : pool_->statuses()) {
      what += ' ' + status.name + ": " + std::to_string(status.starting) + " starting, " +
              std::to_string(status.idle) + " idle, " + std::to_string(status.busy) + " busy, " +
              std::to_string(status.streaming) + " streaming, " + std::to_string(status.stopping) +
              " stopping, " + std::to_string(status.queued) + " queued" +
              (status.failed ? ", failed;" : ";");
    }
    for (const auto& [id, job] : jobs_) {
      what += " job " + std::to_string(id) + " wants a " + std::string(name_of(job.job.want));
    }
    fail(what);
  }
}

bool PoolWorld::is_at_rest() const {
  if (!jobs_.empty()) return false;
  const auto statuses = pool_->statuses();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const pool::ProfileStatus& status = statuses[i];
    if (status.idle < profiles_[i].processes_warm || status.failed) return false;
    if (status.starting + status.busy + status.streaming + status.stopping > 0) return false;
  }
  return std::all_of(processes_.begin(), processes_.end(), [&](const auto& each) {
    const pool::Profile& its = each.second.of->profile();
    const auto* current = find_profile(its.name);
    return current != nullptr && *current == its;
  });
}

void PoolWorld::drain() {
  is_draining_ = true;
  for (int i = dice_.between(0, 20); i > 0; --i) {
    const auto& game = games_[dice_.below(games_.size())];
    if (game) submit(*game, pool::Want::Genmove, std::nullopt);
  }
  pool_->drain(now_, effects_);
  turn();
  if (!jobs_.empty()) fail("a job outlives the drain");
  const auto end = now_ + kDrainTime;
  while (!pool_->is_gone()) {
    if (!advance(end)) fail("the pool does not drain");
  }
  if (!processes_.empty()) fail("a process outlives the pool");
  if (pool_->deadline()) fail("a pool that is gone waits for something");
}

// The next thing that happens, not later than `until`; false when there is none.
bool PoolWorld::advance(pool::TimePoint until) {
  auto deadline = pool_->deadline();
  if (sabotage_ == PoolSabotage::ForgetDeadlines) deadline.reset();
  const bool is_event_next = !events_.empty() && (!deadline || events_.top().at <= *deadline);
  if (!is_event_next && !deadline) return false;
  const auto at = is_event_next ? events_.top().at : *deadline;
  if (at > until) return false;
  now_ = std::max(now_, at);
  if (is_event_next) {
    // Only the time and the order are compared, and they stay.
    Event event = std::move(const_cast<Event&>(events_.top()));
    events_.pop();
    happen(event);
  }
  turn();
  return true;
}

void PoolWorld::after(Micros delay, Event event) {
  event.at = now_ + delay;
  event.order = next_order_++;
  events_.push(std::move(event));
}

// What is in comes before what is due, as in the daemon.
void PoolWorld::turn() {
  ++counts["turns"];
  const auto deadline = pool_->deadline();
  const bool is_due = deadline && *deadline <= now_;
  if (is_due && sabotage_ != PoolSabotage::ForgetDeadlines) pool_->on_deadline(now_, effects_);
  do {
    carry_out();
    pool_->dispatch(now_, effects_);
  } while (!effects_.empty());
  if (const auto broken = pool_->broken_invariant()) fail(*broken);
  const auto open = pool_->open_jobs();
  const auto is_ours = [&](pool::JobId id) { return jobs_.contains(id.value); };
  if (open.size() != jobs_.size() || !std::all_of(open.begin(), open.end(), is_ours)) {
    fail("the pool has " + std::to_string(open.size()) + " jobs open, its clients " +
         std::to_string(jobs_.size()));
  }
  const auto next = pool_->deadline();
  const bool is_late = next && *next <= now_;
  if (is_late && sabotage_ != PoolSabotage::ForgetDeadlines) fail("a deadline is left in the past");
}

void PoolWorld::happen(Event& event) {
  switch (event.kind) {
    case Event::Kind::Emission:
      return deliver(event.engine, event.emission);
    case Event::Kind::Spawned:
      if (!processes_.contains(event.engine)) return;
      return pool_->on_spawned({event.engine}, static_cast<int>(1000 + event.engine), now_,
                               effects_);
    case Event::Kind::SpawnFailed:
      if (processes_.erase(event.engine) == 0) return;
      return pool_->on_spawn_failed({event.engine}, "no such file", now_, effects_);
    case Event::Kind::GameTurn:
      if (event.season == season_ && is_open_) game_turn(event.number);
      return;
    case Event::Kind::Cancel:
      return cancel(event.number);
    case Event::Kind::Disturbance:
      if (event.season == season_ && is_open_) disturb();
      return;
  }
}

}  // namespace tengen::sim
