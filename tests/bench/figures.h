// The figures of several rounds, and what may be said of them.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/run_score.h"

namespace tengen::tests {

struct Spread {
  double median = 0;
  double lowest = 0;
  double highest = 0;
};

/// There must be at least one value.
inline Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

/// "1.23 (1.20 - 1.31)"
inline std::string text_of(const Spread& spread, int decimals) {
  char text[96];
  std::snprintf(text, sizeof text, "%.*f (%.*f - %.*f)", decimals, spread.median, decimals,
                spread.lowest, decimals, spread.highest);
  return text;
}

/// Counts whether the rounds' median is at least the bound. Rounds that differ by more than the
/// margin decide nothing, which counts as failed.
inline void judge_at_least(RunScore& score, const std::string& what, const Spread& spread,
                           double bound, double margin) {
  const bool is_decided = spread.highest - spread.lowest <= margin;
  char wanted[64];
  std::snprintf(wanted, sizeof wanted, ", wanted at least %.2f%s", bound,
                is_decided ? "" : ": not decided");
  score.count(is_decided && spread.median >= bound, what + ' ' + text_of(spread, 3) + wanted);
}

}  // namespace tengen::tests
