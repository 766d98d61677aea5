// The table of virtual engines: opening, limits, secret ids, idle ones.
#include "daemon/virtual_engines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/daemon/virtual_rig.h"

namespace tengen::daemon {
namespace {

using protocol::ErrorCode;
using std::chrono::milliseconds;
using tests::id_request;

constexpr ConnId kOwner{1};
constexpr ConnId kOther{2};

VirtualLimits small_limits() {
  VirtualLimits limits;
  limits.engines_max = 3;
  limits.engines_per_owner_max = 2;
  limits.idle_max = milliseconds(1'000);
  return limits;
}

class TableRig {
 public:
  explicit TableRig(VirtualLimits limits = small_limits())
      : random_(1), table_(limits, [this] { return random_(); }), pool_({virtual_profile()}, 1) {}

  VirtualEngines& table() { return table_; }
  const VirtualEffects& effects() const { return effects_; }

  std::variant<VirtualEngineId, protocol::Error> try_open(ConnId owner,
                                                          VirtualEngineSpec spec = virtual_spec()) {
    auto opened = table_.open(owner, std::move(spec), pool_, now_);
    check_table();
    return opened;
  }
  VirtualEngineId open(ConnId owner = kOwner) {
    const auto opened = try_open(owner);
    EXPECT_TRUE(std::holds_alternative<VirtualEngineId>(opened));
    return std::get<VirtualEngineId>(opened);
  }
  protocol::Error refusal(ConnId owner, VirtualEngineSpec spec = virtual_spec()) {
    const auto opened = try_open(owner, std::move(spec));
    const auto* error = std::get_if<protocol::Error>(&opened);
    return error != nullptr ? *error : protocol::Error{};
  }
  /// Calls from some connection; its answer, if there is one, is the effects' last.
  void call(VirtualEngineId id, ConnId caller, std::string method, std::string request) {
    table_.on_call(id, {{caller, ++requests_}, std::move(method), std::move(request)}, pool_, now_,
                   effects_);
    check_table();
  }
  std::string call_name(VirtualEngineId id, ConnId caller = kOwner) {
    call(id, caller, "Name", id_request(1));
    const auto& answer = effects_.replies.back().answer;
    const auto* reply = std::get_if<protocol::GtpReply>(&answer);
    return reply != nullptr ? tests::WireReader(reply->bytes).bytes(2).value_or("")
                            : std::get<protocol::Error>(answer).reason;
  }
  void close(VirtualEngineId id) {
    EXPECT_EQ(table_.close(id, effects_), std::nullopt);
    check_table();
  }
  void done(pool::JobId job) {
    table_.on_job_done({job, pool::EngineMove{pool::EngineMove::Kind::Pass, {}}}, pool_, effects_);
    check_table();
  }
  void advance(milliseconds by) {
    now_.steady += by;
    table_.on_deadline(now_, effects_);
    check_table();
  }
  Now now() const { return now_; }

 private:
  void check_table() { EXPECT_EQ(table_.broken_invariant().value_or(""), ""); }

  std::mt19937_64 random_;
  VirtualEngines table_;
  pool::Pool pool_;
  Now now_{TimePoint(std::chrono::hours(1)), 1'700'000'000'000};
  VirtualEffects effects_;
  std::uint32_t requests_ = 0;
};

TEST(VirtualEnginesTest, IdsAreOf32DigitsAndAllFromTheGenerator) {
  TableRig rig;
  std::mt19937_64 same(1);
  const std::uint64_t high = same();
  const std::uint64_t low = same();
  const VirtualEngineId id = rig.open();
  EXPECT_EQ(id, (VirtualEngineId{high, low}));
  const std::string text = to_text(id);
  EXPECT_EQ(text.size(), 32u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), text.npos);
  EXPECT_EQ(protocol::parse_virtual_engine_id(text), id);
  EXPECT_EQ(to_text(VirtualEngineId{0x0123456789abcdef, 0xf}), "0123456789abcdef000000000000000f");
  EXPECT_NE(rig.open(), id);
}

TEST(VirtualEnginesTest, TextsThatAreNoIdsAreNotRead) {
  const std::string good(32, '0');
  EXPECT_EQ(protocol::parse_virtual_engine_id(good), VirtualEngineId{});
  for (const std::string& bad :
       {std::string(), std::string(31, '0'), std::string(33, '0'), std::string(31, '0') + 'g',
        std::string(31, '0') + 'A', std::string(31, '0') + ' ', std::string(31, '0') + '\0'}) {
    EXPECT_EQ(protocol::parse_virtual_engine_id(bad), std::nullopt) << bad;
  }
}

TEST(VirtualEnginesTest, EachHasItsOwnBoardJobsAndSeeds) {
  TableRig rig;
  const auto one = rig.open();
  const auto two = rig.open();
  rig.call(one, kOwner, "Play", tests::play_request(1, rules::Color::Black, "D4"));
  EXPECT_EQ(rig.table().find(one)->board().record().moves().size(), 1u);
  EXPECT_TRUE(rig.table().find(two)->board().record().moves().empty());
  rig.call(two, kOwner, "GenMove", tests::color_request(1, rules::Color::Black));
  rig.call(one, kOwner, "Undo", id_request(1));
  rig.call(one, kOwner, "GenMove", tests::color_request(1, rules::Color::Black));
  const auto& jobs = rig.effects().submit;
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_NE(jobs[0].id, jobs[1].id);
  EXPECT_NE(jobs[0].game, jobs[1].game);
  EXPECT_NE(jobs[0].seed, jobs[1].seed);
  EXPECT_TRUE(VirtualEngines::is_its_job(jobs[0].id));
  rig.done(jobs[0].id);
  EXPECT_EQ(rig.table().find(two)->board().record().moves().size(), 1u);
  EXPECT_TRUE(rig.table().find(one)->board().record().moves().empty());
}

TEST(VirtualEnginesTest, AnEngineIsOpenedForWhatItsProfileCanPlay) {
  TableRig rig;
  auto spec = virtual_spec();
  spec.profile = "nobody";
  EXPECT_EQ(rig.refusal(kOwner, spec).code, ErrorCode::UnknownProfile);
  EXPECT_EQ(rig.refusal(kOwner, virtual_spec(25)).code, ErrorCode::EngineCannotPlay);
  spec = virtual_spec();
  spec.settings = {{"level", "11"}};
  EXPECT_EQ(rig.refusal(kOwner, spec).code, ErrorCode::EngineCannotPlay);
  spec = virtual_spec();
  spec.rules.scoring = rules::Scoring::Territory;  // with lists to be compared
  EXPECT_EQ(rig.refusal(kOwner, spec).code, ErrorCode::UnsupportedRules);
  spec = virtual_spec();
  spec.start.moves = gtp_moves({"B D4", "W D4"});
  EXPECT_EQ(rig.refusal(kOwner, spec).code, ErrorCode::IllegalMove);
  EXPECT_EQ(rig.refusal(kOwner, spec).reason, "occupied");
  EXPECT_EQ(rig.table().size(), 0u);
  EXPECT_EQ(rig.table().deadline(), std::nullopt);
}

TEST(VirtualEnginesTest, AProfileThatIsToRefuseOtherRulesDoes) {
  auto profile = virtual_profile();
  profile.plays.ko = {rules::KoRule::Simple};
  profile.other_rules = pool::OtherRules::Refuse;
  const pool::Pool pool({profile}, 1);
  VirtualEngines table(small_limits(), std::mt19937_64(1));
  const auto opened = table.open(kOwner, virtual_spec(), pool, {});
  ASSERT_TRUE(std::holds_alternative<protocol::Error>(opened));
  EXPECT_EQ(std::get<protocol::Error>(opened).reason, "rules");
}

TEST(VirtualEnginesTest, AConnectionOpensSoManyAndTheDaemonHoldsSoMany) {
  TableRig rig;
  const auto first = rig.open();
  rig.open();
  EXPECT_EQ(rig.refusal(kOwner).code, ErrorCode::LimitReached);
  EXPECT_EQ(rig.refusal(kOwner).reason, "engines_per_owner_max");
  const auto third = rig.open(kOther);
  EXPECT_EQ(rig.refusal(kOther).reason, "engines_max");
  rig.close(third);
  EXPECT_EQ(rig.refusal(kOwner).reason, "engines_per_owner_max");
  rig.call(first, kOwner, "Quit", id_request(1));
  rig.open();
  EXPECT_EQ(rig.table().size(), 2u);
}

TEST(VirtualEnginesTest, WhoeverKnowsTheIdGoesOnWithTheEngine) {
  TableRig rig;
  const auto id = rig.open();
  rig.call(id, kOwner, "Play", tests::play_request(1, rules::Color::Black, "D4"));
  rig.call(id, kOther, "Play", tests::play_request(2, rules::Color::White, "E5"));
  EXPECT_EQ(rig.table().find(id)->board().record().moves().size(), 2u);
  EXPECT_EQ(rig.effects().replies.back().caller.connection, kOther);
}

TEST(VirtualEnginesTest, AnIdThatNamesNoEngineIsAnError) {
  TableRig rig;
  const auto id = rig.open();
  EXPECT_EQ(rig.call_name({id.high, id.low ^ 1}), "engine");
  VirtualEffects effects;
  const auto error = rig.table().close({id.high ^ 1, id.low}, effects);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, ErrorCode::UnknownEngine);
  EXPECT_EQ(rig.table().size(), 1u);
}

TEST(VirtualEnginesTest, QuitEndsThatEngineOnly) {
  TableRig rig;
  const auto one = rig.open();
  const auto two = rig.open();
  rig.call(one, kOwner, "Quit", id_request(1));
  EXPECT_EQ(rig.table().find(one), nullptr);
  EXPECT_EQ(rig.call_name(one), "engine");
  EXPECT_EQ(rig.call_name(two), "fake");
}

TEST(VirtualEnginesTest, QuitBehindASearchEndsTheEngineWhenItIsDone) {
  TableRig rig;
  const auto id = rig.open();
  rig.call(id, kOwner, "GenMove", tests::color_request(1, rules::Color::Black));
  rig.call(id, kOwner, "Quit", id_request(2));
  EXPECT_EQ(rig.table().size(), 1u);
  rig.done(rig.effects().submit.back().id);
  EXPECT_EQ(rig.table().size(), 0u);
  EXPECT_EQ(rig.effects().replies.size(), 2u);
}

TEST(VirtualEnginesTest, ClosingOneTakesItsJobBack) {
  TableRig rig;
  const auto id = rig.open();
  rig.call(id, kOwner, "GenMove", tests::color_request(1, rules::Color::Black));
  rig.close(id);
  ASSERT_EQ(rig.effects().submit.size(), 1u);
  EXPECT_EQ(rig.effects().cancel, std::vector{rig.effects().submit[0].id});
  ASSERT_EQ(rig.effects().replies.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<protocol::Error>(rig.effects().replies[0].answer));
  rig.done(rig.effects().submit[0].id);  // its end comes nevertheless
  EXPECT_EQ(rig.effects().replies.size(), 1u);
}

TEST(VirtualEnginesTest, OneThatNobodyCallsEnds) {
  TableRig rig;
  const auto idle = rig.open();
  EXPECT_EQ(rig.table().deadline(), rig.now().steady + milliseconds(1'000));
  rig.advance(milliseconds(600));
  const auto called = rig.open();
  rig.advance(milliseconds(399));
  EXPECT_EQ(rig.call_name(called), "fake");
  EXPECT_EQ(rig.table().size(), 2u);
  rig.advance(milliseconds(1));
  EXPECT_EQ(rig.table().find(idle), nullptr);
  EXPECT_EQ(rig.table().deadline(), rig.now().steady + milliseconds(999));
  rig.advance(milliseconds(998));
  EXPECT_EQ(rig.call_name(called), "fake");
  rig.advance(milliseconds(1'000));
  EXPECT_EQ(rig.table().size(), 0u);
  EXPECT_EQ(rig.table().deadline(), std::nullopt);
}

TEST(VirtualEnginesTest, AnIdleOneTakesItsJobBackAndRefusesWhoeverWaits) {
  TableRig rig;
  const auto id = rig.open();
  rig.call(id, kOwner, "GenMove", tests::color_request(1, rules::Color::Black));
  rig.advance(milliseconds(1'000));
  EXPECT_EQ(rig.effects().cancel, std::vector{rig.effects().submit[0].id});
  ASSERT_EQ(rig.effects().replies.size(), 1u);
  EXPECT_EQ(std::get<protocol::Error>(rig.effects().replies[0].answer).reason, "engine");
}

TEST(VirtualEnginesTest, JobsOfOthersAreIgnored) {
  TableRig rig;
  rig.open();
  rig.done(pool::JobId{std::uint64_t{1} << 32 | 1});  // a match's
  rig.done(pool::JobId{std::uint64_t{1} << 63 | std::uint64_t{9} << 32 | 1});
  EXPECT_TRUE(rig.effects().replies.empty());
}

}  // namespace
}  // namespace tengen::daemon
