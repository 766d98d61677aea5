// Analysis through a real daemon and real processes: the fake engine as KataGo, and Leela Zero with
// a network that knows nothing, where it is installed.
#include <gtest/gtest.h>

#include "tests/faults/random_network.h"
#include "tests/support/daemon_process.h"
#include "tests/support/player.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::AnalysisEnded;
using protocol::AnalysisStarted;
using protocol::AnalysisStopped;
using protocol::AnalysisUpdate;
using protocol::ReviewProgress;
using protocol::ReviewStarted;
using tests::Caller;
using tests::DaemonProcess;
using tests::program;

std::string profile(const std::string& name, const std::string& command, const std::string& more) {
  return "[[profile]]\nname = \"" + name + "\"\ncommand = [\"sh\", \"-c\", '''" + command +
         "''']\n" + more;
}

std::string fake_katago() {
  return profile("katago", "exec \"" + program("fake_engine") + "\" --persona katago --tick-ms 20",
                 "analysis = \"kata\"\nprocesses_warm = 2\nprocesses_max = 3\n");
}

protocol::StartAnalysis analysis_of(protocol::AnalysisSource source, const std::string& engine) {
  protocol::StartAnalysis start;
  start.source = std::move(source);
  start.profile = engine;
  start.interval = 50ms;
  return start;
}

/// The next push of that kind; what else comes is left out.
template <typename Push>
std::optional<Push> next(Caller& caller, std::chrono::milliseconds patience = 60s) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    const auto frame = caller.next(1s);
    if (!frame) continue;
    if (const auto* push = std::get_if<Push>(&frame->message)) return *push;
  }
  return std::nullopt;
}

/// The first update after so many moves.
std::optional<AnalysisUpdate> update_after(Caller& caller, std::uint32_t moves) {
  for (int i = 0; i < 1'000; ++i) {
    auto update = next<AnalysisUpdate>(caller);
    if (!update || update->position.move == moves) return update;
  }
  return std::nullopt;
}

TEST(Analysis, FollowsAGameThatPeopleAndEnginesPlay) {
  DaemonProcess daemon({fake_katago()});
  auto create = tests::game_of(9, tests::human_seat(), tests::engine_seat("katago"));
  create.analysis = rules::AnalysisPolicy::Spectators;
  tests::Player player(daemon.port(), create);
  const auto wish = analysis_of(protocol::GameSource{player.id(), std::nullopt}, "katago");
  EXPECT_EQ(player.caller().expect_error(wish).code, protocol::ErrorCode::Forbidden);

  for (const auto format : {protocol::Format::Binary, protocol::Format::Json}) {
    Caller watcher(daemon.port(), format);
    const auto moves = static_cast<std::uint32_t>(player.game().record().moves().size());
    const auto id = watcher.expect<AnalysisStarted>(wish).analysis;
    const auto before = update_after(watcher, moves);
    ASSERT_TRUE(before) << daemon.log();
    EXPECT_EQ(before->analysis, id);
    EXPECT_GT(before->position.visits, 0u);
    player.play_simple();
    ASSERT_TRUE(player.wait_for_turn());
    const auto after = update_after(watcher, moves + 2);
    ASSERT_TRUE(after) << daemon.log();
    EXPECT_EQ(after->position.position_seq, player.game().position_seq());
    watcher.expect<AnalysisStopped>(protocol::StopAnalysis{id});
    while (const auto frame = watcher.next(300ms)) {
      EXPECT_FALSE(std::holds_alternative<AnalysisUpdate>(frame->message));
    }
  }
  player.act(protocol::Resign{player.id(), 0, tests::fresh_request_id()});
  player.caller().expect<AnalysisStarted>(wish);
  EXPECT_TRUE(next<AnalysisUpdate>(player.caller())) << "it is over: its player may too";
}

TEST(Analysis, AReviewOfARecordTellsOfEachPosition) {
  DaemonProcess daemon({fake_katago()});
  Caller caller(daemon.port());
  protocol::ReviewGame review;
  review.source = protocol::SgfSource{"(;GM[1]SZ[9];B[ee];W[cc];B[gg])", 0, std::nullopt};
  review.profile = "katago";
  review.time_per_move = 200ms;
  EXPECT_EQ(caller.expect<ReviewStarted>(review).positions, 4u);
  for (std::uint32_t move = 0; move < 4; ++move) {
    const auto progress = next<ReviewProgress>(caller);
    ASSERT_TRUE(progress) << daemon.log();
    EXPECT_EQ(progress->position.move, move);
    EXPECT_EQ(progress->done, move + 1);
    EXPECT_FALSE(progress->position.candidates.empty());
  }
  const auto ended = next<AnalysisEnded>(caller);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->reason, protocol::AnalysisEnd::Done);
}

// Engines are free again when nobody listens any more.
TEST(Analysis, EndsWithItsConnection) {
  DaemonProcess daemon({fake_katago()});
  Caller other(daemon.port());
  const auto streaming = [&] {
    return other.expect<protocol::EngineList>(protocol::ListEngines{}).engines.front().streaming;
  };
  {
    Caller caller(daemon.port());
    protocol::PositionSource empty;
    empty.size = {9, 9};
    empty.rules = rules::find_preset("chinese")->rules;
    caller.expect<AnalysisStarted>(analysis_of(empty, "katago"));
    ASSERT_TRUE(next<AnalysisUpdate>(caller)) << daemon.log();
    EXPECT_EQ(streaming(), 1);
  }
  const auto end = std::chrono::steady_clock::now() + tests::kAnswerPatience;
  while (streaming() != 0 && std::chrono::steady_clock::now() < end) {
  }
  EXPECT_EQ(streaming(), 0);
}

// Only `./check long faults` asks for this one: it installs the engine.
TEST(LeelaZero, ThinksAboutAPositionAndTheNextOne) {
  const tests::TempFolder folder;
  folder.write("network", tests::random_network(1));
  DaemonProcess daemon(
      {"[[profile]]\nname = \"leela\"\nkind = \"leela-zero\"\ncommand = [\"leelaz\", \"--gtp\", "
       "\"-w\", '" +
           folder.file("network") +
           "', \"--cpu-only\", \"-t\", \"1\", \"-p\", \"400\", \"-r\", \"0\", \"--noponder\"]\n"
           "processes_warm = 2\nprocesses_max = 2\n",
       120s});
  Caller caller(daemon.port());
  auto create = tests::game_of(19, tests::human_seat(), tests::human_seat());
  create.analysis = rules::AnalysisPolicy::Everyone;
  const auto created = caller.expect<protocol::GameCreated>(create);
  for (const auto& ticket : created.tickets) {
    caller.expect<protocol::GameJoined>(protocol::JoinGame{ticket.ticket});
  }
  auto wish = analysis_of(protocol::GameSource{created.game, std::nullopt}, "leela");
  wish.visits_max = 20;
  caller.expect<AnalysisStarted>(wish);
  const auto first = update_after(caller, 0);
  ASSERT_TRUE(first) << daemon.log();
  caller.expect<protocol::Accepted>(
      protocol::Play{created.game, 1, tests::fresh_request_id(), 0, "Q16"});
  const auto second = update_after(caller, 1);
  ASSERT_TRUE(second) << daemon.log();
  for (const auto& update : {*first, *second}) {
    const auto& position = update.position;
    ASSERT_FALSE(position.candidates.empty());
    EXPECT_GT(position.visits, 0u);
    EXPECT_TRUE(position.winrate.has_value());
    EXPECT_EQ(position.candidates.front().variation.front().color, position.to_move);
    EXPECT_EQ(position.to_move, position.move == 0 ? rules::Color::Black : rules::Color::White);
  }
}

}  // namespace
}  // namespace tengen::daemon
