// Fixed handicaps against the table of GTP 2 (tests/data/rules/handicap.json).
#include "rules/handicap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

Size square(int size) { return {static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size)}; }

boost::json::object table() {
  std::ifstream file(TENGEN_TESTS_DIR "/data/rules/handicap.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return boost::json::parse(text).at("vertices").as_object();
}

TEST(Handicap, EverySizeHasThePointsOfTheTable) {
  const boost::json::object sizes = table();
  for (int width = 1; width <= kMaxSize; ++width) {
    const auto* rows = sizes.if_contains(std::to_string(width));
    for (int stones = 0; stones <= 10; ++stones) {
      SCOPED_TRACE(std::to_string(width) + ": " + std::to_string(stones));
      const auto* row =
          rows == nullptr ? nullptr : rows->as_object().if_contains(std::to_string(stones));
      std::vector<Point> expected;
      if (row != nullptr) {
        for (const auto& name : row->as_array()) {
          expected.push_back(tests::vertex(std::string(name.as_string()), square(width)));
        }
      }
      EXPECT_EQ(fixed_handicap(square(width), stones), expected);
      EXPECT_EQ(stones >= 2 && stones <= fixed_handicap_max(square(width)), row != nullptr);
    }
  }
}

TEST(Handicap, RectanglesHaveNone) {
  EXPECT_EQ(fixed_handicap_max({19, 13}), 0);
  EXPECT_TRUE(fixed_handicap({19, 13}, 2).empty());
}

// Nine stars on 19x19 and five on 9x9 and 13x13, as boards are printed.
TEST(StarPoints, AreDrawnOnThreeSizesOnly) {
  EXPECT_EQ(star_points(square(19)).size(), 9u);
  EXPECT_EQ(star_points(square(13)).size(), 5u);
  const std::vector<Point> nine{Point::at(2, 2), Point::at(6, 2), Point::at(4, 4), Point::at(2, 6),
                                Point::at(6, 6)};
  EXPECT_EQ(star_points(square(9)), nine);
  EXPECT_TRUE(star_points(square(17)).empty());
  EXPECT_TRUE(star_points({9, 13}).empty());
}

}  // namespace
}  // namespace tengen::rules
