// A game with short calls for tests.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/game.h"
#include "tests/support/drawn_board.h"

namespace tengen::rules {

inline constexpr Color kBlack = Color::Black;
inline constexpr Color kWhite = Color::White;

inline Header header_of(Size size, std::string_view preset) {
  Header header;
  header.size = size;
  header.preset = preset;
  header.rules = find_preset(preset)->rules;
  header.komi_half = 1;
  return header;
}

inline Header header_of(const std::vector<std::string>& rows, std::string_view preset) {
  Header header = header_of(tengen::tests::drawn(rows).size, preset);
  header.setup = tengen::tests::drawn(rows).stones;
  return header;
}

/// A game with short calls; every act gets the next millisecond and a request of its own.
struct Table {
  Game game;
  int acts = 0;

  explicit Table(Header header) : game(std::move(header)) {}

  Stamp stamp() {
    ++acts;
    return {1000 + acts, "act" + std::to_string(acts)};
  }
  Point at(std::string_view name) const { return tengen::tests::vertex(name, game.header().size); }
  std::vector<Point> at_all(std::initializer_list<std::string_view> names) const {
    std::vector<Point> points;
    for (const std::string_view name : names) points.push_back(at(name));
    return points;
  }
  Refusal play(Color color, std::string_view name) { return game.play(color, at(name), stamp()); }
  Refusal pass(Color color) { return game.pass(color, stamp()); }
  Refusal list(Color color, std::optional<std::vector<Point>> points) {
    return game.list_dead(color, std::move(points), stamp());
  }
  void pass_twice() {
    ASSERT_EQ(pass(game.turn().value()), Refusal::None);
    ASSERT_EQ(pass(game.turn().value()), Refusal::None);
  }
  std::string lines() const {
    std::string text;
    for (const Event& event : game.events()) text += to_line(event) + "\n";
    return text;
  }
};

}  // namespace tengen::rules
