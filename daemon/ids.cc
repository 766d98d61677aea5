#include "daemon/ids.h"

namespace tengen::daemon {

rules::GameId make_game_id(std::int64_t unix_ms, std::mt19937_64& random) {
  const auto time = static_cast<std::uint64_t>(unix_ms) << 16;
  return {time | (random() & 0xffff), random()};
}

// Written as game ids are.
std::string to_text(VirtualEngineId id) { return rules::to_text(rules::GameId{id.high, id.low}); }

std::optional<VirtualEngineId> parse_virtual_engine_id(std::string_view text) {
  const auto read = rules::parse_game_id(text);
  if (!read) return std::nullopt;
  return VirtualEngineId{read->high, read->low};
}

}  // namespace tengen::daemon
