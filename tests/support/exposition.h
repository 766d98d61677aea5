// A reader of Prometheus' text format (0.0.4) that shares nothing with its writer, written from the
// format's description. It knows what a scraper would choke on and says so.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tengen::tests {

struct Exposition {
  std::map<std::string, std::string> types;  // by metric
  std::map<std::string, std::string> helps;
  /// By the series as it is written, without blanks: `name{label="value"}`.
  std::map<std::string, double> samples;
  /// Everything that is wrong with the text; empty when all is well: a sample without HELP and TYPE
  /// before it, a series twice, samples of one metric apart, names and label values that are not
  /// allowed, counters below zero, histograms whose buckets fall or do not end in +Inf = _count.
  std::vector<std::string> faults;

  /// Throws with the name when there is none.
  double at(const std::string& series) const;
};

Exposition read_exposition(std::string_view text);

}  // namespace tengen::tests
