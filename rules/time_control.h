// How much time a game gives its players, and the text people write for it. Values only: how the
// time runs is clock.h, what engines are told of it is engine_clock.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tengen::rules {

enum class ClockSystem : std::uint8_t {
  None = 1,      // no limit
  Absolute = 2,  // main time for the whole game
  Fischer = 3,   // main time, and an increment after each move, up to a cap
  ByoYomi = 4,   // main time, then periods of which one is lost each time it is overstepped
  Canadian = 5,  // main time, then periods in each of which a number of moves must be made
  PerMove = 6,   // the same time for every move
};

struct TimeControl {
  ClockSystem system = ClockSystem::None;
  std::chrono::milliseconds main{0};       // Absolute, Fischer, ByoYomi, Canadian
  std::chrono::milliseconds increment{0};  // Fischer
  std::chrono::milliseconds cap{0};        // Fischer; 0 is no cap
  std::chrono::milliseconds period{0};     // ByoYomi, Canadian; PerMove: the time for a move
  int periods = 0;                         // ByoYomi
  int stones = 0;                          // Canadian: moves to be made in each period

  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

/// The longest main time, increment, cap and period: three weeks.
inline constexpr std::chrono::milliseconds kMaxControlTime = std::chrono::hours{24 * 21};
inline constexpr int kMaxPeriods = 1000;
inline constexpr int kMaxStones = 1000;

/// Why no game can be played with this; nothing when one can. A field that the system does not use
/// must be zero. A Fischer cap below the main time is refused, since the time the game begins with
/// could never be reached again, and one below the increment, since no move would gain all of it.
std::optional<std::string> problem(const TimeControl& control);

/// Reads `none`, `absolute:MAIN`, `fischer:MAIN+INCREMENT[/CAP]`, `byoyomi:MAIN+PERIODSxPERIOD`,
/// `canadian:MAIN+STONES/PERIOD` or `permove:TIME`. Times are seconds with up to three decimals:
/// `byoyomi:600+5x30`, `permove:0.25`. What comes back has no problem(); the other value says what
/// is wrong with the text.
std::variant<TimeControl, std::string> parse_time_control(std::string_view text);

/// The shortest text that parse_time_control reads as this control, which must have no problem().
std::string time_control_text(const TimeControl& control);

/// "none", "absolute", "fischer", "byoyomi", "canadian", "permove".
std::string_view name_of(ClockSystem system);

/// Seconds with as many decimals as are needed, at most three: "30", "0.25". Not for negative
/// times.
std::string seconds_text(std::chrono::milliseconds time);

}  // namespace tengen::rules
