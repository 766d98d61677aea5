// Characters of ASCII, whatever the locale says.
#pragma once

namespace tengen::rules {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace tengen::rules
