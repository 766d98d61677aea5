// What a careful client never writes to an engine, as far as a line by itself shows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tests/support/persona.h"

namespace tengen::tests {

/// What is wrong with a line (without its newline), or nothing: characters that engines strip or
/// choke on, an id that one of them loses, a length at which this one cuts.
std::optional<std::string> insult_in(Persona persona, std::string_view line);

/// The decimal digits that a line begins with: its id.
std::string_view id_of(std::string_view line);

}  // namespace tengen::tests
