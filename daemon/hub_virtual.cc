// Virtual GTP engines on the way between connections and the pool.
#include "daemon/hub.h"

namespace tengen::daemon {
namespace {

/// Under which an engine is found again by whoever has the same account: a line of its own.
/// Empty: it is not.
std::string opening_name(const std::string& account, const std::string& request_id) {
  return request_id.empty() ? "" : account + '\n' + request_id;
}

bool is_same_opening(const VirtualEngineSpec& a, const VirtualEngineSpec& b) {
  return a.profile == b.profile && a.settings == b.settings && a.rules == b.rules &&
         a.start == b.start;
}

}  // namespace

void Hub::handle(ConnId id, std::uint32_t request, protocol::OpenVirtualEngine& open, Now now,
                 Effects& out) {
  const auto& connection = connections_.at(id);
  if (draining_) {
    return refuse(
        id, request,
        {protocol::ErrorCode::Unavailable, "draining", "the daemon is stopping", 1'000, {}}, out);
  }
  VirtualEngineSpec spec{std::move(open.profile),
                         std::move(open.settings),
                         open.rules,
                         std::move(open.start),
                         pool::ClientId{id.value},
                         opening_name(connection.account, open.request_id)};
  if (const auto known = virtuals_.find_opened(spec.opening)) {
    if (is_same_opening(spec, virtuals_.find(*known)->spec())) {
      return reply(id, request, protocol::VirtualEngineOpened{*known}, Ticket{}, out);
    }
    return refuse(id, request,
                  {protocol::ErrorCode::RequestIdConflict, "request_id",
                   "this request_id has opened another virtual engine"},
                  out);
  }
  if (auto error = take_quota(connection, Holding::VirtualEngine)) {
    return refuse(id, request, std::move(*error), out);
  }
  auto opened = virtuals_.open(id, std::move(spec), pool_, now);
  if (auto* error = std::get_if<protocol::Error>(&opened)) {
    usage_.release(connection.account, Holding::VirtualEngine);
    return refuse(id, request, std::move(*error), out);
  }
  const auto engine = std::get<VirtualEngineId>(opened);
  virtual_holders_.emplace(engine, connection.account);
  deadlines_.set(VirtualKey{}, virtuals_.deadline());
  reply(id, request, protocol::VirtualEngineOpened{engine}, Ticket{}, out);
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::CallVirtualEngine& call, Now now,
                 Effects& out) {
  VirtualEffects effects;
  virtuals_.on_call(
      call.engine,
      {{id, request}, std::move(call.method), std::move(call.request), std::move(call.request_id)},
      pool_, now, effects);
  carry_virtual(std::move(effects), now, out);
}

void Hub::handle(ConnId id, std::uint32_t request, protocol::CloseVirtualEngine& close, Now now,
                 Effects& out) {
  VirtualEffects effects;
  auto error = virtuals_.close(close.engine, effects);
  carry_virtual(std::move(effects), now, out);
  if (error) return refuse(id, request, std::move(*error), out);
  reply(id, request, protocol::VirtualEngineClosed{close.engine}, Ticket{}, out);
}

// Callers that have gone get nothing.
void Hub::carry_virtual(VirtualEffects effects, Now now, Effects& out) {
  for (auto& each : effects.replies) {
    std::visit(
        [&](auto& message) {
          reply(each.caller.connection, each.caller.request, std::move(message), Ticket{}, out);
        },
        each.answer);
  }
  for (const auto job : effects.cancel) {
    pool::Effects pool_effects;
    pool_.cancel(job, now.steady, pool_effects);
    carry_pool(pool_effects, now, out);
  }
  submit(std::move(effects.submit), now, out);
  deadlines_.set(VirtualKey{}, virtuals_.deadline());
  if (virtual_holders_.size() == virtuals_.size()) return;
  std::erase_if(virtual_holders_, [&](const auto& holder) {
    if (virtuals_.find(holder.first) != nullptr) return false;
    usage_.release(holder.second, Holding::VirtualEngine);
    return true;
  });
}

}  // namespace tengen::daemon
