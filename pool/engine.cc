// See engine.h. One write at a time: a job's commands all go out together, and the next job starts
// only when every answer of this one has come.
#include "pool/engine.h"

#include <algorithm>

#include "pool/require.h"
#include "pool/verdict.h"

namespace tengen::pool {
namespace {

constexpr std::size_t kNameBytesMax = 80;

bool may_follow(EngineState from, EngineState to) {
  switch (to) {
    case EngineState::Starting:
      return false;
    case EngineState::Idle:
      return from == EngineState::Starting || from == EngineState::Searching;
    case EngineState::Searching:
      return from == EngineState::Idle;
    case EngineState::Stopping:
      return from != EngineState::Stopping && from != EngineState::Gone;
    case EngineState::Gone:
      return from != EngineState::Gone;
  }
  return false;
}

}  // namespace

Engine::Engine(EngineId id, const Profile& profile, TimePoint now, Effects& out)
    : id_(id), profile_(&profile), deadline_(now + profile.start_limit) {
  out.emplace_back(Spawn{id_, profile.command, profile.directory});
}

void Engine::move_to(EngineState next) {
  require(may_follow(state_, next), "an engine's states follow each other");
  state_ = next;
}

void Engine::on_spawned(int pid, TimePoint, Effects& out) {
  if (state_ != EngineState::Starting || pid_ != 0) return;
  pid_ = pid;
  std::string bytes;
  ask(Step::Protocol, "protocol_version", bytes);
  ask(Step::Name, "name", bytes);
  ask(Step::Version, "version", bytes);
  ask(Step::Commands, "list_commands", bytes);
  out.emplace_back(Write{id_, std::move(bytes)});
}

void Engine::ask(Step step, std::string command, std::string& bytes) {
  const std::uint32_t id = writer_.write(command, bytes);
  awaited_.push_back({id, step, std::move(command)});
}

void Engine::begin(std::unique_ptr<Work> work, TimePoint now, Effects& out) {
  move_to(EngineState::Searching);
  work_ = std::move(work);
  work_->refusals = 0;
  work_->last_refused.clear();
  game_ = work_->job.game;
  needed_ = position_of(work_->job, *profile_);
  write_job(now, out);
}

void Engine::write_job(TimePoint now, Effects& out) {
  const SyncPlan plan = plan_sync(mirror_, needed_, setup_by_);
  std::string bytes;
  for (const std::string& command : plan.base) ask(Step::Base, command, bytes);
  for (std::size_t i = plan.first_move; i < needed_.moves.size(); ++i) {
    ask(Step::Play, play_command(needed_.moves[i], needed_.size), bytes);
  }
  if (work_->job.want == Want::Genmove && !profile_->seed_command.empty()) {
    ask(Step::Seed, profile_->seed_command + ' ' + std::to_string(work_->job.seed), bytes);
  }
  ask(Step::Search, search_command(work_->job), bytes);
  if (!plan.base.empty()) mirror_.reset();
  is_write_refused_ = false;
  out.emplace_back(Write{id_, std::move(bytes)});
  await_next(now);
}

Progress Engine::on_output(std::string_view bytes, TimePoint now, Effects& out) {
  Progress progress;
  if (state_ == EngineState::Stopping || state_ == EngineState::Gone) return progress;
  std::vector<Answer> answers;
  reader_.feed(bytes, answers);
  note_noise(out);
  for (const Answer& answer : answers) {
    take_answer(answer, now, out, progress);
    if (!progress.broken.empty()) return progress;
  }
  if (!reader_.lost().empty()) break_off(std::string(reader_.lost()), out, progress);
  return progress;
}

void Engine::note_noise(Effects& out) {
  if (is_noise_noted_ || reader_.noise_lines() == 0) return;
  is_noise_noted_ = true;
  out.emplace_back(Note{Note::Level::Info, id_,
                        profile_->name + " writes lines that are no answers, e.g. '" +
                            printable(reader_.first_noise()) + "'; they are ignored"});
}

void Engine::take_answer(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  if (awaited_.empty()) {
    return break_off("an answer that nobody asked for: '" + printable(answer.text) + "'", out,
                     progress);
  }
  if (answer.id != awaited_.front().id) {
    return break_off("an answer with id " + std::to_string(answer.id) + " where " +
                         std::to_string(awaited_.front().id) + " was due",
                     out, progress);
  }
  const Awaited asked = std::move(awaited_.front());
  awaited_.pop_front();
  switch (asked.step) {
    case Step::Protocol:
    case Step::Name:
    case Step::Version:
    case Step::Commands:
      return take_handshake(asked.step, answer, now, progress);
    case Step::Base:
    case Step::Play:
    case Step::Seed:
      take_sync(asked, answer);
      return await_next(now);
    case Step::Search:
      return take_search(answer, now, out, progress);
  }
}

// Engines differ in which of the four they know; only the framing of the answers matters.
void Engine::take_handshake(Step step, const Answer& answer, TimePoint now, Progress& progress) {
  if (step == Step::Name && answer.is_success) name_ = printable(answer.text, kNameBytesMax);
  if (step == Step::Version && answer.is_success) version_ = printable(answer.text, kNameBytesMax);
  if (step != Step::Commands) return;
  if (answer.is_success) {
    for (const std::string_view word : words(answer.text)) commands_.emplace_back(word);
    std::sort(commands_.begin(), commands_.end());
  }
  if (!knows(kHandicapCommand)) setup_by_ = SetupBy::Plays;
  move_to(EngineState::Idle);
  deadline_.reset();
  idle_since_ = now;
  progress.is_ready = true;
}

void Engine::take_sync(const Awaited& asked, const Answer& answer) {
  if (is_write_refused_) return;
  if (answer.is_success) return advance_mirror(asked);
  mirror_.reset();
  is_write_refused_ = true;
  ++work_->refusals;
  if (work_->last_refused == asked.command) work_->refusals = Limits::kRefusalsPerJobMax;
  work_->last_refused = asked.command;
  if (asked.command.starts_with(kHandicapCommand)) setup_by_ = SetupBy::Plays;
}

void Engine::advance_mirror(const Awaited& asked) {
  if (asked.step == Step::Seed) return;
  if (asked.step == Step::Play) {
    mirror_->moves.push_back(needed_.moves[mirror_->moves.size()]);
    return;
  }
  // The base is known to be there when its last answer has come.
  if (!awaited_.empty() && awaited_.front().step == Step::Base) return;
  mirror_ = needed_;
  mirror_->moves.clear();
}

void Engine::take_search(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  if (is_write_refused_) return end_refused_write(now, out, progress);
  auto result = read_result(work_->job, answer);
  if (!result) {
    return break_off("rubbish as the answer to " + search_command(work_->job) + ": '" +
                         printable(answer.text) + "'",
                     out, progress);
  }
  const auto* move = std::get_if<EngineMove>(&*result);
  if (move != nullptr && move->kind != EngineMove::Kind::Resign) {
    const bool is_pass = move->kind == EngineMove::Kind::Pass;
    mirror_->moves.push_back(is_pass ? rules::Move::pass(work_->job.color)
                                     : rules::Move::play(work_->job.color, move->point));
  }
  finish(std::move(*result), now, progress);
}

// The search ran on a position that nobody meant: its answer is void. A refusal may have come from
// a board that had drifted, so a full replay is tried before the game is told.
void Engine::end_refused_write(TimePoint now, Effects& out, Progress& progress) {
  mirror_.reset();
  if (!work_->is_told && work_->refusals < Limits::kRefusalsPerJobMax) return write_job(now, out);
  finish(JobFailure{JobError::PositionRefused, "the engine refused '" + work_->last_refused + "'"},
         now, progress);
}

void Engine::finish(JobResult result, TimePoint now, Progress& progress) {
  move_to(EngineState::Idle);
  deadline_.reset();
  idle_since_ = now;
  ++jobs_finished_;
  progress.finished = Finished{std::move(work_), std::move(result)};
}

void Engine::break_off(std::string reason, Effects& out, Progress& progress) {
  move_to(EngineState::Stopping);
  deadline_.reset();
  out.emplace_back(Kill{id_});
  progress.broken = std::move(reason);
}

Progress Engine::on_deadline(TimePoint now, Effects& out) {
  Progress progress;
  if (!deadline_ || now < *deadline_) return progress;
  if (state_ == EngineState::Stopping) {
    deadline_.reset();
    out.emplace_back(Kill{id_});
  } else if (awaited_.empty()) {
    break_off("it did not start within " + std::to_string(profile_->start_limit.count()) + " ms",
              out, progress);
  } else {
    const Awaited& asked = awaited_.front();
    break_off("no answer to '" + asked.command + "' within " +
                  std::to_string(limit_of(asked.step).count()) + " ms",
              out, progress);
  }
  return progress;
}

std::chrono::milliseconds Engine::limit_of(Step step) const {
  switch (step) {
    case Step::Protocol:
    case Step::Name:
    case Step::Version:
    case Step::Commands:
      return profile_->start_limit;
    case Step::Base:
    case Step::Play:
    case Step::Seed:
      return profile_->answer_limit;
    case Step::Search:
      break;
  }
  return work_->job.want == Want::Genmove ? profile_->search_limit : profile_->list_limit;
}

void Engine::await_next(TimePoint now) { deadline_ = now + limit_of(awaited_.front().step); }

void Engine::quit(TimePoint now, Effects& out) {
  std::string bytes;
  writer_.write("quit", bytes);
  out.emplace_back(Write{id_, std::move(bytes)});
  out.emplace_back(CloseInput{id_});
  move_to(EngineState::Stopping);
  deadline_ = now + Limits::kQuitGrace;
}

void Engine::on_gone() {
  move_to(EngineState::Gone);
  deadline_.reset();
}

std::unique_ptr<Work> Engine::take_work() {
  require(state_ == EngineState::Stopping || state_ == EngineState::Gone,
          "only an ending engine gives its job back");
  return std::move(work_);
}

Held Engine::held() const {
  if (!mirror_) return {};
  return {game_, mirror_->size};
}

bool Engine::knows(std::string_view command) const {
  return commands_.empty() || std::binary_search(commands_.begin(), commands_.end(), command);
}

void Engine::on_error_output(std::string_view bytes) {
  constexpr std::size_t kMax = Limits::kErrorTailBytesMax;
  if (bytes.size() > kMax) bytes.remove_prefix(bytes.size() - kMax);
  const std::size_t total = error_tail_.size() + bytes.size();
  if (total > kMax) error_tail_.erase(0, total - kMax);
  error_tail_ += bytes;
}

std::string Engine::error_tail() const {
  std::string_view tail = error_tail_;
  if (tail.size() > Limits::kQuotedBytesMax)
    tail.remove_prefix(tail.size() - Limits::kQuotedBytesMax);
  return printable(tail);
}

std::optional<std::string> Engine::broken_invariant() const {
  const std::string who = "engine " + std::to_string(id_.value);
  const bool is_searching = state_ == EngineState::Searching;
  if (is_searching != (work_ != nullptr)) return who + ": exactly a searching engine has a job";
  if (is_searching && awaited_.empty()) return who + ": a searching engine awaits an answer";
  if (is_searching && !deadline_) return who + ": a search has a time limit";
  if (state_ == EngineState::Idle && !awaited_.empty())
    return who + ": an idle engine awaits nothing";
  if (state_ == EngineState::Starting && !deadline_) return who + ": a start has a time limit";
  return std::nullopt;
}

}  // namespace tengen::pool
