// One engine process, driven by hand: what it is sent, which answers count, and what taints it.
#include "pool/engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using tests::genmove_job;
using tests::list_job;

constexpr const char* kHandshake =
    "=1 Some Engine\n\n=2 1.0\n\n=3 "
    "play\ngenmove\nset_free_handicap\nfinal_status_list\n\n=4 2\n\n";

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() : EngineTest(tests::fake_profile()) {}
  explicit EngineTest(Profile profile)
      : profile_(std::move(profile)),
        engine_({1}, std::shared_ptr<const Profile>(std::shared_ptr<void>(), &profile_), 0, roster_,
                stats_, now_, out_) {}

  void get_ready() {
    engine_.on_spawned(100, now_, out_);
    EXPECT_TRUE(say(kHandshake).is_ready);
    out_.clear();
  }
  Progress say(std::string_view bytes) { return engine_.on_output(bytes, now_, out_); }
  void begin(Job job) {
    out_.clear();
    engine_.begin(std::make_unique<Work>(std::move(job), ++order_, now_), now_, out_);
  }
  Progress wait(milliseconds time) {
    now_ += time;
    return engine_.on_deadline(now_, out_);
  }
  /// The only write since out_ was cleared.
  std::string written() const {
    std::string bytes;
    int writes = 0;
    for (const Effect& effect : out_) {
      if (const auto* write = std::get_if<Write>(&effect)) bytes = write->bytes, ++writes;
    }
    EXPECT_EQ(writes, 1);
    return bytes;
  }
  bool is_killed() const {
    return std::any_of(out_.begin(), out_.end(),
                       [](const Effect& each) { return std::holds_alternative<Kill>(each); });
  }
  /// Ends the job in hand with the answers given and checks the move.
  void expect_move(const Progress& progress, const char* vertex) {
    ASSERT_TRUE(progress.finished);
    const auto* move = std::get_if<EngineMove>(&progress.finished->result);
    ASSERT_NE(move, nullptr);
    EXPECT_EQ(move->kind, EngineMove::Kind::Play);
    EXPECT_EQ(rules::gtp_vertex(move->point, {9, 9}), vertex);
  }

  TimePoint now_{std::chrono::hours(1)};
  Profile profile_;
  Roster roster_;
  TeamStats stats_;
  Effects out_;
  std::uint64_t order_ = 0;
  Engine engine_;
};

TEST_F(EngineTest, AsksFourThingsInOneWriteBeforeItIsReady) {
  ASSERT_TRUE(std::holds_alternative<Spawn>(out_.front()));
  out_.clear();
  engine_.on_spawned(100, now_, out_);
  EXPECT_EQ(written(), "1 name\n2 version\n3 list_commands\n4 protocol_version\n");
  EXPECT_FALSE(say("=1 Some Engine\n\n=2 1.0\n\n=3 play\ngenmove\n\n").is_ready);
  EXPECT_EQ(engine_.state(), EngineState::Starting);
  EXPECT_TRUE(say("=4 2\n\n").is_ready);
  EXPECT_EQ(engine_.state(), EngineState::Idle);
  EXPECT_EQ(engine_.name(), "Some Engine");
  EXPECT_FALSE(engine_.knows("final_status_list"));
  EXPECT_EQ(engine_.deadline(), std::nullopt);
}

TEST_F(EngineTest, IsReadyEvenWhenItRefusesTheQuestions) {
  engine_.on_spawned(100, now_, out_);
  EXPECT_TRUE(say("?1 no\n\n?2 no\n\n?3 no\n\n?4 no\n\n").is_ready);
  EXPECT_TRUE(engine_.knows("final_status_list")) << "not listed is not the same as not known";
}

TEST_F(EngineTest, IsKilledWhenItDoesNotStartInTime) {
  engine_.on_spawned(100, now_, out_);
  EXPECT_TRUE(wait(profile_.start_limit - milliseconds(1)).broken.empty());
  EXPECT_FALSE(wait(milliseconds(1)).broken.empty());
  EXPECT_TRUE(is_killed());
}

TEST_F(EngineTest, SendsSyncAndSearchInOneWriteAndOnlyTheMissingMovesNext) {
  get_ready();
  begin(genmove_job(1, 1, {"D4"}));
  EXPECT_EQ(written(), "5 boardsize 9\n6 clear_board\n7 komi 7.5\n8 play B D4\n9 genmove W\n");
  expect_move(say("=5\n\n=6\n\n=7\n\n=8\n\n=9 E5\n\n"), "E5");
  begin(genmove_job(2, 1, {"D4", "E5", "C3"}));
  EXPECT_EQ(written(), "10 play B C3\n11 genmove W\n");
}

TEST_F(EngineTest, IsSeededBeforeEachMoveAndBeforeNothingElse) {
  profile_.seed_command = "set_random_seed";
  get_ready();
  begin(genmove_job(1, 1, {}));
  EXPECT_EQ(written(),
            "5 boardsize 9\n6 clear_board\n7 komi 7.5\n8 set_random_seed 77\n9 genmove B\n");
  expect_move(say("=5\n\n=6\n\n=7\n\n=8\n\n=9 E5\n\n"), "E5");
  begin(genmove_job(2, 1, {"E5"}));
  EXPECT_EQ(written(), "10 set_random_seed 77\n11 genmove W\n");
  expect_move(say("=10\n\n=11 D4\n\n"), "D4");
  begin(list_job(3, 1, {"E5", "D4"}));
  EXPECT_EQ(written(), "12 final_status_list dead\n13 protocol_version\n");
}

TEST_F(EngineTest, KnowsTheCommandsBehindAnEmptyLineOfTheList) {
  engine_.on_spawned(100, now_, out_);
  say("=1 E\n\n=2 1\n\n=3 play\n\ntime_left\nset_free_handicap\n\n=4 2\n\n");
  EXPECT_TRUE(engine_.knows("play"));
  EXPECT_TRUE(engine_.knows("time_left"));
  EXPECT_FALSE(engine_.knows("undo"));
}

// "=8 D4", an empty line, "E5": the answer ends for us at the empty line, and its list does not.
TEST_F(EngineTest, TakesAListWhole) {
  get_ready();
  begin(list_job(1, 1, {"D4", "A1", "E5", "B2"}));
  EXPECT_EQ(written(),
            "5 boardsize 9\n6 clear_board\n7 komi 7.5\n8 play B D4\n9 play W A1\n10 play B E5\n"
            "11 play W B2\n12 final_status_list dead\n13 protocol_version\n");
  EXPECT_FALSE(say("=5\n\n=6\n\n=7\n\n=8\n\n=9\n\n=10\n\n=11\n\n=12 D4\n\n").finished);
  EXPECT_FALSE(say("E5\n").finished);
  const Progress progress = say("\n=13 2\n\n");
  ASSERT_TRUE(progress.finished);
  const auto& stones = std::get<EngineStones>(progress.finished->result);
  ASSERT_EQ(stones.points.size(), 2U);
  EXPECT_EQ(rules::gtp_vertex(stones.points[0], {9, 9}), "D4");
  EXPECT_EQ(rules::gtp_vertex(stones.points[1], {9, 9}), "E5");
}

TEST_F(EngineTest, TakesNoChatterBehindAListForAPartOfIt) {
  get_ready();
  begin(list_job(1, 1, {"D4"}));
  say("=5\n\n=6\n\n=7\n\n=8\n\n=9 D4\n\nthinking of E5\n");
  const Progress progress = say("=10 2\n\n");
  ASSERT_TRUE(progress.finished);
  EXPECT_EQ(std::get<EngineStones>(progress.finished->result).points.size(), 1U);
}

TEST_F(EngineTest, ForgetsBeforeEachSeed) {
  profile_.seed_command = "set_random_seed";
  profile_.forget_command = "clear_cache";
  get_ready();
  begin(genmove_job(1, 1, {}));
  EXPECT_EQ(written(),
            "5 boardsize 9\n6 clear_board\n7 komi 7.5\n8 clear_cache\n9 set_random_seed 77\n"
            "10 genmove B\n");
  expect_move(say("=5\n\n=6\n\n=7\n\n=8\n\n=9\n\n=10 E5\n\n"), "E5");
  begin(genmove_job(2, 1, {"E5"}));
  EXPECT_EQ(written(), "11 clear_cache\n12 set_random_seed 77\n13 genmove W\n");
}

TEST_F(EngineTest, MakesNoMoveWithASeedThatItRefused) {
  profile_.seed_command = "set_random_seed";
  get_ready();
  begin(genmove_job(1, 1, {}));
  out_.clear();
  EXPECT_FALSE(say("=5\n\n=6\n\n=7\n\n?8 unknown command\n\n=9 E5\n\n").finished);
  EXPECT_TRUE(written().starts_with("10 boardsize 9\n"));
}

TEST_F(EngineTest, ReplaysWhenItsOwnMoveWasNotTaken) {
  get_ready();
  begin(genmove_job(1, 1, {}));
  expect_move(say("=5\n\n=6\n\n=7\n\n=8 E5\n\n"), "E5");
  begin(genmove_job(2, 1, {"D4", "C3"}));
  EXPECT_EQ(
      written(),
      "9 boardsize 9\n10 clear_board\n11 komi 7.5\n12 play B D4\n13 play W C3\n14 genmove B\n");
}

TEST_F(EngineTest, ReadsPassAndResignInAnyCase) {
  const std::vector<std::pair<std::string, EngineMove::Kind>> cases = {
      {"pass", EngineMove::Kind::Pass},     {"PASS", EngineMove::Kind::Pass},
      {"Pass", EngineMove::Kind::Pass},     {"resign", EngineMove::Kind::Resign},
      {"RESIGN", EngineMove::Kind::Resign}, {"d4", EngineMove::Kind::Play}};
  get_ready();
  int id = 5;
  for (const auto& [text, kind] : cases) {
    begin(genmove_job(1, 1, {}));
    std::string answers;
    const std::string bytes = written();
    const auto commands = std::count(bytes.begin(), bytes.end(), '\n');
    for (int i = 1; i < commands; ++i) answers += "=" + std::to_string(id++) + "\n\n";
    answers += "=" + std::to_string(id++) + " " + text + "\n\n";
    const Progress progress = say(answers);
    ASSERT_TRUE(progress.finished) << text;
    EXPECT_EQ(std::get<EngineMove>(progress.finished->result).kind, kind) << text;
  }
}

TEST_F(EngineTest, IsTaintedByRubbishInsteadOfAMove) {
  for (const char* text : {"", "K10", "I5", "A0", "hello", "D4 E5", "D4\nE5"}) {
    Effects out;
    Engine engine({2}, std::make_shared<const Profile>(profile_), 0, roster_, stats_, now_, out);
    engine.on_spawned(1, now_, out);
    EXPECT_TRUE(engine.on_output(kHandshake, now_, out).is_ready);
    engine.begin(std::make_unique<Work>(genmove_job(1, 1), 1, now_), now_, out);
    const auto progress =
        engine.on_output("=5\n\n=6\n\n=7\n\n=8 " + std::string(text) + "\n\n", now_, out);
    EXPECT_FALSE(progress.broken.empty()) << text;
    EXPECT_FALSE(progress.finished) << text;
    EXPECT_NE(engine.take_work(), nullptr) << text;
  }
}

TEST_F(EngineTest, IsTaintedByAWrongIdAMissingIdAndAnAnswerToNothing) {
  for (const char* text : {"=6\n\n", "=\n\n", "=77 2\n\n", "=5\n=6\n\n"}) {
    Effects out;
    Engine engine({2}, std::make_shared<const Profile>(profile_), 0, roster_, stats_, now_, out);
    engine.on_spawned(1, now_, out);
    EXPECT_TRUE(engine.on_output(kHandshake, now_, out).is_ready);
    engine.begin(std::make_unique<Work>(genmove_job(1, 1), 1, now_), now_, out);
    EXPECT_FALSE(engine.on_output(text, now_, out).broken.empty()) << text;
    EXPECT_EQ(engine.state(), EngineState::Stopping) << text;
  }
  get_ready();
  EXPECT_FALSE(say("=5 nobody asked\n\n").broken.empty());
}

TEST_F(EngineTest, DropsALateAnswerAndReplaysBecauseItMayHaveChangedTheBoard) {
  get_ready();
  begin(genmove_job(1, 1, {"D4"}));
  expect_move(say("=5\n\n=6\n\n=7\n\n=8\n\n=9 E5\n\n"), "E5");
  EXPECT_TRUE(say("=9 F6\n\n").broken.empty()) << "an id that was answered before";
  EXPECT_EQ(stats_.late_answers, 1u);
  begin(genmove_job(2, 1, {"D4", "E5"}));
  EXPECT_TRUE(written().starts_with("10 boardsize 9\n")) << written();
}

TEST_F(EngineTest, NeverTakesALateAnswerForTheOneThatIsDue) {
  get_ready();
  begin(genmove_job(1, 1));
  out_.clear();
  Progress progress = say("=5\n\n=6\n\n=7\n\n=7 A1\n\n=8 D4\n\n");
  EXPECT_FALSE(progress.finished) << "the write is void";
  EXPECT_EQ(written(), "9 boardsize 9\n10 clear_board\n11 komi 7.5\n12 genmove B\n");
  expect_move(say("=9\n\n=10\n\n=11\n\n=12 E5\n\n"), "E5");
}

TEST_F(EngineTest, IsTaintedByTooManyLateAnswers) {
  get_ready();
  for (int i = 0; i < Limits::kLateAnswersMax; ++i) EXPECT_TRUE(say("=4\n\n").broken.empty());
  EXPECT_FALSE(say("=4\n\n").broken.empty());
}

TEST_F(EngineTest, FinishesAJobWhoseAnswerIsFollowedByRubbishAndIsKilledThen) {
  get_ready();
  begin(genmove_job(1, 1));
  const Progress progress = say("=5\n\n=6\n\n=7\n\n=8 D4\n\n=9 D4\n\n");
  EXPECT_TRUE(progress.finished);
  EXPECT_FALSE(progress.broken.empty());
  EXPECT_TRUE(is_killed());
}

TEST_F(EngineTest, NeverUsesTheMoveOfARefusedWriteAndReplaysOnce) {
  get_ready();
  begin(genmove_job(1, 1, {"D4"}));
  out_.clear();
  Progress progress = say("=5\n\n=6\n\n=7\n\n?8 illegal move\n\n=9 A1\n\n");
  EXPECT_FALSE(progress.finished);
  EXPECT_EQ(written(), "10 boardsize 9\n11 clear_board\n12 komi 7.5\n13 play B D4\n14 genmove W\n");
  expect_move(say("=10\n\n=11\n\n=12\n\n=13\n\n=14 E5\n\n"), "E5");
}

TEST_F(EngineTest, SaysPositionRefusedAtTheSecondRefusalOfOneCommand) {
  get_ready();
  begin(genmove_job(1, 1, {"D4"}));
  EXPECT_FALSE(say("=5\n\n=6\n\n=7\n\n?8 illegal move\n\n=9 A1\n\n").finished);
  Progress progress = say("=10\n\n=11\n\n=12\n\n?13 illegal move\n\n=14 A1\n\n");
  ASSERT_TRUE(progress.finished);
  const auto failure = tests::failure_of(progress.finished->result);
  EXPECT_EQ(failure.error, JobError::PositionRefused);
  EXPECT_NE(failure.detail.find("play B D4"), std::string::npos);
  EXPECT_EQ(engine_.state(), EngineState::Idle);
  EXPECT_EQ(engine_.held().game, std::nullopt) << "its board is unknown now";
}

TEST_F(EngineTest, VoidsEveryLaterAnswerOfARefusedWriteWhateverItSays) {
  get_ready();
  begin(genmove_job(1, 1, {"D4", "E5"}));
  out_.clear();
  EXPECT_FALSE(say("=5\n\n=6\n\n?7 no\n\n=8\n\n?9 no\n\n?10 no\n\n").finished);
  EXPECT_TRUE(written().starts_with("11 boardsize 9\n"));
}

TEST_F(EngineTest, TellsAHandicapAsPlaysOnceTheEngineRefusedIt) {
  get_ready();
  Job job = genmove_job(1, 1);
  rules::Record record({9, 9}, rules::KoRule::Positional, rules::SuicideRule::No);
  ASSERT_TRUE(record.set_up({{rules::Color::Black, rules::Point::at(2, 2)},
                             {rules::Color::Black, rules::Point::at(6, 6)}}));
  job.record = std::move(record);
  begin(std::move(job));
  EXPECT_NE(written().find("8 set_free_handicap C7 G3\n"), std::string::npos);
  out_.clear();
  EXPECT_FALSE(say("=5\n\n=6\n\n=7\n\n?8 no\n\n=9 A1\n\n").finished);
  EXPECT_NE(written().find("13 play B C7\n14 play B G3\n"), std::string::npos);
}

TEST_F(EngineTest, WatchesEachSyncAnswerThenTheSearch) {
  get_ready();
  begin(genmove_job(1, 1));
  EXPECT_EQ(engine_.deadline(), now_ + profile_.answer_limit);
  now_ += milliseconds(10);
  EXPECT_FALSE(say("=5\n\n").finished);
  EXPECT_EQ(engine_.deadline(), now_ + profile_.answer_limit);
  EXPECT_FALSE(say("=6\n\n=7\n\n").finished);
  EXPECT_EQ(engine_.deadline(), now_ + profile_.search_limit);
  EXPECT_TRUE(wait(profile_.search_limit - milliseconds(1)).broken.empty());
  const Progress progress = wait(milliseconds(1));
  EXPECT_NE(progress.broken.find("genmove B"), std::string::npos);
  EXPECT_TRUE(is_killed());
}

TEST_F(EngineTest, WatchesTheListWithItsOwnLimit) {
  profile_.list_limit = milliseconds(1234);
  get_ready();
  begin(list_job(1, 1));
  EXPECT_FALSE(say("=5\n\n=6\n\n=7\n\n").finished);
  EXPECT_EQ(engine_.deadline(), now_ + milliseconds(1234));
}

TEST_F(EngineTest, ReadsDeadListsInEveryLayout) {
  get_ready();
  begin(list_job(1, 1));
  Progress progress = say("=5\n\n=6\n\n=7\n\n=8 A1 b2 \nC3\n\n=9 2\n\n");  // GNU Go and Pachi
  ASSERT_TRUE(progress.finished);
  const auto list = std::get<EngineStones>(progress.finished->result);
  ASSERT_EQ(list.points.size(), 3u);
  EXPECT_EQ(list.points[1], rules::Point::at(1, 7));
  begin(list_job(2, 1));
  progress = say("=10\n\n=11 2\n\n");
  ASSERT_TRUE(progress.finished);
  EXPECT_TRUE(std::get<EngineStones>(progress.finished->result).points.empty());
  begin(list_job(3, 1));
  progress = say("?12 cannot say\n\n=13 2\n\n");
  ASSERT_TRUE(progress.finished);
  EXPECT_EQ(tests::failure_of(progress.finished->result).error, JobError::NotSupported);
  begin(list_job(4, 1));
  EXPECT_FALSE(say("=14 T19\n\n=15 2\n\n").broken.empty());
}

TEST_F(EngineTest, RemembersOnlyTheEndOfItsErrorOutput) {
  engine_.on_error_output(std::string(100'000, 'a'));
  engine_.on_error_output("out of\nmemory");
  const std::string tail = engine_.error_tail();
  EXPECT_LE(tail.size(), Limits::kQuotedBytesMax);
  EXPECT_TRUE(tail.ends_with("out of memory")) << tail;
}

TEST_F(EngineTest, NotesChatterOnceAndStaysSound) {
  get_ready();
  begin(genmove_job(1, 1));
  expect_move(say("hello\n\n=5\n\n=6\nthinking\n\nmore\n\n=7\n\n=8 D4\n\n"), "D4");
  int notes = 0;
  for (const Effect& effect : out_) notes += std::holds_alternative<Note>(effect);
  EXPECT_EQ(notes, 1);
}

class StoppableTest : public EngineTest {
 protected:
  StoppableTest() : EngineTest(stoppable()) { get_ready(); }
  static Profile stoppable() {
    Profile profile = tests::fake_profile();
    profile.search_command = "kata-search_cancellable";
    profile.search_plays = false;
    profile.analysis = AnalysisDialect::Kata;
    profile.cancel = CancelBy::Stop;
    profile.stop_command = "stop";
    return profile;
  }
  /// What the pool does when nobody wants the job any more.
  Progress give_up(Engine::Abandon how = Engine::Abandon::WaitOut) {
    out_.clear();
    engine_.work()->is_told = true;
    return engine_.abandon(how, now_, out_);
  }
  bool is_written() const {
    return std::any_of(out_.begin(), out_.end(),
                       [](const Effect& each) { return std::holds_alternative<Write>(each); });
  }
};

TEST_F(StoppableTest, IsStoppedWhenItsSearchBeginsIfTheJobWasCancelledBefore) {
  begin(genmove_job(1, 1));
  EXPECT_TRUE(say("=5\n\n").broken.empty());
  EXPECT_TRUE(give_up().broken.empty());
  EXPECT_FALSE(is_written()) << "there is no search to stop yet";
  EXPECT_TRUE(say("=6\n\n").broken.empty());
  EXPECT_FALSE(is_written());
  EXPECT_TRUE(say("=7\n\n").broken.empty());
  EXPECT_EQ(written(), "9 stop\n");
  EXPECT_FALSE(say("=8 cancelled\n\n").finished);
  EXPECT_TRUE(say("=9\n\n").finished);
  EXPECT_EQ(engine_.state(), EngineState::Idle);
}

TEST_F(StoppableTest, IsStoppedThoughTheSearchWasVoidAlready) {
  begin(genmove_job(1, 1, {"D4"}));
  (void)give_up();
  EXPECT_TRUE(say("=5\n\n=6\n\n=7\n\n?8 illegal move\n\n").broken.empty());
  EXPECT_EQ(written(), "10 stop\n");
  EXPECT_TRUE(say("=9 cancelled\n\n=10\n\n").finished);
  EXPECT_EQ(engine_.state(), EngineState::Idle) << "and nothing is tried again";
}

TEST_F(StoppableTest, IsStoppedByACommentToo) {
  profile_.stop_command = "# interrupt";
  begin(genmove_job(1, 1));
  (void)give_up();
  EXPECT_TRUE(say("=5\n\n=6\n\n=7\n\n").broken.empty());
  EXPECT_EQ(written(), "# interrupt\n");
  EXPECT_TRUE(say("=8 D4\n\n").finished);
}

// KataGo was measured not to stop them: it answers after its move, or after its list.
TEST_F(StoppableTest, IsNotToldToStopWhatItDoesNotStop) {
  for (const Want want : {Want::GenmoveAnalyze, Want::DeadList}) {
    SCOPED_TRACE(name_of(want));
    Engine engine({2}, std::make_shared<const Profile>(profile_), 0, roster_, stats_, now_, out_);
    engine.on_spawned(1, now_, out_);
    EXPECT_TRUE(engine.on_output(kHandshake, now_, out_).is_ready);
    Job job = genmove_job(1, 1);
    job.want = want;
    engine.begin(std::make_unique<Work>(std::move(job), 1, now_), now_, out_);
    EXPECT_TRUE(engine.on_output("=5\n\n=6\n\n=7\n\n", now_, out_).broken.empty());
    engine.work()->is_told = true;
    out_.clear();
    EXPECT_TRUE(engine.abandon(Engine::Abandon::WaitOut, now_, out_).broken.empty());
    EXPECT_TRUE(out_.empty());
    EXPECT_FALSE(engine.abandon(Engine::Abandon::MayKill, now_, out_).broken.empty());
    EXPECT_TRUE(is_killed());
  }
}

// Answers are matched by their ids, which must ascend in what one job writes.
TEST_F(EngineTest, BeginsItsIdsAnewBetweenJobsWhenTheyRunOut) {
  constexpr std::uint32_t kFirst = Limits::kCommandIdMax - 29;
  Engine engine({2}, std::make_shared<const Profile>(profile_), 0, roster_, stats_, now_, out_,
                CommandWriter(kFirst));
  const auto id = [](std::uint32_t after) { return std::to_string(kFirst + after); };
  engine.on_spawned(1, now_, out_);
  std::string handshake;
  for (std::uint32_t i = 0; i < 4; ++i) handshake += '=' + id(i) + "\n\n";
  EXPECT_TRUE(engine.on_output(handshake, now_, out_).is_ready);
  const auto begin_on = [&](std::uint64_t job, const std::vector<std::string>& moves) {
    out_.clear();
    engine.begin(std::make_unique<Work>(genmove_job(job, job, moves), job, now_), now_, out_);
    return written();
  };
  EXPECT_EQ(begin_on(1, {}), id(4) + " boardsize 9\n" + id(5) + " clear_board\n" + id(6) +
                                 " komi 7.5\n" + id(7) + " genmove B\n");
  const std::string answers =
      '=' + id(4) + "\n\n=" + id(5) + "\n\n=" + id(6) + "\n\n=" + id(7) + " D4\n\n";
  expect_move(engine.on_output(answers, now_, out_), "D4");
  // 22 ids are left: enough for this write, not for all that the job may lead to.
  EXPECT_EQ(begin_on(2, {"E5", "D4", "F6", "C3"}),
            "1 boardsize 9\n2 clear_board\n3 komi 7.5\n4 play B E5\n5 play W D4\n6 play B F6\n"
            "7 play W C3\n8 genmove B\n");
  expect_move(engine.on_output("=1\n\n=2\n\n=3\n\n=4\n\n=5\n\n=6\n\n=7\n\n=8 G7\n\n", now_, out_),
              "G7");
  EXPECT_TRUE(engine.on_output("=8 G7\n\n", now_, out_).broken.empty()) << "said twice";
  EXPECT_FALSE(engine.on_output('=' + id(7) + " D4\n\n", now_, out_).broken.empty())
      << "of which nothing is known any more";
}

TEST_F(EngineTest, SaysThatAnEngineIsNotToldTheTimeThatItDoesNotList) {
  for (const bool has_dialect : {true, false}) {
    profile_.clock = has_dialect ? ClockDialect::Gtp : ClockDialect::None;
    Engine engine({2}, std::make_shared<const Profile>(profile_), 0, roster_, stats_, now_, out_);
    out_.clear();
    engine.on_spawned(1, now_, out_);
    EXPECT_TRUE(engine.on_output(kHandshake, now_, out_).is_ready);
    int notes = 0;
    for (const Effect& effect : out_) {
      const auto* note = std::get_if<Note>(&effect);
      if (note == nullptr) continue;
      ++notes;
      EXPECT_NE(note->text.find("does not list 'time_left'"), std::string::npos) << note->text;
    }
    EXPECT_EQ(notes, has_dialect ? 1 : 0);
  }
}

TEST_F(EngineTest, QuitsWithClosedInputAndIsKilledAfterTheGrace) {
  get_ready();
  engine_.quit(now_, out_);
  EXPECT_EQ(written(), "5 quit\n");
  EXPECT_TRUE(std::holds_alternative<CloseInput>(out_.back()));
  EXPECT_TRUE(say("=5\n\nlast words\n").broken.empty());
  EXPECT_TRUE(wait(milliseconds(1999)).broken.empty());
  EXPECT_FALSE(is_killed());
  EXPECT_TRUE(wait(milliseconds(1)).broken.empty());
  EXPECT_TRUE(is_killed());
  EXPECT_EQ(engine_.deadline(), std::nullopt);
}

}  // namespace
}  // namespace tengen::pool
