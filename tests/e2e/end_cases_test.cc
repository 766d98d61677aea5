// Faults that people who run Go servers have reported of rules, handicaps, pauses and the end of
// games, each as it was seen, through a real socket between two people or a person and an engine.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>

#include "tests/support/daemon_process.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using protocol::ErrorCode;
using rules::Color;
using rules::ResultKind;
using tests::Caller;
using tests::DaemonProcess;
using tests::TempFolder;

protocol::CreateGame people(int size, const std::string& preset) {
  protocol::CreateGame create = tests::game_of(size, tests::human_seat(), tests::human_seat());
  create.preset = preset;
  create.rules = rules::find_preset(preset)->rules;
  create.komi_half = rules::find_preset(preset)->komi_half;
  return create;
}

/// A game in which one connection has every human seat.
class Table {
 public:
  Table(std::uint16_t port, const protocol::CreateGame& create) {
    caller_.emplace(port);
    const auto created = caller_->expect<protocol::GameCreated>(create);
    id_ = created.game;
    for (const auto& ticket : created.tickets) tickets_[ticket.slot] = ticket.ticket;
    join();
  }
  /// After a restart of the daemon.
  void reconnect(std::uint16_t port) {
    caller_.emplace(port);
    join();
  }

  protocol::ServerMessage play(int slot, const std::string& vertex) {
    return caller_->ask(protocol::Play{id_, slot, tests::fresh_request_id(), position(), vertex});
  }
  protocol::ServerMessage pass(int slot) {
    return caller_->ask(protocol::Pass{id_, slot, tests::fresh_request_id(), position()});
  }
  protocol::ServerMessage act(int slot, protocol::ActBody body) {
    return caller_->ask(
        protocol::GameAct{id_, slot, tests::fresh_request_id(), position(), std::move(body)});
  }
  /// Black and white in turn, slot 1 first; "pass" is a pass.
  void play_all(std::initializer_list<const char*> vertices) {
    int slot = 1;
    for (const std::string vertex : vertices) {
      const auto answer = vertex == "pass" ? pass(slot) : play(slot, vertex);
      ASSERT_TRUE(std::holds_alternative<protocol::Accepted>(answer))
          << vertex << ": " << tests::describe(answer);
      slot = 3 - slot;
    }
  }
  protocol::Snapshot snapshot() {
    return caller_->expect<protocol::Snapshot>(protocol::GetSnapshot{id_});
  }
  /// The snapshot once it is as wanted, or as it is when patience ends.
  template <typename IsAsWanted>
  protocol::Snapshot wait_for(IsAsWanted is_as_wanted) {
    const auto end = std::chrono::steady_clock::now() + tests::kEventually;
    while (true) {
      auto now = snapshot();
      if (is_as_wanted(now) || std::chrono::steady_clock::now() > end) return now;
      (void)caller_->pushed(std::chrono::milliseconds(200));
    }
  }

 private:
  void join() {
    for (const auto& [slot, ticket] : tickets_) {
      caller_->expect<protocol::GameJoined>(protocol::JoinGame{ticket});
    }
    caller_->expect<protocol::Subscribed>(protocol::Subscribe{id_, std::nullopt});
  }
  std::uint32_t position() { return snapshot().position_seq; }

  std::optional<Caller> caller_;
  rules::GameId id_;
  std::map<int, std::string> tickets_;
};

bool is_accepted(const protocol::ServerMessage& message) {
  return std::holds_alternative<protocol::Accepted>(message);
}
/// The error's reason, or what came instead.
std::string reason(const protocol::ServerMessage& message) {
  const auto* error = std::get_if<protocol::Error>(&message);
  return error != nullptr ? error->reason : tests::describe(message);
}
std::string result_of(const protocol::Snapshot& snapshot) {
  return snapshot.result ? rules::result_text(*snapshot.result) : "none";
}
bool is_over(const protocol::Snapshot& snapshot) { return snapshot.result.has_value(); }

/// An engine that answers the commands named with the text beside them, and plays the vertices in
/// turn, then passes. It writes down all it is told.
std::string scripted_profile(const TempFolder& folder, const std::string& answers,
                             const std::string& moves) {
  std::ofstream(folder.file("moves")) << moves;
  return "[[profile]]\nname = \"scripted\"\nprocesses_max = 1\ncleanup_command = \"\"\n"
         "command = [\"sh\", \"-c\", '''cd \"" +
         folder.path().string() +
         "\"; while read -r id command rest; do echo \"$command $rest\" >> told; "
         "case $command in quit) printf '=%s\\n\\n' $id; exit 0;; " +
         answers +
         " genmove) answer=$(sed -n 1p moves); sed -i 1d moves; "
         "printf '=%s %s\\n\\n' $id \"${answer:-pass}\";; "
         "*) printf '=%s \\n\\n' $id;; esac; done''']\n";
}

protocol::CreateGame with_engine(protocol::CreateGame create, int slot) {
  create.seats[static_cast<std::size_t>(slot - 1)] = tests::engine_seat("scripted");
  return create;
}

// Case 9.
TEST(EndCases, SuperkoIsNamedAndDependsOnTheRules) {
  DaemonProcess daemon;
  for (const auto& [preset, refused] :
       {std::pair{"chinese", true}, {"aga", false}, {"japanese", false}}) {
    Table table(daemon.port(), people(9, preset));
    table.play_all({"J8", "H8", "H7", "A1", "J6", "H9", "J9", "J7"});
    const auto ninth = table.play(1, "J8");
    EXPECT_EQ(is_accepted(ninth), !refused) << preset << ": " << tests::describe(ninth);
    if (!refused) continue;
    EXPECT_EQ(std::get<protocol::Error>(ninth).code, ErrorCode::IllegalMove);
    EXPECT_EQ(reason(ninth), "superko");
    EXPECT_EQ(table.snapshot().turn, Color::Black);
  }
}

// Case 10.
TEST(EndCases, AnImmediateRetakeIsKoByEveryRule) {
  DaemonProcess daemon;
  for (const char* preset : {"chinese", "aga", "japanese", "new-zealand", "tromp-taylor"}) {
    Table table(daemon.port(), people(9, preset));
    table.play_all({"C4", "F4", "D5", "E5", "D3", "E3", "A9", "D4", "E4"});
    EXPECT_EQ(reason(table.play(2, "D4")), "ko") << preset;
    ASSERT_TRUE(is_accepted(table.play(2, "J1")));
    ASSERT_TRUE(is_accepted(table.play(1, "J9")));
    EXPECT_TRUE(is_accepted(table.play(2, "D4"))) << preset;
  }
}

// Case 11: fewer stones than asked for are recorded as they are, and compensated as the rules say.
TEST(EndCases, AnEngineMayPlaceFewerHandicapStones) {
  for (const auto& [preset, bonus] : {std::pair{"chinese", 2}, {"aga", 1}}) {
    TempFolder folder;
    DaemonProcess daemon(
        {scripted_profile(folder, "place_free_handicap) printf '=%s C3 G7\\n\\n' $id;;", "")});
    auto create = with_engine(people(9, preset), 1);
    create.handicap = 4;
    create.placement = protocol::HandicapPlacement::Free;
    Table table(daemon.port(), create);
    auto now = table.wait_for([](const auto& each) { return each.phase == rules::Phase::Play; });
    EXPECT_EQ(now.turn, Color::White);
    EXPECT_EQ(now.rows[6], "..X......");
    EXPECT_EQ(now.rows[2], "......X..");
    EXPECT_EQ(reason(table.act(2, protocol::AskOpponent{rules::AskKind::Undo, 1})),
              "nothing-to-undo");
    ASSERT_TRUE(is_accepted(table.pass(2)));
    table.wait_for([](const auto& each) { return each.phase == rules::Phase::Marking; });
    ASSERT_TRUE(is_accepted(table.act(2, protocol::ListDead{})));
    now = table.wait_for(is_over);
    ASSERT_TRUE(now.score) << preset;
    EXPECT_EQ(now.score->black_half, 2 * 81);
    EXPECT_EQ(now.score->white_half, 15 + 2 * bonus) << preset;
  }
}

// Case 11: a pass is no handicap.
TEST(EndCases, AnEngineThatPassesForAHandicapIsAtFault) {
  TempFolder folder;
  DaemonProcess daemon(
      {scripted_profile(folder, "place_free_handicap) printf '=%s pass\\n\\n' $id;;", "") +
       "quarantine_ms = 100\n"});
  auto create = with_engine(people(9, "chinese"), 1);
  create.handicap = 4;
  create.placement = protocol::HandicapPlacement::Free;
  Table table(daemon.port(), create);
  const auto now = table.wait_for(is_over);
  EXPECT_EQ(result_of(now), "W+F");
  EXPECT_TRUE(now.moves.empty());
}

// Case 12.
TEST(EndCases, FixedHandicapsStandOnTheirPointsAndAreNoPlays) {
  TempFolder folder;
  DaemonProcess daemon({scripted_profile(folder, "", "E5\n")});
  auto create = people(19, "chinese");
  create.handicap = 5;
  auto rows = Table(daemon.port(), create).snapshot().rows;
  const auto stone = [&](int column, int row_from_bottom) {
    return rows[rows.size() - static_cast<std::size_t>(row_from_bottom)]
               [static_cast<std::size_t>(column)];
  };
  for (const auto& [column, row] : {std::pair{3, 4}, {15, 16}, {3, 16}, {15, 4}, {9, 10}}) {
    EXPECT_EQ(stone(column, row), 'X') << column << ' ' << row;
  }
  create = with_engine(people(9, "chinese"), 2);
  create.handicap = 3;
  Table table(daemon.port(), create);
  const auto now = table.wait_for([](const auto& each) { return each.moves.size() == 1; });
  rows = now.rows;
  EXPECT_EQ(stone(2, 3), 'X');
  EXPECT_EQ(stone(6, 7), 'X');
  EXPECT_EQ(stone(2, 7), 'X');
  EXPECT_EQ(now.turn, Color::Black);
  const std::string told = tests::read_text(folder.file("told"));
  EXPECT_NE(told.find("handicap C3 G7 C7"), std::string::npos) << told;
  EXPECT_EQ(told.find("play"), std::string::npos) << told;
  Caller caller(daemon.port());
  for (const int size : {7, 8}) {
    create = people(size, "chinese");
    create.handicap = 5;
    EXPECT_EQ(caller.expect_error(create).reason, "handicap");
  }
}

// Case 17.
TEST(EndCases, APauseOutlivesAKillAndCostsNothing) {
  DaemonProcess daemon;
  auto create = people(9, "chinese");
  create.time = std::get<rules::TimeControl>(rules::parse_time_control("canadian:0+3/600"));
  Table table(daemon.port(), create);
  table.play_all({"E5", "E6"});
  ASSERT_TRUE(is_accepted(table.act(2, protocol::AskOpponent{rules::AskKind::Pause, 0})));
  ASSERT_TRUE(is_accepted(table.act(1, protocol::Agree{table.snapshot().asked_seq})));
  const auto before = table.snapshot();
  EXPECT_EQ(before.paused, rules::PauseReason::Agreed);
  ASSERT_TRUE(before.clocks);
  EXPECT_EQ(before.clocks->faces[0].stones_left, 2);
  EXPECT_EQ(reason(table.play(1, "E4")), "paused");
  daemon.kill();
  daemon.restart();
  table.reconnect(daemon.port());
  const auto after = table.snapshot();
  EXPECT_EQ(after.paused, rules::PauseReason::Agreed);
  EXPECT_EQ(after.turn, Color::Black);
  EXPECT_EQ(after.clocks->faces, before.clocks->faces);
  ASSERT_TRUE(is_accepted(table.act(2, protocol::Unpause{})));
  EXPECT_TRUE(is_accepted(table.play(1, "E4")));
}

// Case 19: the person marks a living group, the engine's list is empty.
TEST(EndCases, AnAreaDisputeIsPlayedOut) {
  TempFolder folder;
  DaemonProcess daemon(
      {scripted_profile(folder, "final_status_list) printf '=%s \\n\\n' $id;;", "E5\n")});
  Table table(daemon.port(), with_engine(people(9, "chinese"), 2));
  ASSERT_TRUE(is_accepted(table.play(1, "C3")));
  table.wait_for([](const auto& each) { return each.moves.size() == 2; });
  ASSERT_TRUE(is_accepted(table.pass(1)));
  table.wait_for([](const auto& each) { return each.dead_lists.size() == 1; });
  ASSERT_TRUE(is_accepted(table.act(1, protocol::ListDead{std::vector<std::string>{"E5"}})));
  auto now = table.snapshot();
  EXPECT_EQ(now.phase, rules::Phase::Cleanup);
  EXPECT_EQ(now.turn, Color::Black) << "the engine passed last";
  EXPECT_FALSE(is_over(now));
  ASSERT_TRUE(is_accepted(table.pass(1)));
  now = table.wait_for(is_over);
  ASSERT_TRUE(now.score);
  EXPECT_TRUE(now.score->removed.empty()) << "all stones left are alive";
  EXPECT_EQ(now.score->black_half, 2);
  EXPECT_EQ(now.score->white_half, 2 + 15);
}

TEST(EndCases, WhoeverDoesNotListTakesTheOthersList) {
  DaemonProcess daemon;
  auto create = people(9, "chinese");
  create.marking_time = std::chrono::milliseconds(200);
  Table table(daemon.port(), create);
  table.play_all({"E5", "C3", "pass", "pass"});
  ASSERT_TRUE(is_accepted(table.act(1, protocol::ListDead{std::vector<std::string>{"C3"}})));
  const auto now = table.wait_for(is_over);
  EXPECT_EQ(result_of(now), "B+73.5");
}

// Case 20.
TEST(EndCases, AJapaneseDisputeGoesThreeTimesBackToTheBoard) {
  DaemonProcess daemon;
  Table table(daemon.port(), people(9, "japanese"));
  table.play_all({"E5", "C3"});
  for (int dispute = 1; dispute <= 3; ++dispute) {
    ASSERT_TRUE(is_accepted(table.pass(1)));
    ASSERT_TRUE(is_accepted(table.pass(2)));
    ASSERT_TRUE(is_accepted(table.act(1, protocol::MarkChain{"C3"})));
    EXPECT_EQ(reason(table.act(2, protocol::AcceptMarks{})), "not-your-turn");
    ASSERT_TRUE(is_accepted(table.act(1, protocol::ProposeMarks{})));
    ASSERT_TRUE(is_accepted(table.act(2, protocol::DisputeMarks{})));
    const auto now = table.snapshot();
    EXPECT_EQ(now.disputes, dispute);
    EXPECT_EQ(now.turn, Color::Black);
  }
  ASSERT_TRUE(is_accepted(table.pass(1)));
  ASSERT_TRUE(is_accepted(table.pass(2)));
  const auto now = table.snapshot();
  ASSERT_TRUE(now.score);
  EXPECT_EQ(now.score->by, rules::Scoring::Area);
  EXPECT_EQ(now.score->black_half, 2);
  EXPECT_EQ(now.score->white_half, 2 + 13);
}

TEST(EndCases, AJapaneseGameIsCountedByItsMarks) {
  DaemonProcess daemon;
  Table table(daemon.port(), people(9, "japanese"));
  table.play_all({"E5", "C3", "pass", "pass"});
  ASSERT_TRUE(is_accepted(table.act(1, protocol::MarkChain{"C3"})));
  ASSERT_TRUE(is_accepted(table.act(1, protocol::ProposeMarks{})));
  ASSERT_TRUE(is_accepted(table.act(2, protocol::AcceptMarks{})));
  // 80 points and a prisoner, against the komi of 6.5.
  EXPECT_EQ(result_of(table.snapshot()), "B+74.5");
}

/// An engine's answer to `final_status_list dead`.
std::string listing(const std::string& answer) {
  return "final_status_list) printf '" + answer + "\\n\\n' $id;;";
}

TEST(EndCases, AnEngineAnswersAProposalByItsOwnList) {
  for (const auto& [answer, result] : {std::pair{"=%s C3", "B+74.5"},
                                       {"?%s unknown command", "B+74.5"},
                                       {"=%s ", "none"},
                                       {"=%s C3 E5", "none"}}) {
    SCOPED_TRACE(answer);
    TempFolder folder;
    DaemonProcess daemon({scripted_profile(folder, listing(answer), "C3\n")});
    Table table(daemon.port(), with_engine(people(9, "japanese"), 2));
    ASSERT_TRUE(is_accepted(table.play(1, "E5")));
    table.wait_for([](const auto& each) { return each.moves.size() == 2; });
    ASSERT_TRUE(is_accepted(table.pass(1)));
    table.wait_for([](const auto& each) { return each.phase == rules::Phase::Marking; });
    ASSERT_TRUE(is_accepted(table.act(1, protocol::MarkChain{"C3"})));
    ASSERT_TRUE(is_accepted(table.act(1, protocol::ProposeMarks{})));
    const auto now =
        table.wait_for([](const auto& each) { return is_over(each) || each.disputes == 1; });
    EXPECT_EQ(result_of(now), result);
    if (is_over(now)) continue;
    EXPECT_EQ(now.phase, rules::Phase::Play);
    EXPECT_EQ(now.turn, Color::Black) << "the proposer";
  }
}

// White has two eyes at A1 and C1: what the engine lists nobody can kill. All else is white's.
TEST(EndCases, AnEngineProposesItsListWithoutWhatCannotDie) {
  TempFolder folder;
  DaemonProcess daemon({scripted_profile(folder, listing("=%s A2 E5"), "E5\n")});
  Table table(daemon.port(), with_engine(people(5, "japanese"), 1));
  std::size_t moves = 1;
  for (const char* vertex : {"A2", "B2", "C2", "D2", "B1", "D1", "pass"}) {
    table.wait_for([&](const auto& each) { return each.moves.size() == moves; });
    ASSERT_TRUE(is_accepted(vertex == std::string("pass") ? table.pass(2) : table.play(2, vertex)));
    moves += 2;
  }
  auto now =
      table.wait_for([](const auto& each) { return each.marking && each.marking->is_proposed; });
  ASSERT_TRUE(now.marking);
  EXPECT_EQ(now.marking->proposer, Color::Black);
  EXPECT_EQ(now.marking->dead, std::vector{*rules::parse_gtp_vertex("E5", {5, 5})});
  ASSERT_TRUE(is_accepted(table.act(2, protocol::AcceptMarks{})));
  now = table.snapshot();
  ASSERT_TRUE(now.score);
  EXPECT_EQ(now.score->black_half, 0);
  EXPECT_EQ(now.score->white_half, 2 * (25 - 6 + 1) + 13) << "the prisoner on E5 too";
}

// Case 21. Sending two, returning one: white B1 takes C1, A1 joins it, and black C1 takes both.
TEST(EndCases, ALongCycleIsNoResultByOneRuleAndRefusedByAnother) {
  DaemonProcess daemon;
  for (const bool is_japanese : {true, false}) {
    auto create = people(4, is_japanese ? "japanese" : "chinese");
    create.size = {4, 3};
    Table table(daemon.port(), create);
    table.play_all({"A2", "C2", "B2", "D2", "C1", "D1", "pass", "B1", "pass", "A1"});
    const auto again = table.play(1, "C1");
    if (!is_japanese) {
      EXPECT_EQ(reason(again), "superko");
      continue;
    }
    ASSERT_TRUE(is_accepted(again)) << tests::describe(again);
    ASSERT_TRUE(is_accepted(table.act(2, protocol::AskOpponent{rules::AskKind::NoResult, 0})));
    ASSERT_TRUE(is_accepted(table.act(1, protocol::Agree{table.snapshot().asked_seq})));
    const auto now = table.snapshot();
    EXPECT_EQ(result_of(now), "Void");
    EXPECT_EQ(now.result->kind, ResultKind::NoResult);
  }
}

}  // namespace
}  // namespace tengen::daemon
