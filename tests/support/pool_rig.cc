// See pool_rig.h.
#include "tests/support/pool_rig.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tengen::tests {

using pool::EngineId;

PoolRig::PoolRig(std::vector<pool::Profile> profiles, std::vector<Script> scripts,
                 std::uint64_t seed)
    : pool_(std::move(profiles), seed), scripts_(std::move(scripts)) {}

void PoolRig::start() {
  pool_.start(now_, effects_);
  settle();
}

void PoolRig::submit(pool::Job job) {
  pool_.submit(std::move(job), now_, effects_);
  settle();
}

void PoolRig::cancel(std::uint64_t job) {
  pool_.cancel({job}, now_, effects_);
  settle();
}

void PoolRig::cancel_game(std::uint64_t game) {
  pool_.cancel_game({game, game}, now_, effects_);
  settle();
}

void PoolRig::cancel_client(std::uint64_t client) {
  pool_.cancel_client({client}, now_, effects_);
  settle();
}

void PoolRig::reload(std::vector<pool::Profile> profiles) {
  pool_.reload(std::move(profiles), now_, effects_);
  settle();
}

bool PoolRig::retire(std::uint32_t engine) {
  const bool is_there = pool_.retire({engine}, now_, effects_);
  settle();
  return is_there;
}

bool PoolRig::set_intake(std::string_view profile, pool::Intake intake) {
  const bool is_known = pool_.set_intake(profile, intake);
  settle();
  return is_known;
}

void PoolRig::tell_memory(std::uint32_t engine, std::uint64_t bytes) {
  pool_.on_memory({engine}, bytes, now_, effects_);
  settle();
}

void PoolRig::drain() {
  pool_.drain(now_, effects_);
  settle();
}

void PoolRig::end_process(std::uint32_t engine, pool::ExitStatus status) {
  processes_.erase({engine});
  pool_.on_exit({engine}, status, now_, effects_);
  settle();
}

void PoolRig::say_on_stderr(std::uint32_t engine, std::string_view bytes) {
  pool_.on_error_output({engine}, bytes, now_, effects_);
  settle();
}

void PoolRig::say(std::uint32_t engine, std::string_view bytes) {
  pool_.on_output({engine}, bytes, now_, effects_);
  settle();
}

void PoolRig::settle() {
  while (true) {
    pool_.dispatch(now_, effects_);
    while (!effects_.empty()) {
      pool::Effects batch;
      batch.swap(effects_);
      for (pool::Effect& effect : batch) carry_out(std::move(effect));
      pool_.dispatch(now_, effects_);
    }
    if (events_.empty() || is_held_) break;
    const Event event = std::move(events_.front());
    events_.pop_front();
    deliver(event);
  }
  EXPECT_EQ(pool_.broken_invariant().value_or(""), "");
}

void PoolRig::release_output() {
  is_held_ = false;
  settle();
}

bool PoolRig::step() {
  const auto next = pool_.deadline();
  if (!next) return false;
  now_ = std::max(now_, *next);
  pool_.on_deadline(now_, effects_);
  settle();
  EXPECT_TRUE(!pool_.deadline() || *pool_.deadline() > now_) << "a deadline was left in the past";
  return true;
}

void PoolRig::advance(std::chrono::milliseconds by) {
  const pool::TimePoint end = now_ + by;
  while (pool_.deadline() && *pool_.deadline() <= end) step();
  now_ = end;
}

void PoolRig::carry_out(pool::Effect effect) {
  if (const auto* spawn = std::get_if<pool::Spawn>(&effect)) {
    const std::size_t nth = std::min(spawned_at_.size(), scripts_.size() - 1);
    spawned_at_.push_back(now_);
    spawns_.push_back(*spawn);
    const auto kind = spawns_fail ? Event::Kind::SpawnFailed : Event::Kind::Spawned;
    if (!spawns_fail) processes_.try_emplace(spawn->engine, scripts_[nth]);
    events_.push_back({kind, spawn->engine, "no such program", {}});
  } else if (const auto* write = std::get_if<pool::Write>(&effect)) {
    writes_.emplace_back(write->engine.value, write->bytes);
    feed(write->engine, write->bytes);
  } else if (const auto* kill = std::get_if<pool::Kill>(&effect)) {
    killed_.insert(kill->engine.value);
    processes_.erase(kill->engine);
    events_.push_back({Event::Kind::Exit, kill->engine, "", {true, 9}});
  } else if (auto* done = std::get_if<pool::JobDone>(&effect)) {
    done_.push_back(std::move(*done));
  } else if (auto* moved = std::get_if<pool::JobMoved>(&effect)) {
    moved_.push_back(std::move(*moved));
  } else if (auto* update = std::get_if<pool::AnalysisUpdate>(&effect)) {
    updates_.push_back(std::move(*update));
  } else if (auto* note = std::get_if<pool::Note>(&effect)) {
    notes_.push_back(std::move(*note));
  }
}

void PoolRig::feed(EngineId engine, std::string_view bytes) {
  const auto found = processes_.find(engine);
  if (found == processes_.end()) return;
  ScriptedEngine& process = found->second;
  std::string output = process.feed(bytes);
  if (!output.empty()) events_.push_back({Event::Kind::Output, engine, std::move(output), {}});
  if (!process.has_crashed() && !process.has_quit()) return;
  events_.push_back({Event::Kind::Exit, engine, "", {false, process.has_crashed() ? 70 : 0}});
  processes_.erase(found);
}

void PoolRig::deliver(const Event& event) {
  switch (event.kind) {
    case Event::Kind::Spawned:
      return pool_.on_spawned(event.engine, 1000 + static_cast<int>(event.engine.value), now_,
                              effects_);
    case Event::Kind::SpawnFailed:
      return pool_.on_spawn_failed(event.engine, event.bytes, now_, effects_);
    case Event::Kind::Output:
      return pool_.on_output(event.engine, event.bytes, now_, effects_);
    case Event::Kind::Exit:
      return pool_.on_exit(event.engine, event.status, now_, effects_);
  }
}

std::size_t PoolRig::ends_of(std::uint64_t job) const {
  return static_cast<std::size_t>(std::count_if(
      done_.begin(), done_.end(), [&](const auto& each) { return each.job.value == job; }));
}

pool::JobDone PoolRig::end_of(std::uint64_t job) const {
  EXPECT_EQ(ends_of(job), 1u) << "job " << job;
  for (const pool::JobDone& each : done_) {
    if (each.job.value == job) return each;
  }
  return {{job}, pool::JobFailure{}, {}};
}

pool::JobResult PoolRig::result(std::uint64_t job) const { return end_of(job).result; }

void PoolRig::finish_searches() {
  for (auto& [id, process] : processes_) {
    std::string answer = process.finish_search();
    if (!answer.empty()) events_.push_back({Event::Kind::Output, id, std::move(answer), {}});
  }
  settle();
}

std::size_t PoolRig::updates_of(std::uint64_t job) const {
  return static_cast<std::size_t>(std::count_if(
      updates_.begin(), updates_.end(), [&](const auto& each) { return each.job.value == job; }));
}

ScriptedEngine* PoolRig::process(std::uint32_t engine) {
  const auto found = processes_.find({engine});
  return found == processes_.end() ? nullptr : &found->second;
}

void PoolRig::tick() {
  for (auto& [id, process] : processes_) {
    std::string line = process.tick();
    if (!line.empty()) events_.push_back({Event::Kind::Output, id, std::move(line), {}});
    if (process.has_crashed()) events_.push_back({Event::Kind::Exit, id, "", {true, 11}});
  }
  std::erase_if(processes_, [](const auto& each) { return each.second.has_crashed(); });
  settle();
}

const std::string& PoolRig::last_write(std::uint32_t engine) const {
  static const std::string kNone;
  for (auto each = writes_.rbegin(); each != writes_.rend(); ++each) {
    if (each->first == engine) return each->second;
  }
  return kNone;
}

bool PoolRig::has_note(std::string_view part) const {
  return std::any_of(notes_.begin(), notes_.end(), [&](const pool::Note& note) {
    return note.text.find(part) != std::string::npos;
  });
}

pool::Profile fake_profile() { return fake_profile(1, 1); }

pool::Profile fake_profile(int warm, int max) {
  pool::Profile profile;
  profile.name = "fake";
  profile.command = {"fake"};
  profile.processes_warm = warm;
  profile.processes_max = max;
  return profile;
}

Script waiting_script() {
  Script script;
  script.searches_wait = true;
  return script;
}

pool::Job genmove_job(std::uint64_t id, std::uint64_t game, const std::vector<std::string>& moves,
                      int size) {
  const auto side = static_cast<std::uint8_t>(size);
  rules::Record record({side, side}, rules::KoRule::Positional, rules::SuicideRule::No);
  auto color = rules::Color::Black;
  for (const std::string& vertex : moves) {
    const auto point = rules::parse_gtp_vertex(vertex, record.size());
    EXPECT_TRUE(point || vertex == "pass") << vertex;
    const auto move = point ? rules::Move::play(color, *point) : rules::Move::pass(color);
    EXPECT_EQ(record.play(move), rules::Refusal::None) << vertex;
    color = rules::other(color);
  }
  return pool::Job{{id},  {game, game},        "fake", {}, std::move(record), rules::Ruleset{}, 15,
                   color, pool::Want::Genmove, 77};
}

pool::Job analysis_job(std::uint64_t id, std::uint64_t game, std::uint64_t client) {
  pool::Job job = genmove_job(id, game);
  job.want = pool::Want::Analyze;
  job.priority = pool::Priority::Analysis;
  job.client = {client};
  return job;
}

pool::Job list_job(std::uint64_t id, std::uint64_t game, const std::vector<std::string>& moves) {
  pool::Job job = genmove_job(id, game, moves);
  job.want = pool::Want::DeadList;
  return job;
}

bool is_move(const pool::JobResult& result) {
  return std::holds_alternative<pool::EngineMove>(result);
}

pool::JobFailure failure_of(const pool::JobResult& result) {
  const auto* failure = std::get_if<pool::JobFailure>(&result);
  EXPECT_NE(failure, nullptr) << "the job did not fail";
  return failure == nullptr ? pool::JobFailure{} : *failure;
}

}  // namespace tengen::tests
