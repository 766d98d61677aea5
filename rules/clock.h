// Two players' clocks as arithmetic: nothing here reads the time, every call is told what it is.
// The exact-instant rule, for flags and for byo-yomi periods alike: a move at exactly the last
// instant is in time, the flag falls and a period is lost strictly after it. Faces are kept to the
// nanosecond, so nothing is rounded.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "rules/color.h"
#include "rules/time_control.h"

namespace tengen::rules {

using ClockTime = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;

/// What one side has left. A face says everything, also in the middle of a turn, so a game resumes
/// from a logged one. Fields that the system does not use are zero. Main time is over when
/// main_left is 0; while there is some, the rest waits untouched.
struct ClockFace {
  std::chrono::nanoseconds main_left{0};
  std::chrono::nanoseconds period_left{0};  // of the present period; PerMove: of the move
  int periods_left = 0;  // ByoYomi: the present one counts; 0 once the last was overstepped
  int stones_left = 0;   // Canadian: moves still to be made in the present period

  friend bool operator==(const ClockFace&, const ClockFace&) = default;
};
using ClockFaces = std::array<ClockFace, 2>;  // by index_of a colour

/// The most main time a face can hold. A Fischer clock without a cap stops gaining there.
inline constexpr std::chrono::nanoseconds kMaxTimeLeft = std::chrono::hours{24 * 365};

/// The face a game begins with. Here and below the control must have no problem().
ClockFace first_face(const TimeControl& control);
/// Whether this can be the face of a side to be played on: every field within the control's bounds.
/// Main time alone may exceed what the game began with, up to kMaxTimeLeft, as time given.
bool fits(const TimeControl& control, const ClockFace& face);
/// How long a side with this face may think before it has lost on time; nothing for no limit.
std::optional<std::chrono::nanoseconds> time_to_flag(const TimeControl& control,
                                                     const ClockFace& face);

enum class ClockAnswer : std::uint8_t {
  Done,
  Flagged,  // the running side's time was over before that
  NotRunning,
  AlreadyRunning,
  NotYourTurn,
  BadFaces,  // a face does not fit the control
};

/// Both clocks of a game. A call that is not answered Done has changed nothing. A turn runs in
/// stretches: from its start, or from a resume, to the move or the pause. `lag` is what of the
/// present stretch was the server's doing; it is given back, but never more than was used.
class Clock {
 public:
  /// Two first faces, not running, black's turn.
  explicit Clock(const TimeControl& control);

  /// Begins a turn of that side.
  [[nodiscard]] ClockAnswer start(Color turn, ClockTime now);
  /// A play or a pass: ends the turn and begins the other side's. A byo-yomi or per-move period is
  /// reset, a Fischer increment added; in Canadian overtime a stone is counted, and the last one of
  /// a period begins a fresh one. The move that leaves main time counts in overtime.
  [[nodiscard]] ClockAnswer move(Color color, ClockTime now, std::chrono::nanoseconds lag = {});
  /// Ends the turn without any of that: the time used is gone, and the other side's turn begins.
  [[nodiscard]] ClockAnswer switch_turn(ClockTime now, std::chrono::nanoseconds lag = {});
  /// Stops in the middle of the turn. Afterwards faces() is all there is to log.
  [[nodiscard]] ClockAnswer pause(ClockTime now, std::chrono::nanoseconds lag = {});
  /// Goes on with the turn that was paused or restored.
  [[nodiscard]] ClockAnswer resume(ClockTime now);
  /// Puts both faces and the turn back, for an undo or after a restart. If running it goes on
  /// running, from `now`, whether or not the flag had fallen.
  [[nodiscard]] ClockAnswer restore(const ClockFaces& faces, Color turn, ClockTime now);

  const TimeControl& control() const { return control_; }
  bool is_running() const { return since_.has_value(); }
  Color turn() const { return turn_; }
  /// Both faces as they stood when the present stretch began.
  const ClockFaces& faces() const { return faces_; }
  /// The face as it stands now, the countdown applied; never negative.
  ClockFace face(Color color, ClockTime now, std::chrono::nanoseconds lag = {}) const;
  /// The last instant at which the running side can still move; nothing if none runs or the control
  /// has no limit. Each nanosecond of lag moves it by one.
  std::optional<ClockTime> flag_at(std::chrono::nanoseconds lag = {}) const;
  /// Whether the running side has lost on time: `now` is after flag_at.
  bool has_flagged(ClockTime now, std::chrono::nanoseconds lag = {}) const;

 private:
  std::chrono::nanoseconds used(ClockTime now, std::chrono::nanoseconds lag) const;
  ClockAnswer refusal(ClockTime now, std::chrono::nanoseconds lag) const;
  ClockFace& running_face() { return faces_[static_cast<std::size_t>(index_of(turn_))]; }

  TimeControl control_;
  ClockFaces faces_;
  Color turn_ = Color::Black;
  std::optional<ClockTime> since_;  // when the present stretch began; absent while not running
};

}  // namespace tengen::rules
