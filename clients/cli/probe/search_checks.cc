// The checks of what the engine computes: moves and their time, seeds, scores, clocks; and how it
// can be told rules.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/probe/checks.h"
#include "rules/ascii.h"
#include "rules/point.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kMoves = 6;
constexpr int kSeeds = 3;

bool ends_game(const pool::Answer& answer) {
  const std::string text = rules::lower(answer.text);
  return text == "pass" || text == "resign";
}

std::string no_move(const pool::Answer& answer) {
  return "'" + pool::printable(answer.text, 60) + "' is no move on that board";
}

Result genmove(ProbeSession& session, Findings& findings) {
  if (!clear(session, findings.size)) return {Verdict::No, "no empty board"};
  const std::uint64_t error_bytes = session.error_bytes();
  std::vector<milliseconds> times;
  std::string moves;
  for (int i = 0; i < kMoves; ++i) {
    const pool::Answer answer = session.ask(i % 2 == 0 ? "genmove b" : "genmove w");
    if (!is_move(answer, findings.size)) return {Verdict::No, no_move(answer)};
    times.push_back(session.took());
    moves += ' ' + answer.text;
    if (ends_game(answer)) break;
  }
  std::sort(times.begin(), times.end());
  findings.has_genmove = true;
  findings.slowest_move = std::max(findings.slowest_move, times.back());
  const auto size = std::to_string(findings.size);
  return {Verdict::Yes, size + "x" + size + moves + "; median " +
                            milliseconds_text(times[times.size() / 2]) + ", longest " +
                            milliseconds_text(times.back()) + ", " +
                            std::to_string((session.error_bytes() - error_bytes) / times.size()) +
                            " bytes of stderr each"};
}

Result genmove_on(ProbeSession& session, Findings& findings, int size) {
  // An engine that dies of it loses the size, so the size is entered again when it lived.
  findings.sizes.erase(size);
  const std::string board = std::to_string(size) + "x" + std::to_string(size);
  if (!clear(session, size)) return {Verdict::No, board};
  const pool::Answer answer = session.ask("genmove b");
  if (!is_move(answer, size)) return {Verdict::No, board + ": " + no_move(answer)};
  findings.sizes.insert(size);
  findings.slowest_move = std::max(findings.slowest_move, session.took());
  return {Verdict::Yes, board + ", " + milliseconds_text(session.took())};
}
Result genmove_smallest(ProbeSession& session, Findings& findings) {
  if (!findings.has_genmove) return no_genmove();
  const int size = *findings.sizes.begin();
  if (size == findings.size) return {Verdict::Skipped, "there is no smaller board"};
  return genmove_on(session, findings, size);
}
Result genmove_largest(ProbeSession& session, Findings& findings) {
  if (!findings.has_genmove) return no_genmove();
  const int size = *findings.sizes.rbegin();
  if (size == findings.size) return {Verdict::Skipped, "there is no larger board"};
  return genmove_on(session, findings, size);
}

/// A move that was played could not be played again.
Result reg_genmove(ProbeSession& session, Findings& findings) {
  if (!is_known(session, findings, "reg_genmove")) return not_known("reg_genmove");
  if (!play_all(session, findings, {"b B2"})) return {Verdict::Told, "no position"};
  const pool::Answer answer = session.ask("reg_genmove w");
  if (!is_move(answer, findings.size)) return {Verdict::No, no_move(answer)};
  findings.has_reg_genmove = ends_game(answer) || session.accepts("play w " + answer.text);
  if (ends_game(answer)) return {Verdict::Yes, answer.text};
  return yes_or_no(findings.has_reg_genmove, answer.text + " is not played");
}

std::optional<std::string> seeded_move(ProbeSession& session, const Findings& findings, int seed) {
  if (!play_all(session, findings, {"b B2"})) return std::nullopt;
  if (!session.accepts("set_random_seed " + std::to_string(seed))) return std::nullopt;
  const pool::Answer answer = session.ask("genmove w");
  if (!answer.is_success) return std::nullopt;
  return answer.text;
}

Result seed(ProbeSession& session, Findings& findings) {
  if (!is_known(session, findings, "set_random_seed")) return not_known("set_random_seed");
  if (!findings.has_genmove) return no_genmove();
  std::string moves;
  for (int i = 1; i <= kSeeds; ++i) {
    const auto first = seeded_move(session, findings, i);
    const auto second = seeded_move(session, findings, i);
    if (!first || !second) return {Verdict::No, "it is refused"};
    if (*first != *second) {
      return {Verdict::No, "seed " + std::to_string(i) + " gives " + *first + " and " + *second};
    }
    moves += ' ' + *first;
  }
  findings.has_seed = true;
  return {Verdict::Yes, "the same moves twice from three seeds:" + moves};
}

/// A wall of each color across the middle of an empty board: all alive, nothing left to play.
std::vector<std::string> settled(int size) {
  std::vector<std::string> plays;
  for (int row = 0; row < size; ++row) {
    plays.push_back("b " + rules::gtp_vertex(rules::Point::at(size / 2 - 1, row), square(size)));
    plays.push_back("w " + rules::gtp_vertex(rules::Point::at(size / 2, row), square(size)));
  }
  return plays;
}

Result after_settled(ProbeSession& session, const Findings& findings, const std::string& command,
                     const std::string& arguments, const std::vector<std::string>& passes) {
  if (!is_known(session, findings, command)) return not_known(command);
  auto plays = settled(findings.size);
  plays.insert(plays.end(), passes.begin(), passes.end());
  if (!play_all(session, findings, plays)) return {Verdict::Told, "the position is refused"};
  const pool::Answer answer = session.ask(command + arguments);
  const std::string text = pool::printable(answer.text, 60);
  return yes_or_no(answer.is_success,
                   (text.empty() ? "none" : text) + ", " + milliseconds_text(session.took()));
}
Result final_score(ProbeSession& session, Findings& findings) {
  return after_settled(session, findings, "final_score", "", {"b pass", "w pass"});
}
Result dead_list(ProbeSession& session, Findings& findings) {
  return after_settled(session, findings, "final_status_list", " dead", {"b pass", "w pass"});
}
Result cleanup(ProbeSession& session, Findings& findings) {
  const Result result = after_settled(session, findings, "kgs-genmove_cleanup", " b", {});
  findings.has_cleanup = result.verdict == Verdict::Yes;
  return result;
}

Result accepted(ProbeSession& session, const Findings& findings, const std::string& command,
                const std::vector<std::string>& lines) {
  if (!is_known(session, findings, command)) return not_known(command);
  if (!clear(session, findings.size)) return {Verdict::Told, "no empty board"};
  for (const std::string& line : lines) {
    const pool::Answer answer = session.ask(line);
    if (!answer.is_success) return {Verdict::No, line + ": " + pool::printable(answer.text, 60)};
  }
  return {Verdict::Yes, ""};
}
/// The checks go from the poorer to the richer words.
Result clock(ProbeSession& session, Findings& findings, pool::ClockDialect dialect,
             const std::string& command, const std::vector<std::string>& lines) {
  const Result result = accepted(session, findings, command, lines);
  if (result.verdict == Verdict::Yes) findings.clock = dialect;
  return result;
}
Result time_settings(ProbeSession& session, Findings& findings) {
  // The last one takes the limit away again.
  return clock(session, findings, pool::ClockDialect::Gtp, "time_settings",
               {"time_settings 60 30 5", "time_settings 60 0 0", "time_settings 0 1 0"});
}
Result time_left(ProbeSession& session, Findings& findings) {
  const Result result =
      accepted(session, findings, "time_left",
               {"time_settings 600 30 5", "time_left b 500 0", "time_left w 25 5"});
  if (result.verdict == Verdict::Yes) session.accepts("time_settings 0 1 0");
  return result;
}
Result kgs_time_settings(ProbeSession& session, Findings& findings) {
  return clock(session, findings, pool::ClockDialect::Kgs, "kgs-time_settings",
               {"kgs-time_settings byoyomi 60 10 3", "kgs-time_settings none"});
}
Result kata_time_settings(ProbeSession& session, Findings& findings) {
  return clock(session, findings, pool::ClockDialect::Kata, "kata-time_settings",
               {"kata-time_settings fischer 60 5", "kata-time_settings none"});
}

/// Which of the commands are known: nothing is sent to them.
Result which(ProbeSession& session, const Findings& findings,
             const std::vector<std::string>& commands) {
  std::string known;
  for (const std::string& command : commands) {
    if (is_known(session, findings, command)) known += (known.empty() ? "" : ", ") + command;
  }
  return {Verdict::Told, known.empty() ? "none known" : known};
}
Result rules_dialects(ProbeSession& session, Findings& findings) {
  using pool::RulesDialect;
  if (is_known(session, findings, "kgs-rules")) findings.rules = RulesDialect::Kgs;
  if (is_known(session, findings, "kata-set-rules")) findings.rules = RulesDialect::Kata;
  if (is_known(session, findings, "tengen-rules")) findings.rules = RulesDialect::Tengen;
  return which(session, findings, {"tengen-rules", "kata-set-rules", "kgs-rules"});
}

}  // namespace

std::vector<Check> search_checks() {
  return {
      {"genmove", Need::Must, genmove},
      {"genmove on the smallest board", Need::May, genmove_smallest},
      {"genmove on the largest board", Need::May, genmove_largest},
      {"reg_genmove", Need::May, reg_genmove},
      {"set_random_seed repeats moves", Need::May, seed},
      {"final_score", Need::May, final_score},
      {"final_status_list dead", Need::May, dead_list},
      {"kgs-genmove_cleanup", Need::May, cleanup},
      {"time_settings", Need::May, time_settings},
      {"time_left", Need::May, time_left},
      {"kgs-time_settings", Need::May, kgs_time_settings},
      {"kata-time_settings", Need::May, kata_time_settings},
      {"ways to be told rules", Need::May, rules_dialects},
  };
}

bool is_move(const pool::Answer& answer, int size) {
  const std::string text = rules::lower(answer.text);
  return answer.is_success && (text == "pass" || text == "resign" ||
                               rules::parse_gtp_vertex(text, square(size)).has_value());
}

Result no_genmove() { return {Verdict::Skipped, "genmove does not work"}; }

}  // namespace tengen::cli
