#include "daemon/virtual_engine.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "daemon/check.h"
#include "daemon/seeds.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::GtpResult;

constexpr std::uint64_t kVirtualJobs = std::uint64_t{1} << 63;

// The engine's affinity in the pool. No game has a name from before 1970's first millisecond.
rules::GameId pool_name(std::uint32_t number) { return {0, number}; }

ErrorCode code_of(pool::JobError error) {
  switch (error) {
    case pool::JobError::UnknownProfile:
      return ErrorCode::UnknownProfile;
    case pool::JobError::EnginesFailed:
    case pool::JobError::PositionRefused:
    case pool::JobError::NotSupported:
      return ErrorCode::EngineCannotPlay;
    case pool::JobError::QueueFull:
    case pool::JobError::ProfileFailed:
    case pool::JobError::Expired:
    case pool::JobError::Cancelled:
    case pool::JobError::Draining:
      break;
  }
  return ErrorCode::Unavailable;
}

Error error_of(const pool::JobFailure& failure) {
  constexpr std::int64_t kRetryMax = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t retry = std::clamp<std::int64_t>(failure.retry_after.count(), 0, kRetryMax);
  std::string text(name_of(failure.error));
  std::string reason = text;
  std::replace(reason.begin(), reason.end(), ' ', '-');  // a reason is one word
  if (!failure.detail.empty()) text += ": " + failure.detail;
  return {code_of(failure.error),
          std::move(reason),
          std::move(text),
          static_cast<std::uint32_t>(retry),
          {}};
}

protocol::GtpMove::Kind kind_of(pool::EngineMove::Kind kind) {
  switch (kind) {
    case pool::EngineMove::Kind::Play:
      return protocol::GtpMove::Kind::Place;
    case pool::EngineMove::Kind::Pass:
      return protocol::GtpMove::Kind::Pass;
    case pool::EngineMove::Kind::Resign:
      break;
  }
  return protocol::GtpMove::Kind::Resign;
}

}  // namespace

Error no_virtual_engine() {
  return {
      ErrorCode::UnknownEngine, "engine", "there is no such virtual engine, or no longer", 0, {}};
}

VirtualEngine::VirtualEngine(Identity identity, VirtualEngineSpec spec, VirtualBoard board,
                             const VirtualEngineLimits& limits)
    : identity_(identity),
      spec_(std::move(spec)),
      limits_(limits),
      board_(std::move(board)),
      kept_(limits.answers_kept_max, limits.answer_bytes_kept_max) {
  check((identity_.number >> 31) == 0, "a virtual engine's number has 31 bits");
}

void VirtualEngine::on_call(VirtualCall sent, const EngineFacts& facts, VirtualEffects& out) {
  const auto refuse = [&](Error error) { out.replies.push_back({sent.caller, std::move(error)}); };
  if (is_over_) return refuse(no_virtual_engine());
  auto decoded = protocol::decode_gtp_call(sent.method, sent.request);
  if (auto* error = std::get_if<Error>(&decoded)) return refuse(std::move(*error));
  if (auto* reply = std::get_if<protocol::GtpReply>(&decoded)) {
    out.replies.push_back({sent.caller, std::move(*reply)});
    return;
  }
  auto& call = std::get<protocol::GtpCall>(decoded);
  if (!sent.request_id.empty() && join(call, sent, out)) return;
  if (waiting() >= limits_.calls_waiting_max) {
    return refuse({ErrorCode::LimitReached, "calls_waiting_max", "wait for answers", 0, {}});
  }
  queue_.push_back({std::move(call), std::move(sent.request_id), {sent.caller}});
  run(facts, out);
}

// Whether the request was made before: its answer is the first one's, now or once that is there.
bool VirtualEngine::join(const protocol::GtpCall& call, const VirtualCall& sent,
                         VirtualEffects& out) {
  const auto waiting_one = std::find_if(queue_.begin(), queue_.end(), [&](const Waiting& each) {
    return each.request_id == sent.request_id;
  });
  const bool is_waiting = waiting_one != queue_.end();
  const KeptAnswers::Kept* kept = is_waiting ? nullptr : kept_.find(sent.request_id);
  if (!is_waiting && kept == nullptr) return false;
  const protocol::GtpCall& first = is_waiting ? waiting_one->call : kept->call;
  if (first != call) {
    out.replies.push_back({sent.caller, Error{ErrorCode::RequestIdConflict,
                                              "request_id",
                                              "this request_id has been used for another call",
                                              0,
                                              {}}});
  } else if (!is_waiting) {
    out.replies.push_back({sent.caller, kept->reply});
  } else if (waiting() >= limits_.calls_waiting_max) {
    out.replies.push_back(
        {sent.caller,
         Error{ErrorCode::LimitReached, "calls_waiting_max", "wait for answers", 0, {}}});
  } else {
    waiting_one->callers.push_back(sent.caller);
  }
  return true;
}

// Answers what can be answered, up to the call that needs an engine.
void VirtualEngine::run(const EngineFacts& facts, VirtualEffects& out) {
  while (!awaited_ && !queue_.empty()) {
    const protocol::GtpCallBody& body = queue_.front().call.body;
    const bool is_quit = std::holds_alternative<protocol::GtpQuit>(body);
    Outcome outcome = board_.carry_out(body, facts);
    if (auto* work = std::get_if<EngineWork>(&outcome)) {
      illegal_answers_ = 0;
      ask(std::move(*work), out);
    } else {
      answer_first(std::get<GtpResult>(outcome), out);
    }
    if (is_quit) return end(out);
  }
}

void VirtualEngine::answer_first(const GtpResult& result, VirtualEffects& out) {
  Waiting done = std::move(queue_.front());
  queue_.pop_front();
  protocol::GtpAnswer answer = protocol::encode_gtp_result(done.call, result);
  for (const Caller& caller : done.callers) out.replies.push_back({caller, answer});
  auto* reply = std::get_if<protocol::GtpReply>(&answer);
  if (reply == nullptr || done.request_id.empty()) return;
  kept_.keep({std::move(done.request_id), std::move(done.call), std::move(*reply)});
}

// Asked again on the same position, an engine is seeded as it was before, but after a refusal.
void VirtualEngine::ask(EngineWork work, VirtualEffects& out) {
  const std::uint64_t number = std::uint64_t{identity_.number} << 32;
  const pool::JobId id{kVirtualJobs | number | ++jobs_made_};
  awaited_ = id;
  pool::Job job{id,
                pool_name(identity_.number),
                spec_.profile,
                spec_.settings,
                pool::SharedRecord(board_.shared_record()),
                spec_.rules,
                board_.komi_half(),
                work.color,
                work.want,
                engine_seed(identity_.seed, {board_.record().moves().size(), illegal_answers_})};
  job.client = spec_.client;
  if (work.want == pool::Want::Raw) job.priority = pool::Priority::Question;
  job.command = std::move(work.command);
  out.submit.push_back(std::move(job));
}

void VirtualEngine::on_job_done(const pool::JobDone& done, const EngineFacts& facts,
                                VirtualEffects& out) {
  if (!awaited_ || *awaited_ != done.job) return;
  awaited_.reset();
  const Result result = judge(done.result, out);
  if (!result) return;
  answer_first(*result, out);
  run(facts, out);
}

// Nothing when the engine is asked again.
VirtualEngine::Result VirtualEngine::judge(const pool::JobResult& result, VirtualEffects& out) {
  const protocol::GtpCallBody& body = queue_.front().call.body;
  const auto* failure = std::get_if<pool::JobFailure>(&result);
  if (const auto* genmove = std::get_if<protocol::GtpGenMove>(&body)) {
    if (failure != nullptr) return error_of(*failure);
    const auto* move = std::get_if<pool::EngineMove>(&result);
    check(move != nullptr, "a search ends with a move or a failure");
    return judge_move(genmove->color, *move, out);
  }
  // Allowed it was; what the pool refuses cannot be sent, such as a line that is too long.
  if (failure != nullptr && failure->error == pool::JobError::NotSupported) {
    return protocol::GtpRefused{failure->detail};
  }
  if (failure != nullptr) return error_of(*failure);
  const auto* text = std::get_if<pool::EngineText>(&result);
  check(text != nullptr, "a raw command ends with a text or a failure");
  if (!text->is_success) return protocol::GtpRefused{text->text};
  return protocol::GtpText{text->text};
}

VirtualEngine::Result VirtualEngine::judge_move(rules::Color color, const pool::EngineMove& move,
                                                VirtualEffects& out) {
  const rules::Refusal refusal = board_.take(color, move);
  if (refusal == rules::Refusal::None) {
    return protocol::GtpMove{kind_of(move.kind), color, move.point, board_.record().size()};
  }
  if (++illegal_answers_ < kVirtualIllegalAnswersMax) {
    ask({pool::Want::Genmove, color, {}}, out);
    return std::nullopt;
  }
  return Error{ErrorCode::EngineCannotPlay,
               "illegal-move",
               "the engine answers with illegal moves: " + std::string(name_of(refusal)),
               0,
               {}};
}

void VirtualEngine::end(VirtualEffects& out) {
  is_over_ = true;
  if (awaited_) out.cancel.push_back(*awaited_);
  awaited_.reset();
  for (const Waiting& each : queue_) {
    for (const Caller& caller : each.callers) out.replies.push_back({caller, no_virtual_engine()});
  }
  queue_.clear();
}

std::size_t VirtualEngine::waiting() const {
  std::size_t callers = 0;
  for (const Waiting& each : queue_) callers += each.callers.size();
  return callers;
}

std::optional<std::string> VirtualEngine::broken_invariant() const {
  if (waiting() > limits_.calls_waiting_max) return "more calls wait than may";
  if (awaited_.has_value() == queue_.empty()) return "what waits and what is awaited disagree";
  if (is_over_ && awaited_) return "an engine that is over waits for a job";
  if (kept_.size() > limits_.answers_kept_max && kept_.size() > 1) return "too many kept answers";
  if (kept_.bytes() > limits_.answer_bytes_kept_max && kept_.size() > 1) return "they are too long";
  if (board_.record().moves().size() > limits_.moves_max) return "more moves than may be";
  return std::nullopt;
}

}  // namespace tengen::daemon
