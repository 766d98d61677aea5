// Real processes: pipes, signals, exits, limits, memory and the keeper.
#include "pool/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

#include "pool/group_memory.h"
#include "pool/limits.h"
#include "pool/spawn.h"
#include "tests/support/proc.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

bool is_alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const auto end = text.rfind(')');
  return end != std::string::npos && text[end + 2] != 'Z' && text[end + 2] != 'X';
}

/// Processes with everything they report written down.
class Watch {
 public:
  Watch() : keeper_(std::get<Keeper>(Keeper::start())) {}

  void spawn(std::vector<std::string> argv, std::string directory = "") {
    spawn(Spawn{kEngine, std::move(argv), std::move(directory)});
  }
  void spawn(Spawn what) {
    what.engine = kEngine;
    processes_.spawn(what);
    EXPECT_EQ(pid, 0) << "events come from the loop only";
    EXPECT_TRUE(spawn_failure.empty());
  }
  /// A second engine, which echoes.
  void spawn_cat() { processes_.spawn(Spawn{kCat, {"cat"}, ""}); }
  void write_to_cat(std::string bytes) { processes_.write({kCat, std::move(bytes)}); }
  void write(std::string bytes) { processes_.write({kEngine, std::move(bytes)}); }
  void close_input() { processes_.close_input({kEngine}); }
  void kill() { processes_.kill({kEngine}); }
  /// Runs the loop until the condition holds; false when it does not in time.
  bool run_until(const std::function<bool()>& is_met) {
    const auto end = std::chrono::steady_clock::now() + tests::kEventually;
    while (!is_met() && std::chrono::steady_clock::now() < end) {
      io_.restart();
      io_.run_one_for(milliseconds(100));
    }
    return is_met();
  }
  bool run_until_exit() {
    return run_until([&] { return exit.has_value(); });
  }
  /// Whether the loop comes to have nothing to wait for.
  bool run_out_of_work() {
    io_.restart();
    io_.run_for(tests::kEventually);
    return io_.stopped();
  }
  std::size_t running() const { return processes_.running(); }

  int pid = 0;
  std::string spawn_failure;
  std::string output;
  std::string error_output;
  std::string echo;  // of the second engine
  std::size_t largest_chunk = 0;
  std::vector<std::uint64_t> memory;
  std::optional<ExitStatus> exit;

 private:
  static constexpr EngineId kEngine{1};
  static constexpr EngineId kCat{2};

  boost::asio::io_context io_;
  Keeper keeper_;
  Processes processes_{io_,
                       keeper_,
                       {[this](EngineId, int value) { pid = value; },
                        [this](EngineId, std::string reason) { spawn_failure = std::move(reason); },
                        [this](EngineId id, std::string_view bytes) {
                          (id == kEngine ? output : echo) += bytes;
                          largest_chunk = std::max(largest_chunk, bytes.size());
                        },
                        [this](EngineId, std::string_view bytes) { error_output += bytes; },
                        [this](EngineId, ExitStatus status) { exit = status; },
                        [this](EngineId, std::uint64_t bytes) { memory.push_back(bytes); }}};
};

TEST(Process, EchoesThroughCatAndEndsWithItsInput) {
  Watch watch;
  watch.spawn({"cat"});
  watch.write("hello ");
  watch.write("world\n");
  ASSERT_TRUE(watch.run_until([&] { return watch.output == "hello world\n"; }));
  EXPECT_GT(watch.pid, 0);
  EXPECT_EQ(watch.running(), 1u);
  watch.close_input();
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_FALSE(watch.exit->signalled);
  EXPECT_EQ(watch.exit->value, 0);
  EXPECT_EQ(watch.running(), 0u);
}

TEST(Process, MovesMoreThanAPipeHolds) {
  Watch watch;
  watch.spawn({"cat"});
  const std::string big(700'000, 'x');
  watch.write(big);
  watch.close_input();
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.output.size(), big.size());
}

TEST(Process, KeepsTheOrderOfWhatItsPipeDoesNotTakeAtOnce) {
  Watch watch;
  watch.spawn(shell("sleep 0.2; cat"));
  std::string all;
  for (int i = 0; i < 30'000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    all += line;
    watch.write(line);
  }
  watch.close_input();
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_TRUE(watch.output == all);
}

TEST(Process, ReadsAFloodInBoundedPiecesAndLeavesOthersTheirTurn) {
  Watch watch;
  watch.spawn({"yes"});
  watch.spawn_cat();
  ASSERT_TRUE(watch.run_until([&] { return watch.output.size() > 1'000'000; }));
  EXPECT_LE(watch.largest_chunk, 16u * 1024);
  watch.write_to_cat("anybody?\n");
  EXPECT_TRUE(watch.run_until([&] { return watch.echo == "anybody?\n"; }));
  watch.kill();
  EXPECT_TRUE(watch.run_until_exit());
}

TEST(Process, ReportsExitCodesAndSignals) {
  Watch code;
  code.spawn(shell("exit 7"));
  ASSERT_TRUE(code.run_until_exit());
  EXPECT_FALSE(code.exit->signalled);
  EXPECT_EQ(code.exit->value, 7);
  Watch signal;
  signal.spawn(shell("kill -TERM $$"));
  ASSERT_TRUE(signal.run_until_exit());
  EXPECT_TRUE(signal.exit->signalled);
  EXPECT_EQ(signal.exit->value, SIGTERM);
}

TEST(Process, DeliversAllOutputBeforeTheExit) {
  Watch watch;
  watch.spawn(shell("head -c 300000 /dev/zero; echo bad >&2; exit 3"));
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.output.size(), 300'000u);
  EXPECT_EQ(watch.error_output, "bad\n");
}

TEST(Process, ReportsAnExitThoughAGrandchildHoldsThePipe) {
  Watch watch;
  watch.spawn(shell("setsid sleep 30 & echo started; exit 0"));
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.output, "started\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(10));
}

TEST(Process, SaysWhyAProgramCannotBeStarted) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"no-such-engine", "no-such-engine: not found beside tengend, in PATH or in /usr/games"},
      {"/no/such/engine", "/no/such/engine: No such file or directory"},
      {"/etc/passwd", "/etc/passwd: Permission denied"}};
  for (const auto& [program, reason] : cases) {
    Watch watch;
    watch.spawn({program});
    ASSERT_TRUE(watch.run_until([&] { return !watch.spawn_failure.empty(); }));
    EXPECT_EQ(watch.spawn_failure, reason);
    EXPECT_EQ(watch.running(), 0u);
  }
  Watch watch;
  watch.spawn({"cat"}, "/no/such/folder");
  ASSERT_TRUE(watch.run_until([&] { return !watch.spawn_failure.empty(); }));
  EXPECT_EQ(watch.spawn_failure, "/no/such/folder: No such file or directory");
}

TEST(Process, AFolderIsNoProgramThoughItHasTheName) {
  const std::string before = std::getenv("PATH");
  const std::string folder = ::testing::TempDir() + "tengen-path-" + std::to_string(::getpid());
  std::filesystem::create_directories(folder + "/cat");
  ::setenv("PATH", (folder + ":" + before).c_str(), 1);
  EXPECT_NE(find_program("cat"), folder + "/cat");
  EXPECT_TRUE(find_program("cat").ends_with("/cat"));
  ::setenv("PATH", before.c_str(), 1);
  std::filesystem::remove_all(folder);
}

TEST(Process, StartsInTheDirectoryGiven) {
  Watch watch;
  watch.spawn({"pwd"}, "/usr/games");
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.output, "/usr/games\n");
}

TEST(Process, SeesOnlyItsThreeDescriptors) {
  Pipe inheritable = make_pipe();
  const int leak = ::dup(inheritable.read.get());  // not close-on-exec
  Watch watch;
  watch.spawn(shell("ls /proc/$$/fd"));
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.output, "0\n1\n2\n");
  ::close(leak);
}

TEST(Process, HasItsOwnGroupAndDefaultSignals) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  Watch watch;  // ignores SIGPIPE
  watch.spawn(
      {"sh", "-c", "ps -o pgid= -p $$ | tr -d ' '; grep -E 'Sig(Blk|Ign)' /proc/self/status"});
  ASSERT_TRUE(watch.run_until_exit());
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(watch.output,
            std::to_string(watch.pid) + "\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(Process, IsKilledWithItsWholeGroup) {
  Watch watch;
  watch.spawn(shell("sleep 60 & echo $!; wait"));
  ASSERT_TRUE(watch.run_until([&] { return watch.output.ends_with('\n'); }));
  const pid_t grandchild = std::stoi(watch.output);
  watch.kill();
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_TRUE(watch.exit->signalled);
  EXPECT_EQ(watch.exit->value, SIGKILL);
  EXPECT_TRUE(watch.run_until([&] { return !is_alive(grandchild); }));
}

TEST(Process, IsKilledWhenItReadsNothingBeyondTheBacklog) {
  Watch watch;
  watch.spawn({"sleep", "60"});
  const std::string piece(Limits::kWriteBacklogMax / 2, 'x');
  for (int i = 0; i < 4; ++i) watch.write(piece);
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.exit->value, SIGKILL);
}

TEST(Process, SurvivesWritingToOneThatHasClosedItsInput) {
  Watch watch;
  watch.spawn(shell("exec <&-; echo closed; sleep 0.3; exit 5"));
  ASSERT_TRUE(watch.run_until([&] { return watch.output == "closed\n"; }));
  watch.write("anybody?\n");
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.exit->value, 5);
}

TEST(Process, SeesOfOurEnvironmentOnlyWhatItIsMeantTo) {
  ::setenv("TENGEN_TEST_SECRET", "token", 1);
  ::setenv("TENGEN_TEST_NAMED", "ours", 1);
  ::setenv("LC_TENGEN_TEST", "C", 1);
  Watch watch;
  watch.spawn(Spawn{{},
                    {"env"},
                    "",
                    {"TENGEN_TEST_NAMED", "TENGEN_TEST_SET=a b=c", "TZ=UTC", "TENGEN_TEST_UNSET"},
                    {},
                    false});
  ASSERT_TRUE(watch.run_until_exit());
  std::istringstream lines(watch.output);
  std::vector<std::string> ours;  // apart from what depends on who runs the test
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find('='));
    const bool is_known = name == "PATH" || name == "HOME" || name == "USER" || name == "LOGNAME" ||
                          name == "LANG" || name == "TMPDIR";
    if (!is_known && (!name.starts_with("LC_") || name == "LC_TENGEN_TEST")) ours.push_back(line);
  }
  EXPECT_EQ(ours, (std::vector<std::string>{"LC_TENGEN_TEST=C", "TENGEN_TEST_NAMED=ours",
                                            "TENGEN_TEST_SET=a b=c", "TZ=UTC"}));
  EXPECT_NE(watch.output.find("PATH="), std::string::npos);
}

TEST(Process, AnEntryOfTheEnvironmentCountsAboveOurOwnAndALaterOneAboveAnEarlier) {
  ::setenv("TZ", "Europe/Berlin", 1);
  ::setenv("TENGEN_TEST_NAMED", "ours", 1);
  const auto holds = [](const std::vector<std::string>& entries, const std::string& text) {
    const auto found = child_environment(entries);
    return std::count(found.begin(), found.end(), text) == 1;
  };
  EXPECT_TRUE(holds({}, "TZ=Europe/Berlin"));
  EXPECT_TRUE(holds({"TZ=UTC"}, "TZ=UTC"));
  EXPECT_FALSE(holds({"TZ=UTC"}, "TZ=Europe/Berlin"));
  EXPECT_TRUE(holds({"TZ=UTC", "TZ="}, "TZ="));
  EXPECT_TRUE(holds({"TENGEN_TEST_NAMED=set", "TENGEN_TEST_NAMED"}, "TENGEN_TEST_NAMED=set"));
  EXPECT_FALSE(holds({"TENGEN_TEST"}, "TENGEN_TEST_NAMED=ours"));
  ::unsetenv("TZ");
}

TEST(Process, HasItsLimitsFromTheStart) {
  const int own_niceness = ::getpriority(PRIO_PROCESS, 0);
  ProcessLimits limits;
  limits.address_space_bytes = 512 * 1024 * 1024;
  limits.cpu_seconds = 7;
  limits.files = 64;
  limits.niceness = std::min(own_niceness + 3, 19);
  Watch watch;
  watch.spawn(Spawn{{},
                    shell("ulimit -v; ulimit -t; ulimit -n; ulimit -Hn; ulimit -c; nice"),
                    "",
                    {},
                    limits,
                    false});
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.output, "524288\n7\n64\n64\n0\n" + std::to_string(limits.niceness) + "\n");
}

TEST(Process, HasOurOwnLimitsWhereNoneAreGivenAndNeverWritesCoreFiles) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  Watch watch;
  watch.spawn(shell("ulimit -n; ulimit -Hc; nice"));
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_EQ(watch.output, std::to_string(files.rlim_cur) + "\n0\n" +
                              std::to_string(::getpriority(PRIO_PROCESS, 0)) + "\n");
}

TEST(Process, ALimitThatTheSystemDoesNotGrantIsSaid) {
  ProcessLimits limits;
  limits.files = 4'000'000'000;  // above fs.nr_open, which even root is held to
  Watch watch;
  watch.spawn(Spawn{{}, {"cat"}, "", {}, limits, false});
  ASSERT_TRUE(watch.run_until([&] { return !watch.spawn_failure.empty(); }));
  EXPECT_EQ(watch.spawn_failure,
            "the process cannot be set up: its limit of open files: Operation not permitted");
  EXPECT_EQ(watch.running(), 0u);
}

TEST(Process, GetsNoMoreMemoryThanItsLimit) {
  ProcessLimits limits;
  limits.address_space_bytes = 100'000'000;
  Watch watch;
  watch.spawn(Spawn{
      {}, {"dd", "bs=200M", "count=1", "if=/dev/zero", "of=/dev/null"}, "", {}, limits, false});
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_FALSE(watch.exit->signalled);
  EXPECT_EQ(watch.exit->value, 1);
  EXPECT_NE(watch.error_output.find("memory exhausted"), std::string::npos) << watch.error_output;
}

TEST(Process, EndsWithASignalThatSaysSoWhenItsProcessorTimeIsUsedUp) {
  ProcessLimits limits;
  limits.cpu_seconds = 1;
  Watch watch;
  watch.spawn(Spawn{{}, shell("while :; do :; done"), "", {}, limits, false});
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_TRUE(watch.exit->signalled);
  EXPECT_EQ(watch.exit->value, SIGXCPU);
}

// tail keeps all that it has read, since more than that was asked for.
constexpr const char* kHolds50MillionBytes =
    "(head -c 50000000 /dev/zero; sleep 60) | tail -c 60000000 > /dev/null; true";

TEST(Process, TellsTheMemoryOfItsWholeGroup) {
  Watch watch;
  watch.spawn(Spawn{{}, shell(kHolds50MillionBytes), "", {}, {}, true});
  ASSERT_TRUE(
      watch.run_until([&] { return !watch.memory.empty() && watch.memory.back() >= 50'000'000; }));
  EXPECT_LT(watch.memory.back(), 100'000'000u);
  watch.kill();
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_TRUE(watch.run_out_of_work()) << "the watch ends with the last engine that is watched";
}

TEST(Process, TellsNoMemoryUnlessAsked) {
  Watch watch;
  watch.spawn(shell("exec >&-; sleep 2.5"));
  ASSERT_TRUE(watch.run_until_exit());
  EXPECT_TRUE(watch.memory.empty());
}

TEST(Process, MemoryIsThatOfEachGroupAlone) {
  const auto bytes = resident_bytes({::getpgrp(), 1 << 30});
  ASSERT_EQ(bytes.size(), 2u);
  EXPECT_GT(bytes[0], 1'000'000u);
  EXPECT_EQ(bytes[1], 0u);
  EXPECT_TRUE(resident_bytes({}).empty());
}

TEST(Process, IsKilledAndWaitedForWhenItsOwnerGoes) {
  pid_t pid = 0;
  {
    Watch watch;
    watch.spawn(shell("trap '' TERM; while :; do sleep 60; done"));
    ASSERT_TRUE(watch.run_until([&] { return watch.pid != 0; }));
    pid = watch.pid;
    EXPECT_TRUE(is_alive(pid));
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

// A small daemon of its own: starts a keeper and one engine with a grandchild, says who they are,
// and is then killed.
[[noreturn]] void be_a_daemon(int report) {
  auto keeper = std::get<Keeper>(Keeper::start());
  boost::asio::io_context io;
  Processes processes(io, keeper,
                      {[](EngineId, int) {},
                       [](EngineId, const std::string&) {},
                       [&](EngineId, std::string_view bytes) {
                         [[maybe_unused]] const auto done =
                             ::write(report, bytes.data(), bytes.size());
                       },
                       [](EngineId, std::string_view) {},
                       [](EngineId, ExitStatus) {},
                       {}});
  // The wrapper ignores the gentle signals, as a stubborn shell script may.
  processes.spawn({{1}, shell("trap '' TERM HUP INT; sleep 60 & echo $$ $!; wait"), ""});
  io.run();
  ::_exit(0);
}

TEST(Keeper, KillsEnginesAndTheirChildrenWhenTheDaemonIsKilled) {
  Pipe pipe = make_pipe();
  const pid_t daemon = ::fork();
  if (daemon == 0) be_a_daemon(pipe.write.get());
  pipe.write.reset();
  char text[64] = {};
  ASSERT_GT(::read(pipe.read.get(), text, sizeof text - 1), 0);
  int engine = 0;
  int grandchild = 0;
  ASSERT_EQ(std::sscanf(text, "%d %d", &engine, &grandchild), 2);
  EXPECT_TRUE(is_alive(engine));
  EXPECT_TRUE(is_alive(grandchild));
  ::kill(daemon, SIGKILL);
  ::waitpid(daemon, nullptr, 0);
  const auto end = std::chrono::steady_clock::now() + tests::kEventually;
  while ((is_alive(engine) || is_alive(grandchild)) && std::chrono::steady_clock::now() < end) {
    ::usleep(1000);
  }
  EXPECT_FALSE(is_alive(engine));
  EXPECT_FALSE(is_alive(grandchild));
}

TEST(Keeper, LeavesForgottenGroupsAlone) {
  const pid_t bystander = ::fork();
  if (bystander == 0) {
    ::setpgid(0, 0);
    while (true) ::pause();
  }
  ::setpgid(bystander, bystander);
  {
    auto keeper = std::get<Keeper>(Keeper::start());
    keeper.watch(bystander);
    keeper.forget(bystander);
  }
  EXPECT_TRUE(is_alive(bystander));
  {
    auto keeper = std::get<Keeper>(Keeper::start());
    keeper.watch(bystander);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(bystander, &status, 0), bystander);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

}  // namespace
}  // namespace tengen::pool
