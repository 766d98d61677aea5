// Moves and judgements of a scripted engine. See repertoire.h.
#include <algorithm>
#include <cstdio>

#include "rules/score.h"
#include "tests/support/repertoire.h"

namespace tengen::tests {
namespace {

using rules::Color;
using rules::Move;
using rules::Point;

// Below row 1 there is none on any board.
constexpr std::string_view kNowhere = "A0";

std::string_view color_error(Persona persona) {
  if (persona == Persona::LeelaZero || persona == Persona::Plain) return "syntax error";
  return "invalid color";
}

}  // namespace

std::string Repertoire::move_text(Move move) const {
  return move.is_pass() ? std::string(traits().pass)
                        : rules::gtp_vertex(*move.point, board_.size());
}

Reply Repertoire::genmove(const Words& words) {
  if (words.front() == "kgs-genmove_cleanup") board_.forget_passes();
  return seek_move(words, true);
}

Reply Repertoire::search(const Words& words) { return seek_move(words, false); }

Reply Repertoire::seek_move(const Words& words, bool plays) {
  ++genmoves_;
  const auto color = parse_color(word_at(words, 1));
  if (!color) return careless(std::string(color_error(script_.persona)));
  if (script_.persona == Persona::LeelaZero && plays && board_.passes() >= 2) return killed();
  if (strikes(script_.resign_at, genmoves_)) return said("resign");
  if (strikes(script_.cancelled_at, genmoves_)) return said("cancelled");
  if (strikes(script_.illegal_at, genmoves_)) {
    if (auto reply = illegal_move(*color)) return *reply;
  }
  const Move move = mover_.choose(board_.record(), *color);
  if (plays && board_.play(move) != EngineBoard::Verdict::Done) return declined("no move");
  return said(move_text(move));
}

/// A move that the rules forbid is on its own board by the time it is heard of, if it can be.
std::optional<Reply> Repertoire::illegal_move(Color color) {
  if (script_.illegal == Script::Illegal::OffBoard) return said(std::string(kNowhere));
  const auto point = forbidden_point(script_.illegal, board_.record(), color);
  if (!point) return std::nullopt;
  board_.drift();
  const Move move = Move::play(color, *point);
  board_.force(move);
  return said(move_text(move));
}

std::optional<AnalysisOrder> Repertoire::order(const Words& words) const {
  const auto& moves = board_.record().moves();
  const bool is_white_next =
      moves.empty() ? !board_.record().setup().empty() : moves.back().color == Color::Black;
  return read_order(script_.persona, words, is_white_next ? Color::White : Color::Black);
}

Reply Repertoire::analyze(const Words& words) {
  if (order(words)) return said();
  // Pachi without a colour, or with none that it understands, answers nothing and does nothing.
  if (script_.persona == Persona::Pachi) {
    return words.size() == 2 ? said() : careless("numeric value expected");
  }
  return careless(script_.persona == Persona::LeelaZero
                      ? "cannot parse analyze tags"
                      : "Could not parse analyze arguments or arguments out of range");
}

Reply Repertoire::genmove_analyze(const Words& words) {
  if (!order(words)) return careless("syntax not understood");
  Reply reply = seek_move(words, true);
  if (reply.is_success) reply.text.insert(0, "play ");
  return reply;
}

std::vector<Point> Repertoire::dead() const {
  std::vector<Point> points;
  if (script_.persona == Persona::LeelaZero) return points;  // everything lives
  if (script_.dead == Script::Dead::All) return board_.stones();
  if (script_.dead != Script::Dead::Given) return points;
  for (const std::string& vertex : script_.dead_given) {
    if (const auto point = rules::parse_gtp_vertex(vertex, board_.size())) points.push_back(*point);
  }
  return points;
}

Reply Repertoire::final_status_list(const Words& words) {
  const std::string_view status = word_at(words, 1);
  const auto doomed = dead();
  if (script_.persona == Persona::Plain && status == "dead") {
    // As given, vertex by vertex: also what is on no board.
    const bool is_given = script_.dead == Script::Dead::Given;
    std::string text = is_given ? "" : vertices(doomed);
    for (const std::string& vertex : script_.dead_given) {
      if (is_given) text += (text.empty() ? "" : "\n") + vertex;
    }
    return said(text);
  }
  const auto is_seki = [&](const std::string& vertex) {
    return std::find(script_.seki_given.begin(), script_.seki_given.end(), vertex) !=
           script_.seki_given.end();
  };
  std::vector<std::vector<Point>> chains;
  for (const auto& chain : board_.chains()) {
    const bool is_dead = std::find(doomed.begin(), doomed.end(), chain.front()) != doomed.end();
    const bool is_in_seki = std::any_of(chain.begin(), chain.end(), [&](Point point) {
      return is_seki(rules::gtp_vertex(point, board_.size()));
    });
    const std::string_view is = is_dead ? "dead" : is_in_seki ? "seki" : "alive";
    if (is == status) chains.push_back(chain);
  }
  if (status == "dead" || status == "alive" || status == "seki") return said(status_text(chains));
  if (script_.persona == Persona::LeelaZero) return said();
  return careless(script_.persona == Persona::GnuGo ? "invalid status"
                                                    : "illegal status specifier");
}

/// KataGo writes one line, the others one for each chain, Pachi a blank behind each vertex.
std::string Repertoire::status_text(const std::vector<std::vector<Point>>& chains) const {
  if (script_.persona == Persona::KataGo) {
    std::vector<Point> all;
    for (const auto& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
    std::sort(all.begin(), all.end());
    return vertices(all);
  }
  std::vector<std::string> lines;
  for (const auto& chain : chains) {
    lines.push_back(vertices(chain) + (script_.persona == Persona::Pachi ? " " : ""));
  }
  if (script_.persona == Persona::LeelaZero) std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

Reply Repertoire::final_score(const Words&) {
  if (script_.score_given) return said(*script_.score_given);
  if (script_.persona == Persona::Pachi && board_.passes() < 2) {
    return declined("non-final position at A1");
  }
  const rules::Area area = rules::area(board_.record().board(), dead());
  const double lead = area.black - area.white - settings_.komi();
  if (lead == 0) return said("0");
  char text[32];
  std::snprintf(text, sizeof text, "%c+%.1f", lead > 0 ? 'B' : 'W', lead > 0 ? lead : -lead);
  return said(text);
}

}  // namespace tengen::tests
