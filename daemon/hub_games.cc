// The games in memory: restored, loaded, published, and their jobs on the way to the pool and back.
#include <algorithm>

#include "daemon/check.h"
#include "daemon/encoded_push.h"
#include "daemon/engine_seats.h"
#include "daemon/game_at.h"
#include "daemon/hub.h"
#include "daemon/seeds.h"
#include "protocol/log_codec.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;

/// Connections count up from 1 and never come so far.
constexpr std::uint64_t kFirstGamesClient = std::uint64_t{1} << 63;

bool is_at_work(const pool::Pool& pool, const std::string& profile, pool::JobId job) {
  const auto engines = pool.engines(profile);
  return std::any_of(engines.begin(), engines.end(),
                     [&](const pool::EngineStatus& engine) { return engine.job == job; });
}

std::variant<rules::Game, std::string> rebuild(const StoredGame& stored) {
  auto header = protocol::decode_header(stored.header);
  if (!header) return std::string("a game's header cannot be read");
  const std::string id = rules::to_text(header->id);
  std::vector<rules::Event> events;
  events.reserve(stored.events.size());
  for (const auto& bytes : stored.events) {
    auto event = protocol::decode_event(bytes);
    if (!event) {
      return "game " + id + ": event " + std::to_string(events.size() + 1) + " cannot be read";
    }
    events.push_back(std::move(*event));
  }
  auto game = rules::Game::replay(std::move(*header), events);
  if (const auto* error = std::get_if<rules::ReplayError>(&game)) {
    return "game " + id + ": event " + std::to_string(error->seq) + ": " + error->reason;
  }
  return std::get<rules::Game>(std::move(game));
}

}  // namespace

std::optional<std::string> Hub::restore(StoredState state) {
  for (const auto& stored : state.unfinished) {
    auto game = rebuild(stored);
    if (auto* problem = std::get_if<std::string>(&game)) return std::move(*problem);
    auto& rebuilt = std::get<rules::Game>(game);
    const auto seq = rebuilt.seq();
    auto& entry = add_match(std::move(rebuilt), Ticket{}, seq, {});
    if (entry.agents == nullptr) continue;
    for (const auto& act : stored.agent_acts) entry.agents->remember(act);
  }
  for (auto& [request_id, game] : state.requests) remember_request(std::move(request_id), game);
  return std::nullopt;
}

Hub::Entry& Hub::add_match(rules::Game game, Ticket last, std::uint32_t published, TimePoint now) {
  const auto id = game.header().id;
  if (game.is_finished()) {
    finished_.push_back(id);
    deadlines_.set(FinishedKey{id}, now + limits_.finished_kept_for);
  } else {
    ++unfinished_;
  }
  const auto number = next_number_++;
  const pool::ClientId client{kFirstGamesClient + number};
  auto agents = agent_seats_of(game, now);
  auto [at, is_new] = games_.emplace(
      id, std::make_unique<Entry>(Entry{
              Match(number, std::move(game)), last, published, {}, {}, client, std::move(agents)}));
  check(is_new, "a game is in memory once");
  by_number_.emplace(number, at->second.get());
  at->second->away_since = {now, now};
  return *at->second;
}

protocol::Snapshot Hub::snapshot(const Entry& entry, Now now) const {
  auto snapshot = entry.match.snapshot(now);
  snapshot.waiting = waiting_of(entry.match);
  snapshot.seed_sha256 = seed_digest(snapshot.header.seed);
  snapshot.present = presence_of(entry);
  return snapshot;
}

const rules::Game& Hub::sight_of(const Entry& entry, ConnId id, Now now) {
  const auto& game = entry.match.game();
  const auto seq = visible_seq(entry, id, now);
  return seq == game.seq() ? game : entry.past.at(game, seq);
}

protocol::Snapshot Hub::snapshot_for(const Entry& entry, ConnId id, Now now) const {
  const auto& sight = sight_of(entry, id, now);
  if (&sight == &entry.match.game()) return snapshot(entry, now);
  auto snapshot = protocol::snapshot_of(sight);
  snapshot.seed_sha256 = seed_digest(snapshot.header.seed);
  return snapshot;
}

std::optional<protocol::Waiting> Hub::waiting_of(const Match& match) const {
  const rules::Game& game = match.game();
  if (game.is_finished()) return std::nullopt;
  const auto waits_on_engine = [&](rules::Color color) {
    return game.is_waiting_on(color) && game.seat(color).kind == rules::SeatKind::Engine;
  };
  const bool is_any = waits_on_engine(rules::Color::Black) || waits_on_engine(rules::Color::White);
  if (!is_any || game.pause_reason() == rules::PauseReason::Agreed) {
    return protocol::Waiting::Player;
  }
  const auto jobs = match.awaited_jobs();
  const bool has_engines =
      !jobs.empty() && std::all_of(jobs.begin(), jobs.end(), [&](pool::JobId job) {
        const auto& seat = match.game().seat(match.color_awaiting(job).value());
        return is_at_work(pool_, seat.profile, job);
      });
  return has_engines ? protocol::Waiting::Engine : protocol::Waiting::EngineQueue;
}

// There is room: the caller has looked.
void Hub::park(Parked call, rules::GameId game, Effects& out) {
  auto& waiting = parked_[game];
  if (waiting.empty()) out.push_back(LoadGame{game});
  waiting.push_back(std::move(call));
  ++parked_count_;
}

void Hub::on_loaded(LoadedGame loaded, Now now, Effects& out) {
  const auto id = loaded.id;
  const auto found = parked_.find(id);
  if (found == parked_.end()) return;
  auto waiting = std::move(found->second);
  parked_.erase(found);
  parked_count_ -= waiting.size();

  Error error{ErrorCode::UnknownGame, "game", "no game has that id", 0, {}};
  std::string problem = std::move(loaded.problem);
  if (loaded.game && !games_.contains(id)) {
    auto game = rebuild(*loaded.game);
    if (auto* broken = std::get_if<std::string>(&game)) {
      problem = std::move(*broken);
    } else {
      auto& rebuilt = std::get<rules::Game>(game);
      const auto seq = rebuilt.seq();
      auto& entry = add_match(std::move(rebuilt), Ticket{}, seq, now.steady);
      // Whoever joined it before it was dropped from memory still holds its seat.
      for (const auto& [holder, connection] : connections_) {
        for (const SeatOf& seat : connection.seats) {
          if (seat.game == id)
            entry.holders[static_cast<std::size_t>(seat.slot - 1)].push_back(holder);
        }
      }
      for (auto& act : loaded.game->agent_acts) {
        if (entry.agents != nullptr) entry.agents->remember(std::move(act));
      }
    }
  }
  if (!problem.empty()) {
    error = {ErrorCode::Internal, "log", "the game cannot be read", 0, {}};
    out.push_back(LogLine{pool::Note::Level::Error, std::move(problem)});
  }
  const auto known = games_.find(id);
  Entry* const entry = known != games_.end() ? known->second.get() : nullptr;
  for (auto& parked : waiting) {
    if (auto* call = std::get_if<AgentCall>(&parked)) {
      if (entry != nullptr) {
        handle_call(*call, *entry, now, out);
      } else {
        answer_unknown_game(*call, error, out);
      }
      continue;
    }
    auto& frame = std::get<FrameCall>(parked);
    if (!connections_.contains(frame.connection)) continue;
    if (entry != nullptr) {
      handle_in_game(frame.connection, frame.request, *entry, now, out);
    } else {
      refuse(frame.connection, frame.request.id, error, out);
    }
  }
}

// Ids are in the order of time.
void Hub::handle(ConnId id, std::uint32_t request, const protocol::ListGames& list, Now now,
                 Effects& out) {
  const auto fits = [&](const Entry& entry) {
    const auto& game = entry.match.game();
    const bool is_seen_whole = visible_seq(entry, id, now) == game.seq();
    if (list.in_play_only && game.is_finished() && is_seen_whole) return false;
    if (list.before && !(game.header().id < *list.before)) return false;
    const auto has = [&](auto member, const std::string& wanted) {
      return wanted.empty() ||
             std::any_of(game.seats().begin(), game.seats().end(),
                         [&](const rules::Seat& seat) { return seat.*member == wanted; });
    };
    return has(&rules::Seat::profile, list.profile) && has(&rules::Seat::name, list.name);
  };
  std::vector<const Entry*> found;
  for (const auto& [game, entry] : games_) {
    if (fits(*entry)) found.push_back(entry.get());
  }
  const auto count = std::min<std::size_t>(found.size(), list.limit);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(),
                    [](const Entry* a, const Entry* b) {
                      return b->match.game().header().id < a->match.game().header().id;
                    });
  protocol::GameList answer{{}, count < found.size()};
  Ticket newest{};
  for (std::size_t i = 0; i < count; ++i) {
    answer.games.push_back(protocol::summary_of(sight_of(*found[i], id, now)));
    answer.games.back().watchers = static_cast<std::uint32_t>(found[i]->watchers.size());
    newest = std::max(newest, found[i]->last);
  }
  reply(id, request, std::move(answer), newest, out);
}

void Hub::settle(Entry& entry, MatchEffects effects, Now now, Effects& out) {
  publish(entry, now, out);
  // While the daemon goes down nobody can move, so no flag falls: the next run gives the turn anew.
  deadlines_.set(entry.match.game().header().id, draining_ ? std::nullopt : entry.match.deadline());
  wake_agents(entry, now, out);
  set_absence_deadline(entry);
  release_events(entry, now, out);
  for (const auto job : effects.cancel) {
    pool::Effects pool_effects;
    pool_.cancel(job, now.steady, pool_effects);
    carry_pool(pool_effects, now, out);
  }
  for (auto& job : effects.submit) job.client = entry.client;
  submit(std::move(effects.submit), now, out);
  note_position(entry, now, out);
}

void Hub::submit(std::vector<pool::Job> jobs, Now now, Effects& out) {
  for (auto& job : jobs) {
    pool::Effects effects;
    pool_.submit(std::move(job), now.steady, effects);
    carry_pool(effects, now, out);
  }
}

void Hub::publish(Entry& entry, Now now, Effects& out) {
  push(entry, record(entry, now, out), std::nullopt, out);
}

// An engine that loses its seat or its game is the operator's business; rulings are logged where
// they are made.
void Hub::note_fault(const rules::Game& game, const rules::Event& event, Effects& out) {
  if (!event.stamp.request_id.empty()) return;
  const std::string name = "game " + rules::to_text(game.header().id) + ": ";
  if (const auto* forfeited = std::get_if<rules::Forfeited>(&event.body)) {
    if (forfeited->reason.starts_with(kAdjudicated)) return;
    const char* side = forfeited->color == rules::Color::Black ? "black" : "white";
    out.push_back(
        LogLine{pool::Note::Level::Warning, name + side + " forfeits: " + forfeited->reason});
  } else if (const auto* paused = std::get_if<rules::Paused>(&event.body)) {
    if (paused->reason != rules::PauseReason::ServerLag) return;
    out.push_back(LogLine{pool::Note::Level::Warning,
                          name + "it pauses, having waited for an engine of " +
                              game.seat(paused->color).profile + " for too long"});
  } else if (const auto* changed = std::get_if<rules::SeatChanged>(&event.body)) {
    const char* side = changed->color == rules::Color::Black ? "black" : "white";
    out.push_back(LogLine{pool::Note::Level::Warning, name + side + " is played by " +
                                                          (*changed->seat).profile +
                                                          " from now on: " + changed->reason});
  }
}

// Gives new events to the journal; what tells of them waits for its batch.
std::vector<rules::Event> Hub::record(Entry& entry, Now now, Effects& out) {
  const auto& game = entry.match.game();
  if (entry.published == game.seq()) return {};
  std::vector<rules::Event> events{game.events().begin() + entry.published, game.events().end()};
  for (const auto& event : events) {
    note_fault(game, event, out);
    journal_.add(NewEvent{game.header().id, event.seq, protocol::encode_event(event)});
  }
  entry.published = game.seq();
  entry.last = journal_.open_ticket();
  if (game.is_finished()) {
    journal_.add_finished(game.header().id);
    usage_.release(entry.maker, Holding::Game);
    finished_.push_back(game.header().id);
    deadlines_.set(FinishedKey{game.header().id}, now.steady + limits_.finished_kept_for);
    --unfinished_;
  }
  return events;
}

// The actor has them in the answer to its act.
void Hub::push(const Entry& entry, std::vector<rules::Event> events, std::optional<ConnId> actor,
               Effects& out) {
  if (events.empty() || entry.watchers.empty()) return;
  const auto& header = entry.match.game().header();
  EncodedPush push(protocol::GameEvents{header.id, header.size, std::move(events)});
  const bool is_delayed = header.broadcast_delay.count() != 0;
  for (const auto watcher : entry.watchers) {
    if (watcher == actor || (is_delayed && is_spectator(entry, watcher))) continue;
    const auto format = connections_.at(watcher).session.format();
    journal_.send_after(entry.last, SendFrame{watcher, push.in(format)}, out);
  }
}

// A job that ends at once may lead to another one.
void Hub::dispatch(Now now, Effects& out) {
  while (true) {
    dispatched_.clear();
    pool_.dispatch(now.steady, dispatched_);
    if (dispatched_.empty()) return;
    carry_pool(dispatched_, now, out);
  }
}

void Hub::carry_pool(pool::Effects& effects, Now now, Effects& out) {
  for (auto& effect : effects) {
    std::visit(
        [&](auto& what) {
          using What = std::decay_t<decltype(what)>;
          if constexpr (std::is_same_v<What, pool::JobDone>) {
            on_job_done(what, now, out);
          } else if constexpr (std::is_same_v<What, pool::SearchBegun>) {
            on_search_begun(what, now, out);
          } else if constexpr (std::is_same_v<What, pool::JobMoved>) {
            on_job_moved(what, now, out);
          } else if constexpr (std::is_same_v<What, pool::AnalysisUpdate>) {
            AnalysisEffects told;
            analyses_.on_update(what, journal_.durable_ticket(), told);
            settle_analyses(std::move(told), now, out);
          } else if constexpr (std::is_same_v<What, pool::Note>) {
            const auto engine = what.engine.value;
            out.push_back(LogLine{
                what.level, engine != 0 ? "engine " + std::to_string(engine) + ": " + what.text
                                        : std::move(what.text)});
          } else {
            out.push_back(std::move(what));
          }
        },
        effect);
  }
  deadlines_.set(PoolKey{}, pool_.deadline());
}

void Hub::on_job_done(const pool::JobDone& done, Now now, Effects& out) {
  if (Analyses::is_its_job(done.job)) {
    AnalysisEffects effects;
    analyses_.on_job_done(done, effects);
    return settle_analyses(std::move(effects), now, out);
  }
  if (VirtualEngines::is_its_job(done.job)) {
    VirtualEffects effects;
    virtuals_.on_job_done(done, pool_, effects);
    return carry_virtual(std::move(effects), now, out);
  }
  const auto found = by_number_.find(Match::number_of(done.job));
  if (found == by_number_.end()) return;
  auto& entry = *found->second;
  const auto color = entry.match.color_awaiting(done.job);
  if (!color) return;
  const bool was_stranded = entry.match.is_stranded(*color);
  const auto substitute = substitute_for(pool_, entry.match.game(), *color);
  MatchEffects effects;
  entry.match.on_job_done(done, substitute, now, effects);
  const auto* failure = std::get_if<pool::JobFailure>(&done.result);
  const bool is_news = !was_stranded || !entry.match.is_stranded(*color);
  if (failure != nullptr && is_news) note_failure(entry, *failure, *color, out);
  settle(entry, std::move(effects), now, out);
}

// The pool itself tells of a profile that cannot start; its games would repeat it without end.
void Hub::note_failure(const Entry& entry, const pool::JobFailure& failure, rules::Color color,
                       Effects& out) {
  if (failure.error == pool::JobError::ProfileFailed) return;
  const auto& game = entry.match.game();
  std::string text = "game " + rules::to_text(game.header().id) + ": " +
                     std::string(name_of(failure.error)) + ": " + failure.detail;
  if (entry.match.is_stranded(color)) {
    text += "; it waits until a configuration lets engines of " + game.seat(color).profile +
            " go on with it";
  }
  out.push_back(LogLine{pool::Note::Level::Warning, std::move(text)});
}

void Hub::on_search_begun(const pool::SearchBegun& begun, Now now, Effects& out) {
  const auto found = by_number_.find(Match::number_of(begun.job));
  if (found == by_number_.end()) return;
  found->second->match.on_search_begun(begun.job, now);
  settle(*found->second, {}, now, out);
}

void Hub::on_job_moved(const pool::JobMoved& moved, Now now, Effects& out) {
  const auto found = by_number_.find(Match::number_of(moved.job));
  if (found == by_number_.end()) return;
  found->second->match.on_job_moved(moved);
  settle(*found->second, {}, now, out);
  out.push_back(LogLine{pool::Note::Level::Warning,
                        "game " + rules::to_text(found->second->match.game().header().id) +
                            ": engine " + std::to_string(moved.from.value) +
                            " replaced: " + moved.reason});
}

// Spectators of a delayed broadcast have still to hear how it ended.
bool Hub::is_still_told(const Entry& entry) {
  const auto& game = entry.match.game();
  if (game.header().broadcast_delay.count() == 0 || entry.released == game.seq()) return false;
  return std::any_of(entry.watchers.begin(), entry.watchers.end(),
                     [&](ConnId watcher) { return is_spectator(entry, watcher); });
}

// Lets finished games go that are too many, the longest finished first; they can be loaded again.
void Hub::retire_finished() {
  constexpr int kLookedAtMax = 8;
  for (int i = 0; i < kLookedAtMax && finished_.size() > limits_.finished_kept_max; ++i) {
    const auto id = finished_.front();
    finished_.pop_front();
    const auto& entry = *games_.at(id);
    if (is_still_told(entry) || !journal_.is_durable(entry.last)) {
      finished_.push_back(id);
    } else {
      let_go(id);
    }
  }
}

void Hub::on_finished_deadline(rules::GameId id, Now now) {
  const auto& entry = *games_.at(id);
  if (is_still_told(entry) || !journal_.is_durable(entry.last)) {
    deadlines_.set(FinishedKey{id}, now.steady + limits_.finished_kept_for);
    return;
  }
  std::erase(finished_, id);
  let_go(id);
}

// Whoever watches it has heard everything: those subscriptions end with nothing said.
void Hub::let_go(rules::GameId id) {
  const auto found = games_.find(id);
  check(found != games_.end(), "a finished game in the list is in memory");
  for (const ConnId watcher : found->second->watchers) {
    drop_subscription(connections_.at(watcher), id);
  }
  // A broadcast that nobody watches may still have been late.
  deadlines_.set(id, std::nullopt);
  deadlines_.set(AgentsKey{id}, std::nullopt);
  deadlines_.set(AbsenceKey{id}, std::nullopt);
  deadlines_.set(BroadcastKey{id}, std::nullopt);
  deadlines_.set(FinishedKey{id}, std::nullopt);
  by_number_.erase(found->second->match.number());
  games_.erase(found);
}

void Hub::remember_request(std::string request_id, rules::GameId game) {
  request_order_.push_back(request_id);
  requests_.emplace(std::move(request_id), game);
  if (request_order_.size() <= limits_.requests_kept_max) return;
  requests_.erase(request_order_.front());
  request_order_.pop_front();
}

void Hub::unsubscribe(ConnId id, rules::GameId game) {
  if (!drop_subscription(connections_.at(id), game)) return;
  std::erase(games_.at(game)->watchers, id);
}

/// The connection's side of a subscription; false: there was none.
bool Hub::drop_subscription(Connection& connection, rules::GameId game) {
  if (std::erase(connection.subscriptions, game) == 0) return false;
  usage_.release(connection.account, Holding::Watch);
  return true;
}

}  // namespace tengen::daemon
