#include "daemon/ids.h"

namespace tengen::daemon {

rules::GameId make_game_id(std::int64_t unix_ms, std::mt19937_64& random) {
  const auto time = static_cast<std::uint64_t>(unix_ms) << 16;
  return {time | (random() & 0xffff), random()};
}

}  // namespace tengen::daemon
