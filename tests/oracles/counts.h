// Counts that others have published, counted again with our Board and Record.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rules/record.h"

namespace tengen::tests {

/// Positions of that size in which every chain has a liberty (John Tromp, OEIS A094777).
std::uint64_t count_legal_positions(rules::Size size);

/// Simple paths from the empty board over the graph of moves of either colour, suicide allowed, the
/// empty path included (Tromp and Farneback, Combinatorics of Go). Up to 64 positions.
std::uint64_t count_games(rules::Size size);

/// Move sequences of exactly `depth` moves from the empty board, black first, in turn, passes
/// included; a game that ended by two passes is not gone beyond.
struct Perft {
  std::uint64_t nodes = 0;
  // Of the last moves only:
  std::uint64_t passes = 0;
  std::uint64_t captures = 0;
  std::uint64_t suicides = 0;
  std::uint64_t ends = 0;  // second passes
  friend bool operator==(const Perft&, const Perft&) = default;
};
Perft perft(rules::Size size, rules::KoRule ko, rules::SuicideRule suicide, int depth);

/// One row of tests/data/rules/counts.json.
struct PerftRow {
  rules::Size size;
  std::string rule;  // as the file names it, "positional/no-suicide"
  int depth = 0;
  Perft expected;
};
std::vector<PerftRow> perft_rows(const std::string& counts_file);
Perft perft(const PerftRow& row);

}  // namespace tengen::tests
