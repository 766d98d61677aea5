// The commands that ask about the game: stones, legal moves, history, status and score.
#include <algorithm>
#include <string>
#include <vector>

#include "clients/house/referee.h"
#include "rules/benson.h"
#include "rules/board_text.h"
#include "rules/log.h"
#include "rules/score.h"

namespace tengen::house {

using rules::Board;
using rules::Color;
using rules::Point;

namespace {

/// The board's stones in index order: row by row from the top.
std::vector<Point> stones_of(const Board& board) {
  std::vector<Point> points;
  for (std::uint16_t index = 0; index < rules::kCells; ++index) {
    if (rules::is_stone(board.at(Point(index)))) points.push_back(Point(index));
  }
  return points;
}

std::string color_word(Color color) { return color == Color::Black ? "black" : "white"; }

}  // namespace

Response Referee::showboard(const Arguments&) {
  return success('\n' + rules::board_text(game_.record()));
}

Response Referee::list_stones(const Arguments& arguments) {
  const auto color = parse_color(arguments[0]);
  if (!color) return syntax_error();
  const Board& board = game_.record().board();
  std::vector<Point> points = stones_of(board);
  std::erase_if(points, [&](Point point) { return board.at(point) != rules::cell_of(*color); });
  return success(vertices(points));
}

Response Referee::captures(const Arguments& arguments) {
  const auto color = parse_color(arguments[0]);
  if (!color) return syntax_error();
  return success(std::to_string(game_.record().captured_by(*color)));
}

Response Referee::all_legal(const Arguments& arguments) {
  const auto color = parse_color(arguments[0]);
  if (!color) return syntax_error();
  return success(vertices(game_.record().legal_points(*color)));
}

Response Referee::is_legal(const Arguments& arguments) {
  const auto color = parse_color(arguments[0]);
  const auto target = target_of(arguments[1]);
  if (!color || !target) return syntax_error();
  const bool is_fine =
      target->is_on_board && game_.record().check({*color, target->point}) == rules::Refusal::None;
  return success(is_fine ? "1" : "0");
}

Response Referee::last_move(const Arguments&) {
  const auto& moves = game_.record().moves();
  if (moves.empty()) return failure("no previous move known");
  return success(color_word(moves.back().color) + ' ' + text_of(moves.back()));
}

/// Newest first.
Response Referee::move_history(const Arguments&) {
  const auto& moves = game_.record().moves();
  std::string text;
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) {
    text += (text.empty() ? "" : "\n") + color_word(move->color) + ' ' + text_of(*move);
  }
  return success(text);
}

Response Referee::final_score(const Arguments&) {
  return success(rules::score_text(black_lead_half()));
}

/// One chain a line.
Response Referee::final_status_list(const Arguments& arguments) {
  const std::string& status = arguments[0];
  if (status == "seki") return success();  // agreed between players, never found
  if (status != "dead" && status != "alive") return syntax_error();
  const Board& board = game_.record().board();
  const std::vector<Point> dead = dead_stones();
  std::string text;
  for (const Point point : stones_of(board)) {
    const bool is_dead = std::binary_search(dead.begin(), dead.end(), point);
    if (board.chain_id(point) != point || is_dead != (status == "dead")) continue;
    std::vector<Point> chain = board.chain(point);
    std::sort(chain.begin(), chain.end());
    text += (text.empty() ? "" : "\n") + vertices(chain);
  }
  return success(text);
}

std::vector<Point> Referee::dead_stones() const {
  if (game_.rules().end == rules::EndRule::AllAlive) return {};
  const rules::Record& record = game_.record();
  std::vector<Point> dead =
      house::dead_stones(record, game_.to_move(), wanted_playouts(), seed_for(Use::Status));
  for (const Color color : {Color::Black, Color::White}) {
    const auto alive = rules::pass_alive(record.board(), color, record.suicide());
    std::erase_if(dead, [&](Point point) {
      return std::binary_search(alive.stones.begin(), alive.stones.end(), point);
    });
  }
  std::sort(dead.begin(), dead.end());
  return dead;
}

/// Area counts the board with the dead stones lifted; territory adds prisoners, those among the
/// dead included. White gets komi and what the rules give for the handicap.
int Referee::black_lead_half() const {
  const rules::Points points =
      rules::count(game_.record(), game_.rules().scoring, {dead_stones(), {}});
  return 2 * (points.black - points.white) - white_extra_half();
}

}  // namespace tengen::house
