// A fault that people who run Go servers have reported of spectators: those who come in the middle
// of a fast game miss moves, see them twice, or are shown a clock below zero.
#include <gtest/gtest.h>

#include "tests/support/caller.h"
#include "tests/support/daemon_process.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Subscribed;
using tests::Caller;
using tests::DaemonProcess;

/// Follows one game as strictly as can be: each event is the next one.
class Spectator {
 public:
  Spectator(std::uint16_t port, rules::GameId game, std::optional<std::uint32_t> after,
            protocol::Format format)
      : caller_(port, format) {
    auto answer = caller_.expect<Subscribed>(protocol::Subscribe{game, after});
    joined_at_ = answer.head;
    if (const auto* start = std::get_if<protocol::Snapshot>(&answer.start)) {
      EXPECT_EQ(start->seq, answer.head);
      seen_ = start->seq;
      moves_ = start->moves;
      expect_time(*start);
    } else {
      take(std::get<protocol::GameEvents>(answer.start).events);
      EXPECT_EQ(seen_, answer.head);
    }
  }

  /// Until the game is over; false when nothing comes any more.
  bool follow() {
    while (!is_finished_) {
      const auto events = caller_.pushed(tests::kEventually);
      if (!events) return false;
      take(events->events);
    }
    return true;
  }
  std::uint32_t joined_at() const { return joined_at_; }
  std::uint32_t seen() const { return seen_; }
  const std::vector<rules::Move>& moves() const { return moves_; }

 private:
  static void expect_time(const rules::ClockFace& face) {
    EXPECT_GE(face.main_left, 0ns);
    EXPECT_GE(face.period_left, 0ns);
    EXPECT_GE(face.periods_left, 0);
  }
  static void expect_time(const protocol::Snapshot& snapshot) {
    ASSERT_TRUE(snapshot.clocks);
    for (const auto& face : snapshot.clocks->faces) expect_time(face);
    EXPECT_GE(snapshot.clocks->elapsed, 0ns);
  }
  void take(const std::vector<rules::Event>& events) {
    for (const auto& event : events) {
      EXPECT_EQ(event.seq, seen_ + 1);
      seen_ = event.seq;
      is_finished_ = std::holds_alternative<rules::Finished>(event.body);
      if (const auto* played = std::get_if<rules::Played>(&event.body)) {
        moves_.push_back(rules::Move::play(played->color, played->point));
        expect_time(played->left);
        EXPECT_GE(played->time.used, 0ns);
        EXPECT_GE(played->time.lag, 0ns);
      } else if (const auto* passed = std::get_if<rules::Passed>(&event.body)) {
        moves_.push_back(rules::Move::pass(passed->color));
        expect_time(passed->left);
      }
    }
  }

  Caller caller_;
  std::uint32_t joined_at_ = 0;
  std::uint32_t seen_ = 0;
  std::vector<rules::Move> moves_;
  bool is_finished_ = false;
};

// Case 27: two engines at some two hundred moves a second, on a board that keeps them busy.
TEST(SpectatorCases, FiftySpectatorsOfAFastGameSeeEachOfItsMovesOnce) {
  DaemonProcess daemon({tests::shell_profile("fake", tests::fake_engine("--late-ms 4"),
                                             "size_max = 21\nprocesses_warm = 2\n")});
  auto create = tests::game_of(21, tests::engine_seat("fake"), tests::engine_seat("fake"));
  create.time = std::get<rules::TimeControl>(rules::parse_time_control("byoyomi:1+3x1"));
  Caller maker(daemon.port());
  const auto game = maker.expect<protocol::GameCreated>(create).game;
  std::vector<Spectator> spectators;
  for (int i = 0; i < 50; ++i) {
    const auto after = i % 3 == 0 ? std::optional<std::uint32_t>(0) : std::nullopt;
    spectators.emplace_back(daemon.port(), game, after,
                            i % 5 == 0 ? protocol::Format::Json : protocol::Format::Binary);
    // They come over a second or so, in the middle of it all.
    (void)maker.pushed(20ms);
  }
  for (auto& spectator : spectators) ASSERT_TRUE(spectator.follow());
  const auto end = maker.expect<protocol::Snapshot>(protocol::GetSnapshot{game});
  ASSERT_TRUE(end.result);
  std::size_t in_the_middle = 0;
  for (const auto& spectator : spectators) {
    EXPECT_EQ(spectator.seen(), end.seq);
    EXPECT_EQ(spectator.moves(), end.moves);
    in_the_middle += spectator.joined_at() > 0 && spectator.joined_at() < end.seq;
  }
  EXPECT_GT(in_the_middle, 40u) << "of a game of " << end.moves.size() << " moves";
}

}  // namespace
}  // namespace tengen::daemon
