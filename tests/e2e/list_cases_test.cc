// Games that end by comparing lists of dead stones (document 003), through a real socket: GNU Go
// against itself, and engines that are told what to list, so that each agreement, disagreement and
// fallback is reached.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "tests/support/daemon_process.h"
#include "tests/support/dictated_engine.h"
#include "tests/support/gnugo_verdict.h"
#include "tests/support/ledger.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using rules::Color;
using tests::Caller;
using tests::DaemonProcess;
using tests::TempFolder;

/// A game that goes on between two engines.
struct Followed {
  rules::Header header;
  tests::Ledger ledger;

  rules::Game game() const {
    auto replayed = rules::Game::replay(header, ledger.events());
    if (const auto* error = std::get_if<rules::ReplayError>(&replayed)) {
      throw std::runtime_error("it does not replay: " + error->reason);
    }
    return std::get<rules::Game>(std::move(replayed));
  }
  template <typename Body>
  std::vector<Body> all() const {
    std::vector<Body> found;
    for (const auto& event : ledger.events()) {
      if (const auto* body = std::get_if<Body>(&event.body)) found.push_back(*body);
    }
    return found;
  }
};

Followed follow(Caller& caller, const protocol::CreateGame& create) {
  Followed followed;
  const auto id = caller.expect<protocol::GameCreated>(create).game;
  followed.header = caller.expect<protocol::Snapshot>(protocol::GetSnapshot{id}).header;
  const auto start = caller.expect<protocol::Subscribed>(protocol::Subscribe{id, 0});
  const auto wrong = followed.ledger.take(std::get<protocol::GameEvents>(start.start).events);
  if (wrong) throw std::runtime_error(*wrong);
  return followed;
}

void read_to_the_end(Caller& caller, std::vector<Followed>& games) {
  const auto is_over = [](const Followed& each) { return each.ledger.is_finished(); };
  while (!std::all_of(games.begin(), games.end(), is_over)) {
    const auto events = caller.pushed(tests::kEventually);
    if (!events) throw std::runtime_error("nothing comes any more");
    for (auto& each : games) {
      if (each.header.id != events->game) continue;
      if (const auto wrong = each.ledger.take(events->events)) throw std::runtime_error(*wrong);
    }
  }
}

// A seed makes a game the same again. With these there are dead stones each time; the stronger GNU
// Go that is asked for the score finds the same, and none in seki, where its score would be no
// oracle for area.
TEST(ListCases, TenGamesOfGnuGoEndByTheListsOfBothSides) {
  DaemonProcess daemon;
  Caller caller(daemon.port());
  const auto engine = tests::engine_seat("gnugo", {{"level", "1"}});
  std::vector<Followed> games;
  for (const int seed : {2, 4, 5, 8, 10, 12, 13, 14, 17, 18}) {
    auto create = tests::game_of(9, engine, engine);
    create.seed.emplace().fill(static_cast<std::uint8_t>(seed));
    games.push_back(follow(caller, create));
  }
  read_to_the_end(caller, games);
  for (const auto& each : games) {
    SCOPED_TRACE("game " + std::to_string(&each - games.data()));
    const auto stops = each.all<rules::Stopped>();
    ASSERT_EQ(stops.size(), 1u);
    EXPECT_EQ(stops[0].reason, rules::StopReason::TwoPasses);
    auto lists = each.all<rules::DeadListed>();
    ASSERT_EQ(lists.size(), 2u);
    EXPECT_NE(lists[0].color, lists[1].color);
    ASSERT_TRUE(lists[0].points);
    EXPECT_EQ(lists[0].points, lists[1].points);
    EXPECT_TRUE(each.all<rules::Continued>().empty());
    EXPECT_EQ(each.all<rules::Scored>().at(0).removed, lists[0].points);
    EXPECT_FALSE(lists[0].points->empty()) << "the list decides nothing";
    const auto game = each.game();
    const auto verdict = tests::gnugo_verdict(game);
    EXPECT_FALSE(verdict.has_seki);
    EXPECT_EQ(tests::gnugo_score_text(*game.result()), verdict.score);
  }
}

// What an engine answers, as commands of the shell.
std::string says(const std::string& text) { return "printf '=%s " + text + "\\n\\n' $id"; }
const std::string kUnknown = "printf '?%s unknown command\\n\\n' $id";
const std::string kPasses = says("pass");
/// One after the other in the file of this name, then passes.
std::string dictated(const std::string& file) {
  return "move=$(sed -n 1p " + file + "); sed -i 1d " + file +
         "; printf '=%s %s\\n\\n' $id \"${move:-pass}\"";
}

struct Side {
  std::string list;
  std::string cleanup = kPasses;
};

/// An engine that plays what its side is given and writes down what it is told.
std::string profile_of(const TempFolder& folder, const std::string& name, const Side& side) {
  return tests::shell_profile(
      name,
      "cd \"" + folder.path().string() + "\"; while read -r id command rest; do echo $command >> " +
          name + ".told; case $command in quit) printf '=%s\\n\\n' $id; exit 0;; genmove) " +
          dictated(name) + ";; kgs-genmove_cleanup) " + side.cleanup + ";; final_status_list) " +
          side.list + ";; *) printf '=%s \\n\\n' $id;; esac; done",
      "list_limit_ms = 500\nprocesses_max = 1\n");
}

// Black has E5 and E6, white C3 and C4, and then both pass, black first. By area that is 2 to 2
// with all alive, 81 to 0 with white dead, 0 to 81 with black dead; the komi is 7.5.
const std::string kBlack = "E5\nE6\npass\n";
const std::string kWhite = "C3\nC4\npass\n";
const std::string kAllAlive = "W+7.5";
const std::string kWhiteDead = "B+73.5";
const std::string kBlackDead = "W+88.5";
/// The liberties of white's stones. Taking them needs every one; white passes each time.
const std::string kTaking = "C2\nB3\nD3\nB4\nD4\nC5\n";

enum class Then { Counted, Cleanup };

struct ListsCase {
  std::string name;
  Side black;
  Side white;
  Then then = Then::Counted;
  std::string result;
  std::string black_later;                    // moves of black's after the stop, by plain genmove
  std::vector<std::string> asked_of_black{};  // for a move after the lists, in cleanup
};
void PrintTo(const ListsCase& each, std::ostream* out) { *out << each.name; }

class TwoEnginesList : public testing::TestWithParam<ListsCase> {};

TEST_P(TwoEnginesList, AndTheGameEndsAsDocument003Says) {
  const auto& each = GetParam();
  const TempFolder folder;
  folder.write("black", kBlack + each.black_later);
  folder.write("white", kWhite);
  folder.write("taking", kTaking);
  DaemonProcess daemon(
      {profile_of(folder, "black", each.black) + profile_of(folder, "white", each.white)});
  Caller caller(daemon.port());
  std::vector<Followed> games{
      follow(caller, tests::game_of(9, tests::engine_seat("black"), tests::engine_seat("white")))};
  read_to_the_end(caller, games);
  const auto& game = games.front();

  EXPECT_EQ(rules::result_text(game.all<rules::Finished>().at(0).result), each.result);
  const auto lists = game.all<rules::DeadListed>();
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_NE(lists[0].color, lists[1].color);
  const auto goes_on = game.all<rules::Continued>();
  ASSERT_EQ(goes_on.size(), each.then == Then::Cleanup ? 1u : 0u);
  if (each.then == Then::Counted) return;
  EXPECT_EQ(goes_on[0].reason, rules::ContinueReason::Cleanup);
  EXPECT_TRUE(game.all<rules::Scored>().at(0).removed.empty()) << "what is left is alive";
  const auto& first = *std::find_if(game.ledger.events().begin(), game.ledger.events().end(),
                                    [is_on = false](const rules::Event& event) mutable {
                                      if (is_on) return true;
                                      is_on = std::holds_alternative<rules::Continued>(event.body);
                                      return false;
                                    });
  const auto* play = std::get_if<rules::Played>(&first.body);
  const auto* pass = std::get_if<rules::Passed>(&first.body);
  ASSERT_TRUE(play != nullptr || pass != nullptr);
  EXPECT_EQ(play != nullptr ? play->color : pass->color, Color::Black) << "white passed last";
  const auto told = tests::read_text(folder.file("black.told"));
  const auto after = told.substr(told.find("final_status_list"));
  for (const auto& command : each.asked_of_black) {
    EXPECT_NE(after.find(command + "\n"), std::string::npos) << command << " in\n" << after;
  }
}

INSTANTIATE_TEST_SUITE_P(
    ListCases, TwoEnginesList,
    testing::Values(
        ListsCase{"EqualListsAreLifted",
                  {says("C3 C4")},
                  {says("C4\\nC3")},
                  Then::Counted,
                  kWhiteDead,
                  ""},
        ListsCase{"OneStoneIsItsChain", {says("C3")}, {says("C4")}, Then::Counted, kWhiteDead, ""},
        ListsCase{"BothListTheOtherColour",
                  {says("E6 E5")},
                  {says("E5 E6")},
                  Then::Counted,
                  kBlackDead,
                  ""},
        ListsCase{"EmptyListsLiftNothing", {says("")}, {says("")}, Then::Counted, kAllAlive, ""},
        ListsCase{"DeadStonesAreTakenInCleanup",
                  {says("C3 C4"), dictated("taking")},
                  {says("")},
                  Then::Cleanup,
                  kWhiteDead,
                  "",
                  {"kgs-genmove_cleanup"}},
        ListsCase{"WhatNobodyTakesIsAlive",
                  {says("C3 C4")},
                  {says("E5 E6")},
                  Then::Cleanup,
                  kAllAlive,
                  "",
                  {"kgs-genmove_cleanup"}},
        ListsCase{"WithoutCleanupPlainMovesAreAskedFor",
                  {says("C3 C4"), kUnknown},
                  {says(""), kUnknown},
                  Then::Cleanup,
                  kWhiteDead,
                  kTaking,
                  {"kgs-genmove_cleanup", "genmove"}},
        ListsCase{"BlackCannotListAndTakesWhites",
                  {kUnknown},
                  {says("E5")},
                  Then::Counted,
                  kBlackDead,
                  ""},
        ListsCase{"WhiteCannotListAndTakesBlacks",
                  {says("C3")},
                  {kUnknown},
                  Then::Counted,
                  kWhiteDead,
                  ""},
        ListsCase{
            "NeitherCanListAndAllIsAlive", {kUnknown}, {kUnknown}, Then::Counted, kAllAlive, ""},
        ListsCase{"WhoDiesOfTheQuestionTakesTheOthers",
                  {says("C3")},
                  {"exit 3"},
                  Then::Counted,
                  kWhiteDead,
                  ""},
        ListsCase{"WhoIsLateTakesTheOthers",
                  {"exec sleep 600"},
                  {says("E5")},
                  Then::Counted,
                  kBlackDead,
                  ""},
        ListsCase{
            "AnEmptyPointIsNoList", {says("C3")}, {says("G7")}, Then::Counted, kWhiteDead, ""},
        ListsCase{
            "RubbishIsNoList", {says("C3")}, {says("all of them")}, Then::Counted, kWhiteDead, ""}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace tengen::daemon
