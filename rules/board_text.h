// The board as `showboard` draws it, in the layout that GNU Go made customary on 9x9: column
// letters above and below, row numbers on both sides, prisoners beside the two lowest rows.
#pragma once

#include <string>

#include "rules/record.h"

namespace tengen::rules {

/// Lines without a newline after the last. Black is X, white O, a star point `+`. On a board of one
/// row both counts of prisoners stand beside it.
std::string board_text(const Record& record);

}  // namespace tengen::rules
