// A game told by events: what fits is taken, what does not is named.
#include "clients/cli/follower.h"

#include <gtest/gtest.h>

#include <vector>

namespace tengen::cli {
namespace {

using rules::Color;
using rules::Event;
using rules::EventBody;
using rules::Point;

/// 3x3, black in the middle, two passes, all alive: black has the whole board, 9 points, and white
/// the komi of 7.5. Black wins by 1.5.
rules::Header header() {
  rules::Header header;
  header.size = {3, 3};
  header.rules.end = rules::EndRule::AllAlive;
  return header;
}

Event event(std::uint32_t seq, EventBody body) { return {seq, {}, std::move(body)}; }

std::vector<Event> whole_game() {
  const rules::Result result{rules::ResultKind::Score, Color::Black, 3};
  return {event(1, rules::Played{Color::Black, Point::at(1, 1)}),
          event(2, rules::Passed{Color::White}),
          event(3, rules::Passed{Color::Black}),
          event(4, rules::Stopped{rules::StopReason::TwoPasses}),
          event(5, rules::Scored{18, 15, {}}),
          event(6, rules::Finished{result})};
}

Follower fresh() { return std::get<Follower>(Follower::of(header())); }

TEST(Follower, TakesAWholeGame) {
  Follower follower = fresh();
  EXPECT_EQ(follower.on_events(whole_game()), std::nullopt);
  EXPECT_EQ(follower.seen(), 6u);
  EXPECT_TRUE(follower.is_finished());
  EXPECT_EQ(result_text(*follower.game().result()), "B+1.5");
}

TEST(Follower, TakesEventsOneByOneAndIsNotFinishedBeforeTheLast) {
  Follower follower = fresh();
  for (const Event& next : whole_game()) {
    EXPECT_FALSE(follower.is_finished());
    EXPECT_EQ(follower.on_events({&next, 1}), std::nullopt);
    EXPECT_EQ(follower.seen(), next.seq);
  }
  EXPECT_TRUE(follower.is_finished());
}

TEST(Follower, EventsSeenBeforeMayComeAgain) {
  Follower follower = fresh();
  const auto game = whole_game();
  EXPECT_EQ(follower.on_events(std::span(game).first(3)), std::nullopt);
  EXPECT_EQ(follower.on_events(game), std::nullopt);
  EXPECT_EQ(follower.seen(), 6u);
}

TEST(Follower, NamesTheFirstEventThatDoesNotFit) {
  struct Case {
    std::size_t at;
    EventBody body;
    const char* problem;
  };
  const std::vector<Case> cases{
      {0, rules::Played{Color::White, Point::at(1, 1)}, "event 1 (play)"},
      {1, rules::Played{Color::White, Point::at(1, 1)}, "event 2 (play)"},
      {1, rules::Played{Color::White, Point(0)}, "event 2 (play)"},
      {1, rules::Captured{Color::White, {Point::at(1, 1)}}, "event 2 (captured)"},
      {4, rules::Scored{17, 15, {}}, "event 5 (scored)"},
      {5, rules::Finished{{rules::ResultKind::Score, Color::White, 3}}, "event 6 (finished)"},
  };
  for (const Case& wrong : cases) {
    auto events = whole_game();
    events[wrong.at].body = wrong.body;
    Follower follower = fresh();
    const auto problem = follower.on_events(events);
    ASSERT_TRUE(problem) << wrong.at;
    EXPECT_EQ(problem->rfind(wrong.problem, 0), 0u) << *problem;
    EXPECT_EQ(follower.seen(), wrong.at);
  }
}

TEST(Follower, KeepsTheClocksOfTheDaemonAndNamesAForgedTime) {
  using namespace std::chrono_literals;
  rules::Header clocked = header();
  clocked.clock = {rules::ClockSystem::Absolute, 10s, {}, {}, {}, 0, 0};
  const rules::ClockFace left{7s, 0s, 0, 0};
  const auto follow = [&](rules::MoveTime time, rules::ClockFace said) {
    Follower follower = std::get<Follower>(Follower::of(clocked));
    const auto played = event(1, rules::Played{Color::Black, Point::at(1, 1), time, said});
    auto problem = follower.on_events({&played, 1});
    EXPECT_EQ(follower.game().clocks()[0].main_left, time.used > 10s ? 10s : 10s - time.used);
    return problem.value_or("");
  };
  EXPECT_EQ(follow({3s, 1s}, left), "");
  EXPECT_EQ(follow({2s, 1s}, left), "event 1 (play): the rules lead to another event");
  EXPECT_EQ(follow({11s, 0s}, left), "event 1 (play): refused by the rules: game-over");
}

TEST(Follower, TakesASeatThatChangesAndAFlagThatFalls) {
  using namespace std::chrono_literals;
  rules::Header clocked = header();
  clocked.clock = {rules::ClockSystem::PerMove, {}, {}, {}, 10s, 0, 0};
  Follower follower = std::get<Follower>(Follower::of(clocked));
  const rules::Seat house{rules::SeatKind::Engine, "", "house", {}};
  const std::vector<Event> events{
      event(1, rules::SeatChanged{Color::Black, house, "why"}),
      event(2, rules::TimedOut{Color::Black}),
      event(3, rules::Finished{{rules::ResultKind::Timeout, Color::White, 0}})};
  EXPECT_EQ(follower.on_events(events), std::nullopt);
  EXPECT_EQ(follower.game().seat(Color::Black), house);
  EXPECT_TRUE(follower.is_finished());
}

TEST(Follower, RefusesAGapAndTheNumberZero) {
  for (const std::uint32_t seq : {0u, 2u, 4'000'000'000u}) {
    Follower follower = fresh();
    const auto lone = event(seq, rules::Passed{Color::Black});
    EXPECT_TRUE(follower.on_events({&lone, 1})) << seq;
  }
}

TEST(Follower, RefusesAHeaderOfNoGame) {
  rules::Header bad = header();
  bad.size = {0, 26};
  EXPECT_TRUE(std::holds_alternative<std::string>(Follower::of(bad)));
}

}  // namespace
}  // namespace tengen::cli
