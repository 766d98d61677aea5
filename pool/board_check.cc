// See board_check.h. Drawings differ between engines in everything but this: a line of column
// letters, and under each letter, in lines numbered from the top down to 1, what stands there. So a
// cell is read only where its letter says it is, and whatever is not understood makes the whole
// answer unreadable: a board that is not the game's must never pass for it.
#include "pool/board_check.h"

#include <algorithm>
#include <cstddef>

#include "pool/gtp.h"
#include "rules/ascii.h"

namespace tengen::pool {
namespace {

using rules::Board;
using rules::Cell;
using rules::Color;
using rules::Point;
using rules::Size;

using Lines = std::vector<std::string_view>;
using Columns = std::vector<std::size_t>;  // where the letters stand in their line

constexpr std::string_view kLetters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
static_assert(kLetters.size() == rules::kMaxSize);

// --- list_stones

/// Takes the stones of one colour off the board; Same when every one was there.
BoardCheck take_listed(std::string_view list, Color color, Board& left) {
  BoardCheck result = BoardCheck::Same;
  std::vector<Point> taken;
  for (const std::string_view word : words(list)) {
    if (!rules::parse_gtp_vertex(word, Size{rules::kMaxSize, rules::kMaxSize})) {
      return BoardCheck::Unreadable;
    }
    const auto point = rules::parse_gtp_vertex(word, left.size());
    if (!point || left.at(*point) != rules::cell_of(color)) {
      result = BoardCheck::Different;
    } else if (std::find(taken.begin(), taken.end(), *point) != taken.end()) {
      return BoardCheck::Unreadable;
    } else {
      taken.push_back(*point);
    }
  }
  left.remove(taken);
  return result;
}

BoardCheck check_lists(const std::vector<std::string>& answers, const Board& board) {
  Board left = board;
  const BoardCheck black = take_listed(answers[0], Color::Black, left);
  const BoardCheck white = take_listed(answers[1], Color::White, left);
  if (black == BoardCheck::Unreadable || white == BoardCheck::Unreadable) {
    return BoardCheck::Unreadable;
  }
  const bool is_same = black == BoardCheck::Same && white == BoardCheck::Same && left.stones() == 0;
  return is_same ? BoardCheck::Same : BoardCheck::Different;
}

// --- showboard

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// Reads "   A B C D", or nothing when the line is no line of letters. A second drawing may stand
/// to the right of the first one; its letters begin with A again.
Columns columns_of(std::string_view line) {
  Columns columns;
  bool is_ours = true;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;
       at = line.find_first_not_of(' ', at + 1)) {
    const char letter = upper(line[at]);
    if (at + 1 < line.size() && line[at + 1] != ' ') return {};
    if (letter == 'A' && !columns.empty()) is_ours = false;
    if (!is_ours) continue;
    if (columns.size() == kLetters.size() || letter != kLetters[columns.size()]) return {};
    columns.push_back(at);
  }
  return columns;
}

/// The row's number in front of its first cell; 0 when the line is no row.
int row_number(std::string_view margin) {
  const std::size_t begin = std::min(margin.find_first_not_of(' '), margin.size());
  int number = 0;
  std::size_t at = begin;
  for (; at < margin.size() && at < begin + 2 && rules::is_digit(margin[at]); ++at) {
    number = number * 10 + (margin[at] - '0');
  }
  const bool is_clean = margin.find_first_not_of(" |([", at) == std::string_view::npos;
  return is_clean && number <= rules::kMaxSize ? number : 0;
}

Cell read_cell(char c) {
  if (c == 'X') return Cell::Black;
  if (c == 'O') return Cell::White;
  return c == '.' || c == '+' || c == '*' || c == ',' ? Cell::Empty : Cell::Border;
}

/// What may stand between cells: KataGo numbers the last moves, others put the last one in
/// brackets.
bool is_between_cells(std::string_view text) {
  return text.find_first_not_of(" ()[]123") == std::string_view::npos;
}

/// The cells of one row, or nothing when it is not understood. What follows the last one must begin
/// as an edge does, or the engine's board is wider than its letters.
std::vector<Cell> read_row(std::string_view line, const Columns& columns) {
  std::vector<Cell> cells;
  std::size_t end = columns.front();
  for (const std::size_t column : columns) {
    if (column >= line.size() || !is_between_cells(line.substr(end, column - end))) return {};
    cells.push_back(read_cell(line[column]));
    if (cells.back() == Cell::Border) return {};
    end = column + 1;
  }
  const std::size_t mark = end < line.size() && is_between_cells(line.substr(end, 1)) ? 1 : 0;
  const std::size_t next = line.find_first_not_of(" ()[]|", end + mark);
  const bool goes_on = next != std::string_view::npos && read_cell(line[next]) != Cell::Border;
  return goes_on ? std::vector<Cell>() : cells;
}

/// A drawing as it was read: rows from the top.
using Drawing = std::vector<std::vector<Cell>>;

/// Every drawing that has its cells under these letters. A row that is not understood spoils its
/// drawing, which is then empty.
std::vector<Drawing> drawings_under(const Columns& columns, const Lines& lines) {
  std::vector<Drawing> found;
  int expected = 0;  // the number of the next row of the drawing that is being read; 0: none
  for (const std::string_view line : lines) {
    const int number = row_number(line.substr(0, std::min(columns.front(), line.size())));
    if (number == 0 && expected == 0) continue;
    if (expected == 0) found.emplace_back(), expected = number;
    std::vector<Cell> cells = read_row(line, columns);
    if (number != expected || cells.empty()) {
      found.back().clear();
      return found;
    }
    found.back().push_back(std::move(cells));
    expected = number - 1;
  }
  if (expected != 0) found.back().clear();
  return found;
}

/// What all lines of letters in the text agree on; empty when they do not. An answer's first line
/// has lost its leading blanks, so there the letters stand elsewhere.
Columns agreed_columns(const Lines& lines) {
  Columns agreed;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    Columns columns = columns_of(lines[i]);
    if (columns.empty()) continue;
    if (!agreed.empty() && columns != agreed) return {};
    agreed = std::move(columns);
  }
  return agreed.empty() && !lines.empty() ? columns_of(lines.front()) : agreed;
}

/// The one drawing that the text holds; empty when there is none, more than one, or a doubt.
Drawing read_drawing(const Lines& lines) {
  const Columns columns = agreed_columns(lines);
  if (columns.empty()) return {};
  auto found = drawings_under(columns, lines);
  return found.size() == 1 ? std::move(found.front()) : Drawing();
}

bool shows(const Drawing& drawing, const Board& board) {
  const Size size = board.size();
  if (drawing.size() != size.height || drawing.front().size() != size.width) return false;
  for (int row = 0; row < size.height; ++row) {
    for (int col = 0; col < size.width; ++col) {
      const Cell cell = drawing[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
      if (cell != board.at(Point::at(col, row))) return false;
    }
  }
  return true;
}

BoardCheck check_drawing(std::string_view text, const Board& board) {
  const Drawing drawing = read_drawing(lines_of(text));
  if (drawing.empty()) return BoardCheck::Unreadable;
  return shows(drawing, board) ? BoardCheck::Same : BoardCheck::Different;
}

}  // namespace

std::vector<std::string> verify_commands(VerifyBy way) {
  switch (way) {
    case VerifyBy::ListStones:
      return {"list_stones black", "list_stones white"};
    case VerifyBy::Showboard:
      return {"showboard"};
    case VerifyBy::None:
      break;
  }
  return {};
}

BoardCheck check_board(VerifyBy way, const std::vector<std::string>& answers, const Board& board) {
  if (way == VerifyBy::None || answers.size() != verify_commands(way).size()) {
    return BoardCheck::Unreadable;
  }
  return way == VerifyBy::ListStones ? check_lists(answers, board)
                                     : check_drawing(answers[0], board);
}

}  // namespace tengen::pool
