// How the daemon starts and how it ends: exit codes, what clients are told, and that no engine
// outlives it.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/daemon_process.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using tests::DaemonProcess;
using tests::program;

constexpr std::chrono::seconds kDeathLimit{1};  // for every engine, after a SIGKILL of the daemon

/// Engines that are hard to get rid of: behind a shell, deaf to quit and SIGTERM.
std::string stubborn_engines() {
  const std::string deaf = "\"" + program("fake_engine") + "\" --ignore-quit --ignore-term";
  return tests::config_with({{"wrapped", {"sh", "-c", "/usr/games/gnugo --mode gtp; true"}},
                             {"deaf", {program("fake_engine"), "--ignore-quit", "--ignore-term"}},
                             {"deaf-wrapped", {"sh", "-c", "trap \"\" TERM; " + deaf + "; true"}}});
}

// One shell and one engine each where wrapped.
constexpr std::size_t kStubbornProcesses = 5;

bool wait_for_engines(const DaemonProcess& daemon, std::size_t count) {
  return tests::wait_until([&] { return daemon.engines().size() == count; }, tests::kEventually);
}

void expect_no_engines(const DaemonProcess& daemon) {
  if (tests::wait_until([&] { return daemon.engines().empty(); }, kDeathLimit)) return;
  for (const pid_t pid : daemon.engines()) {
    ADD_FAILURE() << "still alive: " << pid << " " << tests::command_line_of(pid);
  }
}

TEST(Lifecycle, SigtermSaysGoodbyeAndLeavesNoEngine) {
  DaemonProcess daemon;
  tests::Caller idle(daemon.port());
  tests::Player player(
      daemon.port(),
      tests::game_of(9, tests::human_seat(), tests::engine_seat("gnugo", {{"level", "1"}})));
  player.play_simple();
  ::kill(daemon.pid(), SIGTERM);
  EXPECT_EQ(idle.socket().wait_for_close(tests::kEventually), protocol::kCloseGoingAway);
  EXPECT_EQ(player.caller().socket().wait_for_close(tests::kEventually), protocol::kCloseGoingAway);
  EXPECT_EQ(daemon.stop(tests::kEventually), 0);
  EXPECT_TRUE(daemon.engines().empty());
  daemon.restart();
  player.reconnect(daemon.port());
  EXPECT_TRUE(player.wait_for_turn());
}

TEST(Lifecycle, SigtermEndsEnginesThatDoNotWantToGo) {
  DaemonProcess daemon({stubborn_engines()});
  ASSERT_TRUE(wait_for_engines(daemon, kStubbornProcesses));
  EXPECT_EQ(daemon.stop(tests::kEventually), 0);
  expect_no_engines(daemon);
}

TEST(Lifecycle, NoEngineOutlivesAKilledDaemonByASecond) {
  DaemonProcess daemon({stubborn_engines()});
  ASSERT_TRUE(wait_for_engines(daemon, kStubbornProcesses));
  daemon.kill();
  expect_no_engines(daemon);
}

TEST(Lifecycle, AnEngineInTheMiddleOfASearchDiesWithAKilledDaemon) {
  DaemonProcess daemon({tests::config_with(
      {{"slow", {"sh", "-c", "\"" + program("fake_engine") + "\" --late-ms 60000; true"}}})});
  tests::Player player(daemon.port(),
                       tests::game_of(9, tests::human_seat(), tests::engine_seat("slow")));
  player.play_simple();
  ASSERT_TRUE(wait_for_engines(daemon, 2));
  daemon.kill();
  expect_no_engines(daemon);
}

tests::Ran run_tengend(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), program("tengend"));
  return tests::run(arguments, input);
}

TEST(Lifecycle, ASecondDaemonOnTheSameDataIsRefused) {
  DaemonProcess daemon;
  const auto second = run_tengend({"--listen", "127.0.0.1:0", "--data", daemon.data()});
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.err.find("in use by another tengend"), std::string::npos) << second.err;
  tests::Caller(daemon.port()).expect<protocol::Pong>(protocol::Ping{1});
}

TEST(Lifecycle, ABusyPortIsNamedAndNothingIsLeftBehind) {
  DaemonProcess daemon;
  const tests::TempFolder folder;
  const std::string address = "127.0.0.1:" + std::to_string(daemon.port());
  const auto second = run_tengend(
      {"--listen", address, "--data", folder.file("data"), "--port-file", folder.file("port")});
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.err.find("cannot listen on " + address), std::string::npos) << second.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("port")));
}

TEST(Lifecycle, ThePortFileIsWholeAndAlone) {
  DaemonProcess daemon;
  EXPECT_EQ(tests::read_text(daemon.folder().file("port")), std::to_string(daemon.port()) + "\n");
  EXPECT_FALSE(std::filesystem::exists(daemon.folder().file("port.new")));
}

TEST(Lifecycle, AllFaultsOfAConfigurationAreNamedWithTheirPlaces) {
  const tests::TempFolder folder;
  const std::string file = folder.write("bad.toml",
                                        "listen = \"here\"\n"          // 1: no address
                                        "log_level = 7\n"              // 2: no string
                                        "colour = \"red\"\n"           // 3: unknown
                                        "[[profile]]\n"                // 4
                                        "name = \"x\"\n"               // 5
                                        "command = [\"gnugo\"]\n"      // 6
                                        "processes_max = 0\n"          // 7: too small
                                        "  search_limit_ms = \"1\"\n"  // 8: no number
                                        "bord_size = 9\n");            // 9: unknown
  const auto checked = run_tengend({"--check-config", "--config", file});
  EXPECT_EQ(checked.status, 1);
  for (const char* place : {":1:", ":2:", ":3:1:", ":7:", ":8:", ":9:1:"}) {
    EXPECT_NE(checked.err.find(file + place), std::string::npos) << place << "\n" << checked.err;
  }
  EXPECT_NE(checked.err.find("bord_size"), std::string::npos);
  // Serving with it is refused as well.
  EXPECT_EQ(run_tengend({"--config", file, "--data", folder.file("data")}).status, 1);
}

TEST(Lifecycle, BrokenTomlAndMissingFilesAreNamed) {
  const tests::TempFolder folder;
  const std::string file = folder.write("broken.toml", "games_max = 5\nlisten = [\n");
  const auto broken = run_tengend({"--check-config", "--config", file});
  EXPECT_EQ(broken.status, 1);
  EXPECT_NE(broken.err.find(file + ":"), std::string::npos) << broken.err;
  const auto missing = run_tengend({"--check-config", "--config", folder.file("none.toml")});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.err.find("none.toml"), std::string::npos);
}

TEST(Lifecycle, ThePrintedConfigurationIsAGoodOne) {
  const auto printed = run_tengend({"--print-config"});
  EXPECT_EQ(printed.status, 0);
  const tests::TempFolder folder;
  const std::string file = folder.write("default.toml", printed.out);
  EXPECT_EQ(run_tengend({"--check-config", "--config", file}).status, 0);
}

TEST(Lifecycle, ANewTokenIsAppendedToAConfigurationAndItsSecretIsShownAside) {
  const auto made = run_tengend({"token", "club"});
  EXPECT_EQ(made.status, 0);
  const auto begin = made.err.find("tengen_");
  ASSERT_NE(begin, std::string::npos) << made.err;
  const std::string secret = made.err.substr(begin, 50);
  EXPECT_EQ(secret.find_first_of(" \n"), std::string::npos) << secret;
  EXPECT_EQ(made.out.find("tengen_"), std::string::npos);
  const tests::TempFolder folder;
  const std::string file =
      folder.write("tengend.toml", run_tengend({"--print-config"}).out + made.out);
  EXPECT_EQ(run_tengend({"--check-config", "--config", file}).status, 0);
  EXPECT_NE(run_tengend({"token", "club"}).out, made.out);
}

TEST(Lifecycle, BeyondLoopbackNothingIsServedWithoutTokens) {
  const auto refused = run_tengend({"--check-config", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err.find("--listen must be on loopback"), 0u) << refused.err;
  const tests::TempFolder folder;
  const std::string file = folder.write(
      "tengend.toml", "plain_text_allowed = true\n" + run_tengend({"token", "club"}).out);
  EXPECT_EQ(run_tengend({"--check-config", "--listen", "0.0.0.0:0", "--config", file}).status, 0);
}

TEST(Lifecycle, WrongUsageIsExitCodeTwo) {
  EXPECT_EQ(run_tengend({"token"}).status, 2);
  EXPECT_EQ(run_tengend({"token", "two words"}).status, 2);
  EXPECT_EQ(run_tengend({"token", "anonymous"}).status, 2);
  EXPECT_EQ(run_tengend({"token", "a", "b"}).status, 2);
  EXPECT_EQ(run_tengend({"--no-such-switch"}).status, 2);
  EXPECT_EQ(run_tengend({"--listen", "nowhere"}).status, 2);
  EXPECT_EQ(run_tengend({"--version"}).status, 0);
}

}  // namespace
}  // namespace tengen::daemon
