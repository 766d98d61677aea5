#include "tests/support/exposition.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

namespace tengen::tests {
namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;  // values as written, escaped

bool is_name(std::string_view text, bool may_have_colon) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) return false;
  for (const char c : text) {
    const bool is_fine =
        std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (may_have_colon && c == ':');
    if (!is_fine) return false;
  }
  return true;
}

std::string cut_word(std::string_view& text) {
  const auto end = text.find(' ');
  std::string word(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

/// The value of a sample; nothing when it is no number.
std::optional<double> number_of(const std::string& text) {
  if (text == "+Inf") return std::numeric_limits<double>::infinity();
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) {
    return std::nullopt;
  }
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() ? std::optional(value) : std::nullopt;
}

class ExpositionReader {
 public:
  Exposition read(std::string_view text) {
    if (text.empty() || text.back() != '\n') complain("the text does not end with a newline");
    while (!text.empty()) {
      const auto end = text.find('\n');
      line_ = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      read_line();
    }
    check_histograms();
    return std::move(found_);
  }

 private:
  struct Buckets {
    std::vector<std::pair<double, double>> counts;  // (le, count) as they came
    std::optional<double> count;
    bool has_sum = false;
  };

  void complain(const std::string& text) {
    found_.faults.push_back(text + ": " + std::string(line_));
  }

  void read_line() {
    if (line_.empty()) return;
    if (line_.substr(0, 7) == "# HELP ") return read_head(found_.helps, "HELP");
    if (line_.substr(0, 7) == "# TYPE ") return read_head(found_.types, "TYPE");
    if (line_.front() != '#') read_sample();
  }

  void read_head(std::map<std::string, std::string>& heads, const std::string& kind) {
    std::string_view rest = line_.substr(7);
    const std::string name = cut_word(rest);
    if (!is_name(name, true)) complain("no metric's name");
    if (rest.empty()) complain(kind + " says nothing");
    if (!heads.emplace(name, rest).second) complain(kind + " twice");
    const std::set<std::string, std::less<>> known = {"counter", "gauge", "histogram", "summary",
                                                      "untyped"};
    if (kind == "TYPE" && !known.contains(rest)) complain("no type");
    if (sampled_.contains(name)) complain(kind + " after samples of its metric");
  }

  void read_sample() {
    std::string_view rest = line_;
    const auto name_end = rest.find_first_of("{ ");
    const std::string name(rest.substr(0, name_end));
    if (name_end == std::string_view::npos || !is_name(name, true)) return complain("no sample");
    rest.remove_prefix(name_end);
    Labels labels;
    if (rest.front() == '{' && !read_labels(rest, labels)) return complain("labels");
    if (rest.empty() || rest.front() != ' ') return complain("no blank before the value");
    const auto value = number_of(std::string(rest.substr(1)));
    if (!value) return complain("no number");
    const std::string series(line_.substr(0, line_.size() - rest.size()));
    if (!found_.samples.emplace(series, *value).second) complain("a series twice");
    note_metric(name, labels, *value);
  }

  /// Takes `{name="value",...}` off the text.
  static bool read_labels(std::string_view& text, Labels& labels) {
    text.remove_prefix(1);
    while (true) {
      const auto equals = text.find("=\"");
      if (equals == std::string_view::npos) return false;
      std::string name(text.substr(0, equals));
      if (!is_name(name, false)) return false;
      text.remove_prefix(equals + 2);
      std::string value;
      while (!text.empty() && text.front() != '"') {
        if (text.front() == '\\') {
          if (text.size() < 2 ||
              std::string_view("\\\"n").find(text[1]) == std::string_view::npos) {
            return false;
          }
          value += text.front();
          text.remove_prefix(1);
        }
        value += text.front();
        text.remove_prefix(1);
      }
      if (text.size() < 2) return false;
      for (const auto& known : labels) {
        if (known.first == name) return false;
      }
      labels.emplace_back(std::move(name), std::move(value));
      const char after = text[1];
      text.remove_prefix(2);
      if (after == '}') return true;
      if (after != ',') return false;
    }
  }

  /// The metric that a sample belongs to: a histogram's samples have a suffix.
  void note_metric(const std::string& name, const Labels& labels, double value) {
    std::string metric = name;
    std::string suffix;
    for (const std::string each : {"_bucket", "_sum", "_count"}) {
      if (!name.ends_with(each)) continue;
      const std::string base = name.substr(0, name.size() - each.size());
      const auto type = found_.types.find(base);
      if (type == found_.types.end() || type->second != "histogram") continue;
      metric = base;
      suffix = each;
    }
    const auto type = found_.types.find(metric);
    if (type == found_.types.end()) return complain("no TYPE before it");
    if (!found_.helps.contains(metric)) complain("no HELP before it");
    if (metric != last_metric_ && !sampled_.insert(metric).second) {
      complain("samples of one metric are apart");
    }
    last_metric_ = metric;
    if (type->second == "counter" && value < 0) complain("a counter below zero");
    if (type->second == "histogram") note_histogram(metric, suffix, labels, value);
  }

  void note_histogram(const std::string& metric, const std::string& suffix, const Labels& labels,
                      double value) {
    if (suffix.empty()) return complain("a histogram has buckets, a sum and a count");
    std::string key = metric;
    std::optional<double> bound;
    for (const auto& [name, text] : labels) {
      if (name == "le") {
        bound = number_of(text);
      } else {
        key += "|" + name + "=" + text;
      }
    }
    if ((suffix == "_bucket") != bound.has_value()) return complain("le belongs to buckets");
    auto& buckets = histograms_[key];
    if (suffix == "_bucket") buckets.counts.emplace_back(*bound, value);
    if (suffix == "_sum") buckets.has_sum = true;
    if (suffix == "_count") buckets.count = value;
  }

  void check_histograms() {
    for (const auto& [key, buckets] : histograms_) {
      line_ = key;
      if (!buckets.has_sum || !buckets.count || buckets.counts.empty()) {
        complain("a histogram is not whole");
        continue;
      }
      for (std::size_t i = 1; i < buckets.counts.size(); ++i) {
        if (buckets.counts[i].first <= buckets.counts[i - 1].first) complain("bounds do not rise");
        if (buckets.counts[i].second < buckets.counts[i - 1].second) complain("buckets fall");
      }
      if (!std::isinf(buckets.counts.back().first)) complain("the last bucket is not +Inf");
      if (buckets.counts.back().second != *buckets.count) complain("+Inf is not the count");
    }
  }

  Exposition found_;
  std::string_view line_;
  std::set<std::string> sampled_;
  std::string last_metric_;
  std::map<std::string, Buckets> histograms_;
};

}  // namespace

double Exposition::at(const std::string& series) const {
  const auto found = samples.find(series);
  if (found == samples.end()) throw std::runtime_error("no series " + series);
  return found->second;
}

Exposition read_exposition(std::string_view text) { return ExpositionReader().read(text); }

}  // namespace tengen::tests
