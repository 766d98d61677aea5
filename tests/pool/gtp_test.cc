// The reader of answers on every framing seen from real engines, and the writer of commands. The
// byte strings are what GNU Go, Leela Zero, KataGo, Pachi, Fuego and michi-c were recorded to send.
#include "pool/gtp.h"

#include <gtest/gtest.h>

namespace tengen::pool {
namespace {

struct Framing {
  const char* name;
  std::string bytes;
  std::vector<Answer> answers;
  std::uint64_t noise = 0;
  bool is_lost = false;
};

Answer yes(std::uint32_t id, std::string text) { return {id, true, std::move(text)}; }
Answer no(std::uint32_t id, std::string text) { return {id, false, std::move(text)}; }

std::vector<Framing> framings() {
  return {
      {"plain", "=1 2\n\n", {yes(1, "2")}},
      {"refusal", "?1 unknown command\n\n", {no(1, "unknown command")}},
      {"empty answer", "=1\n\n", {yes(1, "")}},
      {"empty answer with a blank", "=1 \n\n", {yes(1, "")}},
      {"no id", "= Pachi\n\n", {yes(0, "Pachi")}},
      {"largest id", "=999999999 x\n\n", {yes(999'999'999, "x")}},
      {"two in one piece", "=1 2\n\n=2 GNU Go\n\n", {yes(1, "2"), yes(2, "GNU Go")}},
      {"lines", "=1 a\nb\nc\n\n", {yes(1, "a\nb\nc")}},
      {"text from the second line on", "=5\ninfo move S2\n\n", {yes(5, "info move S2")}},
      {"pachi ends lines with blanks", "=1 a \nb \n\n", {yes(1, "a\nb")}},
      {"gnugo puts two blanks before komi", "=1  5.5\n\n", {yes(1, "5.5")}},
      {"CR LF", "=1 2\r\n\r\n=2 a\r\nb\r\n\r\n", {yes(1, "2"), yes(2, "a\nb")}},
      {"tabs", "=1\ta\tb\n\n", {yes(1, "a b")}},
      {"form feed and other controls",
       "=1 a\f\x01"
       "b\x7f\n\n",
       {yes(1, "ab")}},
      {"zero byte", std::string("=1 a\0b\n\n", 8), {yes(1, "ab")}},
      {"michi-c starts with a newline", "\n=1 a\n\n", {yes(1, "a")}},
      {"michi-c ends with three newlines", "=1 a\n\n\n=2 b\n\n\n", {yes(1, "a"), yes(2, "b")}},
      {"leelaz prints a newline at the end", "=1 a\n\n\n", {yes(1, "a")}},
      {"banner", "Welcome!\n\n=1 a\n\n", {yes(1, "a")}, 1},
      {"chatter between answers", "=1 a\n\nThinking...\n\n=2 b\n\n", {yes(1, "a"), yes(2, "b")}, 1},
      {"leelaz answers twice",
       "?5 illegal move\n\n=5 D4\n\n",
       {no(5, "illegal move"), yes(5, "D4")}},
      {"showboard starts with an empty line", "=3 \n  A B\n2 . .\n\n", {yes(3, "  A B\n2 . .")}},
      {"a line of blanks ends nothing", "=1 a\n  \nb\n\n", {yes(1, "a\n\nb")}},
      {"an equals sign in the text", "=1 a\n= b\n\n", {yes(1, "a\n= b")}},
      {"unfinished", "=1 a\n", {}},
      {"gnugo all_move_values ends with one newline", "=7 \n=8 2\n\n", {}, 0, true},
      {"katago's error without id ends with one newline",
       "? GTP id '0' could not be parsed\n=8 2\n\n",
       {},
       0,
       true},
      {"ten digits", "=2147483648 x\n\n", {}, 0, true},
      {"leading zeros, as fuego echoes them", "=007 x\n\n", {}, 0, true},
      {"id glued to the text", "=7name\n\n", {}, 0, true},
      {"line without end", "=1 " + std::string(20'000, 'x'), {}, 0, true},
      {"noise without end", std::string(20'000, 'x'), {}, 0, true},
  };
}

void expect_read(const Framing& framing, std::size_t chunk) {
  AnswerReader reader;
  std::vector<Answer> got;
  for (std::size_t at = 0; at < framing.bytes.size(); at += chunk) {
    reader.feed(std::string_view(framing.bytes).substr(at, chunk), got);
  }
  ASSERT_EQ(got.size(), framing.answers.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].id, framing.answers[i].id);
    EXPECT_EQ(got[i].is_success, framing.answers[i].is_success);
    EXPECT_EQ(got[i].text, framing.answers[i].text);
  }
  EXPECT_EQ(reader.noise_lines(), framing.noise);
  EXPECT_EQ(!reader.lost().empty(), framing.is_lost) << reader.lost();
}

TEST(AnswerReader, ReadsEveryFramingInOnePieceAndByteByByte) {
  for (const Framing& framing : framings()) {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{3}, framing.bytes.size()}) {
      SCOPED_TRACE(std::string(framing.name) + ", pieces of " + std::to_string(chunk));
      expect_read(framing, chunk);
    }
  }
}

TEST(AnswerReader, LosesFramingOnAnAnswerThatNeverEnds) {
  AnswerReader reader;
  std::vector<Answer> got;
  reader.feed("=1 start\n", got);
  const std::string line(1023, 'x');
  for (int i = 0; i < 70; ++i) reader.feed(line + "\n", got);
  EXPECT_EQ(reader.lost(), "an answer is too long");
  reader.feed("\n\n=2 ok\n\n", got);
  EXPECT_TRUE(got.empty());
}

TEST(AnswerReader, KeepsOnlyTheFirstLineOfNoise) {
  AnswerReader reader;
  std::vector<Answer> got;
  for (int i = 0; i < 1000; ++i) reader.feed("line " + std::to_string(i) + "\n", got);
  EXPECT_EQ(reader.noise_lines(), 1000u);
  EXPECT_EQ(reader.first_noise(), "line 0");
  EXPECT_TRUE(reader.lost().empty());
}

TEST(AnswerReader, GivesTheLinesOfAStreamAsTheyCome) {
  AnswerReader reader;
  reader.expect_stream(5);
  std::vector<Answer> got;
  reader.feed("=5\ninfo move D4 visits 1\ninfo mo", got);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_TRUE(got[0].is_update);
  EXPECT_EQ(got[0].text, "info move D4 visits 1");
  reader.feed("ve E5 visits 2\nplay E5\n\n=6 2\n\n", got);
  ASSERT_EQ(got.size(), 4u);
  EXPECT_EQ(got[1].text, "info move E5 visits 2");
  EXPECT_FALSE(got[2].is_update);
  EXPECT_EQ(got[2].text, "play E5");
  EXPECT_EQ(got[3].id, 6u);
}

TEST(AnswerReader, TakesLongLinesInAStreamAndNowhereElse) {
  const std::string line = "info move D4 ownership " + std::string(200'000, '1') + '\n';
  AnswerReader reader;
  std::vector<Answer> got;
  reader.expect_stream(5);
  reader.feed("=5\n" + line, got);
  EXPECT_EQ(got.size(), 1u);
  EXPECT_TRUE(reader.lost().empty());
  AnswerReader other;
  other.feed("=5\n" + line, got);
  EXPECT_EQ(other.lost(), "a line is too long");
}

TEST(CommandWriter, NumbersFromOneWithoutLeadingZerosAndWrapsAtNineDigits) {
  std::string bytes;
  CommandWriter writer;
  EXPECT_EQ(writer.write("name", bytes), 1u);
  EXPECT_EQ(writer.write("play B D4", bytes), 2u);
  EXPECT_EQ(bytes, "1 name\n2 play B D4\n");
  CommandWriter late(999'999'999);
  bytes.clear();
  late.write("name", bytes);
  late.write("name", bytes);
  EXPECT_EQ(bytes, "999999999 name\n1 name\n");
}

TEST(CommandWriter, KnowsWhatMayBeSent) {
  EXPECT_TRUE(is_command("play B D4"));
  EXPECT_TRUE(is_command(std::string(244, 'x')));  // with 9 digits, a blank and a newline 255
  for (const std::string& bad :
       {std::string(), std::string(245, 'x'), std::string("name\nquit"), std::string("name\r"),
        std::string("5name"), std::string(" name"), std::string("name # c"),
        std::string("n\xc3\xa4"), std::string("na\0me", 5), std::string("a\tb")}) {
    EXPECT_FALSE(is_command(bad)) << bad;
  }
}

TEST(CommandWriterDeathTest, AbortsOnACommandThatIsNone) {
  std::string bytes;
  CommandWriter writer;
  EXPECT_DEATH(writer.write("name\nquit", bytes), "well-formed");
}

TEST(Printable, MakesOneShortLineOfAnything) {
  EXPECT_EQ(printable("a\n\tb\r\x01 \xff c\n"), "a b?? ? c");
  EXPECT_EQ(printable(std::string(1000, 'x'), 10), "xxxxxxxxxx");
  EXPECT_EQ(printable("\n\n"), "");
}

}  // namespace
}  // namespace tengen::pool
