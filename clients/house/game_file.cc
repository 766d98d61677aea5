#include "clients/house/game_file.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <variant>

#include "rules/sgf_game.h"
#include "rules/sgf_tree.h"

namespace tengen::house {
namespace {

using rules::Cell;
using rules::Move;
using rules::Point;
using rules::SgfCollection;
using rules::SgfGame;
using rules::SgfStep;
using rules::SgfStepKind;

std::optional<SgfGame> first_game(std::string_view bytes) {
  // Names and comments are of no interest here, so bytes in other charsets need no decoder.
  const auto parsed = rules::parse_sgf(bytes, rules::CharsetDecoder{});
  const auto* collection = std::get_if<SgfCollection>(&parsed);
  if (collection == nullptr) return std::nullopt;
  const auto& trees = collection->trees;
  const auto tree = std::find_if(trees.begin(), trees.end(), rules::is_go);
  if (tree == trees.end()) return std::nullopt;
  auto game = rules::game_of(*tree);
  if (auto* found = std::get_if<SgfGame>(&game)) return std::move(*found);
  return std::nullopt;
}

using StepIterator = std::vector<SgfStep>::const_iterator;

/// The stones of the setup before the first move; where a point is set several times the last
/// counts.
std::vector<rules::Stone> start_of(StepIterator begin, StepIterator end) {
  std::map<Point, Cell> cells;
  for (StepIterator step = begin; step != end; ++step) {
    for (const rules::Placement& edit : step->edits) cells[edit.point] = edit.cell;
  }
  std::vector<rules::Stone> stones;
  for (const auto& [point, cell] : cells) {
    if (rules::is_stone(cell)) stones.push_back({rules::color_of(cell), point});
  }
  return stones;
}

/// Nothing for a move that names no point of the board.
std::optional<Step> step_of(const SgfStep& step) {
  switch (step.kind) {
    case SgfStepKind::Setup:
      return step.edits;
    case SgfStepKind::Play:
      return Move::play(step.color, step.point);
    case SgfStepKind::Pass:
      return Move::pass(step.color);
    case SgfStepKind::Unplayable:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<GameFile> parse_game_file(std::string_view bytes,
                                        std::optional<std::size_t> before_move,
                                        const GtpLimits& limits) {
  const std::optional<SgfGame> record = first_game(bytes);
  if (!record) return std::nullopt;
  const auto is_move = [](const SgfStep& step) { return step.is_move(); };
  const auto start = std::find_if(record->steps.begin(), record->steps.end(), is_move);
  GameFile file;
  file.game.size = record->size;
  file.game.first = record->first;
  file.game.setup = start_of(record->steps.begin(), start);
  file.game.handicap = rules::handicap_stones(*record);
  if (record->komi_half && std::abs(*record->komi_half) <= rules::kMaxKomiHalf) {
    file.komi_half = record->komi_half;
  }
  std::size_t moves = 0;
  for (auto step = start; step != record->steps.end(); ++step) {
    if (step->is_move() && before_move && moves + 1 >= *before_move) break;
    moves += step->is_move() ? 1 : 0;
    auto made = step_of(*step);
    if (!made || file.game.steps.size() == limits.moves) return std::nullopt;
    file.game.steps.push_back(std::move(*made));
  }
  return file;
}

}  // namespace tengen::house
