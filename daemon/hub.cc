#include "daemon/hub.h"

#include <algorithm>

#include "daemon/check.h"
#include "daemon/mac.h"

namespace tengen::daemon {

using protocol::Error;

namespace {

/// Clients come back over some seconds, not all at once.
constexpr std::uint32_t kReconnectAfterMs = 1'000;
constexpr std::uint32_t kReconnectSpreadMs = 4'000;

/// Numbers that nobody can guess who does not know the key: each run's are its own.
SecretBits secret_bits(const TicketKey& key, std::uint64_t run) {
  return [key, run, count = std::uint64_t{0}]() mutable {
    const auto mac =
        mac_of(key, "virtual engine " + std::to_string(run) + " " + std::to_string(++count));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i) bits = bits << 8 | mac[i];
    return bits;
  };
}

std::uint32_t reconnect_after_ms(std::mt19937_64& random) {
  return kReconnectAfterMs + static_cast<std::uint32_t>(random() % kReconnectSpreadMs);
}

}  // namespace

Hub::Hub(HubConfig config)
    : limits_(config.limits),
      server_(std::move(config.server)),
      public_url_(std::move(config.public_url)),
      ticket_key_(config.ticket_key),
      random_(config.seed),
      gate_(std::move(config.access), limits_.rates),
      pool_(std::move(config.profiles), random_()),
      analyses_(limits_.analysis),
      virtuals_(limits_.virtuals, secret_bits(config.ticket_key, random_())),
      rematch_offers_(limits_.rematches_kept_max) {}

void Hub::start(Now now, Effects& out) {
  pool::Effects started;
  pool_.start(now.steady, started);
  carry_pool(started, now, out);
  std::vector<rules::GameId> restored;
  for (const auto& [id, entry] : games_) restored.push_back(id);
  std::sort(restored.begin(), restored.end());
  for (const auto& id : restored) {
    auto& entry = *games_.at(id);
    // The time in which the daemon was down is nobody's silence and nobody's absence.
    entry.away_since = {now.steady, now.steady};
    if (entry.agents != nullptr) {
      for (const int slot : entry.agents->slots()) entry.agents->note_call(slot, now.steady);
    }
    MatchEffects effects;
    entry.match.resume(now, effects);
    settle(entry, std::move(effects), now, out);
  }
}

void Hub::on_connected(ConnId id, protocol::Format format, std::string_view address, Now now,
                       Effects& out) {
  if (draining_) {
    out.push_back(CloseConnection{id, protocol::kCloseGoingAway, "draining"});
    return;
  }
  if (connections_.size() >= limits_.connections_max) {
    out.push_back(CloseConnection{id, protocol::kCloseTryLater, "too many connections"});
    return;
  }
  const Peer peer(address);
  if (gate_.rates().on_arrival(peer, now.steady)) {
    out.push_back(CloseConnection{id, protocol::kCloseTryLater, "too many connections from there"});
    return;
  }
  const auto [at, is_new] = connections_.emplace(
      id, Connection{protocol::Session(format, limits_.session, now.steady), {}, {}});
  at->second.peer = peer;
  at->second.address = address;
  check(is_new, "a connection id is used once");
  deadlines_.set(id, at->second.session.deadline());
}

void Hub::on_frame(ConnId id, protocol::FrameKind kind, std::string_view bytes, Now now,
                   Effects& out) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  auto& connection = found->second;
  if (!connection.session.is_welcomed() &&
      gate_.rates().on_early_frame(connection.bucket, now.steady)) {
    out.push_back(CloseConnection{id, protocol::kCloseTryLater, "say Hello"});
    return;
  }
  protocol::SessionEffects effects;
  connection.session.on_frame(kind, bytes, now.steady, effects);
  carry(id, std::move(effects), now, out);
}

void Hub::on_disconnected(ConnId id, Now now, Effects& out) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  while (!found->second.subscriptions.empty()) {
    unsubscribe(id, found->second.subscriptions.back());
  }
  const auto seats = std::move(found->second.seats);
  connections_.erase(found);
  stand_up(id, seats, now, out);
  deadlines_.set(id, std::nullopt);
  AnalysisEffects effects;
  analyses_.on_disconnected(id, effects);
  settle_analyses(std::move(effects), now, out);
}

void Hub::carry(ConnId id, protocol::SessionEffects effects, Now now, Effects& out) {
  for (auto& effect : effects) {
    if (auto* request = std::get_if<protocol::Request>(&effect)) {
      on_request(id, std::move(*request), now, out);
    } else if (auto* send = std::get_if<protocol::Send>(&effect)) {
      out.push_back(SendFrame{id, std::make_shared<const std::string>(std::move(send->bytes))});
    } else {
      auto& close = std::get<protocol::Close>(effect);
      out.push_back(CloseConnection{id, close.code, std::move(close.reason)});
    }
  }
  const auto found = connections_.find(id);
  if (found != connections_.end()) deadlines_.set(id, found->second.session.deadline());
}

void Hub::reply(ConnId id, std::uint32_t request, const protocol::ServerMessage& message,
                Ticket after, Effects& out) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  auto& session = found->second.session;
  auto frame = std::make_shared<const std::string>(journal_.is_durable(after)
                                                       ? session.reply(request, message)
                                                       : session.hold_reply(request, message));
  journal_.send_after(after, SendFrame{id, std::move(frame), SendFrame::Kind::Reply, 0, request},
                      out);
}

void Hub::refuse(ConnId id, std::uint32_t request, Error error, Effects& out) {
  reply(id, request, std::move(error), Ticket{}, out);
}

// A push to one connection.
void Hub::push_to(ConnId id, const Connection& connection, protocol::ServerMessage message,
                  Ticket after, Effects& out) {
  auto frame = std::make_shared<const std::string>(
      protocol::encode(connection.session.format(), protocol::ServerFrame{0, std::move(message)}));
  journal_.send_after(after, SendFrame{id, std::move(frame)}, out);
}

void Hub::on_stored(Ticket ticket, Now now, Effects& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  journal_.on_stored(ticket, out);
  for (auto effect = out.begin() + first; effect != out.end(); ++effect) {
    const auto* sent = std::get_if<SendFrame>(&*effect);
    if (sent == nullptr || sent->kind != SendFrame::Kind::Reply) continue;
    const auto found = connections_.find(sent->connection);
    if (found != connections_.end()) found->second.session.let_go(sent->reply_to);
  }
  AnalysisEffects effects;
  analyses_.on_stored(ticket, effects);
  settle_analyses(std::move(effects), now, out);
}

void Hub::on_spawned(pool::EngineId engine, int pid, Now now, Effects& out) {
  pool::Effects effects;
  pool_.on_spawned(engine, pid, now.steady, effects);
  carry_pool(effects, now, out);
}

void Hub::on_spawn_failed(pool::EngineId engine, std::string_view reason, Now now, Effects& out) {
  pool::Effects effects;
  pool_.on_spawn_failed(engine, reason, now.steady, effects);
  carry_pool(effects, now, out);
}

void Hub::on_output(pool::EngineId engine, std::string_view bytes, Now now, Effects& out) {
  pool::Effects effects;
  pool_.on_output(engine, bytes, now.steady, effects);
  carry_pool(effects, now, out);
}

void Hub::on_error_output(pool::EngineId engine, std::string_view bytes, Now now, Effects& out) {
  pool::Effects effects;
  pool_.on_error_output(engine, bytes, now.steady, effects);
  carry_pool(effects, now, out);
}

void Hub::on_memory(pool::EngineId engine, std::uint64_t resident_bytes, Now now, Effects& out) {
  pool::Effects effects;
  pool_.on_memory(engine, resident_bytes, now.steady, effects);
  carry_pool(effects, now, out);
}

void Hub::on_exit(pool::EngineId engine, pool::ExitStatus status, Now now, Effects& out) {
  pool::Effects effects;
  pool_.on_exit(engine, status, now.steady, effects);
  carry_pool(effects, now, out);
}

void Hub::on_deadline(Now now, Effects& out) {
  while (const auto due = deadlines_.take_due(now.steady)) {
    if (std::holds_alternative<VirtualKey>(*due)) {
      VirtualEffects effects;
      virtuals_.on_deadline(now, effects);
      carry_virtual(std::move(effects), now, out);
    } else if (std::holds_alternative<PoolKey>(*due)) {
      pool::Effects effects;
      pool_.on_deadline(now.steady, effects);
      carry_pool(effects, now, out);
    } else if (const auto* id = std::get_if<ConnId>(&*due)) {
      protocol::SessionEffects effects;
      connections_.at(*id).session.on_deadline(now.steady, effects);
      carry(*id, std::move(effects), now, out);
    } else if (std::holds_alternative<AnalysesKey>(*due)) {
      AnalysisEffects effects;
      analyses_.on_deadline(now.steady, effects);
      settle_analyses(std::move(effects), now, out);
    } else if (const auto* absence = std::get_if<AbsenceKey>(&*due)) {
      on_absence_deadline(*games_.at(absence->game), now, out);
    } else if (const auto* broadcast = std::get_if<BroadcastKey>(&*due)) {
      release_events(*games_.at(broadcast->game), now, out);
    } else if (const auto* finished = std::get_if<FinishedKey>(&*due)) {
      on_finished_deadline(finished->game, now);
    } else if (const auto* agents = std::get_if<AgentsKey>(&*due)) {
      on_agents_deadline(*games_.at(agents->game), now, out);
    } else {
      auto& entry = *games_.at(std::get<rules::GameId>(*due));
      MatchEffects effects;
      entry.match.on_deadline(now, effects);
      settle(entry, std::move(effects), now, out);
    }
  }
}

void Hub::end_turn(Now now, Effects& out) {
  dispatch(now, out);
  journal_.flush(out);
  retire_finished();
}

void Hub::reload(std::vector<pool::Profile> profiles, std::uint32_t games_max, Now now,
                 Effects& out) {
  limits_.games_max = games_max;
  for (const auto& [id, entry] : games_) {
    entry->match.on_reload(now);
    if (!draining_) deadlines_.set(id, entry->match.deadline());
  }
  pool::Effects effects;
  pool_.reload(std::move(profiles), now.steady, effects);
  carry_pool(effects, now, out);
}

void Hub::drain(Now now, Effects& out) {
  if (draining_) return;
  draining_ = true;
  AnalysisEffects analysis_effects;
  analyses_.end_all(protocol::AnalysisEnd::Draining, analysis_effects);
  settle_analyses(std::move(analysis_effects), now, out);
  for (const auto& [id, entry] : games_) {
    deadlines_.set(id, std::nullopt);
    deadlines_.set(AbsenceKey{id}, std::nullopt);
    deadlines_.set(BroadcastKey{id}, std::nullopt);
    if (entry->agents == nullptr) continue;
    answer_waits(*entry, entry->agents->take_waits(), out);
    set_agent_deadline(*entry);
  }
  for (const auto& [id, connection] : connections_) {
    if (connection.session.is_welcomed()) {
      push_to(id, connection, protocol::Draining{reconnect_after_ms(random_)},
              journal_.newest_ticket(), out);
    }
    journal_.send_after(journal_.newest_ticket(),
                        CloseConnection{id, protocol::kCloseGoingAway, "draining"}, out);
  }
  pool::Effects effects;
  pool_.drain(now.steady, effects);
  carry_pool(effects, now, out);
}

}  // namespace tengen::daemon
