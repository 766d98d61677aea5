// See pool_world.h: what is asked of the pool.
#include <algorithm>

#include "sim/pool_world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using pool::Want;

constexpr int kClients = 8;
constexpr std::uint64_t kTooLarge = 200'000'000;  // bytes; the profiles allow half of it

}  // namespace

const pool::Profile* PoolWorld::find_profile(std::string_view name) const {
  for (const pool::Profile& profile : profiles_) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

void PoolWorld::begin_games() {
  games_.clear();
  games_.resize(static_cast<std::size_t>(dice_.between(1, 24)));
  open_of_slot_.assign(games_.size(), 0);
  for (std::size_t slot = 0; slot < games_.size(); ++slot) {
    Event event;
    event.kind = Event::Kind::GameTurn;
    event.number = slot;
    event.season = season_;
    after(micros(0, 20'000), std::move(event));
  }
  Event event;
  event.kind = Event::Kind::Disturbance;
  event.season = season_;
  after(micros(0, 100'000), std::move(event));
}

// A game whose profile has gone, or takes it no more, is asked for now and then, to be refused.
void PoolWorld::game_turn(std::size_t slot) {
  if (open_of_slot_[slot] > 0) return;
  auto& game = games_[slot];
  const pool::Profile* profile = game ? find_profile(game->profile()) : nullptr;
  const bool is_refused = game && (profile == nullptr || !game->suits(*profile));
  if (!game || game->is_over() || (is_refused && dice_.chance(0.5))) {
    profile = &profiles_[dice_.below(profiles_.size())];
    const pool::ClientId client{static_cast<std::uint64_t>(dice_.between(1, kClients))};
    game =
        std::make_unique<PoolGame>(*profile, rules::GameId{season_, ++last_game_}, client, dice_);
    ++counts["games"];
  }
  if (profile == nullptr) return submit(*game, Want::Genmove, slot);
  if (dice_.chance(0.05)) game->jump(dice_);
  if (dice_.chance(0.3)) game->play_any(dice_);
  submit(*game, game->some_want(*profile, dice_), slot);
  if (dice_.chance(0.05)) submit(*game, Want::Analyze, slot);
}

void PoolWorld::submit(PoolGame& game, Want want, std::optional<std::size_t> slot) {
  static const pool::Profile kNone;
  if (jobs_left_ > 0) --jobs_left_;
  if (season_jobs_left_ > 0) --season_jobs_left_;
  ++counts["jobs"];
  const pool::Profile* profile = find_profile(game.profile());
  const pool::JobId id{++last_job_};
  OpenJob open(game.job(id, want, profile != nullptr ? *profile : kNone, dice_));
  open.submitted = now_;
  open.slot = slot;
  if (dice_.chance(0.05)) open.job.until = now_ + micros(0, 1'000'000);
  if (slot) ++open_of_slot_[*slot];
  pool::Job job = open.job;
  trace("job", id.value, name_of(want));
  jobs_.emplace(id.value, std::move(open));
  submitting_ = id.value;
  pool_->submit(std::move(job), now_, effects_);
  carry_out();
  submitting_.reset();
  if (!jobs_.contains(id.value) || !dice_.chance(0.04)) return;
  Event event;
  event.kind = Event::Kind::Cancel;
  event.number = id.value;
  after(micros(0, 60'000), std::move(event));
}

// One client wants very much at once.
void PoolWorld::burst() {
  ++counts["bursts"];
  const auto& game = games_[dice_.below(games_.size())];
  if (!game || find_profile(game->profile()) == nullptr) return;
  const Want wants[] = {Want::Analyze, Want::RegGenmove, Want::DeadList, Want::Genmove};
  const Want want = wants[dice_.below(4)];
  for (int i = dice_.between(2, 40); i > 0; --i) submit(*game, want, std::nullopt);
}

void PoolWorld::disturb() {
  const auto kind = dice_.below(100);
  if (kind < 4) {
    burst();
  } else if (kind < 14) {
    cancel_many(dice_.chance(0.7));
  } else if (kind < 20) {
    reload_something();
  } else if (kind < 40) {
    grow_some_process();
  } else if (kind < 60) {
    say_nonsense();
  } else if (!jobs_.empty()) {
    cancel(jobs_.begin()->first);
  }
  Event event;
  event.kind = Event::Kind::Disturbance;
  event.season = season_;
  after(micros(1'000, 300'000), std::move(event));
}

void PoolWorld::cancel(std::uint64_t job) {
  const auto found = jobs_.find(job);
  if (found != jobs_.end()) found->second.is_cancelled = true;
  pool_->cancel({job}, now_, effects_);
  carry_out();
  if (jobs_.contains(job)) fail("a job goes on after it was cancelled");
}

void PoolWorld::cancel_many(bool of_game) {
  if (jobs_.empty()) return;
  ++counts["cancels of many"];
  const auto game = jobs_.begin()->second.job.game;
  const auto client = jobs_.begin()->second.job.client;
  const auto is_meant = [&](const auto& each) {
    const pool::Job& job = each.second.job;
    return of_game ? job.game == game : job.client == client;
  };
  for (auto& each : jobs_) {
    if (is_meant(each)) each.second.is_cancelled = true;
  }
  if (of_game) {
    pool_->cancel_game(game, now_, effects_);
  } else {
    pool_->cancel_client(client, now_, effects_);
  }
  carry_out();
  if (std::any_of(jobs_.begin(), jobs_.end(), is_meant)) fail("a job outlives a cancel of many");
}

void PoolWorld::reload(std::vector<pool::Profile> profiles) {
  note_accepted();
  profiles_ = profiles;
  pool_->reload(std::move(profiles), now_, effects_);
  carry_out();
}

// A job that an engine is at stays what it was accepted as; one that waits is the new profile's.
void PoolWorld::note_accepted() {
  for (const pool::Profile& profile : profiles_) {
    const auto old = std::make_shared<const pool::Profile>(profile);
    for (const auto& status : pool_->engines(profile.name)) {
      const auto open = status.job ? jobs_.find(status.job->value) : jobs_.end();
      if (open != jobs_.end() && !open->second.accepted) open->second.accepted = old;
    }
  }
}

void PoolWorld::reload_something() {
  ++counts["reloads"];
  auto profiles = profiles_;
  auto& chosen = profiles[dice_.below(profiles.size())];
  if (dice_.chance(0.3)) {
    chosen = profiles.back();
    profiles.pop_back();
    if (profiles.empty()) profiles = profiles_;
  } else if (dice_.chance(0.2)) {
    const std::string name = "p" + std::to_string(dice_.between(1, 4));
    if (find_profile(name) == nullptr) profiles.push_back(random_profile(dice_, name));
  } else if (dice_.chance(0.7)) {
    change(chosen, dice_);
  }
  reload(std::move(profiles));
}

void PoolWorld::grow_some_process() {
  if (processes_.empty()) return;
  auto each = processes_.begin();
  std::advance(each, dice_.below(processes_.size()));
  auto& [id, process] = *each;
  const std::uint64_t most = process.of->profile().memory_max_bytes;
  if (most == 0) return pool_->on_memory({id}, kTooLarge, now_, effects_);
  if (dice_.chance(0.7)) {
    process.is_too_large = false;
    return pool_->on_memory({id}, most, now_, effects_);
  }
  ++counts["grown processes"];
  process.last_job_while_small = process.job;
  process.is_too_large = true;
  if (sabotage_ != PoolSabotage::DeafToMemory) {
    pool_->on_memory({id}, kTooLarge, now_, effects_);
  }
}

// News of engines that there are not, and chatter on standard error.
void PoolWorld::say_nonsense() {
  const pool::EngineId nobody{1'000'000'000};
  pool_->on_spawned(nobody, 7, now_, effects_);
  pool_->on_output(nobody, "=1 D4\n\n", now_, effects_);
  pool_->on_memory(nobody, kTooLarge, now_, effects_);
  pool_->on_exit(nobody, {}, now_, effects_);
  pool_->on_spawn_failed(nobody, "gone", now_, effects_);
  pool_->cancel({last_job_ + 1}, now_, effects_);
  for (const auto& [id, process] : processes_) {
    pool_->on_error_output({id}, "a word of it\n", now_, effects_);
  }
}

}  // namespace tengen::sim
