// The profiles that ship. What the engines do is in docs/engines.md; here it is checked that the
// profiles say so, and can be used.
#include "pool/shipped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "rules/ruleset.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using Strings = std::vector<std::string>;

Profile shipped(std::string_view kind) {
  auto profile = shipped_profile(kind);
  if (!profile) {
    ADD_FAILURE() << kind;
    return {};
  }
  return *profile;
}

/// The arguments of the process that plays a preset.
Strings arguments_for(const Profile& profile, std::string_view name) {
  const rules::Ruleset& rules = rules::find_preset(name)->rules;
  EXPECT_EQ(profile.problem(rules), std::nullopt) << name;
  return profile.variants.at(profile.variant_for(rules)).arguments;
}

std::set<std::string> presets_of(const Profile& profile) {
  std::set<std::string> names;
  for (const rules::Preset& each : rules::presets()) {
    if (!profile.problem(each.rules)) names.emplace(each.name);
  }
  return names;
}

TEST(Shipped, EveryKindCanBeUsed) {
  for (const std::string_view kind : shipped_kinds()) {
    Profile profile = shipped(kind);
    EXPECT_EQ(profile.name, kind);
    EXPECT_EQ(profile.command.empty(), kind == "gtp") << kind;
    if (profile.command.empty()) profile.command = {"engine"};
    EXPECT_EQ(problem(profile), std::nullopt) << kind;
  }
}

TEST(Shipped, OtherKindsAreNotKnown) {
  for (const char* kind : {"", "GNUGO", "gnu-go", "fuego", "gtp "}) {
    EXPECT_EQ(shipped_profile(kind), std::nullopt) << kind;
  }
}

TEST(Shipped, OfAnEngineThatNobodyKnowsNothingIsAssumed) {
  Profile plain;
  plain.name = "gtp";
  EXPECT_EQ(shipped("gtp"), plain);
}

// SPEC.md's table of presets: positional and situational superko, suicide, territory.
TEST(Shipped, GnuGoIsToldAGamesRulesByItsCommandLine) {
  const Profile gnugo = shipped("gnugo");
  EXPECT_EQ(presets_of(gnugo).size(), rules::presets().size());
  EXPECT_EQ(arguments_for(gnugo, "chinese"),
            (Strings{"--chinese-rules", "--positional-superko", "--forbid-suicide"}));
  EXPECT_EQ(arguments_for(gnugo, "go-chinese-19-0.3"), arguments_for(gnugo, "chinese"));
  EXPECT_EQ(arguments_for(gnugo, "aga"),
            (Strings{"--chinese-rules", "--situational-superko", "--forbid-suicide"}));
  EXPECT_EQ(arguments_for(gnugo, "new-zealand"),
            (Strings{"--chinese-rules", "--situational-superko", "--allow-all-suicide"}));
  EXPECT_EQ(arguments_for(gnugo, "japanese"),
            (Strings{"--japanese-rules", "--simple-ko", "--forbid-suicide"}));
  EXPECT_EQ(arguments_for(gnugo, "japanese-superko"),
            (Strings{"--japanese-rules", "--positional-superko", "--forbid-suicide"}));
  EXPECT_EQ(gnugo.variant_for(rules::find_preset("chinese")->rules), 0u) << "kept warm";
}

// Positional superko bans it, and GNU Go does not see that.
TEST(Shipped, GnuGoIsNotToldOfSuicidesThatRepeatThePosition) {
  EXPECT_EQ(arguments_for(shipped("gnugo"), "tromp-taylor"),
            (Strings{"--chinese-rules", "--positional-superko", "--allow-suicide"}));
}

TEST(Shipped, GnuGosVariantsAreAllDifferent) {
  const Profile gnugo = shipped("gnugo");
  EXPECT_EQ(gnugo.variants.size(), 16u) << "3 ko x 3 suicide x 2 scoring, less 2 that are the same";
  std::set<Strings> arguments;
  for (const Variant& each : gnugo.variants) arguments.insert(each.arguments);
  EXPECT_EQ(arguments.size(), gnugo.variants.size());
}

TEST(Shipped, GnuGoIsKeptInTimeByItsLevel) {
  const Profile gnugo = shipped("gnugo");
  EXPECT_FALSE(gnugo.honours_clock);
  EXPECT_EQ(gnugo.clock, ClockDialect::None);
  EXPECT_EQ(gnugo.pace_setting, "level");
  ASSERT_FALSE(gnugo.pace.empty());
  EXPECT_EQ(gnugo.pace.front().value, 0);
  EXPECT_EQ(gnugo.pace.back().value, 10);
  EXPECT_TRUE(std::is_sorted(gnugo.pace.begin(), gnugo.pace.end(),
                             [](const Pace& a, const Pace& b) { return a.p99 < b.p99; }));
}

TEST(Shipped, LeelaZeroPlaysByAreaOn19x19) {
  const Profile leela = shipped("leela-zero");
  EXPECT_EQ(leela.problem({19, 19}, {}), std::nullopt);
  EXPECT_TRUE(leela.problem({13, 13}, {}));
  EXPECT_EQ(presets_of(leela), (std::set<std::string>{"chinese", "tromp-taylor", "aga",
                                                      "new-zealand", "go-chinese-19-0.3"}));
  const auto& command = leela.command;
  EXPECT_NE(std::find(command.begin(), command.end(), "--noponder"), command.end());
}

// It takes four names for rules, and bans no repetition by any of them.
TEST(Shipped, PachiPlaysBySimpleKoWithoutSuicideAndOtherGamesAreMarked) {
  const Profile pachi = shipped("pachi");
  EXPECT_EQ(presets_of(pachi), (std::set<std::string>{"japanese", "korean"}));
  EXPECT_EQ(pachi.other_rules, OtherRules::Mark);
  rules::Ruleset area;
  area.ko = rules::KoRule::Simple;
  area.suicide = rules::SuicideRule::No;
  area.scoring = rules::Scoring::Area;
  EXPECT_EQ(pachi.problem(area), std::nullopt);
  for (const rules::KoRule ko : {rules::KoRule::Positional, rules::KoRule::Situational}) {
    area.ko = ko;
    EXPECT_TRUE(pachi.problem(area)) << "marked";
    EXPECT_TRUE(rules_command(pachi.rules, area)) << "and told as well as can be";
  }
  EXPECT_TRUE(pachi.problem({1, 1}, {})) << "it dies of that";
}

TEST(Shipped, KataGoIsStoppedAndNeverPlaysByItself) {
  const Profile katago = shipped("katago");
  EXPECT_EQ(presets_of(katago),
            (std::set<std::string>{"chinese", "tromp-taylor", "aga", "japanese", "korean",
                                   "japanese-superko", "go-chinese-19-0.3"}));
  EXPECT_EQ(katago.cancel, CancelBy::Stop);
  EXPECT_FALSE(katago.search_plays);
  EXPECT_TRUE(katago.cleanup_command.empty());
}

TEST(Shipped, TheHousePlaysByAllRulesOnAllBoards) {
  const Profile house = shipped("house");
  EXPECT_EQ(presets_of(house).size(), rules::presets().size());
  EXPECT_EQ(house.problem({1, 25}, {{"playouts", "40000"}}), std::nullopt);
}

}  // namespace
}  // namespace tengen::pool
