// Which rules an engine plays, and how it is told a game's. The words of KataGo are those of its
// documentation of GTP extensions (kata-get-rules), those of KGS the four of kgs-rules; what they
// mean to engines is in docs/engines.md.
#include "pool/engine_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pool/gtp.h"

namespace tengen::pool {
namespace {

using rules::EndRule;
using rules::HandicapBonus;
using rules::KoRule;
using rules::Ruleset;
using rules::Scoring;
using rules::SuicideRule;

const Ruleset& preset(std::string_view name) { return rules::find_preset(name)->rules; }

RulesMatch match(std::string_view text) {
  auto parsed = parse_rules_match(text);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) {
    ADD_FAILURE() << *wrong;
    return {};
  }
  return std::get<RulesMatch>(parsed);
}

TEST(RulesMatch, ComponentsThatAreLeftOutAreFree) {
  for (const rules::Preset& each : rules::presets()) EXPECT_TRUE(match("").includes(each.rules));
  EXPECT_TRUE(match("ko=positional").includes(preset("chinese")));
  EXPECT_TRUE(match("ko=positional").includes(preset("tromp-taylor")));
  EXPECT_FALSE(match("ko=positional").includes(preset("aga")));
  EXPECT_TRUE(match("suicide=no,scoring=area").includes(preset("aga")));
  EXPECT_FALSE(match("suicide=no,scoring=area").includes(preset("japanese")));
  EXPECT_FALSE(match("suicide=no,scoring=area").includes(preset("new-zealand")));
}

TEST(RulesMatch, AnyOfSeveralValuesWillDo) {
  const RulesMatch some = match("ko=simple|situational,suicide=multi|any");
  EXPECT_TRUE(some.includes(preset("new-zealand")));
  EXPECT_FALSE(some.includes(preset("aga")));
  EXPECT_FALSE(some.includes(preset("tromp-taylor")));
}

TEST(RulesMatch, IsWrittenAsItIsRead) {
  for (const char* text : {"", "ko=simple", "ko=positional|simple", "suicide=no|multi",
                           "ko=situational,suicide=any,scoring=territory", "scoring=area"}) {
    EXPECT_EQ(rules_match_text(match(text)), text);
  }
  EXPECT_EQ(rules_match_text(match("scoring=area,ko=simple")), "ko=simple,scoring=area");
}

TEST(RulesMatch, AnythingElseIsRefused) {
  for (const char* text :
       {",", "ko", "ko=", "=simple", "ko=fast", "ko=simple,", "ko=simple,ko=positional",
        "ko=simple|simple", "ko=|simple", "ko=simple|", "ko=simple suicide=no", "bonus=n",
        "end=all-alive", "Ko=simple", "ko=Simple", " ko=simple", "ko=simple,,suicide=no"}) {
    const auto parsed = parse_rules_match(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << text;
  }
  const auto strange = parse_rules_match(std::string("\x1b[2J\n") + std::string(500, 'x'));
  const std::string& wrong = std::get<std::string>(strange);
  EXPECT_LT(wrong.size(), 300u);
  EXPECT_EQ(std::count_if(wrong.begin(), wrong.end(), [](char c) { return c < ' ' || c > '~'; }),
            0);
}

TEST(RulesCommand, WithoutADialectNothingIsTold) {
  for (const rules::Preset& each : rules::presets()) {
    EXPECT_EQ(rules_command(RulesDialect::None, each.rules), std::nullopt);
  }
}

TEST(RulesCommand, TengenTellsEveryComponent) {
  EXPECT_EQ(rules_command(RulesDialect::Tengen, preset("aga")),
            "tengen-rules ko=situational,suicide=no,scoring=area,bonus=n-1,end=compare-lists");
  EXPECT_EQ(rules_command(RulesDialect::Tengen, preset("tromp-taylor")),
            "tengen-rules ko=positional,suicide=any,scoring=area,bonus=none,end=all-alive");
}

TEST(RulesCommand, KgsHasFourNames) {
  struct Case {
    Ruleset rules;
    std::optional<std::string> expected;
  };
  const auto with = [](KoRule ko, SuicideRule suicide, Scoring scoring) {
    return Ruleset{ko, suicide, scoring, HandicapBonus::None, EndRule::AllAlive};
  };
  const std::vector<Case> cases = {
      {preset("chinese"), "kgs-rules chinese"},
      {preset("go-chinese-19-0.3"), "kgs-rules chinese"},
      {with(KoRule::Simple, SuicideRule::No, Scoring::Area), "kgs-rules chinese"},
      {preset("aga"), "kgs-rules aga"},
      {preset("new-zealand"), "kgs-rules new_zealand"},
      {with(KoRule::Situational, SuicideRule::Multi, Scoring::Area), "kgs-rules new_zealand"},
      {preset("japanese"), "kgs-rules japanese"},
      {preset("korean"), "kgs-rules japanese"},
      {preset("tromp-taylor"), std::nullopt},      // superko by position, with suicide
      {preset("japanese-superko"), std::nullopt},  // territory with superko
      {with(KoRule::Simple, SuicideRule::Any, Scoring::Area), std::nullopt},
      {with(KoRule::Simple, SuicideRule::Multi, Scoring::Territory), std::nullopt},
      {with(KoRule::Situational, SuicideRule::No, Scoring::Territory), std::nullopt},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(rules_command(RulesDialect::Kgs, each.rules), each.expected);
  }
}

// The members and values that KataGo's documentation gives for its "chinese-ogs", "aga", "japanese"
// and "tromp-taylor".
TEST(RulesCommand, KataTellsComponentsAsJson) {
  EXPECT_EQ(rules_command(RulesDialect::Kata, preset("chinese")),
            R"(kata-set-rules {"ko":"POSITIONAL","scoring":"AREA","tax":"NONE","suicide":false,)"
            R"("hasButton":false,"whiteHandicapBonus":"N","friendlyPassOk":true})");
  EXPECT_EQ(rules_command(RulesDialect::Kata, preset("aga")),
            R"(kata-set-rules {"ko":"SITUATIONAL","scoring":"AREA","tax":"NONE","suicide":false,)"
            R"("hasButton":false,"whiteHandicapBonus":"N-1","friendlyPassOk":true})");
  EXPECT_EQ(rules_command(RulesDialect::Kata, preset("japanese")),
            R"(kata-set-rules {"ko":"SIMPLE","scoring":"TERRITORY","tax":"SEKI","suicide":false,)"
            R"("hasButton":false,"whiteHandicapBonus":"0","friendlyPassOk":true})");
  EXPECT_EQ(rules_command(RulesDialect::Kata, preset("tromp-taylor")),
            R"(kata-set-rules {"ko":"POSITIONAL","scoring":"AREA","tax":"NONE","suicide":true,)"
            R"("hasButton":false,"whiteHandicapBonus":"0","friendlyPassOk":false})");
}

// Such a suicide repeats the position, so by positional superko there is none to be told of.
TEST(RulesCommand, KataHasNoSuicideOfASingleStoneButWhereItRepeatsThePosition) {
  Ruleset rules = preset("new-zealand");
  EXPECT_EQ(rules_command(RulesDialect::Kata, rules), std::nullopt);
  rules.ko = KoRule::Simple;
  EXPECT_EQ(rules_command(RulesDialect::Kata, rules), std::nullopt);
  rules.ko = KoRule::Positional;
  EXPECT_TRUE(rules_command(RulesDialect::Kata, rules));
  rules.ko = KoRule::Situational;
  rules.suicide = SuicideRule::Multi;
  EXPECT_TRUE(rules_command(RulesDialect::Kata, rules));
}

// Nobody is asked about sekis where all stones count as they stand.
TEST(RulesCommand, KataTaxesSekisOnlyWhereTheyAreAgreed) {
  Ruleset rules = preset("japanese");
  rules.end = EndRule::AllAlive;
  const auto command = rules_command(RulesDialect::Kata, rules);
  ASSERT_TRUE(command);
  EXPECT_NE(command->find(R"("tax":"NONE")"), std::string::npos);
  EXPECT_NE(command->find(R"("friendlyPassOk":false)"), std::string::npos);
}

TEST(RulesCommand, EveryOneCanBeSent) {
  for (const KoRule ko : {KoRule::Simple, KoRule::Positional, KoRule::Situational}) {
    for (const SuicideRule suicide : {SuicideRule::No, SuicideRule::Multi, SuicideRule::Any}) {
      for (const Scoring scoring : {Scoring::Area, Scoring::Territory}) {
        const Ruleset rules{
            ko, suicide, scoring, HandicapBonus::NMinusOne, EndRule::Confirmation, 4'000'000'000};
        for (const RulesDialect dialect :
             {RulesDialect::Tengen, RulesDialect::Kgs, RulesDialect::Kata}) {
          const auto command = rules_command(dialect, rules);
          EXPECT_TRUE(!command || is_command(*command)) << *command;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tengen::pool
