// Virtual engines on the real pool with a scripted engine as its process: what they ask can be
// done, and what the process holds is what they believe.
#include <gtest/gtest.h>

#include <random>

#include "daemon/virtual_engines.h"
#include "tests/daemon/virtual_rig.h"
#include "tests/support/pool_rig.h"

namespace tengen::daemon {
namespace {

using rules::Color;
using tests::id_request;
using tests::Script;

Script gnugo_script() {
  Script script;
  script.persona = tests::Persona::GnuGo;
  return script;
}

/// One process for all; it may be sent list_stones.
pool::Profile one_process() {
  pool::Profile profile = tests::fake_profile();
  profile.undo_max = 16;
  profile.raw_commands = {"list_stones", "all_legal"};
  return profile;
}

class PooledRig {
 public:
  explicit PooledRig(std::vector<Script> scripts = {gnugo_script()})
      : random_(7),
        table_({}, [this] { return random_(); }),
        pool_rig_({one_process()}, std::move(scripts)) {
    pool_rig_.start();
  }

  VirtualEngineId open(std::uint8_t side) {
    const auto opened = table_.open(ConnId{1}, virtual_spec(side), pool_rig_.pool(), now());
    EXPECT_TRUE(std::holds_alternative<VirtualEngineId>(opened));
    return std::get<VirtualEngineId>(opened);
  }
  /// Sends a call and carries out all that follows from it; the response.
  std::string ask(VirtualEngineId id, std::string method, std::string request) {
    replies_.clear();
    VirtualEffects effects;
    table_.on_call(id, {{ConnId{1}, 1}, std::move(method), std::move(request)}, pool_rig_.pool(),
                   now(), effects);
    carry_out(std::move(effects));
    EXPECT_EQ(replies_.size(), 1u);
    const auto* reply = replies_.empty() ? nullptr : std::get_if<protocol::GtpReply>(&replies_[0]);
    return reply != nullptr ? reply->bytes : "an error";
  }
  std::string genmove(VirtualEngineId id, Color color) {
    return tests::move_text(ask(id, "GenMove", tests::color_request(1, color)));
  }
  const rules::Board& board(VirtualEngineId id) const {
    return table_.find(id)->board().record().board();
  }
  /// The only process's board, and what it was told of the komi.
  tests::ScriptedEngine& process() {
    return *pool_rig_.process(pool_rig_.spawns().back().engine.value);
  }
  tests::PoolRig& pool_rig() { return pool_rig_; }

 private:
  Now now() const { return {pool_rig_.now(), 0}; }
  void carry_out(VirtualEffects effects) {
    for (VirtualReply& reply : effects.replies) replies_.push_back(std::move(reply.answer));
    for (pool::Job& job : effects.submit) pool_rig_.submit(std::move(job));
    while (seen_ < pool_rig_.done().size()) {
      VirtualEffects next;
      const pool::JobDone done = pool_rig_.done()[seen_++];
      table_.on_job_done(done, pool_rig_.pool(), next);
      carry_out(std::move(next));
    }
    EXPECT_EQ(table_.broken_invariant().value_or(""), "");
  }

  std::mt19937_64 random_;
  VirtualEngines table_;
  tests::PoolRig pool_rig_;
  std::vector<protocol::GtpAnswer> replies_;
  std::size_t seen_ = 0;
};

TEST(VirtualPoolTest, NameAndVersionAreWhatTheProcessSays) {
  PooledRig rig;
  const auto id = rig.open(9);
  EXPECT_EQ(rig.ask(id, "Name", id_request(1)), id_request(1) + tests::bytes_field(2, "GNU Go"));
  EXPECT_EQ(rig.ask(id, "Version", id_request(2)), id_request(2) + tests::bytes_field(2, "3.8"));
}

TEST(VirtualPoolTest, TwoVirtualEnginesShareAProcessAndNeverEachOthersStones) {
  PooledRig rig;
  const auto small = rig.open(5);
  const auto large = rig.open(9);
  rig.ask(large, "Komi", tests::komi_request(1, 6.5f));
  for (int i = 0; i < 20; ++i) {
    const Color color = i % 2 == 0 ? Color::Black : Color::White;
    const std::string side = i % 2 == 0 ? "B " : "W ";
    ASSERT_TRUE(rig.genmove(small, color).starts_with(side));
    ASSERT_EQ(rig.process().record().board(), rig.board(small)) << "move " << i;
    ASSERT_EQ(rig.process().komi(), 0.0);
    ASSERT_TRUE(rig.genmove(large, color).starts_with(side));
    ASSERT_EQ(rig.process().record().board(), rig.board(large)) << "move " << i;
    ASSERT_EQ(rig.process().komi(), 6.5);
  }
  EXPECT_EQ(rig.pool_rig().spawns().size(), 1u);
}

TEST(VirtualPoolTest, TheProcessFollowsWhateverIsDoneToTheBoard) {
  PooledRig rig;
  const auto id = rig.open(7);
  const auto is_followed = [&] {
    rig.genmove(id, Color::Black);
    return rig.process().record().board() == rig.board(id);
  };
  EXPECT_TRUE(is_followed());
  rig.ask(id, "Undo", id_request(1));
  rig.ask(id, "Play", tests::play_request(1, Color::White, "G7"));
  rig.ask(id, "Play", tests::play_request(1, Color::White, "A1"));  // the same colour again
  EXPECT_TRUE(is_followed());
  rig.ask(id, "Play", tests::play_request(1, Color::White, ""));
  rig.ask(id, "Play", tests::play_request(1, Color::Black, ""));
  EXPECT_TRUE(is_followed());  // after two passes
  rig.ask(id, "Undo", id_request(1));
  rig.ask(id, "Undo", id_request(1));
  EXPECT_TRUE(is_followed());
  rig.ask(id, "BoardSize", tests::size_request(1, 5));
  EXPECT_TRUE(is_followed());
  rig.ask(id, "ClearBoard", id_request(1));
  EXPECT_TRUE(is_followed());
}

TEST(VirtualPoolTest, ARawCommandIsAnsweredOnTheVirtualEnginesPosition) {
  PooledRig rig;
  const auto id = rig.open(9);
  const auto other = rig.open(9);
  rig.ask(id, "Play", tests::play_request(1, Color::Black, "D4"));
  rig.genmove(other, Color::Black);
  EXPECT_EQ(rig.ask(id, "Raw", "list_stones black"), "= D4");
  EXPECT_EQ(rig.ask(id, "Raw", "list_stones white"), "= ");
  EXPECT_TRUE(rig.ask(id, "Raw", "list_stones nobody").starts_with("? "));
  EXPECT_EQ(rig.ask(id, "Raw", "list_stones #").substr(0, 2), "? ");
  EXPECT_EQ(rig.ask(id, "Raw", "printsgf x"), "? unknown command");
}

TEST(VirtualPoolTest, AnIllegalMoveOfTheProcessIsNotPlayed) {
  Script script = gnugo_script();
  script.illegal_at = 1;
  PooledRig rig({script});
  const auto id = rig.open(9);
  rig.ask(id, "Play", tests::play_request(1, Color::Black, "D4"));
  EXPECT_TRUE(rig.genmove(id, Color::White).starts_with("W "));
  EXPECT_EQ(rig.board(id).stones(), 2);
}

TEST(VirtualPoolTest, AProcessThatDiesAtASearchIsReplacedAndTheCallAnswered) {
  Script dies = gnugo_script();
  dies.crash_at = 9;
  PooledRig rig({dies, gnugo_script()});
  const auto id = rig.open(9);
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(rig.genmove(id, Color::Black).starts_with("B ")) << i;
  }
  EXPECT_EQ(rig.pool_rig().spawns().size(), 2u);
  EXPECT_EQ(rig.process().record().board(), rig.board(id));
}

}  // namespace
}  // namespace tengen::daemon
