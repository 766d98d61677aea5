#include "daemon/game_at.h"

#include <gtest/gtest.h>

#include "tests/rules/game_table.h"

namespace tengen::daemon {
namespace {

using rules::kBlack;
using rules::kWhite;
using rules::Refusal;

/// Two captures, a move taken back, a pause, and an end by two passes.
rules::Game eventful_game() {
  auto header = rules::header_of(rules::Size{3, 3}, "tromp-taylor");
  header.clock = {.system = rules::ClockSystem::Absolute, .main = std::chrono::minutes(1)};
  rules::Table table(header);
  auto& game = table.game;
  const auto expect = [](Refusal refusal) {
    EXPECT_EQ(refusal, Refusal::None) << name_of(refusal);
  };
  expect(game.play(kBlack, table.at("A2"), table.stamp(), {std::chrono::seconds(5)}));
  expect(table.play(kWhite, "A1"));
  expect(table.play(kBlack, "B1"));  // takes A1
  expect(table.play(kWhite, "C3"));
  expect(game.ask(kBlack, rules::AskKind::Undo, 2, table.stamp()));
  expect(game.undo(kBlack, 2, table.stamp()));
  expect(game.ask(kBlack, rules::AskKind::Pause, 0, table.stamp()));
  expect(game.pause(kBlack, table.stamp()));
  expect(game.unpause(kWhite, table.stamp()));
  expect(table.play(kBlack, "B1"));
  expect(table.pass(kWhite));
  expect(table.pass(kBlack));
  EXPECT_TRUE(game.is_finished());
  return game;
}

/// The sequence numbers after which there is a game.
std::vector<std::uint32_t> ends_of_acts(const rules::Game& game) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t seq = 0; seq <= game.seq(); ++seq) {
    if (whole_act_up_to(game, seq) == seq) ends.push_back(seq);
  }
  return ends;
}

void expect_same(const rules::Game& seen, const rules::Game& replayed) {
  EXPECT_EQ(seen.events(), replayed.events());
  EXPECT_EQ(seen.record().moves(), replayed.record().moves());
  EXPECT_EQ(seen.record().captured_by(kBlack), replayed.record().captured_by(kBlack));
  EXPECT_EQ(seen.phase(), replayed.phase());
  EXPECT_EQ(seen.is_paused(), replayed.is_paused());
  EXPECT_EQ(seen.clocks(), replayed.clocks());
  EXPECT_EQ(seen.position_seq(), replayed.position_seq());
  EXPECT_EQ(seen.result(), replayed.result());
}

// The rules' own replay is what a look must be like.
TEST(PastGameTest, EachLookIsTheGameAsItWasThen) {
  const auto game = eventful_game();
  const auto ends = ends_of_acts(game);
  ASSERT_GE(ends.size(), 12u);
  PastGame past;
  for (const auto seq : ends) {
    const auto replayed =
        rules::Game::replay(game.header(), std::span(game.events()).subspan(0, seq));
    ASSERT_TRUE(std::holds_alternative<rules::Game>(replayed)) << seq;
    expect_same(past.at(game, seq), std::get<rules::Game>(replayed));
    expect_same(past.at(game, seq), std::get<rules::Game>(replayed));
  }
}

TEST(PastGameTest, ALaterLookGoesOnFromTheLastOne) {
  const auto game = eventful_game();
  PastGame past;
  const auto* seen = &past.at(game, 1);
  for (const auto seq : ends_of_acts(game)) {
    if (seq == 0) continue;
    EXPECT_EQ(&past.at(game, seq), seen) << "made anew at " << seq;
  }
}

// A clock that was set back, or a game that is looked at from its beginning again.
TEST(PastGameTest, AnEarlierLookIsThatOfTheEarlierGame) {
  const auto game = eventful_game();
  PastGame past;
  for (const std::uint32_t seq : {game.seq(), 1u, 5u, 0u, game.seq()}) {
    expect_same(past.at(game, seq), game_at(game, seq));
  }
  past.forget();
  expect_same(past.at(game, 2), game_at(game, 2));
}

}  // namespace
}  // namespace tengen::daemon
