#include "rules/clock.h"

#include <algorithm>

namespace tengen::rules {
namespace {

using std::chrono::nanoseconds;

/// From one time to a later one, at most the largest span there is; zero if it is not later.
nanoseconds elapsed(ClockTime from, ClockTime to) {
  if (to <= from) return nanoseconds{0};
  const auto span = static_cast<std::uint64_t>(to.time_since_epoch().count()) -
                    static_cast<std::uint64_t>(from.time_since_epoch().count());
  const auto largest = static_cast<std::uint64_t>(nanoseconds::max().count());
  return nanoseconds(static_cast<nanoseconds::rep>(std::min(span, largest)));
}

/// That much later, or the latest time there is. Not for negative spans.
ClockTime later(ClockTime time, nanoseconds span) {
  return elapsed(time, ClockTime::max()) < span ? ClockTime::max() : time + span;
}

/// The face after that much has run off it, all zeros at the least. Main time goes first, then the
/// present period; only byo-yomi has more behind it.
ClockFace run_down(const TimeControl& control, ClockFace face, nanoseconds used) {
  const nanoseconds from_main = std::min(used, face.main_left);
  face.main_left -= from_main;
  used -= from_main;
  const nanoseconds from_period = std::min(used, face.period_left);
  face.period_left -= from_period;
  used -= from_period;
  if (used.count() == 0 || control.system != ClockSystem::ByoYomi) return face;
  const nanoseconds period = control.period;
  // The last instant of a period still belongs to it, hence the nanosecond.
  const auto overstepped = (used - nanoseconds{1}) / period + 1;
  if (overstepped >= face.periods_left) {
    face.periods_left = 0;
    return face;
  }
  face.periods_left -= static_cast<int>(overstepped);
  face.period_left = overstepped * period - used;
  return face;
}

/// More time, but not beyond the cap. Time above the cap was given, and is not taken away.
nanoseconds with_increment(const TimeControl& control, nanoseconds left) {
  const nanoseconds cap = control.cap.count() == 0 ? kMaxTimeLeft : nanoseconds{control.cap};
  return std::max(left, std::min(left + control.increment, cap));
}

/// The face after a move that took that long and was in time.
ClockFace after_move(const TimeControl& control, const ClockFace& before, nanoseconds used) {
  ClockFace face = run_down(control, before, used);
  switch (control.system) {
    case ClockSystem::None:
    case ClockSystem::Absolute:
      return face;
    case ClockSystem::Fischer:
      face.main_left = with_increment(control, face.main_left);
      return face;
    case ClockSystem::ByoYomi:
    case ClockSystem::PerMove:
      face.period_left = control.period;
      return face;
    case ClockSystem::Canadian:
      break;
  }
  const bool in_main_time = before.main_left.count() > 0 && used <= before.main_left;
  if (in_main_time || --face.stones_left > 0) return face;
  face.stones_left = control.stones;
  face.period_left = control.period;
  return face;
}

bool is_within(nanoseconds value, nanoseconds most) { return value.count() >= 0 && value <= most; }

}  // namespace

ClockFace first_face(const TimeControl& control) {
  return {control.main, control.period, control.periods, control.stones};
}

bool fits(const TimeControl& control, const ClockFace& face) {
  const bool has_main =
      control.system != ClockSystem::None && control.system != ClockSystem::PerMove;
  const auto counts = [](int left, int most) { return left >= std::min(1, most) && left <= most; };
  return is_within(face.main_left, has_main ? kMaxTimeLeft : nanoseconds{0}) &&
         is_within(face.period_left, control.period) &&
         counts(face.periods_left, control.periods) && counts(face.stones_left, control.stones);
}

std::optional<nanoseconds> time_to_flag(const TimeControl& control, const ClockFace& face) {
  if (control.system == ClockSystem::None) return std::nullopt;
  const nanoseconds behind = std::max(face.periods_left - 1, 0) * nanoseconds{control.period};
  return face.main_left + face.period_left + behind;
}

Clock::Clock(const TimeControl& control)
    : control_(control), faces_{first_face(control), first_face(control)} {}

ClockAnswer Clock::start(Color turn, ClockTime now) {
  if (is_running()) return ClockAnswer::AlreadyRunning;
  turn_ = turn;
  since_ = now;
  return ClockAnswer::Done;
}

ClockAnswer Clock::move(Color color, ClockTime now, nanoseconds lag) {
  if (is_running() && color != turn_) return ClockAnswer::NotYourTurn;
  if (const ClockAnswer no = refusal(now, lag); no != ClockAnswer::Done) return no;
  running_face() = after_move(control_, running_face(), used(now, lag));
  turn_ = other(turn_);
  since_ = now;
  return ClockAnswer::Done;
}

ClockAnswer Clock::switch_turn(ClockTime now, nanoseconds lag) {
  if (const ClockAnswer no = refusal(now, lag); no != ClockAnswer::Done) return no;
  running_face() = run_down(control_, running_face(), used(now, lag));
  turn_ = other(turn_);
  since_ = now;
  return ClockAnswer::Done;
}

ClockAnswer Clock::pause(ClockTime now, nanoseconds lag) {
  if (const ClockAnswer no = refusal(now, lag); no != ClockAnswer::Done) return no;
  running_face() = run_down(control_, running_face(), used(now, lag));
  since_.reset();
  return ClockAnswer::Done;
}

ClockAnswer Clock::resume(ClockTime now) { return start(turn_, now); }

ClockAnswer Clock::restore(const ClockFaces& faces, Color turn, ClockTime now) {
  if (!fits(control_, faces[0]) || !fits(control_, faces[1])) return ClockAnswer::BadFaces;
  faces_ = faces;
  turn_ = turn;
  if (is_running()) since_ = now;
  return ClockAnswer::Done;
}

ClockFace Clock::face(Color color, ClockTime now, nanoseconds lag) const {
  const ClockFace& face = faces_[static_cast<std::size_t>(index_of(color))];
  return color == turn_ ? run_down(control_, face, used(now, lag)) : face;
}

std::optional<ClockTime> Clock::flag_at(nanoseconds lag) const {
  const auto left = time_to_flag(control_, faces_[static_cast<std::size_t>(index_of(turn_))]);
  if (!is_running() || !left) return std::nullopt;
  return later(later(*since_, std::max(lag, nanoseconds{0})), *left);
}

bool Clock::has_flagged(ClockTime now, nanoseconds lag) const {
  const auto last = flag_at(lag);
  return last && now > *last;
}

nanoseconds Clock::used(ClockTime now, nanoseconds lag) const {
  if (!is_running()) return nanoseconds{0};
  return elapsed(later(*since_, std::max(lag, nanoseconds{0})), now);
}

ClockAnswer Clock::refusal(ClockTime now, nanoseconds lag) const {
  if (!is_running()) return ClockAnswer::NotRunning;
  return has_flagged(now, lag) ? ClockAnswer::Flagged : ClockAnswer::Done;
}

}  // namespace tengen::rules
