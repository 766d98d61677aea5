// How far engines go along, when they resign, and how often anything may be done.
#include <gtest/gtest.h>

#include "tests/daemon/two_people.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Error;
using protocol::ErrorCode;
using protocol::GameCreated;
using rules::Color;

// ---- Resignations of engines

// The engine answers black's first move with its resignation: one move has been made then.
TEST(HubPeopleTest, AnEnginesEarlyResignationCountsAsAPass) {
  for (const int resign_from : {0, 1, 2, 1875}) {
    tests::Script script;
    script.resign_at = 1;
    HubRig rig(rig_config(), {script});
    const ConnId client = rig.join();
    auto create = engine_game("a");
    create.seats[1].resign_from = resign_from;
    const auto game = rig.make_game(client, create);
    rig.ask<protocol::Accepted>(client, rig.play(game, "E5", 0));
    const auto snapshot = snapshot_of(rig, client, game);
    if (resign_from <= 1) {
      EXPECT_EQ(snapshot.result, (rules::Result{rules::ResultKind::Resign, Color::Black, 0}));
      continue;
    }
    EXPECT_FALSE(snapshot.result) << resign_from;
    ASSERT_EQ(snapshot.moves.size(), 2u);
    EXPECT_TRUE(snapshot.moves[1].is_pass());
  }
}

// ---- What engines grant

rules::EventBody last_event(HubRig& rig, ConnId id, rules::GameId game) {
  const auto head = snapshot_of(rig, id, game).seq;
  const auto start = rig.ask<protocol::Subscribed>(id, protocol::Subscribe{game, head - 1}).start;
  const auto* events = std::get_if<protocol::GameEvents>(&start);
  return events != nullptr && !events->events.empty() ? events->events.back().body
                                                      : rules::EventBody(rules::Passed{});
}

TEST(HubPeopleTest, AnEngineGrantsWhatTheGameSaysAndTheSnapshotShowsIt) {
  HubRig rig;
  const ConnId client = rig.join();
  auto create = engine_game("a");
  create.seats[1].undos = 1;
  create.seats[1].pauses = 0;
  const auto game = rig.make_game(client, create);
  const auto made = snapshot_of(rig, client, game);
  EXPECT_EQ(made.header.seats[1].undos, 1);
  EXPECT_EQ(made.seats[1].pauses, 0);
  EXPECT_EQ(made.seats[0].undos, 0) << "people grant what they like";
  EXPECT_EQ(rig.ask<GameCreated>(client, create).game, game);
  create.seats[1].pauses = 1;
  EXPECT_EQ(rig.ask<Error>(client, create).code, ErrorCode::RequestIdConflict);
  const auto ask = [&](rules::AskKind kind, int moves, std::string request) {
    const auto seq = snapshot_of(rig, client, game).position_seq;
    rig.ask<protocol::Accepted>(client, protocol::GameAct{game, 0, std::move(request), seq,
                                                          protocol::AskOpponent{kind, moves}});
    return last_event(rig, client, game);
  };
  const rules::EventBody declined = rules::Declined{Color::White};
  rig.ask<protocol::Accepted>(client, rig.play(game, "E5", 0));
  EXPECT_EQ(ask(rules::AskKind::Undo, 2, "b"), rules::EventBody(rules::Undone{Color::Black, 2}));
  EXPECT_EQ(ask(rules::AskKind::Pause, 0, "c"), declined);
  rig.restart();
  const ConnId again = rig.join();
  EXPECT_EQ(snapshot_of(rig, again, game).seats, made.seats);
}

// The defaults: every undo, and three pauses.
TEST(HubPeopleTest, AnEngineThatIsToldNothingGrantsThreePauses) {
  HubRig rig;
  const ConnId client = rig.join();
  const auto game = rig.make_game(client, engine_game("a"));
  EXPECT_EQ(snapshot_of(rig, client, game).seats[1].undos, 200);
  EXPECT_EQ(snapshot_of(rig, client, game).seats[1].pauses, 3);
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    rig.ask<protocol::Accepted>(
        client,
        protocol::GameAct{game, 0, "p" + n, 0, protocol::AskOpponent{rules::AskKind::Pause, 0}});
    EXPECT_EQ(snapshot_of(rig, client, game).paused.has_value(), i < 3) << i;
    if (i < 3) {
      rig.ask<protocol::Accepted>(client,
                                  protocol::GameAct{game, 0, "u" + n, 0, protocol::Unpause{}});
    }
  }
  EXPECT_EQ(last_event(rig, client, game), rules::EventBody(rules::Declined{Color::White}));
}

// ---- What can be done without end

// Over the hub: the one mark too many is refused by its name, stores nothing, and the game goes on.
TEST(HubPeopleTest, MarksHaveAnEndOverTheWire) {
  HubRig rig;
  auto create = people_game("a");
  create.preset = "japanese";
  create.rules = rules::find_preset("japanese")->rules;
  Two two(rig, create);
  const auto game = two.game.game;
  two.play(two.black, "E5");
  two.play(two.white, "C3");
  for (const ConnId id : {two.black, two.white}) {
    const auto seq = snapshot_of(rig, id, game).position_seq;
    rig.ask<protocol::Accepted>(id, protocol::Pass{game, 0, "pass", seq});
  }
  const auto seq = snapshot_of(rig, two.black, game).position_seq;
  const auto mark = [&](int n) {
    return protocol::GameAct{game, 0, "m" + std::to_string(n), seq, protocol::MarkChain{"C3"}};
  };
  for (int i = 0; i < rules::kMarksMax; ++i) {
    rig.ask<protocol::Accepted>(two.black, mark(i));
  }
  const auto before = snapshot_of(rig, two.black, game).seq;
  const auto refused = rig.ask<Error>(two.black, mark(rules::kMarksMax));
  EXPECT_EQ(refused.code, ErrorCode::IllegalMove);
  EXPECT_EQ(refused.reason, "marked-too-often");
  EXPECT_EQ(snapshot_of(rig, two.black, game).seq, before);
  rig.ask<protocol::Accepted>(two.black,
                              protocol::GameAct{game, 0, "d", seq, protocol::ProposeMarks{}});
  rig.ask<protocol::Accepted>(two.white,
                              protocol::GameAct{game, 0, "y", seq, protocol::AcceptMarks{}});
  EXPECT_TRUE(snapshot_of(rig, two.black, game).result);
}

}  // namespace
}  // namespace tengen::daemon
