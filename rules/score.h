// Who owns which point, and how many: area and territory. Regions of empty points are looked at
// once the stones agreed to be dead are lifted. Nothing here judges life or finds seki: both are
// agreed between players and given as marks.
//
// The two counts agree: with the same dead stones, nothing marked as seki, every dead stone counted
// as a prisoner and the prisoners of the record itself, area margin - territory margin = black
// stones placed - white stones placed (setup and plays). Where both placed equally many, the
// margins are equal.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/board.h"
#include "rules/record.h"
#include "rules/ruleset.h"

namespace tengen::rules {

/// Points on the board, without komi. Regions that touch no stone or both colours are nobody's.
struct Area {
  int black = 0;
  int white = 0;
  friend bool operator==(Area, Area) = default;
};

/// The owner of every point by index: Black, White, or Empty for nobody. Border off the board.
using Owners = std::array<Cell, kCells>;

/// Area as the board stands after lifting exactly the points in `removed` (whole chains are the
/// caller's business; see whole_chains). A stone left standing owns its point.
Owners area_owners(const Board& board, const std::vector<Point>& removed = {});
Area area(const Board& board, const std::vector<Point>& removed = {});

/// What the players agreed on. `dead` are whole chains. A `seki` mark on an empty or dead point
/// stands for its region, one on a living stone for every region that touches its chain.
struct Marks {
  std::vector<Point> dead;
  std::vector<Point> seki;
};

/// What becomes of a dead stone in a region that is nobody's territory: by articles 8 and 10 of the
/// Japanese rules of 1989 it stays; servers commonly count it as a prisoner.
enum class DeadOutsideTerritory : std::uint8_t { Stays, IsPrisoner };

struct Territory {
  int black = 0;  // points surrounded by black, those under dead white stones included
  int white = 0;
  int dead_black = 0;  // dead black stones that become white's prisoners
  int dead_white = 0;
  friend bool operator==(Territory, Territory) = default;
};

/// Territory: regions that touch living stones of one colour only and are not marked as seki.
/// Living stones own nothing here.
Owners territory_owners(const Board& board, const Marks& marks);
Territory territory(const Board& board, const Marks& marks,
                    DeadOutsideTerritory outside = DeadOutsideTerritory::Stays);

/// Points of a game as it stands: area, or territory with the prisoners of play and the dead. Komi
/// and bonus are not in it.
struct Points {
  int black = 0;
  int white = 0;
  friend bool operator==(Points, Points) = default;
};
Points count(const Record& record, Scoring scoring, const Marks& marks);

/// Every chain that holds one of the points, whole, sorted by index and without repeats. Nothing
/// when a point is empty or off the board.
std::optional<std::vector<Point>> whole_chains(const Board& board,
                                               const std::vector<Point>& points);

}  // namespace tengen::rules
