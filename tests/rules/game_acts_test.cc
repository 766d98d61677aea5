// Undo, pauses, free handicap, and the ends that are no score.
#include <gtest/gtest.h>

#include "tests/rules/game_table.h"

namespace tengen::rules {
namespace {

using namespace std::chrono_literals;

void expect_replays(const Game& game) {
  const auto again = Game::replay(game.header(), game.events());
  ASSERT_TRUE(std::holds_alternative<Game>(again)) << std::get<ReplayError>(again).reason;
  const Game& copy = std::get<Game>(again);
  EXPECT_EQ(copy.events(), game.events());
  EXPECT_EQ(copy.record().moves(), game.record().moves());
  EXPECT_EQ(copy.clocks(), game.clocks());
  EXPECT_EQ(copy.turn(), game.turn());
  EXPECT_EQ(copy.pause_reason(), game.pause_reason());
}

/// Asked by one side, agreed to by the other.
Refusal take_back(Game& game, Color asker, int moves) {
  const Refusal refusal = game.ask(asker, AskKind::Undo, moves, {});
  return refusal == Refusal::None ? game.undo(asker, moves, {}) : refusal;
}

Refusal agreed_pause(Game& game, MoveTime time) {
  const Refusal refusal = game.ask(kWhite, AskKind::Pause, 0, {});
  return refusal == Refusal::None ? game.pause(kWhite, {}, time) : refusal;
}

TEST(GameAsking, OneThingAtATimeAndOnlyWhatWasAsked) {
  Table table(header_of({9, 9}, "chinese"));
  Game& game = table.game;
  ASSERT_EQ(table.play(kBlack, "E5"), Refusal::None);
  EXPECT_EQ(game.undo(kBlack, 1, {}), Refusal::NothingAsked);
  EXPECT_EQ(game.decline(kWhite, {}), Refusal::NothingAsked);
  ASSERT_EQ(game.ask(kBlack, AskKind::Undo, 1, table.stamp()), Refusal::None);
  EXPECT_EQ(game.asked(), (Asked{kBlack, AskKind::Undo, 1}));
  EXPECT_EQ(game.ask(kWhite, AskKind::Pause, 0, {}), Refusal::AlreadyAsked);
  EXPECT_EQ(game.undo(kWhite, 1, {}), Refusal::NothingAsked) << "that was not asked";
  EXPECT_EQ(game.pause(kBlack, {}), Refusal::NothingAsked);
  ASSERT_EQ(game.decline(kWhite, table.stamp()), Refusal::None);
  EXPECT_EQ(game.asked(), std::nullopt);
  ASSERT_EQ(game.ask(kBlack, AskKind::Pause, 0, table.stamp()), Refusal::None);
  ASSERT_EQ(table.play(kWhite, "E6"), Refusal::None);
  EXPECT_EQ(game.asked(), std::nullopt) << "whoever plays on has answered";
  expect_replays(game);
}

TEST(GameAsking, WhatCannotBeDoneCannotBeAsked) {
  Game game(header_of({9, 9}, "chinese"));
  EXPECT_EQ(game.ask(kBlack, AskKind::Undo, 1, {}), Refusal::NothingToUndo);
  EXPECT_EQ(game.ask(kBlack, AskKind::Undo, 0, {}), Refusal::NothingToUndo);
  EXPECT_EQ(game.ask(kBlack, AskKind::Pause, 1, {}), Refusal::NothingToUndo);
  EXPECT_EQ(game.ask(kBlack, AskKind::NoResult, 0, {}), Refusal::NoRepetition);
  ASSERT_EQ(game.resign(kBlack, {}), Refusal::None);
  EXPECT_EQ(game.ask(kBlack, AskKind::Pause, 0, {}), Refusal::GameOver);
}

TEST(GameUndo, TakesMovesBackAndGivesTheTurnAndTheStonesBack) {
  Table table(header_of({".O", "X."}, "tromp-taylor"));
  Game& game = table.game;
  ASSERT_EQ(table.play(kBlack, "A2"), Refusal::None);  // no capture: B1 is a liberty of B2
  ASSERT_EQ(table.play(kWhite, "B1"), Refusal::None);  // takes both black stones
  ASSERT_EQ(game.record().captured_by(kWhite), 2);
  ASSERT_EQ(take_back(game, kWhite, 1), Refusal::None);
  EXPECT_EQ(game.turn(), kWhite);
  EXPECT_EQ(game.record().captured_by(kWhite), 0);
  EXPECT_EQ(game.record().moves().size(), 1u);
  EXPECT_EQ(game.position_seq(), game.seq());
  EXPECT_EQ(game.events().back().body, EventBody(Undone{kWhite, 1}));
  ASSERT_EQ(table.play(kWhite, "B1"), Refusal::None) << "what was taken back is no repetition";
  expect_replays(game);
}

TEST(GameUndo, PutsTheClocksBack) {
  Header header = header_of({9, 9}, "chinese");
  header.clock = std::get<TimeControl>(parse_time_control("canadian:0+2/10"));
  Table table(header);
  Game& game = table.game;
  ASSERT_EQ(game.play(kBlack, table.at("A1"), table.stamp(), {4s, 0s}), Refusal::None);
  ASSERT_EQ(game.play(kWhite, table.at("B1"), table.stamp(), {3s, 0s}), Refusal::None);
  ASSERT_EQ(game.play(kBlack, table.at("C1"), table.stamp(), {5s, 0s}), Refusal::None);
  EXPECT_EQ(game.clocks()[0], (ClockFace{0s, 10s, 0, 2})) << "two stones begin a new period";
  ASSERT_EQ(take_back(game, kBlack, 2), Refusal::None);
  EXPECT_EQ(game.clocks()[0], (ClockFace{0s, 6s, 0, 1}));
  EXPECT_EQ(game.clocks()[1], (ClockFace{0s, 10s, 0, 2}));
  expect_replays(game);
  ASSERT_EQ(game.play(kWhite, table.at("D1"), table.stamp(), {1s, 0s}), Refusal::None);
  EXPECT_EQ(game.clocks()[1], (ClockFace{0s, 9s, 0, 1}));
}

TEST(GameUndo, ReachesNeitherTheSetupNorBehindAStop) {
  Table table(header_of({"..X..", "O.X..", ".XX..", "OX...", ".X..."}, "chinese"));
  Game& game = table.game;
  EXPECT_EQ(take_back(game, kBlack, 1), Refusal::NothingToUndo);
  table.pass_twice();
  EXPECT_EQ(take_back(game, kBlack, 1), Refusal::WrongPhase);
  ASSERT_EQ(table.list(kBlack, std::vector<Point>{}), Refusal::None);
  ASSERT_EQ(table.list(kWhite, table.at_all({"A2"})), Refusal::None);
  ASSERT_EQ(game.phase(), Phase::Cleanup);
  EXPECT_EQ(take_back(game, kBlack, 1), Refusal::NothingToUndo);
  ASSERT_EQ(table.play(kBlack, "A3"), Refusal::None);
  EXPECT_EQ(take_back(game, kBlack, 2), Refusal::NothingToUndo);
  EXPECT_EQ(take_back(game, kBlack, 0), Refusal::NothingToUndo);
  EXPECT_EQ(take_back(game, kBlack, -1), Refusal::NothingToUndo);
  ASSERT_EQ(take_back(game, kBlack, 1), Refusal::None);
  EXPECT_EQ(game.phase(), Phase::Cleanup);
  expect_replays(game);
}

TEST(GameUndo, APassTakenBackDoesNotCountForTheEnd) {
  Table table(header_of({9, 9}, "tromp-taylor"));
  ASSERT_EQ(table.pass(kBlack), Refusal::None);
  ASSERT_EQ(take_back(table.game, kBlack, 1), Refusal::None);
  ASSERT_EQ(table.play(kBlack, "E5"), Refusal::None);
  ASSERT_EQ(table.pass(kWhite), Refusal::None);
  EXPECT_EQ(table.game.phase(), Phase::Play);
  ASSERT_EQ(table.play(kBlack, "E6"), Refusal::None);
  ASSERT_EQ(take_back(table.game, kBlack, 1), Refusal::None);
  ASSERT_EQ(table.pass(kBlack), Refusal::None);
  EXPECT_TRUE(table.game.is_finished()) << "white's pass stands again";
}

// Paused with black at 41.2 s, which is what it goes on with.
TEST(GamePause, KeepsWhatTheTurnHadLeft) {
  Header header = header_of({9, 9}, "chinese");
  header.clock = std::get<TimeControl>(parse_time_control("absolute:60"));
  Table table(header);
  Game& game = table.game;
  ASSERT_EQ(agreed_pause(game, {18'800ms, 0s}), Refusal::None);
  EXPECT_TRUE(game.is_paused());
  EXPECT_EQ(game.clocks()[0].main_left, 41'200ms);
  EXPECT_EQ(game.turn(), kBlack);
  EXPECT_EQ(game.play(kBlack, table.at("A1"), {}, {1s, 0s}), Refusal::Paused);
  EXPECT_EQ(game.pass(kBlack, {}, {1s, 0s}), Refusal::Paused);
  EXPECT_EQ(game.time_out(kBlack, {}), Refusal::Paused);
  EXPECT_EQ(take_back(game, kBlack, 1), Refusal::Paused);
  EXPECT_EQ(agreed_pause(game, {}), Refusal::Paused);
  expect_replays(game);
  ASSERT_EQ(game.unpause(kBlack, table.stamp()), Refusal::None);
  EXPECT_EQ(game.unpause(kWhite, {}), Refusal::WrongPhase);
  ASSERT_EQ(game.play(kBlack, table.at("A1"), table.stamp(), {1s, 0s}), Refusal::None);
  EXPECT_EQ(game.clocks()[0].main_left, 40'200ms);
  ASSERT_EQ(take_back(game, kBlack, 1), Refusal::None);
  EXPECT_EQ(game.clocks()[0].main_left, 41'200ms);
  expect_replays(game);
}

TEST(GamePause, TakesNoMoreThanThereIs) {
  Header header = header_of({9, 9}, "chinese");
  header.clock = std::get<TimeControl>(parse_time_control("absolute:60"));
  Game game(header);
  EXPECT_EQ(agreed_pause(game, {60s + 1ns, 0s}), Refusal::GameOver);
  EXPECT_EQ(game.pause(kWhite, {}, {-1ns, 0s}), Refusal::GameOver);
  EXPECT_EQ(game.seq(), 1u) << "the question stands";
}

Header with_free_handicap(int stones) {
  Header header = header_of({9, 9}, "chinese");
  header.first = kWhite;
  header.free_handicap = stones;
  return header;
}

// Case 11: fewer stones than given are recorded as they are; Chinese rules give white as many.
// Black's engine has searched 2 s in vain, and none has been free for a minute.
TEST(GamePause, ForTheServerEndsByTheSideThatIsWaitedForAlone) {
  Header header = header_of({9, 9}, "chinese");
  header.clock = std::get<TimeControl>(parse_time_control("absolute:60"));
  Table table(header);
  Game& game = table.game;
  ASSERT_EQ(game.pause_for_server(table.stamp(), {2s, 60s}), Refusal::None);
  EXPECT_EQ(game.pause_reason(), PauseReason::ServerLag);
  EXPECT_EQ(game.events().back().body,
            EventBody(Paused{kBlack, {2s, 60s}, {58s, 0s, 0, 0}, PauseReason::ServerLag}));
  EXPECT_EQ(game.clocks()[0].main_left, 58s);
  EXPECT_EQ(game.clocks()[1].main_left, 60s);
  EXPECT_EQ(game.play(kBlack, table.at("A1"), {}, {1s, 0s}), Refusal::Paused);
  EXPECT_EQ(game.time_out(kBlack, {}), Refusal::Paused);
  EXPECT_EQ(game.pause_for_server({}, {}), Refusal::Paused);
  EXPECT_EQ(agreed_pause(game, {}), Refusal::Paused);
  EXPECT_EQ(game.unpause(kWhite, {}), Refusal::Paused) << "the server goes on by itself";
  expect_replays(game);
  ASSERT_EQ(game.unpause(kBlack, table.stamp()), Refusal::None);
  EXPECT_EQ(game.pause_reason(), std::nullopt);
  ASSERT_EQ(game.play(kBlack, table.at("A1"), table.stamp(), {1s, 0s}), Refusal::None);
  EXPECT_EQ(game.clocks()[0].main_left, 57s);
  expect_replays(game);
}

TEST(GamePause, ForTheServerNeedsAClockThatRuns) {
  Game untimed(header_of({9, 9}, "chinese"));
  EXPECT_EQ(untimed.pause_for_server({}, {}), Refusal::WrongPhase);
  Header header = header_of({9, 9}, "chinese");
  header.clock = std::get<TimeControl>(parse_time_control("absolute:60"));
  Game game(header);
  EXPECT_EQ(game.pause_for_server({}, {60s + 1ns, 0s}), Refusal::GameOver);
  ASSERT_EQ(game.resign(kBlack, {}), Refusal::None);
  EXPECT_EQ(game.pause_for_server({}, {}), Refusal::GameOver);
  EXPECT_FALSE(game.is_paused());
}

// The same pause with another reason would let the other side end it.
TEST(GamePause, AForgedReasonIsFoundByItsNumber) {
  Header header = header_of({9, 9}, "chinese");
  header.clock = std::get<TimeControl>(parse_time_control("absolute:60"));
  Game game(header);
  ASSERT_EQ(game.pause_for_server({}, {2s, 60s}), Refusal::None);
  auto events = game.events();
  std::get<Paused>(events[0].body).reason = PauseReason::Agreed;
  const auto forged = Game::replay(header, events);
  ASSERT_TRUE(std::holds_alternative<ReplayError>(forged));
  EXPECT_EQ(std::get<ReplayError>(forged).seq, 1u);
}

TEST(GameHandicap, IsPlacedFreelyBeforeWhiteMoves) {
  Table table(with_free_handicap(4));
  Game& game = table.game;
  EXPECT_EQ(game.phase(), Phase::Handicap);
  EXPECT_TRUE(game.is_waiting_on(kBlack));
  EXPECT_FALSE(game.turn());
  EXPECT_EQ(table.play(kWhite, "E5"), Refusal::WrongPhase);
  ASSERT_EQ(game.place_handicap(table.at_all({"G7", "C3"}), table.stamp()), Refusal::None);
  EXPECT_EQ(game.phase(), Phase::Play);
  EXPECT_EQ(game.turn(), kWhite);
  EXPECT_EQ(game.handicap(), 2);
  EXPECT_EQ(game.position_seq(), 1u);
  EXPECT_EQ(take_back(game, kWhite, 1), Refusal::NothingToUndo);
  EXPECT_EQ(game.place_handicap(table.at_all({"A1", "A2"}), {}), Refusal::WrongPhase);
  table.pass_twice();
  ASSERT_EQ(table.list(kBlack, std::nullopt), Refusal::None);
  ASSERT_EQ(table.list(kWhite, std::nullopt), Refusal::None);
  EXPECT_EQ(game.score()->black_half, 2 * 81);
  EXPECT_EQ(game.score()->white_half, 2 * 2 + 1) << "two for two stones, and the komi";
  expect_replays(game);
}

TEST(GameHandicap, BadOnesAreRefusedAndChangeNothing) {
  Table table(with_free_handicap(3));
  Game& game = table.game;
  EXPECT_EQ(game.place_handicap(table.at_all({"C3"}), {}), Refusal::BadHandicap);
  EXPECT_EQ(game.place_handicap({}, {}), Refusal::BadHandicap);
  EXPECT_EQ(game.place_handicap(table.at_all({"C3", "C4", "C5", "C6"}), {}), Refusal::BadHandicap);
  EXPECT_EQ(game.place_handicap(table.at_all({"C3", "C3"}), {}), Refusal::BadHandicap);
  EXPECT_EQ(game.place_handicap({table.at("C3"), Point()}, {}), Refusal::BadHandicap);
  EXPECT_EQ(game.seq(), 0u);
  EXPECT_TRUE(game.record().setup().empty());
  ASSERT_EQ(game.time_out(kBlack, {}), Refusal::None) << "it does not wait for ever";
  EXPECT_EQ(result_text(*game.result()), "W+T");
}

TEST(GameHandicap, AHeaderWithAnImpossibleOneIsRefused) {
  EXPECT_EQ(Game::problem(with_free_handicap(2)), std::nullopt);
  EXPECT_NE(Game::problem(with_free_handicap(1)), std::nullopt);
  EXPECT_NE(Game::problem(with_free_handicap(-2)), std::nullopt);
  EXPECT_NE(Game::problem(with_free_handicap(81)), std::nullopt);
  Header header = with_free_handicap(2);
  header.first = kBlack;
  EXPECT_NE(Game::problem(header), std::nullopt);
  header = with_free_handicap(2);
  header.setup = {{kBlack, Point::at(0, 0)}};
  EXPECT_NE(Game::problem(header), std::nullopt);
}

// Sending two, returning one: white takes C1 by B1, adds A1, and black takes both by C1 again.
const std::vector<std::string> kSendingTwo = {"....", "XXOO", "..XO"};

Header sending_two(std::string_view preset) {
  Header header = header_of(kSendingTwo, preset);
  header.first = kWhite;
  return header;
}

TEST(GameNoResult, ARepetitionEndsTheGameByAgreement) {
  Table table(sending_two("japanese"));
  Game& game = table.game;
  EXPECT_EQ(game.ask(kWhite, AskKind::NoResult, 0, {}), Refusal::NoRepetition);
  ASSERT_EQ(table.play(kWhite, "B1"), Refusal::None);
  ASSERT_EQ(table.pass(kBlack), Refusal::None);
  EXPECT_FALSE(game.is_repeated()) << "the same board, with the other side to move";
  ASSERT_EQ(table.play(kWhite, "A1"), Refusal::None);
  EXPECT_FALSE(game.is_repeated());
  ASSERT_EQ(table.play(kBlack, "C1"), Refusal::None);
  EXPECT_TRUE(game.is_repeated());
  ASSERT_EQ(game.ask(kWhite, AskKind::NoResult, 0, table.stamp()), Refusal::None);
  ASSERT_EQ(game.no_result(kWhite, table.stamp()), Refusal::None);
  EXPECT_EQ(game.result(), (Result{ResultKind::NoResult, std::nullopt, 0}));
  EXPECT_EQ(result_text(*game.result()), "Void");
  expect_replays(game);
}

TEST(GameNoResult, WithSuperkoTheRepetitionIsRefusedInstead) {
  Table table(sending_two("chinese"));
  ASSERT_EQ(table.play(kWhite, "B1"), Refusal::None);
  ASSERT_EQ(table.pass(kBlack), Refusal::None);
  ASSERT_EQ(table.play(kWhite, "A1"), Refusal::None);
  EXPECT_EQ(table.play(kBlack, "C1"), Refusal::Superko);
  EXPECT_EQ(table.game.ask(kWhite, AskKind::NoResult, 0, {}), Refusal::NoRepetition);
}

TEST(GameEnds, AnnulledAndAbandonedGames) {
  Table table(header_of({9, 9}, "chinese"));
  Game copy = table.game;
  ASSERT_EQ(copy.annul(kBlack, "before the second move", {}), Refusal::None);
  EXPECT_EQ(copy.result(), (Result{ResultKind::Annulled, std::nullopt, 0}));
  EXPECT_EQ(result_text(*copy.result()), "Void");
  EXPECT_EQ(copy.annul(std::nullopt, "", {}), Refusal::GameOver);
  expect_replays(copy);
  ASSERT_EQ(table.game.abandon(kWhite, {}), Refusal::None);
  EXPECT_EQ(result_text(*table.game.result()), "B+F");
  EXPECT_EQ(name_of(table.game.result()->kind), "abandon");
  expect_replays(table.game);
}

}  // namespace
}  // namespace tengen::rules
