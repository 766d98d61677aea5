// What is wrong with a profile, and with what a game asks of it.
#include "pool/profile.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/pool_rig.h"

namespace tengen::pool {
namespace {

Profile leveled() {
  Profile profile = tests::fake_profile();
  profile.settings = {{"level", "level", 1, 10, 8}};
  return profile;
}

TEST(Profile, AcceptsWhatCanBeUsed) { EXPECT_EQ(problem(leveled()), std::nullopt); }

TEST(Profile, NamesWhatIsWrongWithIt) {
  struct Case {
    const char* part;
    std::function<void(Profile&)> spoil;
  };
  const std::vector<Case> cases = {
      {"name", [](Profile& p) { p.name = "two words"; }},
      {"name", [](Profile& p) { p.name.clear(); }},
      {"command is missing", [](Profile& p) { p.command.clear(); }},
      {"command is missing", [](Profile& p) { p.command = {""}; }},
      {"zero byte", [](Profile& p) { p.command.emplace_back("a\0b", 3); }},
      {"processes_max", [](Profile& p) { p.processes_max = 0; }},
      {"processes_warm", [](Profile& p) { p.processes_warm = 2; }},
      {"processes_warm", [](Profile& p) { p.processes_warm = -1; }},
      {"queue_max", [](Profile& p) { p.queue_max = 0; }},
      {"sizes", [](Profile& p) { p.size_max = 26; }},
      {"sizes", [](Profile& p) { p.size_min = 0; }},
      {"sizes", [](Profile& p) { p.size_min = 13, p.size_max = 9; }},
      {"time limits", [](Profile& p) { p.search_limit = std::chrono::milliseconds(0); }},
      {"key", [](Profile& p) { p.settings[0].key = ""; }},
      {"cannot be sent", [](Profile& p) { p.settings[0].command = "level\nquit"; }},
      {"standard", [](Profile& p) { p.settings[0].standard = 11; }},
      {"twice", [](Profile& p) { p.settings.push_back(p.settings[0]); }},
  };
  for (const Case& each : cases) {
    Profile profile = leveled();
    each.spoil(profile);
    const auto wrong = problem(profile);
    ASSERT_TRUE(wrong) << each.part;
    EXPECT_NE(wrong->find(each.part), std::string::npos) << *wrong;
  }
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

}  // namespace
}  // namespace tengen::pool
