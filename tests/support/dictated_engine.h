// An engine that is dictated its moves and writes down all that it is told: a shell script in a
// test's folder, so that a test knows both sides of the conversation to the byte.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temp_folder.h"

namespace tengen::tests {

/// A command for `sh -c`. It answers genmove with the next line of the folder's file `answers`,
/// whatever the board, and passes when there are no more; `hang` is no answer at all, `half` one
/// that breaks off. A process that hangs has a child. The folder must outlive it.
std::string dictated_engine(const TempFolder& folder);

/// What all its processes were told: a command a line, in the order of arrival, and after each
/// genmove the `answer W D4` that it gave.
std::vector<std::string> told_lines(const TempFolder& folder);
/// What one process was told.
struct Told {
  std::filesystem::path file;
  std::vector<std::string> lines;
};
/// The same by process, in no order.
std::vector<Told> told_by_process(const TempFolder& folder);

/// The lines that begin so.
std::vector<std::string> lines_with(std::string_view beginning,
                                    const std::vector<std::string>& lines);
std::size_t count_of(std::string_view word, std::string_view text);

}  // namespace tengen::tests
