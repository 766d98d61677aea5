#include "daemon/analyses.h"

#include <algorithm>
#include <limits>

#include "daemon/check.h"

namespace tengen::daemon {
namespace {

using protocol::AnalysisEnd;
using protocol::Error;
using protocol::ErrorCode;

/// What the pool knows an analysis by. No game has a name from before 1970's first millisecond, and
/// virtual engines have those with a zero here.
constexpr std::uint64_t kAffinity = 1;

Error limit_reached(std::string reason, std::string message) {
  return {ErrorCode::LimitReached, std::move(reason), std::move(message), 1'000, {}};
}

/// As many as the wire's field holds.
std::uint32_t visits_of(std::uint64_t visits) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(visits, kMost));
}

protocol::Candidate told(const pool::Candidate& candidate, int variation_max) {
  const auto length = std::min(candidate.variation.size(), static_cast<std::size_t>(variation_max));
  return {candidate.visits,
          candidate.winrate,
          candidate.score_lead,
          candidate.prior,
          candidate.lcb,
          {candidate.variation.begin(),
           candidate.variation.begin() + static_cast<std::ptrdiff_t>(length)}};
}

/// What nobody has thought about yet.
protocol::PositionAnalysis untold(const AnalysisPosition& position) {
  protocol::PositionAnalysis empty;
  empty.move = position.move;
  empty.position_seq = position.position_seq;
  empty.size = position.record.size();
  empty.to_move = position.to_move;
  return empty;
}

protocol::PositionAnalysis told(const pool::Analysis& analysis, const AnalysisPosition& position,
                                const protocol::AnalysisDetail& detail) {
  auto result = untold(position);
  result.visits = visits_of(analysis.visits);
  result.winrate = analysis.winrate;
  result.score_lead = analysis.score_lead;
  const auto count =
      std::min(analysis.candidates.size(), static_cast<std::size_t>(detail.moves_max));
  for (std::size_t i = 0; i < count; ++i) {
    result.candidates.push_back(told(analysis.candidates[i], detail.variation_max));
  }
  if (!detail.ownership) return result;
  for (const float owner : analysis.ownership) {
    result.ownership.push_back(std::clamp(owner, -1.0f, 1.0f));
  }
  return result;
}

AnalysisEnd reason_of(pool::JobError error) {
  if (error == pool::JobError::QueueFull || error == pool::JobError::Expired) {
    return AnalysisEnd::Busy;
  }
  return error == pool::JobError::Draining ? AnalysisEnd::Draining : AnalysisEnd::Engine;
}

std::optional<TimePoint> until_of(std::chrono::milliseconds time_max, TimePoint now) {
  if (time_max == std::chrono::milliseconds{0}) return std::nullopt;
  return now + time_max;
}

}  // namespace

std::optional<Error> Analyses::objection(ConnId connection, const Running* shared) const {
  std::uint32_t own = 0;
  for (const auto& [id, running] : running_) {
    for (const auto& each : running.subscribers) own += each.connection == connection ? 1 : 0;
  }
  if (own >= limits_.per_connection_max) {
    return limit_reached("analyses_max", "this connection has too many analyses");
  }
  if (shared == nullptr && running_.size() >= limits_.running_max) {
    return limit_reached("analyses_running_max", "the daemon has too many analyses");
  }
  if (shared != nullptr && shared->subscribers.size() >= limits_.subscribers_max) {
    return limit_reached("analysis_subscribers_max", "too many share this analysis");
  }
  return std::nullopt;
}

Analyses::Running* Analyses::find_shared(rules::GameId game, const AnalysisOrder& order) {
  if (!is_followed(game)) return nullptr;
  for (auto& [id, running] : running_) {
    if (running.is_following && running.game == game && running.order == order) return &running;
  }
  return nullptr;
}

Analyses::Running& Analyses::begin(ConnId connection, AnalysisOrder order,
                                   std::optional<rules::GameId> game, Ticket after) {
  check(last_id_ < std::numeric_limits<std::uint32_t>::max(), "analyses have names to the end");
  Running running;
  running.id = ++last_id_;
  running.order = std::move(order);
  running.client = {connection.value};
  running.game = game;
  running.after = after;
  running.subscribers = {{connection, std::nullopt}};
  return running_.emplace(running.id, std::move(running)).first->second;
}

Analyses::Start Analyses::follow(ConnId connection, AnalysisOrder order, rules::GameId game,
                                 std::optional<AnalysisPosition> position, Ticket after,
                                 std::chrono::milliseconds time_max, TimePoint now,
                                 AnalysisEffects& out) {
  auto* shared = find_shared(game, order);
  if (shared != nullptr) {
    const auto own = std::find_if(
        shared->subscribers.begin(), shared->subscribers.end(),
        [&](const Subscriber& subscriber) { return subscriber.connection == connection; });
    if (own != shared->subscribers.end()) {
      set_time_limit(shared->id, *own, until_of(time_max, now));
      return Begun{shared->id, shared->after};
    }
  }
  if (auto error = objection(connection, shared)) return std::move(*error);
  if (shared != nullptr) {
    shared->subscribers.push_back({connection, std::nullopt});
    set_time_limit(shared->id, shared->subscribers.back(), until_of(time_max, now));
    if (shared->latest && !shared->is_held) {
      out.tell.push_back({{connection},
                          protocol::AnalysisUpdate{shared->id, *shared->latest},
                          shared->after,
                          shared->id});
    }
    return Begun{shared->id, shared->after};
  }
  auto& running = begin(connection, std::move(order), game, after);
  running.is_following = true;
  set_time_limit(running.id, running.subscribers.front(), until_of(time_max, now));
  ++followed_[game];
  turn_to(running, std::move(position), after, out);
  return Begun{running.id, after};
}

Analyses::Start Analyses::think(ConnId connection, AnalysisOrder order,
                                std::optional<rules::GameId> game, AnalysisPosition position,
                                Ticket after, std::chrono::milliseconds time_max, TimePoint now,
                                AnalysisEffects& out) {
  if (auto error = objection(connection, nullptr)) return std::move(*error);
  auto& running = begin(connection, std::move(order), game, after);
  set_time_limit(running.id, running.subscribers.front(), until_of(time_max, now));
  turn_to(running, std::move(position), after, out);
  return Begun{running.id, after};
}

Analyses::Start Analyses::review(ConnId connection, AnalysisOrder order,
                                 std::optional<rules::GameId> game, AnalysisLine line,
                                 std::vector<std::uint32_t> moves, Ticket after,
                                 AnalysisEffects& out) {
  check(!moves.empty(), "a review has a position");
  if (auto error = objection(connection, nullptr)) return std::move(*error);
  auto& running = begin(connection, std::move(order), game, after);
  running.review.emplace(Review{LineWalk(std::move(line)), std::move(moves)});
  turn_to(running, running.review->walk.at(running.review->moves.front()), after, out);
  return Begun{running.id, after};
}

// A new position: what was thought of the old one is of no use any more.
void Analyses::turn_to(Running& running, std::optional<AnalysisPosition> position, Ticket after,
                       AnalysisEffects& out) {
  drop_job(running, out);
  running.position = std::move(position);
  running.after = after;
  running.latest.reset();
  running.is_held = false;
  if (running.position) ask(running, out);
}

// The engine that has thought about the position before is preferred, and never the one that plays
// the game: its moves would have to wait until the stream has made room.
void Analyses::ask(Running& running, AnalysisEffects& out) {
  const pool::JobId id{kJobs | ++jobs_made_};
  running.job = id;
  by_job_.emplace(id, running.id);
  const auto& position = *running.position;
  pool::Job job{id,
                rules::GameId{kAffinity, running.id},
                running.order.profile,
                running.order.settings,
                position.record,
                position.rules,
                position.komi_half,
                position.to_move,
                pool::Want::Analyze};
  job.client = running.client;
  job.priority = pool::Priority::Analysis;
  job.analysis = running.order.request;
  out.submit.push_back(std::move(job));
}

void Analyses::drop_job(Running& running, AnalysisEffects& out) {
  if (!running.job) return;
  by_job_.erase(*running.job);
  out.cancel.push_back(*running.job);
  running.job.reset();
}

std::optional<Ticket> Analyses::told_with(std::uint32_t analysis) const {
  const auto found = running_.find(analysis);
  return found != running_.end() ? std::optional(found->second.after) : std::nullopt;
}

void Analyses::stop(ConnId connection, std::uint32_t analysis, AnalysisEffects& out) {
  const auto found = running_.find(analysis);
  if (found != running_.end()) leave(found->second, connection, out);
}

void Analyses::on_disconnected(ConnId connection, AnalysisEffects& out) {
  for (auto at = running_.begin(); at != running_.end();) {
    auto& running = (at++)->second;  // leaving may end it
    leave(running, connection, out);
  }
}

void Analyses::forbid(ConnId connection, rules::GameId game, AnalysisEffects& out) {
  for (auto at = running_.begin(); at != running_.end();) {
    auto& running = (at++)->second;
    const bool takes_part =
        std::any_of(running.subscribers.begin(), running.subscribers.end(),
                    [&](const Subscriber& each) { return each.connection == connection; });
    if (running.game != game || !takes_part) continue;
    out.tell.push_back({{connection},
                        protocol::AnalysisEnded{running.id, AnalysisEnd::Forbidden,
                                                "who plays may not have this game analysed"},
                        running.after,
                        0});
    leave(running, connection, out);
  }
}

// It ends with its last subscriber.
void Analyses::leave(Running& running, ConnId connection, AnalysisEffects& out) {
  std::erase_if(running.subscribers, [&](Subscriber& each) {
    if (each.connection != connection) return false;
    set_time_limit(running.id, each, std::nullopt);
    out.left.emplace_back(connection, running.id);
    return true;
  });
  if (!running.subscribers.empty()) return;
  drop_job(running, out);
  forget(running.id);
}

void Analyses::forget(std::uint32_t id) {
  const auto found = running_.find(id);
  check(found != running_.end(), "an analysis ends once");
  for (auto& each : found->second.subscribers) set_time_limit(id, each, std::nullopt);
  if (found->second.is_following) {
    const auto count = followed_.find(*found->second.game);
    if (--count->second == 0) followed_.erase(count);
  }
  running_.erase(found);
}

void Analyses::on_position(rules::GameId game, const std::optional<AnalysisPosition>& position,
                           Ticket after, AnalysisEffects& out) {
  for (auto& [id, running] : running_) {
    if (!running.is_following || running.game != game) continue;
    const bool is_same = position.has_value() == running.position.has_value() &&
                         (!position || position->position_seq == running.position->position_seq);
    if (!is_same) turn_to(running, position, after, out);
  }
}

void Analyses::on_finished(rules::GameId game, Ticket after, AnalysisEffects& out) {
  for (auto at = running_.begin(); at != running_.end();) {
    auto& running = (at++)->second;
    if (!running.is_following || running.game != game) continue;
    running.after = after;
    end(running, AnalysisEnd::GameOver, "", out);
  }
}

void Analyses::on_update(const pool::AnalysisUpdate& update, Ticket durable, AnalysisEffects& out) {
  const auto found = by_job_.find(update.job);
  if (found == by_job_.end()) return;
  auto& running = running_.at(found->second);
  running.latest = told(*update.analysis, *running.position, running.order.detail);
  if (running.review) return;
  if (running.after <= durable) {
    tell_latest(running, out);
  } else {
    running.is_held = true;
  }
}

void Analyses::on_stored(Ticket durable, AnalysisEffects& out) {
  for (auto& [id, running] : running_) {
    if (running.is_held && running.after <= durable) tell_latest(running, out);
  }
}

void Analyses::tell_latest(Running& running, AnalysisEffects& out) {
  running.is_held = false;
  out.tell.push_back({all_of(running), protocol::AnalysisUpdate{running.id, *running.latest},
                      running.after, running.id});
}

std::vector<ConnId> Analyses::all_of(const Running& running) {
  std::vector<ConnId> all;
  for (const auto& subscriber : running.subscribers) all.push_back(subscriber.connection);
  return all;
}

void Analyses::on_job_done(const pool::JobDone& done, AnalysisEffects& out) {
  const auto found = by_job_.find(done.job);
  if (found == by_job_.end()) return;
  auto& running = running_.at(found->second);
  by_job_.erase(found);
  running.job.reset();
  if (const auto* failure = std::get_if<pool::JobFailure>(&done.result)) {
    return end(running, reason_of(failure->error),
               std::string(name_of(failure->error)) + ": " + failure->detail, out);
  }
  on_position_done(running, out);
}

// The engine has thought enough of this position.
void Analyses::on_position_done(Running& running, AnalysisEffects& out) {
  if (running.is_following) return;  // until the next move
  if (!running.review) return end(running, AnalysisEnd::Done, "", out);
  auto& review = *running.review;
  ++review.done;
  auto result = running.latest ? std::move(*running.latest) : untold(*running.position);
  out.tell.push_back(
      {all_of(running),
       protocol::ReviewProgress{running.id, static_cast<std::uint32_t>(review.done),
                                static_cast<std::uint32_t>(review.moves.size()), std::move(result)},
       running.after, 0});
  if (review.done == review.moves.size()) return end(running, AnalysisEnd::Done, "", out);
  turn_to(running, review.walk.at(review.moves[review.done]), running.after, out);
}

void Analyses::end(Running& running, AnalysisEnd reason, const std::string& message,
                   AnalysisEffects& out) {
  if (running.is_held) tell_latest(running, out);
  out.tell.push_back(
      {all_of(running), protocol::AnalysisEnded{running.id, reason, message}, running.after, 0});
  drop_job(running, out);
  for (const auto& each : running.subscribers) out.left.emplace_back(each.connection, running.id);
  forget(running.id);
}

std::size_t Analyses::subscriptions() const {
  std::size_t count = 0;
  for (const auto& [id, running] : running_) count += running.subscribers.size();
  return count;
}

void Analyses::end_all(AnalysisEnd reason, AnalysisEffects& out) {
  while (!running_.empty()) end(running_.begin()->second, reason, "", out);
}

void Analyses::set_time_limit(std::uint32_t analysis, Subscriber& subscriber,
                              std::optional<TimePoint> until) {
  if (subscriber.until) limits_of_time_.erase({*subscriber.until, analysis, subscriber.connection});
  subscriber.until = until;
  if (until) limits_of_time_.insert({*until, analysis, subscriber.connection});
}

void Analyses::on_deadline(TimePoint now, AnalysisEffects& out) {
  while (!limits_of_time_.empty() && limits_of_time_.begin()->at <= now) {
    const auto due = *limits_of_time_.begin();
    auto& running = running_.at(due.analysis);
    out.tell.push_back({{due.connection},
                        protocol::AnalysisEnded{running.id, AnalysisEnd::Done, ""},
                        running.after,
                        0});
    leave(running, due.connection, out);
  }
}

std::vector<pool::JobId> Analyses::jobs() const {
  std::vector<pool::JobId> jobs;
  for (const auto& [job, id] : by_job_) jobs.push_back(job);
  return jobs;
}

}  // namespace tengen::daemon
