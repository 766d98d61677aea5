// See probe.h. One walk along the list of checks; a fresh process whenever there is none.
#include "clients/cli/probe/probe.h"

#include <optional>
#include <utility>

#include "clients/cli/probe/checks.h"
#include "clients/cli/probe/report.h"
#include "clients/cli/probe/session.h"
#include "clients/cli/wording.h"

namespace tengen::cli {
namespace {

constexpr int kRestartsMax = 3;

std::vector<Check> all_checks() {
  std::vector<Check> all;
  for (const auto& part : {protocol_checks(), board_checks(), play_checks(), search_checks(),
                           analysis_checks(), ending_checks()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

class Walk {
 public:
  Walk(ProbeEngine& engine, std::chrono::milliseconds timeout) : session_(engine, timeout) {}

  /// Why the program cannot be started, or nothing after all checks.
  std::optional<std::string> run();

  const std::vector<Checked>& checked() const { return checked_; }
  const Findings& findings() const { return findings_; }
  /// Why the engine cannot be used; empty if it can.
  const std::vector<std::string>& faults() const { return faults_; }
  /// How often it died, hung or lost count.
  int failures() const { return failures_; }

 private:
  bool can_go_on();
  void skip(const Check& check);
  Result make(const Check& check);
  void judge(const Check& check, const Result& result);
  void conclude();

  ProbeSession session_;
  Findings findings_;
  std::vector<Checked> checked_;
  std::vector<std::string> faults_;
  std::string stopped_;  // why no check is made any more
  int failures_ = 0;
  int skipped_ = 0;
};

std::optional<std::string> Walk::run() {
  if (auto wrong = session_.start()) return wrong;
  for (const Check& check : all_checks()) {
    if (!can_go_on()) {
      skip(check);
      continue;
    }
    const Result result = make(check);
    checked_.push_back({check.name, result});
    judge(check, result);
  }
  session_.stop();
  conclude();
  return std::nullopt;
}

/// Whether there is a process for the next check, perhaps a fresh one.
bool Walk::can_go_on() {
  if (stopped_.empty() && !session_.is_running()) {
    if (const auto wrong = session_.start()) stopped_ = "it cannot be started again: " + *wrong;
  }
  return stopped_.empty();
}

/// Without the answer to what it must do, the engine cannot be recommended.
void Walk::skip(const Check& check) {
  ++skipped_;
  if (check.need == Need::Must && faults_.empty()) {
    faults_.push_back(std::string(check.name) + ": not checked, " + stopped_);
  }
}

Result Walk::make(const Check& check) {
  Result result = check.run(session_, findings_);
  if (!session_.failure().empty()) {
    result = {Verdict::Failed, session_.failure()};
    if (++failures_ > kRestartsMax) stopped_ = "it failed too often";
    session_.stop();
  }
  return result;
}

/// Until a board is known to work, what must work is needed for all that follows.
void Walk::judge(const Check& check, const Result& result) {
  if (check.need == Need::May || result.verdict == Verdict::Yes) return;
  faults_.push_back(std::string(check.name) + ": " +
                    (result.detail.empty() ? "no" : result.detail));
  if (findings_.size == 0 && stopped_.empty()) stopped_ = "they need what this engine lacks";
}

void Walk::conclude() {
  const auto told = [&](std::string_view name, std::string detail) {
    checked_.push_back({name, {Verdict::Told, std::move(detail)}});
  };
  if (skipped_ > 0) told("further checks", std::to_string(skipped_) + " not made: " + stopped_);
  told("bytes on stderr in all", std::to_string(session_.error_bytes()));
  if (failures_ > 0) told("last words on stderr", pool::printable(session_.error_tail()));
  told("lines outside answers", std::to_string(session_.noise_lines()));
  told("second answers to one command", std::to_string(session_.surplus_answers()));
  if (!session_.lost_framing().empty() && faults_.empty()) {
    faults_.push_back(session_.lost_framing());
  }
}

std::string command_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += ' ' + printable(word);
  return text;
}

}  // namespace

Printed probe(const ProbeOptions& options, ProbeEngine& engine) {
  if (options.command.empty()) return {"", "tengen: which engine?\n", ExitCode::Usage};
  Walk walk(engine, options.timeout);
  if (const auto wrong = walk.run()) {
    return {"", "tengen: " + printable(*wrong) + '\n', ExitCode::Failed};
  }
  Printed printed;
  printed.out = "# tengen probe --" + command_text(options.command) + "\n#\n" +
                checks_text(walk.checked()) + "#\n";
  if (walk.faults().empty()) {
    printed.out += "# The engine can be used" +
                   (walk.failures() == 0
                        ? std::string(".")
                        : ", but it failed in checks: " + std::to_string(walk.failures()) + ".") +
                   '\n' + profile_text(options.command, walk.findings());
    return printed;
  }
  for (const std::string& fault : walk.faults()) {
    printed.out += "# The engine cannot be used: " + printable(fault) + '\n';
  }
  printed.code = ExitCode::No;
  return printed;
}

}  // namespace tengen::cli
