// A table of text in aligned columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tengen::cli {

using Row = std::vector<std::string>;
enum class Align : std::uint8_t { Left, Right };

/// One line per row, two spaces between columns, nothing after a line's last letter. Rows have at
/// most one cell per entry of `columns`.
std::string table_text(const std::vector<Align>& columns, const std::vector<Row>& rows);

}  // namespace tengen::cli
