// Who may do what, and how fast: access tokens of connections, the role that each request needs,
// rates and quotas.
#include <algorithm>

#include "daemon/hub.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;

template <typename Message, typename... Each>
constexpr bool is_any_of = (std::is_same_v<Message, Each> || ...);

/// The role that a request needs; nothing for those that everybody may make.
std::optional<Role> role_for(const protocol::ClientMessage& message) {
  return std::visit(
      [](const auto& each) -> std::optional<Role> {
        using Message = std::decay_t<decltype(each)>;
        if constexpr (is_any_of<Message, protocol::Hello, protocol::Ping, protocol::ListEngines>) {
          return std::nullopt;
        } else if constexpr (is_any_of<Message, protocol::GetLegalMoves, protocol::GetSnapshot,
                                       protocol::Subscribe, protocol::Unsubscribe, protocol::Query,
                                       protocol::ListGames>) {
          return Role::Watch;
        } else if constexpr (is_any_of<Message, protocol::StartAnalysis, protocol::ReviewGame,
                                       protocol::StopAnalysis>) {
          return Role::Analyse;
        } else if constexpr (std::is_same_v<Message, protocol::Admin>) {
          return Role::Admin;
        } else {
          return Role::Play;
        }
      },
      message);
}

Error error_of(const GateRefusal& refusal) {
  switch (refusal.why) {
    case GateRefusal::Why::NeedsToken:
      return {ErrorCode::Unauthenticated, "token", "an access token is needed here"};
    case GateRefusal::Why::BadToken:
      return {ErrorCode::Unauthenticated, "token", "no access token of this daemon"};
    case GateRefusal::Why::TooFast:
      break;
  }
  return {ErrorCode::LimitReached, "failure_rate", "too many wrong tokens from there",
          static_cast<std::uint32_t>(refusal.retry_after.count())};
}

Error missing(Role role) {
  const std::string text = "this needs an access token with the role " + std::string(name_of(role));
  switch (role) {
    case Role::Play:
      return {ErrorCode::Forbidden, "play", text};
    case Role::Watch:
      return {ErrorCode::Forbidden, "watch", text};
    case Role::Analyse:
      return {ErrorCode::Forbidden, "analyse", text};
    case Role::Admin:
      break;
  }
  return {ErrorCode::Forbidden, "admin", text};
}

Error over_quota(const AccessToken& caller, Holding what) {
  const std::string text = caller.name == kAnonymous
                               ? "without an access token there are no more for this address"
                               : "this access token has as many as it may have";
  switch (what) {
    case Holding::Game:
      return {ErrorCode::LimitReached, "token_games_max", text};
    case Holding::Analysis:
      return {ErrorCode::LimitReached, "token_analyses_max", text};
    case Holding::VirtualEngine:
      return {ErrorCode::LimitReached, "token_virtual_engines_max", text};
    case Holding::Watch:
      break;
  }
  return {ErrorCode::LimitReached, "token_watches_max", text};
}

Error too_fast(const TooFast& what) {
  return {ErrorCode::LimitReached,
          std::string(what.limit),
          "too many requests",
          static_cast<std::uint32_t>(what.retry_after.count()),
          {}};
}

}  // namespace

// Why the request is refused to whoever makes it.
std::optional<Error> Hub::objection_to_caller(Connection& connection,
                                              const protocol::ClientMessage& message, Now now) {
  if (std::holds_alternative<protocol::Hello>(message)) return std::nullopt;
  const auto rate =
      gate_.rates().on_request(connection.bucket, connection.caller, connection.peer, now.steady);
  if (rate) return too_fast(*rate);
  const auto role = role_for(message);
  if (!role || connection.caller.roles.has(*role)) return std::nullopt;
  // Whoever plays sees its own games.
  const auto game = game_of(message);
  const bool plays_here = game && std::any_of(connection.seats.begin(), connection.seats.end(),
                                              [&](const SeatOf& s) { return s.game == *game; });
  if (*role == Role::Watch && plays_here) return std::nullopt;
  return missing(*role);
}

bool Hub::authenticate(ConnId id, std::uint32_t request, const protocol::Hello& hello, Now now,
                       Effects& out) {
  auto& connection = connections_.at(id);
  auto caller = gate_.admit(hello.token, connection.peer, now.steady);
  if (const auto* refusal = std::get_if<GateRefusal>(&caller)) {
    refuse(id, request, error_of(*refusal), out);
    if (refusal->why != GateRefusal::Why::TooFast) {
      out.push_back(CloseConnection{id, protocol::kCloseBadToken, "no access token"});
    }
    return false;
  }
  connection.caller = std::get<AccessToken>(std::move(caller));
  connection.account = account_of(connection.caller, connection.peer);
  return true;
}

void Hub::set_access(AccessConfig config, Effects& out) {
  gate_.reload(std::move(config));
  check_callers(out);
}

// Callers are what the configuration says of them now; those that are nobody any more are sent
// away.
void Hub::check_callers(Effects& out) {
  for (auto& [id, connection] : connections_) {
    if (!connection.session.is_welcomed()) continue;
    const auto* now = gate_.access().current(connection.caller);
    if (now != nullptr) {
      connection.caller = *now;
    } else {
      out.push_back(CloseConnection{id, protocol::kCloseBadToken, "the access token is gone"});
    }
  }
}

std::optional<Error> Hub::take_quota(const Connection& connection, Holding what) {
  if (usage_.take(connection.account, connection.caller.quotas, what)) return std::nullopt;
  return over_quota(connection.caller, what);
}

}  // namespace tengen::daemon
