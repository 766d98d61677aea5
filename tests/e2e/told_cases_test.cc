// Faults that people who run Go servers have reported of what engines are told: what is no move,
// what was taken back, and how much time there is. Long waits are scaled down.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/support/daemon_process.h"
#include "tests/support/dictated_engine.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using rules::Color;
using tests::DaemonProcess;
using tests::dictated_engine;
using tests::lines_with;
using tests::Player;
using tests::shell_profile;
using tests::TempFolder;

using Lines = std::vector<std::string>;

protocol::CreateGame timed(protocol::CreateGame create, std::string_view time) {
  create.time = std::get<rules::TimeControl>(rules::parse_time_control(time));
  return create;
}
protocol::CreateGame against_dictated() {
  return tests::game_of(9, tests::human_seat(), tests::engine_seat("dictated"));
}
protocol::CreateGame dictated_begins() {
  return tests::game_of(9, tests::engine_seat("dictated"), tests::human_seat());
}

/// The board as the daemon shows it.
Lines rows_of(Player& player) {
  return player.caller().expect<protocol::Snapshot>(protocol::GetSnapshot{player.id()}).rows;
}

/// The stones that GNU Go has on its board after all that a process was told and answered.
Lines rows_by_gnugo(const Lines& told) {
  std::string script;
  for (const auto& line : told) {
    const std::string word = line.substr(0, line.find(' '));
    if (word == "answer") script += "play" + line.substr(word.size()) + "\n";
    if (word == "boardsize" || word == "clear_board" || word == "play" || word == "undo") {
      script += line + "\n";
    }
  }
  const auto ran =
      tests::run({"gnugo", "--mode", "gtp"},
                 script + "list_stones black\nlist_stones white\nquit\n", tests::kEventually);
  EXPECT_EQ(ran.out.find('?'), std::string::npos) << "GNU Go refuses: " << ran.out;
  Lines answers;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("= ")) answers.push_back(line.substr(2));
  }
  Lines rows(9, std::string(9, '.'));
  for (const auto& [list, stone] : {std::pair{3, 'X'}, {2, 'O'}}) {
    std::istringstream vertices(answers.at(answers.size() - static_cast<std::size_t>(list)));
    for (std::string vertex; vertices >> vertex;) {
      const auto column = std::string_view("ABCDEFGHJ").find(vertex.front());
      rows.at(static_cast<std::size_t>('9' - vertex.at(1))).at(column) = stone;
    }
  }
  return rows;
}

/// What the process was told that was asked last; `answers` by it so far.
Lines told_to(const TempFolder& folder, std::size_t answers) {
  for (const auto& each : tests::told_by_process(folder)) {
    if (lines_with("answer", each.lines).size() == answers) return each.lines;
  }
  ADD_FAILURE() << "no process has given so many answers: " << answers;
  return {};
}

// Case 15. Black's eleventh move is a resignation, of an engine that has only been told the game so
// far: the one before it hung. White's tenth was a pass.
TEST(ToldCases, APassIsToldAsAPlayAndAResignationNever) {
  const TempFolder folder;
  folder.write("answers", "C3\nD3\nE3\nF3\nG3\nhang\nresign\n");
  DaemonProcess daemon({shell_profile("dictated", dictated_engine(folder),
                                      "processes_max = 1\nsearch_limit_ms = 500\n")});
  Player player(daemon.port(), dictated_begins());
  for (const char* vertex : {"C7", "D7", "E7", "F7"}) {
    ASSERT_TRUE(player.wait_for_turn());
    player.act(player.play_request(vertex));
  }
  ASSERT_TRUE(player.wait_for_turn());
  player.pass();
  ASSERT_TRUE(player.wait_for_turn());
  const auto game = player.game();
  ASSERT_TRUE(game.is_finished());
  EXPECT_EQ(rules::result_text(*game.result()), "W+R");
  EXPECT_EQ(game.record().moves().size(), 10u) << "a resignation is no move";
  EXPECT_EQ(std::count_if(game.events().begin(), game.events().end(),
                          [](const auto& each) {
                            return std::holds_alternative<rules::Resigned>(each.body);
                          }),
            1);
  const auto told = told_to(folder, 1);
  EXPECT_EQ(lines_with("play", told),
            (Lines{"play B C3", "play W C7", "play B D3", "play W D7", "play B E3", "play W E7",
                   "play B F3", "play W F7", "play B G3", "play W pass"}));
  EXPECT_EQ(lines_with("answer", told), Lines{"answer B resign"});

  // What is over is not taken back, and no engine hears of it.
  const auto before = tests::told_lines(folder);
  const auto refused = player.caller().expect_error(
      protocol::GameAct{player.id(), 0, tests::fresh_request_id(), game.position_seq(),
                        protocol::AskOpponent{rules::AskKind::Undo, 2}});
  EXPECT_EQ(refused.code, protocol::ErrorCode::GameOver);
  EXPECT_EQ(tests::told_lines(folder), before);
}

// Case 15. A person who resigns; the next game is on the same process.
TEST(ToldCases, APersonsResignationIsNotHeardOfInTheNextGame) {
  const TempFolder folder;
  folder.write("answers", "C3\nD3\n");
  DaemonProcess daemon({shell_profile("dictated", dictated_engine(folder), "processes_max = 1\n")});
  for (const char* vertex : {"E5", "F5"}) {
    Player player(daemon.port(), against_dictated());
    player.act(player.play_request(vertex));
    ASSERT_TRUE(player.wait_for_turn());
    EXPECT_EQ(rows_by_gnugo(tests::told_lines(folder)), rows_of(player));
    player.act(protocol::Resign{player.id(), 0, tests::fresh_request_id()});
    ASSERT_TRUE(player.wait_for_turn());
    EXPECT_EQ(rules::result_text(*player.game().result()), "W+R");
  }
  for (const auto& line : tests::told_lines(folder)) {
    EXPECT_EQ(line.find("resign"), std::string::npos) << line;
  }
}

// Case 15. Moves are taken back over a pass of either side, by engines that are told so and by
// those that are told the game anew.
TEST(ToldCases, AfterAnUndoOverPassesTheEnginesBoardIsTheGames) {
  for (const std::string undo_max : {"0", "8"}) {
    const TempFolder folder;
    folder.write("answers", "C3\nD3\nE3\nF3\nG3\nH3\npass\nJ3\nA3\nB3\n");
    DaemonProcess daemon({shell_profile("dictated", dictated_engine(folder),
                                        "processes_max = 1\nundo_max = " + undo_max + "\n")});
    Player player(daemon.port(), against_dictated());
    for (const char* vertex : {"C7", "D7", "E7", "F7", "G7", "H7", "J7", "A7"}) {
      player.act(player.play_request(vertex));
      ASSERT_TRUE(player.wait_for_turn());
    }
    player.pass();
    ASSERT_TRUE(player.wait_for_turn());
    // Those of the ninth round, black's pass and A3, and of the two before with white's pass.
    player.act(protocol::GameAct{player.id(), 0, tests::fresh_request_id(),
                                 player.game().position_seq(),
                                 protocol::AskOpponent{rules::AskKind::Undo, 6}});
    const auto agreed = [&] {
      (void)player.wait_for_turn(0ms);
      return player.game().record().moves().size() == 12;
    };
    ASSERT_TRUE(tests::wait_until(agreed, tests::kEventually));
    player.act(player.play_request("E5"));
    ASSERT_TRUE(player.wait_for_turn());
    EXPECT_EQ(rows_of(player),
              (Lines{".........", ".........", "..XXXXXX.", ".........", "....X....", ".........",
                     ".OOOOOOO.", ".........", "........."}));
    EXPECT_EQ(rows_by_gnugo(tests::told_lines(folder)), rows_of(player)) << "undo_max " << undo_max;
    EXPECT_EQ(lines_with("undo", tests::told_lines(folder)).size(), undo_max == "0" ? 0u : 6u);
  }
}

/// What each dialect calls its command, and a number of seconds in it.
std::string clocked_profile(const TempFolder& folder, const std::string& dialect,
                            const std::string& more = "") {
  return shell_profile(
      "dictated", dictated_engine(folder),
      "processes_max = 1\nhonours_clock = true\nclock = \"" + dialect + "\"\n" + more);
}

const std::regex kWholeNumbers("time_left [BW] [0-9]+ [0-9]+");

/// Every time told was a non-negative whole number of seconds.
void expect_whole_numbers(const Lines& told) {
  for (const auto& line : lines_with("time_left", told)) {
    EXPECT_TRUE(std::regex_match(line, kWholeNumbers)) << line;
  }
}

std::chrono::nanoseconds running(const protocol::Snapshot& now) {
  return now.clocks->faces[0].period_left - now.clocks->elapsed;
}

// Case 16: ten stones in 60 s, the tenth with 12 s left, and all that fifteen times faster.
TEST(ToldCases, TheLastStoneOfACanadianPeriodBeginsAFreshOne) {
  const TempFolder folder;
  folder.write("answers", "A1\nB1\nC1\nD1\nE1\nF1\nG1\nH1\nJ1\nA3\nB3\n");
  DaemonProcess daemon({clocked_profile(folder, "gtp")});
  Player player(daemon.port(), timed(against_dictated(), "canadian:0+10/4"));
  const auto snapshot = [&] {
    return player.caller().expect<protocol::Snapshot>(protocol::GetSnapshot{player.id()});
  };
  for (const char* vertex : {"A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "J9"}) {
    player.act(player.play_request(vertex));
    ASSERT_TRUE(player.wait_for_turn());
  }
  EXPECT_EQ(player.game().clocks()[0].stones_left, 1);
  EXPECT_LT(player.game().clocks()[0].period_left, 4s);
  ASSERT_TRUE(tests::wait_until([&] { return running(snapshot()) <= 800ms; }, tests::kEventually));
  EXPECT_GT(running(snapshot()), 0ms);
  player.act(player.play_request("A7"));
  ASSERT_TRUE(player.wait_for_turn());

  // On the wire: in the events, and in a snapshot.
  const auto game = player.game();
  const auto tenth = std::find_if(game.events().begin(), game.events().end(), [](const auto& each) {
    const auto* played = std::get_if<rules::Played>(&each.body);
    return played != nullptr && played->left == rules::ClockFace{0ns, 4s, 0, 10};
  });
  ASSERT_NE(tenth, game.events().end());
  EXPECT_EQ(std::get<rules::Played>(tenth->body).color, Color::Black);
  EXPECT_EQ(snapshot().clocks->faces[0], (rules::ClockFace{0ns, 4s, 0, 10}));
  EXPECT_EQ(snapshot().clocks->faces[1], (rules::ClockFace{0ns, 4s, 0, 10})) << "white's tenth";

  // To the engine, before each of its moves.
  const auto told = tests::told_lines(folder);
  expect_whole_numbers(told);
  EXPECT_EQ(lines_with("time_settings", told).back(), "time_settings 0 4 10");
  const auto black = lines_with("time_left B", told);
  ASSERT_EQ(black.size(), 10u);
  EXPECT_EQ(black.back(), "time_left B 4 10");
  const auto white = lines_with("time_left W", told);
  ASSERT_EQ(white.size(), 10u);
  for (std::size_t i = 0; i < white.size(); ++i) {
    EXPECT_TRUE(white[i].ends_with(" " + std::to_string(10 - i))) << white[i];
  }
  player.act(player.play_request("B7"));
  ASSERT_TRUE(player.wait_for_turn());
  // Of 4 s a quarter is kept back for another engine (docs/engines.md).
  EXPECT_EQ(lines_with("time_left W", tests::told_lines(folder)).back(), "time_left W 3 10");
}

// Case 16: 60 s and 10 more a move, but never more than 65. GTP knows no increments: one move in 10
// s of overtime, which are taken off the main time.
TEST(ToldCases, AFischerClockStopsAtItsCap) {
  struct Words {
    std::string dialect, settings, left;
  };
  for (const auto& words :
       {Words{"gtp", "time_settings 50 10 1", "time_left B 55 0"},
        Words{"kgs", "kgs-time_settings canadian 50 10 1", "time_left B 55 0"},
        Words{"kata", "kata-time_settings fischer-capped 60 10 65 -1", "time_left B 65 0"}}) {
    const TempFolder folder;
    folder.write("answers", "C3\n");
    DaemonProcess daemon({clocked_profile(folder, words.dialect)});
    Player player(daemon.port(), timed(against_dictated(), "fischer:60+10/65"));
    player.act(player.play_request("E5"));
    ASSERT_TRUE(player.wait_for_turn());
    const auto game = player.game();
    for (const auto& face : game.clocks()) EXPECT_EQ(face.main_left, 65s);
    const auto told = tests::told_lines(folder);
    EXPECT_EQ(lines_with(words.settings, told).size(), 1u) << words.settings;
    EXPECT_EQ(lines_with("time_left B", told), Lines{words.left});
  }
}

// Case 16.
TEST(ToldCases, FourTenthsOfASecondAreToldAsAWholeNumber) {
  for (const std::string dialect : {"gtp", "kgs"}) {
    const TempFolder folder;
    DaemonProcess daemon({clocked_profile(folder, dialect)});
    std::size_t games = 0;
    for (const char* time : {"fischer:0.4+0.4", "byoyomi:0+1x0.4", "byoyomi:0.4+2x0.4",
                             "canadian:0+1/0.4", "permove:0.4"}) {
      Player player(daemon.port(), timed(dictated_begins(), time));
      ++games;
      ASSERT_TRUE(tests::wait_until(
          [&] { return lines_with("genmove", tests::told_lines(folder)).size() >= games; },
          tests::kEventually))
          << time;
      EXPECT_GE(lines_with("time_left B", tests::told_lines(folder)).size(), games) << time;
      ASSERT_TRUE(player.wait_for_turn());
      const auto game = player.game();
      for (const auto& face : game.clocks()) {
        EXPECT_GE(face.main_left, 0ns);
        EXPECT_GE(face.period_left, 0ns);
      }
      player.caller().ask(protocol::Resign{player.id(), 0, tests::fresh_request_id()});
    }
    const auto told = tests::told_lines(folder);
    expect_whole_numbers(told);
    EXPECT_EQ(lines_with("time_left B", told).front(), "time_left B 0 1");
    EXPECT_EQ(lines_with("time_left W", told).front(), "time_left W 0 1");
  }
}

// Case 16. The clock of the game before is not the next one's.
TEST(ToldCases, NoLimitIsSaidSoAndInAnotherWayToWhoeverItConfuses) {
  struct Words {
    std::string dialect, more, settings;
  };
  const std::string large = "no_limit = \"large-absolute\"\n";
  for (const auto& words :
       {Words{"gtp", "", "time_settings 0 1 0"}, Words{"gtp", large, "time_settings 2000000 0 0"},
        Words{"kgs", "", "kgs-time_settings none"},
        Words{"kgs", large, "kgs-time_settings absolute 2000000"},
        Words{"kata", "", "kata-time_settings none"},
        Words{"kata", large, "kata-time_settings absolute 2000000"}}) {
    const TempFolder folder;
    folder.write("answers", "C3\nC3\n");
    DaemonProcess daemon({clocked_profile(folder, words.dialect, words.more)});
    for (const char* time : {"absolute:60", "none"}) {
      Player player(daemon.port(), timed(against_dictated(), time));
      player.act(player.play_request("E5"));
      ASSERT_TRUE(player.wait_for_turn());
      player.act(protocol::Resign{player.id(), 0, tests::fresh_request_id()});
    }
    const auto told = tests::told_lines(folder);
    const auto last = std::find(told.rbegin(), told.rend(), "clear_board").base();
    const Lines of_last(last, told.end());
    EXPECT_EQ(lines_with(words.settings, of_last), Lines{words.settings});
    EXPECT_EQ(lines_with("time_left", of_last), Lines{});
  }
}

}  // namespace
}  // namespace tengen::daemon
