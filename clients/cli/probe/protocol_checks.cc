// The checks of the protocol itself, and of how the engine ends.
#include <optional>
#include <utility>

#include "clients/cli/probe/checks.h"

namespace tengen::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kPipelined = 50;
constexpr milliseconds kExitLimit{2'000};

Result handshake(ProbeSession& session, Findings& findings) {
  const pool::Answer protocol = session.ask("protocol_version");
  findings.start = session.took();
  const pool::Answer name = session.ask("name");
  const pool::Answer version = session.ask("version");
  const pool::Answer list = session.ask("list_commands");
  findings.name = pool::printable(name.text);
  findings.version = pool::printable(version.text);
  for (const std::string_view word : pool::words(list.text)) findings.commands.emplace(word);
  if (!name.is_success) return {Verdict::No, "name is refused"};
  if (!list.is_success) return {Verdict::No, "list_commands is refused"};
  return {Verdict::Yes, "protocol " + pool::printable(protocol.text) + ", " + findings.name +
                            (findings.version.empty() ? "" : " ") + findings.version + ", " +
                            std::to_string(findings.commands.size()) + " commands, first answer " +
                            milliseconds_text(findings.start)};
}

Result ids(ProbeSession& session, Findings&) {
  const auto largest = session.ask_raw("999999999 name\n", 1);
  const auto none = session.ask_raw("name\n", 1);
  if (largest.empty() || none.empty()) return {Verdict::No, ""};
  if (largest.front().id != 999'999'999) return {Verdict::No, "999999999 is not echoed"};
  if (none.front().id != 0) return {Verdict::No, "an id is made up where none was sent"};
  return {Verdict::Yes, "up to 999999999, and none where none was sent"};
}

Result pipelining(ProbeSession& session, Findings&) {
  std::vector<std::string> commands;
  for (int i = 0; i < kPipelined; ++i) {
    commands.emplace_back(i % 2 == 0 ? "name" : "protocol_version");
  }
  const auto answers = session.ask_at_once(commands);
  return yes_or_no(
      answers.size() == commands.size(),
      std::to_string(kPipelined) + " commands in one write, " + milliseconds_text(session.took()));
}

Result unknown_command(ProbeSession& session, Findings&) {
  const pool::Answer answer = session.ask("tengen-no-such-command");
  return yes_or_no(!answer.is_success, pool::printable(answer.text));
}

/// A command between odd bytes. Answers without id are answers to those.
Result between(ProbeSession& session, const std::string& before, const std::string& after) {
  constexpr std::uint32_t kId = 900'000'000;
  int surplus = 0;
  auto answers = session.ask_raw(before + std::to_string(kId) + " name" + after, 1);
  while (!answers.empty() && answers.back().id != kId && surplus < 3) {
    ++surplus;
    answers = session.ask_raw("", 1);
  }
  if (answers.empty()) return {Verdict::No, ""};
  if (surplus > 0) return {Verdict::No, "it is answered"};
  if (answers.back().is_success) return {Verdict::Yes, ""};
  return {Verdict::No, pool::printable(answers.back().text, 60)};
}

Result blank_lines(ProbeSession& session, Findings&) { return between(session, "\n\n", "\n"); }
Result crlf(ProbeSession& session, Findings&) { return between(session, "", "\r\n"); }
Result comments(ProbeSession& session, Findings&) {
  return between(session, "# a comment\n", "\n");
}

std::string ended_text(const std::optional<std::string>& ended) {
  return ended ? *ended : "still running after " + milliseconds_text(kExitLimit);
}

Result ends_at_quit(ProbeSession& session, Findings&) {
  if (!session.accepts("name")) return {Verdict::No, ""};
  const auto ended = session.quit(kExitLimit);
  return yes_or_no(ended.has_value(), ended_text(ended));
}

Result ends_at_eof(ProbeSession& session, Findings&) {
  if (!session.accepts("name")) return {Verdict::No, ""};
  const auto ended = session.close_input(kExitLimit);
  return yes_or_no(ended.has_value(), ended_text(ended));
}

}  // namespace

std::vector<Check> protocol_checks() {
  return {
      {"handshake", Need::Must, handshake},
      {"echoes ids", Need::Must, ids},
      {"answers in order when pipelined", Need::Must, pipelining},
      {"refuses an unknown command", Need::May, unknown_command},
      {"tolerates blank lines", Need::May, blank_lines},
      {"tolerates CR LF", Need::May, crlf},
      {"tolerates comment lines", Need::May, comments},
  };
}

std::vector<Check> ending_checks() {
  return {
      {"ends at quit", Need::May, ends_at_quit},
      {"ends at the end of its input", Need::May, ends_at_eof},
  };
}

std::string milliseconds_text(milliseconds time) { return std::to_string(time.count()) + " ms"; }

Result yes_or_no(bool is_yes, std::string detail) {
  return {is_yes ? Verdict::Yes : Verdict::No, std::move(detail)};
}

Result not_known(const std::string& command) {
  return {Verdict::Skipped, command + " is not known"};
}

bool is_known(ProbeSession& session, const Findings& findings, const std::string& command) {
  if (findings.commands.count(command) > 0) return true;
  if (findings.commands.count("known_command") == 0) return false;
  const pool::Answer answer = session.ask("known_command " + command);
  return answer.is_success && answer.text == "true";
}

}  // namespace tengen::cli
