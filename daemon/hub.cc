#include "daemon/hub.h"

#include <algorithm>

#include "daemon/check.h"

namespace tengen::daemon {

using protocol::Error;

Hub::Hub(HubConfig config)
    : limits_(config.limits),
      server_(std::move(config.server)),
      ticket_key_(config.ticket_key),
      random_(config.seed),
      pool_(std::move(config.profiles), random_()) {}

void Hub::start(Now now, Effects& out) {
  pool::Effects started;
  pool_.start(now.steady, started);
  carry_pool(started, now, out);
  std::vector<rules::GameId> restored;
  for (const auto& [id, entry] : games_) restored.push_back(id);
  std::sort(restored.begin(), restored.end());
  for (const auto& id : restored) {
    auto& entry = *games_.at(id);
    MatchEffects effects;
    entry.match.resume(now, effects);
    settle(entry, std::move(effects), now, out);
  }
}

void Hub::on_connected(ConnId id, protocol::Format format, Now now, Effects& out) {
  if (draining_) {
    out.push_back(CloseConnection{id, protocol::kCloseGoingAway, "draining"});
    return;
  }
  if (connections_.size() >= limits_.connections_max) {
    out.push_back(CloseConnection{id, protocol::kCloseTryLater, "too many connections"});
    return;
  }
  const auto [at, is_new] = connections_.emplace(
      id, Connection{protocol::Session(format, limits_.session, now.steady), {}, {}});
  check(is_new, "a connection id is used once");
  deadlines_.set(id, at->second.session.deadline());
}

void Hub::on_frame(ConnId id, protocol::FrameKind kind, std::string_view bytes, Now now,
                   Effects& out) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  protocol::SessionEffects effects;
  found->second.session.on_frame(kind, bytes, now.steady, effects);
  carry(id, std::move(effects), now, out);
}

void Hub::on_disconnected(ConnId id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  for (const auto& game : found->second.subscriptions) unsubscribe(id, game);
  connections_.erase(found);
  deadlines_.set(id, std::nullopt);
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
  auto& connection = found->second;
  auto frame = std::make_shared<const std::string>(connection.session.reply(request, message));
  if (!journal_.is_durable(after)) ++connection.held_replies;
  journal_.send_after(after, SendFrame{id, std::move(frame), SendFrame::Kind::Reply}, out);
}

void Hub::refuse(ConnId id, std::uint32_t request, Error error, Effects& out) {
  reply(id, request, std::move(error), Ticket{}, out);
}

void Hub::on_stored(Ticket ticket, Effects& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  journal_.on_stored(ticket, out);
  for (auto effect = out.begin() + first; effect != out.end(); ++effect) {
    const auto* sent = std::get_if<SendFrame>(&*effect);
    if (sent == nullptr || sent->kind != SendFrame::Kind::Reply) continue;
    const auto found = connections_.find(sent->connection);
    if (found != connections_.end()) --found->second.held_replies;
  }
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
    if (std::holds_alternative<PoolKey>(*due)) {
      pool::Effects effects;
      pool_.on_deadline(now.steady, effects);
      carry_pool(effects, now, out);
    } else if (const auto* id = std::get_if<ConnId>(&*due)) {
      protocol::SessionEffects effects;
      connections_.at(*id).session.on_deadline(now.steady, effects);
      carry(*id, std::move(effects), now, out);
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
  for (const auto& [id, entry] : games_) deadlines_.set(id, std::nullopt);
  for (const auto& [id, connection] : connections_) {
    journal_.send_after(journal_.newest_ticket(),
                        CloseConnection{id, protocol::kCloseGoingAway, "draining"}, out);
  }
  pool::Effects effects;
  pool_.drain(now.steady, effects);
  carry_pool(effects, now, out);
}

}  // namespace tengen::daemon
