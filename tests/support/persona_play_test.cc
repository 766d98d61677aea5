// What kills an engine, what it refuses, and what it remembers: the personas on the board.
#include <gtest/gtest.h>

#include "tests/support/persona_engine.h"

namespace tengen::tests {
namespace {

using rules::Color;

struct Killer {
  std::string lines;
  std::string_view kills;  // gnugo, leela, pachi, katago, bare: x dies, . lives
};
void PrintTo(const Killer& killer, std::ostream* out) { *out << killer.lines; }

class Killers : public ::testing::TestWithParam<Killer> {};

// As measured. The bare engine dies of what kills michi-c.
TEST_P(Killers, KillThoseThatTheyKill) {
  for (std::size_t i = 0; i < std::size(kReal); ++i) {
    auto engine = engine_of(kReal[i]);
    engine.feed("1 boardsize 19\n" + GetParam().lines);
    EXPECT_EQ(engine.has_crashed(), GetParam().kills[i] == 'x') << traits_of(kReal[i]).word;
    if (engine.has_crashed()) {
      EXPECT_TRUE(engine.insult());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Measured, Killers,
    ::testing::Values(Killer{"2 play b resign\n", "..x.x"}, Killer{"2 play b A0\n", ".x..x"},
                      Killer{"2 play b Z99\n", "....x"},
                      Killer{"2 play b D4\n3 fixed_handicap 2\n", ".xx.."},
                      Killer{"2 loadsgf notes.txt\n", "x...."},
                      Killer{"2 play b pass\n3 play w pass\n4 genmove b\n", ".x..."},
                      Killer{"2 play b pass\n3 play w pass\n4 play b D4\n5 genmove w\n", "....."},
                      Killer{"2 boardsize 1\n", "..x.."}, Killer{"2 set_search_limit\n", "x...."},
                      Killer{"2 known_command\n", "....x"}, Killer{"2 play\n", "....x"}));

/// Which personas answer the last line with "=": y, with "?": n.
std::string takers(const std::string& lines) {
  std::string result;
  for (const Persona persona : kReal) {
    auto engine = engine_of(persona);
    engine.feed("1 boardsize 19\n2 clear_board\n");
    const std::string answers = engine.feed(lines);
    const auto last = answers.find_last_of("=?");
    result += last == std::string::npos ? 'x' : answers[last] == '=' ? 'y' : 'n';
  }
  return result;
}

// As measured; suicide of one stone and ko with the real GNU Go and Leela Zero at hand.
TEST(Persona, TakesWhatItsEngineTakes) {
  EXPECT_EQ(takers("3 play b D4\n4 play w D4\n"), "nnnnn") << "a taken point";
  EXPECT_EQ(takers("3 play b A2\n4 play b B1\n5 play w A1\n"), "nynny") << "suicide of one stone";
  EXPECT_EQ(takers("3 play b A3\n4 play b B2\n5 play b B1\n6 play w A2\n7 play w A1\n"), "nynyy")
      << "suicide of two stones";
  EXPECT_EQ(takers("3 play b B1\n4 play b A2\n5 play b B3\n6 play w C1\n7 play w D2\n8 play w C3\n"
                   "9 play w B2\n10 play b C2\n11 play w B2\n"),
            "nynyy")
      << "a ko taken back at once";
  EXPECT_EQ(takers("3 play b D4\n4 play b E5\n5 play b F6\n6 play w pass\n7 play w A1\n"), "yyyyy")
      << "any colour may follow any";
  EXPECT_EQ(takers("3 fixed_handicap 1\n"), "nnynn");
  EXPECT_EQ(takers("3 set_free_handicap D4 pass\n"), "nyynn");
  EXPECT_EQ(takers("3 boardsize 9\n"), "ynyyy");
  EXPECT_EQ(takers("3 boardsize 25\n"), "nnnnn");
  EXPECT_EQ(takers("3 boardsize 9 13\n"), "ynyyy");
  EXPECT_EQ(takers("3 komi 6.25\n"), "yyyny");
  EXPECT_EQ(takers("3 komi 6,5\n"), "yynny");
  EXPECT_EQ(takers("3 kgs-rules chinese\n"), "nnyyn");
  EXPECT_EQ(takers("3 kgs-rules tromp-taylor\n"), "nnnnn");
  EXPECT_EQ(takers("3 kata-set-rules tromp-taylor\n"), "nnnyn");
}

TEST(Persona, MakesARectangleOnlyWhereTheEngineDoes) {
  auto gnugo = engine_of(Persona::GnuGo);
  gnugo.feed("1 boardsize 9 13\n");
  EXPECT_EQ(gnugo.record().size(), (rules::Size{9, 9}));
  auto katago = engine_of(Persona::KataGo);
  katago.feed("1 rectangular_boardsize 9 13\n");
  EXPECT_EQ(katago.record().size(), (rules::Size{9, 13}));
}

TEST(Persona, ClearsTheBoardAtBoardsizeUnlessItIsKataGo) {
  for (const Persona persona : kReal) {
    auto engine = engine_of(persona);
    engine.feed("1 boardsize 19\n2 play b D4\n3 boardsize 19\n");
    EXPECT_EQ(engine.record().board().stones(), persona == Persona::KataGo ? 1 : 0)
        << traits_of(persona).word;
  }
  auto katago = engine_of(Persona::KataGo);
  katago.feed("1 boardsize 19\n2 play b D4\n3 boardsize 9\n");
  EXPECT_EQ(katago.record().board().stones(), 0);
}

TEST(Persona, ForgetsTimeSettingsAtClearBoardOnlyWhenItIsPachi) {
  for (const Persona persona : {Persona::GnuGo, Persona::Pachi, Persona::KataGo}) {
    auto engine = engine_of(persona);
    engine.feed("1 time_settings 0 1 1\n2 time_left b 1 1\n3 clear_board\n");
    EXPECT_EQ(engine.time_settings(), persona == Persona::Pachi ? "" : "time_settings 0 1 1");
    EXPECT_EQ(engine.time_left(Color::Black), persona == Persona::Pachi ? "" : "1 1");
  }
}

TEST(Persona, KeepsKomiRulesAndLevelAcrossGames) {
  auto gnugo = engine_of(Persona::GnuGo);
  gnugo.feed("1 komi 5.5\n2 level 3\n3 boardsize 9\n4 clear_board\n");
  EXPECT_EQ(gnugo.komi(), 5.5);
  EXPECT_EQ(gnugo.level(), 3);
  auto katago = engine_of(Persona::KataGo);
  katago.feed(
      "1 komi 5.5\n2 kata-set-rules {\"ko\":\"SIMPLE\",\"scoring\":\"AREA\",\"suicide\":true}\n"
      "3 boardsize 9\n4 clear_board\n");
  EXPECT_EQ(katago.komi(), 5.5);
  EXPECT_EQ(katago.record().ko(), rules::KoRule::Simple);
  EXPECT_EQ(katago.record().suicide(), rules::SuicideRule::Multi);
}

// KataGo's "chinese" is simple ko, kgs-rules' "chinese" is positional superko.
TEST(Persona, GivesOneWordTwoMeaningsWhenItIsKataGo) {
  auto katago = engine_of(Persona::KataGo);
  katago.feed("1 kata-set-rules chinese\n");
  EXPECT_EQ(katago.record().ko(), rules::KoRule::Simple);
  katago.feed("2 kgs-rules chinese\n");
  EXPECT_EQ(katago.record().ko(), rules::KoRule::Positional);
}

TEST(Persona, TakesHandicapStonesBackOnlyWhenItIsLeelaZero) {
  auto leela = engine_of(Persona::LeelaZero);
  EXPECT_EQ(leela.feed("1 set_free_handicap D4 Q16\n2 undo\n"), "=1 D4 Q16\n\n=2 \n\n");
  EXPECT_EQ(leela.record().board().stones(), 1);
  EXPECT_TRUE(leela.insult());
  auto katago = engine_of(Persona::KataGo);
  EXPECT_EQ(katago.feed("1 set_free_handicap D4 Q16\n2 undo\n"), "=1 \n\n?2 cannot undo\n\n");
}

// The random state goes on from game to game; a seed before each genmove makes moves a function of
// seed, position and colour.
TEST(Persona, PlaysTheSameMoveForTheSameSeed) {
  auto fresh = engine_of(Persona::GnuGo);
  auto used = engine_of(Persona::GnuGo);
  used.feed("1 genmove b\n2 genmove w\n3 clear_board\n");
  EXPECT_NE(fresh.feed("9 genmove b\n"), used.feed("9 genmove b\n")) << "unseeded";
  fresh.feed("10 clear_board\n");
  used.feed("10 clear_board\n");
  for (int move = 0; move < 20; ++move) {
    const std::string ask = "11 set_random_seed " + std::to_string(77 + move) + "\n12 genmove " +
                            (move % 2 == 0 ? "b\n" : "w\n");
    EXPECT_EQ(fresh.feed(ask), used.feed(ask));
    if (move == 9) used.feed("13 reg_genmove b\n");
  }
  EXPECT_EQ(fresh.record().board(), used.record().board());
}

// GNU Go a dragon a line, Pachi a chain a line with a blank behind, KataGo one
// line.
TEST(Persona, LaysListsOutInItsOwnWay) {
  const std::pair<Persona, std::string> rows[] = {{Persona::GnuGo, "=9 E5\nD4 E4\n\n"},
                                                  {Persona::Pachi, "=9 E5 \nD4 E4 \n\n"},
                                                  {Persona::KataGo, "=9 E5 D4 E4\n\n"},
                                                  {Persona::LeelaZero, "=9 \n\n"}};
  for (const auto& [persona, list] : rows) {
    Script script;
    script.persona = persona;
    script.dead = Script::Dead::All;
    ScriptedEngine engine(script);
    engine.feed("1 play b D4\n2 play b E4\n3 play w E5\n");
    EXPECT_EQ(engine.feed("9 final_status_list dead\n"), list) << traits_of(persona).word;
  }
  auto leela = engine_of(Persona::LeelaZero);
  leela.feed("1 play b D4\n2 play b E4\n3 play w E5\n");
  EXPECT_EQ(leela.feed("9 final_status_list alive\n"), "=9 D4 E4\nE5\n\n");
}

// Black's one stone owns all 361 points.
TEST(Persona, ScoresTheBoardAsItStands) {
  auto leela = engine_of(Persona::LeelaZero);
  EXPECT_EQ(leela.feed("1 komi 7.5\n2 play b D4\n3 final_score\n"), "=1 \n\n=2 \n\n=3 B+353.5\n\n");
  auto pachi = engine_of(Persona::Pachi);
  EXPECT_EQ(pachi.feed("1 play b D4\n2 final_score\n"), "=1 \n\n?2 non-final position at A1\n\n");
  EXPECT_EQ(pachi.feed("3 play w pass\n4 play b pass\n5 final_score\n"),
            "=3 \n\n=4 \n\n=5 B+361.0\n\n");
}

TEST(Persona, DrawsTheBoardInItsOwnWay) {
  auto pachi = engine_of(Persona::Pachi);
  pachi.feed("1 boardsize 3\n2 clear_board\n3 komi 7.5\n4 play b A1\n5 play w C3\n");
  EXPECT_EQ(pachi.feed("6 showboard\n"),
            "=6 Move:   2  Komi: 7.5  Handicap: 0  Captures B: 0 W: 0  \n"
            "      A B C  \n"
            "    +-------+\n"
            "  3 | . . O)|\n"
            "  2 | . . . |\n"
            "  1 | X . . |\n"
            "    +-------+\n\n");
  auto katago = engine_of(Persona::KataGo);
  katago.feed("1 boardsize 3\n2 clear_board\n3 play b A1\n4 play w C3\n5 play b B2\n6 play w C1\n");
  const std::string picture = katago.feed("7 showboard\n");
  EXPECT_NE(picture.find("\n   A B C\n 3 . . O1\n 2 . X2.\n 1 X . O3\nNext player: Black\n"),
            std::string::npos)
      << picture;
  auto leela = engine_of(Persona::LeelaZero);
  EXPECT_EQ(leela.feed("1 showboard\n"), "=1 \n\n") << "it draws on standard error";
}

TEST(Persona, PlaysWholeGamesByTheRules) {
  for (const Persona persona : kReal) {
    Script script;
    script.persona = persona;
    script.pass_after = 120;
    ScriptedEngine engine(script);
    engine.feed("1 boardsize 19\n2 clear_board\n");
    rules::Record referee({19, 19}, rules::KoRule::Positional, rules::SuicideRule::No);
    for (int move = 0; move < 121; ++move) {
      const Color color = move % 2 == 0 ? Color::Black : Color::White;
      const std::string answer =
          engine.feed(std::to_string(move + 3) + (move % 2 == 0 ? " genmove B\n" : " genmove W\n"));
      const auto blank = answer.find(' ');
      const std::string vertex = answer.substr(blank + 1, answer.find('\n') - blank - 1);
      const auto point = rules::parse_gtp_vertex(vertex, {19, 19});
      const auto made = point ? rules::Move::play(color, *point) : rules::Move::pass(color);
      ASSERT_EQ(referee.play(made), rules::Refusal::None) << answer;
    }
    EXPECT_EQ(engine.record().board(), referee.board());
    EXPECT_FALSE(engine.insult()) << *engine.insult();
  }
}

}  // namespace
}  // namespace tengen::tests
