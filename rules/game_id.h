// The name of a game: 128 bits, time-ordered, written as 32 lower-case hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tengen::rules {

struct GameId {
  std::uint64_t high = 0;  // milliseconds since 1970 in the top 48 bits, then random
  std::uint64_t low = 0;   // random

  friend constexpr auto operator<=>(const GameId&, const GameId&) = default;
};

std::string to_text(GameId id);
/// Nothing unless the text is exactly 32 digits 0-9 a-f.
std::optional<GameId> parse_game_id(std::string_view text);

}  // namespace tengen::rules

template <>
struct std::hash<tengen::rules::GameId> {
  std::size_t operator()(const tengen::rules::GameId& id) const noexcept {
    return static_cast<std::size_t>(id.high * 0x9e3779b97f4a7c15u ^ id.low);
  }
};
