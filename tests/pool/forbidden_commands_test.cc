// What no client may send raw: every command that docs/engines.md names, which are those that were
// seen to do harm.
#include "pool/forbidden_commands.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace tengen::pool {
namespace {

/// The words in backticks of a line.
std::vector<std::string> quoted_words(const std::string& line) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while ((begin = line.find('`', begin)) != std::string::npos) {
    const std::size_t end = line.find('`', begin + 1);
    if (end == std::string::npos) break;
    words.push_back(line.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return words;
}

/// Those in the table of the section.
std::vector<std::string> documented_commands() {
  std::ifstream page(TENGEN_SOURCE_DIR "/docs/engines.md");
  std::vector<std::string> commands;
  bool is_in_section = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_in_section = line == "## Commands that are never passed on";
    if (!is_in_section || !line.starts_with('|')) continue;
    for (std::string& word : quoted_words(line)) commands.push_back(std::move(word));
  }
  return commands;
}

TEST(ForbiddenCommands, AreAllThatTheDocumentationNames) {
  const auto commands = documented_commands();
  EXPECT_GE(commands.size(), 20u);
  for (const std::string& command : commands) EXPECT_TRUE(why_forbidden(command)) << command;
}

TEST(ForbiddenCommands, SayWhatTheyDo) {
  EXPECT_EQ(why_forbidden("printsgf"), "reads or writes files");
  const std::string state =
      "changes the position, the rules, the clock or the settings that the daemon believes in";
  EXPECT_EQ(why_forbidden("pachi-engine"), state);
  EXPECT_EQ(why_forbidden("pachi-setoption"), state);
  EXPECT_EQ(why_forbidden("Pachi-SetOption"), state) << "some engines take any case";
  EXPECT_EQ(why_forbidden("kata-set-param"), state) << "and all that begin so";
}

TEST(ForbiddenCommands, AreNoQuestions) {
  for (const char* command : {"showboard", "list_stones", "captures", "is_legal", "heatmap",
                              "pachi-getoption", "kata-get-rules", "estimate_score", "cputime"}) {
    EXPECT_EQ(why_forbidden(command), std::nullopt) << command;
  }
}

}  // namespace
}  // namespace tengen::pool
