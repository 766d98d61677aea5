// What may reach a terminal, what is said, and the small text makers beside it.
#include "clients/cli/wording.h"

#include <gtest/gtest.h>

#include "clients/cli/json_text.h"
#include "clients/cli/line_splitter.h"
#include "clients/cli/table.h"

namespace tengen::cli {
namespace {

TEST(Wording, ControlCharactersAndMalformedBytesNeverReachTheTerminal) {
  EXPECT_EQ(printable("plain text"), "plain text");
  EXPECT_EQ(printable("天元 é"), "天元 é");
  EXPECT_EQ(printable("a\x1b[2Jb\n\t\x7f"), "a?[2Jb???");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "??31m")
      << "the C1 form of an escape";
  EXPECT_EQ(printable("\xff\xc3"), "??");
  EXPECT_EQ(printable("\xc0\x9b"), "??") << "an overlong form";
  EXPECT_TRUE(has_control("D4\a"));
  EXPECT_FALSE(has_control("D4"));
}

TEST(Wording, AnErrorIsOneLine) {
  const protocol::Error bare{protocol::ErrorCode::IllegalMove, "superko", "", 0, std::nullopt};
  EXPECT_EQ(error_line(bare), "illegal move: superko");
  const protocol::Error wordy{protocol::ErrorCode::UnknownProfile, "", "no profile\n\"x\"", 0,
                              std::nullopt};
  EXPECT_EQ(error_line(wordy), "unknown profile (no profile?\"x\")");
}

TEST(Wording, EventsAreSentences) {
  using rules::Color;
  using rules::Point;
  const rules::Size nine{9, 9};
  const auto line = [nine](rules::EventBody body) { return event_line({1, {}, body}, nine); };
  EXPECT_EQ(line(rules::Played{Color::Black, Point::at(3, 5)}), "Black plays D4.");
  EXPECT_EQ(line(rules::Passed{Color::White}), "White passes.");
  EXPECT_EQ(line(rules::Captured{Color::White, {Point::at(1, 8), Point::at(0, 8)}}),
            "White captures A1 B1.");
  EXPECT_EQ(line(rules::DeadListed{Color::White, std::nullopt}),
            "White takes the other side's list of dead stones.");
  EXPECT_EQ(line(rules::Forfeited{Color::White,
                                  "no\x1b"
                                  "engine"}),
            "White forfeits: no?engine.");
  EXPECT_EQ(line(rules::Scored{90, 87, {}}), "Area: black 45, white 43.5 with komi.");
  EXPECT_EQ(line(rules::Finished{{rules::ResultKind::Resign, Color::White, 0}}), "Result: W+R");
  EXPECT_EQ(line(rules::TimedOut{Color::Black}), "Black has no time left.");
  const rules::Seat house{rules::SeatKind::Engine, "", "house", {}};
  EXPECT_EQ(line(rules::SeatChanged{Color::White, house,
                                    "it\x1b"
                                    "died"}),
            "White is played by house from now on: it?died.");
  const rules::Seat other{rules::SeatKind::Engine, "", "gnugo", {}, true};
  EXPECT_EQ(line(rules::SeatChanged{Color::White, other, "why"}),
            "White is played by gnugo, by other rules, from now on: why.");
}

TEST(Wording, ClocksShowWhatIsLeft) {
  using namespace std::chrono_literals;
  struct Case {
    const char* control;
    rules::ClockFace face;
    const char* text;
  };
  const Case cases[] = {
      {"absolute:600", {291s, 0s, 0, 0}, "4:51"},
      {"absolute:600", {290s + 1ns, 0s, 0, 0}, "4:51"},
      {"absolute:600", {0s, 0s, 0, 0}, "0:00"},
      {"fischer:7200+5", {3600s, 0s, 0, 0}, "1:00:00"},
      {"byoyomi:600+5x30", {300s, 30s, 5, 0}, "5:00 (5x30)"},
      {"byoyomi:600+5x30", {0s, 26'500ms, 3, 0}, "0:27 (3x30)"},
      {"canadian:600+25/300", {0s, 130s, 0, 7}, "2:10 (7/300)"},
      {"permove:10", {0s, 10s, 0, 0}, "0:10"},
  };
  for (const Case& each : cases) {
    const auto control = std::get<rules::TimeControl>(rules::parse_time_control(each.control));
    EXPECT_EQ(clock_text(control, each.face), each.text);
  }
  const auto control = std::get<rules::TimeControl>(rules::parse_time_control("fischer:300+5"));
  EXPECT_EQ(clocks_text(control, {rules::ClockFace{291s, 0s, 0, 0}, {300s, 0s, 0, 0}}),
            "B 4:51 W 5:00");
}

TEST(JsonText, EscapesWhatJsonEscapes) {
  EXPECT_EQ(json_string("a\"b\\c\n\x01 é"), "\"a\\\"b\\\\c\\u000a\\u0001 é\"");
}

TEST(Table, AlignsColumnsAndTrimsLines) {
  EXPECT_EQ(table_text({Align::Left, Align::Right}, {{"name", "n"}, {"é", "12"}, {"x"}}),
            "name   n\n"
            "é     12\n"
            "x\n");
}

TEST(LineSplitter, GivesWholeLinesAndTheLastOne) {
  LineSplitter lines;
  lines.on_bytes("D4\nE");
  EXPECT_EQ(lines.take(), "D4");
  EXPECT_EQ(lines.take(), std::nullopt);
  lines.on_bytes("5\n\npa");
  EXPECT_EQ(lines.take(), "E5");
  EXPECT_EQ(lines.take(), "");
  lines.on_bytes("ss");
  EXPECT_EQ(lines.take(), std::nullopt);
  lines.on_end();
  EXPECT_EQ(lines.take(), "pass");
  EXPECT_EQ(lines.take(), std::nullopt);
}

TEST(LineSplitter, CutsALineWithoutEnd) {
  LineSplitter lines;
  lines.on_bytes(std::string(100'000, 'x'));
  lines.on_bytes("\nD4\n");
  EXPECT_EQ(lines.take()->size(), LineSplitter::kLineMax);
  EXPECT_EQ(lines.take(), "D4");
}

}  // namespace
}  // namespace tengen::cli
