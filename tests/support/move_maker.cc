// See move_maker.h.
#include "tests/support/move_maker.h"

#include <algorithm>

#include "rules/handicap.h"

namespace tengen::tests {
namespace {

using rules::Color;
using rules::Move;
using rules::Point;
using rules::Record;
using rules::Refusal;

std::uint64_t next_random(std::uint64_t& state) {  // xorshift64* (Vigna 2016)
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1du;
}

std::vector<Point> points_of(const Record& record, bool (*is_wanted)(rules::Cell)) {
  std::vector<Point> points;
  for (int row = 0; row < record.size().height; ++row) {
    for (int col = 0; col < record.size().width; ++col) {
      const Point point = Point::at(col, row);
      if (is_wanted(record.board().at(point))) points.push_back(point);
    }
  }
  return points;
}

std::vector<Point> free_points(const Record& record) {
  return points_of(record, [](rules::Cell cell) { return cell == rules::Cell::Empty; });
}

bool is_own_eye(const Record& record, Color color, Point point) {
  const rules::Board& board = record.board();
  for (const Point each : point.neighbours()) {
    const rules::Cell cell = board.at(each);
    if (cell != rules::cell_of(color) && cell != rules::Cell::Border) return false;
  }
  int hostile = 0;
  int borders = 0;
  for (const int step :
       {-rules::kStride - 1, -rules::kStride + 1, rules::kStride - 1, rules::kStride + 1}) {
    const rules::Cell cell = board.at(Point(static_cast<std::uint16_t>(point.index() + step)));
    hostile += cell == rules::cell_of(rules::other(color));
    borders += cell == rules::Cell::Border;
  }
  return hostile + (borders > 0 ? 1 : 0) < 2;
}

}  // namespace

MoveMaker::MoveMaker(const Script& script)
    : style_(script.style), pass_after_(script.pass_after), random_(script.seed * 2 + 1) {}

void MoveMaker::seed(std::uint64_t seed) {
  random_ = seed * 2 + 1;
  // Small seeds differ in few bits at first.
  for (int i = 0; i < 8; ++i) next_random(random_);
}

Move MoveMaker::choose(const Record& record, Color color) {
  const auto moves = static_cast<int>(record.moves().size());
  if (pass_after_ >= 0 && moves >= pass_after_) return Move::pass(color);
  if (style_ == Script::Style::Random) return random_move(record, color);
  const auto first = some_legal_points(record, color, 1);
  return first.empty() ? Move::pass(color) : Move::play(color, first.front());
}

Move MoveMaker::random_move(const Record& record, Color color) {
  std::vector<Point> free = free_points(record);
  while (!free.empty()) {
    const std::size_t pick = next_random(random_) % free.size();
    const Move move = Move::play(color, free[pick]);
    if (!is_own_eye(record, color, free[pick]) && record.check(move) == Refusal::None) return move;
    free[pick] = free.back();
    free.pop_back();
  }
  return Move::pass(color);
}

std::vector<Point> MoveMaker::handicap(const Record& record, int stones) {
  std::vector<Point> points = rules::fixed_handicap(record.size(), stones);
  if (!points.empty()) return points;
  std::vector<Point> free = free_points(record);
  const auto count = std::min(free.size(), static_cast<std::size_t>(std::max(stones, 0)));
  while (points.size() < count) {
    const std::size_t pick = next_random(random_) % free.size();
    points.push_back(free[pick]);
    free[pick] = free.back();
    free.pop_back();
  }
  return points;
}

std::optional<Point> forbidden_point(Script::Illegal kind, const Record& record, Color color) {
  if (kind == Script::Illegal::OffBoard) return std::nullopt;
  if (kind != Script::Illegal::Occupied) {
    for (const Point point : free_points(record)) {
      const Refusal refusal = record.check(Move::play(color, point));
      const bool is_ko = refusal == Refusal::Ko || refusal == Refusal::Superko;
      if (kind == Script::Illegal::Ko ? is_ko : refusal == Refusal::Suicide) return point;
    }
  }
  const auto taken = points_of(record, rules::is_stone);
  if (taken.empty()) return std::nullopt;
  return taken.front();
}

std::vector<Point> some_legal_points(const Record& record, Color color, std::size_t count) {
  std::vector<Point> points;
  for (const Point point : free_points(record)) {
    if (points.size() == count) break;
    if (record.check(Move::play(color, point)) == Refusal::None) points.push_back(point);
  }
  return points;
}

}  // namespace tengen::tests
