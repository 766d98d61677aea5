// Command lines, right and wrong, and the file writer.
#include "clients/cli/command_line.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "clients/cli/file.h"

namespace tengen::cli {
namespace {

Parsed parse(std::vector<std::string> arguments) {
  return parse_command_line(std::move(arguments), Streams{});
}

TEST(CommandLine, HelpAndVersionAreDone) {
  for (const char* flag : {"--help", "--version"}) {
    const auto stop = std::get<Stop>(parse({flag}));
    EXPECT_EQ(stop.code, ExitCode::Done);
    EXPECT_FALSE(stop.out.empty());
    EXPECT_TRUE(stop.error.empty());
  }
  EXPECT_EQ(std::get<Stop>(parse({"--version"})).out.rfind("tengen ", 0), 0u);
  EXPECT_EQ(std::get<Stop>(parse({"play", "--help"})).code, ExitCode::Done);
}

TEST(CommandLine, WrongUsageIsTwoWithAReason) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"dance"},
      {"engines", "--loud"},
      {"engines", "--server", "nowhere"},
      {"engines", "--server", "ws://h:1", "--ca-file", "ca.pem"},
      {"gtp"},
      {"gtp", "--local", "--rules", "klingon"},
      {"gtp", "--local", "--rules", "go-chinese-19-0.3", "--size", "9"},
      {"gtp", "--local", "--playouts", "-1"},
      {"gtp", "--local", "--seed", "-1"},
      {"gtp", "--local", "--seed", "18446744073709551616"},
      {"match", "--black", "a", "--white", "b", "--seed", "x"},
      {"play", "--time", "30"},
      {"match", "--black", "a", "--white", "b", "--time", "byoyomi:600"},
      {"probe"},
      {"probe", "--timeout-ms", "0", "--", "x"},
      {"replay"},
      {"replay", "game.sgf", "--rules", "japanese,end=compare-lists"},
      {"replay", "game.sgf", "--game", "0"},
      {"score", "game.sgf", "--komi", "7.25"},
      {"play", "--engine", "gnugo", "--size", "26"},
      {"play", "--engine", "gnugo", "--color", "red"},
      {"play", "--engine", "gnugo", "--join", "T"},
      {"play", "--engine", "gnugo:level"},
      {"play", "--engine", "gnugo", "--komi", "nan"},
      {"play", "--engine", "gnugo", "--rules", "klingon"},
      {"match", "--black", "a"},
      {"match", "--black", "a", "--white", "b", "--games", "0"},
      {"match", "--black", "a", "--white", "b", "--games", "many"},
      {"match", "--black", "a", "--white", "b", "--concurrency", "1001"},
  };
  for (const auto& arguments : wrong) {
    const auto parsed = parse(arguments);
    ASSERT_TRUE(std::holds_alternative<Stop>(parsed)) << ::testing::PrintToString(arguments);
    EXPECT_EQ(std::get<Stop>(parsed).code, ExitCode::Usage);
    EXPECT_FALSE(std::get<Stop>(parsed).error.empty());
  }
}

TEST(CommandLine, TheHouseEngineIsPlayedWhenNoneIsNamed) {
  EXPECT_EQ(std::get<RunPlay>(parse({"play"})).options.engine.profile, "house");
}

TEST(CommandLine, RecordsTakeTheRulesOfTheFileUnlessSomeAreGiven) {
  const auto plain = std::get<RunReplay>(parse({"replay", "game.sgf"})).options;
  EXPECT_EQ(plain.file, "game.sgf");
  EXPECT_FALSE(plain.rules);
  EXPECT_EQ(plain.strictness, rules::Strictness::Strict);
  const auto chosen =
      std::get<RunReplay>(parse({"replay", "--lenient", "--rules", "aga,ko=simple", "-"})).options;
  EXPECT_EQ(chosen.rules->rules.ko, rules::KoRule::Simple);
  EXPECT_EQ(chosen.strictness, rules::Strictness::Lenient);
}

TEST(CommandLine, ScoreTakesListsOfMarks) {
  const auto options = std::get<RunScore>(parse({"score", "g.sgf", "--rules", "japanese", "--komi",
                                                 "0", "--dead", "A1,B2", "--seki", "J7"}))
                           .options;
  EXPECT_EQ(options.komi_half, 0);
  EXPECT_EQ(options.dead, (std::vector<std::string>{"A1", "B2"}));
  EXPECT_EQ(options.seki, std::vector<std::string>{"J7"});
}

TEST(CommandLine, ProbeTakesTheEnginesOwnOptionsAfterTwoDashes) {
  const auto options =
      std::get<RunProbe>(parse({"probe", "--timeout-ms", "500", "--", "gnugo", "--mode", "gtp"}))
          .options;
  EXPECT_EQ(options.command, (std::vector<std::string>{"gnugo", "--mode", "gtp"}));
  EXPECT_EQ(options.timeout, std::chrono::milliseconds(500));
}

TEST(CommandLine, TheLocalEngineHasRulesSeedAndPlayouts) {
  const auto options = std::get<RunHouse>(parse({"gtp", "--local", "--rules", "japanese", "--size",
                                                 "9x13", "--seed", "7", "--playouts", "50"}))
                           .options;
  EXPECT_EQ(options.rules.base->name, "japanese");
  EXPECT_EQ(options.size, (rules::Size{9, 13}));
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(options.playouts, 50);
  EXPECT_FALSE(options.komi_half);
}

TEST(CommandLine, EnginesHaveADefaultServer) {
  const auto run = std::get<RunEngines>(parse({"engines", "--json"}));
  EXPECT_EQ(run.server.address, (Address{"127.0.0.1", "8374"}));
  EXPECT_EQ(run.output, Output::Json);
}

TEST(CommandLine, PlayTakesItsTerms) {
  const auto run = std::get<RunPlay>(
      parse({"play", "--engine", "gnugo:level=2", "--size", "9", "--rules", "aga", "--komi", "-3.5",
             "--color", "random", "--sgf", "x.sgf", "--server", "ws://h:1"}));
  EXPECT_EQ(run.options.engine.profile, "gnugo");
  EXPECT_EQ(run.options.terms.size, (rules::Size{9, 9}));
  EXPECT_EQ(run.options.terms.komi_half, -7);
  EXPECT_EQ(run.options.terms.rules.ko, rules::KoRule::Situational);
  EXPECT_EQ(run.options.color, protocol::ColorChoice::Random);
  EXPECT_EQ(run.options.rejoin_arguments, " --server ws://h:1");
  EXPECT_EQ(run.options.sgf_path, "x.sgf");
}

TEST(CommandLine, OverTlsAFileSaysWhomToTrustAndAgentsCallByHttps) {
  const auto play =
      std::get<RunPlay>(parse({"play", "--server", "wss://h:1", "--ca-file", "ca.pem"}));
  EXPECT_EQ(play.server.address, (Address{"h", "1", Transport::Tls}));
  EXPECT_EQ(play.server.ca_file, "ca.pem");
  EXPECT_EQ(play.options.rejoin_arguments, " --server wss://h:1 --ca-file ca.pem");
  const auto agents = std::get<RunAgentMatch>(parse({"agent-match", "--server", "wss://h:1/"}));
  EXPECT_EQ(agents.options.http, "https://h:1");
}

TEST(CommandLine, GamesHaveNoClockUnlessOneIsAskedFor) {
  EXPECT_EQ(std::get<RunPlay>(parse({"play"})).options.terms.time, rules::TimeControl{});
  const auto play = std::get<RunPlay>(parse({"play", "--time", "byoyomi:600+5x30"}));
  EXPECT_EQ(time_control_text(play.options.terms.time), "byoyomi:600+5x30");
  const auto match = std::get<RunMatch>(
      parse({"match", "--black", "a", "--white", "b", "--time", "fischer:300+5"}));
  EXPECT_EQ(time_control_text(match.options.terms.time), "fischer:300+5");
}

TEST(CommandLine, PlayDrawsInColourOnATerminalUnlessPlain) {
  const Streams terminal{PlayOptions::Input::Terminal, BoardStyle::Color};
  const auto colour = parse_command_line({"play", "--join", "T"}, terminal);
  EXPECT_EQ(std::get<RunPlay>(colour).options.style, BoardStyle::Color);
  EXPECT_EQ(std::get<RunPlay>(colour).options.ticket, "T");
  const auto plain = parse_command_line({"play", "--join", "T", "--plain"}, terminal);
  EXPECT_EQ(std::get<RunPlay>(plain).options.style, BoardStyle::Plain);
}

TEST(CommandLine, MatchTakesBothEnginesAndTheNumbers) {
  const auto run = std::get<RunMatch>(
      parse({"match", "--black", "gnugo:level=1", "--white", "pachi", "--size", "13", "--games",
             "50", "--concurrency", "8", "--sgf-dir", "out", "--alternate", "--json"}));
  EXPECT_EQ(run.options.players, (Players{"gnugo:level=1", "pachi"}));
  EXPECT_EQ(run.options.engines[1].profile, "pachi");
  EXPECT_EQ(run.options.games, 50);
  EXPECT_EQ(run.options.concurrency, 8);
  EXPECT_EQ(run.options.colors, MatchOptions::Colors::Alternate);
  EXPECT_EQ(run.options.output, Output::Json);
  EXPECT_EQ(run.options.sgf_dir, "out");
}

class FileTest : public ::testing::Test {
 protected:
  FileTest() { std::filesystem::create_directories(folder); }
  ~FileTest() override { std::filesystem::remove_all(folder); }
  std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) /
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(FileTest, ReplacingAFileLeavesTheNewTextAndNothingElse) {
  const std::string path = folder / "game.sgf";
  EXPECT_EQ(replace_file(path, "old"), std::nullopt);
  EXPECT_EQ(replace_file(path, "(;GM[1])"), std::nullopt);
  EXPECT_EQ(contents(path), "(;GM[1])");
  const auto files = std::distance(std::filesystem::directory_iterator(folder), {});
  EXPECT_EQ(files, 1);
}

TEST_F(FileTest, AFileThatCannotBeReplacedIsReported) {
  EXPECT_EQ(replace_file(folder / "no-such-folder" / "x", "text"), "No such file or directory");
  std::filesystem::create_directory(folder / "taken");
  EXPECT_NE(replace_file(folder / "taken", "text"), std::nullopt);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace tengen::cli
