#include "tests/oracles/counts.h"

#include <algorithm>
#include <bit>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <vector>

namespace tengen::tests {
namespace {

using rules::Board;
using rules::Color;
using rules::KoRule;
using rules::Move;
using rules::Point;
using rules::Record;
using rules::Refusal;
using rules::Size;
using rules::SuicideRule;

constexpr Color kColors[] = {Color::Black, Color::White};

/// Whether a chain at or beside the point has no liberty; the rest was looked at before.
bool is_dead_near(const Board& board, Point point) {
  if (board.liberties(point) == 0) return true;
  for (const Point near : point.neighbours()) {
    if (is_stone(board.at(near)) && board.liberties(near) == 0) return true;
  }
  return false;
}

// Points not reached yet are empty and stay liberties, so a chain without any is lost for good.
std::uint64_t count_from(Board& board, int index) {
  const Size size = board.size();
  if (index == size.area()) return 1;
  std::uint64_t count = count_from(board, index + 1);
  const Point point = Point::at(index % size.width, index / size.width);
  for (const Color color : kColors) {
    board.place({color, point});
    if (!is_dead_near(board, point)) count += count_from(board, index + 1);
    board.take_back(color, point, {});
  }
  return count;
}

/// The board's text after one of eight symmetries, the colours exchanged or not.
std::string text_of(const Board& board, int symmetry, bool swaps) {
  const Size size = board.size();
  const bool turns = (symmetry & 4) != 0;
  std::string text = turns ? "t" : "";
  if (size.width == size.height) text.clear();
  const int width = turns ? size.height : size.width;
  const int height = turns ? size.width : size.height;
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      int x = turns ? row : col;
      int y = turns ? col : row;
      if ((symmetry & 1) != 0) x = size.width - 1 - x;
      if ((symmetry & 2) != 0) y = size.height - 1 - y;
      const rules::Cell cell = board.at(Point::at(x, y));
      const bool is_black = cell == rules::Cell::Black;
      text += cell == rules::Cell::Empty ? '.' : is_black != swaps ? 'X' : 'O';
    }
  }
  return text;
}

std::string least_text(const Board& board) {
  std::string least = text_of(board, 0, false);
  for (int symmetry = 0; symmetry < 8; ++symmetry) {
    for (const bool swaps : {false, true}) {
      least = std::min(least, text_of(board, symmetry, swaps));
    }
  }
  return least;
}

/// The positions that can be reached from the empty board, and where each move leads.
class MoveGraph {
 public:
  explicit MoveGraph(Size size) {
    find(Board(size));
    for (std::size_t i = 0; i < boards_.size(); ++i) {
      const Board board = boards_[i];
      std::uint64_t targets = 0;
      for (int at = 0; at < size.area(); ++at) {
        const Point point = Point::at(at % size.width, at / size.width);
        if (board.at(point) != rules::Cell::Empty) continue;
        for (const Color color : kColors) {
          Board after = board;
          std::vector<Point> taken;
          after.play(color, point, taken);
          targets |= std::uint64_t{1} << find(after);
        }
      }
      targets_.push_back(targets & ~(std::uint64_t{1} << i));
    }
  }

  /// The first moves that are alike by a symmetry of the board or by exchange of colours have
  /// equally many paths beyond them: one of each kind is walked.
  std::uint64_t count_paths() const {
    std::map<std::string, std::uint64_t> alike;  // by the least of their texts: how many
    std::map<std::string, std::size_t> sample;
    for (std::size_t i = 1; i < boards_.size(); ++i) {
      if ((targets_[0] >> i & 1) == 0) continue;
      const std::string least = least_text(boards_[i]);
      ++alike[least];
      sample[least] = i;
    }
    std::uint64_t count = 1;
    for (const auto& [text, number] : alike) {
      const std::size_t first = sample.at(text);
      count += number * (1 + count_beyond(first, 1 | std::uint64_t{1} << first));
    }
    return count;
  }

 private:
  std::size_t find(const Board& board) {
    const auto [entry, is_new] = numbers_.try_emplace(board.to_text(), boards_.size());
    if (is_new) boards_.push_back(board);
    if (boards_.size() > 64) throw std::runtime_error("more than 64 positions");
    return entry->second;
  }

  /// Paths that go on from a position, the visited ones (itself included) left out.
  std::uint64_t count_beyond(std::size_t from, std::uint64_t visited) const {
    std::uint64_t open = targets_[from] & ~visited;
    std::uint64_t count = static_cast<std::uint64_t>(std::popcount(open));
    while (open != 0) {
      const auto next = static_cast<std::size_t>(std::countr_zero(open));
      const std::uint64_t bit = open & (~open + 1);
      open ^= bit;
      count += count_beyond(next, visited | bit);
    }
    return count;
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<Board> boards_;
  std::vector<std::uint64_t> targets_;
};

Color mover(const Record& record) {
  return record.moves().size() % 2 == 0 ? Color::Black : Color::White;
}

bool is_ended(const Record& record) {
  const auto& moves = record.moves();
  return moves.size() >= 2 && moves.back().is_pass() && moves[moves.size() - 2].is_pass();
}

void count_last(Record& record, Perft& total) {
  const bool after_pass = !record.moves().empty() && record.moves().back().is_pass();
  ++total.nodes;
  ++total.passes;
  if (after_pass) ++total.ends;
  const Color color = mover(record);
  for (const Point point : record.legal_points(color)) {
    ++total.nodes;
    const Board::Outcome outcome = record.board().preview(color, point);
    if (outcome.captured > 0) ++total.captures;
    if (outcome.suicided > 0) ++total.suicides;
  }
}

void walk(Record& record, int depth, Perft& total) {
  if (is_ended(record)) return;
  if (depth == 1) return count_last(record, total);
  const Color color = mover(record);
  std::vector<Move> moves{Move::pass(color)};
  for (const Point point : record.legal_points(color)) moves.push_back(Move::play(color, point));
  for (const Move& move : moves) {
    if (record.play(move) != Refusal::None) throw std::runtime_error("a legal move is refused");
    walk(record, depth - 1, total);
    if (!record.undo()) throw std::runtime_error("a move cannot be undone");
  }
}

}  // namespace

std::uint64_t count_legal_positions(Size size) {
  Board board(size);
  return count_from(board, 0);
}

std::uint64_t count_games(Size size) { return MoveGraph(size).count_paths(); }

Perft perft(Size size, KoRule ko, SuicideRule suicide, int depth) {
  Record record(size, ko, suicide);
  Perft total;
  walk(record, depth, total);
  return total;
}

std::vector<PerftRow> perft_rows(const std::string& counts_file) {
  std::ifstream file(counts_file);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const boost::json::value document = boost::json::parse(text);
  std::vector<PerftRow> rows;
  for (const auto& row : document.at("perft").at("rows").as_array()) {
    const auto number = [&row](const char* key) { return row.at(key).to_number<std::uint64_t>(); };
    const auto size = boost::json::value_to<std::vector<int>>(row.at("size"));
    rows.push_back({{static_cast<std::uint8_t>(size[0]), static_cast<std::uint8_t>(size[1])},
                    boost::json::value_to<std::string>(row.at("rule")),
                    static_cast<int>(number("depth")),
                    {number("nodes"), number("passes"), number("captures"), number("suicides"),
                     number("ends")}});
  }
  return rows;
}

Perft perft(const PerftRow& row) {
  const std::size_t slash = row.rule.find('/');
  const std::string suicide = row.rule.substr(slash + 1);
  const SuicideRule rule = suicide == "no-suicide"            ? SuicideRule::No
                           : suicide == "multi-stone-suicide" ? SuicideRule::Multi
                                                              : SuicideRule::Any;
  return perft(row.size, rules::parse_ko(row.rule.substr(0, slash)).value(), rule, row.depth);
}

}  // namespace tengen::tests
