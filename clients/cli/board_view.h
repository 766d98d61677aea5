// The board drawn in text: letters without I across, rows counted from the bottom, star points, the
// last move marked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rules/board.h"

namespace tengen::cli {

/// Plain is ASCII: X O . + and the last move in brackets. Color uses the terminal's colours.
enum class BoardStyle : std::uint8_t { Plain, Color };

std::string board_text(const rules::Board& board, std::optional<rules::Point> last,
                       BoardStyle style);

}  // namespace tengen::cli
