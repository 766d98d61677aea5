// See analysis_talk.h.
#include "tests/support/analysis_talk.h"

#include <cstdio>

#include "tests/support/move_maker.h"
#include "tests/support/reply.h"

namespace tengen::tests {
namespace {

using rules::Color;
using rules::Point;
using rules::Record;

/// A key with its value; false when this persona does not know it.
bool take_key(Persona persona, std::string_view key, std::string_view value, AnalysisOrder& order) {
  if (key == "interval") {
    const auto interval = parse_number<int>(value);
    order.interval_cs = interval.value_or(0);
    return interval.has_value();
  }
  if (persona == Persona::LeelaZero) return false;
  const bool is_truth = value == "true" || value == "false";
  if (order.is_kata && is_truth && key == "ownership") {
    order.ownership = value == "true";
    return true;
  }
  if (order.is_kata && is_truth && key == "rootInfo") {
    order.root_info = value == "true";
    return true;
  }
  if (order.is_kata && is_truth) {
    return key == "ownershipStdev" || key == "movesOwnership" || key == "pvVisits";
  }
  return (key == "minmoves" || key == "maxmoves") && parse_number<int>(value).has_value();
}

std::string vertices(const std::vector<Point>& points, std::size_t from, std::size_t count,
                     rules::Size size) {
  std::string text;
  for (std::size_t i = 0; i < std::min(points.size(), count); ++i) {
    text += ' ' + rules::gtp_vertex(points[(from + i) % points.size()], size);
  }
  return text.empty() ? " pass" : text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

struct Estimate {
  int visits = 0;
  double winrate = 0;  // the mover's, 0 to 1
  double prior = 0;
};

Estimate estimate(std::size_t order, int n) {
  const double falling = 0.02 * static_cast<double>(order);
  return {n * (40 >> order) + 1, 0.51 - falling, 0.12 / static_cast<double>(order + 1)};
}

std::string lz_candidate(Persona persona, const std::string& vertex, const Estimate& is,
                         const std::string& winrate, std::size_t order) {
  std::string text = "info move " + vertex + " visits " + std::to_string(is.visits) + " winrate " +
                     winrate + " prior " + std::to_string(static_cast<int>(is.prior * 10'000));
  // Pachi knows no lower bound.
  if (persona != Persona::Pachi) {
    text += " lcb " + std::to_string(static_cast<int>((is.winrate - 0.01) * 10'000));
  }
  return text + " order " + std::to_string(order) + " pv";
}

std::string kata_candidate(const std::string& vertex, const Estimate& is,
                           const std::string& winrate, std::size_t order) {
  const std::string visits = std::to_string(is.visits);
  const std::string lead = number((is.winrate - 0.5) * 20);
  const std::string utility = number((is.winrate - 0.5) * 2);
  return "info move " + vertex + " visits " + visits + " edgeVisits " + visits + " utility " +
         utility + " winrate " + winrate + " scoreMean " + lead + " scoreStdev 30.4752 scoreLead " +
         lead + " scoreSelfplay " + lead + " prior " + number(is.prior) + " lcb " +
         number(is.winrate - 0.005) + " utilityLcb " + utility + " weight " + visits +
         (order == 2 ? " isSymmetryOf A1" : "") + " order " + std::to_string(order) + " pv";
}

std::string root_info(const Estimate& best) {
  return " rootInfo visits " + std::to_string(best.visits * 2) + " utility 0.0233937 winrate " +
         number(best.winrate) + " scoreMean " + number((best.winrate - 0.5) * 20) +
         " scoreStdev 30.4752 scoreLead " + number((best.winrate - 0.5) * 20) +
         " scoreSelfplay 0.202044 weight " + std::to_string(best.visits * 2);
}

/// The mover's stones are his, the other's are not, and what is free is anybody's.
std::string ownership(const Record& record, Color mover) {
  std::string text = " ownership";
  for (int row = 0; row < record.size().height; ++row) {
    for (int col = 0; col < record.size().width; ++col) {
      const rules::Cell cell = record.board().at(Point::at(col, row));
      const bool is_mine = cell == rules::cell_of(mover);
      text += rules::is_stone(cell) ? (is_mine ? " 0.75" : " -0.75") : " 0.0625";
    }
  }
  return text;
}

}  // namespace

std::optional<AnalysisOrder> read_order(Persona persona, const std::vector<std::string>& words,
                                        Color to_move) {
  AnalysisOrder order;
  order.is_kata = words.front().starts_with("kata-");
  order.color = to_move;
  std::size_t at = 1;
  if (at < words.size()) {
    if (const auto color = parse_color(words[at])) {
      order.color = *color;
      ++at;
    }
  }
  if (at < words.size()) {
    if (const auto interval = parse_number<int>(words[at])) {
      order.interval_cs = *interval;
      ++at;
    }
  }
  // Pachi wants the bare number and reads no further.
  if (persona == Persona::Pachi) {
    if (order.interval_cs <= 0) return std::nullopt;
    return order;
  }
  for (; at < words.size(); at += 2) {
    if (at + 1 == words.size() || !take_key(persona, words[at], words[at + 1], order)) {
      return std::nullopt;
    }
  }
  return order;
}

std::string analysis_line(const Script& script, const AnalysisOrder& order, const Record& record,
                          int n, BadUpdate bad) {
  if (bad == BadUpdate::Huge) return "info " + std::string(script.huge_bytes, 'x');
  const auto points =
      some_legal_points(record, order.color, std::max(script.candidates, 2 * script.variation));
  const std::size_t count = std::max<std::size_t>(1, std::min(points.size(), script.candidates));
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const Estimate is = estimate(i, n);
    const bool is_spoilt = i == 0;
    std::string vertex = points.empty() ? "pass" : rules::gtp_vertex(points[i], record.size());
    if (is_spoilt && bad == BadUpdate::OffBoard) vertex = "Z25";
    std::string winrate =
        order.is_kata ? number(is.winrate) : std::to_string(static_cast<int>(is.winrate * 10'000));
    if (is_spoilt && bad == BadUpdate::Nan) winrate = "nan";
    if (!text.empty()) text += ' ';
    text += order.is_kata ? kata_candidate(vertex, is, winrate, i)
                          : lz_candidate(script.persona, vertex, is, winrate, i);
    text += points.empty() ? " pass" : vertices(points, i, script.variation, record.size());
  }
  if (order.root_info) text += root_info(estimate(0, n));
  if (order.ownership) text += ownership(record, order.color);
  return text;
}

}  // namespace tengen::tests
