#include "daemon/analysis_line.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "daemon/check.h"
#include "rules/sgf_game.h"
#include "rules/sgf_text.h"
#include "rules/sgf_tree.h"

namespace tengen::daemon {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using rules::Move;
using rules::Record;
using rules::Refusal;

constexpr std::size_t kMovesMax = protocol::kMoveLimitMax;
/// Far more than a file within the limit of bytes has need of.
constexpr rules::SgfLimits kSgfLimits{protocol::kSgfBytesMax, 1'000, 20'000, 40'000, 1'000, 64, 64};
constexpr rules::SgfGameLimits kSgfGameLimits{20'000, 20'000};

Error invalid(std::string reason, std::string message) {
  return {ErrorCode::InvalidArgument, std::move(reason), std::move(message), 0, {}};
}

bool ends_with_two_passes(const std::vector<Move>& moves, std::size_t count) {
  return count >= 2 && moves[count - 1].is_pass() && moves[count - 2].is_pass();
}

/// Stones that a board can hold, in one act and with liberties.
bool can_stand(const AnalysisLine& line) {
  std::vector<rules::Placement> placements;
  for (const auto& stone : line.setup) {
    placements.push_back({stone.point, rules::cell_of(stone.color)});
  }
  Record scratch(line.size, line.rules.ko, line.rules.suicide);
  return scratch.edit(placements);
}

std::string refused(std::uint32_t number, const Move& move, rules::Size size, Refusal refusal) {
  return "move " + std::to_string(number) + ", " +
         (move.color == rules::Color::Black ? "black " : "white ") +
         (move.point ? gtp_vertex(*move.point, size) : "pass") +
         ", is against the rules: " + std::string(name_of(refusal));
}

std::vector<rules::Stone> stones_of(const rules::Board& board) {
  std::vector<rules::Stone> stones;
  for (int row = 0; row < board.size().height; ++row) {
    for (int col = 0; col < board.size().width; ++col) {
      const auto point = rules::Point::at(col, row);
      if (rules::is_stone(board.at(point))) {
        stones.push_back({rules::color_of(board.at(point)), point});
      }
    }
  }
  return stones;
}

/// The line of an SGF record, made step by step.
class SgfLine {
 public:
  SgfLine(const rules::SgfGame& game, const rules::Preset& preset)
      : record_(game.size, preset.rules.ko, preset.rules.suicide) {
    line_.size = game.size;
    line_.rules = preset.rules;
    line_.komi_half = game.komi_half.value_or(preset.komi_half);
    line_.to_move = game.first;
  }

  std::uint32_t moves() const { return line_.end(); }
  /// What is wrong with the step.
  std::optional<std::string> take(const rules::SgfStep& step) {
    if (step.kind == rules::SgfStepKind::Setup) return set_up(step);
    const auto number = moves() + 1;
    if (step.kind == rules::SgfStepKind::Unplayable) {
      return "move " + std::to_string(number) + " names no point of the board";
    }
    if (line_.moves.size() >= kMovesMax) {
      return "more than " + std::to_string(kMovesMax) + " moves";
    }
    const Move move = step.kind == rules::SgfStepKind::Pass ? Move::pass(step.color)
                                                            : Move::play(step.color, step.point);
    const Refusal refusal = record_.play(move);
    if (refusal != Refusal::None) return refused(number, move, line_.size, refusal);
    line_.moves.push_back(move);
    line_.to_move = other(step.color);
    return std::nullopt;
  }
  AnalysisLine line() && { return std::move(line_); }

 private:
  std::optional<std::string> set_up(const rules::SgfStep& step) {
    if (!record_.edit(step.edits)) return "a setup leaves a chain without liberties";
    line_.before = moves();
    line_.moves.clear();
    line_.setup = stones_of(record_.board());
    record_ = Record(line_.size, line_.rules.ko, line_.rules.suicide);
    check(record_.set_up(line_.setup), "stones that stand on a board can be set up");
    return std::nullopt;
  }

  AnalysisLine line_;
  Record record_;
};

}  // namespace

bool AnalysisLine::is_open_at(std::uint32_t move) const {
  return !ends_with_two_passes(moves, move - before);
}

std::vector<std::uint32_t> AnalysisLine::open_positions(std::uint32_t from,
                                                        std::uint32_t to) const {
  std::vector<std::uint32_t> open;
  for (std::uint32_t move = std::max(from, before); move <= std::min(to, end()); ++move) {
    if (is_open_at(move)) open.push_back(move);
  }
  return open;
}

AnalysisLine line_of(const rules::Game& game) {
  const auto& header = game.header();
  const auto& record = game.record();
  AnalysisLine line{
      header.size, header.rules, header.komi_half, record.setup(), record.moves(), header.first, 0};
  if (!line.moves.empty()) line.to_move = other(line.moves.back().color);
  if (const auto turn = game.turn()) line.to_move = *turn;
  return line;
}

LineOrError line_of(const protocol::PositionSource& source) {
  AnalysisLine line{
      source.size, source.rules, source.komi_half, source.setup, source.moves, source.to_move, 0};
  Record record(line.size, line.rules.ko, line.rules.suicide);
  if (!can_stand(line) || !record.set_up(line.setup)) {
    return invalid("setup", "the setup names a point twice or leaves a chain without liberties");
  }
  std::uint32_t number = 0;
  for (const Move& move : line.moves) {
    const Refusal refusal = record.play(move);
    ++number;
    if (refusal != Refusal::None) {
      return invalid("moves", refused(number, move, line.size, refusal));
    }
  }
  return line;
}

LineOrError line_of(const protocol::SgfSource& source) {
  auto parsed = rules::parse_sgf(source.sgf, {}, kSgfLimits);
  if (const auto* error = std::get_if<rules::SgfError>(&parsed)) {
    return invalid("sgf", "line " + std::to_string(error->line) + ", column " +
                              std::to_string(error->column) + ": " + error->reason);
  }
  const auto& trees = std::get<rules::SgfCollection>(parsed).trees;
  if (source.index >= trees.size()) {
    return invalid("index", "the file has " + std::to_string(trees.size()) + " game trees");
  }
  const auto found = rules::game_of(trees[source.index], kSgfGameLimits);
  if (const auto* error = std::get_if<rules::SgfError>(&found)) {
    return invalid("sgf", "line " + std::to_string(error->line) + ", column " +
                              std::to_string(error->column) + ": " + error->reason);
  }
  const auto& game = std::get<rules::SgfGame>(found);
  const auto named = rules::preset_of_rules(game.rules);
  const auto* preset = rules::find_preset(named.value_or("chinese"));
  check(preset != nullptr, "rules that are named in a record are a preset");
  if (game.komi_half && std::abs(*game.komi_half) > rules::kMaxKomiHalf) {
    return invalid("sgf", "the komi is out of range");
  }
  SgfLine line(game, *preset);
  for (const auto& step : game.steps) {
    const bool is_after = step.is_move() || line.moves() > 0;
    if (source.move && line.moves() >= *source.move && is_after) break;
    if (auto problem = line.take(step)) return invalid("sgf", std::move(*problem));
  }
  return std::move(line).line();
}

std::optional<AnalysisPosition> present_position(const rules::Game& game) {
  const auto& moves = game.record().moves();
  const auto turn = game.turn();
  if (!turn || ends_with_two_passes(moves, moves.size())) return std::nullopt;
  return AnalysisPosition{
      pool::SharedRecord(game.shared_record()), game.header().rules, game.header().komi_half, *turn,
      static_cast<std::uint32_t>(moves.size()), game.position_seq()};
}

std::variant<AnalysisPosition, Error> position_at(const AnalysisLine& line,
                                                  std::optional<std::uint32_t> move) {
  if (move && (*move < line.before || *move > line.end())) {
    return invalid("move", "there are the positions after " + std::to_string(line.before) + " to " +
                               std::to_string(line.end()) + " moves");
  }
  std::uint32_t at = move.value_or(line.end());
  if (!move) {
    while (at > line.before && !line.is_open_at(at)) --at;
  }
  if (!line.is_open_at(at)) {
    return invalid("move", "after two passes there is nothing to think about");
  }
  return LineWalk(line).at(at);
}

LineWalk::LineWalk(AnalysisLine line)
    : line_(std::move(line)), record_(line_.size, line_.rules.ko, line_.rules.suicide) {
  check(record_.set_up(line_.setup), "the setup of a line can stand");
}

AnalysisPosition LineWalk::at(std::uint32_t move) {
  const std::size_t count = move - line_.before;
  while (record_.moves().size() < count) {
    const auto& next = line_.moves[record_.moves().size()];
    check(record_.play(next) == Refusal::None, "the moves of a line are legal");
  }
  const auto to_move = count < line_.moves.size() ? line_.moves[count].color : line_.to_move;
  return {pool::SharedRecord(record_), line_.rules, line_.komi_half, to_move, move, 0};
}

}  // namespace tengen::daemon
