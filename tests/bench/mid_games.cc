#include "tests/bench/mid_games.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace tengen::tests {
namespace {

constexpr rules::Size kSize{19, 19};
constexpr std::size_t kMirrors = 4;  // as it is, left to right, top to bottom, both
constexpr std::size_t kMovesMin = 60;
constexpr std::size_t kMovesStep = 10;

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.empty()) throw std::runtime_error(path + " has no games");
  return lines;
}

rules::Point mirrored(rules::Point point, std::size_t mirror) {
  const int col = mirror % 2 == 0 ? point.col() : kSize.width - 1 - point.col();
  const int row = mirror < 2 ? point.row() : kSize.height - 1 - point.row();
  return rules::Point::at(col, row);
}

rules::Record game_of(const std::string& line, std::size_t mirror) {
  rules::Record record(kSize, rules::KoRule::Positional, rules::SuicideRule::No);
  std::istringstream words(line);
  std::string word;
  rules::Color color = rules::Color::Black;
  while (record.moves().size() < kMovesMin + mirror * kMovesStep && words >> word) {
    const auto point = rules::parse_gtp_vertex(word, kSize);
    const bool is_good = point && record.play(rules::Move::play(color, mirrored(*point, mirror))) ==
                                      rules::Refusal::None;
    if (!is_good) throw std::runtime_error("a game holds a bad move: " + word);
    color = rules::other(color);
  }
  return record;
}

}  // namespace

std::vector<rules::Record> mid_games(std::size_t count) {
  const auto lines = lines_of(std::string(TENGEN_TESTS_DIR) + "/data/engines/games19.txt");
  if (count > lines.size() * kMirrors) throw std::runtime_error("there are not so many games");
  std::vector<rules::Record> games;
  for (std::size_t i = 0; i < count; ++i) {
    games.push_back(game_of(lines[i % lines.size()], i / lines.size()));
  }
  return games;
}

}  // namespace tengen::tests
