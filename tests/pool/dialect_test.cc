// The configuration's words for the ways in which engines differ.
#include "pool/dialect.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

namespace tengen::pool {
namespace {

template <typename Value>
using Words = std::vector<std::pair<std::string_view, Value>>;

template <typename Value, typename Parse>
void expect_words(const Words<Value>& words, Parse parse) {
  for (const auto& [word, value] : words) {
    EXPECT_EQ(parse(word), value) << word;
    EXPECT_EQ(name_of(value), word);
  }
  for (const char* other : {"", "NONE", "None", " none", "none ", "lz ", "any", "1", "?"}) {
    EXPECT_EQ(parse(other), std::nullopt) << other;
  }
}

// The words are those of docs/configuration.md.
TEST(Dialect, EachHasItsWord) {
  expect_words<RulesDialect>({{"none", RulesDialect::None},
                              {"tengen", RulesDialect::Tengen},
                              {"kgs", RulesDialect::Kgs},
                              {"kata", RulesDialect::Kata}},
                             parse_rules_dialect);
  expect_words<ClockDialect>({{"none", ClockDialect::None},
                              {"gtp", ClockDialect::Gtp},
                              {"kgs", ClockDialect::Kgs},
                              {"kata", ClockDialect::Kata}},
                             parse_clock_dialect);
  expect_words<AnalysisDialect>({{"none", AnalysisDialect::None},
                                 {"lz", AnalysisDialect::Lz},
                                 {"lz-bare", AnalysisDialect::LzBare},
                                 {"kata", AnalysisDialect::Kata}},
                                parse_analysis_dialect);
  expect_words<CancelBy>(
      {{"wait", CancelBy::Wait}, {"kill", CancelBy::Kill}, {"stop", CancelBy::Stop}},
      parse_cancel_by);
  expect_words<VerifyBy>({{"none", VerifyBy::None},
                          {"list_stones", VerifyBy::ListStones},
                          {"showboard", VerifyBy::Showboard}},
                         parse_verify_by);
  expect_words<OtherRules>({{"refuse", OtherRules::Refuse}, {"mark", OtherRules::Mark}},
                           parse_other_rules);
}

}  // namespace
}  // namespace tengen::pool
