#include "rules/sgf_text.h"

#include <gtest/gtest.h>

#include "rules/ruleset.h"
#include "tests/rules/sgf_files.h"

namespace tengen::rules {
namespace {

using tengen::tests::json_text;
using tengen::tests::sgf_manifest;

TEST(SgfText, EscapesAndLineBreaksAreResolved) {
  struct Case {
    std::string value, text, simple_text;
  };
  const std::vector<Case> cases = {
      {"plain", "plain", "plain"},
      {"a\\]b\\\\c\\:d", "a]b\\c:d", "a]b\\c:d"},
      {"1\n2\r3\r\n4\n\r5\n\n6", "1\n2\n3\n4\n5\n\n6", "1 2 3 4 5  6"},
      {"soft\\\nly\\\r\nbro\\\n\rken", "softlybroken", "softlybroken"},
      {"tab\tand\v\\\tmore", "tab and  more", "tab and  more"},
      {"open [ bracket: 古", "open [ bracket: 古", "open [ bracket: 古"},
      {"cut\\", "cut", "cut"},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(text_of(test.value), test.text);
    EXPECT_EQ(simple_text_of(test.value), test.simple_text);
  }
}

TEST(SgfText, EscapedTextIsReadBack) {
  for (const std::string text : {"Müller[3k]\\", "a]]\\\\]", "棋聖 🙂:x", "one\n\ntwo ", ""}) {
    EXPECT_EQ(text_of(escaped_text(text)), text);
  }
  EXPECT_EQ(escaped_text("a]\\:["), "a\\]\\\\:[");
  EXPECT_EQ(escaped_simple_text("a\r\n]\x7F\t."), "a  \\]  .");
}

TEST(SgfText, AComposedValueIsCutAtTheFirstColonThatIsNotEscaped) {
  using Halves = std::pair<std::string_view, std::string_view>;
  EXPECT_EQ(composed("ee:A\\:B"), (Halves{"ee", "A\\:B"}));
  EXPECT_EQ(composed("a\\:b:c:d"), (Halves{"a\\:b", "c:d"}));
  EXPECT_EQ(composed(":"), (Halves{"", ""}));
  EXPECT_EQ(composed("a\\:b"), std::nullopt);
  EXPECT_EQ(composed("a\\"), std::nullopt);
}

TEST(SgfText, NumbersMayHaveASignAndWhiteSpace) {
  EXPECT_EQ(parse_number("19"), 19);
  EXPECT_EQ(parse_number(" +007\r\n"), 7);
  EXPECT_EQ(parse_number("-3"), -3);
  EXPECT_EQ(parse_number("1000000"), 1'000'000);
  for (const char* bad : {"", " ", "-", "1.5", "1 2", "0x3", "1000001", "99999999999999999999"}) {
    EXPECT_EQ(parse_number(bad), std::nullopt) << bad;
  }
}

TEST(SgfText, KomiIsReadInAllItsForms) {
  const std::vector<std::pair<std::string, std::optional<int>>> cases = {
      {"6.5", 13},
      {"6,5", 13},
      {"7.50", 15},
      {"0", 0},
      {"7", 14},
      {"-3.5", -7},
      {"+.5", 1},
      {" 5.5 ", 11},
      {"6.500000", 13},
      // Zi, of two points each; Fox writes hundredths.
      {"3.75", 15},
      {"2.75", 11},
      {"375", 15},
      {"325", 13},
      {"650", 13},
      {"750", 15},
      {"550", 11},
      {"199", 398},
      {"300.0", 600},
      {"", {}},
      {" ", {}},
      {".", {}},
      {"x", {}},
      {"6.5x", {}},
      {"6.3", {}},
      {"6.755", {}},
      {"1e3", {}},
      {"--1", {}},
      {"660", {}},
      {"99999999999", {}},
  };
  for (const auto& [value, half] : cases) EXPECT_EQ(parse_komi_half(value), half) << value;
}

TEST(SgfText, EveryKomiWrittenIsReadBack) {
  for (int half = -kMaxKomiHalf; half <= kMaxKomiHalf; ++half) {
    ASSERT_EQ(parse_komi_half(komi_value(half)), half) << komi_value(half);
  }
  EXPECT_EQ(komi_value(15), "7.5");
  EXPECT_EQ(komi_value(14), "7");
  EXPECT_EQ(komi_value(400), "200.0");
}

SgfResultKind kind_named(const std::string& kind) {
  for (const auto& [start, value] :
       {std::pair("missing", SgfResultKind::Missing),
        std::pair("unknown margin", SgfResultKind::UnknownMargin),
        std::pair("unknown", SgfResultKind::Unknown),
        std::pair("no result", SgfResultKind::NoResult), std::pair("score", SgfResultKind::Score),
        std::pair("resign", SgfResultKind::Resign), std::pair("lower case", SgfResultKind::Resign),
        std::pair("time", SgfResultKind::Time), std::pair("forfeit", SgfResultKind::Forfeit),
        std::pair("free text", SgfResultKind::FreeText),
        std::pair("not FF[4]", SgfResultKind::FreeText)}) {
    if (kind.starts_with(start)) return value;
  }
  ADD_FAILURE() << kind;
  return SgfResultKind::Missing;
}

TEST(SgfText, EveryResultOfTheManifestIsRead) {
  int count = 0;
  const boost::json::value manifest = sgf_manifest("awkward_manifest.json");
  for (const auto& entry : manifest.at("result_strings").as_array()) {
    const std::string text = json_text(entry.at("text"));
    SCOPED_TRACE(text);
    const SgfResult result = parse_result_text(text);
    const std::string winner = entry.at("winner").is_null() ? "" : json_text(entry.at("winner"));
    const bool is_draw = winner == "draw";
    EXPECT_EQ(result.kind, is_draw ? SgfResultKind::Draw : kind_named(json_text(entry.at("kind"))));
    EXPECT_EQ(result.winner == Color::Black, winner == "B");
    EXPECT_EQ(result.winner == Color::White, winner == "W");
    std::optional<int> margin_half;
    if (!entry.at("margin").is_null()) {
      margin_half = static_cast<int>(2 * entry.at("margin").to_number<double>());
    }
    EXPECT_EQ(result.margin_half, margin_half);
    ++count;
  }
  EXPECT_EQ(count, 23);
}

TEST(SgfText, ResultsBesideTheManifestAreRead) {
  EXPECT_EQ(parse_result_text("B+Forfeit").kind, SgfResultKind::Forfeit);
  EXPECT_EQ(parse_result_text(" W+3,5 "), (SgfResult{SgfResultKind::Score, Color::White, 7}));
  // A Chinese margin in zi is not points.
  EXPECT_EQ(parse_result_text("B+2.75"),
            (SgfResult{SgfResultKind::UnknownMargin, Color::Black, {}}));
  EXPECT_EQ(parse_result_text("B+Abandon").kind, SgfResultKind::UnknownMargin);
}

TEST(SgfText, RulesAreKnownByTheNamesInUse) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"Chinese", "chinese"},
      {"chinese rules", "chinese"},
      {"Japanese", "japanese"},
      {"JAPANESE", "japanese"},
      {"Korean", "korean"},
      {"AGA", "aga"},
      {"NZ", "new-zealand"},
      {"New Zealand", "new-zealand"},
      {"Tromp-Taylor", "tromp-taylor"},
      {"Tromp/Taylor", "tromp-taylor"},
      {"new-zealand", "new-zealand"},
      {" aga\n", "aga"},
      {"go-chinese-19-0.3", "go-chinese-19-0.3"},
  };
  for (const auto& [text, preset] : cases) EXPECT_EQ(preset_of_rules(text), preset) << text;
  for (const char* other : {"GOE", "", "Ing", "Old Chinese", "components", "rules"}) {
    EXPECT_EQ(preset_of_rules(other), std::nullopt) << other;
  }
}

TEST(SgfText, PresetsAreWrittenByTheNamesOfTheFormat) {
  EXPECT_EQ(rules_of_preset("chinese"), "Chinese");
  EXPECT_EQ(rules_of_preset("japanese"), "Japanese");
  EXPECT_EQ(rules_of_preset("korean"), "Korean");
  EXPECT_EQ(rules_of_preset("aga"), "AGA");
  EXPECT_EQ(rules_of_preset("new-zealand"), "NZ");
  EXPECT_EQ(rules_of_preset("tromp-taylor"), "Tromp-Taylor");
  EXPECT_EQ(rules_of_preset("japanese-superko"), "japanese-superko");
  for (const Preset& preset : presets()) {
    EXPECT_EQ(preset_of_rules(rules_of_preset(preset.name)), preset.name);
  }
}

}  // namespace
}  // namespace tengen::rules
