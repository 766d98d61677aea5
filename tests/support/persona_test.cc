// The personas of the scripted engine against what the engines really do: golden transcripts of the
// two that Debian has, and for the others what was measured of them, value by value.
#include "tests/support/persona.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/persona_engine.h"

namespace tengen::tests {
namespace {

std::string golden(const std::string& name) {
  const std::ifstream file(TENGEN_TESTS_DIR "/golden/engines/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class GoldenPersona : public ::testing::TestWithParam<Persona> {};

TEST_P(GoldenPersona, AnswersAsTheEngineDid) {
  const std::string word(traits_of(GetParam()).word);
  const std::string commands = golden(word + "_commands.txt");
  ASSERT_FALSE(commands.empty());
  auto engine = engine_of(GetParam());
  EXPECT_EQ(engine.feed(commands), golden(word + "_answers.txt"));
}

TEST_P(GoldenPersona, AnswersTheSameByteByByte) {
  const std::string word(traits_of(GetParam()).word);
  auto engine = engine_of(GetParam());
  std::string answers;
  for (const char c : golden(word + "_commands.txt")) answers += engine.feed({&c, 1});
  EXPECT_EQ(answers, golden(word + "_answers.txt"));
}

INSTANTIATE_TEST_SUITE_P(Captured, GoldenPersona,
                         ::testing::Values(Persona::GnuGo, Persona::LeelaZero));

struct Hearing {
  Persona persona;
  std::string line;
  std::string answer;
};
void PrintTo(const Hearing& hearing, std::ostream* out) {
  *out << traits_of(hearing.persona).word << ": " << hearing.line;
}

class EngineEar : public ::testing::TestWithParam<Hearing> {};

TEST_P(EngineEar, HearsLinesAsMeasured) {
  const Hearing& hearing = GetParam();
  auto engine = engine_of(hearing.persona);
  EXPECT_EQ(engine.feed(hearing.line + '\n'), hearing.answer);
}

// Measured on the real engines, a line each.
INSTANTIATE_TEST_SUITE_P(
    Ids, EngineEar,
    ::testing::Values(Hearing{Persona::KataGo, "0 name", "=0 KataGo\n\n"},
                      Hearing{Persona::Pachi, "0 name", "=0 Pachi\n\n"},
                      Hearing{Persona::Bare, "0 name", "=0 GTP test player\n\n"},
                      Hearing{Persona::Pachi, "007 name", "=7 Pachi\n\n"},
                      Hearing{Persona::KataGo, "007 name", "=7 KataGo\n\n"},
                      Hearing{Persona::Bare, "007 name", "=007 GTP test player\n\n"},
                      Hearing{Persona::KataGo, "999999999 name", "=999999999 KataGo\n\n"},
                      Hearing{Persona::KataGo, "1000000000 name",
                              "? GTP id '0' could not be parsed: could not parse digits\n"},
                      Hearing{Persona::KataGo, "0000000001 name",
                              "? GTP id '0' could not be parsed: could not parse digits\n"},
                      Hearing{Persona::Pachi, "2147483648 name", "= Pachi\n\n"},
                      Hearing{Persona::Pachi, "4294967301 name", "=5 Pachi\n\n"},
                      Hearing{Persona::Bare, "2147483648 name", "=2147483647 GTP test player\n\n"},
                      Hearing{Persona::Pachi, "name", "= Pachi\n\n"},
                      Hearing{Persona::KataGo, "name", "= KataGo\n\n"},
                      Hearing{Persona::Pachi, "5name", "?5 argument missing\n\n"},
                      Hearing{Persona::KataGo, "5name", "=5 KataGo\n\n"},
                      Hearing{Persona::Bare, "5name", "=5 GTP test player\n\n"},
                      Hearing{Persona::Pachi, "5", "?5 argument missing\n\n"},
                      Hearing{Persona::KataGo, "5", "? empty command\n"},
                      Hearing{Persona::Bare, "5", ""}));

INSTANTIATE_TEST_SUITE_P(
    Lines, EngineEar,
    ::testing::Values(Hearing{Persona::Pachi, " 5 name", ""},
                      Hearing{Persona::KataGo, " 5 name", "=5 KataGo\n\n"},
                      Hearing{Persona::KataGo, "", ""}, Hearing{Persona::Pachi, "  ", ""},
                      Hearing{Persona::LeelaZero, "\t", "? unknown command\n\n"},
                      Hearing{Persona::Pachi, "5 name # c", "=5 Pachi\n\n"},
                      Hearing{Persona::KataGo, "5 name # c", "=5 KataGo\n\n"},
                      Hearing{Persona::Bare, "# c", ""},
                      Hearing{Persona::KataGo, "5 name\r", "=5 KataGo\n\n"},
                      Hearing{Persona::Pachi, "5 name\r", "=5 Pachi\n\n"},
                      Hearing{Persona::Pachi, "5\tname", "=5 Pachi\n\n"},
                      Hearing{Persona::LeelaZero, "5 name\t", "?5 unknown command\n\n"},
                      Hearing{Persona::Pachi, "5 NAME", "=5 Pachi\n\n"},
                      Hearing{Persona::KataGo, "5 NAME", "?5 Unknown command\n\n"},
                      Hearing{Persona::Bare, "5 NAME", "?5 unknown command\n\n"},
                      Hearing{Persona::GnuGo, "5 na\x01me", "=5 GNU Go\n\n"},
                      Hearing{Persona::Pachi, "5 na\x01me", "?5 unknown command\n\n"},
                      Hearing{Persona::LeelaZero, "5 na\x01me", "=5 Leela Zero\n\n"},
                      Hearing{Persona::KataGo, "5 na\x01me", "=5 KataGo\n\n"},
                      Hearing{Persona::GnuGo, std::string("5 name\0x", 8), "=5 GNU Go\n\n"},
                      Hearing{Persona::Pachi, std::string("5 name\0x", 8), "=5 Pachi\n\n"},
                      Hearing{Persona::LeelaZero, std::string("5 name\0x", 8),
                              "?5 unknown command\n\n"},
                      Hearing{Persona::KataGo, std::string("5 na\0me", 7), "=5 KataGo\n\n"},
                      Hearing{Persona::Bare, std::string("5 na\0me", 7), "=5 GTP test player\n\n"},
                      Hearing{Persona::GnuGo, "5 n\xe9me", "?5 unknown command\n\n"},
                      Hearing{Persona::KataGo, "5 name\xc3\xa9", "=5 KataGo\n\n"},
                      Hearing{Persona::KataGo, "\xc3\xa9", "? empty command\n"}));

TEST(EngineEar, CutsLongLinesWhereTheEngineDoes) {
  const std::string blanks(3000, ' ');
  EXPECT_EQ(engine_of(Persona::GnuGo).feed("1 name" + blanks + "name\n"),
            "=1 GNU Go\n\n= GNU Go\n\n");
  EXPECT_EQ(engine_of(Persona::Pachi).feed("1 name" + blanks + "name\n"), "=1 Pachi\n\n");
  EXPECT_EQ(engine_of(Persona::Pachi).feed("1 name" + blanks + blanks + "name\n"), "=1 Pachi\n\n")
      << "a piece that begins with a blank is ignored";
  EXPECT_EQ(engine_of(Persona::Bare).feed("1 name" + std::string(300, ' ') + "name\n"),
            "=1 GTP test player\n\n= GTP test player\n\n");
  EXPECT_EQ(engine_of(Persona::KataGo).feed("1 name" + std::string(100'000, ' ') + '\n'),
            "=1 KataGo\n\n");
}

TEST(Persona, ListsAsManyCommandsAsTheEngine) {
  EXPECT_EQ(traits_of(Persona::GnuGo).commands.size(), 138u);
  EXPECT_EQ(traits_of(Persona::LeelaZero).commands.size(), 33u);
  EXPECT_EQ(traits_of(Persona::KataGo).commands.size(), 55u);
  EXPECT_EQ(traits_of(Persona::Bare).commands.size(), 13u);
}

TEST(Persona, HasAWordForSwitches) {
  for (const Persona persona : kReal) EXPECT_EQ(parse_persona(traits_of(persona).word), persona);
  EXPECT_EQ(parse_persona("nobody"), std::nullopt);
}

// By the lists of the real engines: who has what.
TEST(Persona, KnowsTheCommandsOfItsKind) {
  struct Row {
    std::string_view command;
    std::string_view known;  // gnugo, leela, pachi, katago, bare
  };
  const Row rows[] = {
      {"final_status_list", "yyyy-"},
      {"kgs-genmove_cleanup", "yyy--"},
      {"undo", "yyyy-"},
      {"gg-undo", "y----"},
      {"set_position", "---y-"},
      {"set_free_handicap", "yyyy-"},
      {"time_left", "yyyy-"},
      {"kgs-time_settings", "-yyy-"},
      {"reg_genmove", "y----"},
      {"kgs-rules", "--yy-"},
      {"kata-set-rules", "---y-"},
      {"lz-analyze", "-yyy-"},
      {"kata-genmove_analyze", "---y-"},
      {"stop", "---y-"},
      {"clear_cache", "y--y-"},
      {"set_random_seed", "y----"},
      {"genmove", "yyyyy"},
      {"final_score", "yyyy-"},
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < std::size(kReal); ++i) {
      auto engine = engine_of(kReal[i]);
      const std::string answer = engine.feed("1 known_command " + std::string(row.command) + '\n');
      EXPECT_EQ(answer, row.known[i] == 'y' ? "=1 true\n\n" : "=1 false\n\n")
          << traits_of(kReal[i]).word << ' ' << row.command;
    }
  }
}

// A bare engine has nothing behind "=5"; the others have a blank.
TEST(Persona, EndsEmptyAnswersInItsOwnWay) {
  EXPECT_EQ(engine_of(Persona::Bare).feed("5 clear_board\n"), "=5\n\n");
  EXPECT_EQ(engine_of(Persona::KataGo).feed("5 clear_board\n"), "=5 \n\n");
}

TEST(Persona, SaysSpecialMovesItsOwnWay) {
  const std::pair<Persona, std::string> rows[] = {{Persona::GnuGo, "=1 PASS\n\n"},
                                                  {Persona::LeelaZero, "=1 pass\n\n"},
                                                  {Persona::Pachi, "=1 pass\n\n"},
                                                  {Persona::KataGo, "=1 pass\n\n"},
                                                  {Persona::Bare, "=1 pass\n\n"}};
  for (const auto& [persona, answer] : rows) {
    Script script;
    script.persona = persona;
    script.pass_after = 0;
    ScriptedEngine passing(script);
    EXPECT_EQ(passing.feed("1 genmove b\n"), answer);
    script.resign_at = 1;
    ScriptedEngine resigning(script);
    EXPECT_EQ(resigning.feed("1 genmove b\n"), "=1 resign\n\n");
  }
}

// As measured: one newline too few, one too many, no id, two answers.
TEST(Persona, BreaksFramingWhereTheEngineDoes) {
  EXPECT_EQ(engine_of(Persona::GnuGo).feed("7 all_move_values\n8 protocol_version\n"),
            "=7 \n=8 2\n\n");
  EXPECT_EQ(engine_of(Persona::GnuGo).feed("7 draw_search_area\n"), "=7 \n\n\n");
  EXPECT_EQ(engine_of(Persona::LeelaZero).feed("7 move_history\n"), "= \n\n");
  EXPECT_EQ(engine_of(Persona::LeelaZero).feed("7 printsgf\n"), "=7 \n\n\n");
  EXPECT_EQ(engine_of(Persona::LeelaZero).feed("5 set_free_handicap D4 D4\n"),
            "?5 illegal move\n\n=5 D4\n\n");
  EXPECT_NE(engine_of(Persona::KataGo).feed("7 loadsgf x\n").find("\n\n=1 "), std::string::npos);
}

TEST(Persona, LeavesANewlineBehindWhenItIsLeelaZero) {
  auto leela = engine_of(Persona::LeelaZero);
  EXPECT_EQ(leela.feed("1 name"), "");
  EXPECT_EQ(leela.end_input(), "=1 Leela Zero\n\n\n");
  auto katago = engine_of(Persona::KataGo);
  EXPECT_EQ(katago.feed("1 name"), "");
  EXPECT_EQ(katago.end_input(), "=1 KataGo\n\n");
  EXPECT_TRUE(katago.has_quit());
}

}  // namespace
}  // namespace tengen::tests
