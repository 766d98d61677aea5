#include "rules/log.h"

#include <gtest/gtest.h>

#include "rules/game.h"

namespace tengen::rules {
namespace {

using namespace std::chrono_literals;

constexpr Color kBlack = Color::Black;
constexpr Color kWhite = Color::White;

Header full_header() {
  Header header;
  header.id = {0x0192f3a4b5c6d7e8u, 0x1122334455667788u};
  header.created_ms = 1'700'000'000'123;
  header.size = {13, 9};
  header.preset = "aga";
  header.rules = find_preset("aga")->rules;
  header.rules.move_limit = 500;
  header.komi_half = -3;
  header.setup = {{kBlack, Point::at(2, 1)}, {kWhite, Point::at(0, 0)}};
  header.first = kWhite;
  header.seats[0] = {SeatKind::Human, "Ann [3d], 50%\n\xC3\xA9", "", {}};
  header.seats[1] = {SeatKind::Engine, "", "gnugo", {{"level", "10"}, {"a:b=c", ""}}, true};
  header.slot1_color = kWhite;
  for (std::size_t i = 0; i < header.seed.size(); ++i)
    header.seed[i] = static_cast<std::uint8_t>(8 * i);
  header.clock = {ClockSystem::ByoYomi, 600s, 0s, 0s, 2'500ms, 5, 0};
  header.free_handicap = 4;
  header.annul_before = 10;
  header.analysis = AnalysisPolicy::Spectators;
  header.marking_time = 30s;
  header.absence = 60s;
  header.absence_profile = "house";
  header.broadcast_delay = 10s;
  header.lag_allowance = 300ms;
  header.seats[1].resign_from = 30;
  header.seats[1].undos = 5;
  header.seats[1].pauses = 2;
  return header;
}

constexpr std::string_view kFullHeaderLine =
    "tengen-game-1 id=0192f3a4b5c6d7e81122334455667788 created_ms=1700000000123 size=13x9"
    " preset=aga ko=situational suicide=no scoring=area bonus=n-1 end=compare-lists move_limit=500"
    " komi_half=-3 setup=B57,W28 first=W slot1=W"
    " seat=human name=Ann%20[3d]%2C%2050%25%0A%C3%A9 profile= settings= other_rules=no "
    "resign_from=0 open=no undos=0 pauses=0"
    " seat=engine name= profile=gnugo settings=level:10,a%3Ab%3Dc: other_rules=yes"
    " resign_from=30 open=no undos=5 pauses=2"
    " seed=0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8"
    " clock=byoyomi:600+5x2.5 free_handicap=4 annul_before=10 analysis=spectators"
    " marking_ms=30000"
    " absence_ms=60000 absence_profile=house broadcast_delay_ms=10000"
    " lag_allowance_ms=300";

/// One event of every kind and shape with its line.
const std::pair<Event, std::string_view> kEvents[] = {
    {{1, {5, "r 1"}, Played{kBlack, Point::at(2, 1)}},
     "1 ms=5 request=r%201 event=play color=B point=57"},
    {{2, {-5, ""}, Passed{kWhite}}, "2 ms=-5 request= event=pass color=W"},
    {{3, {0, ""}, Resigned{kBlack}}, "3 ms=0 request= event=resign color=B"},
    {{4, {0, ""}, DeadListed{kWhite, std::nullopt}},
     "4 ms=0 request= event=dead color=W points=none"},
    {{5, {0, ""}, DeadListed{kWhite, std::vector<Point>{}}},
     "5 ms=0 request= event=dead color=W points="},
    {{6, {0, ""}, DeadListed{kWhite, std::vector{Point(28), Point(29)}}},
     "6 ms=0 request= event=dead color=W points=28,29"},
    {{7, {0, ""}, Forfeited{kBlack, "engine failed"}},
     "7 ms=0 request= event=forfeit color=B reason=engine%20failed"},
    {{8, {0, ""}, Captured{kWhite, {Point(57)}}}, "8 ms=0 request= event=captured by=W points=57"},
    {{9, {0, ""}, Stopped{StopReason::TwoPasses}},
     "9 ms=0 request= event=stopped reason=two-passes"},
    {{10, {0, ""}, Stopped{StopReason::MoveLimit}},
     "10 ms=0 request= event=stopped reason=move-limit"},
    {{11, {0, ""}, Scored{80, -2, {Point(28)}}},
     "11 ms=0 request= event=scored black_half=80 white_half=-2 removed=28 by=area seki="},
    {{12, {0, ""}, Finished{{ResultKind::Score, kBlack, 82}}},
     "12 ms=0 request= event=finished kind=score winner=B margin_half=82"},
    {{13, {0, ""}, Finished{{ResultKind::Score, std::nullopt, 0}}},
     "13 ms=0 request= event=finished kind=score winner=none margin_half=0"},
    {{14, {0, ""}, Finished{{ResultKind::Resign, kWhite, 0}}},
     "14 ms=0 request= event=finished kind=resign winner=W margin_half=0"},
    {{15, {0, ""}, Played{kBlack, Point(57), {1'500ms, 0ns}, {58'500ms, 30s, 5, 0}}},
     "15 ms=0 request= event=play color=B point=57 used=1500000000 lag=0"
     " left=58500000000:30000000000:5:0"},
    {{16, {0, ""}, Passed{kWhite, {0ns, 7ns}, {0ns, 300s, 0, 25}}},
     "16 ms=0 request= event=pass color=W used=0 lag=7 left=0:300000000000:0:25"},
    {{17, {0, ""}, TimedOut{kBlack}}, "17 ms=0 request= event=timeout color=B"},
    {{18, {0, ""}, Finished{{ResultKind::Timeout, kWhite, 0}}},
     "18 ms=0 request= event=finished kind=timeout winner=W margin_half=0"},
    {{19,
      {0, ""},
      SeatChanged{kWhite, Seat{SeatKind::Engine, "Bo", "house", {{"k", "v"}}, true}, "it died"}},
     "19 ms=0 request= event=seat color=W seat=engine name=Bo profile=house settings=k:v"
     " other_rules=yes resign_from=0 open=no undos=0 pauses=0 reason=it%20died"},
    {{20, {0, ""}, Scored{-3, 0, {}, Scoring::Territory, {Point(57), Point(58)}}},
     "20 ms=0 request= event=scored black_half=-3 white_half=0 removed= by=territory seki=57,58"},
    {{21, {0, ""}, Undone{kWhite, 2}}, "21 ms=0 request= event=undo color=W moves=2"},
    {{22, {0, "m"}, Marked{kBlack, Point(57)}}, "22 ms=0 request=m event=mark color=B point=57"},
    {{23, {0, ""}, SekiMarked{kWhite, Point(28)}},
     "23 ms=0 request= event=mark-seki color=W point=28"},
    {{24, {0, ""}, MarkingDone{kBlack}}, "24 ms=0 request= event=done color=B"},
    {{25, {0, ""}, MarkingAccepted{kWhite}}, "25 ms=0 request= event=accept color=W"},
    {{26, {0, ""}, MarkingDisputed{kWhite}}, "26 ms=0 request= event=dispute color=W"},
    {{27, {0, ""}, HandicapPlaced{{Point(28), Point(57)}}},
     "27 ms=0 request= event=handicap points=28,57"},
    {{28, {0, ""}, Abandoned{kBlack}}, "28 ms=0 request= event=abandon color=B"},
    {{29, {0, ""}, Annulled{kWhite, "too short"}},
     "29 ms=0 request= event=annul by=W reason=too%20short"},
    {{29, {0, ""}, Annulled{std::nullopt, ""}}, "29 ms=0 request= event=annul by=none reason="},
    {{30, {0, ""}, NoResultAgreed{kBlack}}, "30 ms=0 request= event=no-result color=B"},
    {{31, {0, ""}, Paused{kBlack, {1'500ms, 0ns}, {58'500ms, 30s, 5, 0}}},
     "31 ms=0 request= event=pause color=B reason=agreed used=1500000000 lag=0"
     " left=58500000000:30000000000:5:0"},
    {{32, {0, ""}, Paused{kWhite}}, "32 ms=0 request= event=pause color=W reason=agreed"},
    {{43, {0, ""}, Paused{kWhite, {0ns, 60s}, {1s, 0s, 0, 0}, PauseReason::ServerLag}},
     "43 ms=0 request= event=pause color=W reason=server-lag used=0 lag=60000000000"
     " left=1000000000:0:0:0"},
    {{33, {0, ""}, Unpaused{kWhite}}, "33 ms=0 request= event=unpause color=W"},
    {{39, {0, ""}, Asked{kBlack, AskKind::Undo, 2}},
     "39 ms=0 request= event=ask color=B kind=undo moves=2"},
    {{40, {0, ""}, Asked{kWhite, AskKind::Pause, 0}},
     "40 ms=0 request= event=ask color=W kind=pause moves=0"},
    {{41, {0, ""}, Asked{kWhite, AskKind::NoResult, 0}},
     "41 ms=0 request= event=ask color=W kind=no-result moves=0"},
    {{42, {0, ""}, Declined{kBlack}}, "42 ms=0 request= event=decline color=B"},
    {{34, {0, ""}, Continued{ContinueReason::Cleanup}},
     "34 ms=0 request= event=continued reason=cleanup"},
    {{35, {0, ""}, Continued{ContinueReason::Dispute}},
     "35 ms=0 request= event=continued reason=dispute"},
    {{36, {0, ""}, Finished{{ResultKind::Abandon, kWhite, 0}}},
     "36 ms=0 request= event=finished kind=abandon winner=W margin_half=0"},
    {{37, {0, ""}, Finished{{ResultKind::NoResult, std::nullopt, 0}}},
     "37 ms=0 request= event=finished kind=no-result winner=none margin_half=0"},
    {{38, {0, ""}, Finished{{ResultKind::Annulled, std::nullopt, 0}}},
     "38 ms=0 request= event=finished kind=annulled winner=none margin_half=0"},
    {{4294967295u, {INT64_MAX, "%"}, Finished{{ResultKind::Forfeit, kWhite, 0}}},
     "4294967295 ms=9223372036854775807 request=%25 event=finished kind=forfeit winner=W "
     "margin_half=0"},
};

TEST(LogText, AHeaderIsOneLine) { EXPECT_EQ(to_line(full_header()), kFullHeaderLine); }

TEST(LogText, AnEventIsOneLine) {
  for (const auto& [event, line] : kEvents) EXPECT_EQ(to_line(event), line);
}

TEST(LogText, EveryLineIsReadBack) {
  std::string text = std::string(kFullHeaderLine) + "\n";
  for (const auto& [event, line] : kEvents) text += std::string(line) + "\n";
  const auto parsed = parse_log_text(text);
  ASSERT_TRUE(std::holds_alternative<LogText>(parsed)) << std::get<LogTextError>(parsed).reason;
  const LogText& log = std::get<LogText>(parsed);
  EXPECT_EQ(log.header, full_header());
  ASSERT_EQ(log.events.size(), std::size(kEvents));
  for (std::size_t i = 0; i < std::size(kEvents); ++i) EXPECT_EQ(log.events[i], kEvents[i].first);
}

TEST(LogText, AStringOfEveryByteIsReadBack) {
  Header header;
  for (int byte = 0; byte < 256; ++byte) header.seats[0].name += static_cast<char>(byte);
  const auto parsed = parse_log_text(to_line(header) + "\n");
  ASSERT_TRUE(std::holds_alternative<LogText>(parsed));
  EXPECT_EQ(std::get<LogText>(parsed).header, header);
}

TEST(LogText, AGameSurvivesTheTrip) {
  Header header;
  header.size = {2, 1};
  header.rules = find_preset("tromp-taylor")->rules;
  Game game(header);
  ASSERT_EQ(game.play(kBlack, Point::at(0, 0), {1, "x"}), Refusal::None);
  ASSERT_EQ(game.play(kWhite, Point::at(1, 0), {2, "y"}), Refusal::None);
  ASSERT_EQ(game.pass(kBlack, {3, "z"}), Refusal::None);
  ASSERT_EQ(game.pass(kWhite, {4, ""}), Refusal::None);
  std::string text = to_line(game.header()) + "\n";
  for (const Event& event : game.events()) text += to_line(event) + "\n";
  const auto parsed = parse_log_text(text);
  ASSERT_TRUE(std::holds_alternative<LogText>(parsed));
  const LogText& log = std::get<LogText>(parsed);
  EXPECT_TRUE(std::holds_alternative<Game>(Game::replay(log.header, log.events)));
}

/// A text that is wrong in one place: the good header with `from` replaced, or lines after it.
struct Bad {
  std::string_view from;
  std::string_view to;
  std::string_view reason;
};

void expect_error(std::string_view text, std::size_t line, std::string_view reason) {
  const auto parsed = parse_log_text(text);
  ASSERT_TRUE(std::holds_alternative<LogTextError>(parsed)) << text;
  EXPECT_EQ(std::get<LogTextError>(parsed).line, line) << text;
  EXPECT_EQ(std::get<LogTextError>(parsed).reason, reason) << text;
}

TEST(LogText, AHeaderHasOneSpellingOnly) {
  const Bad kBad[] = {
      {"tengen-game-1", "tengen-game-2", "expected tengen-game-1"},
      {"id=01", "id=1", "bad id"},
      {"created_ms=17", "created_ms=017", "bad created_ms"},
      {"created_ms=17", "created_ms=+17", "bad created_ms"},
      {"created_ms=17", "created_ms=99999999999999999", "bad created_ms"},
      {"size=13x9", "size=13", "bad size"},
      {"size=13x9", "size=26x9", "bad size"},
      {"size=13x9", "size=13x0", "bad size"},
      {"size=13x9", "size=13x256", "bad size"},
      {"size=13x9 ", "", "expected size"},
      {"size=13x9", "sizes=13x9", "expected size"},
      {" preset=aga", "  preset=aga", "expected preset"},
      {"ko=situational", "ko=spight", "bad ko"},
      {"suicide=no", "suicide=", "bad suicide"},
      {"scoring=area", "scoring=seki", "bad scoring"},
      {"bonus=n-1", "bonus=n-2", "bad bonus"},
      {"end=compare-lists", "end=agree", "bad end"},
      {"move_limit=500", "move_limit=-1", "bad move_limit"},
      {"komi_half=-3", "komi_half=-0", "bad komi_half"},
      {"komi_half=-3", "komi_half=7.5", "bad komi_half"},
      {"setup=B57,W28", "setup=B57,", "bad setup"},
      {"setup=B57,W28", "setup=,B57", "bad setup"},
      {"setup=B57,W28", "setup=E57", "bad setup"},
      {"setup=B57,W28", "setup=B65536", "bad setup"},
      {"first=W", "first=White", "bad first"},
      {"slot1=W", "slot1=w", "bad slot1"},
      {"seat=human", "seat=robot", "bad seat"},
      {" resign_from=30", "", "expected resign_from"},
      {"open=no", "open=0", "bad open"},
      {" undos=5", "", "expected undos"},
      {"undos=5", "undos=05", "bad undos"},
      {" pauses=2", "", "expected pauses"},
      {" absence_ms=60000", "", "expected absence_ms"},
      {"absence_profile=house", "absence_profile=%68", "bad absence_profile"},
      {" broadcast_delay_ms=10000", "", "expected broadcast_delay_ms"},
      {" lag_allowance_ms=300", "", "missing lag_allowance_ms"},
      {"name=Ann", "name=%41nn", "bad name"},
      {"%C3%A9", "%c3%A9", "bad name"},
      {"%C3%A9", "%C3%A", "bad name"},
      {"%C3%A9", "\xC3\xA9", "bad name"},
      {"level:10", "level10", "bad settings"},
      {"level:10", "level:1:0", "bad settings"},
      {" settings=level:10,a%3Ab%3Dc:", "", "expected settings"},
      {"other_rules=no", "other_rules=0", "bad other_rules"},
      {" other_rules=yes", "", "expected other_rules"},
      {"seed=0008", "seed=00", "bad seed"},
      {"seed=0008", "seed=000G", "bad seed"},
      {"e0e8f0f8", "E0E8F0F8", "bad seed"},
      {" seed=0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8", "",
       "expected seed"},
      {" clock=byoyomi:600+5x2.5", "", "expected clock"},
      {"clock=byoyomi:600+5x2.5", "clock=", "bad clock"},
      {"clock=byoyomi:600+5x2.5", "clock=byoyomi:600+5x2.50", "bad clock"},
      {"clock=byoyomi:600+5x2.5", "clock=byoyomi:600+0x2.5", "bad clock"},
      {"free_handicap=4", "free_handicap=04", "bad free_handicap"},
      {" annul_before=10", "", "expected annul_before"},
      {"analysis=spectators", "analysis=players", "bad analysis"},
      {" analysis=spectators", "", "expected analysis"},
      {" marking_ms=30000", "", "expected marking_ms"},
      {"allowance_ms=300", "allowance_ms=300 ", "more than the line should hold"},
  };
  for (const Bad& bad : kBad) {
    std::string line(kFullHeaderLine);
    const std::size_t at = line.find(bad.from);
    ASSERT_NE(at, std::string::npos) << bad.from;
    line.replace(at, bad.from.size(), bad.to);
    expect_error(line + "\n", 1, bad.reason);
  }
}

TEST(LogText, AnEventHasOneSpellingOnly) {
  const std::pair<std::string_view, std::string_view> kBad[] = {
      {"", "expected the event's number"},
      {"x ms=0 request= event=pass color=B", "expected the event's number"},
      {"01 ms=0 request= event=pass color=B", "expected the event's number"},
      {"4294967296 ms=0 request= event=pass color=B", "expected the event's number"},
      {"1", "missing ms"},
      {"1 ms=0 request=", "missing event"},
      {"1 ms=0 request= event=redo", "unknown event"},
      {"1 ms=0 request= event=", "unknown event"},
      {"1 request= ms=0 event=pass color=B", "expected ms"},
      {"1 ms=0 request= event=pass", "missing color"},
      {"1 ms=0 request= event=pass color", "expected color"},
      {"1 ms=0 request= event=pass color=", "bad color"},
      {"1 ms=0 request= event=pass color=B ", "expected used"},
      {"1 ms=0 request= event=pass color=B used=1", "missing lag"},
      {"1 ms=0 request= event=pass color=B used=1 lag=0 left=1:0:0", "bad left"},
      {"1 ms=0 request= event=pass color=B used=1 lag=0 left=1:0:0:0:0", "bad left"},
      {"1 ms=0 request= event=pass color=B used=1 lag=0 left=1:0:0:2147483648", "bad left"},
      {"1 ms=0 request= event=pass color=B used=01 lag=0 left=1:0:0:0", "bad used"},
      {"1 ms=0 request= event=pass color=B used=9223372036854775808 lag=0 left=1:0:0:0",
       "bad used"},
      {"1 ms=0 request= event=pass color=B used=1 lag=0 left=1:0:0:0 ",
       "more than the line should hold"},
      {"1 ms=0 request= event=pass color=B used=0 lag=0 left=0:0:0:0",
       "a time of nothing is left out"},
      {"1 ms=0 request= event=resign color=B used=1 lag=0 left=1:0:0:0",
       "more than the line should hold"},
      {"1 ms=0 request= event=seat color=B seat=engine name= profile=p settings= other_rules=no "
       "resign_from=0"
       " open=no undos=0 pauses=0",
       "missing reason"},
      {"1 ms=0 request= event=pause color=B", "missing reason"},
      {"1 ms=0 request= event=pause color=B reason=lunch", "bad reason"},
      {"1 ms=0 request= event=pass color=B\r", "bad color"},
      {"1 ms=0 request= event=play color=B point=D4", "bad point"},
      {"1 ms=0 request= event=play color=B point=", "bad point"},
      {"1 ms=0 request= event=dead color=B points=1,,2", "bad points"},
      {"1 ms=0 request= event=captured by=B points=none", "bad points"},
      {"1 ms=0 request= event=stopped reason=flag", "bad reason"},
      {"1 ms=0 request= event=finished kind=score winner= margin_half=0", "bad winner"},
  };
  for (const auto& [line, reason] : kBad) {
    expect_error(std::string(kFullHeaderLine) + "\n" + std::string(line) + "\n", 2, reason);
  }
}

TEST(LogText, EveryLineMustEnd) {
  expect_error("", 1, "no newline at the end");
  expect_error(kFullHeaderLine, 1, "no newline at the end");
  const std::string text = std::string(kFullHeaderLine) + "\n1 ms=0 request= event=pass color=B\n2";
  expect_error(text, 3, "no newline at the end");
}

TEST(LogEvent, ASeatThatChangedIsCopiedAndComparedByItsValue) {
  const SeatChanged first{kWhite, Seat{SeatKind::Engine, "", "house", {}}, "why"};
  SeatChanged second = first;
  EXPECT_EQ(second, first);
  (*second.seat).profile = "gnugo";
  EXPECT_NE(second, first);
  EXPECT_EQ((*first.seat).profile, "house");
  second = first;
  EXPECT_EQ(second, first);
}

TEST(ResultText, IsThatOfSgf) {
  EXPECT_EQ(result_text({ResultKind::Score, kBlack, 7}), "B+3.5");
  EXPECT_EQ(result_text({ResultKind::Score, kWhite, 2}), "W+1");
  EXPECT_EQ(result_text({ResultKind::Score, std::nullopt, 0}), "0");
  EXPECT_EQ(result_text({ResultKind::Resign, kWhite, 0}), "W+R");
  EXPECT_EQ(result_text({ResultKind::Forfeit, kBlack, 0}), "B+F");
  EXPECT_EQ(result_text({ResultKind::Timeout, kWhite, 0}), "W+T");
}

}  // namespace
}  // namespace tengen::rules
