// Positions are drawn by hand; points in the expected events count from the top left, so that D4 is
// (3,15) and A19 (0,0).
#include "protocol/agent_events.h"

#include <gtest/gtest.h>

#include "tests/protocol/agent_table.h"

namespace tengen::protocol {
namespace {

namespace json = boost::json;
using rules::Table;

void expect_events(const Table& table, rules::Color color, std::string_view events) {
  EXPECT_EQ(view_of(table.game, color).at("events"), parse(events));
}

TEST(AgentEventsTest, QuietMovesHaveNone) {
  Table table = agent_table();
  play_on(table, {"Q16", "D4", "R5"});
  expect_events(table, kBlack, "[]");
  expect_events(table, kWhite, "[]");
}

// White's last move fills its own corner stone's liberty: the atari is of the mover's own chain.
TEST(AgentEventsTest, AtariNamesTheChainsColourEvenTheMovers) {
  Table table = agent_table();
  play_on(table, {"A18", "A19"});
  expect_events(table, kWhite, R"([{"type": "atari", "relation": "self", "actor": "white", "data": {
      "stones": [{"x": 0, "y": 0}], "liberties": [{"x": 1, "y": 0}], "seat": "white"}}])");
  expect_events(table, kBlack,
                R"([{"type": "atari", "relation": "other", "actor": "white", "data": {
      "stones": [{"x": 0, "y": 0}], "liberties": [{"x": 1, "y": 0}], "seat": "white"}}])");
}

TEST(AgentEventsTest, OpponentsAtariNamesTheViewersOwnChain) {
  Table table = agent_table();
  play_on(table, {"A5", "A6", "Q16", "B5"});  // A5 is left with A4
  expect_events(table, kBlack,
                R"([{"type": "atari", "relation": "other", "actor": "white", "data": {
      "stones": [{"x": 0, "y": 14}], "liberties": [{"x": 0, "y": 15}], "seat": "black"}}])");
}

// Black takes the ko stone at D4; the stone at E4 that took it has D4 as its only liberty.
const std::vector<std::string_view> kKo = {"C4", "F4", "D5", "E5", "D3", "E3", "Q16", "D4", "E4"};
constexpr std::string_view kWhitesAtari = R"("actor": "white", "data": {
      "stones": [{"x": 3, "y": 15}], "liberties": [{"x": 4, "y": 15}], "seat": "white"}})";

TEST(AgentEventsTest, OwnLatestMoveComesFirstThenTheOthers) {
  Table table = agent_table();
  play_on(table, kKo);
  expect_events(table, kBlack,
                R"([
      {"type": "capture", "relation": "self", "actor": "black",
       "data": {"stones": [{"x": 3, "y": 15}]}},
      {"type": "atari", "relation": "self", "actor": "black", "data": {
       "stones": [{"x": 4, "y": 15}], "liberties": [{"x": 3, "y": 15}], "seat": "black"}},
      {"type": "atari", "relation": "other", )" +
                    std::string(kWhitesAtari) + "]");
  expect_events(table, kWhite,
                R"([{"type": "atari", "relation": "self", )" + std::string(kWhitesAtari) + R"(,
      {"type": "capture", "relation": "other", "actor": "black",
       "data": {"stones": [{"x": 3, "y": 15}]}},
      {"type": "atari", "relation": "other", "actor": "black", "data": {
       "stones": [{"x": 4, "y": 15}], "liberties": [{"x": 3, "y": 15}], "seat": "black"}}])");
}

TEST(AgentEventsTest, OthersEffectsOutlastQuietMovesAndOwnOnesDoNot) {
  Table table = agent_table();
  play_on(table, kKo);
  play_on(table, {"R5", "K3", "O17"});
  expect_events(table, kBlack,
                R"([{"type": "atari", "relation": "other", )" + std::string(kWhitesAtari) + "]");
  expect_events(table, kWhite, R"([
      {"type": "capture", "relation": "other", "actor": "black",
       "data": {"stones": [{"x": 3, "y": 15}]}},
      {"type": "atari", "relation": "other", "actor": "black", "data": {
       "stones": [{"x": 4, "y": 15}], "liberties": [{"x": 3, "y": 15}], "seat": "black"}}])");
}

// E4 leaves D4 with D3, and F4 with F3.
TEST(AgentEventsTest, EveryChainPutInAtariIsAnEventOfItsOwn) {
  Table table = agent_table();
  play_on(table, {"C4", "D4", "D5", "F4", "G4", "Q16", "F5", "R5", "E4"});
  expect_events(table, kWhite, R"([
      {"type": "atari", "relation": "other", "actor": "black", "data": {
       "stones": [{"x": 3, "y": 15}], "liberties": [{"x": 3, "y": 16}], "seat": "white"}},
      {"type": "atari", "relation": "other", "actor": "black", "data": {
       "stones": [{"x": 5, "y": 15}], "liberties": [{"x": 5, "y": 16}], "seat": "white"}}])");
}

// B18 touches the white chain A18-A19-B19 twice; C19 then takes all of it.
TEST(AgentEventsTest, ChainTouchedTwiceIsOneEventAndSoIsACapture) {
  Table table = agent_table();
  play_on(table, {"A17", "A18", "Q16", "A19", "D4", "B19", "B18"});
  expect_events(table, kBlack, R"([{"type": "atari", "relation": "self", "actor": "black", "data": {
      "stones": [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 0, "y": 1}],
      "liberties": [{"x": 2, "y": 0}], "seat": "white"}}])");
  play_on(table, {"R5", "C19"});
  expect_events(table, kBlack,
                R"([{"type": "capture", "relation": "self", "actor": "black", "data": {
      "stones": [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 0, "y": 1}]}}])");
  EXPECT_EQ(view_of(table.game, kWhite).at("observation").at("captures"),
            parse(R"({"black": 3, "white": 0})"));
}

// T18 takes T19 and S18 at once: two chains, one event. S18 had left S19 with R19.
TEST(AgentEventsTest, TwoChainsTakenAtOnceAreOneCapture) {
  Table table = agent_table();
  play_on(table, {"S19", "T19", "R18", "S18", "S17", "D4", "T18"});
  expect_events(table, kBlack,
                R"([{"type": "capture", "relation": "self", "actor": "black", "data": {
      "stones": [{"x": 18, "y": 0}, {"x": 17, "y": 1}]}},
      {"type": "atari", "relation": "other", "actor": "white", "data": {
       "stones": [{"x": 17, "y": 0}], "liberties": [{"x": 16, "y": 0}], "seat": "black"}}])");
}

TEST(AgentEventsTest, ChainInAtariThatWasNotTouchedIsNotToldAgain) {
  Table table = agent_table();
  play_on(table, {"A18", "A19", "Q16", "D4"});  // A19 is still in atari
  expect_events(table, kWhite, "[]");
}

TEST(AgentEventsTest, PassIsAnEffect) {
  Table table = agent_table();
  play_on(table, {"A18", "A19", "Q16", "pass"});
  constexpr std::string_view kPass =
      R"([{"type": "pass", "relation": "other", "actor": "white", "data": {}}])";
  expect_events(table, kBlack, kPass);
  play_on(table, {"D4", "R5"});
  expect_events(table, kBlack, kPass);
}

TEST(AgentEventsTest, LastPassesAreSeenAfterTheEnd) {
  Table table = agent_table();
  play_on(table, {"pass", "pass"});
  expect_events(table, kWhite, R"([
      {"type": "pass", "relation": "self", "actor": "white", "data": {}},
      {"type": "pass", "relation": "other", "actor": "black", "data": {}}])");
}

}  // namespace
}  // namespace tengen::protocol
