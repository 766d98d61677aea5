// What showboard answers, in each engine's layout.
#pragma once

#include <string>

#include "rules/record.h"
#include "tests/support/persona.h"

namespace tengen::tests {

/// The text after "=5 ", newlines inside included, the last one not. Empty for Leela Zero, which
/// draws on standard error.
std::string board_picture(Persona persona, const rules::Record& record, int komi_half);

}  // namespace tengen::tests
