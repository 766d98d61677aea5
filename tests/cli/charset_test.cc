#include "clients/cli/charset.h"

#include <gtest/gtest.h>

#include <vector>

namespace tengen::cli {
namespace {

TEST(Charset, NamesInUseAreKnown) {
  struct Case {
    std::string charset, bytes, text;
  };
  const std::vector<Case> cases = {
      {"GB2312", "\xB9\xC5\xC1\xA6", "古力"},
      {"gb_2312-80", "\xB9\xC5", "古"},
      {"gbk", "\x95\\", "昞"},
      {"GB18030", "\x81\x30\x81\x30", "\xC2\x80"},
      {"Big5", "\xB3\\", "許"},
      {"CP950", "\xB3\\", "許"},
      {"Shift_JIS", "\x83\\\\", "ソ\\"},
      {"SJIS", "\x95\\", "表"},
      {"x-sjis", "\x83\\", "ソ"},
      {"Windows-31J", "\x87\x40", "①"},
      {"CP932", "\x87\x40", "①"},
      {"EUC-KR", "\xC0\xCC", "이"},
      {"KS_C_5601-1987", "\xC0\xCC", "이"},
      {"KS_C_5601", "\xC0\xCC", "이"},
      {"EUC-JP", "\xB8\xEB", "碁"},
      {"ISO-8859-1", "J\xF6rg", "Jörg"},
      {"latin1", "\xE9", "é"},
      {"ISO-8859-15", "\xA4", "€"},
      {"windows-1252", "\x80", "€"},
      {"UTF-8", "é", "é"},
      {" utf8 ", "古", "古"},
      {"UTF-16LE", std::string("a\0", 2), "a"},
      {"utf-16be", "\x53\xE4", "古"},
      {"UTF-16", "\xFE\xFF\x53\xE4", "古"},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(decode_charset(test.bytes, test.charset), test.text) << test.charset;
    EXPECT_EQ(decode_charset("", test.charset), "") << test.charset;
  }
}

TEST(Charset, OtherNamesNeverReachIconv) {
  for (const std::string name :
       {"", "UTF-7", "UTF-8//IGNORE", "UCS-4", "char", "../x", "UTF-16XX"}) {
    EXPECT_EQ(decode_charset("A", name), std::nullopt) << name;
  }
  EXPECT_EQ(decode_charset("A", "utf8" + std::string(100, '-')), std::nullopt);
}

TEST(Charset, InvalidBytesAreNoText) {
  EXPECT_EQ(decode_charset("\xC3", "UTF-8"), std::nullopt);
  EXPECT_EQ(decode_charset("\xFF", "GBK"), std::nullopt);
  EXPECT_EQ(decode_charset("ab\x83", "Shift_JIS"), std::nullopt);
  EXPECT_EQ(decode_charset("\xB9", "Big5"), std::nullopt);
  EXPECT_EQ(decode_charset("a", "UTF-16LE"), std::nullopt);
  EXPECT_EQ(decode_charset("ok", "GBK"), "ok");
}

TEST(Charset, LongTextsAreConvertedWhole) {
  std::string bytes, text;
  for (int i = 0; i < 100'000; ++i) {
    bytes += i % 3 == 0 ? "x" : "\xB9\xC5";
    text += i % 3 == 0 ? "x" : "古";
  }
  EXPECT_EQ(decode_charset(bytes, "GBK"), text);
}

TEST(Charset, TextsBeyondTheLimitAreRefused) {
  EXPECT_EQ(decode_charset(std::string((64u << 20) + 1, 'a'), "UTF-8"), std::nullopt);
}

}  // namespace
}  // namespace tengen::cli
