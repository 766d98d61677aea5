#include "protocol/text.h"

#include <gtest/gtest.h>

namespace tengen::protocol {
namespace {

TEST(TextTest, ValidUtf8IsClean) {
  // The boundaries of each length, from table 3-7 of the Unicode standard.
  for (const std::string_view text :
       {"", "Ada", "\u00e9", "\u5929\u5143", "\U0001f600", "\xc2\xa0", "\xe0\xa0\x80",
        "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_clean_text(text)) << text;
  }
}

TEST(TextTest, IllFormedUtf8IsNotClean) {
  for (const std::string_view text :
       {"\x80", "\xc0\xaf", "\xc1\xbf", "\xc2", "\xc2x", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(is_clean_text(text)) << testing::PrintToString(std::string(text));
  }
}

TEST(TextTest, CharactersThatSteerATerminalOrTheLineAreNotClean) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view text : {"a\nb"sv, "\t"sv, "\x1b[31m"sv, "\x7f"sv, "\0"sv, "\u0085"sv,
                                      "\u009b"sv, "\u2028"sv, "\u202e"sv, "\u2066"sv, "\u200f"sv}) {
    EXPECT_FALSE(is_clean_text(text)) << testing::PrintToString(std::string(text));
  }
}

TEST(TextTest, TokenIsPrintableAsciiWithoutSpaces) {
  EXPECT_TRUE(is_token("!~09azAZ"));
  for (const std::string_view text : {"", " ", "a b", "a\x7f", "\u00e9", "a\n"}) {
    EXPECT_FALSE(is_token(text));
  }
}

TEST(TextTest, PrintableAsciiMayHaveSpacesAndBeEmpty) {
  EXPECT_TRUE(is_printable_ascii(""));
  EXPECT_TRUE(is_printable_ascii("a b"));
  EXPECT_FALSE(is_printable_ascii("a\tb"));
  EXPECT_FALSE(is_printable_ascii("\u00e9"));
}

TEST(TextTest, CleaningMarksWhatIsLost) {
  EXPECT_EQ(clean_text("a\x1b[2J\xff\u5929", 64), "a?[2J?\u5929");
}

TEST(TextTest, CleaningCutsBetweenCharacters) {
  EXPECT_EQ(clean_text("ab\u5929", 5), "ab\u5929");
  EXPECT_EQ(clean_text("ab\u5929", 4), "ab");
  EXPECT_EQ(clean_text("abc", 0), "");
}

}  // namespace
}  // namespace tengen::protocol
