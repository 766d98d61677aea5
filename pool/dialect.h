// The ways in which engines differ, as closed lists. Each has the word that the configuration uses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tengen::pool {

/// How an engine is told the rules of a game, after each clear_board: not at all; `tengen-rules`
/// with every component; `kgs-rules` with one of four names; `kata-set-rules` with components.
enum class RulesDialect : std::uint8_t { None, Tengen, Kgs, Kata };

/// How an engine is told the time: not at all; GTP 2's `time_settings` and `time_left`;
/// `kgs-time_settings`; `kata-time_settings`.
enum class ClockDialect : std::uint8_t { None, Gtp, Kgs, Kata };

/// Which streams of analysis it has: none; `lz-analyze` with or without the word `interval`
/// (Pachi refuses it); `kata-analyze`.
enum class AnalysisDialect : std::uint8_t { None, Lz, LzBare, Kata };

/// How a search that nobody wants any more is ended: waited out, killed with its process, or by
/// stop_command. One that is waited out is killed all the same when that would take longer than a
/// new process.
enum class CancelBy : std::uint8_t { Wait, Kill, Stop };

/// How an engine's board can be read: not; by `list_stones`; by the text of `showboard`.
enum class VerifyBy : std::uint8_t { None, ListStones, Showboard };

/// What becomes of a game whose rules the engine cannot play: refused when it is made, or made and
/// marked.
enum class OtherRules : std::uint8_t { Refuse, Mark };

// The configuration's words, and back.
std::string_view name_of(RulesDialect dialect);     // none tengen kgs kata
std::string_view name_of(ClockDialect dialect);     // none gtp kgs kata
std::string_view name_of(AnalysisDialect dialect);  // none lz lz-bare kata
std::string_view name_of(CancelBy way);             // wait kill stop
std::string_view name_of(VerifyBy way);             // none list_stones showboard
std::string_view name_of(OtherRules what);          // refuse mark
std::optional<RulesDialect> parse_rules_dialect(std::string_view text);
std::optional<ClockDialect> parse_clock_dialect(std::string_view text);
std::optional<AnalysisDialect> parse_analysis_dialect(std::string_view text);
std::optional<CancelBy> parse_cancel_by(std::string_view text);
std::optional<VerifyBy> parse_verify_by(std::string_view text);
std::optional<OtherRules> parse_other_rules(std::string_view text);

}  // namespace tengen::pool
