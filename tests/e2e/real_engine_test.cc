// The pool over real processes and the real clock: GNU Go, and the fake engine's misbehaviour.
// TENGEN_FAKE_ENGINE is the path of the fake engine's binary, defined by the build.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>

#include "pool/pool.h"
#include "pool/process.h"
#include "tests/support/pool_rig.h"
#include "tests/support/proc.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

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
    const auto end = now() + tests::kEventually;
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
       [this](EngineId id, ExitStatus status) { pool_.on_exit(id, status, now(), effects_); },
       [this](EngineId id, std::uint64_t bytes) { pool_.on_memory(id, bytes, now(), effects_); }}};
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
  EXPECT_TRUE(std::holds_alternative<EngineStones>(list));
  EXPECT_EQ(pool.status().engine_name, "GNU Go");
  EXPECT_EQ(pool.spawns(), 1);
}

TEST(RealEngine, GnuGoPlaysBehindAShellWrapper) {
  RealPool pool(real_profile({"sh", "-c", "/usr/games/gnugo --mode gtp --level 1; true"}));
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
