#include "rules/game.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/rules/game_table.h"

namespace tengen::rules {
namespace {

using tengen::tests::vertex;

using namespace std::chrono_literals;

TEST(Game, TheSideThatMovesFirstIsTheHeaders) {
  Header header = header_of({9, 9}, "chinese");
  EXPECT_EQ(Game(header).turn(), kBlack);
  header.first = kWhite;
  Table table(header);
  EXPECT_EQ(table.play(kBlack, "E5"), Refusal::NotYourTurn);
  EXPECT_EQ(table.play(kWhite, "E5"), Refusal::None);
  EXPECT_EQ(table.game.turn(), kBlack);
}

TEST(Game, ARefusalChangesNothing) {
  Table table(header_of({9, 9}, "chinese"));
  ASSERT_EQ(table.play(kBlack, "E5"), Refusal::None);
  EXPECT_EQ(table.play(kWhite, "E5"), Refusal::Occupied);
  EXPECT_EQ(table.play(kBlack, "E6"), Refusal::NotYourTurn);
  EXPECT_EQ(table.game.play(kWhite, Point(), {}), Refusal::OffBoard);
  EXPECT_EQ(table.list(kWhite, std::nullopt), Refusal::WrongPhase);
  EXPECT_EQ(table.game.seq(), 1u);
  EXPECT_EQ(table.game.turn(), kWhite);
}

TEST(Game, LegalPointsAreThoseOfTheSideToMove) {
  Table table(header_of({2, 2}, "chinese"));
  EXPECT_EQ(table.game.legal_points(kBlack), table.at_all({"A2", "B2", "A1", "B1"}));
  EXPECT_TRUE(table.game.legal_points(kWhite).empty());
  table.pass_twice();
  EXPECT_TRUE(table.game.legal_points(kBlack).empty());
}

TEST(Game, ACaptureIsLoggedAfterItsPlayWithTheSameStamp) {
  Table table(header_of({".XX", "XOO", ".X."}, "chinese"));
  ASSERT_EQ(table.play(kBlack, "C1"), Refusal::None);
  EXPECT_EQ(table.lines(),
            "1 ms=1001 request=act1 event=play color=B point=84\n"
            "2 ms=1001 request=act1 event=captured by=B points=56,57\n");
  EXPECT_EQ(table.game.position_seq(), 1u);
  EXPECT_EQ(table.game.seq(), 2u);
}

TEST(Game, SuicidedStonesAreLoggedForTheOtherSide) {
  Table table(header_of({".XO", "XO.", "O.."}, "tromp-taylor"));
  ASSERT_EQ(table.play(kBlack, "A3"), Refusal::None);
  EXPECT_EQ(table.game.events()[1].body,
            EventBody(Captured{kWhite, table.at_all({"A3", "B3", "A2"})}));
}

TEST(Game, TwoPassesUnderAllAliveScoreTheGameAtOnce) {
  // Columns: black owns four of seven columns of three, white three.
  Table table(header_of({"...XO..", "...XO..", "...XO.."}, "tromp-taylor"));
  table.pass_twice();
  EXPECT_EQ(
      table.lines(),
      "1 ms=1001 request=act1 event=pass color=B\n"
      "2 ms=1002 request=act2 event=pass color=W\n"
      "3 ms=1002 request=act2 event=stopped reason=two-passes\n"
      "4 ms=1002 request=act2 event=scored black_half=24 white_half=19 removed= by=area seki=\n"
      "5 ms=1002 request=act2 event=finished kind=score winner=B margin_half=5\n");
  EXPECT_TRUE(table.game.is_finished());
  EXPECT_EQ(result_text(*table.game.result()), "B+2.5");
  EXPECT_EQ(table.pass(kBlack), Refusal::GameOver);
  EXPECT_EQ(table.game.position_seq(), 2u);
}

// Black takes A5 and then surrounds all of the board: 23 empty points and one prisoner.
TEST(Game, TerritoryIsCountedWithPrisoners) {
  Header header = header_of({"O....", "X....", ".....", ".....", "....."}, "tromp-taylor");
  header.preset.clear();
  header.rules.scoring = Scoring::Territory;
  Table table(header);
  ASSERT_EQ(table.play(kBlack, "B5"), Refusal::None);
  table.pass_twice();
  EXPECT_EQ(table.game.score()->black_half, 2 * 24);
  EXPECT_EQ(table.game.score()->white_half, 1);  // komi
}

TEST(Game, APlayBetweenTwoPassesKeepsTheGameGoing) {
  Table table(header_of({9, 9}, "tromp-taylor"));
  ASSERT_EQ(table.pass(kBlack), Refusal::None);
  ASSERT_EQ(table.play(kWhite, "A1"), Refusal::None);
  ASSERT_EQ(table.pass(kBlack), Refusal::None);
  EXPECT_EQ(table.game.phase(), Phase::Play);
}

TEST(Game, AnEvenScoreHasNoWinner) {
  Header header = header_of({3, 3}, "tromp-taylor");
  header.komi_half = 0;
  Table table(header);
  table.pass_twice();
  EXPECT_EQ(table.game.result(), (Result{ResultKind::Score, std::nullopt, 0}));
  EXPECT_EQ(result_text(*table.game.result()), "0");
}

// Black's wall with two white stones behind it: alive, they make the points there nobody's.
const std::vector<std::string> kInvaded = {"..X..", "O.X..", ".XX..", "OX...", ".X..."};

// Black has six stones and the twelve points to the right of them, white two stones and half a
// point of komi. With the two lifted the board is black's.
constexpr int kAliveBlackHalf = 2 * (6 + 12);
constexpr int kAliveWhiteHalf = 2 * 2 + 1;
constexpr int kLiftedBlackHalf = 2 * 25;
constexpr int kLiftedWhiteHalf = 1;

struct Marking : ::testing::Test {
  Table table{header_of(kInvaded, "chinese")};

  void SetUp() override { table.pass_twice(); }
  void expect_score(int black_half, int white_half) {
    ASSERT_TRUE(table.game.score());
    EXPECT_EQ(table.game.score()->black_half, black_half);
    EXPECT_EQ(table.game.score()->white_half, white_half);
  }
};

TEST_F(Marking, TwoPassesUnderCompareListsAwaitBothLists) {
  EXPECT_EQ(table.game.phase(), Phase::Marking);
  EXPECT_FALSE(table.game.turn());
  EXPECT_TRUE(table.game.awaits_list(kBlack));
  EXPECT_TRUE(table.game.awaits_list(kWhite));
  EXPECT_EQ(table.pass(kBlack), Refusal::WrongPhase);
  EXPECT_EQ(table.play(kBlack, "A5"), Refusal::WrongPhase);
}

TEST_F(Marking, EqualListsAreLifted) {
  ASSERT_EQ(table.list(kWhite, table.at_all({"A2", "A4"})), Refusal::None);
  EXPECT_FALSE(table.game.awaits_list(kWhite));
  EXPECT_FALSE(table.game.is_finished());
  ASSERT_EQ(table.list(kBlack, table.at_all({"A4", "A2", "A4"})), Refusal::None);
  expect_score(kLiftedBlackHalf, kLiftedWhiteHalf);
  EXPECT_EQ(table.game.score()->removed, table.at_all({"A4", "A2"}));
}

TEST_F(Marking, AfterUnequalListsPlayGoesOnAsCleanupAndThenAllAreAlive) {
  ASSERT_EQ(table.list(kBlack, table.at_all({"A2", "A4"})), Refusal::None);
  ASSERT_EQ(table.list(kWhite, table.at_all({"A2"})), Refusal::None);
  EXPECT_EQ(table.game.phase(), Phase::Cleanup);
  EXPECT_EQ(table.game.events().back().body, EventBody(Continued{ContinueReason::Cleanup}));
  EXPECT_EQ(table.game.turn(), kBlack) << "white passed last";
  EXPECT_FALSE(table.game.legal_points(kBlack).empty());
  // Black takes one of the two and the other stays.
  ASSERT_EQ(table.play(kBlack, "A3"), Refusal::None);
  ASSERT_EQ(table.pass(kWhite), Refusal::None);
  ASSERT_EQ(table.play(kBlack, "A1"), Refusal::None);
  EXPECT_EQ(std::get<Captured>(table.game.events().back().body).points, table.at_all({"A2"}));
  table.pass_twice();
  ASSERT_TRUE(table.game.is_finished());
  EXPECT_TRUE(table.game.score()->removed.empty());
  // Black's eight stones, the twelve points on the right, A2; A5, B5 and B4 touch both.
  expect_score(2 * (8 + 12 + 1), 2 * 1 + 1);
}

TEST_F(Marking, AnEmptyListAgainstAnotherIsADisagreement) {
  ASSERT_EQ(table.list(kWhite, std::vector<Point>{}), Refusal::None);
  ASSERT_EQ(table.list(kBlack, table.at_all({"A2", "A4"})), Refusal::None);
  EXPECT_EQ(table.game.phase(), Phase::Cleanup);
  table.pass_twice();
  expect_score(kAliveBlackHalf, kAliveWhiteHalf);
}

TEST_F(Marking, ASideWithoutListTakesTheOthers) {
  ASSERT_EQ(table.list(kBlack, std::nullopt), Refusal::None);
  ASSERT_EQ(table.list(kWhite, table.at_all({"A2", "A4"})), Refusal::None);
  expect_score(kLiftedBlackHalf, kLiftedWhiteHalf);
}

TEST_F(Marking, TwoSidesWithoutListLeaveAllAlive) {
  ASSERT_EQ(table.list(kWhite, std::nullopt), Refusal::None);
  ASSERT_EQ(table.list(kBlack, std::nullopt), Refusal::None);
  expect_score(kAliveBlackHalf, kAliveWhiteHalf);
}

TEST_F(Marking, AListIsWidenedToWholeChains) {
  ASSERT_EQ(table.list(kWhite, table.at_all({"C5"})), Refusal::None);
  const Event& event = table.game.events().back();
  EXPECT_EQ(event.body,
            EventBody(DeadListed{kWhite, table.at_all({"C5", "C4", "B3", "C3", "B2", "B1"})}));
}

TEST_F(Marking, AListThatNamesAnEmptyPointIsRefused) {
  const std::uint32_t seq = table.game.seq();
  EXPECT_EQ(table.list(kWhite, table.at_all({"A2", "A5"})), Refusal::BadList);
  EXPECT_EQ(table.list(kWhite, std::vector<Point>{Point(9999)}), Refusal::BadList);
  EXPECT_EQ(table.game.seq(), seq);
  EXPECT_TRUE(table.game.awaits_list(kWhite));
}

TEST_F(Marking, AListIsGivenOnce) {
  ASSERT_EQ(table.list(kWhite, std::nullopt), Refusal::None);
  EXPECT_EQ(table.list(kWhite, std::vector<Point>{}), Refusal::WrongPhase);
}

TEST_F(Marking, ResigningAndForfeitingStillEndTheGame) {
  Game copy = table.game;
  ASSERT_EQ(copy.resign(kWhite, {}), Refusal::None);
  EXPECT_EQ(result_text(*copy.result()), "B+R");
  ASSERT_EQ(table.game.forfeit(kBlack, "left", {}), Refusal::None);
  EXPECT_EQ(result_text(*table.game.result()), "W+F");
  EXPECT_EQ(table.list(kWhite, std::nullopt), Refusal::GameOver);
}

TEST(Game, ASideMayResignOffTurnAndOnlyOnce) {
  Table table(header_of({9, 9}, "chinese"));
  ASSERT_EQ(table.game.resign(kWhite, {7, "r"}), Refusal::None);
  EXPECT_EQ(table.lines(),
            "1 ms=7 request=r event=resign color=W\n"
            "2 ms=7 request=r event=finished kind=resign winner=B margin_half=0\n");
  EXPECT_EQ(table.game.resign(kBlack, {}), Refusal::GameOver);
  EXPECT_EQ(table.game.forfeit(kBlack, "", {}), Refusal::GameOver);
  EXPECT_FALSE(table.game.score());
}

TEST(Game, TheMoveLimitStopsAndScoresTheGameAsItStands) {
  Header header = header_of({5, 5}, "chinese");
  header.rules.move_limit = 3;
  Table table(header);
  ASSERT_EQ(table.play(kBlack, "C3"), Refusal::None);
  ASSERT_EQ(table.pass(kWhite), Refusal::None);
  ASSERT_EQ(table.play(kBlack, "C4"), Refusal::None);
  EXPECT_TRUE(table.game.is_finished());
  EXPECT_EQ(table.game.events()[3].body, EventBody(Stopped{StopReason::MoveLimit}));
  EXPECT_EQ(result_text(*table.game.result()), "B+24.5");
}

TEST(Game, TwoPassesAtTheMoveLimitAreTwoPasses) {
  Header header = header_of({5, 5}, "chinese");
  header.rules.move_limit = 2;
  Table table(header);
  table.pass_twice();
  EXPECT_EQ(table.game.phase(), Phase::Marking);
}

TEST(Game, OnlyBlackStonesAgainstWhiteToMoveAreAHandicap) {
  Header header = header_of({"X....", ".....", "....X"}, "chinese");
  EXPECT_EQ(handicap_stones(header), 0);
  header.first = kWhite;
  EXPECT_EQ(handicap_stones(header), 2);
  header.setup.push_back({kWhite, vertex("C2", header.size)});
  EXPECT_EQ(handicap_stones(header), 0);
  header.setup = {{kBlack, vertex("C2", header.size)}};
  EXPECT_EQ(handicap_stones(header), 0);
}

/// A game with that clock; acts by short calls, the faces by colour.
struct Clocked : Table {
  explicit Clocked(std::string_view clock) : Table(with(clock)) {}

  static Header with(std::string_view clock) {
    Header header = header_of({9, 9}, "chinese");
    header.clock = std::get<TimeControl>(parse_time_control(clock));
    return header;
  }
  Refusal move(Color color, std::chrono::nanoseconds used) {
    const auto points = game.legal_points(color);
    return game.play(color, points.empty() ? Point::at(0, 0) : points.front(), stamp(), {used, 0s});
  }
  const ClockFace& face(Color color) const { return game.clocks()[index_of(color)]; }
};

// 1 s, then two periods of 3 s. Black thinks 5 s: the second, a whole period and one second of the
// next, which the move makes whole again.
TEST(GameClock, ByoYomiLosesAPeriodForEachThatIsOverstepped) {
  Clocked table("byoyomi:1+2x3");
  ASSERT_EQ(table.move(kBlack, 5s), Refusal::None);
  EXPECT_EQ(table.face(kBlack), (ClockFace{0s, 3s, 1, 0}));
  EXPECT_EQ(table.face(kWhite), (ClockFace{1s, 3s, 2, 0}));
  EXPECT_EQ(std::get<Played>(table.game.events()[0].body).left, table.face(kBlack));
}

// 10 s and 2 s for each move: 10 - 3 + 2, and 10 - 10 + 2.
TEST(GameClock, FischerGainsAfterTheMoveAlsoAfterOneInTheLastInstant) {
  Clocked table("fischer:10+2");
  ASSERT_EQ(table.move(kBlack, 3s), Refusal::None);
  ASSERT_EQ(table.move(kWhite, 10s), Refusal::None);
  EXPECT_EQ(table.face(kBlack).main_left, 9s);
  EXPECT_EQ(table.face(kWhite).main_left, 2s);
}

// Two stones in ten seconds: the second one begins a fresh period.
TEST(GameClock, CanadianOvertimeCountsPassesToo) {
  Clocked table("canadian:0+2/10");
  ASSERT_EQ(table.game.pass(kBlack, {}, {4s, 0s}), Refusal::None);
  EXPECT_EQ(table.face(kBlack), (ClockFace{0s, 6s, 0, 1}));
  EXPECT_EQ(std::get<Passed>(table.game.events()[0].body).left, table.face(kBlack));
  ASSERT_EQ(table.move(kWhite, 1s), Refusal::None);
  ASSERT_EQ(table.move(kBlack, 6s), Refusal::None);
  EXPECT_EQ(table.face(kBlack), (ClockFace{0s, 10s, 0, 2}));
}

TEST(GameClock, AMoveBeyondTheFlagIsRefusedAndChangesNothing) {
  Clocked table("absolute:10");
  EXPECT_EQ(table.game.time_left(), 10s);
  EXPECT_EQ(table.move(kBlack, 10s + 1ns), Refusal::GameOver);
  EXPECT_EQ(table.move(kBlack, -1ns), Refusal::GameOver);
  EXPECT_EQ(table.game.pass(kBlack, {}, {1s, -1ns}), Refusal::GameOver);
  EXPECT_EQ(table.game.seq(), 0u);
  EXPECT_EQ(table.face(kBlack).main_left, 10s);
  ASSERT_EQ(table.move(kBlack, 10s), Refusal::None);
  EXPECT_EQ(table.face(kBlack).main_left, 0s);
}

TEST(GameClock, AnIllegalMoveIsNotCharged) {
  Clocked table("absolute:10");
  ASSERT_EQ(table.move(kBlack, 1s), Refusal::None);
  EXPECT_EQ(table.game.play(kWhite, Point::at(0, 0), {}, {2s, 0s}), Refusal::Occupied);
  EXPECT_EQ(table.face(kWhite).main_left, 10s);
}

TEST(GameClock, LagIsLoggedAndNotCharged) {
  Clocked table("absolute:10");
  ASSERT_EQ(table.game.pass(kBlack, {}, {1s, 100s}), Refusal::None);
  EXPECT_EQ(table.face(kBlack).main_left, 9s);
  EXPECT_EQ(std::get<Passed>(table.game.events()[0].body).time, (MoveTime{1s, 100s}));
}

TEST(GameClock, OnlyTheSideToMoveInAGameWithAClockCanTimeOut) {
  Clocked table("permove:5");
  EXPECT_EQ(table.game.time_out(kWhite, {}), Refusal::NotYourTurn);
  ASSERT_EQ(table.game.time_out(kBlack, {9, ""}), Refusal::None);
  EXPECT_EQ(table.lines(),
            "1 ms=9 request= event=timeout color=B\n"
            "2 ms=9 request= event=finished kind=timeout winner=W margin_half=0\n");
  EXPECT_EQ(table.face(kBlack), ClockFace{});
  EXPECT_EQ(table.face(kWhite), (ClockFace{0s, 5s, 0, 0}));
  EXPECT_EQ(table.game.time_left(), std::nullopt);
  EXPECT_EQ(table.game.time_out(kBlack, {}), Refusal::GameOver);
  Table untimed(header_of({9, 9}, "chinese"));
  EXPECT_EQ(untimed.game.time_out(kBlack, {}), Refusal::WrongPhase);
  EXPECT_EQ(untimed.game.time_left(), std::nullopt);
}

TEST(GameClock, NoClockRunsWhileTheDeadAreListed) {
  Clocked table("absolute:10");
  table.pass_twice();
  EXPECT_EQ(table.game.phase(), Phase::Marking);
  EXPECT_EQ(table.game.time_left(), std::nullopt);
  EXPECT_EQ(table.game.time_out(kBlack, {}), Refusal::WrongPhase);
}

const Seat kSubstitute{SeatKind::Engine, "", "house", {}, true};

TEST(GameSeat, AChangedSeatPlaysFromThenOnAndTheHeaderKeepsTheFirst) {
  Header header = header_of({9, 9}, "chinese");
  header.slot1_color = kWhite;
  header.seats[0] = {SeatKind::Engine, "Bot", "gnugo", {}};
  Table table(header);
  EXPECT_EQ(table.game.seat(kWhite).profile, "gnugo");
  ASSERT_EQ(table.game.change_seat(kWhite, kSubstitute, "it died", {3, ""}), Refusal::None);
  EXPECT_EQ(table.game.seat(kWhite), kSubstitute);
  EXPECT_EQ(table.game.seats()[0], kSubstitute);
  EXPECT_EQ(table.game.seat(kBlack), header.seats[1]);
  EXPECT_EQ(table.game.header().seat(kWhite).profile, "gnugo");
  EXPECT_EQ(table.game.turn(), kBlack);
  EXPECT_EQ(table.game.position_seq(), 0u);
  EXPECT_EQ(table.lines(),
            "1 ms=3 request= event=seat color=W seat=engine name= profile=house settings="
            " other_rules=yes resign_from=0 open=no undos=0 pauses=0 reason=it%20died\n");
}

TEST(GameSeat, ASeatMayChangeWhileTheDeadAreListedButNotAfterTheEnd) {
  Table table(header_of({9, 9}, "chinese"));
  table.pass_twice();
  ASSERT_EQ(table.game.change_seat(kBlack, kSubstitute, "", {}), Refusal::None);
  ASSERT_EQ(table.game.resign(kBlack, {}), Refusal::None);
  EXPECT_EQ(table.game.change_seat(kBlack, Seat{}, "", {}), Refusal::GameOver);
}

TEST(GameSeat, ASeatThatCannotBeIsRefused) {
  Table table(header_of({9, 9}, "chinese"));
  const Seat kBad[] = {{SeatKind::Engine, "", "", {}},
                       {SeatKind::Human, "", "house", {}},
                       {SeatKind::Human, "", "", {{"level", "1"}}},
                       {SeatKind::Human, "", "", {}, true}};
  for (const Seat& seat : kBad) {
    EXPECT_EQ(table.game.change_seat(kBlack, seat, "", {}), Refusal::WrongPhase);
  }
  EXPECT_EQ(table.game.seq(), 0u);
}

TEST(Game, EveryProblemOfAHeaderIsNamed) {
  const Header good = header_of({9, 9}, "chinese");
  EXPECT_FALSE(Game::problem(good));
  const std::pair<std::string_view, std::function<void(Header&)>> kProblems[] = {
      {"1 to 25",
       [](Header& h) {
         h.size = {0, 9};
       }},
      {"1 to 25",
       [](Header& h) {
         h.size = {9, 26};
       }},
      {"within 400", [](Header& h) { h.komi_half = 801; }},
      {"within 400", [](Header& h) { h.komi_half = -801; }},
      {"1970", [](Header& h) { h.created_ms = -1; }},
      {"unknown preset", [](Header& h) { h.preset = "ing"; }},
      {"not those of preset", [](Header& h) { h.rules.ko = KoRule::Simple; }},
      {"19x19 only", [](Header& h) { h.preset = "go-chinese-19-0.3"; }},
      {"does not go with",
       [](Header& h) {
         h.preset.clear();
         h.rules.scoring = Scoring::Territory;
       }},
      {"marking time", [](Header& h) { h.marking_time = kMarkingTimeMin - 1ms; }},
      {"marking time", [](Header& h) { h.marking_time = kMarkingTimeMax + 1ms; }},
      {"before a move", [](Header& h) { h.annul_before = -1; }},
      {"needs a profile", [](Header& h) { h.seats[1].kind = SeatKind::Engine; }},
      {"has a profile and settings", [](Header& h) { h.seats[0].profile = "gnugo"; }},
      {"has a profile and settings",
       [](Header& h) {
         h.seats[0].settings = {{"level", "1"}};
       }},
      {"game's rules", [](Header& h) { h.seats[0].other_rules = true; }},
      {"resignation can count as a pass", [](Header& h) { h.seats[0].resign_from = 1; }},
      {"an engine's seat is taken",
       [](Header& h) { h.seats[1] = {SeatKind::Engine, "", "gnugo", {}, false, 0, true}; }},
      {"grant what they like", [](Header& h) { h.seats[0].undos = 1; }},
      {"grant what they like", [](Header& h) { h.seats[1].pauses = 1; }},
      {"no more than can be asked",
       [](Header& h) { h.seats[1] = {SeatKind::Engine, "", "gnugo", {}, false, 0, false, 201}; }},
      {"no more than can be asked",
       [](Header& h) { h.seats[1] = {SeatKind::Engine, "", "gnugo", {}, false, 0, false, 0, -1}; }},
      {"resigns from a move on",
       [](Header& h) { h.seats[1] = {SeatKind::Engine, "", "gnugo", {}, false, -1}; }},
      {"up to a day", [](Header& h) { h.absence = kAbsenceMax + 1ms; }},
      {"never lost", [](Header& h) { h.absence_profile = "gnugo"; }},
      {"up to an hour", [](Header& h) { h.broadcast_delay = kBroadcastDelayMax + 1ms; }},
      {"two seconds of a turn", [](Header& h) { h.lag_allowance = kLagAllowanceMax + 1ms; }},
      {"agents play by the preset", [](Header& h) { h.seats[0].kind = SeatKind::Agent; }},
      {"has no main time", [](Header& h) { h.clock.main = 1s; }},
      {"too small", [](Header& h) { h.clock.system = ClockSystem::Absolute; }},
      {"off the board",
       [](Header& h) {
         h.setup = {{kBlack, Point::at(9, 0)}};
       }},
      {"on another",
       [](Header& h) {
         h.setup.assign(2, {kBlack, Point::at(0, 0)});
       }},
      {"A9 has no liberty",
       [](Header& h) {
         h.setup = tengen::tests::drawn({"XO.......", "O........"}).stones;
       }},
  };
  for (const auto& [expected, spoil] : kProblems) {
    Header header = good;
    spoil(header);
    const auto problem = Game::problem(header);
    ASSERT_TRUE(problem) << expected;
    EXPECT_NE(problem->find(expected), std::string::npos) << *problem;
  }
}

TEST(Game, AMoveLimitDoesNotLeaveThePreset) {
  Header header = header_of({9, 9}, "chinese");
  header.rules.move_limit = 7;
  EXPECT_FALSE(Game::problem(header));
}

}  // namespace
}  // namespace tengen::rules
