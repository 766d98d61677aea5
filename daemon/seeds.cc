#include "daemon/seeds.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "daemon/mac.h"

namespace tengen::daemon {

rules::GameSeed draw_seed(const TicketKey& key, rules::GameId game) {
  return mac_of(key, "seed of " + rules::to_text(game));
}

std::string seed_digest(const rules::GameSeed& seed) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest_of(seed)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15u];
  }
  return text;
}

std::uint32_t engine_seed(const rules::GameSeed& seed, SearchNumber search) {
  std::string name = "move " + std::to_string(search.moves);
  if (search.refused > 0) name += " again " + std::to_string(search.refused);
  const Mac mac = mac_of(seed, name);
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | mac[i];
  return std::max(number >> 1, 1u);  // GNU Go's 0 is the time of day
}

}  // namespace tengen::daemon
