// See engine.h. One write at a time: a job's commands all go out together, and the next job starts
// only when every answer of this one has come. What a job needs is in engine_search.cc.
#include "pool/engine.h"

#include <algorithm>

#include "pool/require.h"
#include "pool/verdict.h"

namespace tengen::pool {
namespace {

constexpr std::size_t kNameBytesMax = 80;

bool is_at_work(EngineState state) {
  return state == EngineState::Searching || state == EngineState::Streaming ||
         state == EngineState::Interrupting;
}

bool may_follow(EngineState from, EngineState to) {
  switch (to) {
    case EngineState::Starting:
      return false;
    case EngineState::Idle:
      return from == EngineState::Starting || is_at_work(from);
    case EngineState::Searching:
    case EngineState::Streaming:
      return from == EngineState::Idle;
    case EngineState::Interrupting:
      return from == EngineState::Searching || from == EngineState::Streaming;
    case EngineState::Stopping:
      return from != EngineState::Stopping && from != EngineState::Gone;
    case EngineState::Gone:
      return from != EngineState::Gone;
  }
  return false;
}

std::vector<std::string> command_line(const Profile& profile, std::size_t variant) {
  std::vector<std::string> argv = profile.command;
  if (variant < profile.variants.size()) {
    const auto& more = profile.variants[variant].arguments;
    argv.insert(argv.end(), more.begin(), more.end());
  }
  return argv;
}

}  // namespace

Engine::Engine(EngineId id, std::shared_ptr<const Profile> profile, std::size_t variant,
               Roster& roster, TeamStats& stats, TimePoint now, Effects& out, CommandWriter writer)
    : id_(id),
      profile_(std::move(profile)),
      variant_(variant),
      roster_(&roster),
      stats_(&stats),
      spawned_at_(now),
      deadline_(now + profile_->start_limit),
      writer_(writer) {
  roster_->enter(state_);
  ++stats_->spawned;
  out.emplace_back(Spawn{id_, command_line(*profile_, variant_), profile_->directory,
                         profile_->environment, profile_->process, profile_->memory_max_bytes > 0});
}

Engine::~Engine() {
  if (state_ == EngineState::Idle) roster_->remove_idle(*this);
  roster_->leave(state_);
}

void Engine::move_to(EngineState next) {
  require(may_follow(state_, next), "an engine's states follow each other");
  if (state_ == EngineState::Idle) roster_->remove_idle(*this);
  if (next == EngineState::Idle) roster_->add_idle(*this);
  roster_->leave(state_);
  roster_->enter(next);
  state_ = next;
}

void Engine::on_spawned(int pid, TimePoint, Effects& out) {
  if (state_ != EngineState::Starting || pid_ != 0) return;
  pid_ = pid;
  std::string bytes;
  ask(Step::Name, "name", bytes);
  ask(Step::Version, "version", bytes);
  ask(Step::Commands, "list_commands", bytes);
  ask(Step::Protocol, "protocol_version", bytes);  // and the fence behind the list
  out.emplace_back(Write{id_, std::move(bytes)});
}

std::uint32_t Engine::ask(Step step, std::string command, std::string& bytes) {
  if (!is_awaiting()) {
    awaited_.clear();
    next_awaited_ = 0;
  }
  const std::uint32_t id = writer_.write(command, bytes);
  awaited_.push_back({id, step, std::move(command)});
  ++stats_->commands;
  return id;
}

Progress Engine::on_output(std::string_view bytes, TimePoint now, Effects& out) {
  Progress progress;
  if (state_ == EngineState::Stopping || state_ == EngineState::Gone) return progress;
  answers_.clear();
  reader_.feed(bytes, answers_);
  note_noise(out);
  for (const Answer& answer : answers_) {
    take_answer(answer, now, out, progress);
    if (!progress.broken.empty()) return progress;
  }
  if (!reader_.lost().empty()) {
    break_off(Fault::Tainted, std::string(reader_.lost()), now, out, progress);
  }
  return progress;
}

void Engine::note_noise(Effects& out) {
  const std::uint64_t lines = reader_.noise_lines();
  if (lines == noise_counted_) return;
  stats_->noise_lines += lines - noise_counted_;
  if (noise_counted_ == 0) {
    out.emplace_back(Note{Note::Level::Info, id_,
                          profile_->name + " writes lines that are no answers, e.g. '" +
                              printable(reader_.first_noise()) + "'; they are ignored"});
  }
  noise_counted_ = lines;
}

void Engine::take_answer(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  if (!is_awaiting() || answer.id != front().id) {
    return take_foreign(answer, now, out, progress);
  }
  if (answer.is_update) return take_update(answer, now, out, progress);
  const Awaited asked = std::move(awaited_[next_awaited_++]);
  switch (asked.step) {
    case Step::Protocol:
    case Step::Name:
    case Step::Version:
    case Step::Commands:
      return take_handshake(asked.step, answer, now, out, progress);
    case Step::Verify:
      take_board(answer, now, out, progress);
      await_next(now);
      tell_begun(out);
      return stop_if_unwanted(now, out);
    case Step::Base:
    case Step::Undo:
    case Step::Play:
    case Step::Time:
    case Step::Seed:
      take_sync(asked, answer, out);
      await_next(now);
      tell_begun(out);
      return stop_if_unwanted(now, out);
    case Step::Search:
      return take_search(answer, now, out, progress);
    case Step::Stop:
    case Step::Fence:
      return take_last(answer, now, out, progress);
  }
}

// An id that was answered before: some engines answer a command twice, and what is said twice may
// have been done twice. Anything else means that answers and commands no longer belong together.
void Engine::take_foreign(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  const bool was_asked = answer.id != 0 && answer.id <= writer_.last_id();
  const bool is_due_later = is_awaiting() && answer.id > front().id;  // see keep_ids_ascending
  if (!was_asked || is_due_later || ++late_answers_ > Limits::kLateAnswersMax) {
    const std::string due =
        is_awaiting() ? std::to_string(front().id) + " was due" : "none was due";
    return break_off(Fault::Tainted,
                     "an answer with id " + std::to_string(answer.id) + " where " + due + ": '" +
                         printable(answer.text) + "'",
                     now, out, progress);
  }
  ++stats_->late_answers;
  mirror_.reset();
  if (is_at_work(state_)) void_rest(out);
}

// Engines differ in which of the four they know; only the framing of the answers matters.
void Engine::take_handshake(Step step, const Answer& answer, TimePoint now, Effects& out,
                            Progress& progress) {
  const auto list = [&](const std::string& text) {
    for (const std::string_view word : words(text)) commands_.emplace_back(word);
  };
  if (step == Step::Commands && answer.is_success) list(answer.text);
  if (step == Step::Name && answer.is_success) name_ = printable(answer.text, kNameBytesMax);
  if (step == Step::Version && answer.is_success) version_ = printable(answer.text, kNameBytesMax);
  if (step != Step::Protocol) return;
  if (!commands_.empty()) list(answer.before);  // the list may have had an empty line
  std::sort(commands_.begin(), commands_.end());
  note_what_it_lacks(out);
  start_time_ = now - spawned_at_;
  ++stats_->ready;
  progress.is_ready = true;
  rest(now);
}

void Engine::note_what_it_lacks(Effects& out) {
  unwilling_.handicap = !knows(kHandicapCommand);
  unwilling_.time = !knows("time_left");
  if (!unwilling_.time || profile_->clock == ClockDialect::None) return;
  out.emplace_back(Note{Note::Level::Info, id_,
                        profile_->name + " does not list 'time_left' and is not told the time"});
}

void Engine::rest(TimePoint now) {
  move_to(EngineState::Idle);
  deadline_.reset();
  search_from_.reset();
  ending_ = Ending::None;
  idle_since_ = now;
}

void Engine::break_off(Fault fault, std::string reason, TimePoint now, Effects& out,
                       Progress& progress) {
  if (work_) work_->searched = searched(now);
  move_to(EngineState::Stopping);
  deadline_.reset();
  search_from_.reset();
  out.emplace_back(Kill{id_});
  progress.fault = fault;
  progress.broken = std::move(reason);
}

Progress Engine::on_deadline(TimePoint now, Effects& out) {
  Progress progress;
  if (!deadline_ || now < *deadline_) return progress;
  if (state_ == EngineState::Stopping) {
    deadline_.reset();
    out.emplace_back(Kill{id_});
  } else if (!is_awaiting()) {
    break_off(Fault::Late,
              "it did not start within " + std::to_string(profile_->start_limit.count()) + " ms",
              now, out, progress);
  } else if (state_ == EngineState::Streaming && work_->stream_until &&
             now >= *work_->stream_until) {
    interrupt(Interruption::AtLimit, now, out);
  } else {
    const Awaited& asked = front();
    is_out_of_time_ = asked.step == Step::Search && is_clock_short();
    break_off(Fault::Late,
              "no answer to '" + asked.command + "' within " +
                  std::to_string(limit_of(asked.step).count()) + " ms",
              now, out, progress);
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
    case Step::Search:
      return search_limit();
    case Step::Base:
    case Step::Undo:
    case Step::Play:
    case Step::Verify:
    case Step::Time:
    case Step::Seed:
    case Step::Stop:
    case Step::Fence:
      break;
  }
  return profile_->answer_limit;
}

// An engine that is being stopped has the time of any answer to let go.
void Engine::await_next(TimePoint now) {
  if (!is_awaiting() || !is_at_work(state_)) return;
  if (state_ == EngineState::Interrupting) {
    deadline_ = now + profile_->answer_limit;
    return;
  }
  if (front().step == Step::Search) search_from_ = now;
  deadline_ = now + limit_of(front().step);
  if (front().step == Step::Search && work_->stream_until) {
    deadline_ = std::min(*deadline_, *work_->stream_until);
  }
}

void Engine::quit(TimePoint now, Effects& out) {
  std::string bytes;
  writer_.write("quit", bytes);
  out.emplace_back(Write{id_, std::move(bytes)});
  out.emplace_back(CloseInput{id_});
  if (work_) work_->searched = searched(now);
  move_to(EngineState::Stopping);
  deadline_ = now + Limits::kQuitGrace;
}

void Engine::on_gone(TimePoint now) {
  if (work_ && is_at_work(state_)) work_->searched = searched(now);
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
  stats_->error_bytes += bytes.size();
  const std::size_t total = error_tail_.size() + bytes.size();
  if (total > kMax) stats_->error_bytes_dropped += total - kMax;
  if (bytes.size() > kMax) bytes.remove_prefix(bytes.size() - kMax);
  const std::size_t kept = error_tail_.size() + bytes.size();
  if (kept > kMax) error_tail_.erase(0, kept - kMax);
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
  const bool works = is_at_work(state_);
  if (works != (work_ != nullptr)) return who + ": exactly an engine at work has a job";
  if (works && !is_awaiting()) return who + ": an engine at work awaits an answer";
  if (works && !deadline_) return who + ": work has a time limit";
  if (state_ == EngineState::Idle && is_awaiting()) return who + ": an idle engine awaits nothing";
  if (state_ == EngineState::Starting && !deadline_) return who + ": a start has a time limit";
  if (state_ == EngineState::Streaming && !is_stream(work_->job.want)) {
    return who + ": only streams stream";
  }
  return std::nullopt;
}

}  // namespace tengen::pool
