// GTP's line rules: what is a line, a command and an id, and how an answer looks. Expected values
// are those of GTP 2, draft 2, sections 2.2 to 2.6, unless a comment says otherwise.
#include "clients/house/gtp_line.h"

#include <gtest/gtest.h>

#include "tests/house/house_rig.h"

namespace tengen::house {
namespace {

std::string only_line(std::string_view bytes) {
  LineReader reader;
  reader.on_bytes(bytes);
  const auto line = reader.take();
  EXPECT_FALSE(reader.take());
  return line ? line->text : "no line";
}

TEST(GtpLine, CommentsAndControlCharactersGoAndTabsAreSpaces) {
  EXPECT_EQ(only_line("play b d4\n"), "play b d4");
  EXPECT_EQ(only_line("play\tb\td4\r\n"), "play b d4");
  EXPECT_EQ(only_line("play b d4 # the corner # again\n"), "play b d4 ");
  EXPECT_EQ(only_line("na\x01m\x7f"
                      "e\x1f\n"),
            "name");
  EXPECT_EQ(only_line(std::string_view("na\0me\n", 6)), "name");
  EXPECT_EQ(only_line("# all of it\r\n"), "");
  EXPECT_EQ(only_line("name"), "no line");
}

TEST(GtpLine, LinesComeWholeHoweverTheyArrive) {
  LineReader reader;
  for (const char byte : std::string_view("name\n\nversion # x\nqu")) {
    reader.on_bytes(std::string_view(&byte, 1));
  }
  EXPECT_EQ(reader.take()->text, "name");
  EXPECT_EQ(reader.take()->text, "");
  EXPECT_EQ(reader.take()->text, "version ");
  EXPECT_FALSE(reader.take());
  reader.on_bytes("it");
  reader.on_end();
  EXPECT_EQ(reader.take()->text, "quit");
  EXPECT_FALSE(reader.take());
}

TEST(GtpLine, ALineBeyondTheLimitKeepsItsBeginningAndEndsAtItsNewline) {
  GtpLimits limits;
  limits.line_bytes = 6;
  LineReader reader(limits);
  reader.on_bytes("123456\n1234567\n123456  # long comment\nname\n");
  EXPECT_FALSE(reader.take()->is_too_long);
  const auto line = reader.take();
  EXPECT_EQ(line->text, "123456");
  EXPECT_TRUE(line->is_too_long);
  EXPECT_TRUE(reader.take()->is_too_long);
  EXPECT_EQ(reader.take()->text, "name");
}

struct Parsed {
  std::string_view line;
  std::optional<std::uint64_t> id;
  std::string_view name;
  std::vector<std::string> arguments;
};

TEST(GtpLine, ACommandIsAnOptionalNumberANameAndArguments) {
  const Parsed kParsed[] = {
      {"name", std::nullopt, "name", {}},
      {"  name  ", std::nullopt, "name", {}},
      {"0 name", 0, "name", {}},
      {"007 play b  D4", 7, "play", {"b", "D4"}},
      {"2147483647 name", 2147483647, "name", {}},
      {"4294967296 name", 4294967296, "name", {}},
      {"5", 5, "", {}},
      {"5 5 name", 5, "5", {"name"}},
      // No number, so the command itself.
      {"5name", std::nullopt, "5name", {}},
      {"-1 name", std::nullopt, "-1", {"name"}},
      {"1.0 name", std::nullopt, "1.0", {"name"}},
      {"1234567890123456789 name", std::nullopt, "1234567890123456789", {"name"}},
  };
  for (const Parsed& parsed : kParsed) {
    SCOPED_TRACE(parsed.line);
    const auto command = parse_command(parsed.line);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->id, parsed.id);
    EXPECT_EQ(command->name, parsed.name);
    EXPECT_EQ(command->arguments, parsed.arguments);
  }
  EXPECT_FALSE(parse_command(""));
  EXPECT_FALSE(parse_command("   "));
}

TEST(GtpLine, AnAnswerCarriesTheIdAndEndsWithTwoNewlines) {
  EXPECT_EQ(answer_text(std::nullopt, success("2")), "= 2\n\n");
  EXPECT_EQ(answer_text(0, success("2")), "=0 2\n\n");
  EXPECT_EQ(answer_text(17, success()), "=17 \n\n");
  EXPECT_EQ(answer_text(17, failure("cannot undo")), "?17 cannot undo\n\n");
}

TEST(GtpLine, ColoursAndNumbersAreReadWhole) {
  using rules::Color;
  for (const char* word : {"b", "B", "black", "Black", "BLACK"}) {
    EXPECT_EQ(parse_color(word), Color::Black) << word;
  }
  for (const char* word : {"w", "W", "white", "wHITE"}) {
    EXPECT_EQ(parse_color(word), Color::White) << word;
  }
  for (const char* word : {"", "bl", "blacks", "x", "\xd0\xb1"}) {
    EXPECT_FALSE(parse_color(word)) << word;
  }
  EXPECT_EQ(parse_number("18446744073709551615"), 18446744073709551615u);
  for (const char* word : {"", "-1", "+1", "1.5", "1x", "18446744073709551616"}) {
    EXPECT_FALSE(parse_number(word)) << word;
  }
}

TEST(GtpSession, BlankLinesAndCommentsGetNoAnswerAndALoneIdGetsOne) {
  HouseRig rig;
  EXPECT_EQ(rig.send("\n \t\n# name\n\r\n"), "");
  EXPECT_EQ(rig.send("5\n"), "?5 unknown command\n\n");
  EXPECT_EQ(rig.send("1 protocol_version\n2 protocol_version\n"), "=1 2\n\n=2 2\n\n");
}

TEST(GtpSession, ALineTooLongIsAnsweredOnceWithItsId) {
  HouseOptions options = quick_options();
  options.limits.line_bytes = 30;
  HouseRig rig(options);
  const std::string rest(100'000, 'a');
  EXPECT_EQ(rig.send("8 known_command " + rest + "\n9 name\n"),
            "?8 line too long\n\n=9 Tengen house\n\n");
  EXPECT_EQ(rig.send(rest + "\nname\n"), "? line too long\n\n= Tengen house\n\n");
}

TEST(GtpSession, StrangeBytesAreErrors) {
  HouseRig rig;
  EXPECT_EQ(rig.ask("\xe5\xa4\xa9\xe5\x85\x83"), "? unknown command");
  EXPECT_EQ(rig.ask("3 play b \xff\xfe"), "?3 syntax error");
  EXPECT_EQ(rig.ask("3 play \xff d4"), "?3 syntax error");
  EXPECT_EQ(rig.ask("3 name \xff"), "?3 syntax error");
  EXPECT_EQ(rig.ask("3 loadsgf \xff"), "?3 cannot load file");
}

TEST(GtpSession, WhatStandsBehindQuitIsDropped) {
  HouseRig rig;
  EXPECT_EQ(rig.send("9 quit\nname\n"), "=9 \n\n");
  EXPECT_TRUE(rig.session().is_over());
  EXPECT_EQ(rig.send("name\n"), "");
}

}  // namespace
}  // namespace tengen::house
