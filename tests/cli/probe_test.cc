// The probe's list, report and profile, against an engine in memory that can be made to fail.
#include "clients/cli/probe/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/gtp.h"
#include "rules/point.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

enum class Fault : std::uint8_t {
  None,
  DiesInUndo,
  DiesOfSize20,
  DiesAtPass,
  HangsInGenmove,
  ShiftsIds,
  RefusesKomi,
  AnswersHandicapTwice,
  RandomMoves,
  OnlySize19,
  IsNoKnownKind,
  OutlivesQuit,
};

/// A board without captures: it knows taken points, turns nothing away else, and moves to the first
/// free point.
class FakeEngine final : public ProbeEngine {
 public:
  explicit FakeEngine(Fault fault = Fault::None) : fault_(fault) {}

  std::optional<std::string> start() override {
    ++starts_;
    state_ = State::Running;
    moves_.clear();
    return std::nullopt;
  }

  Exchange ask(std::string_view bytes, std::size_t answers, milliseconds timeout) override {
    Exchange exchange;
    while (!bytes.empty()) {
      const auto end = std::min(bytes.find('\n'), bytes.size());
      obey(bytes.substr(0, end), exchange.answers);
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    if (exchange.answers.size() >= answers) {
      exchange.took = milliseconds(7);
    } else if (state_ == State::Ended) {
      exchange.heard = WaitEnd::Closed;
    } else {
      exchange.heard = WaitEnd::Silence;
      exchange.took = timeout;
    }
    return exchange;
  }

  void close_input() override { state_ = State::Ended; }
  std::optional<std::string> wait_exit(milliseconds) override {
    if (state_ != State::Ended) return std::nullopt;
    return how_;
  }
  void kill() override { state_ = State::Ended; }
  std::uint64_t error_bytes() const override { return 0; }
  std::uint64_t noise_lines() const override { return 0; }
  std::string error_tail() const override { return "oh\nno"; }

  int starts() const { return starts_; }
  const std::vector<std::string>& heard() const { return heard_; }

 private:
  enum class State : std::uint8_t { Running, Hung, Ended };
  struct Move {
    char color;  // 'b' or 'w'
    std::string vertex;
  };

  void obey(std::string_view line, std::vector<pool::Answer>& out) {
    if (line.empty() || line.front() == '#' || state_ != State::Running) return;
    if (line.back() == '\r') line.remove_suffix(1);
    pool::Answer answer;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), answer.id);
    line.remove_prefix(static_cast<std::size_t>(read.ptr - line.data()));
    heard_.emplace_back(line.substr(line.find_first_not_of(' ')));
    const auto words = pool::words(line);
    if (strikes(words)) return;
    if (fault_ == Fault::ShiftsIds) ++answer.id;
    answer.is_success = carry_out(words, answer.text);
    out.push_back(answer);
    const bool is_twice = fault_ == Fault::AnswersHandicapTwice && words[0] == "set_free_handicap";
    if (is_twice && !answer.is_success) out.push_back(answer);
  }

  bool strikes(const std::vector<std::string_view>& words) {
    if (fault_ == Fault::DiesInUndo && words[0] == "undo") end("signal 11");
    if (fault_ == Fault::DiesOfSize20 && words[0] == "boardsize" && words[1] == "20") {
      end("signal 6");
    }
    if (fault_ == Fault::DiesAtPass && words[0] == "play" && words[2] == "pass") end("signal 9");
    if (fault_ == Fault::HangsInGenmove && words[0] == "genmove") state_ = State::Hung;
    return state_ != State::Running;
  }

  void end(std::string how) {
    state_ = State::Ended;
    how_ = std::move(how);
  }

  bool carry_out(const std::vector<std::string_view>& words, std::string& text) {
    const std::string_view command = words[0];
    if (command == "protocol_version") return say(text, "2");
    if (command == "name") {
      return say(text, fault_ == Fault::IsNoKnownKind ? "Other Engine!" : "GNU Go");
    }
    if (command == "version") return say(text, "3.8");
    if (command == "list_commands") {
      return say(text,
                 "boardsize\nclear_board\ngenmove\nkgs-time_settings\nkomi\nlevel\nlist_stones\n"
                 "lz-analyze\nname\nplay\nset_free_handicap\nset_random_seed\nundo");
    }
    if (command == "boardsize") return set_size(words[1]);
    if (command == "clear_board") return moves_.clear(), true;
    if (command == "komi") return fault_ != Fault::RefusesKomi;
    if (command == "play") return play(words[1], words[2]);
    if (command == "genmove") return genmove(words[1], text);
    if (command == "list_stones") return list(words[1], text);
    if (command == "kgs-time_settings") return true;
    if (command == "set_free_handicap") return handicap(words);
    if (command == "set_random_seed") return true;
    if (command == "undo") return undo(text);
    if (command != "quit") return text = "unknown command", false;
    if (fault_ != Fault::OutlivesQuit) end("exit code 0");
    return true;
  }

  static bool say(std::string& text, std::string_view what) {
    text = what;
    return true;
  }

  bool set_size(std::string_view word) {
    int size = 0;
    std::from_chars(word.data(), word.data() + word.size(), size);
    if (size < 1 || size > 20 || (fault_ == Fault::OnlySize19 && size != 19)) return false;
    size_ = {static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size)};
    return true;
  }

  bool play(std::string_view color, std::string_view vertex) {
    if (vertex != "pass" && !rules::parse_gtp_vertex(vertex, size_)) ADD_FAILURE() << vertex;
    if (vertex != "pass" && is_taken(std::string(vertex))) return false;
    moves_.push_back({color.front(), std::string(vertex)});
    return true;
  }

  bool list(std::string_view color, std::string& text) const {
    for (const Move& move : moves_) {
      const bool is_of_color = std::tolower(color.front()) == move.color;
      if (is_of_color && move.vertex != "pass") text += ' ' + move.vertex;
    }
    return true;
  }

  bool genmove(std::string_view color, std::string& text) {
    const int skipped = fault_ == Fault::RandomMoves ? genmoves_++ % 7 : 0;
    for (int i = skipped; i < size_.area(); ++i) {
      text = rules::gtp_vertex(rules::Point::at(i % size_.width, i / size_.width), size_);
      if (!is_taken(text)) return moves_.push_back({color.front(), text}), true;
    }
    return say(text, "PASS");
  }

  bool handicap(const std::vector<std::string_view>& words) {
    std::vector<std::string> points(words.begin() + 1, words.end());
    std::sort(points.begin(), points.end());
    if (std::adjacent_find(points.begin(), points.end()) != points.end()) return false;
    moves_.clear();
    for (const std::string& point : points) moves_.push_back({'b', point});
    return true;
  }

  bool undo(std::string& text) {
    if (moves_.empty()) return text = "cannot undo", false;
    moves_.pop_back();
    return true;
  }

  bool is_taken(const std::string& vertex) const {
    return std::any_of(moves_.begin(), moves_.end(),
                       [&](const Move& move) { return move.vertex == vertex; });
  }

  Fault fault_;
  State state_ = State::Ended;
  std::string how_ = "exit code 0";
  int starts_ = 0;
  int genmoves_ = 0;
  rules::Size size_;
  std::vector<Move> moves_;
  std::vector<std::string> heard_;
};

Printed probe_fake(FakeEngine& engine) {
  return probe({{"gnugo", "--mode", "gtp", "--level", "3"}, milliseconds(500)}, engine);
}
Printed probe_fake(Fault fault) {
  FakeEngine engine(fault);
  return probe_fake(engine);
}

/// The report's line for a check, its columns one blank apart.
std::string line(const Printed& printed, const std::string& check) {
  const auto begin = printed.out.find("# " + check + "  ");
  if (begin == std::string::npos) return "no such line";
  std::string text;
  for (const char c : printed.out.substr(begin, printed.out.find('\n', begin) - begin)) {
    if (c != ' ' || text.back() != ' ') text += c;
  }
  return text.substr(check.size() + 3);
}

bool has(const Printed& printed, std::string_view text) {
  return printed.out.find(text) != std::string::npos;
}

TEST(Probe, AGoodEngineGetsAReportAndAProfile) {
  const Printed printed = probe_fake(Fault::None);
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_EQ(line(printed, "handshake"),
            "yes protocol 2, GNU Go 3.8, 13 commands, first answer 7 ms");
  EXPECT_EQ(line(printed, "answers in order when pipelined"), "yes 50 commands in one write, 7 ms");
  EXPECT_EQ(line(printed, "refuses an unknown command"), "yes unknown command");
  EXPECT_EQ(line(printed, "tolerates comment lines"), "yes");
  EXPECT_EQ(line(printed, "all board sizes"), "yes 2-20");
  EXPECT_EQ(line(printed, "rectangles"), "- rectangular_boardsize is not known");
  EXPECT_EQ(line(printed, "refuses an occupied point"), "yes");
  EXPECT_EQ(line(printed, "refuses suicide of one stone"), "no");
  EXPECT_EQ(line(printed, "undo takes back a pass"), "yes");
  EXPECT_EQ(line(printed, "refuses undo at the start"), "yes cannot undo");
  EXPECT_EQ(line(printed, "shows its board"), "yes list_stones");
  EXPECT_EQ(line(printed, "genmove"),
            "yes 9x9 A9 B9 C9 D9 E9 F9; median 7 ms, longest 7 ms, 0 bytes of stderr each");
  EXPECT_EQ(line(printed, "genmove on the largest board"), "yes 20x20, 7 ms");
  EXPECT_EQ(line(printed, "ends at quit"), "yes exit code 0");
  const auto profile = printed.out.find("[[profile]]");
  ASSERT_NE(profile, std::string::npos);
  EXPECT_EQ(printed.out.substr(profile), R"([[profile]]
kind = "gnugo"
command = ["gnugo", "--mode", "gtp", "--level", "3"]
reg_search_command = ""
cleanup_command = ""

[[profile.setting]]
key = "level"
standard = 3
)");
  EXPECT_TRUE(has(printed, "# It answered after 7 ms and took up to 7 ms for a move.\n"));
  EXPECT_TRUE(
      has(printed, R"(# The kind's own command is ["gnugo", "--mode", "gtp", "--never-resign"].)"));
}

TEST(Probe, OfAnEngineThatNobodyKnowsWhatWasSeenIsInTheProfile) {
  const Printed printed = probe_fake(Fault::IsNoKnownKind);
  EXPECT_EQ(printed.code, ExitCode::Done);
  const auto profile = printed.out.find("[[profile]]");
  ASSERT_NE(profile, std::string::npos);
  EXPECT_EQ(printed.out.substr(profile), R"([[profile]]
kind = "gtp"
name = "other-engine"
command = ["gnugo", "--mode", "gtp", "--level", "3"]
size_max = 20
clock = "kgs"
analysis = "lz-bare"
seed_command = "set_random_seed"
reg_search_command = ""
cleanup_command = ""
verify = "list_stones"
undo_max = 16
)");
}

TEST(Probe, EveryLineBeforeTheProfileIsAComment) {
  const Printed printed = probe_fake(Fault::None);
  const std::string report = printed.out.substr(0, printed.out.find("\n[[profile]]"));
  for (std::size_t begin = 0; begin < report.size();) {
    EXPECT_EQ(report[begin], '#') << report.substr(begin, 80);
    begin = std::min(report.find('\n', begin), report.size() - 1) + 1;
  }
}

TEST(Probe, AnEngineThatDiesInACheckIsStartedAgainForTheOthers) {
  FakeEngine engine(Fault::DiesInUndo);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(line(printed, "undo"), "FAILED the engine ended at 'undo': signal 11");
  EXPECT_EQ(line(printed, "set_free_handicap"), "yes");
  EXPECT_EQ(line(printed, "ends at quit"), "yes exit code 0");
  EXPECT_EQ(engine.starts(), 5) << "one for each death, one after quit";
  EXPECT_EQ(printed.code, ExitCode::Done) << "games are never played with undo";
  EXPECT_TRUE(has(printed, "can be used, but it failed in checks: 3."));
}

TEST(Probe, AnEngineThatHangsInGenmoveCannotBeUsed) {
  FakeEngine engine(Fault::HangsInGenmove);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(line(printed, "genmove"), "FAILED no answer within 500 ms at 'genmove b'");
  EXPECT_EQ(line(printed, "set_random_seed repeats moves"), "- genmove does not work");
  EXPECT_EQ(line(printed, "ends at quit"), "yes exit code 0");
  EXPECT_TRUE(has(printed, "cannot be used: genmove: no answer within 500 ms"));
  EXPECT_FALSE(has(printed, "[[profile]]"));
  EXPECT_EQ(engine.starts(), 3) << "one after the hang, one after quit";
}

TEST(Probe, AnEngineThatFailsTooOftenIsNotStartedAgain) {
  FakeEngine engine(Fault::DiesAtPass);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(line(printed, "last words on stderr"), "- oh no");
  EXPECT_EQ(line(printed, "play"), "FAILED the engine ended at 'play b pass': signal 9");
  EXPECT_EQ(line(printed, "undo takes back a pass"),
            "FAILED the engine ended at 'play w pass': signal 9");
  EXPECT_EQ(line(printed, "further checks"), "- 23 not made: it failed too often");
  EXPECT_EQ(engine.starts(), 4) << "three restarts";
}

TEST(Probe, ShiftedIdsEndTheProbeAtOnce) {
  FakeEngine engine(Fault::ShiftsIds);
  const Printed printed = probe_fake(engine);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_EQ(line(printed, "handshake"), "FAILED an answer with id 2 where 1 was awaited");
  EXPECT_EQ(engine.heard(), std::vector<std::string>{"protocol_version"});
  EXPECT_FALSE(has(printed, "[[profile]]"));
}

TEST(Probe, AnEngineThatRefusesKomiCannotBeUsed) {
  const Printed printed = probe_fake(Fault::RefusesKomi);
  EXPECT_EQ(printed.code, ExitCode::No);
  EXPECT_TRUE(has(printed, "cannot be used: komi: komi 7.5 is refused"));
}

TEST(Probe, ASecondAnswerToOneCommandIsCountedAndShiftsNothing) {
  const Printed printed = probe_fake(Fault::AnswersHandicapTwice);
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_EQ(line(printed, "second answers to one command"), "- 1");
  EXPECT_EQ(line(printed, "genmove").substr(0, 7), "yes 9x9");
}

TEST(Probe, ASizeThatKillsTheEngineIsNotInItsProfile) {
  const Printed printed = probe_fake(Fault::DiesOfSize20);
  EXPECT_EQ(line(printed, "all board sizes"),
            "FAILED the engine ended at 'boardsize 20': signal 6");
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_FALSE(has(printed, "size_max"));  // the kind has it so
}

TEST(Probe, AnEngineOfOneSizeIsCheckedOnIt) {
  const Printed printed = probe_fake(Fault::OnlySize19);
  EXPECT_EQ(printed.code, ExitCode::Done);
  EXPECT_EQ(line(printed, "all board sizes"), "yes 19");
  EXPECT_EQ(line(printed, "genmove").substr(0, 9), "yes 19x19");
  EXPECT_TRUE(has(printed, "size_min = 19\n"));
}

TEST(Probe, ASeedThatRepeatsNothingIsNotInTheProfile) {
  const Printed printed = probe_fake(Fault::RandomMoves);
  EXPECT_EQ(line(printed, "set_random_seed repeats moves").substr(0, 15), "no seed 1 gives");
  EXPECT_TRUE(has(printed, "seed_command = \"\"\n"));
}

TEST(Probe, AnEngineThatOutlivesQuitIsKilled) {
  const Printed printed = probe_fake(Fault::OutlivesQuit);
  EXPECT_EQ(line(printed, "ends at quit"), "no still running after 2000 ms");
  EXPECT_EQ(line(printed, "ends at the end of its input"), "yes exit code 0");
}

TEST(Probe, NothingThatIsKnownToKillEnginesIsSent) {
  FakeEngine engine;
  probe_fake(engine);
  const std::vector<std::string>& heard = engine.heard();
  for (std::size_t i = 1; i < heard.size(); ++i) {
    EXPECT_EQ(heard[i].find("resign"), std::string::npos);
    EXPECT_EQ(heard[i].find("sgf"), std::string::npos);
    EXPECT_FALSE(heard[i].find("genmove") != std::string::npos &&
                 heard[i - 1].find("pass") != std::string::npos)
        << heard[i - 1];
  }
}

TEST(Probe, ACommandIsNeeded) {
  FakeEngine engine;
  EXPECT_EQ(probe({}, engine).code, ExitCode::Usage);
}

TEST(Probe, AProgramThatCannotBeStartedIsNamed) {
  class Missing final : public ProbeEngine {
   public:
    std::optional<std::string> start() override { return "nogo: not found"; }
    Exchange ask(std::string_view, std::size_t, milliseconds) override { return {}; }
    void close_input() override {}
    std::optional<std::string> wait_exit(milliseconds) override { return std::nullopt; }
    void kill() override {}
    std::uint64_t error_bytes() const override { return 0; }
    std::uint64_t noise_lines() const override { return 0; }
    std::string error_tail() const override { return "oh\nno"; }
  };
  Missing engine;
  const Printed printed = probe({{"nogo"}, milliseconds(500)}, engine);
  EXPECT_EQ(printed.code, ExitCode::Failed);
  EXPECT_EQ(printed.error, "tengen: nogo: not found\n");
}

}  // namespace
}  // namespace tengen::cli
