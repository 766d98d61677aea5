// Replay: a log that the rules made is accepted as it is, and any other is refused by its first
// event that does not fit.
#include <gtest/gtest.h>

#include <functional>

#include "rules/game.h"
#include "tests/support/drawn_board.h"

namespace tengen::rules {
namespace {

using tengen::tests::drawn;
using tengen::tests::vertex;

using namespace std::chrono_literals;

/// Ten events: a capture, passes, lists, the score.
Game scored_game() {
  Header header;
  header.preset = "chinese";
  header.rules = find_preset("chinese")->rules;
  const auto board = drawn({"OO...", "XX...", ".....", "...OO", "....."});
  header.size = board.size;
  header.setup = board.stones;
  Game game(header);
  const auto point = [&](std::string_view name) { return vertex(name, header.size); };
  EXPECT_EQ(game.play(Color::Black, point("C5"), {11, "a"}), Refusal::None);
  EXPECT_EQ(game.play(Color::White, point("A1"), {12, "b"}), Refusal::None);
  EXPECT_EQ(game.pass(Color::Black, {13, "c"}), Refusal::None);
  EXPECT_EQ(game.pass(Color::White, {14, "d"}), Refusal::None);
  EXPECT_EQ(game.list_dead(Color::Black, std::vector{point("A1")}, {15, "e"}), Refusal::None);
  EXPECT_EQ(game.list_dead(Color::White, std::nullopt, {16, ""}), Refusal::None);
  EXPECT_EQ(game.seq(), 10u);
  return game;
}

Game resigned_game() {
  Game game{Header{}};
  EXPECT_EQ(game.play(Color::Black, Point::at(15, 3), {1, ""}), Refusal::None);
  EXPECT_EQ(game.resign(Color::White, {2, "r"}), Refusal::None);
  return game;
}

Game forfeited_game() {
  Game game{Header{}};
  EXPECT_EQ(game.forfeit(Color::Black, "engine failed", {3, ""}), Refusal::None);
  return game;
}

Game limited_game() {
  Header header;
  header.rules.move_limit = 1;
  Game game(header);
  EXPECT_EQ(game.pass(Color::Black, {4, ""}), Refusal::None);
  EXPECT_TRUE(game.is_finished());
  return game;
}

/// Absolute time of ten seconds a side: black has 6 left, white 9.5, then black runs out of it.
Game clocked_game() {
  Header header;
  header.size = {9, 9};
  header.clock = {ClockSystem::Absolute, 10s, {}, {}, {}, 0, 0};
  Game game(header);
  EXPECT_EQ(game.play(Color::Black, Point::at(4, 4), {1, "a"}, {4s, 0s}), Refusal::None);
  EXPECT_EQ(game.pass(Color::White, {2, ""}, {500ms, 2s}), Refusal::None);
  EXPECT_EQ(game.time_out(Color::Black, {3, ""}), Refusal::None);
  EXPECT_EQ(game.seq(), 4u);
  return game;
}

Game substituted_game() {
  Game game{Header{}};
  EXPECT_EQ(game.change_seat(Color::White, {SeatKind::Engine, "", "house", {}}, "it died", {5, ""}),
            Refusal::None);
  EXPECT_EQ(game.play(Color::Black, Point::at(15, 3), {6, ""}), Refusal::None);
  return game;
}

TEST(Replay, ReproducesEveryKindOfGame) {
  for (const Game& game : {scored_game(), resigned_game(), forfeited_game(), limited_game(),
                           clocked_game(), substituted_game()}) {
    const auto again = Game::replay(game.header(), game.events());
    ASSERT_TRUE(std::holds_alternative<Game>(again)) << std::get<ReplayError>(again).reason;
    const Game& copy = std::get<Game>(again);
    EXPECT_EQ(copy.events(), game.events());
    EXPECT_EQ(copy.phase(), game.phase());
    EXPECT_EQ(copy.turn(), game.turn());
    EXPECT_EQ(copy.result(), game.result());
    EXPECT_EQ(copy.score(), game.score());
    EXPECT_EQ(copy.position_seq(), game.position_seq());
    EXPECT_EQ(copy.record().board(), game.record().board());
    EXPECT_EQ(copy.clocks(), game.clocks());
    EXPECT_EQ(copy.seats(), game.seats());
  }
}

TEST(Replay, AnEmptyLogIsANewGame) {
  const auto game = Game::replay(Header{}, {});
  ASSERT_TRUE(std::holds_alternative<Game>(game));
  EXPECT_EQ(std::get<Game>(game).seq(), 0u);
}

TEST(Replay, ALogMayEndAfterACompleteActOnly) {
  const Game game = scored_game();
  // What is missing when the log ends after so many events; empty after a complete act.
  const std::string_view kMissing[] = {"", "captured", "",       "",         "", "stopped",
                                       "", "",         "scored", "finished", ""};
  for (std::size_t length = 0; length <= game.events().size(); ++length) {
    SCOPED_TRACE(length);
    const auto again = Game::replay(game.header(), std::span(game.events()).first(length));
    ASSERT_EQ(std::holds_alternative<Game>(again), kMissing[length].empty());
    if (kMissing[length].empty()) continue;
    const auto& error = std::get<ReplayError>(again);
    EXPECT_EQ(error.seq, length + 1);
    EXPECT_EQ(error.reason, "the log ends before " + std::string(kMissing[length]));
  }
}

struct Tampering {
  std::uint32_t seq;
  std::string_view reason;
  std::function<void(std::vector<Event>&)> tamper;
};

void expect_found(const Game& game, std::span<const Tampering> tamperings) {
  for (const Tampering& tampering : tamperings) {
    std::vector<Event> events = game.events();
    tampering.tamper(events);
    const auto again = Game::replay(game.header(), events);
    ASSERT_TRUE(std::holds_alternative<ReplayError>(again)) << tampering.reason;
    EXPECT_EQ(std::get<ReplayError>(again).seq, tampering.seq) << tampering.reason;
    EXPECT_EQ(std::get<ReplayError>(again).reason, tampering.reason);
  }
}

TEST(Replay, AnyChangeOfAnEventIsFound) {
  const Game game = scored_game();
  const Tampering kTamperings[] = {
      {1, "numbered 2", [](auto& e) { e[0].seq = 2; }},
      {1, "play is refused: occupied",
       [](auto& e) {
         e[0].body = Played{Color::Black, Point::at(0, 0)};
       }},
      {1, "play is refused: off-board",
       [](auto& e) {
         e[0].body = Played{Color::Black, Point(9999)};
       }},
      {1, "play is refused: not-your-turn",
       [](auto& e) {
         e[0].body = Played{Color::White, Point::at(2, 0)};
       }},
      {1, "dead is refused: wrong-phase",
       [](auto& e) {
         e[0].body = DeadListed{Color::White, std::nullopt};
       }},
      {1, "captured does not follow from the rules",
       [](auto& e) { e.erase(e.begin()), e[0].seq = 1; }},
      {2, "the rules give captured, not play",
       [](auto& e) { e.erase(e.begin() + 1), e[1].seq = 2; }},
      {2, "the rules give another captured event",
       [](auto& e) { std::get<Captured>(e[1].body).points.pop_back(); }},
      {2, "the rules give another captured event",
       [](auto& e) { std::get<Captured>(e[1].body).by = Color::White; }},
      {2, "the stamp of captured is not that of its act", [](auto& e) { ++e[1].stamp.unix_ms; }},
      {2, "the stamp of captured is not that of its act",
       [](auto& e) { e[1].stamp.request_id = "z"; }},
      {6, "the rules give stopped, not dead", [](auto& e) { e[5].body = e[6].body; }},
      {6, "the rules give another stopped event",
       [](auto& e) { e[5].body = Stopped{StopReason::MoveLimit}; }},
      {7, "dead is refused: bad-list",
       [](auto& e) {
         e[6].body = DeadListed{Color::Black, std::vector{Point::at(4, 0)}};
       }},
      {7, "the rules give another dead event",
       [](auto& e) {
         e[6].body = DeadListed{Color::Black, std::vector{Point::at(0, 1)}};
       }},
      {9, "the rules give another scored event",
       [](auto& e) { ++std::get<Scored>(e[8].body).black_half; }},
      {10, "the rules give another finished event",
       [](auto& e) { std::get<Finished>(e[9].body).result.margin_half = 0; }},
      {11, "pass is refused: game-over",
       [](auto& e) {
         e.push_back({11, {}, Passed{Color::Black}});
       }},
      {11, "scored does not follow from the rules",
       [](auto& e) {
         e.push_back({11, e[8].stamp, e[8].body});
       }},
  };
  expect_found(game, kTamperings);
}

Played& first_play(std::vector<Event>& events) { return std::get<Played>(events[0].body); }

TEST(Replay, AForgedTimeIsFound) {
  const Tampering kTamperings[] = {
      {1, "play takes more time than its clock has",
       [](auto& e) { first_play(e).time.used = 10s + 1ns; }},
      {1, "play takes more time than its clock has",
       [](auto& e) { first_play(e).time.used = std::chrono::nanoseconds::max(); }},
      {1, "play takes more time than its clock has",
       [](auto& e) { first_play(e).time.used = -1ns; }},
      {1, "play takes more time than its clock has",
       [](auto& e) { first_play(e).time.lag = -1ns; }},
      {1, "the rules give another play event", [](auto& e) { first_play(e).time.used -= 1ns; }},
      {1, "the rules give another play event",
       [](auto& e) { first_play(e).left.main_left += 1ns; }},
      {1, "the rules give another play event", [](auto& e) { first_play(e).left.stones_left = 1; }},
      {2, "pass takes more time than its clock has",
       [](auto& e) { std::get<Passed>(e[1].body).time.used = 11s; }},
      {3, "timeout is refused: not-your-turn", [](auto& e) { e[2].body = TimedOut{Color::White}; }},
      {3, "play takes more time than its clock has",
       [](auto& e) {
         e[2].body = Played{Color::Black, Point::at(0, 0), {6s + 1ns, 0s}};
       }},
      {4, "the rules give another finished event",
       [](auto& e) { std::get<Finished>(e[3].body).result.kind = ResultKind::Forfeit; }},
      {5, "timeout is refused: game-over",
       [](auto& e) {
         e.push_back({5, {}, TimedOut{Color::Black}});
       }},
  };
  expect_found(clocked_game(), kTamperings);
}

TEST(Replay, TimeInAGameWithoutAClockIsFound) {
  const Tampering kTamperings[] = {
      {1, "play takes more time than its clock has",
       [](auto& e) { first_play(e).time.used = 1ns; }},
      {1, "play takes more time than its clock has", [](auto& e) { first_play(e).time.lag = 1ns; }},
      {1, "the rules give another play event",
       [](auto& e) { first_play(e).left.period_left = 1ns; }},
      {1, "timeout is refused: wrong-phase", [](auto& e) { e[0].body = TimedOut{Color::Black}; }},
  };
  expect_found(scored_game(), kTamperings);
}

TEST(Replay, ASeatThatCannotBeIsFound) {
  const Tampering kTamperings[] = {
      {1, "seat is refused: wrong-phase",
       [](auto& e) {
         e[0].body = SeatChanged{Color::White, Seat{SeatKind::Engine, "", "", {}}, ""};
       }},
      {1, "seat is refused: wrong-phase",
       [](auto& e) {
         e[0].body = SeatChanged{Color::White, Seat{SeatKind::Human, "", "house", {}}, ""};
       }},
      {1, "seat is refused: wrong-phase",
       [](auto& e) {
         e[0].body = SeatChanged{Color::White, Seat{SeatKind::Human, "", "", {}, true}, ""};
       }},
  };
  expect_found(substituted_game(), kTamperings);
}

TEST(Replay, AHeaderWithAProblemIsRefusedAsEventZero) {
  Header header;
  header.size = {26, 1};
  const auto game = Game::replay(header, {});
  ASSERT_TRUE(std::holds_alternative<ReplayError>(game));
  EXPECT_EQ(std::get<ReplayError>(game).seq, 0u);
  EXPECT_EQ(std::get<ReplayError>(game).reason, Game::problem(header));
}

}  // namespace
}  // namespace tengen::rules
