// See analysis.h. A line is words: sections that begin with `info`, `rootInfo` or `ownership`, the
// first two made of keys and values. Engines add keys with every version, so only what is used here
// is known by name.
#include "pool/analysis.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "pool/gtp.h"
#include "pool/require.h"
#include "rules/ascii.h"

namespace tengen::pool {
namespace {

using rules::Color;
using rules::Move;

constexpr std::chrono::milliseconds kCentisecond{10};
constexpr std::int64_t kIntervalMax = 360'000;  // centiseconds
constexpr std::size_t kQuotedWordMax = 40;
// Rounding takes KataGo's averages a little beyond their range: 0 is now and then -2.2e-16.
constexpr double kSlack = 1e-6;

const char* letter(Color color) { return color == Color::Black ? "B" : "W"; }

std::string centiseconds(const AnalysisRequest& request) {
  const std::int64_t asked = request.interval / kCentisecond;
  return std::to_string(std::clamp<std::int64_t>(asked, 1, kIntervalMax));
}

std::string kata_options(const AnalysisRequest& request) {
  return request.ownership ? " ownership true rootInfo true" : " rootInfo true";
}

template <typename Number>
std::optional<Number> parse(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_pass(std::string_view word) { return word == "pass" || word == "PASS" || word == "Pass"; }

/// Whether a word is written like a move, on the board or not.
bool is_move_like(std::string_view word) {
  if (is_pass(word)) return true;
  return word.size() > 1 && is_letter(word.front()) &&
         std::all_of(word.begin() + 1, word.end(), rules::is_digit);
}

bool is_section(std::string_view word) {
  return word == "info" || word == "rootInfo" || word == "ownership";
}

/// What the keys of a section said; chances and leads are black's already.
struct Section {
  std::optional<Move> move;
  std::optional<std::uint32_t> visits;
  std::optional<double> winrate;
  std::optional<double> score_lead;
  std::optional<double> prior;
  std::optional<double> lcb;
  std::optional<int> order;
  bool is_copy = false;  // of another candidate, which it is the mirror image of
  std::vector<Move> variation;
};

/// Reads one line from its first word to its last, or to the first error.
class LineReader {
 public:
  LineReader(AnalysisDialect dialect, std::string_view line, rules::Size size, Color mover)
      : words_(words(line)),
        scale_(dialect == AnalysisDialect::Kata ? 1 : 10'000),
        size_(size),
        mover_(mover) {
    analysis_.to_move = mover;
  }

  std::variant<Analysis, std::string> read();

 private:
  bool goes_on() const { return error_.empty() && at_ < words_.size(); }
  bool is_in_section() const { return goes_on() && !is_section(words_[at_]); }
  std::string_view take() { return at_ < words_.size() ? words_[at_++] : std::string_view(); }
  void fail(std::string_view what, std::string_view word);

  void read_section();
  void add_candidate(const Section& section);
  void read_ownership();
  Section read_keys();
  void read_key(std::string_view key, Section& section);
  void skip_values();
  std::optional<Move> read_move(Color color);
  std::vector<Move> read_variation();
  std::optional<double> read_number(std::string_view what);
  std::optional<double> read_chance(std::string_view what);
  std::optional<double> read_lcb();
  std::optional<double> read_lead();
  std::optional<int> read_order();
  std::optional<std::uint32_t> read_visits();
  void complete();

  /// A number of the mover's turned to black's, for what is symmetric about 0.
  double black(double value) const { return mover_ == Color::Black ? value : 0 - value; }
  /// The same for a chance.
  std::optional<double> black_chance(std::optional<double> value) const {
    return value && mover_ == Color::White ? 1 - *value : value;
  }

  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  double scale_;  // what the dialect states for certainty
  rules::Size size_;
  Color mover_;
  Analysis analysis_;
  std::uint64_t visits_sum_ = 0;
  std::optional<Section> root_;
  std::string error_;
};

std::variant<Analysis, std::string> LineReader::read() {
  if (words_.empty() || !is_section(words_.front())) return "no line of an analysis";
  while (goes_on()) read_section();
  if (!error_.empty()) return std::move(error_);
  complete();
  return std::move(analysis_);
}

void LineReader::fail(std::string_view what, std::string_view word) {
  if (!error_.empty()) return;
  error_ = what;
  error_ += word.empty() ? " at the line's end" : ": " + printable(word, kQuotedWordMax);
}

void LineReader::read_section() {
  const std::string_view word = take();
  if (word == "info") {
    add_candidate(read_keys());
  } else if (word == "rootInfo") {
    root_ = read_keys();
  } else if (word == "ownership") {
    read_ownership();
  } else {
    skip_values();
  }
}

Section LineReader::read_keys() {
  Section section;
  while (is_in_section()) read_key(take(), section);
  return section;
}

void LineReader::read_key(std::string_view key, Section& section) {
  if (key == "move") {
    section.move = read_move(mover_);
  } else if (key == "visits") {
    section.visits = read_visits();
  } else if (key == "winrate") {
    section.winrate = black_chance(read_chance(key));
  } else if (key == "scoreLead") {
    section.score_lead = read_lead();
  } else if (key == "prior") {
    section.prior = read_chance(key);
  } else if (key == "lcb") {
    section.lcb = black_chance(read_lcb());
  } else if (key == "order") {
    section.order = read_order();
  } else if (key == "isSymmetryOf") {
    section.is_copy = read_move(mover_).has_value();
  } else if (key == "pv") {
    section.variation = read_variation();
  } else {
    skip_values();
  }
}

void LineReader::skip_values() {
  if (is_in_section()) take();
  while (goes_on() && parse<double>(words_[at_])) take();
}

std::optional<Move> LineReader::read_move(Color color) {
  const std::string_view word = take();
  if (is_pass(word)) return Move::pass(color);
  const auto point = rules::parse_gtp_vertex(word, size_);
  if (point) return Move::play(color, *point);
  fail("no move on the board", word);
  return std::nullopt;
}

std::vector<Move> LineReader::read_variation() {
  std::vector<Move> moves;
  for (Color color = mover_; goes_on() && is_move_like(words_[at_]); color = other(color)) {
    if (moves.size() == kVariationMovesMax) {
      fail("a variation is too long", words_[at_]);
      break;
    }
    const auto move = read_move(color);
    if (move) moves.push_back(*move);
  }
  return moves;
}

std::optional<double> LineReader::read_number(std::string_view what) {
  const std::string_view word = take();
  const auto value = parse<double>(word);
  if (value && std::isfinite(*value)) return value;
  fail(std::string(what) + " is no number", word);
  return std::nullopt;
}

std::optional<double> LineReader::read_chance(std::string_view what) {
  const auto value = read_number(what);
  if (!value) return std::nullopt;
  const double chance = *value / scale_;
  if (chance < -kSlack || chance > 1 + kSlack) {
    fail(std::string(what) + " is out of range", words_[at_ - 1]);
    return std::nullopt;
  }
  return std::clamp(chance, 0.0, 1.0);
}

/// A winrate less a radius of confidence: with few visits it falls below 0 (KataGo states it so,
/// Leela Zero cuts it).
std::optional<double> LineReader::read_lcb() {
  const auto value = read_number("lcb");
  if (!value) return std::nullopt;
  return std::clamp(*value / scale_, 0.0, 1.0);
}

std::optional<double> LineReader::read_lead() {
  const auto value = read_number("scoreLead");
  if (!value) return std::nullopt;
  if (std::abs(*value) > kScoreLeadMax) {
    fail("scoreLead is out of range", words_[at_ - 1]);
    return std::nullopt;
  }
  return black(*value);
}

std::optional<int> LineReader::read_order() {
  const std::string_view word = take();
  const auto order = parse<int>(word);
  if (order && *order >= 0) return order;
  fail("order is no number", word);
  return std::nullopt;
}

std::optional<std::uint32_t> LineReader::read_visits() {
  const std::string_view word = take();
  const auto visits = parse<std::uint32_t>(word);
  if (!visits) fail("visits is no number", word);
  return visits;
}

void LineReader::add_candidate(const Section& section) {
  if (!error_.empty()) return;
  if (!section.move || !section.visits || !section.winrate) {
    return fail("a candidate lacks its move, visits or winrate", take());
  }
  std::vector<Candidate>& all = analysis_.candidates;
  if (all.size() == kCandidatesMax) return fail("too many candidates", take());
  const auto is_same = [&](const Candidate& known) { return known.move == *section.move; };
  if (std::any_of(all.begin(), all.end(), is_same)) {
    const auto& point = section.move->point;
    return fail("a candidate is named twice", point ? rules::gtp_vertex(*point, size_) : "pass");
  }

  Candidate candidate{*section.move,
                      *section.visits,
                      *section.winrate,
                      section.score_lead,
                      section.prior,
                      section.lcb,
                      0,
                      section.variation};
  candidate.order = section.order.value_or(static_cast<int>(all.size()));
  // Without a variation, or with one that does not begin with it, the move alone was said.
  if (candidate.variation.empty() || candidate.variation.front() != candidate.move) {
    candidate.variation = {candidate.move};
  }
  if (!section.is_copy) visits_sum_ += candidate.visits;
  all.push_back(std::move(candidate));
}

void LineReader::read_ownership() {
  std::vector<float> owners;
  owners.reserve(static_cast<std::size_t>(size_.area()));
  for (int i = 0; i < size_.area(); ++i) {
    const auto value = read_number("ownership");
    if (!value) return;
    if (std::abs(*value) > 1 + kSlack) return fail("ownership is out of range", words_[at_ - 1]);
    owners.push_back(static_cast<float>(black(std::clamp(*value, -1.0, 1.0))));
  }
  analysis_.ownership = std::move(owners);
}

/// Fills in what is said of the position as a whole.
void LineReader::complete() {
  const Section root = root_.value_or(Section());
  analysis_.visits = root.visits ? *root.visits : visits_sum_;
  analysis_.winrate = root.winrate;
  analysis_.score_lead = root.score_lead;

  const auto& all = analysis_.candidates;
  const auto favourite =
      std::min_element(all.begin(), all.end(),
                       [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  if (favourite == all.end()) return;
  if (!analysis_.winrate) analysis_.winrate = favourite->winrate;
  if (!analysis_.score_lead) analysis_.score_lead = favourite->score_lead;
}

}  // namespace

std::string analysis_command(AnalysisDialect dialect, const AnalysisRequest& request, Color color) {
  require(dialect != AnalysisDialect::None, "a stream needs a dialect");
  const std::string interval = centiseconds(request);
  if (dialect == AnalysisDialect::Kata) {
    return std::string("kata-analyze ") + letter(color) + ' ' + interval + kata_options(request);
  }
  const char* keyword = dialect == AnalysisDialect::Lz ? " interval " : " ";
  return std::string("lz-analyze ") + letter(color) + keyword + interval;
}

std::string genmove_analyze_command(AnalysisDialect dialect, const AnalysisRequest& request,
                                    Color color) {
  require(dialect != AnalysisDialect::None, "analysis of a move needs a dialect");
  const bool is_kata = dialect == AnalysisDialect::Kata;
  return std::string(is_kata ? "kata" : "lz") + "-genmove_analyze " + letter(color) + ' ' +
         centiseconds(request) + (is_kata ? kata_options(request) : "");
}

std::variant<Analysis, std::string> read_analysis(AnalysisDialect dialect, std::string_view line,
                                                  rules::Size size, Color to_move) {
  return LineReader(dialect, line, size, to_move).read();
}

}  // namespace tengen::pool
