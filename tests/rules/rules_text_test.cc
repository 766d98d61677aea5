#include "rules/rules_text.h"

#include <gtest/gtest.h>

namespace tengen::rules {
namespace {

NamedRules read(std::string_view text) { return std::get<NamedRules>(parse_rules(text)); }

TEST(RulesText, APresetIsReadAsItIs) {
  for (const Preset& preset : presets()) {
    const NamedRules named = read(preset.name);
    EXPECT_EQ(named.base, &preset);
    EXPECT_EQ(named.rules, preset.rules);
    EXPECT_TRUE(named.is_preset());
  }
}

TEST(RulesText, ComponentsChangeThePreset) {
  const NamedRules named = read("aga,ko=simple,suicide=multi,bonus=n,end=all-alive,limit=100");
  EXPECT_EQ(named.base->name, "aga");
  EXPECT_FALSE(named.is_preset());
  EXPECT_EQ(named.rules, (Ruleset{KoRule::Simple, SuicideRule::Multi, Scoring::Area,
                                  HandicapBonus::N, EndRule::AllAlive, 100}));
}

TEST(RulesText, ComponentsAloneChangeChinese) {
  EXPECT_EQ(read("ko=simple").base->name, "chinese");
  EXPECT_EQ(read("ko=simple").rules.ko, KoRule::Simple);
}

TEST(RulesText, TerritoryWithoutAnEndIsCountedAsItStands) {
  EXPECT_EQ(read("chinese,scoring=territory").rules.end, EndRule::AllAlive);
  EXPECT_EQ(read("japanese,ko=positional").rules.end, EndRule::Confirmation);
}

TEST(RulesText, ComponentsAreReadBack) {
  for (const Preset& preset : presets()) {
    if (preset.only_size) continue;
    EXPECT_EQ(read(components_text(preset.rules)).rules, preset.rules);
  }
  Ruleset limited;
  limited.move_limit = 77;
  EXPECT_EQ(read(components_text(limited)).rules, limited);
}

TEST(RulesText, WhatItCannotMeanIsSaid) {
  const std::pair<std::string_view, std::string_view> texts[] = {
      {"", "'' are not known rules"},
      {"Chinese", "'Chinese' are not known rules"},
      {"chinese,", "the rules end with a comma"},
      {"chinese,,ko=simple", "'' is not a component"},
      {"chinese,ko", "'ko' is not a component"},
      {"chinese,ko=Simple", "'ko=Simple' is not a component"},
      {"chinese,limit=-1", "'limit=-1' is not a component"},
      {"chinese,limit=99999999999", "'limit=99999999999' is not a component"},
      {"chinese,komi=7", "'komi=7' is not a component"},
      {"japanese,end=compare-lists", "territory scoring does not go with"},
      {"go-chinese-19-0.3,ko=simple", "the components of go-chinese-19-0.3 cannot be changed"},
  };
  for (const auto& [text, reason] : texts) {
    const auto parsed = parse_rules(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << text;
    EXPECT_EQ(std::get<std::string>(parsed).substr(0, reason.size()), reason);
  }
}

}  // namespace
}  // namespace tengen::rules
