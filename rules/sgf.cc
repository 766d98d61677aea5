#include "rules/sgf.h"

#include <chrono>
#include <cstdio>

#include "rules/sgf_text.h"

namespace tengen::rules {
namespace {

constexpr std::size_t kMovesPerLine = 10;

void add(std::string& sgf, std::string_view name, std::string_view value) {
  sgf += name;
  sgf += '[';
  sgf += escaped_simple_text(value);
  sgf += ']';
}

std::string size_text(Size size) {
  const std::string width = std::to_string(size.width);
  return size.width == size.height ? width : width + ":" + std::to_string(size.height);
}

std::string rules_text(const Header& header) {
  return header.preset.empty() ? "components" : std::string(rules_of_preset(header.preset));
}

std::string player_text(const Seat& seat) { return seat.name.empty() ? seat.profile : seat.name; }

/// The day in UTC as YYYY-MM-DD.
std::string date_text(std::int64_t unix_ms) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(unix_ms)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

void add_stones(std::string& sgf, const std::vector<Stone>& setup, Color color) {
  bool is_first = true;
  for (const Stone& stone : setup) {
    if (stone.color != color) continue;
    if (is_first) sgf += color == Color::Black ? "AB" : "AW";
    is_first = false;
    sgf += '[' + sgf_point(stone.point) + ']';
  }
}

void add_setup(std::string& sgf, const Game& game) {
  const std::vector<Stone>& setup = game.record().setup();
  if (game.handicap() > 0) add(sgf, "HA", std::to_string(game.handicap()));
  add_stones(sgf, setup, Color::Black);
  add_stones(sgf, setup, Color::White);
  const Color first = game.header().first;
  if (!setup.empty() || first == Color::White) add(sgf, "PL", first == Color::Black ? "B" : "W");
}

void add_root(std::string& sgf, const Game& game, std::string_view application) {
  const Header& header = game.header();
  sgf += "FF[4]GM[1]CA[UTF-8]";
  add(sgf, "AP", application);
  add(sgf, "SZ", size_text(header.size));
  add(sgf, "RU", rules_text(header));
  add(sgf, "KM", komi_value(header.komi_half));
  add(sgf, "PB", player_text(header.seat(Color::Black)));
  add(sgf, "PW", player_text(header.seat(Color::White)));
  add(sgf, "DT", date_text(header.created_ms));
  if (game.result()) add(sgf, "RE", result_text(*game.result()));
  add_setup(sgf, game);
}

}  // namespace

std::string to_sgf(const Game& game, std::string_view application) {
  std::string sgf = "(;";
  add_root(sgf, game, application);
  const std::vector<Move>& moves = game.record().moves();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (i % kMovesPerLine == 0) sgf += '\n';
    sgf += moves[i].color == Color::Black ? ";B[" : ";W[";
    if (!moves[i].is_pass()) sgf += sgf_point(*moves[i].point);
    sgf += ']';
  }
  sgf += ")\n";
  return sgf;
}

}  // namespace tengen::rules
