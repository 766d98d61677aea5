// Fair shares, simulated: engines that take their time in virtual time, games that live, and
// somebody who wants very much at once. What is asserted are the shares of the configuration.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "pool/limits.h"
#include "pool/pool.h"
#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr milliseconds kMoveTime{50};

/// A pool whose engines answer everything at once, but a search after a time that the test chooses
/// by its job; a stream ends when anything else is said to its engine.
class Town {
 public:
  /// How long a job's search takes.
  using Cost = std::function<nanoseconds(const Job&)>;
  using Ended = std::function<void(const JobDone&)>;

  Town(Profile profile, Cost cost)
      : name_(profile.name), cost_(std::move(cost)), pool_({profile}, 1) {
    pool_.start(now_, effects_);
    settle();
  }

  TimePoint now() const { return now_; }
  /// How long engines have streamed, those that still do included.
  nanoseconds streamed() const {
    nanoseconds sum = streamed_;
    for (const auto& [engine, since] : streams_) sum += now_ - since;
    return sum;
  }
  void on_end(Ended ended) { ended_ = std::move(ended); }

  void submit(Job job) {
    jobs_.emplace(job.id.value, job);
    pool_.submit(std::move(job), now_, effects_);
    settle();
  }
  void after(nanoseconds delay, std::function<void()> act) {
    events_.push({now_ + delay, ++order_, std::move(act)});
  }
  void run(nanoseconds time) {
    const TimePoint end = now_ + time;
    while (true) {
      const auto deadline = pool_.deadline();
      const bool is_event = !events_.empty() && (!deadline || events_.top().at <= *deadline);
      const TimePoint next = is_event ? events_.top().at : deadline.value_or(end);
      if ((!is_event && !deadline) || next >= end) break;
      now_ = std::max(now_, next);
      if (is_event) {
        const auto act = events_.top().act;
        events_.pop();
        act();
      }
      pool_.on_deadline(now_, effects_);
      settle();
    }
    now_ = end;
  }

 private:
  struct Event {
    TimePoint at;
    std::uint64_t order;
    std::function<void()> act;
    bool operator>(const Event& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  void settle() {
    do {
      for (auto& effect : std::exchange(effects_, {})) carry_out(effect);
      pool_.dispatch(now_, effects_);
    } while (!effects_.empty());
    EXPECT_EQ(pool_.broken_invariant().value_or(""), "");
  }

  void carry_out(const Effect& effect) {
    if (const auto* spawn = std::get_if<Spawn>(&effect)) {
      pool_.on_spawned(spawn->engine, 1, now_, effects_);
    } else if (const auto* write = std::get_if<Write>(&effect)) {
      take(write->engine, write->bytes);
    } else if (const auto* done = std::get_if<JobDone>(&effect)) {
      if (ended_) ended_(*done);
    } else if (const auto* kill = std::get_if<Kill>(&effect)) {
      ADD_FAILURE() << "engine " << kill->engine.value << " is killed";
    }
  }

  void take(EngineId engine, const std::string& bytes) {
    std::string answers;
    if (const auto stream = streams_.find(engine); stream != streams_.end()) {
      answers += "\n";
      streamed_ += now_ - stream->second;
      streams_.erase(stream);
    }
    std::size_t begin = 0;
    for (auto end = bytes.find('\n'); end != std::string::npos; end = bytes.find('\n', begin)) {
      const std::string line = bytes.substr(begin, end - begin);
      begin = end + 1;
      const std::string id = line.substr(0, line.find(' '));
      const std::string command = line.substr(id.size() + 1);
      if (command.find("-analyze ") != std::string::npos) {
        answers += "=" + id + "\n";
        streams_[engine] = now_;
      } else if (command.find("genmove") != std::string::npos) {
        after(cost_(job_of(engine)), [this, engine, id] { say(engine, "=" + id + " pass\n\n"); });
      } else {
        answers += "=" + id + "\n\n";
      }
    }
    after(nanoseconds(0), [this, engine, answers] { say(engine, answers); });
  }

  void say(EngineId engine, const std::string& bytes) {
    pool_.on_output(engine, bytes, now_, effects_);
  }

  const Job& job_of(EngineId engine) {
    for (const EngineStatus& status : pool_.engines(name_)) {
      if (status.id == engine && status.job) return jobs_.at(status.job->value);
    }
    throw std::logic_error("a search without a job");
  }

  std::string name_;
  Cost cost_;
  Pool pool_;
  Ended ended_;
  TimePoint now_{std::chrono::hours(1)};
  Effects effects_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
  std::map<EngineId, TimePoint> streams_;  // since when
  nanoseconds streamed_{0};                // by those that have ended
  std::map<std::uint64_t, Job> jobs_;
};

/// Games that ask for a move, get it, rest and ask again.
class Games {
 public:
  Games(Town& town, int games, milliseconds pause) : town_(town), pause_(pause) {
    moves_.resize(static_cast<std::size_t>(games));
    for (std::size_t game = 0; game < moves_.size(); ++game) ask(game);
  }

  /// False when the job is no game's.
  bool take(const JobDone& done) {
    const auto asked = asked_.find(done.job.value);
    if (asked == asked_.end()) return false;
    const auto [game, since] = asked->second;
    asked_.erase(asked);
    EXPECT_TRUE(std::holds_alternative<EngineMove>(done.result));
    waits_.push_back(town_.now() - since - kMoveTime);
    ++moves_[game];
    town_.after(pause_, [this, game = game] { ask(game); });
    return true;
  }

  int moves() const {
    int sum = 0;
    for (const int each : moves_) sum += each;
    return sum;
  }
  int fewest() const { return *std::min_element(moves_.begin(), moves_.end()); }
  int most() const { return *std::max_element(moves_.begin(), moves_.end()); }
  nanoseconds mean_wait() const {
    nanoseconds sum{0};
    for (const nanoseconds each : waits_) sum += each;
    return sum / static_cast<std::int64_t>(std::max<std::size_t>(waits_.size(), 1));
  }
  nanoseconds longest_wait() const { return *std::max_element(waits_.begin(), waits_.end()); }

 private:
  void ask(std::size_t game) {
    const std::uint64_t id = ++last_;
    asked_[id] = {game, town_.now()};
    Job job = tests::genmove_job(id, game + 1);
    job.client = {game + 1};
    town_.submit(std::move(job));
  }

  Town& town_;
  milliseconds pause_;
  std::vector<int> moves_;
  std::vector<nanoseconds> waits_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::pair<std::size_t, TimePoint>> asked_;
};

constexpr std::uint64_t kFlood = 1'000'000;  // ids from here on are the flood's

Profile busy_profile(int processes) {
  Profile profile = tests::fake_profile();
  profile.processes_warm = processes;
  profile.processes_max = processes;
  profile.queue_max = 10'000;
  profile.queue_per_client_max = 1000;
  profile.analysis = AnalysisDialect::Lz;
  return profile;
}

Job flood_job(std::uint64_t number, Want want, Priority priority, std::uint64_t client = 99) {
  Job job = tests::genmove_job(kFlood + number, kFlood + number);
  job.want = want;
  job.priority = priority;
  job.client = {client};
  return job;
}

/// Ten games for a minute on two engines, with or without 500 jobs of one client.
struct Minute {
  int moves = 0;
  int fewest = 0;  // of a game
  int most = 0;
  nanoseconds mean_wait{0};
  nanoseconds longest_wait{0};
  int flood_done = 0;
  nanoseconds streamed{0};
};

Minute minute_with(int flood, Want want, milliseconds pause) {
  Town town(busy_profile(2), [](const Job&) { return kMoveTime; });
  Minute minute;
  for (int i = 0; i < flood; ++i) {
    town.submit(flood_job(static_cast<std::uint64_t>(i), want, Priority::Analysis));
  }
  Games games(town, 10, pause);
  town.on_end([&](const JobDone& done) {
    if (!games.take(done)) ++minute.flood_done;
  });
  town.run(seconds(60));
  minute.moves = games.moves();
  minute.fewest = games.fewest();
  minute.most = games.most();
  minute.mean_wait = games.mean_wait();
  minute.longest_wait = games.longest_wait();
  minute.streamed = town.streamed();
  return minute;
}

// The shares are 16 for moves and 1 for analysis, so moves keep 16 of 17 parts of the engines while
// both wait, and analysis gets the seventeenth: it is slow, not starved.
TEST(Fairness, FiveHundredAnalysesTakeNoMoreThanTheirShareFromGamesThatNeverRest) {
  const Minute alone = minute_with(0, Want::RegGenmove, milliseconds(0));
  const Minute flooded = minute_with(500, Want::RegGenmove, milliseconds(0));
  EXPECT_NEAR(alone.moves, 2400, 2) << "two engines, 50 ms a move, perhaps two more under way";
  EXPECT_GE(flooded.moves, alone.moves * 16 / 17 - 2);
  EXPECT_GE(flooded.flood_done, 2400 / 17 - 2);
  // A game's round, its wait and its move, is as much longer.
  EXPECT_LE(flooded.mean_wait + kMoveTime,
            (alone.mean_wait + kMoveTime) * 17 / 16 + milliseconds(1));
  EXPECT_GE(flooded.fewest, flooded.most - 2) << "and every game alike";
}

// With engines to spare a move waits at most for the analysis that is on the board when it comes.
TEST(Fairness, FiveHundredAnalysesDelayGamesThatRestByOneAnalysisAtTheMost) {
  const Minute alone = minute_with(0, Want::RegGenmove, milliseconds(950));
  const Minute flooded = minute_with(500, Want::RegGenmove, milliseconds(950));
  EXPECT_GE(flooded.moves, alone.moves * 16 / 17);
  EXPECT_LE(flooded.longest_wait, alone.longest_wait + 2 * kMoveTime);
  EXPECT_EQ(flooded.flood_done, 500) << "there is time enough for all of them";
}

// A stream has no end, so it is taken off its engine; and one engine never streams.
TEST(Fairness, FiveHundredStreamsTakeNoMoreThanTheirShareEither) {
  const Minute alone = minute_with(0, Want::Analyze, milliseconds(0));
  const Minute flooded = minute_with(500, Want::Analyze, milliseconds(0));
  EXPECT_GE(flooded.moves, alone.moves * 16 / 17 - 10);
  EXPECT_GE(flooded.fewest, flooded.most - 3);
  // Two engines for a minute, of which a seventeenth is theirs; a stream that runs has perhaps not
  // had its quantum yet.
  EXPECT_GE(flooded.streamed, nanoseconds(seconds(2 * 60)) / 17 - Limits::kStreamQuantum);
  EXPECT_EQ(alone.streamed, nanoseconds(0));
}

TEST(Fairness, QuestionsAndAnalysesAndMovesShareAsConfigured) {
  Town town(busy_profile(2), [](const Job&) { return kMoveTime; });
  std::map<Priority, int> done;
  for (std::uint64_t i = 0; i < 900; ++i) {
    town.submit(flood_job(2 * i, Want::RegGenmove, Priority::Analysis, 98));
    town.submit(flood_job(2 * i + 1, Want::RegGenmove, Priority::Question, 99));
  }
  Games games(town, 10, milliseconds(0));
  town.on_end([&](const JobDone& end) {
    if (games.take(end)) {
      ++done[Priority::Move];
    } else {
      ++done[end.job.value % 2 == 0 ? Priority::Analysis : Priority::Question];
    }
  });
  town.run(seconds(60));
  const double all = 2400;
  EXPECT_NEAR(done[Priority::Move], all * 16 / 21, 5);
  EXPECT_NEAR(done[Priority::Question], all * 4 / 21, 5);
  EXPECT_NEAR(done[Priority::Analysis], all * 1 / 21, 5);
}

TEST(Fairness, AClientsOneQuestionDoesNotWaitForAnothersFiveHundred) {
  Town town(busy_profile(1), [](const Job&) { return kMoveTime; });
  for (std::uint64_t i = 0; i < 500; ++i) {
    town.submit(flood_job(i, Want::RegGenmove, Priority::Question, 1));
  }
  TimePoint answered{};
  town.on_end([&](const JobDone& done) {
    if (done.job.value == kFlood + 999) answered = town.now();
  });
  town.run(seconds(5));
  const TimePoint asked = town.now();
  town.submit(flood_job(999, Want::RegGenmove, Priority::Question, 2));
  town.run(seconds(5));
  EXPECT_GT(answered, asked);
  EXPECT_LE(answered - asked, 3 * kMoveTime) << "the one that runs, one more, and its own";
}

// What is shared is the engines' time: a client whose jobs take four times as long gets a quarter
// as many.
TEST(Fairness, ClientsShareTimeAndNotTurns) {
  Town town(busy_profile(2),
            [](const Job& job) { return job.client.value == 1 ? 4 * kMoveTime : kMoveTime; });
  std::map<std::uint64_t, int> done;
  for (std::uint64_t i = 0; i < 900; ++i) {
    town.submit(flood_job(2 * i, Want::RegGenmove, Priority::Question, 2));
    town.submit(flood_job(2 * i + 1, Want::RegGenmove, Priority::Question, 1));
  }
  town.on_end([&](const JobDone& end) { ++done[end.job.value % 2]; });
  town.run(seconds(30));
  const nanoseconds slow = done[1] * 4 * kMoveTime;
  const nanoseconds fast = done[0] * kMoveTime;
  EXPECT_NEAR(static_cast<double>(slow.count()) / static_cast<double>(fast.count()), 1.0, 0.05);
  EXPECT_GE(slow + fast, seconds(59)) << "and no engine rests";
}

// A client that has been away does not come back with saved-up turns.
TEST(Fairness, WhoRestedForLongDoesNotShutOutTheOthers) {
  Town town(busy_profile(1), [](const Job&) { return kMoveTime; });
  for (std::uint64_t i = 0; i < 900; ++i) {
    town.submit(flood_job(2 * i, Want::RegGenmove, Priority::Question, 1));
  }
  town.run(seconds(20));
  std::map<std::uint64_t, int> done;
  town.on_end([&](const JobDone& end) { ++done[end.job.value % 2]; });
  for (std::uint64_t i = 0; i < 400; ++i) {
    town.submit(flood_job(2 * i + 1, Want::RegGenmove, Priority::Question, 2));
  }
  town.run(seconds(10));
  EXPECT_NEAR(done[0], 100, 2);
  EXPECT_NEAR(done[1], 100, 2);
}

}  // namespace
}  // namespace tengen::pool
