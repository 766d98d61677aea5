// Whole conversations against golden files; tests/golden/house/README.md says where their answers
// come from.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/house/house_rig.h"

namespace tengen::house {
namespace {

struct Exchange {
  std::string command;
  std::string answer;
};

std::vector<Exchange> read_transcript(const std::string& name) {
  std::ifstream file(TENGEN_TESTS_DIR "/golden/house/" + name);
  std::vector<Exchange> exchanges;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(';')) continue;
    if (line.starts_with("> ")) {
      exchanges.push_back({line.substr(2), ""});
    } else if (!exchanges.empty()) {
      exchanges.back().answer += line + '\n';
    }
  }
  return exchanges;
}

class HouseTranscript : public ::testing::TestWithParam<const char*> {};

TEST_P(HouseTranscript, IsAnsweredAsTheGoldenFileSays) {
  const std::vector<Exchange> exchanges = read_transcript(GetParam());
  ASSERT_FALSE(exchanges.empty());
  HouseRig rig;
  for (const Exchange& exchange : exchanges) {
    EXPECT_EQ(rig.send(exchange.command + '\n'), exchange.answer) << "> " << exchange.command;
  }
}

TEST_P(HouseTranscript, IsTheSameSentAtOnceOrByteByByte) {
  std::string commands;
  std::string expected;
  for (const Exchange& exchange : read_transcript(GetParam())) {
    commands += exchange.command + "\r\n";
    expected += exchange.answer;
  }
  HouseRig at_once;
  EXPECT_EQ(at_once.send(commands), expected);
  HouseRig by_byte;
  std::string answers;
  for (const char byte : commands) answers += by_byte.send(std::string_view(&byte, 1));
  EXPECT_EQ(answers, expected);
}

INSTANTIATE_TEST_SUITE_P(Golden, HouseTranscript,
                         ::testing::Values("as_gnugo.gtp", "document_game.gtp", "handicap.gtp",
                                           "protocol.gtp", "superko.gtp"));

}  // namespace
}  // namespace tengen::house
