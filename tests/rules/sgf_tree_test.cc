#include "rules/sgf_tree.h"

#include <gtest/gtest.h>

#include "tests/rules/sgf_files.h"

namespace tengen::rules {
namespace {

using tengen::tests::all_sgf_files;
using tengen::tests::parsed_sgf;
using tengen::tests::sgf_bytes;
using tengen::tests::sgf_error;

constexpr std::uint32_t kNone = SgfNode::kNone;

/// The text written for what was read.
std::string rewritten(std::string_view bytes) { return write_sgf(parsed_sgf(bytes)); }

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// The first value of the root's property in the first tree.
std::string root_value(std::string_view bytes, std::string_view id) {
  return std::string(parsed_sgf(bytes).trees.at(0).root().value(id));
}

TEST(SgfTree, EveryFileIsTheSameAfterWritingAndReading) {
  for (const std::string& name : all_sgf_files()) {
    SCOPED_TRACE(name);
    const auto parsed = parse_sgf(sgf_bytes(name), cli::decode_charset);
    if (name == "awkward/29-truncated.sgf") continue;
    ASSERT_TRUE(std::holds_alternative<SgfCollection>(parsed)) << std::get<SgfError>(parsed).reason;
    const auto& collection = std::get<SgfCollection>(parsed);
    const std::string written = write_sgf(collection);
    const auto again = parse_sgf(written, nullptr);
    ASSERT_TRUE(std::holds_alternative<SgfCollection>(again)) << std::get<SgfError>(again).reason;
    EXPECT_EQ(std::get<SgfCollection>(again), collection);
    EXPECT_EQ(write_sgf(std::get<SgfCollection>(again)), written);
  }
}

TEST(SgfTree, NodesNameParentFirstChildAndNextSibling) {
  const SgfTree tree = parsed_sgf("(;A[](;B[];C[])(;D[](;E[])(;F[]))(;G[]))").trees.at(0);
  struct Links {
    std::string id;
    std::uint32_t parent, first_child, next_sibling;
  };
  const std::vector<Links> links = {
      {"A", kNone, 1, kNone}, {"B", 0, 2, 3},         {"C", 1, kNone, kNone}, {"D", 0, 4, 6},
      {"E", 3, kNone, 5},     {"F", 3, kNone, kNone}, {"G", 0, kNone, kNone}};
  ASSERT_EQ(tree.nodes.size(), links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    SCOPED_TRACE(links[i].id);
    EXPECT_EQ(tree.nodes[i].properties.at(0).id, links[i].id);
    EXPECT_EQ(tree.nodes[i].parent, links[i].parent);
    EXPECT_EQ(tree.nodes[i].first_child, links[i].first_child);
    EXPECT_EQ(tree.nodes[i].next_sibling, links[i].next_sibling);
  }
}

TEST(SgfTree, VariationsAreWrittenOnLinesOfTheirOwn) {
  EXPECT_EQ(rewritten("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd]))"),
            "(;FF[4]CA[UTF-8]SZ[9]\n;B[aa]\n(;W[bb];B[cc])\n(;W[dd]))\n");
}

TEST(SgfTree, ALineOfAnOnlyVariationNeedsNoParentheses) {
  EXPECT_EQ(rewritten("(;SZ[9](;B[aa](;W[bb])))"), "(;FF[4]CA[UTF-8]SZ[9]\n;B[aa];W[bb])\n");
}

TEST(SgfTree, WhatIsNotUnderstoodIsKept) {
  EXPECT_EQ(
      rewritten("(;GM[1]XX[a\\]b][c:d\\:e]MULTIGOGM[1]KGSDE[]\n;B[aa]ZZ9[ \t\r\nx\\\n])"),
      "(;FF[4]CA[UTF-8]GM[1]XX[a\\]b][c:d\\:e]MULTIGOGM[1]KGSDE[]\n;B[aa]ZZ9[ \t\r\nx\\\n])\n");
}

TEST(SgfTree, FormatAndCharsetAreOursWhenWriting) {
  const SgfTree tree = parsed_sgf("(;FF[3]GM[1]CA[ISO-8859-1]PB[J\xF6rg];B[aa]CA[x])").trees.at(0);
  EXPECT_EQ(tree.format, 3);
  EXPECT_EQ(tree.charset, "ISO-8859-1");
  EXPECT_EQ(write_sgf({{tree}}), "(;FF[4]CA[UTF-8]GM[1]PB[J\xC3\xB6rg]\n;B[aa]CA[x])\n");
  EXPECT_EQ(parsed_sgf("(;)").trees.at(0).format, 1);
}

TEST(SgfTree, RepeatedPropertiesAreJoinedWhereTheFirstStands) {
  EXPECT_EQ(rewritten("(;AB[aa]KM[1]AB[bb][cc]AddBlack[dd])"),
            "(;FF[4]CA[UTF-8]AB[aa][bb][cc][dd]KM[1])\n");
}

TEST(SgfTree, SmallLettersOfNamesAreDropped) {
  EXPECT_EQ(rewritten("(;GaMe[1]SiZe[9]AddBlack[cc];Black[ee];White[])"),
            "(;FF[4]CA[UTF-8]GM[1]SZ[9]AB[cc]\n;B[ee];W[])\n");
  EXPECT_EQ(rewritten("(;x1Y2z3[])"), "(;FF[4]CA[UTF-8]Y23[])\n");
}

TEST(SgfTree, TextAroundTheTreesIsIgnored) {
  const std::string text = "(hello) (\n((;A[1]) between ;B[] ( x (\t;A[2]) after )";
  EXPECT_EQ(rewritten(text), "(;FF[4]CA[UTF-8]A[1])\n(;FF[4]CA[UTF-8]A[2])\n");
}

TEST(SgfTree, ZeroBytesCountAsWhiteSpaceAndDoNotEndTheFile) {
  using namespace std::string_literals;
  EXPECT_EQ(rewritten("\0(\0;\0A\0[x\0y]\0;B[])"s), "(;FF[4]CA[UTF-8]A[x\0y]\n;B[])\n"s);
}

TEST(SgfTree, ErrorsSayLineAndColumn) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "1:1: no game tree: no \"(\" followed by \";\""},
      {"hello (world)", "1:1: no game tree: no \"(\" followed by \";\""},
      {"(;", "1:3: the file ends inside a game tree"},
      {"(;B[aa]\r\n;W[bb]\n\r;B[cc", "3:3: the value of B that begins here has no closing bracket"},
      {"(;B[aa\\])", "1:4: the value of B that begins here has no closing bracket"},
      {"(;B[aa\\", "1:4: the value of B that begins here has no closing bracket"},
      {"(;A[1])\n(;B[aa](;W[bb]", "2:15: the file ends inside a game tree"},
      {"(;B", "1:4: the file ends inside a game tree"},
      {"(;\r\rB;)", "3:2: no value in brackets after B"},
      {"(;black[aa])", "1:3: a property name without a capital letter"},
      {"(;A[1](B[2]))", "1:8: a property before the \";\" of a node"},
      {"(;A[1]\n  5)", "2:3: '5' where a property, a node or a variation should be"},
      {"(;A[1]]", "1:7: ']' where a property, a node or a variation should be"},
      {"(;A[1]\xFF", "1:7: byte 0xFF where a property, a node or a variation should be"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(sgf_error(text), error) << text;
}

TEST(SgfTree, NodesAndPropertiesKnowTheirPlace) {
  const SgfTree tree = parsed_sgf("x\n(;A[multi\nline]\r\n  ;B[]C[])").trees.at(0);
  EXPECT_EQ(tree.nodes.at(0).place, (SgfPlace{2, 2}));
  EXPECT_EQ(tree.nodes.at(1).place, (SgfPlace{4, 3}));
  EXPECT_EQ(tree.nodes.at(1).properties.at(1).place, (SgfPlace{4, 7}));
}

TEST(SgfTree, EveryLimitIsAnError) {
  struct Case {
    SgfLimits limits;
    std::string text;
    std::string error;
  };
  const std::vector<Case> cases = {
      {{.bytes = 5}, "(;A[])", "1:1: more than 5 bytes"},
      {{.trees = 1}, "(;)(;)", "1:4: more than 1 game trees"},
      {{.nodes = 2}, "(;)(;;)", "1:6: more than 2 nodes"},
      {{.values = 2}, "(;A[][][])", "1:8: more than 2 values"},
      {{.open_variations = 2}, "(;(;(;)))", "1:5: more than 2 variations inside each other"},
      {{.node_properties = 2},
       "(;A[]B[]A[];A[]B[]C[])",
       "1:19: more than 2 different properties in one node"},
      {{.identifier_letters = 3}, "(;ABC[]ABCd[])", "1:8: a property name of more than 3 letters"},
  };
  for (const Case& test : cases) EXPECT_EQ(sgf_error(test.text, test.limits), test.error);
}

TEST(SgfTree, DeepVariationsNeedNoStack) {
  constexpr std::size_t kDeep = 200'000;
  const std::string text =
      repeated("(;B[aa]", kDeep) + repeated("(;W[bb])", 2) + repeated(")", kDeep);
  EXPECT_EQ(sgf_error(text), "1:700001: more than 100000 variations inside each other");
  SgfLimits limits;
  limits.open_variations = kDeep + 1;
  const SgfCollection deep = parsed_sgf(text, limits);
  EXPECT_EQ(deep.trees.at(0).nodes.size(), kDeep + 2);
  EXPECT_EQ(parsed_sgf(write_sgf(deep), limits), deep);
}

TEST(SgfTree, EveryLevelMayBranch) {
  constexpr std::size_t kDeep = 50'000;
  const std::string text = repeated("(;B[aa](;W[bb])", kDeep) + repeated(")", kDeep);
  const SgfCollection deep = parsed_sgf(text);
  EXPECT_EQ(deep.trees.at(0).nodes.size(), 2 * kDeep);
  EXPECT_EQ(parsed_sgf(write_sgf(deep)), deep);
}

TEST(SgfTree, ManyVariationsOfOneNodeAreRead) {
  constexpr std::size_t kMany = 200'000;
  const SgfCollection wide = parsed_sgf("(;" + repeated("(;B[aa])", kMany) + ")");
  EXPECT_EQ(wide.trees.at(0).nodes.size(), kMany + 1);
  EXPECT_EQ(wide.trees.at(0).nodes.back().parent, 0u);
  EXPECT_EQ(parsed_sgf(write_sgf(wide)), wide);
}

TEST(SgfTree, ALongCommentIsOneValue) {
  const std::string comment = repeated("0123456789abcde\n", 5u << 16);  // 5 MB
  EXPECT_EQ(root_value("(;C[" + comment + "];B[aa])", "C"), comment);
}

/// Answers like iconv and counts what it was given.
struct CountingDecoder {
  std::size_t calls = 0;
  std::size_t bytes = 0;

  CharsetDecoder decoder() {
    return [this](std::string_view text, std::string_view charset) {
      ++calls;
      bytes += text.size();
      return cli::decode_charset(text, charset);
    };
  }
};

TEST(SgfTree, TheDecoderSeesEachByteAFewTimesAtMost) {
  // Sixteen thousand nodes of good GBK and one long comment in which a lone lead byte spoils a run.
  std::string text = "(;CA[GBK]C[" + repeated("\xB9\xC5\xC1\xA6", 100'000) + "\xFF]";
  for (int i = 0; i < 16'000; ++i) text += ";B[aa]C[\xB6\xD4\xBE\xD6]";
  text += ")";
  CountingDecoder counting;
  const auto parsed = parse_sgf(text, counting.decoder());
  ASSERT_TRUE(std::holds_alternative<SgfCollection>(parsed));
  const std::string_view comment = std::get<SgfCollection>(parsed).trees.at(0).root().value("C");
  EXPECT_TRUE(comment.starts_with("古力古力"));
  EXPECT_TRUE(comment.ends_with("古力\xEF\xBF\xBD"));
  EXPECT_LT(counting.bytes, 2 * text.size());
  EXPECT_LT(counting.calls, 16'020u);
}

TEST(SgfTree, RootsThatSeemToGoOnForEverStayLinear) {
  // Read as GBK, every bracket is hidden by the byte before it, up to the end of the file.
  constexpr std::size_t kMany = 50'000;
  EXPECT_EQ(parsed_sgf(repeated("(;A[\x81])", kMany)).trees.size(), kMany);
  EXPECT_EQ(parsed_sgf(repeated("(;CA[GBK]A[\x81])", 7)).trees.size(), 7u);
  EXPECT_NE(sgf_error(repeated("(;CA[GBK]A[\x81])", kMany)), "");
}

TEST(SgfTree, SecondBytesThatLookLikeBracketsAreText) {
  const std::string sjis = "(;PB[\x8F\\\x92i\x83\\]PW[\x95\\\x83]]CA[Shift_JIS]EV[\x8F[\x8E\xC0])";
  EXPECT_EQ(root_value(sjis, "PB"), "十段ソ");
  EXPECT_EQ(root_value(sjis, "PW"), "表ゾ");
  EXPECT_EQ(root_value(sjis, "EV"), "充実");
  // Big5: A5 5C is 功, B3 5C is 許; GBK: 95 5C is 昞, 81 5D is 乚 in GBK's table; EUC-KR has no
  // such.
  EXPECT_EQ(root_value("(;PB[\xA5\\\xB3\\]CA[Big5]PW[x])", "PB"), "功許");
  EXPECT_EQ(root_value("(;PB[\x95\\]CA[gbk]PW[\x81]])", "PB"), "昞");
  EXPECT_EQ(root_value("(;PB[\x95\\]CA[gbk]PW[\x81]])", "PW"), "乚");
  EXPECT_EQ(root_value("(;CA[EUC-KR]PB[\xC0\xCC\xC3\xA2\xC8\xA3])", "PB"), "이창호");
}

TEST(SgfTree, EachTreeHasItsOwnCharset) {
  const SgfCollection collection = parsed_sgf(
      "(;CA[GB2312]PB[\xB9\xC5\xC1\xA6])(;CA[latin1]PB[J\xF6rg])(;CA[utf8]PB[\xC3\xB6])"
      "(;CA[SJIS]PB[\x83\\])(;CA[windows-1252]PB[\x80])(;CA[EUC-JP]PB[\xB8\xEB])");
  std::vector<std::string> names;
  for (const SgfTree& tree : collection.trees) names.emplace_back(tree.root().value("PB"));
  EXPECT_EQ(names, (std::vector<std::string>{"古力", "Jörg", "ö", "ソ", "€", "碁"}));
}

TEST(SgfTree, WithoutACharsetItIsGuessed) {
  struct Case {
    std::string bytes, text, charset;
  };
  const std::vector<Case> cases = {{"plain", "plain", "UTF-8"},
                                   {"J\xC3\xB6rg", "Jörg", "UTF-8"},
                                   {"\xB9\xC5\xC1\xA6", "古力", "GBK"},
                                   {"J\xF6rg", "Jörg", "ISO-8859-1"},
                                   {"\xC4\x80\x81", "\xC3\x84\xC2\x80\xC2\x81", "ISO-8859-1"}};
  for (const Case& test : cases) {
    for (const std::string charset : {"", "CA[]", "CA[no such]", "CA[UTF-16]"}) {
      const SgfTree tree = parsed_sgf("(;" + charset + "PB[" + test.bytes + "])").trees.at(0);
      EXPECT_EQ(tree.root().value("PB"), test.text) << charset;
      EXPECT_EQ(tree.charset, test.charset) << charset;
    }
  }
}

TEST(SgfTree, InvalidBytesAreReplacedAndTheStructureSurvives) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(root_value("(;CA[UTF-8]PB[a\xC3]PW[\xED\xA0\x80z]BR[\xF5\xC0\xAF])", "PB"), "a" + bad);
  EXPECT_EQ(root_value("(;CA[UTF-8]PB[a\xC3]PW[\xED\xA0\x80z])", "PW"), bad + bad + bad + "z");
  EXPECT_EQ(root_value("(;CA[UTF-8]PB[\xF5\xC0\xAF!])", "PB"), bad + bad + bad + "!");
  // FF and A0 lead nothing in Shift-JIS, and the pair 81 AD is not assigned.
  EXPECT_EQ(root_value("(;CA[Shift_JIS]PB[\xFFx\xA0]PW[\x81\xADy\x83\\])", "PB"), bad + "x" + bad);
  EXPECT_EQ(root_value("(;CA[Shift_JIS]PB[\xFF]PW[\x81\xADy\x83\\])", "PW"), bad + "yソ");
  EXPECT_EQ(root_value("(;CA[EUC-JP]PB[\xB8]PW[a\xB8\xEB])", "PW"), "a碁");
}

TEST(SgfTree, ACharsetThatDoesNotFitTheBracketsIsNotBelieved) {
  // Latin-1 called GBK: the last letter would take the bracket with it.
  const SgfTree tree = parsed_sgf("(;CA[GBK]PB[Andr\xE9])").trees.at(0);
  EXPECT_EQ(tree.root().value("PB"), "André");
  EXPECT_EQ(tree.charset, "ISO-8859-1");
}

TEST(SgfTree, WithoutADecoderOnlyTheTextIsLost) {
  const auto parsed = parse_sgf(sgf_bytes("awkward/03-shiftjis-5c-5d.sgf"), nullptr);
  ASSERT_TRUE(std::holds_alternative<SgfCollection>(parsed));
  const SgfTree& tree = std::get<SgfCollection>(parsed).trees.at(0);
  EXPECT_EQ(tree.nodes.size(), 5u);
  EXPECT_EQ(tree.root().value("PW"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(SgfTree, AByteOrderMarkDecides) {
  EXPECT_EQ(root_value("\xEF\xBB\xBF(;CA[GBK]PB[\xE5\x8F\xA4])", "PB"), "古");
  const SgfTree tree = parsed_sgf(sgf_bytes("awkward/05-utf16le.sgf")).trees.at(0);
  EXPECT_EQ(tree.nodes.size(), 5u);
  EXPECT_EQ(tree.charset, "UTF-8");
  using namespace std::string_literals;
  EXPECT_EQ(root_value("\xFE\xFF\0(\0;\0A\0[\x53\xE4\0]\0)"s, "A"), "古");
  EXPECT_EQ(sgf_error("\xFE\xFF\0(\0;\0"s), "1:1: UTF-16 text that cannot be read");
  EXPECT_TRUE(
      std::holds_alternative<SgfError>(parse_sgf(sgf_bytes("awkward/05-utf16le.sgf"), nullptr)));
}

TEST(SgfTree, AnAnswerThatWouldBreakTheSyntaxIsNotTaken) {
  const CharsetDecoder liar = [](std::string_view bytes, std::string_view) {
    return std::optional<std::string>(bytes == "A" ? "A" : "]\\");
  };
  const auto parsed = parse_sgf("(;CA[EUC-JP]PB[\xB8\xEB]PW[x])", liar);
  ASSERT_TRUE(std::holds_alternative<SgfCollection>(parsed));
  const SgfNode& root = std::get<SgfCollection>(parsed).trees.at(0).root();
  EXPECT_EQ(root.value("PB"), "\xEF\xBF\xBD");
  EXPECT_EQ(root.value("PW"), "x");
}

TEST(SgfTree, ValuesThatAreNotEscapedAreMadeHarmless) {
  SgfTree tree;
  tree.nodes.emplace_back();
  tree.nodes[0].properties = {{"C", {"a]b", "c\\", "d\\]e\\\\"}, {}}, {"N", {}, {}}};
  EXPECT_EQ(write_sgf({{tree}}), "(;FF[4]CA[UTF-8]C[a\\]b][c\\\\][d\\]e\\\\]N[])\n");
}

}  // namespace
}  // namespace tengen::rules
