// A profile is one kind of engine: how it is started, how many may run, what it may take and what a
// game may set. The daemon's configuration makes them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
};

/// How an engine is told the rules of a game: not at all, or by `tengen-rules` with every
/// component, after each clear_board.
enum class RulesDialect : std::uint8_t { None, Tengen };
/// The configuration's words: "none", "tengen".
std::optional<RulesDialect> parse_rules_dialect(std::string_view text);

struct Profile {
  std::string name;
  std::vector<std::string> command;  // argv
  std::string directory;             // empty: the daemon's own
  int processes_warm = 1;            // kept running without work
  int processes_max = 2;             // never more at once, those that are stopping included
  int size_min = 1;
  int size_max = 19;
  bool rectangles = false;
  RulesDialect rules = RulesDialect::None;
  /// The command that seeds the engine's random choices, sent with a number before each genmove, so
  /// that its moves are the same whichever process plays them; empty when it has none.
  std::string seed_command;
  std::vector<SettingSpec> settings;
  std::chrono::milliseconds start_limit{30'000};   // from spawn to the end of the handshake
  std::chrono::milliseconds answer_limit{10'000};  // for each answer that is not a search
  std::chrono::milliseconds search_limit{60'000};  // genmove, from the last sync answer
  std::chrono::milliseconds list_limit{60'000};    // final_status_list, likewise
  std::chrono::milliseconds idle_limit{300'000};   // then a process beyond the warm ones quits
  std::size_t queue_max = 1024;                    // jobs waiting

  /// Why a game of this size with these settings cannot be played by this profile; nothing if it
  /// can.
  std::optional<std::string> problem(rules::Size size, const rules::Settings& chosen) const;
};

/// What is wrong with the profile itself; nothing if it can be used.
std::optional<std::string> problem(const Profile& profile);

}  // namespace tengen::pool
