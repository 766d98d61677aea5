// An engine at work: the commands of a job, and what their answers mean for the mirror. A `?` to
// any of them means that the search runs on a position that nobody meant: nothing that the write
// still answers counts, and the next write is a full replay.
#include <algorithm>
#include <utility>

#include "pool/board_check.h"
#include "pool/clock_commands.h"
#include "pool/engine.h"
#include "pool/require.h"
#include "pool/search_time.h"
#include "pool/verdict.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Commands of a job beside its sync, at most: looks at the board, the time left, the seed, the
/// search, a stop, a fence.
constexpr std::size_t kCommandsBesideSync = 16;
/// Enough for the opponent's move and a search.
constexpr std::size_t kUsualWriteBytes = 64;

std::string_view first_word(std::string_view command) {
  return command.substr(0, command.find(' '));
}

/// Whether an engine thinks about it in somebody's time and may draw lots for it.
bool is_thought_about(Want want) { return is_move(want) || want == Want::RegGenmove; }

/// The clock as it is now that failed attempts have taken some of the mover's time.
std::optional<JobClock> clock_of(const Work& work) {
  if (!work.job.clock) return std::nullopt;
  return clock_after(*work.job.clock, work.job.color, work.searched);
}

}  // namespace

void Engine::begin(std::unique_ptr<Work> work, TimePoint now, Effects& out) {
  work_ = std::move(work);
  move_to(is_stream(work_->job.want) ? EngineState::Streaming : EngineState::Searching);
  work_->refusals = 0;
  work_->last_refused.clear();
  game_ = work_->job.game;
  begun_at_ = now;
  bad_updates_ = 0;
  ++jobs_begun_;
  if (state_ == EngineState::Streaming && !work_->stream_until) {
    const milliseconds asked = work_->job.analysis.time_max;
    const milliseconds most = profile_->stream_limit;
    work_->stream_until = now + (asked > milliseconds(0) ? std::min(asked, most) : most);
  }
  stats_->wait.add(now - work_->submitted);
  write_job(now, out);
}

void Engine::write_job(TimePoint now, Effects& out) {
  needed_ = position_of(work_->job, *profile_, unwilling_, std::move(needed_));
  SyncPlan plan = plan_sync(mirror_, needed_, *profile_, unwilling_);
  is_replay_ = !plan.base.empty();
  count_sync(plan);
  keep_ids_ascending(plan);
  std::string bytes;
  bytes.reserve(kUsualWriteBytes);
  for (std::string& command : plan.base) ask(Step::Base, std::move(command), bytes);
  for (std::size_t i = 0; i < plan.undos; ++i) ask(Step::Undo, "undo", bytes);
  for (std::size_t i = plan.first_move; i < needed_.moves.size(); ++i) {
    ask(Step::Play, play_command(needed_.moves[i], needed_.size), bytes);
  }
  write_before_search(bytes);
  const std::uint32_t id = ask(Step::Search, take_command(), bytes);
  if (is_text(work_->job.want)) ask(Step::Fence, "protocol_version", bytes);
  reader_.expect_stream(has_updates(work_->job.want) ? id : 0);
  if (is_replay_) mirror_.reset();
  is_void_ = false;
  search_from_.reset();
  written_at_ = now;
  out.emplace_back(Write{id_, std::move(bytes)});
  await_next(now);
  tell_begun(out);
}

// Answers are told from each other by their ids, so those of a job must ascend. Nothing is awaited
// when a job is written.
void Engine::keep_ids_ascending(const SyncPlan& plan) {
  const std::size_t commands = plan.base.size() + plan.undos +
                               (needed_.moves.size() - plan.first_move) + kCommandsBesideSync;
  if (Limits::kCommandIdMax - writer_.last_id() < commands) writer_ = CommandWriter();
}

void Engine::count_sync(const SyncPlan& plan) {
  if (!plan.base.empty()) {
    ++stats_->syncs_replayed;
  } else if (plan.undos > 0) {
    ++stats_->syncs_undone;
  } else {
    ++stats_->syncs_continued;
  }
}

void Engine::write_before_search(std::string& bytes) {
  const Job& job = work_->job;
  board_said_.clear();
  is_look_refused_ = false;
  if (is_time_to_verify()) {
    for (std::string& command : verify_commands(profile_->verify)) {
      ask(Step::Verify, std::move(command), bytes);
    }
  }
  if (!is_thought_about(job.want)) return;
  const auto clock = clock_of(*work_);
  if (clock && !unwilling_.time) {
    for (std::string& command : time_left_commands(*profile_, told_clock(*clock, job.color))) {
      ask(Step::Time, std::move(command), bytes);
    }
  }
  if (!profile_->seed_command.empty()) {
    if (!profile_->forget_command.empty()) ask(Step::Seed, profile_->forget_command, bytes);
    ask(Step::Seed, profile_->seed_command + ' ' + std::to_string(job.seed), bytes);
  }
}

std::string Engine::command_for(const Job& job) const {
  std::string command = search_command(job, *profile_);
  const bool has_stand_in = job.want == Want::CleanupGenmove || job.want == Want::RegGenmove;
  if (!has_stand_in || knows(first_word(command))) return command;
  return profile_->search_command + (job.color == rules::Color::Black ? " B" : " W");
}

std::string Engine::take_command() {
  std::string command = command_for(work_->job);
  const bool is_plain = first_word(command) == profile_->search_command;
  plays_itself_ = is_plain ? profile_->search_plays : work_->job.want != Want::RegGenmove;
  return command;
}

bool Engine::is_time_to_verify() const {
  if (profile_->verify == VerifyBy::None || !can_verify_) return false;
  return is_board_doubtful_ || jobs_begun_ % profile_->verify_every == 0;
}

milliseconds Engine::search_limit() const {
  const Want want = work_->job.want;
  if (is_scoring(want)) return profile_->list_limit;
  if (want == Want::Raw) return profile_->answer_limit;
  const auto clock = is_thought_about(want) ? clock_of(*work_) : std::nullopt;
  if (!clock) return profile_->search_limit;
  const bool is_honoured = profile_->honours_clock && !unwilling_.time;
  return search_time(*clock, work_->job.color, profile_->search_limit,
                     is_honoured ? ClockUse::Honoured : ClockUse::Ignored);
}

bool Engine::is_clock_short() const {
  return is_thought_about(work_->job.want) && search_limit() < profile_->search_limit;
}

nanoseconds Engine::searched(TimePoint now) const {
  nanoseconds total = work_->searched;
  if (search_from_ && !is_void_) total += now - *search_from_;
  return total;
}

void Engine::take_sync(const Awaited& asked, const Answer& answer, Effects& out) {
  if (is_void_) return;
  if (answer.is_success) return advance_mirror(asked);
  ++stats_->refusals;
  ++work_->refusals;
  if (asked.step == Step::Time || asked.command.find("time_settings") != std::string::npos) {
    unwilling_.time = true;
    out.emplace_back(Note{
        Note::Level::Info, id_,
        profile_->name + " refuses '" + asked.command + "' and is not told the time any more"});
  } else if (asked.command.starts_with(kHandicapCommand)) {
    unwilling_.handicap = true;
  } else if (work_->last_refused == asked.command) {
    work_->refusals = Limits::kRefusalsPerJobMax;
  }
  work_->last_refused = asked.command;
  void_rest(out);
}

// A stream would go on for ever, so it is fenced off at once; a search is waited out.
void Engine::void_rest(Effects& out) {
  mirror_.reset();
  if (is_void_) return;
  is_void_ = true;
  if (state_ != EngineState::Streaming) return;
  std::string bytes;
  ask(Step::Fence, "protocol_version", bytes);
  out.emplace_back(Write{id_, std::move(bytes)});
}

void Engine::advance_mirror(const Awaited& asked) {
  switch (asked.step) {
    case Step::Undo:
      mirror_->moves.pop_back();
      return;
    case Step::Play:
      mirror_->moves.push_back(needed_.moves[mirror_->moves.size()]);
      return;
    case Step::Base:
      break;
    default:
      return;
  }
  // The base is known to be there when its last answer has come.
  if (is_awaiting() && front().step == Step::Base) return;
  mirror_ = needed_;
  mirror_->moves.clear();
}

void Engine::take_board(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  if (is_void_) return;
  if (!answer.is_success) {
    is_look_refused_ = true;
    can_verify_ = ++looks_refused_ < Limits::kLooksRefusedMax;
  }
  board_said_.push_back(answer.text);
  if (is_awaiting() && front().step == Step::Verify) return;
  if (is_look_refused_) return;
  looks_refused_ = 0;
  ++stats_->verified;
  const BoardCheck check = check_board(profile_->verify, board_said_, work_->job.record.board());
  is_board_doubtful_ = check == BoardCheck::Different;
  if (check == BoardCheck::Same) return;
  if (check == BoardCheck::Unreadable) {
    can_verify_ = false;
    out.emplace_back(Note{Note::Level::Warning, id_,
                          profile_->name + " shows its board in a way that cannot be read: '" +
                              printable(answer.text) + "'"});
    return;
  }
  ++stats_->verify_mismatches;
  if (is_replay_) {
    return break_off(Fault::Tainted, "its board is not the game's, right after a replay", now, out,
                     progress);
  }
  out.emplace_back(Note{Note::Level::Warning, id_,
                        profile_->name + "'s board is not the game's; it is replayed"});
  void_rest(out);
}

void Engine::take_update(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  if (is_void_ || state_ == EngineState::Interrupting || work_->is_told) return;
  const Job& job = work_->job;
  auto read = read_analysis(profile_->analysis, answer.text, job.record.size(), job.color);
  await_silence(now);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    if (++bad_updates_ < Limits::kBadUpdatesMax) return;
    return break_off(Fault::Tainted, "an analysis that cannot be read: " + *problem, now, out,
                     progress);
  }
  auto analysis = std::make_shared<const Analysis>(std::get<Analysis>(std::move(read)));
  const std::uint64_t visits = analysis->visits;
  ++stats_->updates;
  ++work_->updates;
  out.emplace_back(AnalysisUpdate{job.id, std::move(analysis)});
  const bool is_enough = job.analysis.visits_max > 0 && visits >= job.analysis.visits_max;
  if (is_enough && state_ == EngineState::Streaming) interrupt(Interruption::AtLimit, now, out);
}

// A stream that says nothing for as long as a search may take has hung.
void Engine::await_silence(TimePoint now) {
  if (state_ != EngineState::Streaming) return;
  deadline_ = std::min(now + search_limit(), *work_->stream_until);
}

void Engine::take_search(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  reader_.expect_stream(0);
  auto result = read_result(work_->job, answer);
  if (!is_void_ && result) play_on_mirror(*result);
  if (!is_void_ && !result && plays_itself_) mirror_.reset();
  if (is_awaiting()) {  // a stop or a fence is on its way
    result_ = std::move(result);
    text_said_ = answer.is_success ? std::optional(answer.text) : std::nullopt;
    if (is_text(work_->job.want)) end_search_time(now);  // the fence is no part of it
    return await_next(now);
  }
  if (is_void_ && !work_->is_told) return write_again(now, out, progress);
  take_result(std::move(result), answer.text, now, out, progress);
}

void Engine::take_result(std::optional<JobResult> result, std::string_view said, TimePoint now,
                         Effects& out, Progress& progress) {
  if (work_->is_told) return finish(AnalysisEnd{}, now, progress);
  if (!result) {
    return break_off(Fault::Tainted,
                     "rubbish as the answer to " + search_command(work_->job, *profile_) + ": '" +
                         printable(said) + "'",
                     now, out, progress);
  }
  finish(std::move(*result), now, progress);
}

void Engine::play_on_mirror(const JobResult& result) {
  if (!mirror_ || !plays_itself_) return;
  const rules::Color color = work_->job.color;
  if (const auto* move = std::get_if<EngineMove>(&result)) {
    if (move->kind == EngineMove::Kind::Resign) return;
    const bool is_pass = move->kind == EngineMove::Kind::Pass;
    const rules::Move made =
        is_pass ? rules::Move::pass(color) : rules::Move::play(color, move->point);
    // Nobody knows what an engine does with an illegal move of its own.
    if ((*work_->job.record).check(made) != rules::Refusal::None) return mirror_.reset();
    mirror_->moves.push_back(made);
  } else if (work_->job.want == Want::FreeHandicap) {
    const auto* stones = std::get_if<EngineStones>(&result);
    if (stones == nullptr) return mirror_.reset();
    for (const rules::Point point : stones->points) {
      mirror_->setup.push_back({rules::Color::Black, point});
    }
  }
}

// What an engine wrote between a text's first empty line and the fence behind it belongs to the
// text, if it makes sense there; else it is noise.
std::optional<JobResult> Engine::with_rest(std::optional<JobResult> result, const std::string& said,
                                           const std::string& rest) {
  if (rest.empty()) return result;
  Answer whole;
  whole.text = said + '\n' + rest;
  auto longer = read_result(work_->job, whole);
  return longer ? std::move(longer) : std::move(result);
}

// The answer to what stopped a job, or to the fence behind a text.
void Engine::take_last(const Answer& answer, TimePoint now, Effects& out, Progress& progress) {
  if (is_awaiting()) return await_next(now);
  auto result = std::exchange(result_, std::nullopt);
  if (work_->is_told) return finish(AnalysisEnd{}, now, progress);
  if (ending_ == Ending::Preempted) {
    progress.preempted = std::move(work_);
    progress.preempted_cost = now - begun_at_;
    return rest(now);
  }
  if (is_void_) return write_again(now, out, progress);
  if (ending_ == Ending::None && is_text(work_->job.want)) {
    const auto said = std::exchange(text_said_, std::nullopt);
    if (said) result = with_rest(std::move(result), *said, answer.before);
    return take_result(std::move(result), said.value_or(std::string()), now, out, progress);
  }
  if (ending_ == Ending::None && result) return finish(std::move(*result), now, progress);
  finish(AnalysisEnd{}, now, progress);
}

// A refusal may have come from a board that had drifted, so a full replay is tried before the game
// is told.
void Engine::write_again(TimePoint now, Effects& out, Progress& progress) {
  mirror_.reset();
  if (state_ == EngineState::Interrupting) {
    finish(AnalysisEnd{}, now, progress);
  } else if (work_->refusals < Limits::kRefusalsPerJobMax) {
    write_job(now, out);
  } else {
    finish(JobFailure{JobError::PositionRefused, "the engine refused '" + work_->last_refused + "'",
                      milliseconds(0)},
           now, progress);
  }
}

void Engine::interrupt(Interruption why, TimePoint now, Effects& out) {
  require(state_ == EngineState::Streaming, "only streams are interrupted");
  end_stream(why == Interruption::AtLimit ? Ending::AtLimit : Ending::Preempted, now, out);
}

void Engine::end_stream(Ending ending, TimePoint now, Effects& out) {
  move_to(EngineState::Interrupting);
  ending_ = ending;
  const bool is_fenced = is_awaiting() && awaited_.back().step == Step::Fence;
  if (!is_fenced) {
    std::string bytes;
    ask(Step::Fence, "protocol_version", bytes);
    out.emplace_back(Write{id_, std::move(bytes)});
  }
  await_next(now);
}

Progress Engine::abandon(Abandon how, TimePoint now, Effects& out) {
  Progress progress;
  if (state_ == EngineState::Interrupting) return progress;
  if (state_ == EngineState::Streaming) {
    end_stream(Ending::Unwanted, now, out);
  } else if (can_be_stopped()) {
    if (search_from_) stop_search(now, out);  // else as soon as it has begun
  } else if (how == Abandon::MayKill) {
    break_off(Fault::Unwanted, "nobody wants its search any more", now, out, progress);
  }
  return progress;
}

bool Engine::can_be_stopped() const {
  return profile_->cancel == CancelBy::Stop && is_stoppable(work_->job.want);
}

// A search whose position was refused does not count, so that nobody pays for it.
void Engine::tell_begun(Effects& out) const {
  const bool has_begun = state_ == EngineState::Searching && front().step == Step::Search;
  if (!has_begun || is_void_ || work_->is_told || !work_->job.clock) return;
  out.emplace_back(SearchBegun{work_->job.id});
}

// For a job that was cancelled while the engine was still on its way to the position.
void Engine::stop_if_unwanted(TimePoint now, Effects& out) {
  const bool has_begun = state_ == EngineState::Searching && front().step == Step::Search;
  if (has_begun && work_->is_told && can_be_stopped()) stop_search(now, out);
}

// A line that begins with '#' has no answer: the search's own says that it took effect.
void Engine::stop_search(TimePoint now, Effects& out) {
  move_to(EngineState::Interrupting);
  ending_ = Ending::Unwanted;
  std::string bytes;
  if (profile_->stop_command.starts_with('#')) {
    bytes = profile_->stop_command + '\n';
  } else {
    ask(Step::Stop, profile_->stop_command, bytes);
  }
  out.emplace_back(Write{id_, std::move(bytes)});
  await_next(now);
}

void Engine::end_search_time(TimePoint now) {
  if (!search_from_) return;
  stats_->sync.add(*search_from_ - written_at_);
  stats_->search.add(now - *search_from_);
  work_->searched = searched(now);
  search_from_.reset();
}

void Engine::finish(JobResult result, TimePoint now, Progress& progress) {
  Finished finished{nullptr, std::move(result), searched(now), now - begun_at_};
  end_search_time(now);
  if (auto* end = std::get_if<AnalysisEnd>(&finished.result)) end->updates = work_->updates;
  finished.work = std::move(work_);
  ++jobs_finished_;
  progress.finished = std::move(finished);
  rest(now);
}

}  // namespace tengen::pool
