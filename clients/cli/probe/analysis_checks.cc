// The checks of analysis: whether a stream runs, can be read and lets go of the engine. They go
// from the poorer to the richer dialect, so that the last one that streamed is the profile's.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "clients/cli/probe/checks.h"
#include "pool/analysis.h"
#include "rules/color.h"

namespace tengen::cli {
namespace {

using pool::AnalysisDialect;
using rules::Color;
using std::chrono::milliseconds;

constexpr std::size_t kUpdates = 2;  // one could be an answer and no stream
// The shortest: an engine that bounds its playouts may have few moments to tell of.
constexpr milliseconds kInterval{10};
constexpr std::size_t kQuotedMax = 60;

pool::AnalysisRequest request() {
  pool::AnalysisRequest request;
  request.interval = kInterval;
  return request;
}

std::string first_word(const std::string& command) {
  return std::string(pool::words(command).front());
}

std::string count_text(std::size_t updates) {
  if (updates == 0) return "no update";
  return std::to_string(updates) + (updates == 1 ? " update" : " updates");
}

/// The first update that is none in the dialect, on an empty board with Black to move.
std::optional<std::string> unreadable(const Stream& stream, AnalysisDialect dialect, int size) {
  for (const std::string& update : stream.updates) {
    const auto read = pool::read_analysis(dialect, update, square(size), Color::Black);
    if (const auto* problem = std::get_if<std::string>(&read)) {
      return "an update cannot be read: " + *problem;
    }
  }
  return std::nullopt;
}

std::string refused(const std::string& command, const pool::Answer& answer) {
  return "'" + command + "' is refused: " + pool::printable(answer.text, kQuotedMax);
}

/// What it said instead of updates, or behind them.
std::string other_words(const Stream& stream) {
  if (stream.end.text.empty()) return "";
  return ", but '" + pool::printable(stream.end.text, kQuotedMax) + "'";
}

Result judge(const Stream& stream, const std::string& command, AnalysisDialect dialect, int size) {
  if (!stream.end.is_success) return {Verdict::No, refused(command, stream.end)};
  if (auto problem = unreadable(stream, dialect, size)) return {Verdict::No, std::move(*problem)};
  const std::string heard = count_text(stream.updates.size());
  if (stream.updates.size() < (stream.ended_by_itself ? 1 : kUpdates)) {
    const std::string until = stream.ended_by_itself
                                  ? " until it ended by itself"
                                  : " within " + milliseconds_text(stream.listened);
    return {Verdict::No, heard + until + other_words(stream)};
  }
  return {Verdict::Yes,
          "first update after " + milliseconds_text(stream.first_update) + ", " + heard +
              ", ended " +
              (stream.ended_by_itself ? "by itself"
                                      : milliseconds_text(stream.ending) + " after the fence")};
}

/// Ids alone do not show that no text has moved to another answer.
void check_name(ProbeSession& session, const Findings& findings) {
  const pool::Answer name = session.ask("name");
  if (!session.failure().empty() || pool::printable(name.text) == findings.name) return;
  session.lose_framing("after a stream 'name' is answered '" +
                       pool::printable(name.text, kQuotedMax) + "'");
}

Result streams(ProbeSession& session, Findings& findings, AnalysisDialect dialect) {
  const std::string command = pool::analysis_command(dialect, request(), Color::Black);
  if (!is_known(session, findings, first_word(command))) return not_known(first_word(command));
  if (!clear(session, findings.size)) return {Verdict::Told, "no empty board"};
  const Stream stream = session.stream(command, kUpdates);
  check_name(session, findings);
  const Result result = judge(stream, command, dialect, findings.size);
  if (result.verdict == Verdict::Yes && session.failure().empty()) findings.analysis = dialect;
  return result;
}
Result lz_bare(ProbeSession& session, Findings& findings) {
  return streams(session, findings, AnalysisDialect::LzBare);
}
Result lz(ProbeSession& session, Findings& findings) {
  return streams(session, findings, AnalysisDialect::Lz);
}
Result kata(ProbeSession& session, Findings& findings) {
  return streams(session, findings, AnalysisDialect::Kata);
}

/// The move of "play F5".
std::optional<pool::Answer> played(const pool::Answer& answer) {
  const auto words = pool::words(answer.text);
  if (!answer.is_success || words.size() != 2 || words.front() != "play") return std::nullopt;
  pool::Answer move;
  move.text = words.back();
  return move;
}

Result genmove_analyze(ProbeSession& session, Findings& findings) {
  if (findings.analysis == AnalysisDialect::None) return {Verdict::Skipped, "no stream works"};
  if (!findings.has_genmove) return no_genmove();
  const std::string command =
      pool::genmove_analyze_command(findings.analysis, request(), Color::Black);
  if (!is_known(session, findings, first_word(command))) return not_known(first_word(command));
  if (!clear(session, findings.size)) return {Verdict::Told, "no empty board"};
  const Stream search = session.search(command);
  if (!search.end.is_success) return {Verdict::No, refused(command, search.end)};
  if (auto problem = unreadable(search, findings.analysis, findings.size)) {
    return {Verdict::No, std::move(*problem)};
  }
  const std::string said = pool::printable(search.end.text, kQuotedMax);
  const auto move = played(search.end);
  if (!move || !is_move(*move, findings.size)) {
    return {Verdict::No, "'" + said + "' at the end is no play on that board"};
  }
  findings.slowest_move = std::max(findings.slowest_move, session.took());
  return {Verdict::Yes, said + ", " + count_text(search.updates.size()) + ", " +
                            milliseconds_text(session.took())};
}

}  // namespace

std::vector<Check> analysis_checks() {
  return {
      {"lz-analyze", Need::May, lz_bare},
      {"lz-analyze with interval", Need::May, lz},
      {"kata-analyze", Need::May, kata},
      {"move with analysis", Need::May, genmove_analyze},
  };
}

}  // namespace tengen::cli
