// Analysis: who may have what analysed, and the way between games, the analyses and the pool.
#include <algorithm>

#include "daemon/check.h"
#include "daemon/encoded_push.h"
#include "daemon/hub.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using std::chrono::milliseconds;

/// A review tells what an engine thought last before its time was up.
constexpr int kUpdatesPerReviewed = 10;
constexpr milliseconds kReviewInterval{100};  // where visits alone are limited

template <typename Request>
AnalysisOrder order_of(const Request& request, milliseconds interval, milliseconds time_max) {
  return {request.profile,
          request.settings,
          {interval, request.visits_max, time_max, request.detail.ownership},
          request.detail};
}

LineOrError source_line(const protocol::AnalysisSource& source, const rules::Game* game) {
  if (const auto* position = std::get_if<protocol::PositionSource>(&source)) {
    return line_of(*position);
  }
  if (const auto* sgf = std::get_if<protocol::SgfSource>(&source)) return line_of(*sgf);
  return line_of(*game);
}

std::optional<std::uint32_t> move_of(const protocol::AnalysisSource& source) {
  if (const auto* game = std::get_if<protocol::GameSource>(&source)) return game->move;
  if (const auto* sgf = std::get_if<protocol::SgfSource>(&source)) return sgf->move;
  return std::nullopt;
}

}  // namespace

// Spectators of a delayed broadcast know nothing yet that could be analysed.
bool Hub::may_analyse(ConnId id, const Entry& entry, Now now) {
  const auto& game = entry.match.game();
  const bool is_delayed = game.header().broadcast_delay.count() != 0 && is_spectator(entry, id);
  if (game.is_finished()) return visible_seq(entry, id, now) == game.seq();
  switch (game.header().analysis) {
    case rules::AnalysisPolicy::Everyone:
      return !is_delayed;
    case rules::AnalysisPolicy::Spectators:
      return is_spectator(entry, id) && !is_delayed;
    case rules::AnalysisPolicy::AfterEnd:
      break;
  }
  return false;
}

std::optional<Error> Hub::judge_analysis(ConnId id, const Entry* entry, Now now,
                                         const std::string& name, const rules::Settings& settings,
                                         const EngineTerms& terms) const {
  if (draining_) {
    return Error{ErrorCode::Unavailable, "draining", "the daemon is stopping", 1'000, {}};
  }
  if (entry != nullptr && !may_analyse(id, *entry, now)) {
    return Error{ErrorCode::Forbidden,
                 "analysis",
                 "this connection may not have this game analysed before it is over",
                 0,
                 {}};
  }
  if (auto error = objection_to_new(pool_, name, settings, terms)) return error;
  const auto* profile = pool_.find_profile(name);
  if (profile->analysis == pool::AnalysisDialect::None) {
    return Error{ErrorCode::EngineCannotPlay, "analysis", "its engines know no analysis", 0, {}};
  }
  if (profile->processes_max < 2) {
    return Error{ErrorCode::EngineCannotPlay,
                 "analysis",
                 "an analysis never takes the last engine, and this profile has one only",
                 0,
                 {}};
  }
  return std::nullopt;
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::StartAnalysis& start,
                 const Entry* entry, Now now, Effects& out) {
  const auto* game = entry != nullptr ? &entry->match.game() : nullptr;
  auto found = source_line(start.source, game);
  if (auto* error = std::get_if<Error>(&found)) return refuse(id, request, std::move(*error), out);
  const auto& line = std::get<AnalysisLine>(found);
  if (auto error = judge_analysis(id, entry, now, start.profile, start.settings,
                                  {line.size, line.rules, {}})) {
    return refuse(id, request, std::move(*error), out);
  }
  const auto move = move_of(start.source);
  const bool is_followed = game != nullptr && !game->is_finished() && !move;
  auto position = position_at(line, move);
  if (auto* error = std::get_if<Error>(&position); error != nullptr && !is_followed) {
    return refuse(id, request, std::move(*error), out);
  }
  auto order = order_of(start, start.interval, milliseconds(0));
  const Ticket after = entry != nullptr ? entry->last : Ticket{};
  if (auto error = take_quota(connections_.at(id), Holding::Analysis)) {
    return refuse(id, request, std::move(*error), out);
  }
  AnalysisEffects effects;
  Analyses::Start begun;
  if (is_followed) {
    begun = analyses_.follow(id, std::move(order), game->header().id, present_position(*game),
                             after, start.time_max, now.steady, effects);
  } else {
    begun = analyses_.think(id, std::move(order),
                            game != nullptr ? std::optional(game->header().id) : std::nullopt,
                            std::get<AnalysisPosition>(std::move(position)), after, start.time_max,
                            now.steady, effects);
  }
  if (auto error = hold_analysis(id, begun)) return refuse(id, request, std::move(*error), out);
  const auto& what = std::get<Analyses::Begun>(begun);
  reply(id, request, protocol::AnalysisStarted{what.analysis}, what.after, out);
  settle_analyses(std::move(effects), now, out);
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::ReviewGame& review, const Entry* entry,
                 Now now, Effects& out) {
  const auto* game = entry != nullptr ? &entry->match.game() : nullptr;
  auto found = source_line(review.source, game);
  if (auto* error = std::get_if<Error>(&found)) return refuse(id, request, std::move(*error), out);
  auto& line = std::get<AnalysisLine>(found);
  if (auto error = judge_analysis(id, entry, now, review.profile, review.settings,
                                  {line.size, line.rules, {}})) {
    return refuse(id, request, std::move(*error), out);
  }
  auto moves = line.open_positions(review.from, review.to.value_or(line.end()));
  if (moves.empty()) {
    return refuse(id, request,
                  {ErrorCode::InvalidArgument, "from", "there are no positions from there", 0, {}},
                  out);
  }
  const auto interval = std::clamp(review.time_per_move / kUpdatesPerReviewed,
                                   protocol::kIntervalMin, kReviewInterval);
  const auto count = static_cast<std::uint32_t>(moves.size());
  if (auto error = take_quota(connections_.at(id), Holding::Analysis)) {
    return refuse(id, request, std::move(*error), out);
  }
  AnalysisEffects effects;
  const auto begun = analyses_.review(
      id, order_of(review, interval, review.time_per_move),
      game != nullptr ? std::optional(game->header().id) : std::nullopt, std::move(line),
      std::move(moves), entry != nullptr ? entry->last : Ticket{}, effects);
  if (auto error = hold_analysis(id, begun)) return refuse(id, request, std::move(*error), out);
  const auto& what = std::get<Analyses::Begun>(begun);
  reply(id, request, protocol::ReviewStarted{what.analysis, count}, what.after, out);
  settle_analyses(std::move(effects), now, out);
}

// What was taken of the quota is given back when nothing has begun, or nothing new.
std::optional<Error> Hub::hold_analysis(ConnId id, const Analyses::Start& begun) {
  const auto& account = connections_.at(id).account;
  const auto* what = std::get_if<Analyses::Begun>(&begun);
  const bool is_new =
      what != nullptr && analysis_holders_.emplace(std::pair(id, what->analysis), account).second;
  if (!is_new) usage_.release(account, Holding::Analysis);
  if (what != nullptr) return std::nullopt;
  return std::get<Error>(begun);
}

// One reply after which nothing more comes, so that a client knows when it has heard all. Of an
// analysis that goes on for others it waits for no more than that, so that it stays before the
// reply to a client that joins it again.
void Hub::handle(ConnId id, std::uint32_t request, const protocol::StopAnalysis& stop, Now now,
                 Effects& out) {
  const Ticket after = analyses_.told_with(stop.analysis).value_or(journal_.newest_ticket());
  AnalysisEffects effects;
  analyses_.stop(id, stop.analysis, effects);
  settle_analyses(std::move(effects), now, out);
  reply(id, request, protocol::AnalysisStopped{stop.analysis}, after, out);
}

// Whoever takes a seat is no spectator any more.
void Hub::on_seat_joined(ConnId id, const Entry& entry, Now now, Effects& out) {
  if (may_analyse(id, entry, now)) return;
  AnalysisEffects effects;
  analyses_.forbid(id, entry.match.game().header().id, effects);
  settle_analyses(std::move(effects), now, out);
}

void Hub::note_position(const Entry& entry, Now now, Effects& out) {
  const auto& game = entry.match.game();
  const auto id = game.header().id;
  if (!analyses_.is_followed(id)) return;
  AnalysisEffects effects;
  if (game.is_finished()) {
    analyses_.on_finished(id, entry.last, effects);
  } else {
    analyses_.on_position(id, present_position(game), entry.last, effects);
  }
  settle_analyses(std::move(effects), now, out);
}

void Hub::settle_analyses(AnalysisEffects effects, Now now, Effects& out) {
  for (auto& tell : effects.tell) {
    EncodedPush push(std::move(tell.message));
    for (const auto connection : tell.to) {
      const auto found = connections_.find(connection);
      if (found == connections_.end()) continue;
      journal_.send_after(tell.after,
                          SendFrame{connection, push.in(found->second.session.format()),
                                    SendFrame::Kind::Push, tell.newest_of},
                          out);
    }
  }
  for (const auto job : effects.cancel) {
    pool::Effects pool_effects;
    pool_.cancel(job, now.steady, pool_effects);
    carry_pool(pool_effects, now, out);
  }
  submit(std::move(effects.submit), now, out);
  for (const auto& left : effects.left) {
    const auto holder = analysis_holders_.find(left);
    check(holder != analysis_holders_.end(), "whoever takes part in an analysis holds it");
    usage_.release(holder->second, Holding::Analysis);
    analysis_holders_.erase(holder);
  }
  deadlines_.set(AnalysesKey{}, analyses_.deadline());
}

}  // namespace tengen::daemon
