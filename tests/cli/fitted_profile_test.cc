// From a probe's findings to a profile.
#include "clients/cli/probe/fitted_profile.h"

#include <gtest/gtest.h>

#include "pool/shipped.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

const std::vector<std::string> kCommand = {"engine", "--gtp"};

/// Of an engine that does what KataGo 1.17.2 does (docs/engines.md).
Findings katago() {
  Findings findings;
  findings.name = "KataGo";
  findings.commands = {"genmove", "kata-search_cancellable", "showboard", "undo"};
  findings.size = 19;
  for (int size = 2; size <= 19; ++size) findings.sizes.insert(size);
  findings.has_rectangles = true;
  findings.has_genmove = true;
  findings.has_undo = true;
  findings.verify = pool::VerifyBy::Showboard;
  findings.rules = pool::RulesDialect::Kata;
  findings.clock = pool::ClockDialect::Kata;
  findings.analysis = pool::AnalysisDialect::Kata;
  return findings;
}

/// Of one that does nothing but play on 9x9.
Findings plain() {
  Findings findings;
  findings.name = "Plain";
  findings.size = 9;
  findings.sizes = {9};
  findings.has_genmove = true;
  return findings;
}

pool::Profile shipped(std::string_view kind) {
  return pool::shipped_profile(kind).value_or(pool::Profile{});
}

TEST(FittedProfile, AnEngineThatDoesWhatItsKindDoesHasTheKindsProfile) {
  const FittedProfile fitted = fitted_profile(kCommand, katago());
  EXPECT_EQ(fitted.kind, "katago");
  pool::Profile expected = shipped("katago");
  expected.command = kCommand;
  EXPECT_EQ(fitted.profile, expected);
}

TEST(FittedProfile, WhatAnOlderOneLacksIsLeftOut) {
  Findings older = katago();
  older.commands.erase("kata-search_cancellable");
  older.clock = pool::ClockDialect::Kgs;
  older.verify = pool::VerifyBy::None;
  older.has_undo = false;
  older.sizes = {9, 13, 19};
  const pool::Profile fitted = fitted_profile(kCommand, older).profile;
  EXPECT_EQ(fitted.search_command, "genmove");
  EXPECT_TRUE(fitted.search_plays);
  EXPECT_EQ(fitted.reg_search_command, "");
  EXPECT_EQ(fitted.cancel, pool::CancelBy::Wait);
  EXPECT_EQ(fitted.clock, pool::ClockDialect::Kgs);
  EXPECT_EQ(fitted.verify, pool::VerifyBy::None);
  EXPECT_EQ(fitted.undo_max, 0);
  EXPECT_EQ(fitted.size_min, 19);
  EXPECT_EQ(problem(fitted), std::nullopt);
}

TEST(FittedProfile, AnEngineWithoutAClockHonoursNone) {
  Findings findings = katago();
  findings.clock = pool::ClockDialect::None;
  const pool::Profile fitted = fitted_profile(kCommand, findings).profile;
  EXPECT_FALSE(fitted.honours_clock);
  EXPECT_EQ(problem(fitted), std::nullopt);
}

TEST(FittedProfile, TheAnalysisIsTheOneThatStreamed) {
  using pool::AnalysisDialect;
  for (Findings findings : {katago(), plain()}) {
    for (const auto dialect : {AnalysisDialect::None, AnalysisDialect::LzBare, AnalysisDialect::Lz,
                               AnalysisDialect::Kata}) {
      findings.analysis = dialect;
      const pool::Profile fitted = fitted_profile(kCommand, findings).profile;
      EXPECT_EQ(fitted.analysis, dialect) << findings.name;
      EXPECT_EQ(problem(fitted), std::nullopt);
    }
  }
}

TEST(FittedProfile, AnUnknownEnginePlaysByTheRulesThatItWasSeenToPlayBy) {
  Findings findings = plain();
  findings.suicide = rules::SuicideRule::Multi;
  findings.refuses_superko = true;
  const FittedProfile fitted = fitted_profile(kCommand, findings);
  EXPECT_EQ(fitted.kind, "gtp");
  EXPECT_EQ(rules_match_text(fitted.profile.plays), "ko=positional|situational,suicide=no|multi");
  EXPECT_EQ(problem(fitted.profile), std::nullopt);
  findings.rules = pool::RulesDialect::Tengen;
  EXPECT_EQ(rules_match_text(fitted_profile(kCommand, findings).profile.plays), "")
      << "one that is told rules plays by what it is told";
}

TEST(FittedProfile, LimitsLeaveRoomForASlowerDay) {
  Findings findings = plain();
  findings.start = milliseconds(100);
  findings.slowest_move = milliseconds(20'000);
  const pool::Profile fitted = fitted_profile(kCommand, findings).profile;
  EXPECT_EQ(fitted.start_limit, milliseconds(30'000)) << "never less than usual";
  EXPECT_EQ(fitted.search_limit, milliseconds(400'000)) << "twenty times what was seen";
}

TEST(FittedProfile, ALevelOfTheCommandLineStaysWithinItsRange) {
  Findings findings = plain();
  findings.name = "GNU Go";
  const auto standard = [&](const std::string& level) {
    return fitted_profile({"gnugo", "--level", level}, findings).profile.settings.at(0).standard;
  };
  EXPECT_EQ(standard("3"), 3);
  EXPECT_EQ(standard("99"), 10);
  EXPECT_EQ(standard("x"), 10);
}

}  // namespace
}  // namespace tengen::cli
