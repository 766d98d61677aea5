// The probe's checks of analysis: what counts as a stream, and what becomes of one that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/fake_probe_engine.h"

namespace tengen::cli {
namespace {

const std::string kPlain = "lz-analyze";
const std::string kInterval = "lz-analyze with interval";
const std::string kKata = "kata-analyze";
const std::string kMove = "move with analysis";

TEST(ProbeAnalysis, AStreamIsHeardAndEndsAtTheFence) {
  FakeProbeEngine engine;
  const Printed printed = probe_fake(engine);
  const std::string good = "yes first update after 7 ms, 2 updates, ended 7 ms after the fence";
  EXPECT_EQ(line(printed, kPlain), good);
  EXPECT_EQ(line(printed, kInterval), good);
  EXPECT_EQ(line(printed, kKata), "- kata-analyze is not known");
  EXPECT_EQ(line(printed, kMove), "yes play A9, 2 updates, 7 ms");
  EXPECT_TRUE(has(printed, "The engine can be used.")) << printed.out;
  EXPECT_TRUE(has(printed, "analysis = \"lz\"\n")) << printed.out;
  // Each on an empty board, and the last thing written until the fence.
  const std::vector<std::string> expected = {"boardsize 9",      "clear_board",
                                             "komi 7.5",         "lz-analyze B interval 1",
                                             "protocol_version", "name"};
  const std::vector<std::string>& heard = engine.heard();
  EXPECT_NE(std::search(heard.begin(), heard.end(), expected.begin(), expected.end()), heard.end());
}

TEST(ProbeAnalysis, TheRichestStreamIsTheProfiles) {
  const Printed printed = probe_fake(Fault::HasKataStreams);
  EXPECT_EQ(line(printed, kKata),
            "yes first update after 7 ms, 2 updates, ended 7 ms after the fence");
  EXPECT_EQ(line(printed, kMove), "yes play A9, 2 updates, 7 ms");
  EXPECT_TRUE(has(printed, "analysis = \"kata\"\n")) << printed.out;
}

TEST(ProbeAnalysis, OfAnEngineWithoutStreamsNothingIsAsked) {
  FakeProbeEngine engine(Fault::HasNoStreams);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(line(printed, kPlain), "- lz-analyze is not known");
  EXPECT_EQ(line(printed, kInterval), "- lz-analyze is not known");
  EXPECT_EQ(line(printed, kMove), "- no stream works");
  EXPECT_FALSE(has(printed, "analysis = ")) << printed.out;
  for (const std::string& command : engine.heard()) {
    EXPECT_EQ(command.find("analyze"), std::string::npos) << command;
  }
}

TEST(ProbeAnalysis, WithoutTheWordIntervalThePlainFormIsTheProfiles) {
  const Printed printed = probe_fake(Fault::RefusesInterval);
  EXPECT_EQ(line(printed, kPlain).substr(0, 4), "yes ");
  EXPECT_EQ(line(printed, kInterval),
            "no 'lz-analyze B interval 1' is refused: numeric value expected");
  EXPECT_EQ(line(printed, kMove).substr(0, 4), "yes ");
  EXPECT_TRUE(has(printed, "analysis = \"lz-bare\"\n")) << printed.out;
}

TEST(ProbeAnalysis, AStreamThatCannotBeReadIsNotTheProfiles) {
  const Printed printed = probe_fake(Fault::StatesPerCent);
  EXPECT_EQ(line(printed, kKata), "no an update cannot be read: winrate is out of range: 51.0987");
  EXPECT_TRUE(has(printed, "analysis = \"lz\"\n")) << printed.out;
}

TEST(ProbeAnalysis, AStreamWithoutUpdatesIsNone) {
  const Printed printed = probe_fake(Fault::StreamsNothing);
  EXPECT_EQ(line(printed, kPlain), "no no update within 500 ms");
  EXPECT_EQ(line(printed, kMove), "- no stream works");
  EXPECT_TRUE(has(printed, "The engine can be used.")) << "for games";
  EXPECT_FALSE(has(printed, "analysis = ")) << printed.out;
}

TEST(ProbeAnalysis, AnAnswerAtOnceIsNoStream) {
  EXPECT_EQ(line(probe_fake(Fault::AnswersStreamAtOnce), kPlain),
            "no no update until it ended by itself, but 'info move D4 visits 49 winrate 4982 prior "
            "28 lcb 4921 order'");
}

TEST(ProbeAnalysis, AStreamMayEndByItself) {
  const Printed printed = probe_fake(Fault::EndsStreamItself);
  EXPECT_EQ(line(printed, kPlain), "yes first update after 7 ms, 2 updates, ended by itself");
  // As that of Leela Zero, which has soon done the playouts it is allowed.
  const Printed early = probe_fake(Fault::EndsStreamEarly);
  EXPECT_EQ(line(early, kPlain), "yes first update after 7 ms, 1 update, ended by itself");
  EXPECT_TRUE(has(early, "analysis = \"lz\"\n")) << early.out;
}

struct Failing {
  Fault fault;
  std::string reason;
};

TEST(ProbeAnalysis, AnEngineThatFailsInAStreamIsStartedAgainForTheOtherChecks) {
  for (const Failing& each : {
           Failing{Fault::StreamsForEver,
                   "no answer within 500 ms at 'lz-analyze B 1, then protocol_version'"},
           Failing{Fault::SwallowsFence, "no answer within 500 ms at 'protocol_version'"},
           Failing{Fault::DiesAfterStream, "the engine ended at 'name': signal 7"},
           Failing{Fault::DiesInStream, "the engine ended at 'lz-analyze B 1': signal 11"},
       }) {
    FakeProbeEngine engine(each.fault);
    const Printed printed = probe_fake(engine);
    EXPECT_EQ(line(printed, kPlain), "FAILED " + each.reason);
    EXPECT_EQ(line(printed, kInterval).substr(0, 7), "FAILED ");
    EXPECT_EQ(line(printed, kMove), "- no stream works");
    EXPECT_EQ(line(printed, "ends at quit"), "yes exit code 0");
    EXPECT_EQ(engine.starts(), 4) << "one for each failure, one after quit";
    EXPECT_TRUE(has(printed, "can be used, but it failed in checks: 2.")) << printed.out;
    EXPECT_FALSE(has(printed, "analysis = ")) << printed.out;
  }
}

TEST(ProbeAnalysis, AStreamThatLosesTheFramingMakesAnEngineUseless) {
  const Printed fence_first = probe_fake(Fault::AnswersFenceFirst);
  EXPECT_EQ(line(fence_first, kPlain),
            "FAILED answers cannot be told apart at 'lz-analyze B 1, then protocol_version': an "
            "answer has no end before the next one");
  EXPECT_EQ(fence_first.code, ExitCode::No);
  const Printed mixed_up = probe_fake(Fault::MixesTextsUp);
  EXPECT_EQ(line(mixed_up, kPlain), "FAILED after a stream 'name' is answered '2'");
  EXPECT_EQ(mixed_up.code, ExitCode::No);
  EXPECT_FALSE(has(mixed_up, "[[profile]]"));
}

TEST(ProbeAnalysis, AMoveWithAnalysisMustSayWhatWasPlayed) {
  const Printed printed = probe_fake(Fault::PlaysNoAnalyzedMove);
  EXPECT_EQ(line(printed, kMove), "no 'A9' at the end is no play on that board");
  EXPECT_TRUE(has(printed, "analysis = \"lz\"\n")) << "streams are good all the same";
  EXPECT_EQ(line(probe_fake(Fault::PlaysOffTheBoard), kMove),
            "no 'play Z25' at the end is no play on that board");
  EXPECT_EQ(line(probe_fake(Fault::DiesInAnalyzedMove), kMove),
            "FAILED the engine ended at 'lz-genmove_analyze B 1': signal 8");
}

}  // namespace
}  // namespace tengen::cli
