// Names that the daemon gives out.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <random>

#include "protocol/messages.h"
#include "rules/game_id.h"

namespace tengen::daemon {

/// One client connection; never used twice.
struct ConnId {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(const ConnId&, const ConnId&) = default;
};

/// One HTTP request that waits for its answer; never used twice.
struct HttpId {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(const HttpId&, const HttpId&) = default;
};

/// A new game id: the time in milliseconds, then 80 random bits.
rules::GameId make_game_id(std::int64_t unix_ms, std::mt19937_64& random);

using protocol::VirtualEngineId;

}  // namespace tengen::daemon

template <>
struct std::hash<tengen::daemon::VirtualEngineId> {
  std::size_t operator()(const tengen::daemon::VirtualEngineId& id) const noexcept {
    return std::hash<std::uint64_t>{}(id.high ^ id.low);
  }
};

template <>
struct std::hash<tengen::daemon::ConnId> {
  std::size_t operator()(const tengen::daemon::ConnId& id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value);
  }
};

template <>
struct std::hash<tengen::daemon::HttpId> {
  std::size_t operator()(const tengen::daemon::HttpId& id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value);
  }
};
