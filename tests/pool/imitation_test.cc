// A pool that talks to imitations of the engines in use: each shipped profile against a scripted
// engine that dies, breaks its framing and forgets exactly where the real one does. After every job
// the engine must hold the game, and nothing may have been written to it that a careful client
// would not write.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/imitated_game.h"
#include "tests/support/pool_rig.h"

namespace tengen::tests {
namespace {

using pool::Want;
using std::chrono::milliseconds;
using std::chrono::seconds;

Script script_of(Persona persona) {
  Script script;
  script.persona = persona;
  return script;
}

void pass_twice(ImitatedGame& game) {
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(game.record.play(rules::Move::pass(game.to_move())), rules::Refusal::None);
  }
}

class Imitation : public ::testing::TestWithParam<Persona> {
 protected:
  void start(Script script, int processes_max = 1) {
    script.persona = GetParam();
    profile_ = imitated_profile(GetParam(), processes_max);
    profile_.verify_every = 5;
    rig_.emplace(std::vector{profile_}, std::vector{script});
    rig_->start();
    ASSERT_NE(rig_->process(1), nullptr);
  }

  /// One job to its end; the engine must be as before or after it, as the job has it.
  pool::JobResult ask(const ImitatedGame& game, Want want) {
    rig_->submit(game.job(profile_, ++jobs_, want));
    return rig_->result(jobs_);
  }

  void expect_move(ImitatedGame& game, Want want = Want::Genmove) {
    const ImitatedGame before = game;
    const auto result = ask(game, want);
    ASSERT_TRUE(game.take(result)) << "move " << before.record.moves().size() << " of game "
                                   << game.id << " with " << rig_->last_write(1);
    expect_holds(profile_.search_plays ? game : before);
  }

  void expect_holds(const ImitatedGame& game) {
    ASSERT_NE(rig_->process(1), nullptr) << "it was killed or died";
    const auto wrong = difference(*rig_->process(1), game, profile_);
    ASSERT_FALSE(wrong) << *wrong;
  }

  /// NotSupported, and nobody was asked.
  void expect_refused_unasked(const ImitatedGame& game, Want want, int stones = 0) {
    const auto writes = rig_->writes().size();
    auto job = game.job(profile_, ++jobs_, want);
    job.stones = stones;
    rig_->submit(job);
    EXPECT_EQ(failure_of(rig_->result(jobs_)).error, pool::JobError::NotSupported);
    EXPECT_EQ(rig_->writes().size(), writes);
  }

  /// Nothing that is still alive was ever insulted.
  void expect_no_insults() {
    for (std::uint32_t id = 1; id <= rig_->spawned_at().size(); ++id) {
      const ScriptedEngine* engine = rig_->process(id);
      if (engine == nullptr) continue;
      EXPECT_FALSE(engine->insult()) << *engine->insult();
    }
  }

  bool knows(std::string_view command) const {
    const auto& commands = traits_of(GetParam()).commands;
    return std::find(commands.begin(), commands.end(), command) != commands.end();
  }

  pool::Profile profile_;
  std::optional<PoolRig> rig_;
  std::uint64_t jobs_ = 0;
};

class SizedImitation : public Imitation {};
class TimedImitation : public Imitation {};
class StreamingImitation : public Imitation {};

TEST_P(Imitation, PlaysGamesInTurnOnOneEngine) {
  for (const int size : imitated_sizes(GetParam())) {
    start({});
    std::vector<ImitatedGame> games = {imitated_game(1, size), imitated_game(2, size, 4),
                                       imitated_game(3, size)};
    games[2].komi_half = -7;
    for (int round = 0; round < 40; ++round) {
      for (ImitatedGame& game : games) ASSERT_NO_FATAL_FAILURE(expect_move(game));
    }
    EXPECT_EQ(rig_->spawned_at().size(), 1u);
    EXPECT_EQ(rig_->pool().stats(profile_.name).refusals, 0u);
    EXPECT_EQ(rig_->pool().stats(profile_.name).verify_mismatches, 0u);
    EXPECT_EQ(rig_->pool().stats(profile_.name).noise_lines, 0u);
  }
}

TEST_P(SizedImitation, ChangesTheSizeFromGameToGame) {
  start({});
  ImitatedGame small = imitated_game(1, 9);
  ImitatedGame large = imitated_game(2, 19, 9);
  for (int round = 0; round < 10; ++round) {
    ASSERT_NO_FATAL_FAILURE(expect_move(small));
    ASSERT_NO_FATAL_FAILURE(expect_move(large));
  }
}

// The same game, by another road: taken back, passed, gone on with elsewhere.
TEST_P(Imitation, FollowsAGameThatTakesMovesBack) {
  start({});
  ImitatedGame game = imitated_game(1, 19, 2);
  for (int round = 1; round <= 12; ++round) {
    for (int i = 0; i < 5; ++i) ASSERT_NO_FATAL_FAILURE(expect_move(game));
    for (int i = 0; i < round % 4; ++i) ASSERT_TRUE(game.record.undo());
    if (round % 3 == 0) {
      ASSERT_EQ(game.record.play(rules::Move::pass(game.to_move())), rules::Refusal::None);
    }
  }
  while (game.record.undo()) {
  }
  expect_move(game);  // back to the handicap stones, which are not to be taken back
}

TEST_P(Imitation, ServesSetupsThatAreNoHandicap) {
  start({});
  ImitatedGame game = imitated_game(1, 19);
  using rules::Color;
  ASSERT_TRUE(game.record.set_up({{Color::White, rules::Point::at(3, 3)},
                                  {Color::Black, rules::Point::at(3, 4)},
                                  {Color::White, rules::Point::at(0, 18)}}));
  for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(expect_move(game));
  ImitatedGame single = imitated_game(2, 19);
  ASSERT_TRUE(single.record.set_up({{Color::Black, rules::Point::at(9, 9)}}));
  for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(expect_move(single));
}

// After two passes a job may still ask for a move: cleanup play, or a record without an end.
TEST_P(Imitation, GoesOnAfterTwoPasses) {
  start({});
  ImitatedGame game = imitated_game(1, 19);
  for (int i = 0; i < 4; ++i) ASSERT_NO_FATAL_FAILURE(expect_move(game));
  pass_twice(game);
  ASSERT_NO_FATAL_FAILURE(expect_move(game, Want::CleanupGenmove));
  ASSERT_NO_FATAL_FAILURE(expect_move(game, Want::CleanupGenmove));
}

// One that lists nothing says only when it is asked that it has no command for cleaning up. It is
// asked in the plain way then, by document 003, and from then on at once.
TEST(ImitationOfGnuGo, IsAskedForAPlainMoveWhenItDoesNotKnowTheCleanupCommand) {
  Script script = script_of(Persona::GnuGo);
  script.lacks = {"list_commands", "kgs-genmove_cleanup"};
  const auto profile = imitated_profile(Persona::GnuGo);
  PoolRig rig({profile}, {script});
  rig.start();
  ImitatedGame game = imitated_game(1, 9);
  pass_twice(game);
  for (std::uint64_t job = 1; job <= 2; ++job) {
    rig.submit(game.job(profile, job, Want::CleanupGenmove));
    ASSERT_TRUE(game.take(rig.result(job)));
    ASSERT_TRUE(rig.process(1)->record().board() == game.record.board());
  }
  const auto& told = rig.process(1)->told();
  const auto count = [&](std::string_view name) {
    return std::count_if(told.begin(), told.end(),
                         [&](const auto& line) { return line.starts_with(name); });
  };
  EXPECT_EQ(count("kgs-genmove_cleanup"), 1);
  EXPECT_EQ(count("genmove"), 2);
  EXPECT_TRUE(rig.killed().empty());
}

// What a plain move would kill is not asked for one.
TEST(ImitationOfLeelaZero, IsNotTurnedToAPlainMoveThatKillsIt) {
  Script script = script_of(Persona::LeelaZero);
  script.lacks = {"list_commands", "kgs-genmove_cleanup"};
  const auto profile = imitated_profile(Persona::LeelaZero);
  PoolRig rig({profile}, {script});
  rig.start();
  ImitatedGame game = imitated_game(1, 19);
  pass_twice(game);
  for (std::uint64_t job = 1; job <= 2; ++job) {
    rig.submit(game.job(profile, job, Want::CleanupGenmove));
    EXPECT_EQ(failure_of(rig.result(job)).error, pool::JobError::NotSupported);
  }
  EXPECT_TRUE(rig.killed().empty());
  EXPECT_EQ(rig.spawned_at().size(), 1u);
}

// A record without turns may hold two passes anywhere; Leela Zero must not be asked to move there,
// but can be asked to clean up.
TEST_P(Imitation, SurvivesAMoveThatIsAskedForAfterTwoPasses) {
  Script script;
  script.style = Script::Style::FirstLegal;
  start(script);
  ImitatedGame game = imitated_game(1, 19);
  pass_twice(game);
  const auto first_point = [](const pool::JobResult& result) {
    const auto* move = std::get_if<pool::EngineMove>(&result);
    return move != nullptr && move->kind == pool::EngineMove::Kind::Play &&
           move->point == rules::Point::at(0, 0);
  };
  EXPECT_TRUE(first_point(ask(game, Want::Genmove)));
  EXPECT_TRUE(first_point(ask(game, Want::CleanupGenmove)));
  if (GetParam() == Persona::LeelaZero) {
    expect_refused_unasked(game, Want::RegGenmove);
  } else {
    EXPECT_TRUE(first_point(ask(game, Want::RegGenmove)));
  }
  EXPECT_EQ(rig_->spawned_at().size(), 1u) << "an engine died of it";
  expect_no_insults();
}

// With no command for cleaning up there is none that it outlives.
TEST(ImitationOfLeelaZero, IsAskedForNoMoveAfterTwoPassesWithoutACommandForIt) {
  for (const bool is_listed : {false, true}) {
    Script script = script_of(Persona::LeelaZero);
    auto profile = imitated_profile(Persona::LeelaZero);
    if (is_listed) {
      profile.cleanup_command.clear();
    } else {
      script.lacks = {"kgs-genmove_cleanup"};
    }
    PoolRig rig({profile}, {script});
    rig.start();
    ImitatedGame game = imitated_game(1, 19);
    pass_twice(game);
    const auto writes = rig.writes().size();
    std::uint64_t job = 0;
    for (const Want want :
         {Want::Genmove, Want::CleanupGenmove, Want::RegGenmove, Want::GenmoveAnalyze}) {
      rig.submit(game.job(profile, ++job, want));
      EXPECT_EQ(failure_of(rig.result(job)).error, pool::JobError::NotSupported) << name_of(want);
    }
    EXPECT_EQ(rig.writes().size(), writes);
    EXPECT_TRUE(rig.killed().empty());
    ImitatedGame other = imitated_game(2, 19);
    rig.submit(other.job(profile, ++job, Want::Genmove));
    EXPECT_TRUE(other.take(rig.result(job)));
    EXPECT_EQ(rig.spawned_at().size(), 1u);
  }
}

TEST_P(Imitation, EndsAGameWithPassesAndLists) {
  Script script;
  script.pass_after = 60;
  script.dead = Script::Dead::All;
  start(script);
  ImitatedGame game = imitated_game(1, 19);
  while (game.record.moves().size() < 62) ASSERT_NO_FATAL_FAILURE(expect_move(game));
  const auto stones = static_cast<std::size_t>(game.record.board().stones());
  for (const Want want : {Want::DeadList, Want::AliveList, Want::SekiList}) {
    const auto result = ask(game, want);
    if (!knows("final_status_list")) {
      EXPECT_EQ(failure_of(result).error, pool::JobError::NotSupported);
      continue;
    }
    const auto* list = std::get_if<pool::EngineStones>(&result);
    ASSERT_NE(list, nullptr);
    // To Leela Zero everything lives; to the others, by the script, everything is dead.
    const bool is_full =
        want == (GetParam() == Persona::LeelaZero ? Want::AliveList : Want::DeadList);
    EXPECT_EQ(list->points.size(), is_full ? stones : 0u) << name_of(want);
    ASSERT_NO_FATAL_FAILURE(expect_holds(game));
  }
  const auto score = ask(game, Want::FinalScore);
  if (!knows("final_score")) {
    EXPECT_EQ(failure_of(score).error, pool::JobError::NotSupported);
  } else if (GetParam() != Persona::LeelaZero) {
    EXPECT_EQ(std::get<pool::EngineScore>(score).black_lead_half, -15) << "no stone is left";
  }
  expect_holds(game);
}

TEST_P(Imitation, PlacesAHandicapOfItsOwn) {
  start({});
  ImitatedGame game = imitated_game(1, 19);
  for (const int stones : {2, 5, 9}) {
    auto job = game.job(profile_, ++jobs_, Want::FreeHandicap);
    job.stones = stones;
    rig_->submit(job);
    const auto result = rig_->result(jobs_);
    if (!knows("place_free_handicap")) {
      EXPECT_EQ(failure_of(result).error, pool::JobError::NotSupported);
      continue;
    }
    const auto* placed = std::get_if<pool::EngineStones>(&result);
    ASSERT_NE(placed, nullptr) << stones;
    EXPECT_EQ(placed->points.size(), static_cast<std::size_t>(stones));
    EXPECT_FALSE(rig_->process(1)->insult()) << *rig_->process(1)->insult();
  }
  // Nothing of it may be left in the next game.
  for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(expect_move(game));
}

// Pachi and Leela Zero die of a handicap on a board with stones.
TEST_P(Imitation, IsAskedForNoHandicapOnABoardWithStones) {
  start({});
  ImitatedGame game = imitated_game(1, 19);
  expect_refused_unasked(game, Want::FreeHandicap, 1);
  expect_refused_unasked(game, Want::FreeHandicap, 361);
  expect_refused_unasked(imitated_game(2, 19, 4), Want::FreeHandicap, 4);
  ASSERT_NO_FATAL_FAILURE(expect_move(game));
  expect_refused_unasked(game, Want::FreeHandicap, 4);
  ASSERT_NO_FATAL_FAILURE(expect_move(game));
  EXPECT_EQ(rig_->spawned_at().size(), 1u);
}

TEST_P(Imitation, AsksWhatItWouldPlayWithoutPlayingIt) {
  start({});
  ImitatedGame game = imitated_game(1, 19);
  for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(expect_move(game));
  const auto result = ask(game, Want::RegGenmove);
  if (const auto* failure = std::get_if<pool::JobFailure>(&result)) {
    EXPECT_EQ(failure->error, pool::JobError::NotSupported);
    EXPECT_FALSE(knows("reg_genmove") || knows("kata-search"));
  } else {
    ImitatedGame after = game;
    EXPECT_TRUE(after.take(result));
  }
  ASSERT_NO_FATAL_FAILURE(expect_move(game));
}

TEST_P(TimedImitation, TellsTheTimeAndForgetsItWithTheGame) {
  start({});
  ImitatedGame timed = imitated_game(1, 19);
  rules::TimeControl control;
  control.system = rules::ClockSystem::ByoYomi;
  control.main = seconds(600);
  control.period = seconds(30);
  control.periods = 3;
  ASSERT_FALSE(problem(control));
  timed.clock = pool::JobClock{control, {rules::first_face(control), rules::first_face(control)}};
  timed.clock->faces[1].main_left = seconds(41);
  ImitatedGame free = imitated_game(2, 19);
  for (int i = 0; i < 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_move(timed));
    const auto& engine = *rig_->process(1);
    EXPECT_TRUE(engine.time_settings().ends_with(" byoyomi 600 30 3")) << engine.time_settings();
    // Ten seconds of the mover's are kept back.
    const bool is_black = i % 2 == 0;
    EXPECT_TRUE(engine.time_left(rules::Color::Black).starts_with(is_black ? "590" : "600"));
    EXPECT_TRUE(engine.time_left(rules::Color::White).starts_with(is_black ? "41" : "31"));
    ASSERT_NO_FATAL_FAILURE(expect_move(free));
    EXPECT_EQ(rig_->process(1)->time_left(rules::Color::White), "");
  }
}

TEST_P(StreamingImitation, StreamsAnalysisWhileAGameGoesOn) {
  start({}, 2);
  ImitatedGame game = imitated_game(1, 19);
  for (int round = 0; round < 3; ++round) {
    auto stream = game.job(profile_, ++jobs_, Want::Analyze);
    const std::uint64_t id = jobs_;
    stream.priority = pool::Priority::Analysis;
    rig_->submit(stream);
    for (int i = 0; i < 5; ++i) {
      rig_->tick();
      rig_->submit(game.job(profile_, ++jobs_, Want::Genmove));
      ASSERT_TRUE(game.take(rig_->result(jobs_)));
    }
    ASSERT_EQ(rig_->updates_of(id), 5u);
    const auto& update = *rig_->updates().back().analysis;
    EXPECT_EQ(update.to_move, stream.color);
    EXPECT_EQ(update.candidates.size(), 3u);
    rig_->cancel(id);
    EXPECT_EQ(failure_of(rig_->result(id)).error, pool::JobError::Cancelled);
    rig_->tick();
    EXPECT_EQ(rig_->updates_of(id), 5u);
  }
  EXPECT_EQ(rig_->spawned_at().size(), 2u);
  expect_no_insults();
}

// Two moves are wanted at once: one engine is idle, the other has a stream, which makes room and
// goes on afterwards.
TEST_P(StreamingImitation, LetsAMoveCutAStreamShort) {
  Script script;
  script.searches_wait = true;
  start(script, 2);
  ImitatedGame games[] = {imitated_game(1, 19), imitated_game(2, 19, 3)};
  auto stream = imitated_game(3, 19).job(profile_, ++jobs_, Want::Analyze);
  stream.priority = pool::Priority::Analysis;
  rig_->submit(stream);
  rig_->tick();
  EXPECT_EQ(rig_->updates_of(1), 1u);
  for (int round = 0; round < 3; ++round) {
    const std::uint64_t first = jobs_ + 1;
    for (const ImitatedGame& game : games) {
      rig_->submit(game.job(profile_, ++jobs_, Want::Genmove));
    }
    rig_->finish_searches();
    for (std::size_t i = 0; i < 2; ++i) {
      while (rig_->ends_of(first + i) == 0) {
        ASSERT_TRUE(rig_->step());
        rig_->finish_searches();
      }
      ASSERT_TRUE(games[i].take(rig_->result(first + i)));
    }
    rig_->tick();
    EXPECT_EQ(rig_->updates_of(1), 2u + static_cast<std::size_t>(round));
  }
  EXPECT_EQ(rig_->ends_of(1), 0u) << "the stream still goes on";
  EXPECT_EQ(rig_->spawned_at().size(), 2u) << "nobody was killed for it";
  expect_no_insults();
}

TEST_P(StreamingImitation, MovesWithAnalysis) {
  start({});
  ImitatedGame game = imitated_game(1, 19);
  for (int i = 0; i < 4; ++i) {
    const auto result = ask(game, Want::GenmoveAnalyze);
    ASSERT_TRUE(game.take(result));
    EXPECT_EQ(rig_->updates_of(jobs_), 1u);
    // It plays what it found, whatever plain searches do.
    ASSERT_NO_FATAL_FAILURE(expect_holds(game));
    ASSERT_NO_FATAL_FAILURE(expect_move(game));
  }
}

TEST_P(Imitation, EndsASearchThatNobodyWants) {
  Script script;
  script.searches_wait = true;
  start(script);
  ImitatedGame game = imitated_game(1, 19);
  rig_->submit(game.job(profile_, ++jobs_, Want::Genmove));
  rig_->cancel(jobs_);
  EXPECT_EQ(failure_of(rig_->result(jobs_)).error, pool::JobError::Cancelled);
  rig_->submit(game.job(profile_, ++jobs_, Want::Genmove));
  rig_->finish_searches();
  while (rig_->ends_of(jobs_) == 0) {
    ASSERT_TRUE(rig_->step());
    rig_->finish_searches();
  }
  EXPECT_TRUE(game.take(rig_->result(jobs_)));
  if (profile_.cancel == pool::CancelBy::Stop) {
    EXPECT_EQ(rig_->spawned_at().size(), 1u) << "it was stopped, not killed";
    EXPECT_FALSE(rig_->process(1)->insult()) << *rig_->process(1)->insult();
  }
}

// With a seed before each genmove the moves are the same whichever process plays them.
TEST(Imitation, ReproducesGamesOfAnEngineThatTakesSeeds) {
  const auto profile = imitated_profile(Persona::GnuGo);
  const auto moves_of = [&](int games) {
    PoolRig rig({profile}, {script_of(Persona::GnuGo)});
    rig.start();
    std::vector<ImitatedGame> all;
    for (int i = 1; i <= games; ++i) all.push_back(imitated_game(static_cast<std::uint64_t>(i), 9));
    std::uint64_t jobs = 0;
    for (int round = 0; round < 20; ++round) {
      for (ImitatedGame& game : all) {
        rig.submit(game.job(profile, ++jobs, Want::Genmove));
        EXPECT_TRUE(game.take(rig.result(jobs)));
      }
    }
    return all.front().record.moves();
  };
  EXPECT_EQ(moves_of(1), moves_of(3));
}

TEST_P(Imitation, LeavesThePolitestEngineBehindWhenItDrains) {
  start({});
  ImitatedGame game = imitated_game(1, 19);
  ASSERT_NO_FATAL_FAILURE(expect_move(game));
  rig_->drain();
  EXPECT_TRUE(rig_->pool().is_gone());
  EXPECT_TRUE(rig_->killed().empty());
}

std::string word_of(const ::testing::TestParamInfo<Persona>& each) {
  std::string word(traits_of(each.param).word);
  std::erase(word, '-');
  return word;
}

INSTANTIATE_TEST_SUITE_P(Shipped, Imitation,
                         ::testing::Values(Persona::GnuGo, Persona::LeelaZero, Persona::Pachi,
                                           Persona::KataGo, Persona::Bare),
                         word_of);
INSTANTIATE_TEST_SUITE_P(Shipped, SizedImitation,
                         ::testing::Values(Persona::GnuGo, Persona::Pachi, Persona::KataGo,
                                           Persona::Bare),
                         word_of);
INSTANTIATE_TEST_SUITE_P(Shipped, TimedImitation,
                         ::testing::Values(Persona::LeelaZero, Persona::Pachi, Persona::KataGo),
                         word_of);
INSTANTIATE_TEST_SUITE_P(Shipped, StreamingImitation,
                         ::testing::Values(Persona::LeelaZero, Persona::Pachi, Persona::KataGo),
                         word_of);

}  // namespace
}  // namespace tengen::tests
