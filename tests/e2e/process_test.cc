// Real processes: pipes, signals, exits, the keeper, and GNU Go through the pool.
// TENGEN_FAKE_ENGINE is the path of the fake engine's binary, defined by the build.
#include "pool/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>

#include "pool/limits.h"
#include "pool/spawn.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kPatience{20};

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
    processes_.spawn({kEngine, std::move(argv), std::move(directory)});
    EXPECT_EQ(pid, 0) << "events come from the loop only";
    EXPECT_TRUE(spawn_failure.empty());
  }
  void write(std::string bytes) { processes_.write({kEngine, std::move(bytes)}); }
  void close_input() { processes_.close_input({kEngine}); }
  void kill() { processes_.kill({kEngine}); }
  /// Runs the loop until the condition holds; false when it does not in time.
  bool run_until(const std::function<bool()>& is_met) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!is_met() && std::chrono::steady_clock::now() < end) {
      io_.restart();
      io_.run_one_for(milliseconds(100));
    }
    return is_met();
  }
  bool run_until_exit() {
    return run_until([&] { return exit.has_value(); });
  }
  std::size_t running() const { return processes_.running(); }

  int pid = 0;
  std::string spawn_failure;
  std::string output;
  std::string error_output;
  std::optional<ExitStatus> exit;

 private:
  static constexpr EngineId kEngine{1};

  boost::asio::io_context io_;
  Keeper keeper_;
  Processes processes_{io_,
                       keeper_,
                       {[this](EngineId, int value) { pid = value; },
                        [this](EngineId, std::string reason) { spawn_failure = std::move(reason); },
                        [this](EngineId, std::string_view bytes) { output += bytes; },
                        [this](EngineId, std::string_view bytes) { error_output += bytes; },
                        [this](EngineId, ExitStatus status) { exit = status; }}};
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

// A small daemon of its own: starts a keeper and one engine with a grandchild, says who they are,
// and is then killed.
[[noreturn]] void be_a_daemon(int report) {
  auto keeper = std::get<Keeper>(Keeper::start());
  boost::asio::io_context io;
  Processes processes(io, keeper,
                      {[](EngineId, int) {}, [](EngineId, const std::string&) {},
                       [&](EngineId, std::string_view bytes) {
                         [[maybe_unused]] const auto done =
                             ::write(report, bytes.data(), bytes.size());
                       },
                       [](EngineId, std::string_view) {}, [](EngineId, ExitStatus) {}});
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
  const auto end = std::chrono::steady_clock::now() + kPatience;
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

/// The pool over real processes and the real clock.
class RealPool {
 public:
  explicit RealPool(Profile profile)
      : keeper_(std::get<Keeper>(Keeper::start())), pool_({std::move(profile)}, 1) {
    pool_.start(now(), effects_);
  }
  ~RealPool() {
    pool_.drain(now(), effects_);
    EXPECT_TRUE(run_until([&] { return pool_.is_gone(); }));
  }

  JobResult run(Job job) {
    const JobId id = job.id;
    std::optional<JobResult> result;
    pool_.submit(std::move(job), now(), effects_);
    EXPECT_TRUE(run_until([&] {
      for (const JobDone& each : done_) {
        if (each.job == id) result = each.result;
      }
      return result.has_value();
    }));
    return result.value_or(JobFailure{});
  }
  ProfileStatus status() const { return pool_.statuses().front(); }
  int spawns() const { return spawns_; }

 private:
  static TimePoint now() { return std::chrono::steady_clock::now(); }

  bool run_until(const std::function<bool()>& is_met) {
    const auto end = now() + kPatience;
    pool_.dispatch(now(), effects_);
    carry_out();
    while (!is_met() && now() < end) {
      const auto due = pool_.deadline().value_or(end);
      io_.restart();
      io_.run_one_until(std::min({due, end, now() + milliseconds(100)}));
      if (pool_.deadline() && *pool_.deadline() <= now()) pool_.on_deadline(now(), effects_);
      pool_.dispatch(now(), effects_);
      carry_out();
    }
    return is_met();
  }
  void carry_out() {
    Effects batch;
    batch.swap(effects_);
    for (Effect& effect : batch) {
      if (auto* spawn = std::get_if<Spawn>(&effect)) ++spawns_, processes_.spawn(*spawn);
      if (auto* write = std::get_if<Write>(&effect)) processes_.write(*write);
      if (auto* close = std::get_if<CloseInput>(&effect)) processes_.close_input(*close);
      if (auto* kill = std::get_if<Kill>(&effect)) processes_.kill(*kill);
      if (auto* done = std::get_if<JobDone>(&effect)) done_.push_back(std::move(*done));
    }
  }

  boost::asio::io_context io_;
  Keeper keeper_;
  Pool pool_;
  Effects effects_;
  std::vector<JobDone> done_;
  int spawns_ = 0;
  Processes processes_{
      io_,
      keeper_,
      {[this](EngineId id, int pid) { pool_.on_spawned(id, pid, now(), effects_); },
       [this](EngineId id, const std::string& why) {
         pool_.on_spawn_failed(id, why, now(), effects_);
       },
       [this](EngineId id, std::string_view b) { pool_.on_output(id, b, now(), effects_); },
       [this](EngineId id, std::string_view b) { pool_.on_error_output(id, b, now(), effects_); },
       [this](EngineId id, ExitStatus status) { pool_.on_exit(id, status, now(), effects_); }}};
};

Profile real_profile(std::vector<std::string> command) {
  Profile profile = tests::fake_profile();
  profile.command = std::move(command);
  profile.search_limit = seconds(10);
  return profile;
}

bool is_play(const JobResult& result) {
  const auto* move = std::get_if<EngineMove>(&result);
  return move != nullptr && move->kind == EngineMove::Kind::Play;
}

TEST(RealEngine, GnuGoPlaysThroughThePool) {
  Profile profile = real_profile({"gnugo", "--mode", "gtp"});
  profile.settings = {{"level", "level", 0, 10, 1}};
  RealPool pool(profile);
  EXPECT_TRUE(is_play(pool.run(tests::genmove_job(1, 1, {"E5"}))));
  EXPECT_TRUE(is_play(pool.run(tests::genmove_job(2, 2, {"D4", "Q16"}, 19))));
  const auto list = pool.run(tests::list_job(3, 3, {"E5", "E4", "pass", "pass"}));
  EXPECT_TRUE(std::holds_alternative<EngineDeadList>(list));
  EXPECT_EQ(pool.status().engine_name, "GNU Go");
  EXPECT_EQ(pool.spawns(), 1);
}

TEST(RealEngine, GnuGoPlaysBehindAShellWrapper) {
  RealPool pool(real_profile(shell("/usr/games/gnugo --mode gtp --level 1; true")));
  EXPECT_TRUE(is_play(pool.run(tests::genmove_job(1, 1))));
}

TEST(RealEngine, OneThatHangsCrashesOrTalksRubbishIsReplaced) {
  for (const char* fault : {"--hang-at", "--crash-at", "--garbage-at", "--wrong-id-at"}) {
    const std::string once = ::testing::TempDir() + "tengen-once-" + std::to_string(::getpid());
    std::remove(once.c_str());
    Profile profile =
        real_profile({TENGEN_FAKE_ENGINE, "--instant", fault, "8", "--once-file", once});
    profile.search_limit = milliseconds(300);
    RealPool pool(profile);
    EXPECT_TRUE(is_play(pool.run(tests::genmove_job(1, 1)))) << fault;
    EXPECT_EQ(pool.spawns(), 2) << fault;
    std::remove(once.c_str());
  }
}

TEST(RealEngine, OneThatFloodsStandardErrorStillPlays) {
  RealPool pool(real_profile({TENGEN_FAKE_ENGINE, "--stderr-flood", "200000", "--crlf"}));
  EXPECT_TRUE(is_play(pool.run(tests::genmove_job(1, 1))));
}

TEST(RealEngine, OneThatIgnoresQuitIsKilledWhenThePoolDrains) {
  RealPool pool(real_profile({TENGEN_FAKE_ENGINE, "--ignore-quit", "--ignore-term"}));
  EXPECT_TRUE(is_play(pool.run(tests::genmove_job(1, 1))));
}

}  // namespace
}  // namespace tengen::pool
