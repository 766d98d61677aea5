// What an analysis is about: the line of moves of a game, of a position or of an SGF record, judged
// by the rules, and the positions along it.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "pool/shared_record.h"
#include "protocol/messages.h"
#include "rules/game.h"

namespace tengen::daemon {

/// A position to think about.
struct AnalysisPosition {
  pool::SharedRecord record;
  rules::Ruleset rules;
  int komi_half = 15;
  rules::Color to_move = rules::Color::Black;
  std::uint32_t move = 0;          // plays and passes before it
  std::uint32_t position_seq = 0;  // of a game's present position; else 0
};

/// Moves that are legal one after the other.
struct AnalysisLine {
  rules::Size size;
  rules::Ruleset rules;
  int komi_half = 15;
  std::vector<rules::Stone> setup;
  std::vector<rules::Move> moves;              // from the setup on
  rules::Color to_move = rules::Color::Black;  // to move after them
  std::uint32_t before = 0;  // moves of the record before the setup, where it stands in its middle

  std::uint32_t end() const { return before + static_cast<std::uint32_t>(moves.size()); }
  /// Whether there is something to think about after so many moves, which are within the line:
  /// after two passes there is not, and some engines must not be asked.
  bool is_open_at(std::uint32_t move) const;
  /// Those that are, from `from` to `to`.
  std::vector<std::uint32_t> open_positions(std::uint32_t from, std::uint32_t to) const;
};

using LineOrError = std::variant<AnalysisLine, protocol::Error>;
AnalysisLine line_of(const rules::Game& game);
LineOrError line_of(const protocol::PositionSource& source);
/// Up to the asked move, where one is asked for, else to the end; a move that the record's rules
/// refuse is an error if it is on the way. Stones set up between moves begin a new line.
LineOrError line_of(const protocol::SgfSource& source);

/// The game's present position; nothing while nobody is to move or both have just passed.
std::optional<AnalysisPosition> present_position(const rules::Game& game);
/// The position after so many moves of the record, or the last open one; or why it cannot be
/// analysed.
std::variant<AnalysisPosition, protocol::Error> position_at(const AnalysisLine& line,
                                                            std::optional<std::uint32_t> move);

/// Goes along a line and gives its positions in turn.
class LineWalk {
 public:
  explicit LineWalk(AnalysisLine line);
  /// `move` is within the line and not before the one asked for last.
  AnalysisPosition at(std::uint32_t move);

 private:
  AnalysisLine line_;
  rules::Record record_;
};

}  // namespace tengen::daemon
