// A position with its history: setup and coloured moves in any order, judged by ko, superko and
// suicide, but with no turn and no end. Jobs, SGF files and virtual engines carry one. The superko
// history holds hashes only: a hit is confirmed by replaying to that move, so no answer is a guess.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/board.h"
#include "rules/move.h"
#include "rules/ruleset.h"

namespace tengen::rules {

/// Why a move or an act was refused; a refusal changes nothing. When several apply the first of
/// occupied, suicide, ko, superko is given.
enum class Refusal : std::uint8_t {
  None = 0,
  OffBoard,
  Occupied,
  Suicide,
  Ko,  // an immediate retake, under every rule
  Superko,
  NotYourTurn,
  GameOver,
  WrongPhase,
  BadList,        // a dead list that names an empty point
  AliveChain,     // a chain that nothing can kill cannot be agreed dead
  NoStone,        // there is no chain to mark
  NoRepetition,   // no result is for positions that have come before
  NothingToUndo,  // so many moves cannot be taken back
  AlreadyAsked,
  NothingAsked,
  AskedTooOften,
  MarkedTooOften,
  Paused,
  BadHandicap,  // too few or too many stones, or some where none can stand
};
/// One word for people and logs: "occupied", "superko" ...
std::string_view name_of(Refusal refusal);

class Record {
 public:
  Record(Size size, KoRule ko, SuicideRule suicide);

  /// Places stones before the first move, as one position: it becomes the start of the superko
  /// history. False, changing nothing, when a stone is off the board, a point is named twice or
  /// holds a stone already, or a move has been made.
  [[nodiscard]] bool set_up(const std::vector<Stone>& stones);

  /// Sets points from outside at any time, as SGF's AB, AW and AE do. The position that results
  /// joins the superko history, or is its start while no move has been made; a ko ban ends. It
  /// cannot be undone. False, changing nothing,
  /// when a point is off the board or named twice, or a chain would have no liberty.
  [[nodiscard]] bool edit(const std::vector<Placement>& placements);

  /// Whether the move may be made; None means yes. A pass always may.
  Refusal check(Move move) const;
  /// Makes the move if it may be made.
  [[nodiscard]] Refusal play(Move move);
  /// Makes a move even if ko, superko or suicide forbid it; refused only as OffBoard or Occupied.
  [[nodiscard]] Refusal force(Move move);
  /// Takes the last move back, a pass too. False when there is none since the start or the last
  /// edit.
  [[nodiscard]] bool undo();

  /// Every point `color` may play now, in index order.
  std::vector<Point> legal_points(Color color) const;

  Size size() const { return board_.size(); }
  KoRule ko() const { return ko_; }
  SuicideRule suicide() const { return suicide_; }
  const Board& board() const { return board_; }
  const std::vector<Stone>& setup() const { return setup_; }
  const std::vector<Move>& moves() const { return moves_; }
  /// Stones removed by the last move, suicided ones included, in no order.
  const std::vector<Point>& taken() const { return taken_; }
  /// Stones captured by a colour so far; suicided stones count for the other side.
  int captured_by(Color color) const { return captured_[index_of(color)]; }
  /// The point where an immediate retake of a ko is refused now, and to whom.
  std::optional<Stone> ko_ban() const { return ko_ban_; }

 private:
  /// A board that has been on the table. With situational superko a repetition needs the same mover
  /// too; that of the start and of an edit is the side that does not move next, known from the next
  /// move on.
  struct Position {
    std::uint64_t hash = 0;
    std::uint32_t moves = 0;  // how many moves led to it
    std::uint32_t edits = 0;  // and how many edits
    Cell mover = Cell::Empty;
  };
  struct Edit {
    std::uint32_t moves = 0;  // made before it
    std::vector<Placement> placements;
  };
  /// What the record was before a move, so far as the move does not tell.
  struct Before {
    std::size_t taken = 0;      // stones taken so far
    std::size_t positions = 0;  // remembered so far
    std::optional<Stone> ko_ban;
    std::array<bool, 2> remembered{};
    bool names_mover = false;  // whether the move told who was to move in the last position
  };

  Refusal judge(Color color, Point point) const;
  bool is_fresh(Color color, Point point) const;
  bool repeats(Color color, Point point, const Board::Outcome& outcome) const;
  bool is_same_board(const Position& position, const Board& board) const;
  void apply(Move move);
  void name_mover(Color next);
  void note_stones(Color color, Point point);
  void remember(Cell mover);
  void forget_positions(std::size_t count);
  void insert(std::uint32_t position);
  void grow_index();

  KoRule ko_;
  SuicideRule suicide_;
  Board board_;
  std::vector<Stone> setup_;
  std::vector<Edit> edits_;
  std::vector<Move> moves_;
  std::vector<Before> before_;  // one for each move
  std::vector<Point> taken_;
  std::vector<Point> all_taken_;  // by every move so far, for undo
  std::array<int, 2> captured_{};
  std::optional<Stone> ko_ban_;
  /// The start position, then what each move added; empty under simple ko.
  std::vector<Position> positions_;
  /// Open-addressing table over positions_ by hash: position + 1, or 0 where free.
  std::vector<std::uint32_t> index_;
  /// Movers remembered for the board as it stands, so that passes are remembered once.
  std::array<bool, 2> remembered_{};
  /// Per point the colours that stood there in a remembered position, as bits. A play on a point
  /// its colour never held makes a board never seen.
  std::array<std::uint8_t, kCells> held_{};
};

}  // namespace tengen::rules
