// The scripted engine itself: streams, searches that take time, misbehaviour, and what it takes for
// an insult.
#include "tests/support/scripted_engine.h"

#include <gtest/gtest.h>

namespace tengen::tests {
namespace {

Script script_with(Persona persona) {
  Script script;
  script.persona = persona;
  return script;
}

ScriptedEngine with(void (*spoil)(Script&), Persona persona = Persona::KataGo) {
  Script script = script_with(persona);
  spoil(script);
  return ScriptedEngine(script);
}

bool is_info(const std::string& line) {
  return line.starts_with("info move ") && line.ends_with('\n') && !line.ends_with("\n\n");
}

TEST(ScriptedStream, RunsFromTickToTickUntilTheNextInput) {
  ScriptedEngine engine(script_with(Persona::LeelaZero));
  EXPECT_EQ(engine.feed("5 lz-analyze B 20\n"), "=5\n");
  EXPECT_TRUE(engine.is_streaming());
  const std::string first = engine.tick();
  EXPECT_TRUE(is_info(first)) << first;
  EXPECT_NE(engine.tick(), first) << "the visits grow";
  EXPECT_EQ(engine.feed("6 name\n"), "\n=6 Leela Zero\n\n");
  EXPECT_FALSE(engine.is_streaming());
  EXPECT_EQ(engine.tick(), "");
  EXPECT_FALSE(engine.insult()) << *engine.insult();
}

TEST(ScriptedStream, EndsAtABareNewline) {
  ScriptedEngine engine(script_with(Persona::KataGo));
  EXPECT_EQ(engine.feed("5 kata-analyze B 20\n"), "=5\n");
  EXPECT_EQ(engine.feed("\n"), "\n");
  EXPECT_TRUE(engine.insult()) << "but that is no way to end it";
}

TEST(ScriptedStream, IsKilledBeforeItsFirstLineByACommandInTheSameWrite) {
  ScriptedEngine engine(script_with(Persona::KataGo));
  EXPECT_EQ(engine.feed("5 kata-analyze B 20\n6 name\n"), "=5\n\n=6 KataGo\n\n");
  ASSERT_TRUE(engine.insult());
  EXPECT_EQ(*engine.insult(), "something was written behind it at once: '5 kata-analyze B 20'");
}

TEST(ScriptedStream, SpeaksEachDialect) {
  ScriptedEngine pachi(script_with(Persona::Pachi));
  EXPECT_EQ(pachi.feed("6 lz-analyze W 20\n"), "=6 \n");
  EXPECT_TRUE(
      pachi.tick().starts_with("info move A19 visits 41 winrate 5100 prior 1200 order 0 pv"));
  ScriptedEngine katago(script_with(Persona::KataGo));
  katago.feed("1 boardsize 2\n2 clear_board\n");
  EXPECT_EQ(katago.feed("6 kata-analyze W 20 ownership true rootInfo true\n"), "=6\n");
  const std::string line = katago.tick();
  EXPECT_TRUE(
      line.starts_with("info move A2 visits 41 edgeVisits 41 utility 0.02 winrate 0.51 "
                       "scoreMean 0.2 scoreStdev 30.4752 scoreLead 0.2 "))
      << line;
  EXPECT_NE(line.find(" rootInfo visits "), std::string::npos);
  EXPECT_TRUE(line.ends_with(" ownership 0.0625 0.0625 0.0625 0.0625\n")) << line;
}

// Pachi refuses the word and does nothing for a bare number; Leela Zero has no other words.
TEST(ScriptedStream, RefusesWhatTheEngineRefuses) {
  ScriptedEngine pachi(script_with(Persona::Pachi));
  EXPECT_EQ(pachi.feed("7 lz-analyze W interval 20\n"), "?7 numeric value expected\n\n");
  ScriptedEngine other(script_with(Persona::Pachi));
  EXPECT_EQ(other.feed("7 lz-analyze 20\n"), "=7 \n");
  EXPECT_EQ(other.feed("8 name\n"), "\n=8 Pachi\n\n");
  ScriptedEngine leela(script_with(Persona::LeelaZero));
  EXPECT_EQ(leela.feed("7 lz-analyze b 5 ownership true\n"), "?7 cannot parse analyze tags\n\n");
}

TEST(ScriptedStream, MayEndByItself) {
  auto engine = with([](Script& s) { s.stream_ticks_max = 2; }, Persona::LeelaZero);
  engine.feed("5 lz-analyze B 20\n");
  EXPECT_TRUE(is_info(engine.tick()));
  EXPECT_TRUE(engine.tick().ends_with("\n\n"));
  EXPECT_FALSE(engine.is_streaming());
  EXPECT_EQ(engine.feed("6 name\n"), "=6 Leela Zero\n\n");
}

TEST(ScriptedStream, MisbehavesAsItIsTold) {
  auto hanging = with([](Script& s) { s.stream_hangs = true; });
  hanging.feed("5 kata-analyze B 20\n");
  EXPECT_EQ(hanging.feed("6 name\n"), "");
  EXPECT_TRUE(hanging.is_hung());
  auto crashing = with([](Script& s) { s.stream_crash_at = 2; });
  crashing.feed("5 kata-analyze B 20\n");
  EXPECT_NE(crashing.tick(), "");
  EXPECT_EQ(crashing.tick(), "");
  EXPECT_TRUE(crashing.has_crashed());
  auto spoilt = with([](Script& s) {
    s.stream_nan_at = 1;
    s.stream_off_board_at = 2;
    s.stream_huge_at = 3;
  });
  spoilt.feed("5 kata-analyze B 20\n");
  EXPECT_NE(spoilt.tick().find(" winrate nan "), std::string::npos);
  EXPECT_TRUE(spoilt.tick().starts_with("info move Z25 "));
  EXPECT_GT(spoilt.tick().size(), 100'000u);
  EXPECT_TRUE(is_info(spoilt.tick()));
}

TEST(ScriptedSearch, EndsAnAnalysisWithItsMove) {
  Script script = script_with(Persona::LeelaZero);
  script.style = Script::Style::FirstLegal;
  ScriptedEngine engine(script);
  const std::string answer = engine.feed("5 lz-genmove_analyze B 20\n");
  EXPECT_TRUE(answer.starts_with("=5\ninfo move A19 ")) << answer;
  EXPECT_TRUE(answer.ends_with("\nplay A19\n\n")) << answer;
  EXPECT_EQ(engine.record().moves().size(), 1u);
}

TEST(ScriptedSearch, WithholdsItsAnswerAndWhatComesBehindIt) {
  Script script = script_with(Persona::GnuGo);
  script.searches_wait = true;
  script.style = Script::Style::FirstLegal;
  ScriptedEngine engine(script);
  EXPECT_EQ(engine.feed("1 genmove b\n2 name\n"), "");
  EXPECT_TRUE(engine.is_searching());
  EXPECT_EQ(engine.feed("3 version\n"), "");
  EXPECT_TRUE(engine.record().moves().empty());
  EXPECT_EQ(engine.finish_search(), "=1 A19\n\n=2 GNU Go\n\n=3 3.8\n\n");
  EXPECT_FALSE(engine.is_searching());
  EXPECT_FALSE(engine.insult());
}

TEST(ScriptedSearch, IsCancelledByAnyInputWhereItCanBe) {
  Script script = script_with(Persona::KataGo);
  script.searches_wait = true;
  ScriptedEngine engine(script);
  EXPECT_EQ(engine.feed("11 kata-search_cancellable B\n"), "");
  EXPECT_EQ(engine.feed("99 stop\n"), "=11 cancelled\n\n=99 \n\n");
  EXPECT_EQ(engine.feed("12 kata-search_cancellable B\n"), "");
  EXPECT_TRUE(engine.finish_search().starts_with("=12 "));
  EXPECT_TRUE(engine.record().moves().empty()) << "it never plays what it finds";
  EXPECT_EQ(engine.feed("13 genmove B\n"), "");
  EXPECT_EQ(engine.feed("14 stop\n"), "") << "nothing stops a genmove";
  EXPECT_TRUE(engine.finish_search().ends_with("\n\n=14 \n\n"));
}

TEST(ScriptedSearch, UpdatesWhileItLasts) {
  Script script = script_with(Persona::KataGo);
  script.searches_wait = true;
  script.style = Script::Style::FirstLegal;
  ScriptedEngine engine(script);
  EXPECT_EQ(engine.feed("5 kata-genmove_analyze B 20\n"), "=5\n");
  EXPECT_TRUE(is_info(engine.tick()));
  EXPECT_EQ(engine.finish_search(), "play A19\n\n");
}

TEST(ScriptedSearch, IsDrainedAtTheEndOfTheInput) {
  Script script = script_with(Persona::GnuGo);
  script.searches_wait = true;
  script.pass_after = 0;
  ScriptedEngine engine(script);
  engine.feed("1 genmove b\n2 genmove w\n");
  EXPECT_EQ(engine.end_input(), "=1 PASS\n\n=2 PASS\n\n");
}

struct Misdeed {
  const char* name;
  void (*spoil)(Script&);
  std::string second;  // the answer to the second of three commands, and what is around it
};
void PrintTo(const Misdeed& fault, std::ostream* out) { *out << fault.name; }

class Misbehaviour : public ::testing::TestWithParam<Misdeed> {};

TEST_P(Misbehaviour, SpoilsTheAnswerItIsMeantFor) {
  auto engine = with(GetParam().spoil);
  EXPECT_EQ(engine.feed("1 name\n2 name\n3 name\n"),
            "=1 KataGo\n\n" + GetParam().second + "=3 KataGo\n\n");
  EXPECT_FALSE(engine.insult());
}

INSTANTIATE_TEST_SUITE_P(
    OneOfThree, Misbehaviour,
    ::testing::Values(
        Misdeed{"WrongId", [](Script& s) { s.wrong_id_at = 2; }, "=3 KataGo\n\n"},
        Misdeed{"NoId", [](Script& s) { s.no_id_at = 2; }, "= KataGo\n\n"},
        Misdeed{"Twice", [](Script& s) { s.twice_at = 2; }, "=2 KataGo\n\n=2 KataGo\n\n"},
        Misdeed{"Double", [](Script& s) { s.double_at = 2; }, "?2 illegal move\n\n=2 KataGo\n\n"},
        Misdeed{"ShortNewline", [](Script& s) { s.short_newline_at = 2; }, "=2 KataGo\n"},
        Misdeed{"SurplusNewline", [](Script& s) { s.surplus_newline_at = 2; }, "=2 KataGo\n\n\n"},
        Misdeed{"Garbage", [](Script& s) { s.garbage_at = 2; }, "=%$ garbage\n\n"},
        Misdeed{"Chatter", [](Script& s) { s.chatter_every = 2; },
                "thinking about it\n=2 KataGo\n\n"},
        Misdeed{"HugeLine",
                [](Script& s) {
                  s.huge_line_at = 2;
                  s.huge_bytes = 5;
                },
                "=2 xxxxx\n\n"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Misbehaviour, GivesALateAnswerAfterTheNextOrByHand) {
  auto engine = with([](Script& s) { s.late_at = 1; });
  EXPECT_EQ(engine.feed("1 name\n"), "");
  EXPECT_EQ(engine.feed("2 version\n"), "=2 1.17.2+scripted\n\n=1 KataGo\n\n");
  auto other = with([](Script& s) { s.late_at = 1; });
  other.feed("1 name\n");
  EXPECT_EQ(other.late_answer(), "=1 KataGo\n\n");
  EXPECT_EQ(other.late_answer(), "");
}

TEST(Misbehaviour, WritesOtherWhiteSpace) {
  EXPECT_EQ(with([](Script& s) { s.crlf = true; }).feed("1 name\n"), "=1 KataGo\r\n\r\n");
  EXPECT_EQ(with([](Script& s) { s.tabs = true; }).feed("1 name\n"), "=1\tKataGo\n\n");
  EXPECT_EQ(with([](Script& s) { s.form_feeds = true; }).feed("1 name\n"), "=1 \f\x01KataGo\f\n\n");
}

TEST(Misbehaviour, LeavesALineOfAListEmpty) {
  auto engine = with([](Script& s) {
    s.dead = Script::Dead::All;
    s.inner_blank_at = 1;
  });
  EXPECT_EQ(engine.feed("1 play b D4\n2 play w E4\n3 final_status_list dead\n"),
            "=1 \n\n=2 \n\n=3 D4\n\nE4\n\n");
}

TEST(Misbehaviour, RefusesTheNthCommandOfAKind) {
  auto engine = with([](Script& s) {
    s.refuse_command = "komi";
    s.refuse_at = 2;
  });
  EXPECT_EQ(engine.feed("1 komi 1\n2 komi 2\n3 komi 3\n"), "=1 \n\n?2 refused\n\n=3 \n\n");
  EXPECT_FALSE(engine.insult());
}

TEST(Misbehaviour, DropsAStoneInSilence) {
  auto engine = with([](Script& s) { s.drop_play_at = 1; });
  EXPECT_EQ(engine.feed("1 play b D4\n2 play w E5\n"), "=1 \n\n=2 \n\n");
  EXPECT_EQ(engine.record().board().stones(), 1);
  engine.feed("3 undo\n4 undo\n");
  EXPECT_FALSE(engine.insult()) << "the client could not know";
  engine.feed("5 clear_board\n6 undo\n");
  EXPECT_TRUE(engine.insult());
}

// Black has taken the stone on B2 from C2: white may not take back there. A1 would be suicide.
TEST(Misbehaviour, MovesWhereItMustNot) {
  const std::string ko =
      "1 boardsize 9\n2 clear_board\n3 play b B1\n4 play b A2\n5 play b B3\n6 play w C1\n"
      "7 play w D2\n8 play w C3\n9 play w B2\n10 play b C2\n";
  const std::tuple<Script::Illegal, std::string, int> kinds[] = {
      {Script::Illegal::Occupied, "=11 B3\n\n", 7},
      {Script::Illegal::Ko, "=11 B2\n\n", 7},       // C2 is taken back
      {Script::Illegal::Suicide, "=11 A1\n\n", 7},  // and gone again
      {Script::Illegal::OffBoard, "=11 A0\n\n", 7}};
  for (const auto& [kind, answer, stones] : kinds) {
    Script script = script_with(Persona::GnuGo);
    script.illegal_at = 1;
    script.illegal = kind;
    ScriptedEngine engine(script);
    engine.feed(ko);
    EXPECT_EQ(engine.feed("11 genmove w\n"), answer);
    EXPECT_EQ(engine.record().board().stones(), stones);
  }
}

TEST(Misbehaviour, AnswersAHandicapAsItIsTold) {
  auto engine = with([](Script& s) { s.handicap_answers = {"D4 Q16", "pass", "D4 D5 E5 F6"}; });
  EXPECT_EQ(engine.feed("1 place_free_handicap 3\n2 place_free_handicap 3\n"
                        "3 place_free_handicap 3\n"),
            "=1 D4 Q16\n\n=2 pass\n\n=3 D4 D5 E5 F6\n\n");
  EXPECT_EQ(engine.record().board().stones(), 0);
}

TEST(Misbehaviour, AnswersAGenmoveWithCancelled) {
  auto engine = with([](Script& s) { s.cancelled_at = 1; });
  EXPECT_EQ(engine.feed("1 genmove b\n"), "=1 cancelled\n\n");
}

struct Insult {
  Persona persona;
  std::string bytes;
  std::string text;
};
void PrintTo(const Insult& insult, std::ostream* out) { *out << insult.text; }

class Insults : public ::testing::TestWithParam<Insult> {};

TEST_P(Insults, AreRemembered) {
  ScriptedEngine engine(script_with(GetParam().persona));
  engine.feed("1 list_commands\n2 boardsize 19\n3 clear_board\n4 play B D4\n");
  ASSERT_FALSE(engine.insult()) << *engine.insult();
  engine.feed(GetParam().bytes);
  EXPECT_EQ(engine.insult().value_or(""), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, Insults,
    ::testing::Values(
        Insult{Persona::GnuGo, "\n", "an empty line: ''"},
        Insult{Persona::GnuGo, "5 na\tme\n", "a character that is not printable ASCII: '5 na\tme'"},
        Insult{Persona::GnuGo, "5 name\r\n", "a character that is not printable ASCII: '5 name\r'"},
        Insult{Persona::GnuGo, "5 name # x\n", "a comment sign: '5 name # x'"},
        Insult{Persona::GnuGo, "5  name\n", "a blank too many: '5  name'"},
        Insult{Persona::GnuGo, "5 name \n", "a blank too many: '5 name '"},
        Insult{Persona::GnuGo, "name\n", "a command without an id: 'name'"},
        Insult{Persona::GnuGo, "0 name\n", "an id that is 0 or begins with it: '0 name'"},
        Insult{Persona::GnuGo, "05 name\n", "an id that is 0 or begins with it: '05 name'"},
        Insult{Persona::GnuGo, "1000000000 name\n",
               "an id of more than nine digits: '1000000000 name'"},
        Insult{Persona::GnuGo, "5name\n", "an id glued to its command: '5name'"},
        Insult{Persona::GnuGo, "5\n", "an id without a command: '5'"},
        Insult{Persona::GnuGo, "5 foo\n", "a command that it does not list: 'foo'"},
        Insult{Persona::GnuGo, "5 printsgf x\n", "a dangerous command: 'printsgf x'"},
        Insult{Persona::GnuGo, "5 play B D4\n", "refused with 'illegal move': 'play B D4'"},
        Insult{Persona::GnuGo, "5 play B T20\n",
               "refused with 'invalid color or coordinate': 'play B T20'"},
        Insult{Persona::LeelaZero, "5 play B resign\n",
               "taken, but never to be sent: 'play b resign'"},
        Insult{Persona::Pachi, "5 play B resign\n", "it died of it: 'play B resign'"},
        Insult{Persona::GnuGo, "5 set_free_handicap Q4 Q16\n",
               "refused with 'board not empty': 'set_free_handicap Q4 Q16'"},
        Insult{Persona::GnuGo, "5 undo\n6 undo\n", "refused with 'cannot undo': 'undo'"},
        Insult{Persona::GnuGo, "5 quit\n6 name\n", "written behind quit: '6 name'"},
        Insult{Persona::KataGo, "5 komi 6.25\n",
               "refused with 'komi must be an integer or half-integer': 'komi 6.25'"},
        Insult{Persona::LeelaZero, "5 boardsize 9\n",
               "refused with 'unacceptable size': 'boardsize 9'"},
        Insult{Persona::KataGo, "5 kata-search_cancellable B\n6 stop\n",
               "something was written behind it at once: '5 kata-search_cancellable B'"}));

TEST(Insults, IncludeAnIdThatIsStillAwaited) {
  Script script = script_with(Persona::GnuGo);
  script.searches_wait = true;
  ScriptedEngine engine(script);
  engine.feed("1 genmove b\n1 name\n");
  EXPECT_EQ(engine.insult(), "an id that is still awaited: '1 name'");
}

TEST(Insults, IncludeLinesThatThisEngineWouldCut) {
  std::string line = "5 set_position";
  while (line.size() < 300) line += " B D4";
  ScriptedEngine katago(script_with(Persona::KataGo));
  katago.feed(line + '\n');
  EXPECT_FALSE(katago.insult());
  ScriptedEngine bare(script_with(Persona::Bare));
  bare.feed(line + '\n');
  EXPECT_TRUE(bare.insult());
}

TEST(Insults, IncludeWhatIsWrittenAfterQuit) {
  ScriptedEngine engine(script_with(Persona::GnuGo));
  engine.feed("1 quit\n");
  EXPECT_FALSE(engine.insult());
  EXPECT_EQ(engine.feed("2 name\n"), "");
  EXPECT_TRUE(engine.insult());
}

TEST(ScriptedEngine, KeepsATranscriptOfWhatItWasTold) {
  ScriptedEngine engine(script_with(Persona::GnuGo));
  engine.feed("1 boardsize 9\n2 komi 6.5\n3 play B D4\n");
  EXPECT_EQ(engine.told(), (std::vector<std::string>{"boardsize 9", "komi 6.5", "play B D4"}));
}

TEST(ScriptedEngine, MayKnowMoreOrLessThanItsPersona) {
  Script script;
  script.also_knows = {"undo"};
  script.lacks = {"level"};
  ScriptedEngine engine(script);
  EXPECT_EQ(engine.feed("1 play B D4\n2 undo\n3 level 1\n"),
            "=1 \n\n=2 \n\n?3 unknown command\n\n");
}

}  // namespace
}  // namespace tengen::tests
