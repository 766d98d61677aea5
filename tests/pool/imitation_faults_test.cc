// One fault of an engine, at each place where it can strike: whatever it is, every job still ends
// with the move that belongs to its own position. Engines here play the first legal point, so the
// right answer to each job is known, and an answer given to the wrong job shows.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/imitated_game.h"
#include "tests/support/move_maker.h"
#include "tests/support/pool_rig.h"

namespace tengen::tests {
namespace {

using pool::EngineMove;
using pool::Want;

struct Fault {
  const char* name;
  void (*spoil)(Script&, int at);
  /// The answer that the fault falls on may be another; what comes after it may not. One that only
  /// a look at the board shows is such a fault where there is none.
  enum class Harm : std::uint8_t { None, Misplay, MisplayUnlessSeen };
  Harm harm = Harm::None;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

using Harm = Fault::Harm;

constexpr Fault kFaults[] = {
    {"hang", [](Script& s, int at) { s.hang_at = at; }},
    {"crash", [](Script& s, int at) { s.crash_at = at; }},
    {"garbage", [](Script& s, int at) { s.garbage_at = at; }},
    {"wrong_id", [](Script& s, int at) { s.wrong_id_at = at; }},
    {"no_id", [](Script& s, int at) { s.no_id_at = at; }},
    {"late", [](Script& s, int at) { s.late_at = at; }},
    {"twice", [](Script& s, int at) { s.twice_at = at; }},
    {"double", [](Script& s, int at) { s.double_at = at; }},
    {"short_newline", [](Script& s, int at) { s.short_newline_at = at; }},
    {"surplus_newline", [](Script& s, int at) { s.surplus_newline_at = at; }},
    {"huge_line", [](Script& s, int at) { s.huge_line_at = at; }},
    {"chatter", [](Script& s, int at) { s.chatter_every = at; }},
    {"refused_play", [](Script& s, int at) { s.refuse_play_at = at; }},
    {"refused_komi",
     [](Script& s, int at) {
       s.refuse_command = "komi";
       s.refuse_at = at;
     }},
    {"refused_clear_board",
     [](Script& s, int at) {
       s.refuse_command = "clear_board";
       s.refuse_at = at;
     }},
    {"refused_handicap",
     [](Script& s, int at) {
       s.refuse_command = "set_free_handicap";
       s.refuse_at = at;
     }},
    {"dropped_play", [](Script& s, int at) { s.drop_play_at = at; }, Harm::MisplayUnlessSeen},
    {"cancelled", [](Script& s, int at) { s.cancelled_at = at; }},
    {"resign", [](Script& s, int at) { s.resign_at = at; }, Harm::Misplay},
    {"occupied", [](Script& s, int at) { s.illegal_at = at; }, Harm::Misplay},
    {"off_board",
     [](Script& s, int at) {
       s.illegal_at = at;
       s.illegal = Script::Illegal::OffBoard;
     }},
};

// The moves of three games, four rounds, on 9x9 where the engine plays on it.
constexpr int kRounds = 4;
constexpr int kPlacesMax = 60;  // commands: the handshake, the first round and much of the second
constexpr int kHandshake = 4;   // of them

class ImitationFaults : public ::testing::TestWithParam<std::tuple<Persona, Fault>> {
 protected:
  static std::vector<ImitatedGame> games(int size) {
    std::vector<ImitatedGame> games = {imitated_game(1, size), imitated_game(2, size, 4),
                                       imitated_game(3, size)};
    // The third one begins elsewhere, so that no two games want the same move.
    for (const int col : {0, 1, 2}) {
      auto& record = games[2].record;
      EXPECT_EQ(record.play(rules::Move::play(games[2].to_move(), rules::Point::at(col, 0))),
                rules::Refusal::None);
    }
    const auto corner = rules::Point::at(0, 0);
    EXPECT_EQ(games[1].record.play(rules::Move::play(rules::Color::White, corner)),
              rules::Refusal::None);
    return games;
  }

  /// One job to its end; whether the answer was the only right one.
  static bool is_right(PoolRig& rig, ImitatedGame& game, const pool::Profile& profile,
                       std::uint64_t job) {
    const auto expected = some_legal_points(game.record, game.to_move(), 1).front();
    rig.submit(game.job(profile, job, Want::Genmove));
    while (rig.ends_of(job) == 0) {
      if (!rig.step()) break;
    }
    const auto result = rig.result(job);
    const auto* move = std::get_if<EngineMove>(&result);
    const bool is_right =
        move != nullptr && move->kind == EngineMove::Kind::Play && move->point == expected;
    // The game goes on with the right move, as if the owner had insisted on it.
    EXPECT_EQ(game.record.play(rules::Move::play(game.to_move(), expected)), rules::Refusal::None);
    return is_right;
  }

  /// One whose list of commands did not arrive may be asked for what is not on it.
  static void expect_no_insults(PoolRig& rig, int at) {
    for (std::uint32_t id = 1; id <= rig.spawned_at().size(); ++id) {
      const ScriptedEngine* engine = rig.process(id);
      if (engine == nullptr || !engine->insult()) continue;
      const bool is_unlisted = engine->insult()->starts_with("a command that it does not list");
      EXPECT_TRUE(is_unlisted && id == 1 && at <= kHandshake) << *engine->insult();
    }
  }
};

TEST_P(ImitationFaults, CostNoJobItsMove) {
  const auto& [persona, fault] = GetParam();
  auto profile = imitated_profile(persona);
  profile.verify_every = 1;
  const bool is_seen = profile.verify != pool::VerifyBy::None;
  const bool may_misplay =
      fault.harm == Harm::Misplay || (fault.harm == Harm::MisplayUnlessSeen && !is_seen);
  for (int at = 1; at <= kPlacesMax; ++at) {
    Script clean;
    clean.persona = persona;
    clean.style = Script::Style::FirstLegal;
    Script faulty = clean;
    fault.spoil(faulty, at);
    PoolRig rig({profile}, {faulty, clean});
    rig.start();
    auto all = games(imitated_sizes(persona).front());
    int wrong = 0;
    std::uint64_t job = 0;
    for (int round = 0; round < kRounds; ++round) {
      for (ImitatedGame& game : all) wrong += is_right(rig, game, profile, ++job) ? 0 : 1;
      expect_no_insults(rig, at);
    }
    ASSERT_LE(wrong, may_misplay ? 1 : 0) << fault.name << " at " << at;
    ASSERT_FALSE(::testing::Test::HasFailure()) << fault.name << " at " << at;
  }
}

std::string name_of_case(const ::testing::TestParamInfo<std::tuple<Persona, Fault>>& each) {
  std::string word(traits_of(std::get<0>(each.param)).word);
  std::erase(word, '-');
  return word + "_" + std::get<1>(each.param).name;
}

INSTANTIATE_TEST_SUITE_P(All, ImitationFaults,
                         ::testing::Combine(::testing::Values(Persona::GnuGo, Persona::LeelaZero,
                                                              Persona::Pachi, Persona::KataGo,
                                                              Persona::Bare),
                                            ::testing::ValuesIn(kFaults)),
                         name_of_case);

// What is only odd costs nothing at all.
TEST(ImitationOddities, AreBorneInPatience) {
  void (*const oddities[])(Script&) = {
      [](Script& s) { s.crlf = true; },
      [](Script& s) { s.tabs = true; },
      [](Script& s) { s.form_feeds = true; },
      [](Script& s) { s.banner = "GTP engine\nready\n\n"; },
      [](Script& s) { s.chatter_every = 1; },
      [](Script& s) { s.lacks = {"list_commands"}; },
      [](Script& s) { s.lacks = {"version"}; },
  };
  for (const auto& odd : oddities) {
    Script script;
    script.persona = Persona::GnuGo;
    script.style = Script::Style::FirstLegal;
    odd(script);
    const auto profile = imitated_profile(Persona::GnuGo);
    PoolRig rig({profile}, {script});
    rig.start();
    ImitatedGame game = imitated_game(1, 9);
    for (std::uint64_t job = 1; job <= 4; ++job) {
      rig.submit(game.job(profile, job, Want::Genmove));
      ASSERT_TRUE(game.take(rig.result(job)));
    }
    EXPECT_EQ(rig.spawned_at().size(), 1u);
    EXPECT_FALSE(rig.process(1)->insult()) << *rig.process(1)->insult();
  }
}

struct StreamFault {
  const char* name;
  void (*spoil)(Script&);
};
void PrintTo(const StreamFault& fault, std::ostream* out) { *out << fault.name; }

class StreamFaults : public ::testing::TestWithParam<StreamFault> {};

// A stream ends once, however it goes wrong, and moves are made as ever.
TEST_P(StreamFaults, TouchNoGame) {
  Script script;
  script.persona = Persona::KataGo;
  script.style = Script::Style::FirstLegal;
  GetParam().spoil(script);
  const auto profile = imitated_profile(Persona::KataGo, 2);
  PoolRig rig({profile}, {script});
  rig.start();
  ImitatedGame game = imitated_game(1, 9);
  auto stream = game.job(profile, 100, Want::Analyze);
  stream.priority = pool::Priority::Analysis;
  rig.submit(stream);
  for (std::uint64_t job = 1; job <= 6; ++job) {
    rig.tick();
    rig.submit(game.job(profile, job, Want::Genmove));
    while (rig.ends_of(job) == 0) ASSERT_TRUE(rig.step());
    ASSERT_TRUE(game.take(rig.result(job)));
  }
  rig.cancel(100);
  while (rig.ends_of(100) == 0) ASSERT_TRUE(rig.step());
  EXPECT_EQ(rig.ends_of(100), 1u);
  rig.submit(game.job(profile, 7, Want::Genmove));
  while (rig.ends_of(7) == 0) ASSERT_TRUE(rig.step());
  EXPECT_TRUE(game.take(rig.result(7)));
}

INSTANTIATE_TEST_SUITE_P(
    All, StreamFaults,
    ::testing::Values(StreamFault{"None", [](Script&) {}},
                      StreamFault{"Hangs", [](Script& s) { s.stream_hangs = true; }},
                      StreamFault{"CrashesAtOnce", [](Script& s) { s.stream_crash_at = 1; }},
                      StreamFault{"CrashesLater", [](Script& s) { s.stream_crash_at = 3; }},
                      StreamFault{"EndsByItself", [](Script& s) { s.stream_ticks_max = 2; }},
                      StreamFault{"HugeLine", [](Script& s) { s.stream_huge_at = 2; }},
                      StreamFault{"NoNumber", [](Script& s) { s.stream_nan_at = 2; }},
                      StreamFault{"OffBoard", [](Script& s) { s.stream_off_board_at = 2; }}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace tengen::tests
