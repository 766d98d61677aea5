// Ten Japanese games between two clients, each with a connection of its own, which between them
// reach every branch of the confirmation (SPEC 5, document 004). What was reached is read off the
// events and refusals that the clients got. Each board is drawn and counted by hand beside its
// game.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/confirmation_branches.h"
#include "tests/support/daemon_process.h"
#include "tests/support/player.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::ActBody;
using rules::Color;
using tests::Branches;
using tests::Caller;
using tests::DaemonProcess;
using tests::Player;

/// Everything that the confirmation can come to.
const Branches kAll = {
    "black proposes",
    "white proposes",
    "a chain is marked",
    "a chain's mark is taken back",
    "a point is marked as seki",
    "a seki mark is taken back",
    "nothing is marked",
    "a mark on a chain that cannot die is refused",
    "accepted, counted by territory",
    "disputed, and play goes on",
    "accepted after a dispute",
    "a capture after a dispute",
    "an immediate retake after a dispute is refused",
    "stopped after three disputes, counted by area",
    "no result after a dispute",
    "the proposer lets its time pass",
    "the answerer lets its time pass",
    "resigned",
    "abandoned",
};

/// One game of two clients. Turns alternate over stops and disputes too: the one whose turn it is
/// proposes.
class Sitting {
 public:
  Sitting(std::uint16_t port, const protocol::CreateGame& create)
      : port_(port),
        created_(Caller(port).expect<protocol::GameCreated>(create)),
        black_(port, created_.tickets.at(0).ticket),
        white_(port, created_.tickets.at(1).ticket) {}

  /// Vertices in turn; "pass" is a pass.
  void play(const std::string& moves) {
    std::istringstream words(moves);
    for (std::string vertex; words >> vertex; turn_ = other(turn_)) {
      Player& mover = up_to_date(turn_);
      if (vertex == "pass") {
        take(mover.caller().ask(mover.pass_request()), vertex);
      } else {
        take(mover.caller().ask(mover.play_request(vertex)), vertex);
      }
    }
  }
  void refuse_play(const std::string& vertex, const std::string& reason) {
    Player& mover = up_to_date(turn_);
    refuse(mover.caller().ask(mover.play_request(vertex)), reason);
  }
  void mark(const std::string& vertex) { only(turn_, protocol::MarkChain{vertex}); }
  void refuse_mark(const std::string& vertex, const std::string& reason) {
    refuse(ask(turn_, protocol::MarkChain{vertex}), reason);
  }
  void mark_seki(const std::string& vertex) { only(turn_, protocol::MarkSekiPoint{vertex}); }
  void propose() { only(turn_, protocol::ProposeMarks{}); }
  void accept() { only(other(turn_), protocol::AcceptMarks{}); }
  void dispute() { only(other(turn_), protocol::DisputeMarks{}); }
  void agree_on_no_result(Color asker) {
    take(ask(asker, protocol::AskOpponent{rules::AskKind::NoResult, 0}), "the question");
    take(ask(other(asker), protocol::Agree{seq_}), "the agreement");
  }
  void resign(Color color) {
    Player& player = up_to_date(color);
    take(player.caller().ask(protocol::Resign{player.id(), 0, tests::fresh_request_id()}),
         "the resignation");
  }
  void disconnect_black() { black_.disconnect(); }

  /// Reads both clients to the end of the game, which they must have seen alike.
  void finish(bool is_black_away = false) {
    read_to_the_end(white_);
    if (is_black_away) black_.reconnect(port_);
    read_to_the_end(black_);
    EXPECT_EQ(black_.ledger().events(), white_.ledger().events());
    reached_.merge(tests::confirmation_branches(white_.ledger().events()));
  }
  const Branches& reached() const { return reached_; }
  /// As the last event says.
  std::string result() const {
    const auto* end = std::get_if<rules::Finished>(&white_.ledger().events().back().body);
    return end != nullptr ? rules::result_text(end->result) : "none";
  }
  rules::Scored score() const {
    for (const auto& event : white_.ledger().events()) {
      if (const auto* scored = std::get_if<rules::Scored>(&event.body)) return *scored;
    }
    return {};
  }

 private:
  Player& up_to_date(Color color) {
    Player& player = color == Color::Black ? black_ : white_;
    if (!player.wait_for_seq(seq_)) throw std::runtime_error("an event does not come");
    return player;
  }
  protocol::ServerMessage ask(Color color, ActBody body) {
    Player& player = up_to_date(color);
    return player.caller().ask(protocol::GameAct{player.id(), 0, tests::fresh_request_id(),
                                                 player.game().position_seq(), std::move(body)});
  }
  /// Exactly one side is waited for: the other may not do the same.
  void only(Color color, const ActBody& body) {
    refuse(ask(other(color), body), "not-your-turn");
    take(ask(color, body), "a verb of the confirmation");
  }
  void take(const protocol::ServerMessage& answer, const std::string& what) {
    const auto* accepted = std::get_if<protocol::Accepted>(&answer);
    if (accepted == nullptr) throw std::runtime_error(what + ": " + tests::describe(answer));
    seq_ = accepted->seq;
  }
  void refuse(const protocol::ServerMessage& answer, const std::string& reason) {
    const auto* error = std::get_if<protocol::Error>(&answer);
    ASSERT_NE(error, nullptr) << tests::describe(answer);
    EXPECT_EQ(error->reason, reason);
    if (error->reason == "alive-chain") {
      reached_.insert("a mark on a chain that cannot die is refused");
    }
    if (error->reason == "ko") reached_.insert("an immediate retake after a dispute is refused");
  }
  static void read_to_the_end(Player& player) {
    while (!player.ledger().is_finished()) {
      if (!player.wait_for_seq(player.ledger().seen() + 1)) throw std::runtime_error("no end");
    }
  }

  std::uint16_t port_;
  protocol::GameCreated created_;
  Player black_;
  Player white_;
  Color turn_ = Color::Black;
  std::uint32_t seq_ = 0;  // of the last act
  Branches reached_;
};

protocol::CreateGame japanese(std::uint8_t width, std::uint8_t height) {
  const auto* preset = rules::find_preset("japanese");
  auto create = tests::game_of(9, tests::human_seat(), tests::human_seat());
  create.size = {width, height};
  create.preset = preset->name;
  create.rules = preset->rules;
  create.komi_half = preset->komi_half;  // 13, here and in the counts below
  return create;
}

/// What the game must have come to, and what it must have reached, among others.
struct Wanted {
  std::string result;
  int black_half = 0;
  int white_half = 0;
  Branches reached;
};

Branches expect(const Sitting& game, const Wanted& wanted) {
  EXPECT_EQ(game.result(), wanted.result);
  const auto score = game.score();
  EXPECT_EQ(score.black_half, wanted.black_half);
  EXPECT_EQ(score.white_half, wanted.white_half);
  for (const auto& branch : wanted.reached) {
    EXPECT_TRUE(game.reached().contains(branch)) << "not reached: " << branch;
  }
  return game.reached();
}

// Walls on C and D, a dead stone behind each. Marked by mistake and taken back, by another of its
// stones: white's wall. Black has A and B, ten points, and a prisoner; white E, five, and one.
Branches agreed_at_once(std::uint16_t port) {
  Sitting game(port, japanese(5, 5));
  game.play("C3 D3 C2 D2 C4 D4 C1 D1 C5 D5 E3 B3 pass pass");
  game.mark("E3");
  game.mark("D3");
  game.mark("B3");
  game.mark("D1");
  game.propose();
  game.accept();
  game.finish();
  EXPECT_EQ(game.score().removed.size(), 2u);
  return expect(game, {"W+1.5",
                       2 * (10 + 1),
                       2 * (5 + 1) + 13,
                       {"black proposes", "a chain is marked", "a chain's mark is taken back",
                        "accepted, counted by territory"}});
}

// . O O . X X .  Whoever plays in the middle is captured. By article 8 neither eye is territory. A
// pass of black's that is followed by a move stops nothing, so white is the one that passed first.
Branches a_seki(std::uint16_t port) {
  Sitting game(port, japanese(7, 1));
  game.play("pass B1 F1 C1 E1 pass pass");
  game.mark_seki("A1");
  game.mark_seki("D1");
  game.mark_seki("G1");
  game.mark_seki("D1");
  game.propose();
  game.accept();
  game.finish();
  EXPECT_EQ(game.score().seki.size(), 2u);
  return expect(game, {"W+6.5",
                       0,
                       13,
                       {"white proposes", "a point is marked as seki", "a seki mark is taken back",
                        "accepted, counted by territory"}});
}

// O O O O O . X . .   Four points in a row live, also when black begins: B1, C1. Then nothing can
// . . . . O . . X .   kill the chain. It is sent back again to fill the dame F2 and F1; when white
// takes G1 as well, F2 and G2 are in atari and black has to connect at H2. White has A1, B1, D1 and
// the stone on B1, black J1 and J2.
Branches shown_alive(std::uint16_t port) {
  Sitting game(port, japanese(9, 2));
  game.play("G2 E1 H1 E2 pass D2 pass C2 pass B2 pass A2 pass pass");
  game.mark("C2");
  game.propose();
  game.dispute();
  game.play("B1 C1 pass pass");
  game.refuse_mark("A2", "alive-chain");
  game.mark("B1");
  game.propose();
  game.dispute();
  game.play("F2 F1 pass G1 H2 pass pass");
  game.mark("B1");
  game.propose();
  game.accept();
  game.finish();
  return expect(game,
                {"W+8.5",
                 2 * 2,
                 2 * (3 + 1) + 13,
                 {"disputed, and play goes on", "a mark on a chain that cannot die is refused",
                  "accepted after a dispute"}});
}

// X X X X . .   White has one eye at A1 and half a one at C1: black takes D1 in a ko, white may not
// O O O X . O   take back at once, and black takes the four stones. Black has A2, B2, C2, B1, D1,
// . O . O X .   E2, E3, F1, F2 and F3, and seven prisoners: D1, the four, and two on the right.
Branches shown_dead_in_a_ko(std::uint16_t port) {
  Sitting game(port, japanese(6, 3));
  game.play("D2 C2 C3 B2 B3 A2 A3 B1 E1 D1 D3 F2 pass pass");
  game.mark("A2");
  game.mark("D1");
  game.mark("F2");
  game.propose();
  game.dispute();
  game.play("C1");
  game.refuse_play("D1", "ko");
  game.play("F3 A1 pass pass");
  game.mark("F3");
  game.propose();
  game.accept();
  game.finish();
  return expect(game,
                {"B+10.5",
                 2 * (10 + 7),
                 13,
                 {"disputed, and play goes on", "an immediate retake after a dispute is refused",
                  "a capture after a dispute", "accepted after a dispute"}});
}

// The walls of the first game. Black takes B3 after the second dispute, so that white passes first
// and proposes, nothing. Then nobody is asked: black has the 15 points of A to C, white the ten of
// D and E, and the prisoner is no point.
Branches three_disputes(std::uint16_t port) {
  Sitting game(port, japanese(5, 5));
  game.play("C3 D3 C2 D2 C4 D4 C1 D1 C5 D5 A1 B3 pass pass");
  game.mark("D3");
  game.propose();
  game.dispute();
  game.play("pass pass");
  game.mark("D3");
  game.propose();
  game.dispute();
  game.play("B2 pass A3 pass B4 pass pass");
  game.propose();
  game.dispute();
  game.play("pass pass");
  game.finish();
  return expect(game, {"W+1.5",
                       2 * 15,
                       2 * 10 + 13,
                       {"nothing is marked", "stopped after three disputes, counted by area"}});
}

// . . . .   Sending two, returning one: white B1 takes C1, A1 joins it, and black C1 takes both.
// The X X O O   board is then what it was when black passed, with white to move again. . . X O
Branches a_cycle(std::uint16_t port) {
  Sitting game(port, japanese(4, 3));
  game.play("A2 C2 B2 D2 C1 D1 pass pass");
  game.mark("C2");
  game.propose();
  game.dispute();
  game.play("pass B1 pass A1 C1");
  game.agree_on_no_result(Color::White);
  game.finish();
  return expect(game, {"Void", 0, 0, {"no result after a dispute"}});
}

protocol::CreateGame short_marking() {
  auto create = japanese(9, 9);
  create.marking_time = 1500ms;
  return create;
}

Branches a_proposer_who_says_nothing(std::uint16_t port) {
  Sitting game(port, short_marking());
  game.play("E5 C3 pass pass");
  game.mark("C3");  // is no proposal yet
  game.finish();
  return expect(game, {"W+T", 0, 0, {"the proposer lets its time pass"}});
}

Branches an_answerer_who_says_nothing(std::uint16_t port) {
  Sitting game(port, short_marking());
  game.play("E5 C3 pass pass");
  game.propose();
  game.finish();
  return expect(game, {"B+T", 0, 0, {"the answerer lets its time pass"}});
}

// It is black who is waited for.
Branches a_resignation(std::uint16_t port) {
  Sitting game(port, japanese(9, 9));
  game.play("E5 C3 pass pass");
  game.mark("C3");
  game.resign(Color::White);
  game.finish();
  return expect(game, {"B+R", 0, 0, {"resigned"}});
}

Branches a_departure(std::uint16_t port) {
  auto create = japanese(9, 9);
  create.absence = protocol::kAbsenceMin;
  Sitting game(port, create);
  game.play("E5 C3 pass pass");
  game.disconnect_black();
  game.finish(true);
  return expect(game, {"W+F", 0, 0, {"abandoned"}});
}

struct Script {
  const char* name;
  Branches (*play)(std::uint16_t port);
};

const std::vector<Script> kScripts = {
    {"agreed at once", agreed_at_once},
    {"a seki", a_seki},
    {"shown alive", shown_alive},
    {"shown dead in a ko", shown_dead_in_a_ko},
    {"three disputes", three_disputes},
    {"a cycle", a_cycle},
    {"a proposer who says nothing", a_proposer_who_says_nothing},
    {"an answerer who says nothing", an_answerer_who_says_nothing},
    {"a resignation", a_resignation},
    {"a departure", a_departure},
};

TEST(ConfirmationCases, TenGamesReachEveryBranch) {
  DaemonProcess daemon;
  Branches reached;
  for (const auto& script : kScripts) {
    SCOPED_TRACE(script.name);
    reached.merge(script.play(daemon.port()));
  }
  EXPECT_EQ(kScripts.size(), 10u);
  EXPECT_EQ(reached, kAll);
  Caller caller(daemon.port());
  const auto list = caller.expect<protocol::GameList>(protocol::ListGames{});
  EXPECT_EQ(list.games.size(), 10u);
}

}  // namespace
}  // namespace tengen::daemon
