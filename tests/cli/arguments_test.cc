// What the values on a command line mean.
#include "clients/cli/arguments.h"

#include <gtest/gtest.h>

namespace tengen::cli {
namespace {

TEST(Arguments, ServersAreHostAndPort) {
  const auto address = [](const char* text) { return std::get<Address>(parse_server(text)); };
  EXPECT_EQ(address("ws://127.0.0.1:8374"), (Address{"127.0.0.1", "8374"}));
  EXPECT_EQ(address("ws://go.example:80/"), (Address{"go.example", "80"}));
  EXPECT_EQ(address("ws://[::1]:65535"), (Address{"::1", "65535"}));
  EXPECT_EQ(address("wss://go.example:443/"), (Address{"go.example", "443", Transport::Tls}));
  EXPECT_EQ(address("wss://[::1]:1"), (Address{"::1", "1", Transport::Tls}));
  for (const char* bad :
       {"", "127.0.0.1:8374", "http://h:1", "wss://h", "wss:h:1", "ws://h", "ws://:1", "ws://h:0",
        "ws://h:65536", "ws://h:1/x", "ws://u@h:1", "ws://::1:80", "ws://h:", "ws://h:-1"}) {
    EXPECT_TRUE(std::holds_alternative<BadArgument>(parse_server(bad))) << bad;
  }
}

TEST(Arguments, SizesAreSquareOrWidthByHeight) {
  EXPECT_EQ(parse_size("9"), (rules::Size{9, 9}));
  EXPECT_EQ(parse_size("13x25"), (rules::Size{13, 25}));
  for (const char* bad : {"", "0", "26", "9x", "x9", "9x9x9", "-9", "9.0", "256", "99999999999"}) {
    EXPECT_FALSE(parse_size(bad)) << bad;
  }
}

TEST(Arguments, EnginesAreAProfileAndSettingsInOrder) {
  const auto plain = std::get<protocol::SeatRequest>(parse_engine("gnugo"));
  EXPECT_EQ(plain.kind, rules::SeatKind::Engine);
  EXPECT_EQ(plain.profile, "gnugo");
  EXPECT_TRUE(plain.settings.empty());
  const auto set = std::get<protocol::SeatRequest>(parse_engine("gnugo:level=3,seed=7"));
  EXPECT_EQ(set.profile, "gnugo");
  EXPECT_EQ(set.settings, (rules::Settings{{"level", "3"}, {"seed", "7"}}));
  for (const char* bad :
       {"", ":level=3", "gnugo:", "gnugo:level", "gnugo:=3", "gnugo:level=", "gnugo:level=3,"}) {
    EXPECT_TRUE(std::holds_alternative<BadArgument>(parse_engine(bad))) << bad;
  }
}

TEST(Arguments, TermsComeFromThePresetUnlessKomiIsGiven) {
  const auto chinese = std::get<GameTerms>(parse_terms("9", "chinese", ""));
  EXPECT_EQ(chinese.komi_half, 15);
  EXPECT_EQ(chinese.rules.ko, rules::KoRule::Positional);
  const auto nz = std::get<GameTerms>(parse_terms("19", "new-zealand", "0.5"));
  EXPECT_EQ(nz.komi_half, 1);
  EXPECT_EQ(nz.rules.suicide, rules::SuicideRule::Any);
  EXPECT_TRUE(std::holds_alternative<BadArgument>(parse_terms("9", "klingon", "")));
  EXPECT_TRUE(std::holds_alternative<BadArgument>(parse_terms("9", "chinese", "x")));
  EXPECT_TRUE(std::holds_alternative<BadArgument>(parse_terms("x", "chinese", "")));
  EXPECT_TRUE(std::holds_alternative<BadArgument>(parse_terms("9", "go-chinese-19-0.3", "")));
}

TEST(Arguments, TimesAreControlsOrSayWhatIsExpected) {
  const auto time = std::get<rules::TimeControl>(parse_time("byoyomi:600+5x30"));
  EXPECT_EQ(time.system, rules::ClockSystem::ByoYomi);
  EXPECT_EQ(time.periods, 5);
  EXPECT_EQ(std::get<rules::TimeControl>(parse_time("none")), rules::TimeControl{});
  for (const char* bad : {"", "30", "fischer:300", "absolute:0"}) {
    EXPECT_TRUE(std::holds_alternative<BadArgument>(parse_time(bad))) << bad;
  }
}

}  // namespace
}  // namespace tengen::cli
