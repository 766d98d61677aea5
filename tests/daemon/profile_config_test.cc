// The [[profile]] tables: every key, what a kind brings along, and every mistake with its place.
#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/config.h"
#include "pool/shipped.h"
#include "tests/daemon/parsed_config.h"

namespace tengen::daemon {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

std::vector<pool::Profile> profiles_in(const std::string& text) {
  auto parsed = parse_config(text, "t.toml");
  if (const auto* errors = std::get_if<ConfigErrors>(&parsed)) {
    for (const auto& error : *errors) ADD_FAILURE() << error;
    return {pool::Profile{}};
  }
  return std::get<Config>(std::move(parsed)).profiles;
}

pool::Profile profile_in(const std::string& text) { return profiles_in(text).front(); }

pool::RulesMatch match(std::string_view text) {
  return std::get<pool::RulesMatch>(pool::parse_rules_match(text));
}

TEST(ProfileConfig, EveryKeyIsRead) {
  const pool::Profile read = profile_in(R"(
[[profile]]
name = "a"
command = ["prog", "--gtp"]
extra_arguments = ["-v"]
directory = "/tmp"
environment = ["DISPLAY", "THREADS=2"]
address_space_max_mb = 2048
cpu_max_s = 3600
files_max = 64
niceness = 5
memory_max_mb = 512
processes_warm = 2
processes_max = 3
size_min = 7
size_max = 13
rectangles = true
other_rules = "mark"
substitute = "b"
rules = "kgs"
clock = "gtp"
no_limit = "large-absolute"
analysis = "lz-bare"
seed_command = "set_random_seed"
forget_command = "clear_cache"
search_command = "kata-search_cancellable"
search_plays = false
reg_search_command = "kata-search"
cleanup_command = ""
cancel = "stop"
stop_command = "# interrupt"
verify = "showboard"
verify_every = 8
undo_max = 9
line_bytes_max = 1000
raw_commands = ["showboard"]
honours_clock = true
pace_setting = "level"
start_limit_ms = 1
answer_limit_ms = 2
search_limit_ms = 3
list_limit_ms = 4
stream_limit_ms = 5
idle_limit_ms = 6
quarantine_ms = 7
queue_max = 8
queue_per_client_max = 9
share_moves = 10
share_questions = 11
share_analysis = 12
[[profile.setting]]
key = "level"
command = "set level"
minimum = -1
maximum = 1
standard = 0
[[profile.variant]]
name = "simple"
arguments = ["--simple-ko"]
plays = "ko=simple,suicide=no|multi"
[[profile.variant]]
name = "rest"
[[profile.pace]]
value = -1
p99_ms = 100
[[profile.pace]]
value = 1
p99_ms = 200
[[profile]]
name = "b"
command = ["other"]
plays = "scoring=area"
)");
  pool::Profile expected;
  expected.name = "a";
  expected.command = {"prog", "--gtp", "-v"};
  expected.directory = "/tmp";
  expected.environment = {"DISPLAY", "THREADS=2"};
  expected.process = {2'147'483'648, 3600, 64, 5};
  expected.memory_max_bytes = 536'870'912;
  expected.processes_warm = 2;
  expected.processes_max = 3;
  expected.size_min = 7;
  expected.size_max = 13;
  expected.rectangles = true;
  expected.other_rules = pool::OtherRules::Mark;
  expected.substitute = "b";
  expected.rules = pool::RulesDialect::Kgs;
  expected.clock = pool::ClockDialect::Gtp;
  expected.no_limit = rules::NoLimitForm::LargeAbsolute;
  expected.analysis = pool::AnalysisDialect::LzBare;
  expected.seed_command = "set_random_seed";
  expected.forget_command = "clear_cache";
  expected.search_command = "kata-search_cancellable";
  expected.search_plays = false;
  expected.reg_search_command = "kata-search";
  expected.cleanup_command = "";
  expected.cancel = pool::CancelBy::Stop;
  expected.stop_command = "# interrupt";
  expected.verify = pool::VerifyBy::Showboard;
  expected.verify_every = 8;
  expected.undo_max = 9;
  expected.line_bytes_max = 1000;
  expected.raw_commands = {"showboard"};
  expected.honours_clock = true;
  expected.pace_setting = "level";
  expected.start_limit = 1ms;
  expected.answer_limit = 2ms;
  expected.search_limit = 3ms;
  expected.list_limit = 4ms;
  expected.stream_limit = 5ms;
  expected.idle_limit = 6ms;
  expected.quarantine = 7ms;
  expected.queue_max = 8;
  expected.queue_per_client_max = 9;
  expected.share_moves = 10;
  expected.share_questions = 11;
  expected.share_analysis = 12;
  expected.settings = {{"level", "set level", -1, 1, 0}};
  expected.variants = {{"simple", {"--simple-ko"}, match("ko=simple,suicide=no|multi")},
                       {"rest", {}, {}}};
  expected.pace = {{-1, 100ms}, {1, 200ms}};
  EXPECT_EQ(read, expected);
}

TEST(ProfileConfig, AKindBringsEverythingAlong) {
  for (const std::string_view kind : pool::shipped_kinds()) {
    if (kind == "gtp") continue;
    const auto read = profile_in("[[profile]]\nkind = '" + std::string(kind) + "'");
    EXPECT_EQ(read, *pool::shipped_profile(kind));
  }
}

TEST(ProfileConfig, WithoutAKindNothingIsAssumed) {
  const auto read = profile_in("[[profile]]\nname = 'a'\ncommand = ['x']");
  pool::Profile expected;
  expected.name = "a";
  expected.command = {"x"};
  EXPECT_EQ(read, expected);
}

TEST(ProfileConfig, EveryKeyGivenGoesBeforeItsKind) {
  const auto read = profile_in(R"(
[[profile]]
kind = "gnugo"
name = "weak"
extra_arguments = ["--level", "1"]
size_max = 9
undo_max = 0
raw_commands = []
)");
  pool::Profile expected = *pool::shipped_profile("gnugo");
  expected.name = "weak";
  expected.command.insert(expected.command.end(), {"--level", "1"});
  expected.size_max = 9;
  expected.undo_max = 0;
  expected.raw_commands.clear();
  EXPECT_EQ(read, expected);
}

TEST(ProfileConfig, ASettingOfTheKindIsChangedAndAnotherOneAdded) {
  const auto read = profile_in(R"(
[[profile]]
kind = "gnugo"
[[profile.setting]]
key = "depth"
command = "increase"
minimum = 1
maximum = 2
standard = 1
[[profile.setting]]
key = "level"
standard = 3
)");
  const std::vector<pool::SettingSpec> expected = {{"level", "level", 0, 10, 3},
                                                   {"depth", "increase", 1, 2, 1}};
  EXPECT_EQ(read.settings, expected);
}

TEST(ProfileConfig, VariantsAndPaceAndSettingsCanBeTakenAway) {
  const auto read = profile_in(R"(
[[profile]]
kind = "gnugo"
variant = []
pace = []
setting = []
pace_setting = ""
plays = "ko=simple,suicide=no"
)");
  EXPECT_TRUE(read.variants.empty());
  EXPECT_TRUE(read.pace.empty());
  EXPECT_TRUE(read.settings.empty());
  EXPECT_EQ(read.plays, match("ko=simple,suicide=no"));
}

TEST(ProfileConfig, AnEngineThatCannotBeMadeToPlayFasterHasOnePace) {
  const auto plain = profile_in(R"(
[[profile]]
name = "a"
command = ["x"]
[[profile.pace]]
p99_ms = 1500
)");
  EXPECT_EQ(plain.pace, (std::vector<pool::Pace>{{0, 1500ms}}));
  const auto pachi = profile_in(R"(
[[profile]]
kind = "pachi"
command = ["pachi", "-t", "=5000", "threads=1,resign_threshold=0"]
[[profile.pace]]
p99_ms = 5000
)");
  EXPECT_EQ(pachi.pace, (std::vector<pool::Pace>{{0, 5000ms}}));
}

TEST(ProfileConfig, VariantsOfTheFileReplaceTheKinds) {
  const auto read = profile_in("[[profile]]\nkind = 'gnugo'\n[[profile.variant]]\nname = 'only'");
  ASSERT_EQ(read.variants.size(), 1u);
  EXPECT_EQ(read.variants.front().name, "only");
}

TEST(ProfileConfig, NothingIsNoLimit) {
  const auto read = profile_in(R"(
[[profile]]
kind = "gnugo"
address_space_max_mb = 0
memory_max_mb = 0
cpu_max_s = 0
files_max = 0
)");
  EXPECT_EQ(read.process, pool::ProcessLimits{});
  EXPECT_EQ(read.memory_max_bytes, 0u);
}

struct ProfileFault {
  std::string text;
  std::string expected;  // how the only error begins
};

class ProfileMistake : public testing::TestWithParam<ProfileFault> {};

TEST_P(ProfileMistake, IsNamedWithItsPlace) {
  const auto errors = errors_in(GetParam().text);
  ASSERT_EQ(errors.size(), 1u) << GetParam().text << (errors.empty() ? "" : errors[1]);
  EXPECT_EQ(errors.front().substr(0, GetParam().expected.size()), GetParam().expected);
}

const std::string kPlain = "[[profile]]\nname = 'a'\ncommand = ['x']\n";  // three lines
const std::string kGnugo = "[[profile]]\nkind = 'gnugo'\n";

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ProfileMistake,
    testing::Values(
        ProfileFault{
            "[[profile]]\nkind = 'gnu'",
            "t.toml:2:8: kind must be one of gtp, gnugo, leela-zero, pachi, katago, house"},
        ProfileFault{"[[profile]]\nkind = 5\nname = 'a'\ncommand = ['x']",
                     "t.toml:2:8: kind must be"},
        ProfileFault{"[[profile]]\nkind = 'gtp'",
                     "t.toml:1:1: profile gtp: the command is missing"},
        ProfileFault{kPlain + "rules = 'chinese'",
                     "t.toml:4:9: rules must be none, tengen, kgs or kata"},
        ProfileFault{kPlain + "rules = 1", "t.toml:4:9: rules must be none, tengen, kgs or kata"},
        ProfileFault{kPlain + "clock = 'fischer'",
                     "t.toml:4:9: clock must be none, gtp, kgs or kata"},
        ProfileFault{kPlain + "analysis = 'lz '",
                     "t.toml:4:12: analysis must be none, lz, lz-bare or kata"},
        ProfileFault{kPlain + "cancel = ''", "t.toml:4:10: cancel must be wait, kill or stop"},
        ProfileFault{kPlain + "verify = 'yes'",
                     "t.toml:4:10: verify must be none, list_stones or showboard"},
        ProfileFault{kPlain + "other_rules = true",
                     "t.toml:4:15: other_rules must be refuse or mark"},
        ProfileFault{kPlain + "no_limit = 'none'",
                     "t.toml:4:12: no_limit must be zero-stones or large-absolute"},
        ProfileFault{kPlain + "plays = 'ko=fast'", "t.toml:4:9: plays: 'ko=fast' is not expected"},
        ProfileFault{kPlain + "plays = ['ko=simple']", "t.toml:4:9: plays must be a string"},
        ProfileFault{kPlain + "environment = 'A=1'",
                     "t.toml:4:15: environment must be an array of"},
        ProfileFault{kPlain + "environment = ['=']",
                     "t.toml:1:1: profile a: environment: '=' must be"},
        ProfileFault{kPlain + "extra_arguments = [1]",
                     "t.toml:4:19: extra_arguments must be an array"},
        ProfileFault{kPlain + "memory_max_mb = -1",
                     "t.toml:4:17: memory_max_mb must be an integer"},
        ProfileFault{kPlain + "niceness = 20",
                     "t.toml:4:12: niceness must be an integer from 0 to 19"},
        ProfileFault{kPlain + "search_plays = 'no'",
                     "t.toml:4:16: search_plays must be true or false"},
        ProfileFault{kPlain + "line_bytes_max = 99",
                     "t.toml:4:18: line_bytes_max must be an integer"},
        ProfileFault{kPlain + "share_moves = 0",
                     "t.toml:4:15: share_moves must be an integer from 1"},
        ProfileFault{
            kPlain + "raw_commands = ['printsgf']",
            "t.toml:1:1: profile a: raw_commands: 'printsgf' is never allowed: it reads or"},
        ProfileFault{kPlain + "cancel = 'stop'",
                     "t.toml:1:1: profile a: cancel = \"stop\" needs a"},
        ProfileFault{kPlain + "substitute = 'b'",
                     "t.toml:4:14: substitute must be the name of a profile of this file"},
        ProfileFault{kPlain + "substitute = 'a'",
                     "t.toml:1:1: profile a: substitute must be another"},
        ProfileFault{kPlain + "substitute = 5", "t.toml:4:14: substitute must be a string"},
        ProfileFault{kGnugo + "plays = 'ko=simple'",
                     "t.toml:1:1: profile gnugo: plays does not go with"},
        ProfileFault{kGnugo + "setting = []",
                     "t.toml:1:1: profile gnugo: pace_setting 'level' is no"},
        ProfileFault{kGnugo + "setting = 1", "t.toml:3:11: setting must be written as [[setting]]"},
        ProfileFault{kGnugo + "pace = []", "t.toml:1:1: profile gnugo: pace_setting needs a pace"},
        ProfileFault{kGnugo + "pace_setting = ''",
                     "t.toml:1:1: profile gnugo: pace without a pace_set"},
        ProfileFault{kGnugo + "[[profile.pace]]\np99_ms = 5",
                     "t.toml:3:1: a step of the pace needs a value of level"},
        ProfileFault{kPlain + "[[profile.pace]]\nvalue = 3\np99_ms = 5",
                     "t.toml:1:1: profile a: pace without a pace_setting is a single p99_ms"},
        ProfileFault{kPlain + "[[profile.pace]]\np99_ms = 5\n[[profile.pace]]\np99_ms = 9",
                     "t.toml:1:1: profile a: pace without a pace_setting is a single p99_ms"},
        ProfileFault{kGnugo + "[[profile.setting]]\nkey = 'level'\nstandard = 11",
                     "t.toml:1:1: profile gnugo: setting 'level': the standard value must lie"},
        ProfileFault{kGnugo + "[[profile.setting]]\nstandard = 11",
                     "t.toml:1:1: profile gnugo: a setting"},
        ProfileFault{
            kGnugo + "[[profile.setting]]\nkey = 'level'\n[[profile.setting]]\nkey = 'level'",
            "t.toml:5:1: setting level is described twice"},
        ProfileFault{kGnugo + "[[profile.variant]]\nname = 'a'\nargs = []",
                     "t.toml:5:1: unknown key args; known here: arguments, name, plays"},
        ProfileFault{kGnugo + "[[profile.variant]]\nname = 'a'\nplays = 'x'",
                     "t.toml:5:9: plays: 'x' is not expected"},
        ProfileFault{kGnugo + "[[profile.pace]]\nvalue = 1\np99 = 5",
                     "t.toml:5:1: unknown key p99; known here: p99_ms, value"},
        ProfileFault{kGnugo + "[[profile.pace]]\nvalue = 1\np99_ms = 0",
                     "t.toml:5:10: p99_ms must be an integer from 1 to"},
        ProfileFault{kGnugo + "\"a\\u001b[2J\" = 1",
                     "t.toml:3:1: unknown key a?[2J; known here: "}));

TEST(ProfileConfig, SubstitutesMayFollowEachOtherButNotInACircle) {
  const auto named = [](const std::string& name, const std::string& substitute) {
    return "[[profile]]\nname = '" + name + "'\ncommand = ['x']\nsubstitute = '" + substitute +
           "'\n";
  };
  EXPECT_EQ(profiles_in(named("a", "b") + named("b", "c") + kGnugo + "name = 'c'").size(), 3u);
  const auto errors = errors_in(named("a", "b") + named("b", "c") + named("c", "b"));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0], "t.toml:8:14: profile b would be its own substitute's substitute");
  EXPECT_EQ(errors[1], "t.toml:12:14: profile c would be its own substitute's substitute");
}

TEST(ProfileConfig, AllMistakesAreReportedInOneRun) {
  const auto errors = errors_in(R"([[profile]]
kind = "gnu"
rules = "chinese"
plays = "ko=fast"
spede = 1
[[profile.variant]]
name = 1
[[profile.pace]]
value = "x"
[[profile]]
kind = "house"
substitute = "nobody"
)");
  const Strings places = {"t.toml:2:8:", "t.toml:3:9:", "t.toml:4:9:",  "t.toml:5:1:",
                          "t.toml:7:8:", "t.toml:9:9:", "t.toml:12:14:"};
  for (const auto& place : places) {
    EXPECT_EQ(std::count_if(errors.begin(), errors.end(),
                            [&](const auto& error) { return error.starts_with(place); }),
              1)
        << place;
  }
  EXPECT_EQ(errors.size(), places.size());
}

}  // namespace
}  // namespace tengen::daemon
