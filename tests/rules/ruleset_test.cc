#include "rules/ruleset.h"

#include <gtest/gtest.h>

#include "rules/game_id.h"

namespace tengen::rules {
namespace {

/// The table of docs/rules.md.
struct PresetRow {
  std::string_view name, ko, suicide, scoring, bonus, end;
  int komi_half;
};
constexpr PresetRow kPresetRows[] = {
    {"chinese", "positional", "no", "area", "n", "compare-lists", 15},
    {"tromp-taylor", "positional", "any", "area", "none", "all-alive", 15},
    {"aga", "situational", "no", "area", "n-1", "compare-lists", 15},
    {"new-zealand", "situational", "any", "area", "none", "compare-lists", 14},
    {"japanese", "simple", "no", "territory", "none", "confirmation", 13},
    {"korean", "simple", "no", "territory", "none", "confirmation", 13},
    {"japanese-superko", "positional", "no", "territory", "none", "confirmation", 13},
    {"go-chinese-19-0.3", "positional", "no", "area", "none", "all-alive", 15},
};

TEST(Ruleset, PresetsAreThoseOfTheTable) {
  ASSERT_EQ(presets().size(), std::size(kPresetRows));
  for (std::size_t i = 0; i < std::size(kPresetRows); ++i) {
    const PresetRow& row = kPresetRows[i];
    SCOPED_TRACE(row.name);
    const Preset* preset = find_preset(row.name);
    ASSERT_EQ(preset, &presets()[i]);
    EXPECT_EQ(name_of(preset->rules.ko), row.ko);
    EXPECT_EQ(name_of(preset->rules.suicide), row.suicide);
    EXPECT_EQ(name_of(preset->rules.scoring), row.scoring);
    EXPECT_EQ(name_of(preset->rules.bonus), row.bonus);
    EXPECT_EQ(name_of(preset->rules.end), row.end);
    EXPECT_EQ(preset->komi_half, row.komi_half);
    EXPECT_EQ(preset->rules.move_limit, 0u);
  }
}

TEST(Ruleset, OnlyTheAgentPresetIsBoundToASize) {
  for (const Preset& preset : presets()) {
    EXPECT_EQ(preset.only_size.has_value(), preset.name == "go-chinese-19-0.3");
  }
  EXPECT_EQ(find_preset("go-chinese-19-0.3")->only_size, (Size{19, 19}));
}

TEST(Ruleset, UnknownNamesAreNotFound) {
  EXPECT_EQ(find_preset(""), nullptr);
  EXPECT_EQ(find_preset("Chinese"), nullptr);
  EXPECT_FALSE(parse_ko("Positional"));
  EXPECT_FALSE(parse_suicide("yes"));
  EXPECT_FALSE(parse_scoring("seki"));
  EXPECT_FALSE(parse_bonus("n - 1"));
  EXPECT_FALSE(parse_end(""));
}

TEST(Ruleset, EveryWordIsReadBack) {
  for (const KoRule ko : {KoRule::Simple, KoRule::Positional, KoRule::Situational}) {
    EXPECT_EQ(parse_ko(name_of(ko)), ko);
  }
  for (const SuicideRule rule : {SuicideRule::No, SuicideRule::Multi, SuicideRule::Any}) {
    EXPECT_EQ(parse_suicide(name_of(rule)), rule);
  }
  for (const Scoring scoring : {Scoring::Area, Scoring::Territory}) {
    EXPECT_EQ(parse_scoring(name_of(scoring)), scoring);
  }
  for (const auto bonus : {HandicapBonus::None, HandicapBonus::N, HandicapBonus::NMinusOne}) {
    EXPECT_EQ(parse_bonus(name_of(bonus)), bonus);
  }
  for (const EndRule end : {EndRule::AllAlive, EndRule::CompareLists, EndRule::Confirmation}) {
    EXPECT_EQ(parse_end(name_of(end)), end);
  }
}

TEST(Ruleset, KomiIsReadAsAMultipleOfAHalf) {
  EXPECT_EQ(parse_komi("7.5"), 15);
  EXPECT_EQ(parse_komi("0"), 0);
  EXPECT_EQ(parse_komi("-3"), -6);
  EXPECT_EQ(parse_komi("6.0"), 12);
  EXPECT_EQ(parse_komi("-0.5"), -1);
  EXPECT_EQ(parse_komi("6.50"), 13);
  EXPECT_EQ(parse_komi("400"), 800);
  for (const char* bad : {"", "-", "--1", "7.25", "7.05", "7.51", "+7", "7.", ".5", "nan", "1e1",
                          "400.5", "401", "inf"}) {
    EXPECT_FALSE(parse_komi(bad)) << bad;
  }
}

TEST(Ruleset, KomiIsWrittenWithoutNoise) {
  EXPECT_EQ(komi_text(15), "7.5");
  EXPECT_EQ(komi_text(14), "7");
  EXPECT_EQ(komi_text(1), "0.5");
  EXPECT_EQ(komi_text(0), "0");
  EXPECT_EQ(komi_text(-1), "-0.5");
  EXPECT_EQ(komi_text(-6), "-3");
  EXPECT_EQ(komi_text(kMaxKomiHalf), "400");
}

TEST(Ruleset, MoveLimitIsThreeTimesTheBoardUnlessGiven) {
  EXPECT_EQ(Ruleset{}.effective_move_limit({19, 19}), 1083u);
  EXPECT_EQ(Ruleset{}.effective_move_limit({7, 3}), 63u);
  Ruleset rules;
  rules.move_limit = 12;
  EXPECT_EQ(rules.effective_move_limit({19, 19}), 12u);
}

TEST(GameId, IsWrittenAs32DigitsAndReadBack) {
  const GameId id{0x0192f3a4b5c6d7e8u, 0x00000000000000ffu};
  EXPECT_EQ(to_text(id), "0192f3a4b5c6d7e800000000000000ff");
  EXPECT_EQ(parse_game_id("0192f3a4b5c6d7e800000000000000ff"), id);
}

TEST(GameId, AnyOtherSpellingIsRefused) {
  for (const std::string_view text :
       {"", "0192f3a4b5c6d7e800000000000000f", "0192f3a4b5c6d7e800000000000000fff",
        "0192F3A4B5C6D7E800000000000000FF", "0192f3a4-b5c6-d7e8-0000-0000000000",
        "0192f3a4b5c6d7e800000000000000fg"}) {
    EXPECT_FALSE(parse_game_id(text)) << text;
  }
}

}  // namespace
}  // namespace tengen::rules
