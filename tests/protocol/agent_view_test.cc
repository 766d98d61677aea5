#include "protocol/agent_view.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/protocol/agent_table.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;
using rules::Refusal;
using rules::Table;

int stones_on(const json::value& board) {
  int stones = 0;
  for (const auto& row : board.as_array()) {
    for (const auto& cell : row.as_array()) stones += cell != 0 ? 1 : 0;
  }
  return stones;
}

/// The members of the view but for the long ones.
json::object short_view(json::object view) {
  view.erase("observation");
  view.erase("legalActions");
  return view;
}

TEST(AgentViewTest, SeatIsTheSlotAndRoleTheColour) {
  Table table = agent_table();
  EXPECT_EQ(json::value(short_view(view_of(table.game, kBlack))), parse(R"({
      "matchId": "g1", "seat": 2, "role": "black", "status": "playing", "yourTurn": true,
      "spectatorUrl": "http://127.0.0.1:8374/watch/g1", "events": []})"));
  EXPECT_EQ(json::value(short_view(view_of(table.game, kWhite))), parse(R"({
      "matchId": "g1", "seat": 1, "role": "white", "status": "playing", "yourTurn": false,
      "spectatorUrl": "http://127.0.0.1:8374/watch/g1", "events": []})"));
}

TEST(AgentViewTest, WaitingViewHasNoRoleAndNothingToDo) {
  Table table = agent_table();
  AgentViewer viewer = viewer_of(kBlack);
  viewer.color.reset();
  const json::object view = view_of(table.game, viewer);
  EXPECT_EQ(json::value(short_view(view)), parse(R"({
      "matchId": "g1", "seat": 2, "role": null, "status": "waiting", "yourTurn": false,
      "spectatorUrl": "http://127.0.0.1:8374/watch/g1", "events": []})"));
  EXPECT_EQ(view.at("legalActions"), json::array());
}

TEST(AgentViewTest, EmptyBoardIsObservedWithZerosAndNulls) {
  Table table = agent_table();
  json::object observation = view_of(table.game, kBlack).at("observation").as_object();
  EXPECT_EQ(stones_on(observation.at("board")), 0);
  observation.erase("board");
  EXPECT_EQ(json::value(observation), parse(R"({
      "kind": "go", "rulesVersion": "go-chinese-19-0.3", "size": 19, "komi": 7.5,
      "toMove": "black", "lastMove": null, "consecutivePasses": 0,
      "captures": {"black": 0, "white": 0}, "scores": null})"));
}

// Q is the 16th column without I, so x = 15; row 16 is the 4th from the top, so y = 3.
TEST(AgentViewTest, PointsCountFromTheTopLeft) {
  Table table = agent_table();
  play_on(table, {"Q16", "A1", "T19", "R5"});
  const json::object view = view_of(table.game, kBlack);
  const json::value& board = view.at("observation").at("board");
  EXPECT_EQ(board.at(3).at(15), 1);
  EXPECT_EQ(board.at(18).at(0), 2);
  EXPECT_EQ(board.at(0).at(18), 1);
  EXPECT_EQ(board.at(14).at(16), 2);
  EXPECT_EQ(stones_on(board), 4);
  EXPECT_EQ(view.at("observation").at("lastMove"),
            parse(R"({"type": "place", "x": 16, "y": 14, "seat": "white"})"));
  EXPECT_EQ(view.at("observation").at("toMove"), "black");
}

TEST(AgentViewTest, LegalActionsAreRowByRowWithThePassLast) {
  Table table = agent_table();
  play_on(table, {"A19", "C19"});
  const json::object view = view_of(table.game, kBlack);
  const json::array& actions = view.at("legalActions").as_array();
  ASSERT_EQ(actions.size(), 361u - 2 + 1);
  EXPECT_EQ(actions[0], parse(R"({"type": "place", "x": 1, "y": 0})"));
  EXPECT_EQ(actions[1], parse(R"({"type": "place", "x": 3, "y": 0})"));
  EXPECT_EQ(actions[17], parse(R"({"type": "place", "x": 0, "y": 1})"));
  EXPECT_EQ(actions.back(), parse(R"({"type": "pass"})"));
  EXPECT_EQ(view_of(table.game, kWhite).at("legalActions"), json::array());
}

// White may neither retake the ko at D4 (3,15) nor commit suicide at A19 (0,0).
TEST(AgentViewTest, ForbiddenPlacementsAreNotOffered) {
  Table table = agent_table();
  play_on(table, {"C4", "F4", "D5", "E5", "D3", "E3", "A18", "Q16", "B19", "D4", "E4"});
  const json::object view = view_of(table.game, kWhite);
  const json::array& actions = view.at("legalActions").as_array();
  const int stones = 10;
  EXPECT_EQ(actions.size(), 361u - stones - 2 + 1);
  for (const json::value& action : actions) {
    EXPECT_NE(action, parse(R"({"type": "place", "x": 3, "y": 15})"));
    EXPECT_NE(action, parse(R"({"type": "place", "x": 0, "y": 0})"));
  }
  EXPECT_EQ(view.at("observation").at("captures"), parse(R"({"black": 1, "white": 0})"));
}

TEST(AgentViewTest, PassIsSeenAsTheLastMove) {
  Table table = agent_table();
  play_on(table, {"pass"});
  const json::object view = view_of(table.game, kWhite);
  EXPECT_EQ(view.at("observation").at("lastMove"), parse(R"({"type": "pass", "seat": "black"})"));
  EXPECT_EQ(view.at("observation").at("consecutivePasses"), 1);
  play_on(table, {"Q16"});
  EXPECT_EQ(view_of(table.game, kWhite).at("observation").at("consecutivePasses"), 0);
}

TEST(AgentViewTest, NothingMayBeDoneWhileTheGameIsPaused) {
  Table table = agent_table();
  ASSERT_EQ(table.game.ask(kWhite, rules::AskKind::Pause, 0, table.stamp()), Refusal::None);
  ASSERT_EQ(table.game.pause(kWhite, table.stamp()), Refusal::None);
  const json::object view = view_of(table.game, kBlack);
  EXPECT_EQ(view.at("yourTurn"), false);
  EXPECT_EQ(view.at("legalActions"), json::array());
}

TEST(AgentViewTest, LatestActIsTheViewersOwn) {
  Table table = agent_table();
  AgentViewer viewer = viewer_of(kBlack);
  EXPECT_FALSE(view_of(table.game, viewer).contains("lastActionResult"));
  viewer.last_act = LastAct{true, ""};
  EXPECT_EQ(view_of(table.game, viewer).at("lastActionResult"), parse(R"({"accepted": true})"));
  viewer.last_act = LastAct{false, "occupied"};
  EXPECT_EQ(view_of(table.game, viewer).at("lastActionResult"),
            parse(R"({"accepted": false, "reason": "occupied"})"));
}

TEST(AgentViewTest, RefusalTellsWhatMayBeDoneNow) {
  Table table = agent_table();
  play_on(table, {"A19"});
  const json::value white = parse(refused_act_json(table.game, viewer_of(kWhite), "occupied"));
  EXPECT_EQ(white.at("error"), "occupied");
  EXPECT_EQ(white.at("legalActions").as_array().size(), 361u);
  EXPECT_EQ(parse(refused_act_json(table.game, viewer_of(kBlack), "not your turn")),
            parse(R"({"error": "not your turn", "legalActions": []})"));
  EXPECT_EQ(parse(agent_error_json("a \"b\"")), parse(R"({"error": "a \"b\""})"));
}

// One black stone borders the whole board; white has the komi.
TEST(AgentViewTest, TwoPassesEndTheGameWithAreaScores) {
  Table table = agent_table();
  play_on(table, {"Q16", "pass", "pass"});
  const json::object view = view_of(table.game, kWhite);
  EXPECT_EQ(view.at("status"), "ended");
  EXPECT_EQ(view.at("role"), "white");
  EXPECT_EQ(view.at("yourTurn"), false);
  EXPECT_EQ(view.at("legalActions"), json::array());
  EXPECT_EQ(view.at("observation").at("toMove"), nullptr);
  EXPECT_EQ(view.at("observation").at("consecutivePasses"), 2);
  EXPECT_EQ(view.at("observation").at("scores"), parse(R"({"black": 361, "white": 7.5})"));
  EXPECT_EQ(view.at("ended"), parse(R"({"reason": "score", "winnerSeat": "black", "standings": [
      {"seat": "black", "score": 361}, {"seat": "white", "score": 7.5}]})"));
}

TEST(AgentViewTest, EmptyBoardIsWhitesByTheKomi) {
  Table table = agent_table();
  play_on(table, {"pass", "pass"});
  EXPECT_EQ(view_of(table.game, kBlack).at("ended"),
            parse(R"({"reason": "score", "winnerSeat": "white", "standings": [
      {"seat": "white", "score": 7.5}, {"seat": "black", "score": 0}]})"));
}

TEST(AgentViewTest, NumbersAreWrittenAsPeopleWriteThem) {
  Table table = agent_table();
  play_on(table, {"pass", "pass"});
  const std::string text = agent_view_json(table.game, viewer_of(kBlack));
  EXPECT_NE(text.find(R"("komi":7.5,)"), text.npos);
  EXPECT_NE(text.find(R"("scores":{"black":0,"white":7.5})"), text.npos);
}

struct End {
  std::string_view reason;
  Refusal (*happens)(rules::Game&, const rules::Stamp&);
};

// Black is the one who loses; it is black's turn.
constexpr End kEnds[] = {
    {"resign", [](rules::Game& game, const rules::Stamp& at) { return game.resign(kBlack, at); }},
    {"leave",
     [](rules::Game& game, const rules::Stamp& at) { return game.forfeit(kBlack, "left", at); }},
    {"timeout",
     [](rules::Game& game, const rules::Stamp& at) { return game.time_out(kBlack, at); }},
    {"departure",
     [](rules::Game& game, const rules::Stamp& at) { return game.abandon(kBlack, at); }},
};

TEST(AgentViewTest, AnyOtherEndHasNoScoresAndStandingsOfOneAndZero) {
  for (const End& end : kEnds) {
    rules::Header header = agent_header();
    header.clock.system = rules::ClockSystem::Absolute;
    header.clock.main = std::chrono::seconds(10);
    Table table = agent_table(header);
    play_on(table, {"Q16", "R5"});
    ASSERT_EQ(end.happens(table.game, table.stamp()), Refusal::None) << end.reason;
    const json::object view = view_of(table.game, kBlack);
    EXPECT_EQ(view.at("status"), "ended");
    EXPECT_EQ(view.at("legalActions"), json::array());
    EXPECT_EQ(view.at("observation").at("scores"), nullptr);
    EXPECT_EQ(view.at("observation").at("toMove"), nullptr);
    json::value expected = parse(R"({"winnerSeat": "white", "standings": [
        {"seat": "white", "score": 1}, {"seat": "black", "score": 0}]})");
    expected.as_object()["reason"] = end.reason;
    EXPECT_EQ(view.at("ended"), expected);
  }
}

TEST(AgentViewTest, EngineThatFailsHasDeparted) {
  rules::Header header = agent_header();
  header.seats[1].kind = rules::SeatKind::Engine;  // slot 2 is white
  header.seats[1].profile = "gnugo";
  Table table = agent_table(header);
  ASSERT_EQ(table.game.forfeit(kWhite, "the engine failed", table.stamp()), Refusal::None);
  EXPECT_EQ(view_of(table.game, kBlack).at("ended"),
            parse(R"({"reason": "departure", "winnerSeat": "black", "standings": [
      {"seat": "black", "score": 1}, {"seat": "white", "score": 0}]})"));
}

TEST(AgentViewTest, AnnulledGameHasNoWinnerAndNoStandings) {
  Table table = agent_table();
  ASSERT_EQ(table.game.annul(std::nullopt, "", table.stamp()), Refusal::None);
  const json::value expected =
      parse(R"({"reason": "annulled", "winnerSeat": null, "standings": []})");
  EXPECT_EQ(view_of(table.game, kBlack).at("ended"), expected);
  AgentViewer nobody = viewer_of(kBlack);
  nobody.color.reset();
  EXPECT_EQ(view_of(table.game, nobody).at("status"), "ended");
  EXPECT_EQ(view_of(table.game, nobody).at("role"), nullptr);
}

TEST(AgentViewTest, MoveLimitIsAScoredEndWithoutTwoPasses) {
  rules::Header header = agent_header();
  header.rules.move_limit = 2;
  Table table = agent_table(header);
  play_on(table, {"Q16", "pass"});
  const json::object view = view_of(table.game, kBlack);
  EXPECT_EQ(view.at("ended").at("reason"), "score");
  EXPECT_EQ(view.at("observation").at("consecutivePasses"), 1);
}

}  // namespace
}  // namespace tengen::protocol
