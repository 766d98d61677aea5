// What a game looks like that its engine's troubles have left alone.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/player.h"

namespace tengen::tests {

/// So many plays and passes that alternate, and no end: nothing was played twice, nobody was
/// punished.
inline void expect_undisturbed(const Player& player, std::size_t moves) {
  const auto game = player.game();
  EXPECT_FALSE(game.is_finished());
  ASSERT_EQ(game.record().moves().size(), moves);
  for (std::size_t i = 0; i < moves; ++i) {
    const auto expected = i % 2 == 0 ? rules::Color::Black : rules::Color::White;
    EXPECT_EQ(game.record().moves()[i].color, expected);
  }
}

}  // namespace tengen::tests
