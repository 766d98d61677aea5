#include "rules/point.h"

#include <algorithm>
#include <charconv>

#include "rules/ascii.h"

namespace tengen::rules {
namespace {

constexpr std::string_view kColumns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

std::optional<Point> if_on(int col, int row, Size size) {
  if (col < 0 || col >= size.width || row < 0 || row >= size.height) return std::nullopt;
  return Point::at(col, row);
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string gtp_vertex(Point point, Size size) {
  std::string vertex(1, kColumns[static_cast<std::size_t>(point.col())]);
  vertex += std::to_string(size.height - point.row());
  return vertex;
}

std::optional<Point> parse_gtp_vertex(std::string_view text, Size size) {
  if (text.size() < 2 || text.size() > 3 || text[1] == '0') return std::nullopt;
  const std::size_t col = kColumns.find(upper(text[0]));
  if (col == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(1);
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return if_on(static_cast<int>(col), size.height - number, size);
}

std::string sgf_point(Point point) {
  return {static_cast<char>('a' + point.col()), static_cast<char>('a' + point.row())};
}

std::optional<Point> parse_sgf_point(std::string_view text, Size size) {
  if (text.size() != 2) return std::nullopt;
  return if_on(text[0] - 'a', text[1] - 'a', size);
}

AgentPoint agent_point(Point point) { return {point.col(), point.row()}; }

std::optional<Point> from_agent(AgentPoint at, Size size) { return if_on(at.x, at.y, size); }

}  // namespace tengen::rules
