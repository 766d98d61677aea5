// A profile is one kind of engine: how it is started, how many may run, what it may take, how it is
// spoken to and what a game may set. The daemon's configuration makes them, usually out of a
// shipped one (shipped.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pool/dialect.h"
#include "pool/engine_rules.h"
#include "rules/engine_clock.h"
#include "rules/log.h"
#include "rules/point.h"

namespace tengen::pool {

/// A setting that a game may choose: an integer in a range, sent as `<command> <value>` after each
/// clear_board.
struct SettingSpec {
  std::string key;      // e.g. "level"
  std::string command;  // e.g. "level"
  int minimum = 0;
  int maximum = 0;
  int standard = 0;  // used when the game does not choose
  friend bool operator==(const SettingSpec&, const SettingSpec&) = default;
};

/// More arguments for games by certain rules. An engine's variant is part of what it is: another
/// one needs another process.
struct Variant {
  std::string name;                    // e.g. "suicide"
  std::vector<std::string> arguments;  // appended to the profile's command
  RulesMatch plays;
  friend bool operator==(const Variant&, const Variant&) = default;
};

/// How long a move takes at one value of the pace setting.
struct Pace {
  int value = 0;
  std::chrono::milliseconds p99{0};  // on 19x19; smaller boards in proportion to their points
  friend bool operator==(const Pace&, const Pace&) = default;
};

/// What one process may take of the machine; 0 is no limit.
struct ProcessLimits {
  std::uint64_t address_space_bytes = 0;  // RLIMIT_AS
  std::uint64_t cpu_seconds = 0;          // RLIMIT_CPU, over the process's life
  std::uint32_t files = 0;                // RLIMIT_NOFILE
  int niceness = 0;                       // 0..19
  friend bool operator==(const ProcessLimits&, const ProcessLimits&) = default;
};

struct Profile {
  std::string name;

  // The process.
  std::vector<std::string> command;  // argv
  std::string directory;             // empty: the daemon's own
  /// What it gets beside kEnvironment: NAME passes the daemon's own value on, NAME=VALUE sets one.
  std::vector<std::string> environment;
  ProcessLimits process;
  std::uint64_t memory_max_bytes =
      0;                   // resident; beyond it an engine retires between searches. 0: none
  int processes_warm = 1;  // kept running without work
  int processes_max = 2;   // never more at once, those that are stopping included

  // What it plays.
  int size_min = 1;
  int size_max = 19;
  bool rectangles = false;
  RulesMatch plays;               // without variants
  std::vector<Variant> variants;  // the first that includes a game's rules is used
  OtherRules other_rules = OtherRules::Refuse;
  std::vector<SettingSpec> settings;
  /// The profile that takes over a seat which this one cannot go on with (illegal moves, engines
  /// that fail); empty: the seat forfeits.
  std::string substitute;

  // How it is spoken to.
  RulesDialect rules = RulesDialect::None;
  ClockDialect clock = ClockDialect::None;
  rules::NoLimitForm no_limit = rules::NoLimitForm::ZeroStones;
  AnalysisDialect analysis = AnalysisDialect::None;
  /// The command that seeds the engine's random choices, sent with a number before each genmove, so
  /// that its moves are the same whichever process plays them; empty when it has none.
  std::string seed_command;
  /// Makes the engine forget what it computed for earlier moves, sent before the seed: what an
  /// engine remembers can change its move. Empty: there is no need, or speed is dearer.
  std::string forget_command;
  std::string search_command = "genmove";  // asks for a move
  bool search_plays = true;                // the engine plays the move on its own board
  /// Asks for a move and never plays it; empty: plain search_command, and the position is told
  /// anew.
  std::string reg_search_command = "reg_genmove";
  std::string cleanup_command = "kgs-genmove_cleanup";  // empty: plain search_command
  bool moves_after_passes = true;  // a plain genmove after two passes is harmless
  CancelBy cancel = CancelBy::Wait;
  std::string stop_command;  // for CancelBy::Stop; a line without an answer when it begins with '#'
  VerifyBy verify = VerifyBy::None;
  int verify_every = 64;             // jobs of an engine between two looks at its board
  int undo_max = 0;                  // more moves are never taken back; the position is replayed
  std::size_t line_bytes_max = 255;  // of a command, newline included
  std::vector<std::string> raw_commands;  // that clients may send, by name

  // Time.
  bool honours_clock = false;  // it plays faster when it has less time
  std::string pace_setting;    // the setting that is lowered when time is short; empty: none
  std::vector<Pace> pace;      // ascending by value; without a setting one, of value 0
  std::chrono::milliseconds start_limit{30'000};    // from spawn to the end of the handshake
  std::chrono::milliseconds answer_limit{10'000};   // for each answer that is not a search
  std::chrono::milliseconds search_limit{60'000};   // genmove, from the last sync answer
  std::chrono::milliseconds list_limit{60'000};     // status lists and final_score, likewise
  std::chrono::milliseconds stream_limit{600'000};  // the longest an analysis may go on
  std::chrono::milliseconds idle_limit{300'000};    // then a process beyond the warm ones quits
  std::chrono::milliseconds quarantine{10'000};     // for a job that two engines failed at

  // The queue.
  std::size_t queue_max = 1024;            // jobs waiting
  std::size_t queue_per_client_max = 256;  // of one client
  /// Shares of the engines' time while all kinds of work wait: moves, questions, analysis.
  int share_moves = 16;
  int share_questions = 4;
  int share_analysis = 1;

  friend bool operator==(const Profile&, const Profile&) = default;

  /// Why a game of this size with these settings cannot be played by this profile; nothing if it
  /// can.
  std::optional<std::string> problem(rules::Size size, const rules::Settings& chosen) const;
  /// Why these rules cannot be played as they are; nothing if they can. What to do about it is
  /// other_rules' business.
  std::optional<std::string> problem(const rules::Ruleset& rules) const;
  /// Which variant plays these rules: an index into variants; the first when none includes them,
  /// 0 when there are none.
  std::size_t variant_for(const rules::Ruleset& rules) const;
};

/// The environment variables that every engine gets from the daemon's own, where they are set;
/// a name that ends in '_' stands for all that begin so.
inline constexpr const char* kEnvironment[] = {"PATH", "HOME", "USER",   "LOGNAME",
                                               "LANG", "LC_",  "TMPDIR", "TZ"};

/// What is wrong with the profile itself; nothing if it can be used.
std::optional<std::string> problem(const Profile& profile);

}  // namespace tengen::pool
