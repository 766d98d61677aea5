// The two players, and what a board point can hold.
#pragma once

#include <cstdint>

namespace tengen::rules {

enum class Color : std::uint8_t { Black = 1, White = 2 };

constexpr Color other(Color color) { return color == Color::Black ? Color::White : Color::Black; }

/// 0 for black, 1 for white: an index into a pair kept per colour.
constexpr int index_of(Color color) { return static_cast<int>(color) - 1; }

/// What a point holds. Border is the ring of sentinels around the board.
enum class Cell : std::uint8_t { Empty = 0, Black = 1, White = 2, Border = 3 };

constexpr Cell cell_of(Color color) { return static_cast<Cell>(color); }
constexpr bool is_stone(Cell cell) { return cell == Cell::Black || cell == Cell::White; }
/// The colour of a stone; the cell must hold one.
constexpr Color color_of(Cell cell) { return static_cast<Color>(cell); }

}  // namespace tengen::rules
