// See pool_world.h: what the pool does, and whether it may.
#include <algorithm>
#include <utility>

#include "sim/mirror_check.h"
#include "sim/pool_world.h"

namespace tengen::sim {
namespace {

using namespace std::chrono_literals;
using pool::JobError;
using pool::Want;

bool is_scoring(Want want) {
  return want == Want::DeadList || want == Want::AliveList || want == Want::SekiList ||
         want == Want::FinalScore;
}

std::vector<std::string> command_line(const pool::Profile& profile, std::size_t variant) {
  auto argv = profile.command;
  if (variant < profile.variants.size()) {
    const auto& more = profile.variants[variant].arguments;
    argv.insert(argv.end(), more.begin(), more.end());
  }
  return argv;
}

template <typename Value>
bool is_in(const std::vector<Value>& list, Value value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

bool is_after_two_passes(const pool::Job& job) {
  const auto& moves = job.record.moves();
  return moves.size() >= 2 && moves.back().is_pass() && moves[moves.size() - 2].is_pass();
}

/// The first variant that plays these rules; the first of all when none does.
std::size_t variant_for(const pool::Profile& profile, const rules::Ruleset& rules) {
  for (std::size_t i = 0; i < profile.variants.size(); ++i) {
    const pool::RulesMatch& plays = profile.variants[i].plays;
    if (is_in(plays.ko, rules.ko) && is_in(plays.suicide, rules.suicide) &&
        is_in(plays.scoring, rules.scoring)) {
      return i;
    }
  }
  return 0;
}

/// What an engine is started with for these rules, beside the command.
std::vector<std::string> arguments_for(const pool::Profile& profile, const rules::Ruleset& rules) {
  if (profile.variants.empty()) return {};
  return profile.variants[variant_for(profile, rules)].arguments;
}

}  // namespace

void PoolWorld::carry_out() {
  for (auto& effect : std::exchange(effects_, {})) {
    if (const auto* spawns = std::get_if<pool::Spawn>(&effect)) {
      spawn(*spawns);
    } else if (const auto* writes = std::get_if<pool::Write>(&effect)) {
      write(*writes);
    } else if (const auto* closes = std::get_if<pool::CloseInput>(&effect)) {
      const auto found = processes_.find(closes->engine.value);
      if (found == processes_.end()) continue;
      found->second.of->close_input(now_, emissions_);
      take_emissions(found->first, emissions_);
    } else if (const auto* kills = std::get_if<pool::Kill>(&effect)) {
      kill(kills->engine.value);
    } else if (const auto* done = std::get_if<pool::JobDone>(&effect)) {
      if (sabotage_ == PoolSabotage::LoseEnd && dice_.chance(0.01)) continue;
      end_job(*done);
      if (sabotage_ == PoolSabotage::EndTwice && dice_.chance(0.01)) end_job(*done);
    } else if (const auto* moves = std::get_if<pool::JobMoved>(&effect)) {
      move_job(*moves);
    } else if (const auto* update = std::get_if<pool::AnalysisUpdate>(&effect)) {
      take_update(*update);
    } else if (const auto* note = std::get_if<pool::Note>(&effect)) {
      trace("note on", note->engine.value, note->text);
    }
  }
}

Faults PoolWorld::draw_faults() {
  Faults faults;
  faults.is_crlf = dice_.chance(0.1);
  if (sabotage_ == PoolSabotage::LieAboutBoard) {
    faults.drift = 0.01;
    faults.lies = true;
  }
  if (!dice_.chance(storm_)) return faults;
  ++counts["faulty engines"];
  double* const kinds[] = {&faults.crash,   &faults.hang,    &faults.garbage, &faults.wrong_id,
                           &faults.repeat,  &faults.refuse,  &faults.drift,   &faults.late,
                           &faults.illegal, &faults.decline, &faults.noise};
  const double rates[] = {0.0005, 0.003, 0.02, 0.2};
  for (int i = dice_.between(1, 3); i > 0; --i) *kinds[dice_.below(11)] = rates[dice_.below(4)];
  faults.ignores_quit = dice_.chance(0.2);
  return faults;
}

Talents PoolWorld::draw_talents() {
  Talents talents;
  talents.lists_commands = dice_.chance(0.9);
  talents.takes_handicap = dice_.chance(0.9);
  talents.takes_time = dice_.chance(0.9);
  talents.judges = dice_.chance(0.9);
  return talents;
}

void PoolWorld::spawn(const pool::Spawn& what) {
  ++counts["engines"];
  const pool::Profile* profile = what.argv.size() < 2 ? nullptr : find_profile(what.argv[1]);
  if (profile == nullptr) fail("a process is started for no profile");
  const auto alive = std::count_if(processes_.begin(), processes_.end(), [&](const auto& each) {
    return each.second.of->profile().name == profile->name;
  });
  if (alive >= profile->processes_max) fail("more processes than processes_max");
  std::size_t variant = 0;
  while (command_line(*profile, variant) != what.argv) {
    if (++variant >= profile->variants.size()) fail("a process is started by another command");
  }
  if (what.directory != profile->directory || what.environment != profile->environment ||
      what.limits != profile->process ||
      what.is_memory_watched != (profile->memory_max_bytes > 0)) {
    fail("a process is started otherwise than its profile says");
  }
  Pace pace;
  pace.start = std::chrono::milliseconds(dice_.between(1, 60));
  pace.search = std::chrono::milliseconds(dice_.between(1, 40));
  if (dice_.chance(storm_ * 0.05)) pace.start = 10s;
  Process process;
  process.of = std::make_unique<PoolProcess>(*profile, variant, draw_talents(), draw_faults(), pace,
                                             dice_.next());
  processes_.emplace(what.engine.value, std::move(process));
  trace("start", what.engine.value, what.argv.back());
  Event event;
  event.kind = dice_.chance(storm_ * 0.05) ? Event::Kind::SpawnFailed : Event::Kind::Spawned;
  event.engine = what.engine.value;
  after(micros(10, 1'000), std::move(event));
}

void PoolWorld::write(const pool::Write& what) {
  const auto found = processes_.find(what.engine.value);
  if (found == processes_.end()) return;
  Process& process = found->second;
  ++counts["writes"];
  note_job_of(what.engine.value, process);
  process.written = now_;
  trace("to engine", what.engine.value, what.bytes);
  std::string bytes = what.bytes;
  if (sabotage_ == PoolSabotage::SpoilWrite && dice_.chance(0.001)) {
    bytes[dice_.below(bytes.size())] ^= 1;
  }
  const auto lost = bytes.find("play B ");
  if (sabotage_ == PoolSabotage::LosePlay && lost != std::string::npos && dice_.chance(0.01)) {
    bytes.replace(lost, bytes.find('\n', lost) - lost, "play B pass");
  }
  process.of->write(bytes, now_, emissions_);
  look_at_search(found->first, process);
  take_emissions(found->first, emissions_);
}

// Which job the commands are for, as the pool tells its operators.
void PoolWorld::note_job_of(std::uint32_t engine, Process& process) {
  for (const auto& status : pool_->engines(process.of->profile().name)) {
    if (status.id.value == engine && status.job) process.job = status.job->value;
  }
}

void PoolWorld::kill(std::uint32_t engine) {
  const auto found = processes_.find(engine);
  if (found == processes_.end()) return;
  ++counts["kills"];
  if (sabotage_ == PoolSabotage::BuryAlive) pool_->on_exit({engine}, {true, 9}, now_, effects_);
  found->second.of->end({true, 9}, now_, emissions_);
  take_emissions(engine, emissions_);
}

void PoolWorld::take_emissions(std::uint32_t engine, Emissions& emissions) {
  const auto found = processes_.find(engine);
  if (found != processes_.end() && !found->second.of->broken().empty()) {
    fail("engine " + std::to_string(engine) + ": " + found->second.of->broken());
  }
  for (Emission& emission : emissions) {
    Event event;
    event.kind = Event::Kind::Emission;
    event.engine = engine;
    const auto delay = emission.delay;
    event.emission = std::move(emission);
    after(delay, std::move(event));
  }
  emissions.clear();
}

void PoolWorld::deliver(std::uint32_t engine, Emission& emission) {
  const auto found = processes_.find(engine);
  if (found == processes_.end()) return;
  Process& process = found->second;
  switch (emission.kind) {
    case Emission::Kind::Resume:
      process.of->resume(emission.token, now_, emissions_);
      look_at_search(engine, process);
      return take_emissions(engine, emissions_);
    case Emission::Kind::Exit:
      processes_.erase(found);
      return pool_->on_exit({engine}, emission.status, now_, effects_);
    case Emission::Kind::Output:
      break;
  }
  const auto open = jobs_.find(process.job);
  if (open != jobs_.end() && open->second.engine == engine) {
    OpenJob& job = open->second;
    if (emission.ends_sync && job.search.has_sync) job.search_from = now_;
    if (emission.ends_search) {
      job.has_answer = true;
      job.search = *process.of->search();
      job.search_to = now_;
    }
  }
  if (sabotage_ == PoolSabotage::HideRefusal && dice_.chance(0.3)) {
    std::replace(emission.bytes.begin(), emission.bytes.end(), '?', '=');
  }
  if (sabotage_ == PoolSabotage::ForgeAnswer && emission.ends_search && dice_.chance(0.01)) {
    const auto at = emission.bytes.rfind(" A1\n");
    if (at != std::string::npos) emission.bytes.replace(at, 4, " B2\n");
  }
  trace("from engine", engine, emission.bytes);
  pool_->on_output({engine}, emission.bytes, now_, effects_);
}

// The moment at which an engine begins to think: what it holds must be what the job needs.
void PoolWorld::look_at_search(std::uint32_t engine, Process& process) {
  const auto& search = process.of->search();
  if (!search || search->write == process.search) return;
  process.search = search->write;
  ++counts["searches"];
  const auto found = jobs_.find(process.job);
  if (found == jobs_.end()) fail("a search begins for a job that has ended");
  OpenJob& job = found->second;
  if (job.searches++ == 0) note_wait(job);
  if (job.engine != engine) job.accepted.reset();
  job.engine = engine;
  job.search = *search;
  job.has_answer = false;
  job.search_from = process.written;
  check_company(process, job);
  check_board(process, job);
}

const pool::Profile& PoolWorld::accepted_profile(const OpenJob& job) const {
  const pool::Profile* profile = job.accepted ? job.accepted.get() : find_profile(job.job.profile);
  if (profile == nullptr) fail("a search begins for a job of no profile");
  return *profile;
}

void PoolWorld::check_company(const Process& process, const OpenJob& job) const {
  const PoolProcess& of = *process.of;
  if (of.is_quitting()) fail("a search begins on an engine that was asked to quit");
  if (process.is_too_large && process.job != process.last_job_while_small) {
    fail("a job is begun on an engine that holds too much memory");
  }
  if (of.variant() != variant_for(of.profile(), job.job.rules)) fail("the wrong variant");
  if (arguments_for(of.profile(), job.job.rules) !=
      arguments_for(accepted_profile(job), job.job.rules)) {
    fail("an engine that was started for other rules");
  }
  int streams = 0;
  int scores = 0;
  for (const auto& [id, each] : processes_) {
    if (each.of->profile().name != of.profile().name || !each.of->is_searching()) continue;
    streams += each.of->is_streaming() ? 1 : 0;
    scores += each.of->search()->command.starts_with("final_") ? 1 : 0;
  }
  const pool::Profile* current = find_profile(of.profile().name);
  if (of.is_streaming() && current != nullptr && streams >= current->processes_max) {
    fail("streams take every engine");
  }
  if (is_scoring(job.job.want) && scores > 1) fail("two engines score at a time");
}

void PoolWorld::check_board(Process& process, OpenJob& job) {
  const PoolProcess& of = *process.of;
  job.is_board_right = !job.search.is_void;
  if (job.search.is_void) return;
  if (!of.brain().has_drifted()) {
    process.blind_jobs = 0;
    const auto attempt = job.moved == 0 ? Attempt::First : Attempt::Later;
    const std::string wrong = difference(of, {job.job, accepted_profile(job), attempt});
    if (wrong.empty()) return;
    fail("engine " + std::to_string(job.engine) + ", job " + std::to_string(job.job.id.value) +
         " (" + std::string(name_of(job.job.want)) + "): " + wrong);
  }
  job.is_board_right = is_same_board(of.brain(), job.job);
  const bool is_new_drift =
      std::exchange(process.clears, of.brain().clears()) != of.brain().clears();
  if (job.search.has_look || is_new_drift) process.blind_jobs = 0;
  if (job.is_board_right) return;
  ++counts["searches on a drifted board"];
  const bool is_looked_at = of.profile().verify != pool::VerifyBy::None && !of.has_refused_look();
  if (++process.blind_jobs > of.profile().verify_every && is_looked_at) {
    fail("engine " + std::to_string(job.engine) + ": a board that has drifted is not noticed in " +
         std::to_string(process.blind_jobs) + " jobs");
  }
}

// How many that came later went first, at the worst.
void PoolWorld::note_wait(const OpenJob& job) {
  const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(now_ - job.submitted);
  auto& longest = counts["longest wait of a " + std::string(name_of(job.job.want)) + ", ms"];
  longest = std::max(longest, static_cast<std::uint64_t>(wait.count()));
}

void PoolWorld::take_update(const pool::AnalysisUpdate& update) {
  ++counts["updates"];
  const auto found = jobs_.find(update.job.value);
  if (found == jobs_.end()) fail("an update for a job that has ended");
  OpenJob& job = found->second;
  const bool is_stream = job.job.want == Want::Analyze || job.job.want == Want::GenmoveAnalyze;
  if (!is_stream || job.searches == 0) fail("an update for a job without a stream");
  if (!job.is_board_right && job.search.is_void) fail("an update of a stream that is void");
  if (update.analysis->to_move != job.job.color) fail("an update for the other side");
  ++job.updates;
}

void PoolWorld::move_job(const pool::JobMoved& moved) {
  ++counts["jobs moved"];
  const auto found = jobs_.find(moved.job.value);
  if (found == jobs_.end()) fail("a job that has ended is moved");
  ++found->second.moved;
  found->second.accepted.reset();
}

void PoolWorld::end_job(const pool::JobDone& done) {
  const auto found = jobs_.find(done.job.value);
  if (found == jobs_.end()) {
    fail("job " + std::to_string(done.job.value) + " ends although it is not open");
  }
  const OpenJob job = std::move(found->second);
  jobs_.erase(found);
  trace("end of job", done.job.value, "");
  if (const auto* failure = std::get_if<pool::JobFailure>(&done.result)) {
    ++counts["failed: " + std::string(name_of(failure->error))];
    check_failure(job, *failure);
  } else {
    ++counts["done: " + std::string(name_of(job.job.want))];
    check_result(job, done);
  }
  check_searched(job, done);
  go_on(job, done.result);
}

void PoolWorld::check_result(const OpenJob& job, const pool::JobDone& done) const {
  const std::string who =
      "job " + std::to_string(done.job.value) + " (" + std::string(name_of(job.job.want)) + "): ";
  if (job.is_cancelled) fail(who + "has a result although it was cancelled");
  const auto* end = std::get_if<pool::AnalysisEnd>(&done.result);
  if ((end != nullptr) != (job.job.want == Want::Analyze)) fail(who + "another kind of result");
  if (end != nullptr) {
    if (end->updates != job.updates) {
      fail(who + "ends with " + std::to_string(end->updates) + " updates of " +
           std::to_string(job.updates));
    }
    return;
  }
  if (!job.has_answer) fail(who + "has a result before its engine answered");
  if (job.search.is_void) fail(who + "has a result of a write of which a part was refused");
  if (!job.is_board_right && job.search.is_board_shown) {
    fail(who + "has a result of a board that was seen to be wrong");
  }
  const std::string wrong = contradiction(done.result, job.job, job.search.reply);
  if (!wrong.empty()) fail(who + wrong);
}

void PoolWorld::check_failure(const OpenJob& job, const pool::JobFailure& failure) {
  const std::string& name = job.job.profile;
  const pool::Profile* profile = find_profile(name);
  const bool is_new = submitting_ == job.job.id.value;
  const auto refuse = [&] {
    fail("job " + std::to_string(job.job.id.value) + " (" + std::string(name_of(job.job.want)) +
         ") fails with '" + std::string(name_of(failure.error)) + "': " + failure.detail);
  };
  switch (failure.error) {
    case JobError::UnknownProfile:
      if (profile != nullptr) refuse();
      return;
    case JobError::QueueFull:
      if (!is_new || !is_queue_full(job.job)) refuse();
      return;
    case JobError::ProfileFailed:
      if (storm_ == 0 && is_new && !was_stormy_) refuse();
      return;
    case JobError::EnginesFailed: {
      const auto last = failed_at_.find(name);
      const bool is_quarantined = is_new && last != failed_at_.end() && now_ - last->second <= 2s;
      if (!is_quarantined && job.moved == 0 && !is_scoring(job.job.want) && profile != nullptr) {
        refuse();
      }
      if (!is_new) failed_at_[name] = now_;
      return;
    }
    case JobError::PositionRefused:
      if (job.searches < 2) refuse();
      return;
    case JobError::NotSupported:
      if (!may_be_unsupported(job)) refuse();
      return;
    case JobError::Expired:
      if (!job.job.until || now_ < *job.job.until) refuse();
      return;
    case JobError::Cancelled:
      if (!job.is_cancelled) refuse();
      return;
    case JobError::Draining:
      if (!is_draining_) refuse();
      return;
  }
}

bool PoolWorld::is_queue_full(const pool::Job& job) const {
  const pool::Profile& profile = *find_profile(job.profile);
  std::size_t of_profile = 0;
  std::size_t of_client = 0;
  for (const auto& [id, each] : jobs_) {
    if (each.job.profile != job.profile) continue;
    ++of_profile;
    if (each.job.client == job.client) ++of_client;
  }
  return of_profile >= profile.queue_max || of_client >= profile.queue_per_client_max;
}

bool PoolWorld::may_be_unsupported(const OpenJob& job) const {
  const pool::Profile* profile = find_profile(job.job.profile);
  if (profile == nullptr || (job.has_answer && !job.search.reply.is_success)) return true;
  return may_be_unsupported(job.job, *profile);
}

bool PoolWorld::may_be_unsupported(const pool::Job& job, const pool::Profile& profile) const {
  if (profile.problem(job.record.size(), job.settings)) return true;  // since a reload
  const bool is_deadly = is_after_two_passes(job) && !profile.moves_after_passes;
  switch (job.want) {
    case Want::Genmove:
    case Want::CleanupGenmove:
      return is_deadly && profile.cleanup_command.empty();
    case Want::RegGenmove:
      return is_deadly && profile.reg_search_command.empty();
    case Want::GenmoveAnalyze:
      return is_deadly || profile.analysis == pool::AnalysisDialect::None;
    case Want::Analyze:
      return profile.processes_max < 2 || profile.analysis == pool::AnalysisDialect::None;
    case Want::FreeHandicap:
      return job.stones < 2 || job.stones >= job.record.size().area() ||
             !job.record.moves().empty() || !job.record.setup().empty();
    case Want::DeadList:
    case Want::AliveList:
    case Want::SekiList:
    case Want::FinalScore:
      return true;  // some engines do not list these commands
    case Want::Raw:
      return job.command != "get_komi" && !job.command.starts_with("estimate_score");
  }
  return false;
}

// The engine's side pays for what its engine thought, and for nothing else.
void PoolWorld::check_searched(const OpenJob& job, const pool::JobDone& done) const {
  const auto since = now_ - job.submitted;
  if (done.searched < 0ns || done.searched > since) fail("more time was paid than has passed");
  const bool is_plain = job.searches == 1 && job.moved == 0 && job.has_answer &&
                        job.job.want != Want::Analyze &&
                        !std::holds_alternative<pool::JobFailure>(done.result);
  if (is_plain && done.searched != job.search_to - job.search_from) {
    fail("job " + std::to_string(done.job.value) + " pays " +
         std::to_string(done.searched.count()) + " ns for a search of " +
         std::to_string((job.search_to - job.search_from).count()));
  }
}

void PoolWorld::go_on(const OpenJob& job, const pool::JobResult& result) {
  if (!job.slot || *job.slot >= games_.size()) return;
  PoolGame* game = games_[*job.slot].get();
  const bool is_move = job.job.want == Want::Genmove || job.job.want == Want::CleanupGenmove ||
                       job.job.want == Want::GenmoveAnalyze;
  if (game != nullptr && game->id() == job.job.game) {
    if (const auto* move = std::get_if<pool::EngineMove>(&result); move != nullptr && is_move) {
      const bool is_played = game->take(*move, job.job.color, job.job.record.moves().size());
      ++counts[is_played ? "moves played" : "moves dropped"];
    } else if (const auto* stones = std::get_if<pool::EngineStones>(&result);
               stones != nullptr && job.job.want == Want::FreeHandicap) {
      game->take_handicap(*stones);
    }
  }
  if (--open_of_slot_[*job.slot] > 0) return;
  const bool has_failed = std::holds_alternative<pool::JobFailure>(result);
  Event event;
  event.kind = Event::Kind::GameTurn;
  event.number = *job.slot;
  event.season = season_;
  after(has_failed ? micros(1'000, 200'000)
                   : Micros(dice_.below(static_cast<std::uint64_t>(pace_.count()))),
        std::move(event));
}

}  // namespace tengen::sim
