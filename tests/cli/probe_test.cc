// The probe's list, report and profile, against an engine in memory that can be made to fail.
#include "clients/cli/probe/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/fake_probe_engine.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

TEST(Probe, AGoodEngineGetsAReportAndAProfile) {
  const Printed printed = probe_fake(Fault::None);
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_EQ(line(printed, "handshake"),
            "yes protocol 2, GNU Go 3.8, 14 commands, first answer 7 ms");
  EXPECT_EQ(line(printed, "answers in order when pipelined"), "yes 50 commands in one write, 7 ms");
  EXPECT_EQ(line(printed, "refuses an unknown command"), "yes unknown command");
  EXPECT_EQ(line(printed, "tolerates comment lines"), "yes");
  EXPECT_EQ(line(printed, "all board sizes"), "yes 2-20");
  EXPECT_EQ(line(printed, "rectangles"), "- rectangular_boardsize is not known");
  EXPECT_EQ(line(printed, "refuses an occupied point"), "yes");
  EXPECT_EQ(line(printed, "refuses suicide of one stone"), "no");
  EXPECT_EQ(line(printed, "undo takes back a pass"), "yes");
  EXPECT_EQ(line(printed, "refuses undo at the start"), "yes cannot undo");
  EXPECT_EQ(line(printed, "shows its board"), "yes list_stones");
  EXPECT_EQ(line(printed, "genmove"),
            "yes 9x9 A9 B9 C9 D9 E9 F9; median 7 ms, longest 7 ms, 0 bytes of stderr each");
  EXPECT_EQ(line(printed, "genmove on the largest board"), "yes 20x20, 7 ms");
  EXPECT_EQ(line(printed, "ends at quit"), "yes exit code 0");
  const auto profile = printed.out.find("[[profile]]");
  ASSERT_NE(profile, std::string::npos);
  EXPECT_EQ(printed.out.substr(profile), R"([[profile]]
kind = "gnugo"
command = ["gnugo", "--mode", "gtp", "--level", "3"]
analysis = "lz"
reg_search_command = ""
cleanup_command = ""

[[profile.setting]]
key = "level"
standard = 3
)");
  EXPECT_TRUE(has(printed, "# It answered after 7 ms and took up to 7 ms for a move.\n"));
  EXPECT_TRUE(
      has(printed, R"(# The kind's own command is ["gnugo", "--mode", "gtp", "--never-resign"].)"));
}

TEST(Probe, OfAnEngineThatNobodyKnowsWhatWasSeenIsInTheProfile) {
  const Printed printed = probe_fake(Fault::IsNoKnownKind);
  EXPECT_EQ(printed.code, ExitCode::Done);
  const auto profile = printed.out.find("[[profile]]");
  ASSERT_NE(profile, std::string::npos);
  EXPECT_EQ(printed.out.substr(profile), R"([[profile]]
kind = "gtp"
name = "other-engine"
command = ["gnugo", "--mode", "gtp", "--level", "3"]
size_max = 20
clock = "kgs"
analysis = "lz"
seed_command = "set_random_seed"
reg_search_command = ""
cleanup_command = ""
verify = "list_stones"
undo_max = 16
)");
}

TEST(Probe, EveryLineBeforeTheProfileIsAComment) {
  const Printed printed = probe_fake(Fault::None);
  const std::string report = printed.out.substr(0, printed.out.find("\n[[profile]]"));
  for (std::size_t begin = 0; begin < report.size();) {
    EXPECT_EQ(report[begin], '#') << report.substr(begin, 80);
    begin = std::min(report.find('\n', begin), report.size() - 1) + 1;
  }
}

TEST(Probe, AnEngineThatDiesInACheckIsStartedAgainForTheOthers) {
  FakeProbeEngine engine(Fault::DiesInUndo);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(line(printed, "undo"), "FAILED the engine ended at 'undo': signal 11");
  EXPECT_EQ(line(printed, "set_free_handicap"), "yes");
  EXPECT_EQ(line(printed, "ends at quit"), "yes exit code 0");
  EXPECT_EQ(engine.starts(), 5) << "one for each death, one after quit";
  EXPECT_EQ(printed.code, ExitCode::Done) << "games are never played with undo";
  EXPECT_TRUE(has(printed, "can be used, but it failed in checks: 3."));
}

TEST(Probe, AnEngineThatHangsInGenmoveCannotBeUsed) {
  FakeProbeEngine engine(Fault::HangsInGenmove);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(line(printed, "genmove"), "FAILED no answer within 500 ms at 'genmove b'");
  EXPECT_EQ(line(printed, "set_random_seed repeats moves"), "- genmove does not work");
  EXPECT_EQ(line(printed, "ends at quit"), "yes exit code 0");
  EXPECT_TRUE(has(printed, "cannot be used: genmove: no answer within 500 ms"));
  EXPECT_FALSE(has(printed, "[[profile]]"));
  EXPECT_EQ(engine.starts(), 3) << "one after the hang, one after quit";
}

TEST(Probe, AnEngineThatFailsTooOftenIsNotStartedAgain) {
  FakeProbeEngine engine(Fault::DiesAtPass);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(line(printed, "last words on stderr"), "- oh no");
  EXPECT_EQ(line(printed, "play"), "FAILED the engine ended at 'play b pass': signal 9");
  EXPECT_EQ(line(printed, "undo takes back a pass"),
            "FAILED the engine ended at 'play w pass': signal 9");
  EXPECT_EQ(line(printed, "further checks"), "- 26 not made: it failed too often");
  EXPECT_EQ(engine.starts(), 4) << "three restarts";
}

TEST(Probe, ShiftedIdsEndTheProbeAtOnce) {
  FakeProbeEngine engine(Fault::ShiftsIds);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(line(printed, "handshake"), "FAILED an answer with id 2 where 1 was awaited");
  EXPECT_EQ(engine.heard(), std::vector<std::string>{"protocol_version"});
  EXPECT_FALSE(has(printed, "[[profile]]"));
}

TEST(Probe, AnEngineThatRefusesKomiCannotBeUsed) {
  const Printed printed = probe_fake(Fault::RefusesKomi);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_TRUE(has(printed, "cannot be used: komi: komi 7.5 is refused"));
}

TEST(Probe, ASecondAnswerToOneCommandIsCountedAndShiftsNothing) {
  const Printed printed = probe_fake(Fault::AnswersHandicapTwice);
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_EQ(line(printed, "second answers to one command"), "- 1");
  EXPECT_EQ(line(printed, "genmove").substr(0, 7), "yes 9x9");
}

TEST(Probe, ASizeThatKillsTheEngineIsNotInItsProfile) {
  const Printed printed = probe_fake(Fault::DiesOfSize20);
  EXPECT_EQ(line(printed, "all board sizes"),
            "FAILED the engine ended at 'boardsize 20': signal 6");
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_FALSE(has(printed, "size_max"));  // the kind has it so
}

TEST(Probe, AnEngineOfOneSizeIsCheckedOnIt) {
  const Printed printed = probe_fake(Fault::OnlySize19);
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_EQ(line(printed, "all board sizes"), "yes 19");
  EXPECT_EQ(line(printed, "genmove").substr(0, 9), "yes 19x19");
  EXPECT_TRUE(has(printed, "size_min = 19\n"));
}

TEST(Probe, ASeedThatRepeatsNothingIsNotInTheProfile) {
  const Printed printed = probe_fake(Fault::RandomMoves);
  EXPECT_EQ(line(printed, "set_random_seed repeats moves").substr(0, 15), "no seed 1 gives");
  EXPECT_TRUE(has(printed, "seed_command = \"\"\n"));
}

TEST(Probe, AnEngineThatOutlivesQuitIsKilled) {
  const Printed printed = probe_fake(Fault::OutlivesQuit);
  EXPECT_EQ(line(printed, "ends at quit"), "no still running after 2000 ms");
  EXPECT_EQ(line(printed, "ends at the end of its input"), "yes exit code 0");
}

TEST(Probe, NothingThatIsKnownToKillEnginesIsSent) {
  FakeProbeEngine engine;
  probe_fake(engine);
  const std::vector<std::string>& heard = engine.heard();
  for (std::size_t i = 1; i < heard.size(); ++i) {
    EXPECT_EQ(heard[i].find("resign"), std::string::npos);
    EXPECT_EQ(heard[i].find("sgf"), std::string::npos);
    EXPECT_FALSE(heard[i].find("genmove") != std::string::npos &&
                 heard[i - 1].find("pass") != std::string::npos)
        << heard[i - 1];
  }
}

TEST(Probe, ACommandIsNeeded) {
  FakeProbeEngine engine;
  EXPECT_EQ(probe({}, engine).code, ExitCode::Usage);
}

TEST(Probe, AProgramThatCannotBeStartedIsNamed) {
  class Missing final : public ProbeEngine {
   public:
    std::optional<std::string> start() override { return "nogo: not found"; }
    Exchange ask(std::string_view, std::size_t, milliseconds) override { return {}; }
    void expect_stream(std::uint32_t) override {}
    void close_input() override {}
    std::optional<std::string> wait_exit(milliseconds) override { return std::nullopt; }
    void kill() override {}
    std::uint64_t error_bytes() const override { return 0; }
    std::uint64_t noise_lines() const override { return 0; }
    std::string error_tail() const override { return "oh\nno"; }
  };
  Missing engine;
  const Printed printed = probe({{"nogo"}, milliseconds(500)}, engine);
  EXPECT_EQ(printed.code, ExitCode::Failed);
  EXPECT_EQ(printed.error, "tengen: nogo: not found\n");
}

}  // namespace
}  // namespace tengen::cli
