// The client `tengen` as a person or a script runs it, against a real daemon.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>

#include "rules/record.h"
#include "tests/support/caller.h"
#include "tests/support/daemon_process.h"
#include "tests/support/proc.h"

namespace tengen::cli {
namespace {

using tests::DaemonProcess;
using tests::program;

constexpr std::chrono::seconds kMatchPatience{180};

tests::Ran run_tengen(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), program("tengen"));
  return tests::run(arguments, input);
}

tests::DaemonOptions with_fake_engine(const std::string& switches) {
  return {tests::config_with(
      {{"fake", {"sh", "-c", "exec \"" + program("fake_engine") + "\" " + switches}}})};
}

TEST(Cli, EnginesAreListedAsJson) {
  DaemonProcess daemon;
  const auto ran = run_tengen({"engines", "--json", "--server", daemon.url()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find(R"("profile":"gnugo")"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(R"("processes_max":2)"), std::string::npos) << ran.out;
}

/// The moves of an SGF file made here, replayed under the rules of the match; how many they are.
std::size_t replay_sgf(const std::string& sgf) {
  rules::Record record({9, 9}, rules::KoRule::Positional, rules::SuicideRule::No);
  const std::regex move(R"(;([BW])\[([a-z]{0,2})\])");
  for (std::sregex_iterator each(sgf.begin(), sgf.end(), move), end; each != end; ++each) {
    const auto color = (*each)[1] == "B" ? rules::Color::Black : rules::Color::White;
    const auto refusal = (*each)[2].length() == 0
                             ? record.play(rules::Move::pass(color))
                             : record.play(rules::Move::play(
                                   color, *rules::parse_sgf_point((*each)[2].str(), {9, 9})));
    EXPECT_EQ(refusal, rules::Refusal::None) << sgf;
  }
  return record.moves().size();
}

TEST(Cli, AMatchGoesOnAfterTheDaemonWasKilledAndWritesItsGames) {
  DaemonProcess daemon;
  const std::string folder = daemon.folder().file("sgf");
  tests::ChildSpec spec;
  spec.argv = {program("tengen"), "match",  "--black",   "gnugo:level=1", "--white",
               "gnugo:level=1",   "--size", "9",         "--games",       "2",
               "--concurrency",   "2",      "--sgf-dir", folder,          "--server",
               daemon.url()};
  spec.output_file = daemon.folder().file("match.out");
  spec.error_file = daemon.folder().file("match.err");
  tests::Child match(spec);
  {
    tests::Caller caller(daemon.port());
    const auto is_busy = [&] {
      const auto list = caller.expect<protocol::EngineList>(protocol::ListEngines{});
      return std::any_of(list.engines.begin(), list.engines.end(),
                         [](const auto& engine) { return engine.busy > 0; });
    };
    ASSERT_TRUE(tests::wait_until(is_busy, kMatchPatience));
  }
  daemon.kill();
  daemon.restart(DaemonProcess::Port::Same);
  ASSERT_EQ(match.wait(kMatchPatience), 0) << tests::read_text(spec.error_file) << daemon.log();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    const std::string sgf = tests::read_text(entry.path());
    EXPECT_TRUE(std::regex_search(sgf, std::regex(R"(RE\[[BW]\+[0-9]+(\.5)?\])"))) << sgf;
    EXPECT_GT(replay_sgf(sgf), 20u);
  }
  EXPECT_EQ(files, 2);
  EXPECT_NE(tests::read_text(spec.output_file).find("2 games"), std::string::npos);
}

// Situational ko and suicide, which the engine must be told of: its own idea is another.
TEST(Cli, OurOwnEnginePlaysByTheRulesItIsTold) {
  DaemonProcess daemon;
  for (const char* rules : {"chinese", "tromp-taylor", "aga", "new-zealand"}) {
    const auto ran =
        run_tengen({"match", "--black", "house:playouts=2", "--white", "house:playouts=2", "--size",
                    "4x5", "--rules", rules, "--games", "4", "--json", "--server", daemon.url()});
    EXPECT_EQ(ran.status, 0) << ran.err << daemon.log();
    const std::regex by_score(R"re("ended_by":"(score|move_limit)")re");
    const std::sregex_iterator first(ran.out.begin(), ran.out.end(), by_score);
    EXPECT_EQ(std::distance(first, std::sregex_iterator()), 4) << rules << ": " << ran.out;
  }
}

/// The moves of each game of a match, in the order of their numbers.
std::vector<std::string> moves_of_match(const DaemonProcess& daemon, const std::string& folder) {
  const auto ran = run_tengen({"match", "--black", "gnugo:level=1", "--white", "house:playouts=20",
                               "--size", "7", "--games", "4", "--concurrency", "4", "--seed", "7",
                               "--sgf-dir", folder, "--server", daemon.url()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::map<std::string, std::string> games;  // by file name, which begins with the number
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string sgf = tests::read_text(entry.path());
    games[entry.path().filename()] = sgf.substr(sgf.find(";B["));
  }
  std::vector<std::string> moves;
  for (const auto& [name, text] : games) moves.push_back(text);
  return moves;
}

// Processes that have lived through other games play the same moves as fresh ones.
TEST(Cli, ASeededMatchIsTheSameGamesAgain) {
  DaemonProcess daemon;
  const auto first = moves_of_match(daemon, daemon.folder().file("first"));
  const auto again = moves_of_match(daemon, daemon.folder().file("again"));
  ASSERT_EQ(first.size(), 4u);
  EXPECT_EQ(first, again);
  EXPECT_NE(first[0], first[1]);
}

TEST(Cli, TheLocalEngineIsARefereeForAnyController) {
  const auto ran = run_tengen({"gtp", "--local", "--rules", "new-zealand", "--size", "9"},
                              "1 play b e5\n2 play w e5\nname\n3 final_score\n4 quit\n");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "=1 \n\n?2 illegal move: occupied\n\n= Tengen house\n\n=3 B+74\n\n=4 \n\n");
  EXPECT_EQ(ran.err, "");
}

// What the probe proposes is a configuration that the daemon takes.
TEST(Cli, ProbeProposesAProfileThatTheDaemonTakes) {
  const auto ran = run_tengen({"probe", "--", "gnugo", "--mode", "gtp", "--level", "1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("The engine can be used."), std::string::npos) << ran.out;
  DaemonProcess daemon({ran.out});
  const auto engines = run_tengen({"engines", "--json", "--server", daemon.url()});
  EXPECT_NE(engines.out.find(R"("profile":"gnugo")"), std::string::npos) << engines.out;
  EXPECT_EQ(run_tengen({"probe", "--", "no-such-program"}).status, 3);
  EXPECT_EQ(run_tengen({"probe", "--", "true"}).status, 1);
}

/// The report's line of a check, its columns one blank apart.
std::string probed(const std::string& report, const std::string& check) {
  std::smatch found;
  if (!std::regex_search(report, found, std::regex("# " + check + "  +([^\n]*)\n"))) return report;
  return std::regex_replace(found[1].str(), std::regex(" +"), " ");
}

// Over real pipes and in real time, as each kind of engine does it.
TEST(Cli, ProbeHearsTheStreamsOfEachKindOfEngine) {
  const std::regex streamed(
      "yes first update after [0-9]+ ms, [0-9]+ updates, ended [0-9]+ ms after the fence");
  const auto streams = [&](const std::string& report, const std::string& check) {
    return std::regex_match(probed(report, check), streamed);
  };
  for (const std::string persona : {"leela-zero", "pachi", "katago"}) {
    const auto ran = run_tengen({"probe", "--", program("fake_engine"), "--persona", persona,
                                 "--instant", "--tick-ms", "20"});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_EQ(streams(ran.out, "lz-analyze"), true) << ran.out;
    EXPECT_EQ(streams(ran.out, "lz-analyze with interval"), persona != "pachi") << ran.out;
    EXPECT_EQ(streams(ran.out, "kata-analyze"), persona == "katago") << ran.out;
    EXPECT_EQ(probed(ran.out, "move with analysis").substr(0, 9), "yes play ") << ran.out;
    EXPECT_EQ(ran.out.find("analysis = "), std::string::npos) << "what its kind has: " << ran.out;
  }
}

TEST(Cli, RecordsNeedNoDaemonAndEndWithTheirVerdict) {
  const std::string file = TENGEN_TESTS_DIR "/data/rules/sgf/games/067-pgx-1164.sgf";
  const auto strict = run_tengen({"replay", file});
  EXPECT_EQ(strict.status, 1);
  EXPECT_NE(strict.err.find("move 226, W B3, is refused: superko"), std::string::npos);
  EXPECT_EQ(run_tengen({"replay", "--lenient", file}).status, 0);
  EXPECT_EQ(run_tengen({"replay", "--rules", "japanese", file}).status, 0);
  EXPECT_EQ(run_tengen({"replay", "/nowhere.sgf"}).status, 3);
  const auto score =
      run_tengen({"score", "--rules", "chinese", "--komi", "0.5", "-"}, "(;SZ[5];B[cc])");
  EXPECT_EQ(score.status, 0);
  EXPECT_EQ(score.out, "B+24.5\n");
}

TEST(Cli, PlayTakesItsMovesFromAPipe) {
  DaemonProcess daemon(with_fake_engine("--seed 3"));
  const std::string sgf = daemon.folder().file("game.sgf");
  const auto ran = run_tengen(
      {"play", "--engine", "fake", "--size", "9", "--sgf", sgf, "--server", daemon.url()},
      "E5\nE5\nnonsense\npass\nresign\n");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("Black plays E5."), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("occupied"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("You lose: W+R"), std::string::npos) << ran.out;
  EXPECT_NE(tests::read_text(sgf).find("RE[W+R]"), std::string::npos);
}

TEST(Cli, AGameLeftOpenIsJoinedAgainByItsTicket) {
  DaemonProcess daemon(with_fake_engine("--seed 3"));
  const auto left = run_tengen(
      {"play", "--engine", "fake", "--size", "9", "--server", daemon.url()}, "E5\nquit\n");
  EXPECT_EQ(left.status, 0) << left.err;
  std::smatch ticket;
  ASSERT_TRUE(std::regex_search(left.out, ticket, std::regex("--join ([^ \n]+)"))) << left.out;
  daemon.kill();
  daemon.restart(DaemonProcess::Port::Same);
  const auto back =
      run_tengen({"play", "--join", ticket[1], "--server", daemon.url()}, "moves\nresign\n");
  EXPECT_EQ(back.status, 0) << back.err;
  EXPECT_NE(back.out.find("1 B E5"), std::string::npos) << back.out;
  EXPECT_NE(back.out.find("You lose: W+R"), std::string::npos) << back.out;
}

// The link is there and nothing comes over it: no end of it is seen by anybody.
TEST(Cli, ADaemonThatFallsSilentIsNoticedAndTheGameGoesOnWhenItSpeaksAgain) {
  auto options = with_fake_engine("--seed 3");
  options.config.insert(0, "heartbeat_ms = 1000\n");
  DaemonProcess daemon(options);
  tests::ChildSpec spec;
  spec.argv = {program("tengen"), "play", "--engine", "fake",
               "--size",          "9",    "--server", daemon.url()};
  spec.has_input_pipe = true;
  spec.output_file = daemon.folder().file("play.out");
  spec.error_file = daemon.folder().file("play.err");
  tests::Child play(spec);
  const auto says = [&](const std::string& text) {
    return tests::wait_until(
        [&] { return tests::read_text(spec.output_file).find(text) != std::string::npos; },
        kMatchPatience);
  };
  play.write("E5\n");
  ASSERT_TRUE(says("Black plays E5.") && says("White plays "));
  ::kill(daemon.pid(), SIGSTOP);
  EXPECT_TRUE(says("The server is away (it has been silent for "));
  ::kill(daemon.pid(), SIGCONT);
  EXPECT_TRUE(says("The server is back."));
  play.write("resign\n");
  EXPECT_EQ(play.wait(kMatchPatience), 0) << tests::read_text(spec.error_file);
  EXPECT_TRUE(says("You lose: W+R"));
}

TEST(Cli, WhoMayNotWatchIsToldBeforeAMatchHasMadeAGame) {
  auto options = with_fake_engine("");
  options.config += "[anonymous]\nroles = [\"play\"]\n";
  DaemonProcess daemon(options);
  const auto ran =
      run_tengen({"match", "--black", "fake", "--white", "fake", "--server", daemon.url()});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err.rfind("tengen: no game was made: ", 0), 0u) << ran.err;
  EXPECT_NE(ran.err.find("the role watch"), std::string::npos) << ran.err;
  EXPECT_EQ(daemon.metric("tengen_games_in_memory"), 0);
}

TEST(Cli, AnOperatorRulesFromTheCommandLine) {
  const std::string secret = "tengen_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
  auto options = with_fake_engine("");
  options.config += R"(
[[token]]
name = "chief"
sha256 = "db709e9bf03bf56a86d2eb86eba10e915dadd9b03e250da4ed38faecd57b7244"  # as sha256sum says
roles = ["admin"]
[anonymous]
roles = ["play", "watch"]
)";
  DaemonProcess daemon(options);
  const std::string token_file = daemon.folder().file("secret");
  std::ofstream(token_file) << secret << "\n";
  const auto rule = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "admin");
    arguments.insert(arguments.end(), {"--server", daemon.url(), "--token-file", token_file});
    return run_tengen(std::move(arguments));
  };
  tests::Caller player(daemon.port());
  protocol::CreateGame create;
  create.request_id = "g";
  create.size = {9, 9};
  create.preset = "chinese";
  create.rules = rules::find_preset("chinese")->rules;
  const auto game = player.expect<protocol::GameCreated>(create).game;

  const auto list = rule({"connections"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_TRUE(std::regex_search(list.out, std::regex("anonymous .* 127.0.0.1 +0 +0\n")))
      << list.out;
  EXPECT_TRUE(std::regex_search(list.out, std::regex("chief +tengen "))) << list.out;
  const auto end = rule({"end", rules::to_text(game), "--winner", "white", "--reason", "gone"});
  EXPECT_EQ(end.out, "Done.\n") << end.err;
  const auto snapshot = player.expect<protocol::Snapshot>(protocol::GetSnapshot{game});
  EXPECT_EQ(snapshot.result, (rules::Result{rules::ResultKind::Forfeit, rules::Color::White, 0}));
  EXPECT_EQ(rule({"drain", "fake"}).status, 0);
  EXPECT_EQ(
      run_tengen({"engines", "--server", daemon.url()}).out.find("draining") != std::string::npos,
      true);
  const auto notice = rule({"notice", "we stop"});
  EXPECT_TRUE(std::regex_match(notice.out, std::regex("Done: told [2-9] connections.\n")))
      << notice.out;
  const auto pushed = player.next(tests::kAnswerPatience);
  ASSERT_TRUE(pushed);
  EXPECT_EQ(std::get<protocol::Notice>(pushed->message).text, "we stop");
  EXPECT_EQ(rule({"kick", "--token", "anonymous"}).status, 0);
  EXPECT_EQ(rule({"kick", "--token", "nobody"}).status, 1);
  EXPECT_EQ(run_tengen({"admin", "connections", "--server", daemon.url()}).status, 1) << "no token";
  EXPECT_NE(
      daemon.log().find("admin chief: ends game " + rules::to_text(game) + ", white wins: gone"),
      std::string::npos);
}

TEST(Cli, ExitCodesTellWhatWentWrong) {
  // Nothing listens on port 1.
  EXPECT_EQ(run_tengen({"engines", "--server", "ws://127.0.0.1:1"}).status, 3);
  EXPECT_EQ(run_tengen({}).status, 2);
  EXPECT_EQ(run_tengen({"match", "--black", "x"}).status, 2);
  EXPECT_EQ(run_tengen({"engines", "--server", "http://127.0.0.1:1"}).status, 2);
  DaemonProcess daemon(with_fake_engine(""));
  EXPECT_EQ(run_tengen({"play", "--engine", "nobody", "--server", daemon.url()}).status, 1);
  EXPECT_EQ(run_tengen({"match", "--black", "nobody", "--white", "fake", "--server", daemon.url()})
                .status,
            1);
}

}  // namespace
}  // namespace tengen::cli
