// A client that has a running game analysed and stops reading while the stream goes on, through a
// real socket. What the daemon keeps for it stays small, it is owed the newest and not the history,
// and nobody else notices.
#include <gtest/gtest.h>

#include <algorithm>

#include "protocol/outbox.h"
#include "tests/support/daemon_process.h"
#include "tests/support/player.h"
#include "tests/support/proc.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::AnalysisStarted;
using protocol::AnalysisUpdate;
using protocol::Format;
using tests::Caller;
using tests::DaemonProcess;
using tests::Player;

using Clock = std::chrono::steady_clock;

/// What the reader misses for certain: as much as the daemon may keep for any connection.
constexpr std::size_t kMissed = protocol::kOutboxBytesMax;
#ifdef __SANITIZE_ADDRESS__  // it keeps what was freed for a while
constexpr bool kFreedIsGone = false;
#else
constexpr bool kFreedIsGone = true;
#endif
/// Updates that the daemon keeps for it are two, the one that is being written and the newest; two
/// more may come while the test looks.
constexpr std::size_t kFramesKept = 4;
constexpr std::chrono::seconds kPromptly{2};

// Every 8 ms 25 candidates, each with 50 moves.
std::string talkative_katago() {
  return tests::shell_profile(
      "katago", tests::fake_engine("--persona katago --tick-ms 8 --candidates 25 --variation 50"),
      "analysis = \"kata\"\nprocesses_max = 2\n");
}

struct TwoPlayers {
  TwoPlayers(std::uint16_t port, const protocol::CreateGame& create)
      : created(Caller(port).expect<protocol::GameCreated>(create)),
        black(port, created.tickets.at(0).ticket),
        white(port, created.tickets.at(1).ticket) {}

  /// The next move of this game: answered, and seen by the other side, at once.
  void move() {
    Player& mover = black.game().turn() == rules::Color::Black ? black : white;
    Player& other = &mover == &black ? white : black;
    const auto begin = Clock::now();
    const auto seq = mover.play_simple().seq;
    ASSERT_TRUE(mover.wait_for_seq(seq, kPromptly));
    ASSERT_TRUE(other.wait_for_seq(seq, kPromptly));
    EXPECT_LT(Clock::now() - begin, kPromptly);
  }

  protocol::GameCreated created;
  Player black;
  Player white;
};

/// Reads only when it is told to, and its kernel takes little.
class IdleReader {
 public:
  explicit IdleReader(std::uint16_t port) : socket_(port, options()) {
    ask<protocol::Welcome>(protocol::Hello{protocol::kVersion, "idle"});
  }

  template <typename Reply>
  Reply ask(protocol::ClientMessage message) {
    const auto id = ++last_id_;
    socket_.send_without_reading(
        protocol::FrameKind::Text,
        encode(Format::Json, protocol::ClientFrame{id, std::move(message)}));
    while (auto frame = next()) {
      if (frame->reply_to == id) return std::get<Reply>(std::move(frame->message));
    }
    throw std::runtime_error("no answer");
  }
  std::optional<AnalysisUpdate> next_update() {
    while (auto frame = next()) {
      if (auto* update = std::get_if<AnalysisUpdate>(&frame->message)) return std::move(*update);
    }
    return std::nullopt;
  }
  bool is_closed() const { return socket_.is_closed(); }

 private:
  static tests::WsOptions options() {
    tests::WsOptions options;
    options.subprotocol = protocol::kJsonSubprotocol;
    options.receive_buffer = 4'096;
    return options;
  }
  std::optional<protocol::ServerFrame> next() {
    const auto bytes = socket_.receive(tests::kAnswerPatience);
    if (!bytes) return std::nullopt;
    return std::get<protocol::ServerFrame>(protocol::decode_server(Format::Json, *bytes));
  }

  tests::WsClient socket_;
  std::uint32_t last_id_ = 0;
};

/// Later updates are greater.
std::pair<std::uint32_t, std::uint32_t> age(const AnalysisUpdate& update) {
  return {update.position.move, update.position.visits};
}

std::size_t frame_bytes(const AnalysisUpdate& update) {
  return encode(Format::Json, protocol::ServerFrame{0, update}).size();
}

std::optional<AnalysisUpdate> next_update(Caller& caller) {
  while (const auto frame = caller.next(tests::kAnswerPatience)) {
    if (const auto* update = std::get_if<AnalysisUpdate>(&frame->message)) return *update;
  }
  return std::nullopt;
}

TEST(AnalysisReader, WhoStopsReadingIsOwedTheNewestAndNobodyElseIsHurt) {
  DaemonProcess daemon({talkative_katago()});
  auto create = tests::game_of(19, tests::human_seat(), tests::human_seat());
  create.analysis = rules::AnalysisPolicy::Spectators;
  TwoPlayers analysed(daemon.port(), create);
  TwoPlayers other(daemon.port(), tests::game_of(9, tests::human_seat(), tests::human_seat()));
  protocol::StartAnalysis wish;
  wish.source = protocol::GameSource{analysed.created.game, std::nullopt};
  wish.profile = "katago";
  wish.detail = {true, 25, 50};
  wish.interval = protocol::kIntervalMin;

  IdleReader idle(daemon.port());
  const auto id = idle.ask<AnalysisStarted>(wish).analysis;
  Caller eager(daemon.port(), Format::Json);
  ASSERT_EQ(eager.expect<AnalysisStarted>(wish).analysis, id) << "they share it";

  // Nobody reads for the idle one from here on.
  std::vector<AnalysisUpdate> told;
  std::size_t resident_kb = 0;
  std::size_t bytes = 0;
  std::size_t unread = 0;  // in the kernel
  while (told.size() < 30 || bytes < unread + kMissed) {
    const auto update = next_update(eager);
    ASSERT_TRUE(update) << daemon.log();
    ASSERT_TRUE(told.empty() || age(told.back()) < age(*update));
    told.push_back(*update);
    bytes += frame_bytes(*update);
    if (told.size() == 20) resident_kb = tests::resident_kb_of(daemon.pid());
    if (told.size() % 20 == 0) analysed.move();
    if (told.size() % 5 == 0) other.move();
    if (told.size() % 5 == 0) unread = tests::unread_bytes_from(daemon.port());
  }
  const auto resident_kb_after = tests::resident_kb_of(daemon.pid());
  const std::size_t missed = told.size();

  std::vector<AnalysisUpdate> late;
  while (late.empty() || age(late.back()) < age(told.back())) {
    auto update = idle.next_update();
    ASSERT_TRUE(update) << "closed: " << idle.is_closed() << '\n' << daemon.log();
    late.push_back(std::move(*update));
  }
  while (age(told.back()) < age(late.back())) {
    const auto update = next_update(eager);
    ASSERT_TRUE(update);
    told.push_back(*update);
  }
  // In order, each as it was told to others. After what the kernel had, and at most the one that
  // was being written and the newest, there is a gap.
  std::size_t before = 0;
  std::size_t bytes_kept = 0;
  bool is_in_gap = false;
  for (const auto& update : late) {
    const auto at =
        std::find(told.begin() + static_cast<std::ptrdiff_t>(before), told.end(), update);
    ASSERT_NE(at, told.end()) << "out of order, or never told";
    const auto index = static_cast<std::size_t>(at - told.begin());
    is_in_gap = is_in_gap || index + kFramesKept >= missed;
    if (!is_in_gap) bytes_kept += frame_bytes(update);
    before = index;
  }
  EXPECT_LE(bytes_kept, unread + kFramesKept * frame_bytes(told.back()));
  if (kFreedIsGone) {
    EXPECT_LT(resident_kb_after, resident_kb + kMissed / 2 / 1024);
  }
  // It is served as before.
  idle.ask<protocol::Pong>(protocol::Ping{1});
  EXPECT_TRUE(idle.next_update());
  EXPECT_FALSE(idle.is_closed());
}

}  // namespace
}  // namespace tengen::daemon
