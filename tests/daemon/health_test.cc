// Health: what each state of the pool is called, and that the answer is JSON whatever is in it.
#include "daemon/health.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <ostream>

namespace tengen::daemon {
namespace {

ProfileCondition profile_of(std::string name, int idle, int processes_warm = 1) {
  ProfileCondition profile;
  profile.status.name = std::move(name);
  profile.status.idle = idle;
  profile.processes_warm = processes_warm;
  return profile;
}

ProfileCondition failed_profile() {
  auto profile = profile_of("ill", 0);
  profile.status.failed = true;
  return profile;
}

struct HealthCase {
  const char* what;
  int starting, idle, busy, streaming, stopping;
  std::size_t queued;
  int processes_warm;
  bool failed;
  ProfileHealth expected;
};

TEST(HealthTest, AProfileIsOkStartingOrFailed) {
  using enum ProfileHealth;
  const HealthCase cases[] = {
      {"an idle engine", 0, 1, 0, 0, 0, 0, 1, false, Ok},
      {"all at work", 0, 0, 2, 0, 0, 9, 1, false, Ok},
      {"all analysing", 0, 0, 0, 1, 0, 0, 1, false, Ok},
      {"the first ones start", 1, 0, 0, 0, 0, 0, 1, false, Starting},
      {"one is there, another starts", 1, 1, 0, 0, 0, 0, 2, false, Ok},
      {"the pause before another attempt", 0, 0, 0, 0, 0, 0, 1, false, Starting},
      {"the last one stops and another is due", 0, 0, 0, 0, 1, 0, 1, false, Starting},
      {"none is kept warm and nobody asks", 0, 0, 0, 0, 0, 0, 0, false, Ok},
      {"none is kept warm and the last one quits", 0, 0, 0, 0, 1, 0, 0, false, Ok},
      {"none is kept warm and one starts", 1, 0, 0, 0, 0, 1, 0, false, Starting},
      {"none is kept warm and somebody waits", 0, 0, 0, 0, 0, 1, 0, false, Starting},
      {"failed", 0, 0, 0, 0, 0, 0, 1, true, Failed},
      {"failed and tried again", 1, 0, 0, 0, 0, 0, 1, true, Failed},
      {"failed while an old one is still at work", 0, 0, 1, 0, 0, 0, 1, true, Failed},
  };
  for (const auto& each : cases) {
    ProfileCondition profile;
    profile.status.starting = each.starting;
    profile.status.idle = each.idle;
    profile.status.busy = each.busy;
    profile.status.streaming = each.streaming;
    profile.status.stopping = each.stopping;
    profile.status.queued = each.queued;
    profile.status.failed = each.failed;
    profile.processes_warm = each.processes_warm;
    EXPECT_EQ(health_of(profile), each.expected) << each.what;
  }
}

TEST(HealthTest, AProfileThatIsDrainedMayHaveNoEngine) {
  ProfileCondition profile = profile_of("old", 0);
  profile.status.intake = pool::Intake::Closed;
  EXPECT_EQ(health_of(profile), ProfileHealth::Ok);
  profile.status.queued = 1;
  EXPECT_EQ(health_of(profile), ProfileHealth::Starting);
}

TEST(HealthTest, OneFailedProfileDegradesTheDaemon) {
  const ProfileCondition starting = profile_of("new", 0);
  const ProfileCondition ok = profile_of("well", 1);
  EXPECT_EQ(health_of(std::vector{ok, starting}), Health::Ok);
  EXPECT_EQ(health_of(std::vector{ok, failed_profile(), starting}), Health::Degraded);
  EXPECT_EQ(health_of(std::vector<ProfileCondition>{}), Health::Ok);
}

TEST(HealthTest, EachProfileIsListedWithItsFigures) {
  auto profile = profile_of("well", 2);
  profile.status.starting = 1;
  profile.status.busy = 3;
  profile.status.streaming = 4;
  profile.status.stopping = 5;
  profile.status.queued = 6;
  profile.status.wait = std::chrono::milliseconds(700);
  profile.status.intake = pool::Intake::Closed;
  const std::vector profiles{profile, failed_profile()};
  const auto json = boost::json::parse(health_json(Health::Degraded, profiles));
  const auto expected = boost::json::parse(R"({
    "status": "degraded",
    "profiles": [
      {"name": "well", "state": "ok", "starting": 1, "idle": 2, "busy": 3, "streaming": 4,
       "stopping": 5, "queued": 6, "wait_ms": 700, "draining": true},
      {"name": "ill", "state": "failed", "starting": 0, "idle": 0, "busy": 0, "streaming": 0,
       "stopping": 0, "queued": 0, "wait_ms": 0, "draining": false}
    ]})");
  EXPECT_EQ(json, expected);
}

TEST(HealthTest, AnyNameOfAProfileGivesJson) {
  const std::pair<std::string, std::string> names[] = {
      {"plain", "plain"},
      {"quo\"te", "quo\"te"},
      {"back\\slash\\", "back\\slash\\"},
      {"\xe5\xa4\xa9\xe5\x85\x83", "\xe5\xa4\xa9\xe5\x85\x83"},
      {std::string("nul\0line\n", 9), "nul?line?"},  // what no text should hold is not repeated
      {"broken \xff\xc3", "broken ??"},
      {"", ""},
  };
  for (const auto& [name, expected] : names) {
    const auto json = boost::json::parse(health_json(Health::Ok, std::vector{profile_of(name, 1)}));
    EXPECT_EQ(json.at("profiles").at(0).at("name").as_string(), expected);
  }
}

TEST(HealthTest, WithoutProfilesTheListIsEmpty) {
  const auto json = boost::json::parse(health_json(Health::Draining, {}));
  EXPECT_EQ(json, boost::json::parse(R"({"status":"draining","profiles":[]})"));
}

}  // namespace
}  // namespace tengen::daemon
