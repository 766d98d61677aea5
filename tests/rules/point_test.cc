#include "rules/point.h"

#include <gtest/gtest.h>

namespace tengen::rules {
namespace {

/// One point in every spelling; read off a drawn board by hand.
struct Spelling {
  Size size;
  int col;
  int row;
  std::string_view gtp;
  std::string_view sgf;
  AgentPoint agent;
};

// GTP: letters skip I and rows count from the bottom. SGF: column first, both from the top left.
// 25 columns end at Z; the 9th is J.
constexpr Spelling kSpellings[] = {
    {{19, 19}, 0, 0, "A19", "aa", {0, 0}},   {{19, 19}, 0, 18, "A1", "as", {0, 18}},
    {{19, 19}, 18, 0, "T19", "sa", {18, 0}}, {{19, 19}, 18, 18, "T1", "ss", {18, 18}},
    {{19, 19}, 15, 3, "Q16", "pd", {15, 3}}, {{19, 19}, 2, 13, "C6", "cn", {2, 13}},
    {{19, 19}, 7, 4, "H15", "he", {7, 4}},   {{19, 19}, 8, 9, "J10", "ij", {8, 9}},
    {{9, 9}, 6, 1, "G8", "gb", {6, 1}},      {{9, 9}, 8, 0, "J9", "ia", {8, 0}},
    {{13, 13}, 10, 2, "L11", "kc", {10, 2}}, {{25, 25}, 24, 0, "Z25", "ya", {24, 0}},
    {{25, 25}, 1, 24, "B1", "by", {1, 24}},  {{7, 3}, 6, 0, "G3", "ga", {6, 0}},
    {{3, 7}, 0, 1, "A6", "ab", {0, 1}},      {{1, 1}, 0, 0, "A1", "aa", {0, 0}},
};

TEST(Point, AllSpellingsOfAPointAgree) {
  for (const Spelling& spelling : kSpellings) {
    SCOPED_TRACE(spelling.gtp);
    const Point point = Point::at(spelling.col, spelling.row);
    EXPECT_EQ(gtp_vertex(point, spelling.size), spelling.gtp);
    EXPECT_EQ(sgf_point(point), spelling.sgf);
    EXPECT_EQ(agent_point(point), spelling.agent);
    EXPECT_EQ(parse_gtp_vertex(spelling.gtp, spelling.size), point);
    EXPECT_EQ(parse_sgf_point(spelling.sgf, spelling.size), point);
    EXPECT_EQ(from_agent(spelling.agent, spelling.size), point);
  }
}

TEST(Point, IndexHasAFixedStrideOf27) {
  EXPECT_EQ(Point::at(0, 0).index(), 28);
  EXPECT_EQ(Point::at(2, 1).index(), 57);
  EXPECT_EQ(Point::at(24, 24).index(), 700);
}

TEST(Point, GtpVerticesAreReadInEitherCase) {
  EXPECT_EQ(parse_gtp_vertex("q4", {19, 19}), Point::at(15, 15));
  EXPECT_EQ(parse_gtp_vertex("j1", {9, 9}), Point::at(8, 8));
}

TEST(Point, MalformedAndOffBoardVerticesAreRefused) {
  for (const std::string_view text :
       {"", "A", "5", "I5", "i5", "A0", "A01", "A10", "K1", "AA1", "A1 ", " A1", "A-1", "A+1", "1A",
        "pass", "resign", "A999", "@1"}) {
    EXPECT_FALSE(parse_gtp_vertex(text, {9, 9})) << text;
  }
}

TEST(Point, MalformedAndOffBoardSgfPointsAreRefused) {
  for (const std::string_view text : {"", "a", "aaa", "ja", "aj", "tt", "AA", "a1", "  ", "`a"}) {
    EXPECT_FALSE(parse_sgf_point(text, {9, 9})) << text;
  }
}

TEST(Point, AgentPointsOffTheBoardAreRefused) {
  for (const AgentPoint at : {AgentPoint{-1, 0}, {0, -1}, {7, 0}, {0, 3}, {3, 6}}) {
    EXPECT_FALSE(from_agent(at, {7, 3})) << at.x << "," << at.y;
  }
}

TEST(Point, SentinelsAreOnNoBoard) {
  const Size whole{25, 25};
  for (std::uint16_t i = 0; i < kStride; ++i) {
    EXPECT_FALSE(Point(i).is_on(whole));
    EXPECT_FALSE(Point(static_cast<std::uint16_t>(i * kStride)).is_on(whole));
    EXPECT_FALSE(Point(static_cast<std::uint16_t>(i * kStride + kStride - 1)).is_on(whole));
    EXPECT_FALSE(Point(static_cast<std::uint16_t>(kCells - 1 - i)).is_on(whole));
  }
  EXPECT_FALSE(Point(kCells).is_on(whole));
  EXPECT_FALSE(Point(65535).is_on(whole));
}

}  // namespace
}  // namespace tengen::rules
