#include "tests/oracles/gnugo_games.h"

#include <algorithm>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>

#include "rules/record.h"
#include "tests/support/child.h"

namespace tengen::tests {
namespace {

using rules::Color;
using rules::Move;
using rules::Point;
using rules::Record;
using rules::Size;

constexpr std::chrono::seconds kPatience{300};
constexpr Color kColors[] = {Color::Black, Color::White};

std::string word_of(Color color) { return color == Color::Black ? "black" : "white"; }

std::string sorted_vertices(const std::vector<Point>& points, Size size) {
  std::vector<std::string> names;
  for (const Point point : points) names.push_back(rules::gtp_vertex(point, size));
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

/// The words of an answer, sorted.
std::string sorted_words(const std::string& answer) {
  std::istringstream in(answer);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  std::sort(words.begin(), words.end());
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<Point> stones_of(const rules::Board& board, Color color) {
  std::vector<Point> stones;
  for (std::uint16_t i = 0; i < rules::kCells; ++i) {
    if (board.at(Point(i)) == cell_of(color)) stones.push_back(Point(i));
  }
  return stones;
}

/// Commands for GNU Go and the answers that our core expects, in the same order.
struct Script {
  std::string commands;
  std::vector<std::pair<std::string, std::string>> expected;  // command, answer

  void add(const std::string& command, const std::string& answer) {
    commands += command + "\n";
    expected.emplace_back(command, answer);
  }
};

void ask_everything(Script& script, const Record& record) {
  for (const Color color : kColors) {
    const std::string word = word_of(color);
    script.add("all_legal " + word, sorted_vertices(record.legal_points(color), record.size()));
    script.add("captures " + word, std::to_string(record.captured_by(color)));
    script.add("list_stones " + word,
               sorted_vertices(stones_of(record.board(), color), record.size()));
  }
}

/// Whether the point is an eye of the colour that a random player would not fill.
bool is_own_eye(const Record& record, Color color, Point point) {
  const auto near = point.neighbours();
  return std::all_of(near.begin(), near.end(), [&](Point next) {
    const rules::Cell cell = record.board().at(next);
    return cell == cell_of(color) || cell == rules::Cell::Border;
  });
}

void add_game(Script& script, std::mt19937_64& random, GnuGoGames& total) {
  const auto width = static_cast<std::uint8_t>(random() % 8 == 0 ? 19 : 5 + random() % 9);
  const Size size{width, width};
  Record record(size, rules::KoRule::Simple, rules::SuicideRule::No);
  script.add("boardsize " + std::to_string(width), "");
  script.add("clear_board", "");
  Color color = Color::Black;
  const auto moves_max = static_cast<std::size_t>(2 * size.area());
  while (record.moves().size() < moves_max) {
    std::vector<Point> points = record.legal_points(color);
    // Most eyes are left alone, so that games get past the first capture race.
    std::erase_if(
        points, [&](Point point) { return random() % 8 != 0 && is_own_eye(record, color, point); });
    const bool passes = points.empty() || random() % 64 == 0;
    const Move move =
        passes ? Move::pass(color) : Move::play(color, points[random() % points.size()]);
    if (record.play(move) != rules::Refusal::None) throw std::runtime_error("a legal move refused");
    if (!record.taken().empty()) ++total.captures;
    script.add("play " + word_of(color) + " " +
                   (move.point ? rules::gtp_vertex(*move.point, size) : "pass"),
               "");
    ask_everything(script, record);
    ++total.moves;
    if (random() % 16 != 0) color = other(color);
  }
  ++total.games;
}

/// Splits the output into answers, each without its `=`; a refusal keeps its `?`.
std::vector<std::string> answers_of(const std::string& output) {
  std::vector<std::string> answers;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('=')) {
      answers.push_back(line.substr(1));
    } else if (line.starts_with('?')) {
      answers.push_back(line);
    } else if (!answers.empty()) {
      answers.back() += " " + line;
    }
  }
  return answers;
}

}  // namespace

GnuGoGames play_gnugo_games(int games, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  GnuGoGames total;
  while (total.games < games) {
    Script script;
    const int before = total.games;
    add_game(script, random, total);
    const Ran ran = run({"gnugo", "--mode", "gtp", "--simple-ko", "--forbid-suicide"},
                        script.commands, kPatience);
    const std::vector<std::string> answers = answers_of(ran.out);
    if (answers.size() != script.expected.size()) {
      throw std::runtime_error("GNU Go broke off: " + ran.err);
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const auto& [command, expected] = script.expected[i];
      if (sorted_words(answers[i]) == expected) continue;
      total.differences.push_back("game " + std::to_string(before) + ", " + command + ": " +
                                  sorted_words(answers[i]) + " against our " + expected);
      break;  // what follows in this game may follow from it
    }
  }
  return total;
}

}  // namespace tengen::tests
