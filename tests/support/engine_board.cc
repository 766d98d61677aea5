// See engine_board.h.
#include "tests/support/engine_board.h"

#include <algorithm>
#include <set>

namespace tengen::tests {

using rules::Color;
using rules::Move;
using rules::Point;
using rules::Record;
using rules::Refusal;

EngineBoard::EngineBoard(Persona persona, rules::KoRule ko, rules::SuicideRule suicide)
    : persona_(persona), record_({19, 19}, ko, suicide) {}

void EngineBoard::reset(rules::Size size) {
  record_ = Record(size, record_.ko(), record_.suicide());
  has_drifted_ = false;
  passes_from_ = 0;
}

void EngineBoard::tell_rules(rules::KoRule ko, rules::SuicideRule suicide) {
  rebuild(ko, suicide, record_.setup());
}

// Under other rules, or with other stones set up, the same moves are forced: they were made.
void EngineBoard::rebuild(rules::KoRule ko, rules::SuicideRule suicide,
                          const std::vector<rules::Stone>& setup) {
  Record record(record_.size(), ko, suicide);
  (void)record.set_up(setup);
  for (const Move& move : record_.moves()) (void)record.force(move);
  record_ = std::move(record);
}

EngineBoard::Verdict EngineBoard::play(Move move) {
  const Refusal refusal = record_.check(move);
  if (refusal == Refusal::Occupied) return Verdict::Occupied;
  if (refusal != Refusal::None && !takes(refusal, move)) return Verdict::Illegal;
  return record_.force(move) == Refusal::None ? Verdict::Done : Verdict::Illegal;
}

void EngineBoard::force(Move move) { (void)record_.force(move); }

bool EngineBoard::takes(Refusal refusal, Move move) const {
  if (persona_ == Persona::Plain || refusal == Refusal::OffBoard) return false;
  if (refusal == Refusal::Superko) return true;
  if (persona_ == Persona::LeelaZero || persona_ == Persona::Bare) return true;
  if (persona_ != Persona::KataGo) return false;
  return refusal == Refusal::Ko || record_.board().preview(move.color, *move.point).suicided > 1;
}

bool EngineBoard::undo() {
  if (record_.undo()) {
    passes_from_ = std::min(passes_from_, record_.moves().size());
    return true;
  }
  auto setup = record_.setup();
  if (persona_ != Persona::LeelaZero || setup.empty()) return false;
  setup.pop_back();
  rebuild(record_.ko(), record_.suicide(), setup);
  has_drifted_ = true;
  return true;
}

bool EngineBoard::set_up(const std::vector<Point>& points) {
  std::vector<rules::Stone> stones;
  for (const Point point : points) stones.push_back({Color::Black, point});
  return record_.set_up(stones);
}

int EngineBoard::passes() const {
  const auto& moves = record_.moves();
  int passes = 0;
  for (std::size_t i = moves.size(); i > passes_from_ && moves[i - 1].is_pass(); --i) ++passes;
  return passes;
}

std::vector<Point> EngineBoard::stones(std::optional<Color> color) const {
  std::vector<Point> points;
  for (int row = 0; row < size().height; ++row) {
    for (int col = 0; col < size().width; ++col) {
      const rules::Cell cell = record_.board().at(Point::at(col, row));
      const bool is_asked = color ? cell == rules::cell_of(*color) : rules::is_stone(cell);
      if (is_asked) points.push_back(Point::at(col, row));
    }
  }
  return points;
}

std::vector<std::vector<Point>> EngineBoard::chains() const {
  std::vector<std::vector<Point>> chains;
  std::set<Point> seen;
  for (const Point stone : stones()) {
    if (!seen.insert(record_.board().chain_id(stone)).second) continue;
    auto chain = record_.board().chain(stone);
    std::sort(chain.begin(), chain.end());
    chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace tengen::tests
