// Engines that are killed, hang, crash or talk rubbish: their game goes on with another process and
// games beside it notice nothing.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <ostream>

#include "tests/e2e/undisturbed.h"
#include "tests/support/daemon_process.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using tests::DaemonProcess;
using tests::Player;

protocol::EngineInfo engine_info(tests::Caller& caller, const std::string& profile) {
  for (auto& info : caller.expect<protocol::EngineList>(protocol::ListEngines{}).engines) {
    if (info.profile == profile) return info;
  }
  throw std::runtime_error("no profile " + profile);
}

TEST(EngineFaults, GnuGoKilledInsideAGenmoveCostsItsGameNothing) {
  DaemonProcess daemon;
  auto create = tests::game_of(19, tests::human_seat(), tests::engine_seat("gnugo"));
  Player player(daemon.port(), create);
  tests::Caller observer(daemon.port());
  player.act(player.play_request("Q16"));
  ASSERT_TRUE(tests::wait_until([&] { return engine_info(observer, "gnugo").busy == 1; },
                                tests::kEventually));
  const auto victims = daemon.engines();
  ASSERT_FALSE(victims.empty());
  for (const pid_t victim : victims) ::kill(victim, SIGKILL);
  ASSERT_TRUE(player.wait_for_turn());
  tests::expect_undisturbed(player, 2);
}

TEST(EngineFaults, AKilledEngineDisturbsOnlyItsOwnSearch) {
  DaemonProcess daemon(
      {tests::config_with({{"fake", {tests::program("fake_engine"), "--late-ms", "1000"}, 2, 2}})});
  const auto create = [] {
    return tests::game_of(9, tests::human_seat(), tests::engine_seat("fake"));
  };
  Player one(daemon.port(), create());
  Player two(daemon.port(), create());
  ASSERT_TRUE(tests::wait_until([&] { return daemon.engines().size() == 2; }, tests::kEventually));
  one.act(one.play_request("D4"));
  two.act(two.play_request("D4"));
  ASSERT_TRUE(tests::wait_until([&] { return engine_info(two.caller(), "fake").busy == 2; },
                                tests::kEventually));
  const auto victims = daemon.engines();
  ASSERT_EQ(victims.size(), 2u);
  ::kill(victims.front(), SIGKILL);
  ASSERT_TRUE(one.wait_for_turn());
  ASSERT_TRUE(two.wait_for_turn());
  tests::expect_undisturbed(one, 2);
  tests::expect_undisturbed(two, 2);
  EXPECT_TRUE(tests::is_alive(victims.back()));
}

struct Fault {
  const char* name;
  std::string switches;
  bool is_replaced;  // whether the process must be given up
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class OneFault : public ::testing::TestWithParam<Fault> {};

// Two games share the profile; the fault strikes once, in whichever comes to it.
TEST_P(OneFault, LeavesBothGamesOfItsPoolUndisturbed) {
  constexpr int kRounds = 3;
  const tests::TempFolder folder;
  const auto& fault = GetParam();
  const std::string command = "exec \"" + tests::program("fake_engine") + "\" " + fault.switches +
                              " --once-file \"" + folder.file("struck") + "\"";
  DaemonProcess daemon({tests::config_with({{"fake", {"sh", "-c", command}, 1, 2, 2'000}})});
  const auto create = [] {
    return tests::game_of(9, tests::human_seat(), tests::engine_seat("fake"));
  };
  Player one(daemon.port(), create());
  Player two(daemon.port(), create());
  for (int round = 0; round < kRounds; ++round) {
    one.play_simple();
    two.play_simple();
    ASSERT_TRUE(one.wait_for_turn()) << daemon.log();
    ASSERT_TRUE(two.wait_for_turn()) << daemon.log();
  }
  tests::expect_undisturbed(one, 2 * kRounds);
  tests::expect_undisturbed(two, 2 * kRounds);
  if (fault.is_replaced) {
    EXPECT_TRUE(std::filesystem::exists(folder.file("struck")));
  }
}

// The handshake and the first position take the first commands; the twelfth is in mid-game.
INSTANTIATE_TEST_SUITE_P(EngineFaults, OneFault,
                         ::testing::Values(Fault{"Hang", "--hang-at 12", true},
                                           Fault{"Crash", "--crash-at 12", true},
                                           Fault{"CrashAtTheStart", "--crash-at 1", true},
                                           Fault{"Garbage", "--garbage-at 12", true},
                                           Fault{"WrongId", "--wrong-id-at 12", true},
                                           Fault{"IllegalMove", "--illegal-at 2", true},
                                           Fault{"CarriageReturns", "--crlf", false},
                                           Fault{"FloodOnStderr", "--stderr-flood 1000000", false},
                                           Fault{"SlowStart", "--slow-start-ms 1500", false}),
                         [](const ::testing::TestParamInfo<Fault>& fault) {
                           return std::string(fault.param.name);
                         });

TEST(EngineFaults, AProgramThatDoesNotExistFailsItsProfileAndNoOther) {
  DaemonProcess daemon({tests::config_with(
      {{"none", {"/nonexistent/engine"}}, {"fake", {tests::program("fake_engine")}}})});
  Player player(daemon.port(), tests::game_of(9, tests::human_seat(), tests::engine_seat("fake")));
  Player stuck(daemon.port(), tests::game_of(9, tests::human_seat(), tests::engine_seat("none")));
  stuck.play_simple();
  player.play_simple();
  ASSERT_TRUE(player.wait_for_turn());
  ASSERT_TRUE(stuck.wait_for_seq(1));
  tests::expect_undisturbed(player, 2);
  tests::expect_undisturbed(stuck, 1);
}

}  // namespace
}  // namespace tengen::daemon
