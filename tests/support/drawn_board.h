// Boards drawn as text in tests: rows from the top, `X` black, `O` white, `.` empty.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/board.h"
#include "rules/move.h"
#include "rules/point.h"

namespace tengen::tests {

struct DrawnBoard {
  rules::Size size;
  std::vector<rules::Stone> stones;  // row after row from the top
};

/// Reads rows of equal length.
DrawnBoard drawn(const std::vector<std::string>& rows);

/// The board with the drawn stones placed.
rules::Board board_of(const std::vector<std::string>& rows);

/// The point of a GTP vertex that the test knows to be on the board.
rules::Point vertex(std::string_view text, rules::Size size);

}  // namespace tengen::tests
