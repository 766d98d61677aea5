// The board of a scripted engine: sizes, plays, undo, handicaps, pictures. See repertoire.h.
#include <algorithm>

#include "rules/ascii.h"
#include "rules/handicap.h"
#include "tests/support/board_picture.h"
#include "tests/support/repertoire.h"

namespace tengen::tests {
namespace {

using rules::Color;
using rules::Move;
using rules::Point;

/// It is done, although no careful client would have asked.
Reply taken_all_the_same(Reply reply = {}) {
  reply.is_careless = true;
  return reply;
}

/// A column of the board, a row below it.
bool is_row_zero(std::string_view vertex) {
  static constexpr std::string_view kColumns = "ABCDEFGHJKLMNOPQRSTabcdefghjklmnopqrst";
  return vertex.size() == 2 && kColumns.find(vertex[0]) != std::string_view::npos &&
         vertex[1] == '0';
}

/// Leela Zero lists by column, then from the bottom up.
void sort_like_leela(std::vector<Point>& points) {
  std::sort(points.begin(), points.end(), [](Point a, Point b) {
    return a.col() != b.col() ? a.col() < b.col() : a.row() > b.row();
  });
}

}  // namespace

std::string Repertoire::vertices(const std::vector<Point>& points) const {
  std::string text;
  for (const Point point : points) {
    if (!text.empty()) text += ' ';
    text += rules::gtp_vertex(point, board_.size());
  }
  return text;
}

void Repertoire::clear(rules::Size size) { board_.reset(size); }

Reply Repertoire::bad_size(std::string_view text) const {
  if (parse_number<int>(text) || script_.persona != Persona::GnuGo) {
    return careless(script_.persona == Persona::Pachi ? "illegal board size" : "unacceptable size");
  }
  return careless("boardsize not an integer");
}

Reply Repertoire::boardsize(const Words& words) {
  const auto width = parse_number<int>(word_at(words, 1));
  // All but KataGo read the first number and no further.
  const bool has_height = traits().rectangles && words.size() == 3;
  const auto height = has_height ? parse_number<int>(words[2]) : width;
  if (script_.persona == Persona::Pachi && width == 1) return killed();
  const auto fits = [&](const std::optional<int>& side) {
    return side && *side >= traits().size_min && *side <= traits().size_max;
  };
  if (!fits(width) || !fits(height)) return bad_size(word_at(words, 1));
  const rules::Size size{static_cast<std::uint8_t>(*width), static_cast<std::uint8_t>(*height)};
  if (traits().clears_at_boardsize || size != board_.size()) clear(size);
  return said();
}

Reply Repertoire::clear_board(const Words&) {
  clear(board_.size());
  settings_.on_clear_board();
  return said();
}

Reply Repertoire::bad_vertex(std::string_view vertex) const {
  switch (script_.persona) {
    case Persona::Bare:
      return killed();
    case Persona::LeelaZero:
      return is_row_zero(vertex) ? killed() : careless("illegal move");
    case Persona::GnuGo:
      return careless("invalid color or coordinate");
    case Persona::KataGo:
      return careless("Could not parse vertex: '" + std::string(vertex) + "'");
    case Persona::Pachi:
    case Persona::Plain:
      break;
  }
  return careless("illegal move");
}

/// Arguments that are none; the text is Leela Zero's.
Reply Repertoire::bad_play(std::string_view leela) const {
  if (script_.persona == Persona::LeelaZero) return careless(std::string(leela));
  return careless(script_.persona == Persona::GnuGo ? "invalid color or coordinate"
                                                    : "syntax error");
}

Reply Repertoire::play(const Words& words) {
  ++plays_;
  const bool is_later = script_.refuse_plays_after_that && script_.refuse_play_at != 0 &&
                        plays_ > script_.refuse_play_at;
  if (is_later || strikes(script_.refuse_play_at, plays_)) {
    board_.drift();
    return declined("illegal move");
  }
  if (words.size() == 1 && script_.persona == Persona::Bare) return killed();
  const auto color = parse_color(word_at(words, 1));
  const bool is_counted = script_.persona == Persona::KataGo || script_.persona == Persona::Plain;
  if (words.size() < 3 || (is_counted && words.size() != 3))
    return bad_play("syntax not understood");
  if (!color) return bad_play("illegal move");
  const std::string vertex = rules::lower(words[2]);
  if (vertex == "resign") {
    if (script_.persona == Persona::Pachi || script_.persona == Persona::Bare) return killed();
    if (script_.persona == Persona::LeelaZero) return taken_all_the_same();
  }
  const auto point = rules::parse_gtp_vertex(vertex, board_.size());
  if (!point && vertex != "pass") return bad_vertex(words[2]);
  if (strikes(script_.drop_play_at, plays_)) {
    board_.drift();
    return said();
  }
  switch (board_.play(point ? Move::play(*color, *point) : Move::pass(*color))) {
    case EngineBoard::Verdict::Done:
      return said();
    case EngineBoard::Verdict::Occupied:
      return careless("illegal move");
    case EngineBoard::Verdict::Illegal:
      break;
  }
  return declined("illegal move");
}

Reply Repertoire::undo(const Words&) {
  const bool has_moves = !board_.record().moves().empty();
  if (!board_.undo()) return careless("cannot undo");
  return has_moves ? said() : taken_all_the_same();
}

Reply Repertoire::gg_undo(const Words& words) {
  const int count = parse_number<int>(word_at(words, 1)).value_or(1);
  if (count < 0 || static_cast<std::size_t>(count) > board_.record().moves().size()) {
    return careless("cannot undo");
  }
  for (int i = 0; i < count; ++i) (void)board_.undo();
  return said();
}

Reply Repertoire::not_empty() const {
  const bool dies = script_.persona == Persona::Pachi || script_.persona == Persona::LeelaZero;
  if (dies) return killed();
  return careless(script_.persona == Persona::KataGo ? "Board is not empty" : "board not empty");
}

/// Puts handicap stones on the board and names them.
Reply Repertoire::place(std::vector<Point> points) {
  if (!board_.set_up(points)) return not_empty();
  if (script_.persona == Persona::LeelaZero) sort_like_leela(points);
  if (script_.persona == Persona::KataGo) std::sort(points.begin(), points.end());
  const bool has_blank = script_.persona == Persona::Pachi && !points.empty();
  return said(vertices(points) + (has_blank ? " " : ""));
}

Reply Repertoire::fixed_handicap(const Words& words) {
  const int stones = parse_number<int>(word_at(words, 1)).value_or(0);
  if (board_.record().board().stones() != 0) return not_empty();
  // One stone is a handicap to Pachi alone: it goes to the first of the usual points.
  if (stones == 1 && script_.persona == Persona::Pachi) {
    const auto usual = rules::fixed_handicap(board_.size(), 2);
    return taken_all_the_same(place({usual.empty() ? Point::at(0, 0) : usual.front()}));
  }
  const auto points = rules::fixed_handicap(board_.size(), stones);
  if (!points.empty()) return place(points);
  return careless(script_.persona == Persona::LeelaZero ? "Not a valid number of handicap stones"
                                                        : "invalid handicap");
}

Reply Repertoire::place_free_handicap(const Words& words) {
  if (handicaps_ < script_.handicap_answers.size()) {
    board_.drift();
    return said(script_.handicap_answers[handicaps_++]);
  }
  // Pachi has no choice of its own.
  if (script_.persona == Persona::Pachi) return fixed_handicap(words);
  const int stones = parse_number<int>(word_at(words, 1)).value_or(0);
  if (board_.record().board().stones() != 0) return not_empty();
  if (stones < 2) return careless("invalid handicap");
  return place(mover_.handicap(board_.record(), stones));
}

// Each stone is a play to Leela Zero: a bad one is answered for itself, and all that stands is
// named at the end.
Reply Repertoire::leela_handicap(const Words& words) {
  Reply reply;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "pass") {
      reply.is_careless = true;
      continue;
    }
    const auto point = rules::parse_gtp_vertex(words[i], board_.size());
    if (!point && is_row_zero(words[i])) return killed();
    const bool has_begun = !board_.record().moves().empty();
    const bool is_placed = point && (has_begun ? board_.play(Move::play(Color::Black, *point)) ==
                                                     EngineBoard::Verdict::Done
                                               : board_.set_up({*point}));
    if (is_placed) continue;
    reply.before = "illegal move";
    reply.is_careless = true;
  }
  auto stones = board_.stones();
  sort_like_leela(stones);
  reply.text = vertices(stones);
  return reply;
}

Reply Repertoire::set_free_handicap(const Words& words) {
  if (script_.refuse_handicap) return declined("repeated or bad vertex");
  if (script_.persona == Persona::LeelaZero) return leela_handicap(words);
  if (board_.record().board().stones() != 0) {
    return script_.persona == Persona::Pachi ? careless("illegal move") : not_empty();
  }
  std::vector<Point> points;
  bool has_pass = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto point = rules::parse_gtp_vertex(words[i], board_.size());
    if (!point && script_.persona == Persona::Pachi && rules::lower(words[i]) == "pass") {
      has_pass = true;
      continue;
    }
    if (!point) {
      // GNU Go leaves the stones that it has read so far on the board.
      if (script_.persona == Persona::GnuGo) (void)board_.set_up(points);
      return careless(script_.persona == Persona::KataGo ? "Invalid handicap location: " + words[i]
                                                         : "invalid coordinate");
    }
    points.push_back(*point);
  }
  if (points.size() < 2 && script_.persona == Persona::GnuGo) return careless("invalid handicap");
  if (!board_.set_up(points)) {
    return careless(script_.persona == Persona::KataGo ? "Handicap placement is invalid"
                                                       : "repeated vertex");
  }
  return has_pass ? taken_all_the_same() : said();
}

Reply Repertoire::list_stones(const Words& words) {
  const auto color = parse_color(word_at(words, 1));
  if (!color) return careless("invalid color");
  return said(vertices(board_.stones(color)));
}

Reply Repertoire::showboard(const Words&) {
  const int komi_half = static_cast<int>(settings_.komi() * 2);
  return said(board_picture(script_.persona, board_.record(), komi_half));
}

}  // namespace tengen::tests
