// The list of what a probe tries, and what it learns. A check asks through the session as if
// nothing could fail. No check sends what is known to kill engines: resignations as plays, vertices
// off the board, files, handicap on a board with stones, a genmove after two passes.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/probe/session.h"
#include "pool/dialect.h"
#include "rules/point.h"
#include "rules/ruleset.h"

namespace tengen::cli {

/// What the checks have found so far; later ones and the profile use it.
struct Findings {
  std::string name;
  std::string version;
  std::set<std::string> commands;  // of list_commands
  int size = 0;                    // of the board for the checks; 0: none is known to work
  std::set<int> sizes;             // that can be set and played on
  bool has_rectangles = false;
  bool has_seed = false;
  bool has_genmove = false;
  bool has_reg_genmove = false;  // one that plays nothing
  bool has_cleanup = false;
  bool has_undo = false;  // of moves and of passes
  bool refuses_superko = false;
  rules::SuicideRule suicide = rules::SuicideRule::Any;  // that it takes
  pool::VerifyBy verify = pool::VerifyBy::None;          // how its board can be read
  // The richest words it knows, of each kind; of analysis the richest that streamed.
  pool::RulesDialect rules = pool::RulesDialect::None;
  pool::ClockDialect clock = pool::ClockDialect::None;
  pool::AnalysisDialect analysis = pool::AnalysisDialect::None;
  std::chrono::milliseconds start{0};         // until the first answer
  std::chrono::milliseconds slowest_move{0};  // of any genmove
};

enum class Verdict : std::uint8_t {
  Yes,
  No,
  Told,     // neither good nor bad
  Skipped,  // does not apply to this engine
  Failed,   // the engine died, hung or lost count
};

struct Result {
  Verdict verdict = Verdict::Told;
  std::string detail;
};

/// Whether an engine can be used that fails the check.
enum class Need : std::uint8_t { Must, May };

struct Check {
  std::string_view name;
  Need need = Need::May;
  Result (*run)(ProbeSession& session, Findings& findings) = nullptr;
};

/// In the order in which they are made; the first is the handshake.
std::vector<Check> protocol_checks();
std::vector<Check> board_checks();
std::vector<Check> play_checks();
std::vector<Check> search_checks();
std::vector<Check> analysis_checks();
/// Each of these ends the process.
std::vector<Check> ending_checks();

// For the checks.

/// A square board; the size is 1 to 25.
rules::Size square(int size);
/// An empty board of that size with komi 7.5.
bool clear(ProbeSession& session, int size);
/// Whether the engine lists the command, or says that it knows it.
bool is_known(ProbeSession& session, const Findings& findings, const std::string& command);
/// Whether all these plays ("b D4") are accepted on an empty board of the checks' size.
bool play_all(ProbeSession& session, const Findings& findings,
              const std::vector<std::string>& plays);
/// Whether it is a move on a square board, a pass or a resignation.
bool is_move(const pool::Answer& answer, int size);
std::string milliseconds_text(std::chrono::milliseconds time);
Result yes_or_no(bool is_yes, std::string detail = "");
Result not_known(const std::string& command);
/// Of a check that asks for a move where none was to be had.
Result no_genmove();

}  // namespace tengen::cli
