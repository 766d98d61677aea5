// Aligned columns. Width is counted in code points, which is right for the names shown here.
#include "clients/cli/table.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tengen::cli {

namespace {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

std::string table_text(const std::vector<Align>& columns, const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(columns.size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - width_of(row[i]), ' ');
      line += i == 0 ? "" : "  ";
      line += columns[i] == Align::Right ? gap + row[i] : row[i] + gap;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace tengen::cli
