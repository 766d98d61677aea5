// What a plain HTTP request is about, told by its method and target alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "rules/game_id.h"

namespace tengen::daemon {

/// Of a game's page; its id follows.
inline constexpr std::string_view kWatchPath = "/watch/";

enum class HttpCall : std::uint8_t {
  Hint,  // that this is a WebSocket endpoint
  Health,
  Metrics,
  Rules,
  Watch,
  View,
  Act,
  Wait,
  Query,
  Leave
};

struct HttpRoute {
  HttpCall call = HttpCall::Hint;
  std::optional<rules::GameId> game{};  // of Watch
};
/// Nothing is there, or it is asked for in another way: `allow` are the methods that would do.
struct NoRoute {
  int status = 404;
  std::string_view text;
  std::string_view allow{};
};

/// The target is "/path" or "/path?query"; the query says nothing to anybody.
std::variant<HttpRoute, NoRoute> route_of(std::string_view method, std::string_view target);

/// Whether the hub has no part in the answer: all but /v1/... and /watch/...
bool is_page(std::string_view target);

}  // namespace tengen::daemon
