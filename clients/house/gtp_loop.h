// The shell of the house engine: GTP on standard input and output, nothing else on either.
#pragma once

#include "clients/house/referee.h"

namespace tengen::house {

/// Answers commands until `quit` or the end of the input and gives the exit status: 0, or 1 when
/// the input cannot be read or the output not written. Ignores SIGPIPE, so that a reader that has
/// gone away is an error.
int run_house(const HouseOptions& options);

}  // namespace tengen::house
