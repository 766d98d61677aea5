// Who is at which seat: open seats, presence and absence, rematches, delayed broadcasts, and the
// published seed.
#include <gtest/gtest.h>

#include "daemon/seeds.h"
#include "tests/daemon/two_people.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameCreated;
using protocol::GameJoined;
using rules::Color;

// ---- Presence and absence

TEST(HubPeopleTest, WatchersAreToldWhenAPersonsLastConnectionGoesAndWhenOneComesBack) {
  HubRig rig;
  Two two(rig, people_game("a"));
  rig.ask<protocol::Subscribed>(two.black, protocol::Subscribe{two.game.game, std::nullopt});
  const ConnId second = rig.join();
  rig.ask<GameJoined>(second, protocol::JoinGame{two.game.tickets[1].ticket});
  rig.disconnect(two.white);
  EXPECT_TRUE(pushes<protocol::Presence>(rig, two.black).empty());
  rig.disconnect(second);
  EXPECT_EQ(pushes<protocol::Presence>(rig, two.black),
            (std::vector{protocol::Presence{two.game.game, 2, false}}));
  EXPECT_EQ(snapshot_of(rig, two.black, two.game.game).present, (std::array{true, false}));
  const ConnId back = rig.join();
  rig.ask<GameJoined>(back, protocol::JoinGame{two.game.tickets[1].ticket});
  EXPECT_EQ(pushes<protocol::Presence>(rig, two.black).back(),
            (protocol::Presence{two.game.game, 2, true}));
  EXPECT_EQ(snapshot_of(rig, two.black, two.game.game).present, (std::array{true, true}));
}

TEST(HubPeopleTest, EnginesAreAlwaysPresent) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.ask<GameCreated>(client, engine_game("a"));
  EXPECT_EQ(snapshot_of(rig, client, game.game).present, (std::array{false, true}));
}

TEST(HubPeopleTest, WhoeverIsAwayForTooLongLosesTheGame) {
  HubRig rig;
  auto create = people_game("a");
  create.absence = 60s;
  Two two(rig, create);
  rig.disconnect(two.white);
  rig.advance(60s - 1ms);
  EXPECT_FALSE(snapshot_of(rig, two.black, two.game.game).result);
  rig.advance(1ms);
  EXPECT_EQ(snapshot_of(rig, two.black, two.game.game).result,
            (rules::Result{rules::ResultKind::Abandon, Color::Black, 0}));
}

TEST(HubPeopleTest, WhoeverComesBackInTimeLosesNothing) {
  HubRig rig;
  auto create = people_game("a");
  create.absence = 60s;
  Two two(rig, create);
  rig.disconnect(two.white);
  rig.advance(59s);
  const ConnId back = rig.join();
  rig.ask<GameJoined>(back, protocol::JoinGame{two.game.tickets[1].ticket});
  rig.advance(10min);
  EXPECT_FALSE(snapshot_of(rig, two.black, two.game.game).result);
}

TEST(HubPeopleTest, WithoutAnAbsenceAGameWaitsForEver) {
  HubRig rig;
  Two two(rig, people_game("a"));
  rig.disconnect(two.white);
  rig.advance(std::chrono::hours(48));
  EXPECT_FALSE(snapshot_of(rig, two.black, two.game.game).result);
}

TEST(HubPeopleTest, AnEngineTakesTheSeatOverWhereTheGameSaysSo) {
  HubRig rig;
  auto create = people_game("a");
  create.absence = 60s;
  create.absence_profile = "fake";
  Two two(rig, create);
  rig.disconnect(two.white);
  rig.advance(60s);
  const auto snapshot = snapshot_of(rig, two.black, two.game.game);
  EXPECT_FALSE(snapshot.result);
  EXPECT_EQ(snapshot.seats[1].kind, rules::SeatKind::Engine);
  EXPECT_EQ(snapshot.seats[1].profile, "fake");
  two.play(two.black, "E5");
  EXPECT_EQ(snapshot_of(rig, two.black, two.game.game).moves.size(), 2u);
  // The seat is the engine's for good.
  const auto late = rig.ask<Error>(rig.join(), protocol::JoinGame{two.game.tickets[1].ticket});
  EXPECT_EQ(late.code, ErrorCode::BadTicket);
}

// A person's absence is no lag of the server's, however long it was.
TEST(HubPeopleTest, AnEngineThatTakesOverIsNotWaitedFor) {
  HubRig rig;
  auto create = people_game("a");
  create.time = std::get<rules::TimeControl>(rules::parse_time_control("absolute:600"));
  create.absence = 90s;
  create.absence_profile = "fake";
  Two two(rig, create);
  two.play(two.black, "E5");
  rig.disconnect(two.white);
  rig.advance(90s);
  const auto snapshot = snapshot_of(rig, two.black, two.game.game);
  EXPECT_EQ(snapshot.moves.size(), 2u);
  EXPECT_EQ(snapshot.seq, 3u) << "events beside two moves and the new seat";
}

TEST(HubPeopleTest, AnUnknownSubstituteIsRefusedWhenTheGameIsMade) {
  HubRig rig;
  auto create = people_game("a");
  create.absence = 60s;
  create.absence_profile = "nobody";
  EXPECT_EQ(rig.ask<Error>(rig.join(), create).code, ErrorCode::UnknownProfile);
}

TEST(HubPeopleTest, TimeInWhichTheDaemonIsDownIsNobodysAbsence) {
  HubRig rig;
  auto create = people_game("a");
  create.absence = 60s;
  Two two(rig, create);
  rig.disconnect(two.white);
  rig.advance(50s);
  rig.restart();
  const ConnId black = rig.join();
  rig.ask<GameJoined>(black, protocol::JoinGame{two.game.tickets[0].ticket});
  rig.advance(59s);
  EXPECT_FALSE(snapshot_of(rig, black, two.game.game).result);
  rig.advance(1s);
  EXPECT_TRUE(snapshot_of(rig, black, two.game.game).result);
}

// ---- Open seats

protocol::CreateGame open_game(std::string request_id) {
  auto create = people_game(std::move(request_id));
  create.seats[1].is_open = true;
  return create;
}

TEST(HubPeopleTest, AnOpenSeatHasNoTicketUntilItIsTakenAndNobodyMovesBefore) {
  HubRig rig;
  const ConnId maker = rig.join();
  const auto game = rig.ask<GameCreated>(maker, open_game("a"));
  ASSERT_EQ(game.tickets.size(), 1u);
  rig.ask<GameJoined>(maker, protocol::JoinGame{game.tickets[0].ticket});
  const auto early = rig.ask<Error>(maker, rig.play(game.game, "E5", 0));
  EXPECT_EQ(early.code, ErrorCode::WrongPhase);
  EXPECT_EQ(early.reason, "open-seat");

  const ConnId taker = rig.join();
  const auto taken =
      rig.ask<protocol::SeatTaken>(taker, protocol::TakeSeat{game.game, 2, "t", "Ada"});
  EXPECT_EQ(taken.ticket.slot, 2);
  EXPECT_EQ(taken.joined.color, Color::White);
  EXPECT_EQ(taken.joined.snapshot.seats[1].name, "Ada");
  EXPECT_FALSE(taken.joined.snapshot.seats[1].is_open);
  const auto seq = snapshot_of(rig, maker, game.game).position_seq;
  rig.ask<protocol::Accepted>(maker, rig.play(game.game, "E5", seq));
  rig.ask<protocol::Accepted>(
      taker, rig.play(game.game, "C3", snapshot_of(rig, taker, game.game).position_seq));
}

TEST(HubPeopleTest, ASeatIsTakenOnceAndItsTakerIsAnsweredAgain) {
  HubRig rig;
  const ConnId maker = rig.join();
  const auto game = rig.ask<GameCreated>(maker, open_game("a"));
  const ConnId taker = rig.join();
  const protocol::TakeSeat take{game.game, 2, "t", "Ada"};
  const auto first = rig.ask<protocol::SeatTaken>(taker, take);
  rig.disconnect(taker);
  rig.restart();
  const ConnId again = rig.join();
  EXPECT_EQ(rig.ask<protocol::SeatTaken>(again, take).ticket, first.ticket);
  const auto late = rig.ask<Error>(rig.join(), protocol::TakeSeat{game.game, 2, "other", "Eve"});
  EXPECT_EQ(late.code, ErrorCode::NotYourSeat);
  const auto never = rig.ask<Error>(rig.join(), protocol::TakeSeat{game.game, 1, "x", ""});
  EXPECT_EQ(never.code, ErrorCode::NotYourSeat);
  EXPECT_TRUE(rig.ask<GameJoined>(rig.join(), protocol::JoinGame{first.ticket.ticket}).slot == 2);
}

TEST(HubPeopleTest, ClocksAndAbsenceBeginWhenTheLastSeatIsTaken) {
  HubRig rig;
  auto create = open_game("a");
  create.time = {rules::ClockSystem::Absolute, 60s, {}, {}, {}, 0, 0};
  create.absence = 10s;
  const ConnId maker = rig.join();
  const auto game = rig.ask<GameCreated>(maker, create);
  rig.advance(10min);
  EXPECT_FALSE(snapshot_of(rig, maker, game.game).result);
  rig.ask<GameJoined>(maker, protocol::JoinGame{game.tickets[0].ticket});
  rig.ask<protocol::SeatTaken>(rig.join(), protocol::TakeSeat{game.game, 2, "t", ""});
  rig.advance(60s - 1ms);
  EXPECT_FALSE(snapshot_of(rig, maker, game.game).result);
  rig.advance(1s);
  EXPECT_EQ(snapshot_of(rig, maker, game.game).result,
            (rules::Result{rules::ResultKind::Timeout, Color::White, 0}));
}

TEST(HubPeopleTest, TheMakerMayLeaveWhileASeatIsOpen) {
  HubRig rig;
  const ConnId maker = rig.join();
  const auto game = rig.ask<GameCreated>(maker, open_game("a"));
  rig.ask<GameJoined>(maker, protocol::JoinGame{game.tickets[0].ticket});
  rig.ask<protocol::Accepted>(maker, protocol::GameAct{game.game, 1, "l", 0, protocol::Leave{}});
  EXPECT_TRUE(snapshot_of(rig, maker, game.game).result);
  EXPECT_EQ(rig.ask<Error>(maker, protocol::TakeSeat{game.game, 2, "t", ""}).code,
            ErrorCode::GameOver);
}

// Events tell everybody their requests; whoever repeated this one would be given the ticket.
TEST(HubPeopleTest, WhoWatchesASeatBeingTakenCannotTakeItToo) {
  HubRig rig;
  const ConnId maker = rig.join();
  const auto game = rig.ask<GameCreated>(maker, open_game("a"));
  rig.ask<protocol::Subscribed>(maker, protocol::Subscribe{game.game, 0});
  rig.ask<protocol::SeatTaken>(rig.join(), protocol::TakeSeat{game.game, 2, "secret", "Ada"});
  const auto events = rig.pushed(maker);
  ASSERT_EQ(events.size(), 1u);
  const std::string seen = events[0].stamp.request_id;
  EXPECT_NE(seen, "secret");
  EXPECT_EQ(rig.ask<Error>(maker, protocol::TakeSeat{game.game, 2, seen, "Ada"}).code,
            ErrorCode::NotYourSeat);
}

TEST(HubPeopleTest, ATakerWithoutRoomForASeatTakesNone) {
  auto config = rig_config();
  config.limits.seats_max = 1;
  HubRig rig(config);
  const ConnId client = rig.join();
  const auto first = rig.ask<GameCreated>(client, people_game("a"));
  rig.ask<GameJoined>(client, protocol::JoinGame{first.tickets[0].ticket});
  const auto game = rig.ask<GameCreated>(client, open_game("b"));
  EXPECT_EQ(rig.ask<Error>(client, protocol::TakeSeat{game.game, 2, "t", ""}).reason, "seats_max");
  rig.ask<protocol::SeatTaken>(rig.join(), protocol::TakeSeat{game.game, 2, "u", ""});
}

// ---- Rematches

TEST(HubPeopleTest, ARematchIsMadeWhenBothWantItWithColoursSwapped) {
  HubRig rig;
  Two two(rig, people_game("a"));
  const auto early = rig.ask<Error>(two.black, protocol::Rematch{two.game.game, 0});
  EXPECT_EQ(early.code, ErrorCode::WrongPhase);
  rig.ask<protocol::Accepted>(two.white, protocol::Resign{two.game.game, 2, "r"});
  rig.ask<protocol::RematchOffered>(two.black, protocol::Rematch{two.game.game, 0});
  EXPECT_EQ(pushes<protocol::RematchOffered>(rig, two.white),
            (std::vector{protocol::RematchOffered{two.game.game, 1}}));
  const auto made = rig.ask<protocol::RematchMade>(two.white, protocol::Rematch{two.game.game, 0});
  EXPECT_EQ(made.created.slot1_color, Color::White);
  ASSERT_EQ(made.created.tickets.size(), 1u);
  EXPECT_EQ(made.created.tickets[0].slot, 2);
  const auto told = pushes<protocol::RematchMade>(rig, two.black);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].created.game, made.created.game);
  ASSERT_EQ(told[0].created.tickets.size(), 1u);
  EXPECT_EQ(told[0].created.tickets[0].slot, 1);
  // Slot 2 has black now.
  rig.ask<GameJoined>(two.white, protocol::JoinGame{made.created.tickets[0].ticket});
  rig.ask<protocol::Accepted>(two.white, rig.play(made.created.game, "E5", 0, "", 2));
}

TEST(HubPeopleTest, AnOfferOfARematchOutlivesItsGameInMemory) {
  auto config = rig_config();
  config.limits.finished_kept_max = 0;
  HubRig rig(config);
  Two two(rig, people_game("a"));
  rig.ask<protocol::Accepted>(two.white, protocol::Resign{two.game.game, 2, "r"});
  ASSERT_EQ(rig.hub().games(), 0u);
  rig.ask<protocol::RematchOffered>(two.black, protocol::Rematch{two.game.game, 0});
  ASSERT_EQ(rig.hub().games(), 0u);
  rig.ask<protocol::RematchMade>(two.white, protocol::Rematch{two.game.game, 0});
  EXPECT_EQ(pushes<protocol::RematchMade>(rig, two.black).size(), 1u);
}

TEST(HubPeopleTest, ThereIsOneRematchAlsoAfterARestart) {
  HubRig rig;
  Two two(rig, people_game("a"));
  rig.ask<protocol::Accepted>(two.white, protocol::Resign{two.game.game, 2, "r"});
  rig.ask<protocol::RematchOffered>(two.black, protocol::Rematch{two.game.game, 0});
  const auto made = rig.ask<protocol::RematchMade>(two.white, protocol::Rematch{two.game.game, 0});
  rig.restart();
  const ConnId black = rig.join();
  rig.ask<GameJoined>(black, protocol::JoinGame{two.game.tickets[0].ticket});
  const auto again = rig.ask<protocol::RematchMade>(black, protocol::Rematch{two.game.game, 0});
  EXPECT_EQ(again.created.game, made.created.game);
  EXPECT_EQ(again.created.tickets.at(0).slot, 1);
}

TEST(HubPeopleTest, AnEngineIsAlwaysReadyForARematch) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  rig.ask<protocol::Accepted>(client, protocol::Resign{game, 1, "r"});
  const auto made = rig.ask<protocol::RematchMade>(client, protocol::Rematch{game, 0});
  EXPECT_EQ(made.created.slot1_color, Color::White);
  // The engine has black and moves first.
  EXPECT_EQ(snapshot_of(rig, client, made.created.game).moves.size(), 1u);
}

TEST(HubPeopleTest, ARematchIsForThoseAtTheGame) {
  HubRig rig;
  Two two(rig, people_game("a"));
  rig.ask<protocol::Accepted>(two.white, protocol::Resign{two.game.game, 2, "r"});
  EXPECT_EQ(rig.ask<Error>(rig.join(), protocol::Rematch{two.game.game, 1}).code,
            ErrorCode::NotYourSeat);
}

// Its name is no request_id that a client can choose.
TEST(HubPeopleTest, NobodyGetsARematchsTicketsByItsName) {
  HubRig rig;
  Two two(rig, people_game("a"));
  rig.ask<protocol::Accepted>(two.white, protocol::Resign{two.game.game, 2, "r"});
  rig.ask<protocol::RematchOffered>(two.black, protocol::Rematch{two.game.game, 0});
  rig.ask<protocol::RematchMade>(two.white, protocol::Rematch{two.game.game, 0});
  auto create = people_game("rematch " + rules::to_text(two.game.game));
  create.colors = protocol::ColorChoice::Slot1White;
  EXPECT_EQ(rig.ask<Error>(rig.join(), create).code, ErrorCode::InvalidArgument);
}

// ---- Delayed broadcasts

TEST(HubPeopleTest, SpectatorsOfADelayedBroadcastAreBehindAndPlayersAreNot) {
  HubRig rig;
  auto create = people_game("a");
  create.broadcast_delay = 60s;
  Two two(rig, create);
  const ConnId watcher = rig.join();
  rig.ask<protocol::Subscribed>(watcher, protocol::Subscribe{two.game.game, 0});
  rig.ask<protocol::Subscribed>(two.white, protocol::Subscribe{two.game.game, 0});
  two.play(two.black, "E5");
  EXPECT_EQ(rig.pushed(two.white).size(), 1u);
  EXPECT_TRUE(rig.pushed(watcher).empty());
  EXPECT_TRUE(snapshot_of(rig, watcher, two.game.game).moves.empty());
  rig.advance(30s);
  two.play(two.white, "C3");
  rig.advance(30s);
  EXPECT_EQ(rig.pushed(watcher).size(), 1u);
  EXPECT_EQ(snapshot_of(rig, watcher, two.game.game).moves.size(), 1u);
  EXPECT_EQ(snapshot_of(rig, two.black, two.game.game).moves.size(), 2u);
  rig.advance(30s);
  EXPECT_EQ(rig.pushed(watcher).size(), 2u);
}

TEST(HubPeopleTest, TheEndOfADelayedBroadcastComesWhole) {
  HubRig rig;
  auto create = people_game("a");
  create.broadcast_delay = 60s;
  Two two(rig, create);
  rig.ask<protocol::Accepted>(two.black, protocol::Resign{two.game.game, 1, "r"});
  const ConnId watcher = rig.join();
  const auto start = rig.ask<protocol::Subscribed>(watcher, protocol::Subscribe{two.game.game, 0});
  EXPECT_EQ(start.head, 0u);
  EXPECT_EQ(rig.ask<protocol::GameList>(watcher, protocol::ListGames{}).games.at(0).result, "");
  rig.advance(60s);
  EXPECT_EQ(rig.pushed(watcher).size(), 2u);  // the resignation and what follows from it
  EXPECT_EQ(rig.ask<protocol::GameList>(watcher, protocol::ListGames{}).games.at(0).result, "W+R");
}

TEST(HubPeopleTest, ASpectatorWhoSitsDownSeesWhatWasWithheld) {
  HubRig rig;
  auto create = people_game("a");
  create.broadcast_delay = 60s;
  Two two(rig, create);
  const ConnId watcher = rig.join();
  rig.ask<protocol::Subscribed>(watcher, protocol::Subscribe{two.game.game, 0});
  two.play(two.black, "E5");
  EXPECT_TRUE(rig.pushed(watcher).empty());
  rig.ask<GameJoined>(watcher, protocol::JoinGame{two.game.tickets[1].ticket});
  EXPECT_EQ(rig.pushed(watcher).size(), 1u);
  rig.advance(60s);
  EXPECT_EQ(rig.pushed(watcher).size(), 1u);
}

TEST(HubPeopleTest, ALateBroadcastThatNobodyWatchesIsForgottenWithItsGame) {
  auto config = rig_config();
  config.limits.finished_kept_max = 0;
  HubRig rig(config);
  auto create = people_game("a");
  create.broadcast_delay = 60s;
  create.absence = 30s;
  Two two(rig, create);
  rig.ask<protocol::Accepted>(two.black, protocol::Resign{two.game.game, 1, "r"});
  rig.disconnect(two.black);
  rig.advance(120s);
  EXPECT_EQ(rig.hub().games(), 0u);
}

TEST(HubPeopleTest, ALateBroadcastThatIsWatchedIsSeenThroughBeforeItsGameGoes) {
  auto config = rig_config();
  config.limits.finished_kept_max = 0;
  config.limits.finished_kept_for = 20s;
  HubRig rig(config);
  auto create = people_game("a");
  create.broadcast_delay = 60s;
  Two two(rig, create);
  const ConnId watcher = rig.join();
  rig.ask<protocol::Subscribed>(watcher, protocol::Subscribe{two.game.game, 0});
  two.play(two.black, "E5");
  rig.ask<protocol::Accepted>(two.black, protocol::Resign{two.game.game, 1, "r"});
  rig.advance(59s);
  EXPECT_TRUE(rig.pushed(watcher).empty());
  EXPECT_EQ(rig.hub().games(), 1u);
  rig.advance(1s);
  EXPECT_EQ(rig.pushed(watcher).size(), 3u);
  EXPECT_EQ(rig.hub().games(), 0u);
}

TEST(HubPeopleTest, AGameThatIsOverStaysInAListOfGamesInPlayUntilItsEndIsBroadcast) {
  HubRig rig;
  auto create = people_game("a");
  create.broadcast_delay = 60s;
  Two two(rig, create);
  rig.ask<protocol::Accepted>(two.black, protocol::Resign{two.game.game, 1, "r"});
  const ConnId watcher = rig.join();
  const protocol::ListGames in_play{.in_play_only = true};
  EXPECT_EQ(rig.ask<protocol::GameList>(watcher, in_play).games.size(), 1u);
  EXPECT_TRUE(rig.ask<protocol::GameList>(two.black, in_play).games.empty());
  rig.advance(60s);
  EXPECT_TRUE(rig.ask<protocol::GameList>(watcher, in_play).games.empty());
}

// ---- The seed

TEST(HubPeopleTest, TheSeedsDigestIsKnownFromTheStartAndTheSeedAtTheEnd) {
  HubRig rig;
  auto create = people_game("a");
  create.seed.emplace();
  for (std::size_t i = 0; i < create.seed->size(); ++i) (*create.seed)[i] = std::uint8_t(i);
  Two two(rig, create);
  // SHA-256 of the bytes 0 to 31, as sha256sum has it.
  const std::string digest = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
  const auto before = snapshot_of(rig, two.black, two.game.game);
  EXPECT_EQ(before.seed_sha256, digest);
  EXPECT_EQ(before.header.seed, rules::GameSeed{});
  rig.ask<protocol::Accepted>(two.black, protocol::Resign{two.game.game, 1, "r"});
  const auto after = snapshot_of(rig, two.black, two.game.game);
  EXPECT_EQ(after.seed_sha256, digest);
  EXPECT_EQ(after.header.seed, *create.seed);
}

}  // namespace
}  // namespace tengen::daemon
