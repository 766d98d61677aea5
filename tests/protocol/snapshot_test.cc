#include <gtest/gtest.h>

#include "protocol/codec.h"
#include "protocol/log_codec.h"
#include "protocol/messages.h"
#include "tests/protocol/samples.h"

namespace tengen::protocol {
namespace {

using namespace std::chrono_literals;
using rules::Color;
using rules::Point;

rules::Header header_of(rules::Size size) {
  rules::Header header;
  header.id = {1, 2};
  header.size = size;
  header.preset = "tromp-taylor";
  header.rules = rules::find_preset("tromp-taylor")->rules;
  header.komi_half = 3;
  return header;
}

TEST(SnapshotTest, NewGameIsEmptyAndBlackIsToMove) {
  const Snapshot snapshot = snapshot_of(rules::Game(header_of({3, 2})));
  EXPECT_EQ(snapshot.game, (rules::GameId{1, 2}));
  EXPECT_EQ(snapshot.header, header_of({3, 2}));
  EXPECT_EQ(snapshot.seq, 0u);
  EXPECT_EQ(snapshot.position_seq, 0u);
  EXPECT_EQ(snapshot.phase, rules::Phase::Play);
  EXPECT_EQ(snapshot.turn, Color::Black);
  EXPECT_EQ(snapshot.rows, (std::vector<std::string>{"...", "..."}));
  EXPECT_TRUE(snapshot.moves.empty());
  EXPECT_EQ(snapshot.result, std::nullopt);
}

// Black A2, white A1 (the bottom left), black B1 captures it: the board from the top is
//   X . .
//   . X .
// Whoever sees the seed of a running game can tell the engine's moves beforehand.
TEST(SnapshotTest, TheSeedIsInTheLogAndInNoSnapshot) {
  rules::Header header = sample_header();
  header.seed.fill(0x5a);
  header.setup.clear();
  header.first = rules::Color::Black;
  const std::string secret(header.seed.size(), '\x5a');
  EXPECT_NE(encode_header(header).find(secret), std::string::npos);
  const Snapshot snapshot = snapshot_of(rules::Game(header));
  const std::string frame = encode(Format::Binary, ServerFrame{1, snapshot});
  EXPECT_EQ(frame.find(secret), std::string::npos);
}

TEST(SnapshotTest, CapturesAreCountedForTheCapturingSide) {
  rules::Game game(header_of({3, 2}));
  ASSERT_EQ(game.play(Color::Black, Point::at(0, 0), {}), rules::Refusal::None);
  ASSERT_EQ(game.play(Color::White, Point::at(0, 1), {}), rules::Refusal::None);
  ASSERT_EQ(game.play(Color::Black, Point::at(1, 1), {}), rules::Refusal::None);
  const Snapshot snapshot = snapshot_of(game);
  EXPECT_EQ(snapshot.rows, (std::vector<std::string>{"X..", ".X."}));
  EXPECT_EQ(snapshot.captured, (std::array<int, 2>{1, 0}));
  EXPECT_EQ(snapshot.moves.size(), 3u);
  EXPECT_EQ(snapshot.turn, Color::White);
  EXPECT_EQ(snapshot.position_seq, 3u);  // the third play
  EXPECT_EQ(snapshot.seq, 4u);           // and what it captured
}

TEST(SnapshotTest, AGameWithoutAClockShowsNone) {
  EXPECT_EQ(snapshot_of(rules::Game(header_of({3, 2})), 5s).clocks, std::nullopt);
}

TEST(SnapshotTest, ClocksAreThoseOfTheBeginningOfTheTurn) {
  rules::Header header = header_of({3, 2});
  header.clock = {rules::ClockSystem::Absolute, 60s, {}, {}, {}, 0, 0};
  rules::Game game(header);
  ASSERT_EQ(game.play(Color::Black, Point::at(0, 0), {}, {20s, 1s}), rules::Refusal::None);
  const rules::ClockFaces faces{rules::ClockFace{40s, 0s, 0, 0}, rules::ClockFace{60s, 0s, 0, 0}};
  EXPECT_EQ(snapshot_of(game, 5s).clocks, (Clocks{faces, Color::White, 5s}));
  ASSERT_EQ(game.time_out(Color::White, {}), rules::Refusal::None);
  const rules::ClockFaces end{rules::ClockFace{40s, 0s, 0, 0}, rules::ClockFace{}};
  EXPECT_EQ(snapshot_of(game, 5s).clocks, (Clocks{end, std::nullopt, 0s}));
}

TEST(SnapshotTest, WhatItWaitsForHasANameOnTheWire) {
  EXPECT_EQ(snapshot_of(rules::Game(header_of({3, 2}))).waiting, std::nullopt);
  const std::pair<Waiting, const char*> names[] = {
      {Waiting::Player, "\"waiting\":\"WAITING_PLAYER\""},
      {Waiting::EngineQueue, "\"waiting\":\"WAITING_ENGINE_QUEUE\""},
      {Waiting::Engine, "\"waiting\":\"WAITING_ENGINE\""}};
  for (const auto& [waiting, name] : names) {
    Snapshot snapshot = sample_snapshot();
    snapshot.waiting = waiting;
    EXPECT_NE(encode(Format::Json, ServerFrame{1, snapshot}).find(name), std::string::npos);
  }
}

TEST(SnapshotTest, WhatItWaitsForMayBeNothing) {
  Snapshot snapshot = sample_snapshot();
  snapshot.waiting.reset();
  for (const auto format : {Format::Binary, Format::Json}) {
    const auto decoded = decode_server(format, encode(format, ServerFrame{1, snapshot}));
    ASSERT_TRUE(std::holds_alternative<ServerFrame>(decoded));
    EXPECT_EQ(std::get<ServerFrame>(decoded), (ServerFrame{1, snapshot}));
  }
}

TEST(SnapshotTest, SeatsAreThosePlayingNow) {
  rules::Game game(header_of({3, 2}));
  const rules::Seat house{rules::SeatKind::Engine, "", "house", {}};
  ASSERT_EQ(game.change_seat(Color::White, house, "", {}), rules::Refusal::None);
  const Snapshot snapshot = snapshot_of(game);
  EXPECT_EQ(snapshot.seats, (std::array{rules::Seat{}, house}));
  EXPECT_EQ(snapshot.header.seats, (std::array<rules::Seat, 2>{}));
}

TEST(SnapshotTest, FinishedGameHasScoreAndResultAndNobodyToMove) {
  rules::Game game(header_of({1, 1}));
  ASSERT_EQ(game.pass(Color::Black, {}), rules::Refusal::None);
  ASSERT_EQ(game.pass(Color::White, {}), rules::Refusal::None);
  const Snapshot snapshot = snapshot_of(game);
  EXPECT_EQ(snapshot.phase, rules::Phase::Finished);
  EXPECT_EQ(snapshot.turn, std::nullopt);
  EXPECT_EQ(snapshot.score, (rules::Scored{0, 3, {}}));
  EXPECT_EQ(snapshot.result, (rules::Result{rules::ResultKind::Score, Color::White, 3}));
}

}  // namespace
}  // namespace tengen::protocol
