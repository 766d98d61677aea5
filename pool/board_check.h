// Whether an engine's board is the one we think it holds, read from what it shows of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pool/dialect.h"
#include "rules/board.h"

namespace tengen::pool {

/// The commands that show the board, in the order their answers are read; none for VerifyBy::None.
std::vector<std::string> verify_commands(VerifyBy way);

enum class BoardCheck : std::uint8_t { Same, Different, Unreadable };

/// Compares the successful answers to verify_commands with the board.
BoardCheck check_board(VerifyBy way, const std::vector<std::string>& answers,
                       const rules::Board& board);

}  // namespace tengen::pool
