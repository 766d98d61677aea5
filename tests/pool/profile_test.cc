// What is wrong with a profile, and with what a game asks of it.
#include "pool/profile.h"

#include <gtest/gtest.h>

#include <functional>

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;

Profile leveled() {
  Profile profile;
  profile.name = "fake";
  profile.command = {"fake"};
  profile.settings = {{"level", "level", 1, 10, 8}};
  profile.pace_setting = "level";
  profile.pace = {{1, milliseconds(100)}, {5, milliseconds(300)}};
  return profile;
}

RulesMatch match_of(std::string_view text) { return std::get<RulesMatch>(parse_rules_match(text)); }

const rules::Ruleset& preset_named(std::string_view name) {
  return rules::find_preset(name)->rules;
}

struct Case {
  const char* part;  // of what is said
  std::function<void(Profile&)> spoil;
};

void expect_problems(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    Profile profile = leveled();
    each.spoil(profile);
    const auto wrong = problem(profile);
    ASSERT_TRUE(wrong) << each.part;
    EXPECT_NE(wrong->find(each.part), std::string::npos) << *wrong;
  }
}

TEST(Profile, AcceptsWhatCanBeUsed) {
  Profile profile = leveled();
  EXPECT_EQ(problem(profile), std::nullopt);
  profile.environment = {"OMP_NUM_THREADS=1", "DISPLAY", "_x1=", "EMPTY==="};
  profile.variants = {{"a", {"--x"}, match_of("ko=simple")}, {"b", {}, {}}};
  profile.cancel = CancelBy::Stop;
  profile.stop_command = "# interrupt";
  profile.reg_search_command = "";
  profile.cleanup_command = "";
  profile.raw_commands = {"showboard", "attack", "estimate_score"};
  profile.clock = ClockDialect::Gtp;
  profile.honours_clock = true;
  profile.substitute = "other";
  profile.line_bytes_max = 100'000;
  EXPECT_EQ(problem(profile), std::nullopt);
}

TEST(Profile, HasOnePaceOrNoneWithoutASettingToLower) {
  Profile profile = leveled();
  profile.pace_setting.clear();
  profile.pace = {{0, milliseconds(300)}};
  EXPECT_EQ(problem(profile), std::nullopt);
  profile.settings.clear();
  EXPECT_EQ(problem(profile), std::nullopt);
  profile.pace.clear();
  EXPECT_EQ(problem(profile), std::nullopt);
}

TEST(Profile, NamesWhatIsWrongWithItsProcess) {
  expect_problems({
      {"name", [](Profile& p) { p.name = "two words"; }},
      {"name", [](Profile& p) { p.name.clear(); }},
      {"name", [](Profile& p) { p.name = "gnugo:level=3"; }},
      {"command is missing", [](Profile& p) { p.command.clear(); }},
      {"command is missing", [](Profile& p) { p.command = {""}; }},
      {"command holds a zero byte", [](Profile& p) { p.command.emplace_back("a\0b", 3); }},
      {"directory holds a zero byte", [](Profile& p) { p.directory = std::string("/\0", 2); }},
      {"'=1' must be NAME", [](Profile& p) { p.environment = {"=1"}; }},
      {"'' must be NAME", [](Profile& p) { p.environment = {""}; }},
      {"'1A=1' must be NAME", [](Profile& p) { p.environment = {"1A=1"}; }},
      {"'A B=1' must be NAME", [](Profile& p) { p.environment = {"A B=1"}; }},
      {"must be NAME", [](Profile& p) { p.environment = {std::string("A=\0", 3)}; }},
      {"'A' is given twice",
       [](Profile& p) {
         p.environment = {"A", "B=1", "A=2"};
       }},
      {"niceness", [](Profile& p) { p.process.niceness = 20; }},
      {"niceness", [](Profile& p) { p.process.niceness = -1; }},
      {"processes_max", [](Profile& p) { p.processes_max = 0; }},
      {"processes_warm", [](Profile& p) { p.processes_warm = 3; }},
      {"processes_warm", [](Profile& p) { p.processes_warm = -1; }},
  });
}

TEST(Profile, NamesWhatIsWrongWithWhatItPlays) {
  expect_problems({
      {"sizes", [](Profile& p) { p.size_max = 26; }},
      {"sizes", [](Profile& p) { p.size_min = 0; }},
      {"sizes", [](Profile& p) { p.size_min = 13, p.size_max = 9; }},
      {"substitute must be the name", [](Profile& p) { p.substitute = "a b"; }},
      {"substitute must be another", [](Profile& p) { p.substitute = "fake"; }},
      {"plays does not go with variants",
       [](Profile& p) {
         p.plays = match_of("ko=simple");
         p.variants = {{"a", {}, {}}};
       }},
      {"a variant's name",
       [](Profile& p) {
         p.variants = {{"", {}, {}}};
       }},
      {"'a' is given twice",
       [](Profile& p) {
         p.variants = {{"a", {}, {}}, {"a", {"-x"}, {}}};
       }},
      {"variant 'a' holds a zero byte",
       [](Profile& p) {
         p.variants = {{"a", {std::string(1, '\0')}, {}}};
       }},
      {"key", [](Profile& p) { p.settings[0].key = ""; }},
      {"key", [](Profile& p) { p.settings[0].key = "a=b"; }},
      {"cannot be sent", [](Profile& p) { p.settings[0].command = "level\nquit"; }},
      {"cannot be sent", [](Profile& p) { p.settings[0].command = "7level"; }},
      {"standard", [](Profile& p) { p.settings[0].standard = 11; }},
      {"'level' is given twice", [](Profile& p) { p.settings.push_back(p.settings[0]); }},
      {"pace_setting needs a pace", [](Profile& p) { p.pace.clear(); }},
      {"without a pace_setting is a single", [](Profile& p) { p.pace_setting.clear(); }},
      {"without a pace_setting is a single",
       [](Profile& p) {
         p.pace_setting.clear();
         p.pace = {{5, milliseconds(300)}};
       }},
      {"p99_ms",
       [](Profile& p) {
         p.pace_setting.clear();
         p.pace = {{0, milliseconds(0)}};
       }},
      {"'speed' is no setting", [](Profile& p) { p.pace_setting = "speed"; }},
      {"11 is no value",
       [](Profile& p) {
         p.pace.push_back({11, milliseconds(1)});
       }},
      {"ascend",
       [](Profile& p) {
         p.pace.push_back({5, milliseconds(400)});
       }},
      {"p99_ms", [](Profile& p) { p.pace[0].p99 = milliseconds(0); }},
  });
}

TEST(Profile, NamesWhatCannotBeSaidToIt) {
  const std::string long_word(230, 'x');
  expect_problems({
      {"line_bytes_max", [](Profile& p) { p.line_bytes_max = 99; }},
      {"line_bytes_max", [](Profile& p) { p.line_bytes_max = 1'000'001; }},
      {"words for rules",
       [](Profile& p) { p.line_bytes_max = 100, p.rules = RulesDialect::Tengen; }},
      {"words for rules", [](Profile& p) { p.line_bytes_max = 150, p.rules = RulesDialect::Kata; }},
      {"search_command", [](Profile& p) { p.search_command.clear(); }},
      {"search_command", [](Profile& p) { p.search_command = "genmove x"; }},
      {"search_command", [&](Profile& p) { p.search_command = long_word + "0123456789abcdef"; }},
      {"reg_search_command", [](Profile& p) { p.reg_search_command = "#"; }},
      {"cleanup_command", [](Profile& p) { p.cleanup_command = "a\tb"; }},
      {"seed_command", [](Profile& p) { p.seed_command = "set seed"; }},
      {"forget_command", [](Profile& p) { p.seed_command = "s", p.forget_command = "clear it"; }},
      {"forget_command", [](Profile& p) { p.forget_command = "clear_cache"; }},
      {"seed_command", [&](Profile& p) { p.seed_command = long_word + "0123456"; }},
      {"needs a stop_command", [](Profile& p) { p.cancel = CancelBy::Stop; }},
      {"stop_command", [](Profile& p) { p.stop_command = "stop\nquit"; }},
      {"stop_command", [](Profile& p) { p.stop_command = "# \x7f"; }},
      {"stop_command", [](Profile& p) { p.stop_command = "#" + std::string(300, 'x'); }},
      {"verify_every", [](Profile& p) { p.verify_every = 0; }},
      {"undo_max", [](Profile& p) { p.undo_max = -1; }},
      {"honours_clock", [](Profile& p) { p.honours_clock = true; }},
      {"raw_commands: '' must", [](Profile& p) { p.raw_commands = {""}; }},
      {"raw_commands: 'a b' must", [](Profile& p) { p.raw_commands = {"a b"}; }},
      {"'attack' is given twice",
       [](Profile& p) {
         p.raw_commands = {"attack", "attack"};
       }},
  });
}

// Each was seen to do so in an engine: docs/engines.md.
TEST(Profile, NeverAllowsRawCommandsThatDoHarm) {
  const std::vector<std::pair<const char*, std::vector<const char*>>> cases = {
      {"reads or writes files",
       {"printsgf", "loadsgf", "savesgf", "start_sgftrace", "sg_exec", "book_save", "book_save_as",
        "PrintSgf", "gomill-savesgf"}},
      {"changes the position",
       {"boardsize",
        "clear_board",
        "komi",
        "play",
        "undo",
        "gg-undo",
        "fixed_handicap",
        "place_free_handicap",
        "set_free_handicap",
        "set_position",
        "level",
        "set_random_seed",
        "time_settings",
        "time_left",
        "kgs-time_settings",
        "kata-time_settings",
        "kgs-rules",
        "kata-set-rules",
        "kata-set-param",
        "tengen-rules",
        "lz-setoption",
        "trymove",
        "popgo",
        "orientation",
        "black",
        "PLAY"}},
      {"is a search",
       {"genmove", "genmove_black", "kgs-genmove_cleanup", "reg_genmove", "lz-analyze",
        "kata-analyze", "lz-genmove_analyze", "kata-search_analyze_cancellable", "final_score",
        "final_status_list", "stop"}},
      {"ends, blocks or kills",
       {"quit", "exit", "kgs-game_over", "kata-benchmark", "set_search_limit", "known_command"}},
      {"is answered in a way that hides",
       {"all_move_values", "analyze_eyegraph", "draw_search_area", "move_history",
        "lz-memory_report", "gomill-explain_last_move"}},
  };
  for (const auto& [why, commands] : cases) {
    for (const char* command : commands) {
      Profile profile = leveled();
      profile.raw_commands = {"attack", command};
      const auto wrong = problem(profile);
      ASSERT_TRUE(wrong) << command;
      EXPECT_TRUE(wrong->starts_with("raw_commands: '" + std::string(command) +
                                     "' is never allowed: it " + why))
          << *wrong;
    }
  }
}

TEST(Profile, NamesLimitsThatLimitNothing) {
  expect_problems({
      {"time limits", [](Profile& p) { p.start_limit = milliseconds(0); }},
      {"time limits", [](Profile& p) { p.answer_limit = milliseconds(0); }},
      {"time limits", [](Profile& p) { p.search_limit = milliseconds(0); }},
      {"time limits", [](Profile& p) { p.list_limit = milliseconds(-1); }},
      {"time limits", [](Profile& p) { p.stream_limit = milliseconds(0); }},
      {"time limits", [](Profile& p) { p.idle_limit = milliseconds(0); }},
      {"time limits", [](Profile& p) { p.quarantine = milliseconds(0); }},
      {"queue_max", [](Profile& p) { p.queue_max = 0; }},
      {"queue_per_client_max", [](Profile& p) { p.queue_per_client_max = 0; }},
      {"shares", [](Profile& p) { p.share_moves = 0; }},
      {"shares", [](Profile& p) { p.share_questions = 0; }},
      {"shares", [](Profile& p) { p.share_analysis = -1; }},
  });
}

TEST(Profile, RefusesGamesItCannotPlay) {
  Profile profile = leveled();
  profile.size_min = 5;
  EXPECT_EQ(profile.problem({9, 9}, {{"level", "10"}}), std::nullopt);
  EXPECT_TRUE(profile.problem({4, 4}, {}));
  EXPECT_TRUE(profile.problem({21, 21}, {}));
  EXPECT_TRUE(profile.problem({9, 13}, {}));
  for (const char* value : {"0", "11", "x", "", "5 ", "+5", "5\n", "99999999999"}) {
    EXPECT_TRUE(profile.problem({9, 9}, {{"level", value}})) << value;
  }
  EXPECT_TRUE(profile.problem({9, 9}, {{"speed", "1"}}));
  EXPECT_TRUE(profile.problem({9, 9}, {{"level", "1"}, {"level", "1"}}));
  profile.rectangles = true;
  EXPECT_EQ(profile.problem({9, 13}, {}), std::nullopt);
}

TEST(Profile, SaysWhichRulesItPlaysInstead) {
  Profile profile = leveled();
  EXPECT_EQ(profile.problem(preset_named("tromp-taylor")), std::nullopt) << "all rules are free";
  profile.plays = match_of("ko=simple,suicide=no");
  EXPECT_EQ(profile.problem(preset_named("japanese")), std::nullopt);
  EXPECT_EQ(profile.problem(preset_named("aga")),
            "fake does not play by ko=situational,suicide=no,scoring=area; it plays by "
            "ko=simple,suicide=no");
}

TEST(Profile, PlaysWhateverOneOfItsVariantsPlays) {
  Profile profile = leveled();
  profile.variants = {{"area", {"--area"}, match_of("scoring=area,suicide=no")},
                      {"superko", {"--sk"}, match_of("ko=positional|situational,scoring=area")}};
  EXPECT_EQ(profile.problem(preset_named("chinese")), std::nullopt);
  EXPECT_EQ(profile.variant_for(preset_named("chinese")), 0u) << "the first that includes them";
  EXPECT_EQ(profile.problem(preset_named("new-zealand")), std::nullopt);
  EXPECT_EQ(profile.variant_for(preset_named("new-zealand")), 1u);
  EXPECT_EQ(profile.problem(preset_named("japanese")),
            "fake does not play by ko=simple,suicide=no,scoring=territory; it plays by "
            "suicide=no,scoring=area; ko=positional|situational,scoring=area");
  EXPECT_EQ(profile.variant_for(preset_named("japanese")), 0u)
      << "the first when none includes them";
  profile.variants.clear();
  EXPECT_EQ(profile.variant_for(preset_named("japanese")), 0u);
}

TEST(Profile, NeedsWordsForTheRulesItIsToldOf) {
  Profile profile = leveled();
  profile.rules = RulesDialect::Kgs;
  EXPECT_EQ(profile.problem(preset_named("chinese")), std::nullopt);
  EXPECT_EQ(profile.problem(preset_named("tromp-taylor")),
            "fake cannot be told to play by ko=positional,suicide=any,scoring=area: its words for "
            "rules (kgs) have none for that");
}

}  // namespace
}  // namespace tengen::pool
