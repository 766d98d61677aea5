// See board_picture.h.
#include "tests/support/board_picture.h"

#include <array>
#include <cstdio>

namespace tengen::tests {
namespace {

using rules::Cell;
using rules::Color;
using rules::Point;
using rules::Record;

constexpr std::string_view kLetters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

std::string padded(int number, int width) {
  std::string text = std::to_string(number);
  text.insert(0, static_cast<std::size_t>(std::max(0, width - static_cast<int>(text.size()))), ' ');
  return text;
}

char stone_at(const Record& record, int col, int row) {
  const Cell cell = record.board().at(Point::at(col, row));
  return cell == Cell::Black ? 'X' : cell == Cell::White ? 'O' : '.';
}

// Where GNU Go draws a cross: one quarter of the board stands for all.
bool is_cross(int size, int col, int row) {
  if (size == 2 || size == 4) return false;
  const int middle = size / 2;
  const int x = std::min(col, size - 1 - col);
  const int y = std::min(row, size - 1 - row);
  const bool has_middle = size % 2 == 1;
  if (has_middle && x == middle && y == middle) return true;
  if (size <= 5) return size == 5 && x == 1 && y == 1;
  const int edge = size <= 11 ? 2 : 3;
  const auto is_line = [&](int at) { return at == edge || (at == middle && has_middle); };
  if (x == edge && y == edge) return true;
  return size >= 12 && is_line(x) && is_line(y);
}

std::string gnugo_letters(int width) {
  std::string text = "  ";
  for (int col = 0; col < width; ++col) text += {' ', kLetters[static_cast<std::size_t>(col)]};
  return text;
}

std::string gnugo_picture(const Record& record) {
  const int size = record.size().width;
  const int captures_row = size < 10 ? size - 2 : 8;
  std::string text = '\n' + gnugo_letters(size) + '\n';
  for (int row = 0; row < record.size().height; ++row) {
    const int number = record.size().height - row;
    text += padded(number, 2);
    for (int col = 0; col < size; ++col) {
      const char stone = stone_at(record, col, row);
      text += {' ', stone == '.' && is_cross(size, col, row) ? '+' : stone};
    }
    text += ' ' + std::to_string(number);
    if (row == captures_row) {
      text += "     WHITE (O) has captured " + std::to_string(record.captured_by(Color::White)) +
              " stones";
    } else if (row == captures_row + 1) {
      text += "     BLACK (X) has captured " + std::to_string(record.captured_by(Color::Black)) +
              " stones";
    }
    text += '\n';
  }
  return text + gnugo_letters(size);
}

std::string pachi_frame(int width) {
  std::string text = "    +-";
  for (int col = 0; col < width; ++col) text += "--";
  return text + "+\n";
}

std::string pachi_picture(const Record& record, int komi_half) {
  const int width = record.size().width;
  char head[128];
  std::snprintf(head, sizeof head,
                "Move: % 3d  Komi: %2.1f  Handicap: %d  Captures B: %d W: %d  \n",
                static_cast<int>(record.moves().size() + record.setup().size()), komi_half / 2.0,
                static_cast<int>(record.setup().size()), record.captured_by(Color::Black),
                record.captured_by(Color::White));
  std::string text = head;
  text += "      ";
  for (int col = 0; col < width; ++col) text += {kLetters[static_cast<std::size_t>(col)], ' '};
  text += " \n" + pachi_frame(width);
  const auto last = record.moves().empty() ? std::nullopt : record.moves().back().point;
  for (int row = 0; row < record.size().height; ++row) {
    text += ' ' + padded(record.size().height - row, 2) + " | ";
    for (int col = 0; col < width; ++col) {
      text += {stone_at(record, col, row), last == Point::at(col, row) ? ')' : ' '};
    }
    text += "|\n";
  }
  text += pachi_frame(width);
  text.pop_back();
  return text;
}

/// The last three moves are numbered behind their stones.
char katago_mark(const Record& record, Point point) {
  const auto& moves = record.moves();
  const std::size_t start = moves.size() >= 3 ? moves.size() - 3 : 0;
  for (std::size_t i = start; i < moves.size(); ++i) {
    if (moves[i].point == point) return static_cast<char>('1' + (i - start));
  }
  return ' ';
}

std::string katago_picture(const Record& record, int komi_half) {
  const int width = record.size().width;
  char head[96];
  const auto hash = static_cast<unsigned long long>(record.board().hash());
  std::snprintf(head, sizeof head, "MoveNum: %zu HASH: %016llX%016llX\n", record.moves().size(),
                hash, ~hash);
  std::string text = head + gnugo_letters(width) + '\n';
  for (int row = 0; row < record.size().height; ++row) {
    text += padded(record.size().height - row, 2) + ' ';
    for (int col = 0; col < width; ++col) {
      const char mark = katago_mark(record, Point::at(col, row));
      text += stone_at(record, col, row);
      if (mark != ' ' || col + 1 < width) text += mark;
    }
    text += '\n';
  }
  const bool is_black_next =
      record.moves().empty() ? record.setup().empty() : record.moves().back().color == Color::White;
  text += std::string("Next player: ") + (is_black_next ? "Black" : "White");
  static constexpr std::array<std::string_view, 3> kKo{"SIMPLE", "POSITIONAL", "SITUATIONAL"};
  text += "\nRules: {\"ko\":\"" + std::string(kKo[static_cast<std::size_t>(record.ko()) - 1]) +
          "\",\"komi\":" + rules::komi_text(komi_half) + "}";
  text += "\nB stones captured: " + std::to_string(record.captured_by(Color::White)) +
          "\nW stones captured: " + std::to_string(record.captured_by(Color::Black));
  return text;
}

}  // namespace

std::string board_picture(Persona persona, const Record& record, int komi_half) {
  switch (persona) {
    case Persona::LeelaZero:
      return {};
    case Persona::Pachi:
      return pachi_picture(record, komi_half);
    case Persona::KataGo:
      return katago_picture(record, komi_half);
    case Persona::Plain:
    case Persona::GnuGo:
    case Persona::Bare:
      break;
  }
  return gnugo_picture(record);
}

}  // namespace tengen::tests
