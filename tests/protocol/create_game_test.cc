// What a request for a game comes to: the rules, komi and board that presets, components and absent
// fields stand for. The expected values are those of the table of presets in docs/rules.md.
#include <gtest/gtest.h>

#include <string>

#include "protocol/codec.h"
#include "rules/game.h"

namespace tengen::protocol {
namespace {

CreateGame created(const std::string& fields) {
  const std::string json =
      R"({"id":1,"create_game":{"request_id":"c","seats":[{"kind":"SEAT_KIND_HUMAN","name":"A"},)"
      R"({"kind":"SEAT_KIND_ENGINE","profile":"gnugo","settings":[{"key":"level","value":"3"}]}])" +
      (fields.empty() ? "" : "," + fields) + "}}";
  const auto decoded = decode_client(Format::Json, json);
  if (const auto* bad = std::get_if<DecodeError>(&decoded)) {
    ADD_FAILURE() << bad->error.reason << ": " << bad->error.message;
    return {};
  }
  return std::get<CreateGame>(std::get<ClientFrame>(decoded).message);
}

TEST(CreateGameTest, NothingGivenIsChineseOnNineteenWithSevenAndAHalf) {
  const CreateGame game = created("");
  EXPECT_EQ(game.preset, "chinese");
  EXPECT_EQ(game.size, (rules::Size{19, 19}));
  EXPECT_EQ(game.komi_half, 15);
  EXPECT_EQ(game.rules.ko, rules::KoRule::Positional);
  EXPECT_EQ(game.rules.suicide, rules::SuicideRule::No);
  EXPECT_EQ(game.rules.bonus, rules::HandicapBonus::N);
  EXPECT_EQ(game.rules.end, rules::EndRule::CompareLists);
  EXPECT_EQ(game.colors, ColorChoice::Slot1Black);
}

TEST(CreateGameTest, SeatsKeepTheirSlots) {
  const CreateGame game = created("");
  EXPECT_EQ(game.seats[0].kind, rules::SeatKind::Human);
  EXPECT_EQ(game.seats[0].name, "A");
  EXPECT_EQ(game.seats[1].kind, rules::SeatKind::Engine);
  EXPECT_EQ(game.seats[1].profile, "gnugo");
  EXPECT_EQ(game.seats[1].settings, (rules::Settings{{"level", "3"}}));
}

TEST(CreateGameTest, HeightAloneOrWidthAloneMakeTheOther) {
  EXPECT_EQ(created(R"("width":9)").size, (rules::Size{9, 9}));
  EXPECT_EQ(created(R"("height":9)").size, (rules::Size{19, 9}));
  EXPECT_EQ(created(R"("width":25,"height":1)").size, (rules::Size{25, 1}));
}

TEST(CreateGameTest, PresetBringsItsKomiUnlessOneIsGiven) {
  EXPECT_EQ(created(R"("preset":"new-zealand")").komi_half, 14);
  EXPECT_EQ(created(R"("preset":"new-zealand","komi_half":0)").komi_half, 0);
  EXPECT_EQ(created(R"("preset":"new-zealand","komi_half":-800)").komi_half, -800);
  EXPECT_EQ(created(R"("preset":"new-zealand","komi_half":13)").preset, "new-zealand");
}

TEST(CreateGameTest, ComponentsOverrideSinglePartsAndTakeTheName) {
  const CreateGame game = created(R"("preset":"aga","rules":{"suicide":"SUICIDE_RULE_MULTI"})");
  EXPECT_EQ(game.preset, "");
  EXPECT_EQ(game.rules.suicide, rules::SuicideRule::Multi);
  EXPECT_EQ(game.rules.ko, rules::KoRule::Situational);
  EXPECT_EQ(game.rules.bonus, rules::HandicapBonus::NMinusOne);
}

TEST(CreateGameTest, ComponentsThatAgreeWithThePresetLeaveItsName) {
  EXPECT_EQ(created(R"("preset":"aga","rules":{"ko":"KO_RULE_SITUATIONAL"})").preset, "aga");
}

TEST(CreateGameTest, MoveLimitLeavesThePresetsName) {
  const CreateGame game = created(R"("preset":"aga","rules":{"move_limit":1875})");
  EXPECT_EQ(game.preset, "aga");
  EXPECT_EQ(game.rules.move_limit, 1875u);
}

TEST(CreateGameTest, ComponentsAloneHaveNoName) {
  const CreateGame game = created(R"("rules":{"ko":"KO_RULE_SIMPLE"})");
  EXPECT_EQ(game.preset, "");
  EXPECT_EQ(game.rules.ko, rules::KoRule::Simple);
  EXPECT_EQ(game.rules.end, rules::EndRule::CompareLists);
  EXPECT_EQ(game.komi_half, 15);
}

TEST(CreateGameTest, FixedPresetIsAcceptedAsItIs) {
  const CreateGame game = created(R"("preset":"go-chinese-19-0.3","width":19,"komi_half":15)");
  EXPECT_EQ(game.preset, "go-chinese-19-0.3");
  EXPECT_EQ(game.rules.end, rules::EndRule::AllAlive);
}

TEST(CreateGameTest, ColorsCanBeChosenOrDrawn) {
  EXPECT_EQ(created(R"("colors":"COLOR_CHOICE_SLOT1_WHITE")").colors, ColorChoice::Slot1White);
  EXPECT_EQ(created(R"("colors":"COLOR_CHOICE_RANDOM")").colors, ColorChoice::Random);
}

TEST(CreateGameTest, NoTimeGivenIsNoLimit) {
  EXPECT_EQ(created("").time, rules::TimeControl{});
  EXPECT_EQ(created(R"("time":{"system":"CLOCK_SYSTEM_NONE"})").time, rules::TimeControl{});
}

TEST(CreateGameTest, EverySystemOfTimeIsTaken) {
  const std::pair<const char*, const char*> kTimes[] = {
      {R"("system":"CLOCK_SYSTEM_ABSOLUTE","main_ms":1814400000)", "absolute:1814400"},
      {R"("system":"CLOCK_SYSTEM_FISCHER","main_ms":300000,"increment_ms":5000,"cap_ms":600000)",
       "fischer:300+5/600"},
      {R"("system":"CLOCK_SYSTEM_BYO_YOMI","main_ms":0,"period_ms":250,"periods":5)",
       "byoyomi:0+5x0.25"},
      {R"("system":"CLOCK_SYSTEM_CANADIAN","main_ms":1,"period_ms":300000,"stones":25)",
       "canadian:0.001+25/300"},
      {R"("system":"CLOCK_SYSTEM_PER_MOVE","period_ms":10000)", "permove:10"},
  };
  for (const auto& [json, text] : kTimes) {
    const CreateGame game = created(R"("time":{)" + std::string(json) + "}");
    EXPECT_EQ(time_control_text(game.time), text);
  }
}

TEST(CreateGameTest, EncodedRequestComesBackForEveryPreset) {
  for (const rules::Preset& preset : rules::presets()) {
    CreateGame game = created("");
    game.preset = preset.name;
    game.rules = preset.rules;
    game.komi_half = preset.komi_half;
    for (const Format format : {Format::Binary, Format::Json}) {
      const auto decoded = decode_client(format, encode(format, ClientFrame{1, game}));
      ASSERT_TRUE(std::holds_alternative<ClientFrame>(decoded)) << preset.name;
      EXPECT_EQ(std::get<CreateGame>(std::get<ClientFrame>(decoded).message), game);
    }
  }
}

}  // namespace
}  // namespace tengen::protocol
