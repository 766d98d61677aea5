// What operators do: games, connections, tokens, engines and profiles, each with a line in the log
// that says who did it. hub_access.cc has seen to it that they may.
#include <algorithm>
#include <utility>

#include "daemon/encoded_push.h"
#include "daemon/hub.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;

std::string count_text(std::size_t connections) {
  return std::to_string(connections) + (connections == 1 ? " connection" : " connections");
}

std::string with_text(std::string deed, const std::string& text) {
  return text.empty() ? deed : deed + ": " + text;
}

std::uint32_t count_of(const std::vector<ConnId>& connections) {
  return static_cast<std::uint32_t>(connections.size());
}

}  // namespace

/// What has been done, and what is still to follow the answer.
struct Hub::Deed {
  std::string text{};  // for the log, after the name of who did it
  protocol::AdminDone done{};
  Ticket after{};  // the answer waits for it
  std::vector<ConnId> to_close{};
  std::uint16_t close_code = 0;
  std::string close_reason{};
};

void Hub::handle(ConnId id, std::uint32_t request, const protocol::Admin& admin, Entry* entry,
                 Now now, Effects& out) {
  const std::string who = connections_.at(id).caller.name;
  const auto log = [&](const std::string& deed) {
    out.push_back(LogLine{pool::Note::Level::Info, "admin " + who + ": " + deed});
  };
  if (const auto* list = std::get_if<protocol::ListConnections>(&admin.verb)) {
    log("lists connections");
    return reply(id, request, list_connections(list->after), Ticket{}, out);
  }
  if (answer_admin_again(id, request, admin, out)) return;
  auto outcome = carry_out(admin.verb, entry, now, out);
  if (auto* error = std::get_if<Error>(&outcome)) {
    return refuse(id, request, std::move(*error), out);
  }
  const auto& deed = std::get<Deed>(outcome);
  log(deed.text);
  remember_admin(who, admin, deed.done);
  reply(id, request, deed.done, deed.after, out);
  if (const auto* notice = std::get_if<protocol::SendNotice>(&admin.verb)) {
    push_notice(notice->text, out);
  }
  for (const ConnId each : deed.to_close) {
    out.push_back(CloseConnection{each, deed.close_code, deed.close_reason});
  }
}

Hub::Outcome Hub::carry_out(const protocol::AdminVerb& verb, Entry* entry, Now now, Effects& out) {
  return std::visit(
      [&](const auto& what) -> Outcome {
        using Verb = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<Verb, protocol::EndGame>) {
          return end_game(what, *entry, now, out);
        } else if constexpr (std::is_same_v<Verb, protocol::Kick>) {
          return kick(what);
        } else if constexpr (std::is_same_v<Verb, protocol::RevokeToken>) {
          return revoke_token(what);
        } else if constexpr (std::is_same_v<Verb, protocol::RetireEngine>) {
          return retire_engine(what, now, out);
        } else if constexpr (std::is_same_v<Verb, protocol::DrainProfile>) {
          return drain_profile(what);
        } else if constexpr (std::is_same_v<Verb, protocol::SendNotice>) {
          return send_notice(what);
        } else {
          return Deed{};
        }
      },
      verb);
}

bool Hub::answer_admin_again(ConnId id, std::uint32_t request, const protocol::Admin& admin,
                             Effects& out) {
  const auto& token = connections_.at(id).caller.name;
  const auto kept =
      std::find_if(admin_kept_.begin(), admin_kept_.end(), [&](const AdminKept& each) {
        return each.token == token && each.admin.request_id == admin.request_id;
      });
  if (kept == admin_kept_.end()) return false;
  if (kept->admin == admin) {
    reply(id, request, kept->done, journal_.newest_ticket(), out);
  } else {
    refuse(id, request,
           {ErrorCode::RequestIdConflict, "request_id", "this request_id was another request"},
           out);
  }
  return true;
}

void Hub::remember_admin(const std::string& token, const protocol::Admin& admin,
                         protocol::AdminDone done) {
  admin_kept_.push_back({token, admin, done});
  if (admin_kept_.size() > limits_.admin_kept_max) admin_kept_.pop_front();
}

Hub::Outcome Hub::end_game(const protocol::EndGame& end, Entry& entry, Now now, Effects& out) {
  MatchEffects effects;
  if (auto error = entry.match.on_ruling(end.winner, end.text, now, effects)) return *error;
  settle(entry, std::move(effects), now, out);
  std::string ruling = "it does not count";
  if (end.winner) ruling = *end.winner == rules::Color::Black ? "black wins" : "white wins";
  return Deed{.text = with_text("ends game " + rules::to_text(end.game) + ", " + ruling, end.text),
              .after = entry.last};
}

std::vector<ConnId> Hub::connections_of(std::string_view token) const {
  std::vector<ConnId> found;
  for (const auto& [id, connection] : connections_) {
    if (connection.session.is_welcomed() && connection.caller.name == token) found.push_back(id);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Hub::Outcome Hub::kick(const protocol::Kick& kick) const {
  Deed deed{.close_code = protocol::kCloseKicked, .close_reason = "an operator closed it"};
  if (const auto* number = std::get_if<protocol::ConnectionNumber>(&kick.whom)) {
    const ConnId id{number->value};
    if (!connections_.contains(id)) {
      return Error{ErrorCode::InvalidArgument, "connection", "no connection has that number"};
    }
    deed.to_close = {id};
    deed.text = "kicks connection " + std::to_string(id.value);
  } else {
    const auto& token = std::get<std::string>(kick.whom);
    const auto& tokens = gate_.access().tokens();
    const bool is_known = token == kAnonymous ||
                          std::any_of(tokens.begin(), tokens.end(),
                                      [&](const AccessToken& each) { return each.name == token; });
    if (!is_known) return Error{ErrorCode::InvalidArgument, "token", "no token has that name"};
    deed.to_close = connections_of(token);
    deed.text = "kicks token " + token + ", " + count_text(deed.to_close.size());
  }
  deed.done.connections = count_of(deed.to_close);
  return deed;
}

Hub::Outcome Hub::revoke_token(const protocol::RevokeToken& revoke) {
  if (!gate_.revoke(revoke.name)) {
    return Error{ErrorCode::InvalidArgument, "name", "no token has that name"};
  }
  Deed deed{.to_close = connections_of(revoke.name),
            .close_code = protocol::kCloseBadToken,
            .close_reason = "the access token is revoked"};
  deed.done.connections = count_of(deed.to_close);
  deed.text = "revokes token " + revoke.name + ", " + count_text(deed.to_close.size());
  return deed;
}

Hub::Outcome Hub::retire_engine(const protocol::RetireEngine& retire, Now now, Effects& out) {
  pool::Effects effects;
  const bool is_there = pool_.retire(pool::EngineId{retire.engine}, now.steady, effects);
  carry_pool(effects, now, out);
  if (!is_there) return Error{ErrorCode::UnknownEngine, "engine", "no engine has that number"};
  return Deed{.text = "retires engine " + std::to_string(retire.engine)};
}

Hub::Outcome Hub::drain_profile(const protocol::DrainProfile& drain) {
  const auto intake = drain.undo ? pool::Intake::Open : pool::Intake::Closed;
  if (!pool_.set_intake(drain.profile, intake)) {
    return Error{ErrorCode::UnknownProfile, "profile", "no engine profile has that name"};
  }
  deadlines_.set(PoolKey{}, pool_.deadline());
  return Deed{.text = (drain.undo ? "lets profile " : "drains profile ") + drain.profile +
                      (drain.undo ? " have new games again" : "")};
}

Hub::Outcome Hub::send_notice(const protocol::SendNotice& notice) const {
  const auto told = std::count_if(connections_.begin(), connections_.end(), [](const auto& each) {
    return each.second.session.is_welcomed();
  });
  const auto count = static_cast<std::uint32_t>(told);
  return Deed{.text = with_text("tells " + count_text(count), notice.text), .done = {count}};
}

void Hub::push_notice(const std::string& text, Effects& out) {
  EncodedPush notice(protocol::Notice{text});
  for (const auto& [id, connection] : connections_) {
    if (!connection.session.is_welcomed()) continue;
    out.push_back(SendFrame{id, notice.in(connection.session.format())});
  }
}

protocol::ConnectionList Hub::list_connections(std::uint64_t after) const {
  std::vector<ConnId> found;
  for (const auto& [id, connection] : connections_) {
    if (id.value > after && connection.session.is_welcomed()) found.push_back(id);
  }
  const auto count = std::min(found.size(), protocol::kConnectionsListedMax);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
  protocol::ConnectionList list{{}, count < found.size()};
  for (std::size_t i = 0; i < count; ++i) {
    const auto& connection = connections_.at(found[i]);
    list.connections.push_back({{found[i].value},
                                connection.caller.name,
                                connection.client,
                                connection.address,
                                static_cast<std::uint32_t>(connection.seats.size()),
                                static_cast<std::uint32_t>(connection.subscriptions.size())});
  }
  return list;
}

}  // namespace tengen::daemon
