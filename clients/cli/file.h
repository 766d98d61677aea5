// Reads a whole file, or writes one so that a reader, or a crash, never sees half of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tengen::cli {

struct FileError {
  std::string reason;
};
/// The bytes of the file, or why not; more than `bytes_max` are refused. "-" is standard input.
std::variant<std::string, FileError> read_file(const std::string& path, std::size_t bytes_max);

/// Replaces the file by way of a temporary one beside it, synced before the rename. Gives what went
/// wrong, in which case the old file is as it was.
[[nodiscard]] std::optional<std::string> replace_file(const std::string& path,
                                                      std::string_view text);

}  // namespace tengen::cli
