#include "daemon/watch_page.h"

#include <string_view>

#include "rules/ruleset.h"

namespace tengen::daemon {
namespace {

using rules::Color;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string name_of(const rules::Seat& seat) {
  if (!seat.name.empty()) return escaped(seat.name);
  switch (seat.kind) {
    case rules::SeatKind::Engine:
      return escaped(seat.profile);
    case rules::SeatKind::Agent:
      return "an agent";
    case rules::SeatKind::Human:
      break;
  }
  return "a human";
}

std::string board_text(const rules::Board& board) {
  constexpr std::string_view kColumns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  std::string letters = "   ";
  for (int x = 0; x < board.size().width; ++x) {
    letters += std::string(" ") + kColumns[static_cast<std::size_t>(x)];
  }
  std::string out = letters + "\n";
  for (int y = 0; y < board.size().height; ++y) {
    const std::string number = std::to_string(board.size().height - y);
    out += (number.size() < 2 ? "  " : " ") + number;
    for (int x = 0; x < board.size().width; ++x) {
      const auto cell = board.at(rules::Point::at(x, y));
      out += cell == rules::Cell::Black ? " X" : cell == rules::Cell::White ? " O" : " .";
    }
    out += " " + number + "\n";
  }
  return out + letters + "\n";
}

std::string last_move(const rules::Game& game) {
  const auto& moves = game.record().moves();
  if (moves.empty()) return "no move yet";
  const auto& move = moves.back();
  const std::string color = move.color == Color::Black ? "black" : "white";
  return "move " + std::to_string(moves.size()) + ": " + color + " " +
         (move.is_pass() ? "passes" : gtp_vertex(*move.point, game.record().size()));
}

std::string standing(const rules::Game& game) {
  if (game.result()) return "finished: " + rules::result_text(*game.result());
  if (game.pause_reason() == rules::PauseReason::ServerLag) return "paused: no engine is free";
  if (game.is_paused()) return "paused";
  if (const auto turn = game.turn())
    return *turn == Color::Black ? "black to move" : "white to move";
  return std::string(rules::name_of(game.phase()));
}

}  // namespace

std::string watch_page(const rules::Game& game) {
  const auto& header = game.header();
  std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  if (!game.is_finished()) page += "<meta http-equiv=\"refresh\" content=\"5\">";
  page +=
      "<title>Tengen: a game of Go</title></head><body>\n<h1>" + name_of(game.seat(Color::Black)) +
      " (black) and " + name_of(game.seat(Color::White)) + " (white)</h1>\n<p>" +
      escaped(header.preset) + ", komi " + rules::komi_text(header.komi_half) + ". " +
      standing(game) + ", " + last_move(game) + ".</p>\n<pre>" + board_text(game.record().board()) +
      "</pre>\n<p>Captured by black: " + std::to_string(game.record().captured_by(Color::Black)) +
      ", by white: " + std::to_string(game.record().captured_by(Color::White)) +
      ".</p>\n</body></html>\n";
  return page;
}

}  // namespace tengen::daemon
