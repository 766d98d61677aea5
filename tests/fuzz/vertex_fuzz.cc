// libFuzzer target: names of points. On every board size, a text that names a point is what the
// point is called, give or take the case, and no point is off its board.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "rules/point.h"

namespace {

using tengen::rules::kMaxSize;
using tengen::rules::Point;
using tengen::rules::Size;

void check(bool holds) {
  if (!holds) std::abort();
}

std::string upper(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return capitals;
}

void check_text(std::string_view text, Size size) {
  if (const auto point = tengen::rules::parse_gtp_vertex(text, size)) {
    check(point->is_on(size));
    check(tengen::rules::gtp_vertex(*point, size) == upper(text));
  }
  if (const auto point = tengen::rules::parse_sgf_point(text, size)) {
    check(point->is_on(size));
    check(tengen::rules::sgf_point(*point) == text);
  }
}

void check_point(Point point, Size size) {
  check(tengen::rules::parse_gtp_vertex(tengen::rules::gtp_vertex(point, size), size) == point);
  check(tengen::rules::parse_sgf_point(tengen::rules::sgf_point(point), size) == point);
  check(tengen::rules::from_agent(tengen::rules::agent_point(point), size) == point);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::uint8_t width = 1; width <= kMaxSize; ++width) {
    for (std::uint8_t height = 1; height <= kMaxSize; ++height) {
      const Size board{width, height};
      check_text(text, board);
      if (size >= 2) check_point(Point::at(data[0] % width, data[1] % height), board);
    }
  }
  return 0;
}
