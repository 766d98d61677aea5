// JSON for the few numbers and names the --json outputs hold.
#pragma once

#include <string>
#include <string_view>

namespace tengen::cli {

/// The text as a JSON string with its quotes. The text is UTF-8.
std::string json_string(std::string_view text);

}  // namespace tengen::cli
