// A conversation with the house engine for tests: commands in, answers out, no files but those
// given.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/house/gtp_session.h"
#include "rules/rules_text.h"

namespace tengen::house {

/// Options for quick answers: few playouts, small numbers everywhere.
inline HouseOptions quick_options(std::string_view rules = "chinese") {
  HouseOptions options;
  options.rules = std::get<rules::NamedRules>(rules::parse_rules(rules));
  options.playouts = 20;
  return options;
}

class HouseRig {
 public:
  explicit HouseRig(const HouseOptions& options = quick_options())
      : session_(options, [this](const std::string& path) -> std::optional<std::string> {
          const auto file = files_.find(path);
          if (file == files_.end()) return std::nullopt;
          return file->second;
        }) {}
  HouseRig(const HouseRig&) = delete;
  HouseRig& operator=(const HouseRig&) = delete;

  void add_file(const std::string& path, const std::string& bytes) { files_[path] = bytes; }

  /// Everything that is sent back for these bytes.
  std::string send(std::string_view bytes) {
    session_.on_bytes(bytes);
    std::string answers;
    while (const auto answer = session_.next_answer()) answers += *answer;
    return answers;
  }

  /// The answer to one command, without the newlines that end it and without the blank after "=".
  std::string ask(std::string_view command) {
    std::string answer = send(std::string(command) + '\n');
    answer.resize(answer.find_last_not_of(" \n") + 1);
    return answer;
  }

  GtpSession& session() { return session_; }

 private:
  std::map<std::string, std::string> files_;
  GtpSession session_;
};

/// Sends commands that must succeed.
inline void run(HouseRig& rig, const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    const std::string answer = rig.ask(command);
    EXPECT_TRUE(answer.starts_with('=')) << command << ": " << answer;
  }
}

/// Words of an answer after "=", sorted.
inline std::vector<std::string> sorted_words(const std::string& answer) {
  EXPECT_TRUE(answer.starts_with('=')) << answer;
  std::istringstream stream(answer.substr(std::min<std::size_t>(1, answer.size())));
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace tengen::house
