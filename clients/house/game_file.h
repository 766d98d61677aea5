// An SGF file as a game for `loadsgf`: the main line of its first game of Go.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "clients/house/gtp_line.h"
#include "clients/house/local_game.h"

namespace tengen::house {

struct GameFile {
  GameText game;
  std::optional<int> komi_half;  // absent where the file states none, or none that is accepted
};

/// The game before its `before_move`th move (counted from 1, passes too), or all of it. Setup
/// before the first move becomes the start; where it is of two or more black stones alone it is a
/// handicap. Nothing when the file cannot be read, its board is none of ours, a move to be made
/// names no point, or there are more moves than the limit.
std::optional<GameFile> parse_game_file(std::string_view bytes,
                                        std::optional<std::size_t> before_move,
                                        const GtpLimits& limits);

}  // namespace tengen::house
