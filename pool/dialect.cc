#include "pool/dialect.h"

#include <array>
#include <utility>

namespace tengen::pool {
namespace {

template <typename Value, std::size_t kCount>
using Words = std::array<std::pair<Value, std::string_view>, kCount>;

constexpr Words<RulesDialect, 4> kRules{{{RulesDialect::None, "none"},
                                         {RulesDialect::Tengen, "tengen"},
                                         {RulesDialect::Kgs, "kgs"},
                                         {RulesDialect::Kata, "kata"}}};
constexpr Words<ClockDialect, 4> kClocks{{{ClockDialect::None, "none"},
                                          {ClockDialect::Gtp, "gtp"},
                                          {ClockDialect::Kgs, "kgs"},
                                          {ClockDialect::Kata, "kata"}}};
constexpr Words<AnalysisDialect, 4> kAnalyses{{{AnalysisDialect::None, "none"},
                                               {AnalysisDialect::Lz, "lz"},
                                               {AnalysisDialect::LzBare, "lz-bare"},
                                               {AnalysisDialect::Kata, "kata"}}};
constexpr Words<CancelBy, 3> kCancels{
    {{CancelBy::Wait, "wait"}, {CancelBy::Kill, "kill"}, {CancelBy::Stop, "stop"}}};
constexpr Words<VerifyBy, 3> kVerifies{{{VerifyBy::None, "none"},
                                        {VerifyBy::ListStones, "list_stones"},
                                        {VerifyBy::Showboard, "showboard"}}};
constexpr Words<OtherRules, 2> kOtherRules{
    {{OtherRules::Refuse, "refuse"}, {OtherRules::Mark, "mark"}}};

template <typename Value, std::size_t kCount>
std::string_view word_of(const Words<Value, kCount>& words, Value value) {
  for (const auto& each : words) {
    if (each.first == value) return each.second;
  }
  return "?";
}

template <typename Value, std::size_t kCount>
std::optional<Value> value_of(const Words<Value, kCount>& words, std::string_view text) {
  for (const auto& each : words) {
    if (each.second == text) return each.first;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(RulesDialect dialect) { return word_of(kRules, dialect); }
std::string_view name_of(ClockDialect dialect) { return word_of(kClocks, dialect); }
std::string_view name_of(AnalysisDialect dialect) { return word_of(kAnalyses, dialect); }
std::string_view name_of(CancelBy way) { return word_of(kCancels, way); }
std::string_view name_of(VerifyBy way) { return word_of(kVerifies, way); }
std::string_view name_of(OtherRules what) { return word_of(kOtherRules, what); }

std::optional<RulesDialect> parse_rules_dialect(std::string_view text) {
  return value_of(kRules, text);
}
std::optional<ClockDialect> parse_clock_dialect(std::string_view text) {
  return value_of(kClocks, text);
}
std::optional<AnalysisDialect> parse_analysis_dialect(std::string_view text) {
  return value_of(kAnalyses, text);
}
std::optional<CancelBy> parse_cancel_by(std::string_view text) { return value_of(kCancels, text); }
std::optional<VerifyBy> parse_verify_by(std::string_view text) { return value_of(kVerifies, text); }
std::optional<OtherRules> parse_other_rules(std::string_view text) {
  return value_of(kOtherRules, text);
}

}  // namespace tengen::pool
