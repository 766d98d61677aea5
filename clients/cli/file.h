// Writes a file so that a reader, or a crash, never sees half of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tengen::cli {

/// Replaces the file by way of a temporary one beside it, synced before the rename. Gives what went
/// wrong, in which case the old file is as it was.
[[nodiscard]] std::optional<std::string> replace_file(const std::string& path,
                                                      std::string_view text);

}  // namespace tengen::cli
