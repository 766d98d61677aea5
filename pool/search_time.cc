#include "pool/search_time.h"

#include <algorithm>

#include "pool/limits.h"

namespace tengen::pool {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

template <typename Clock>
auto& face_of(Clock& clock, rules::Color mover) {
  return clock.faces[static_cast<std::size_t>(rules::index_of(mover))];
}

nanoseconds reserve_of(nanoseconds left) {
  const auto quarter = std::clamp<nanoseconds>(left / 4, Limits::kReserveMin, Limits::kReserveMax);
  return std::min(quarter, left / 2);
}

/// Spare periods are taken whole: engines cannot be told of a shorter one among them, and the
/// present one stays what it is. A side in its main time is told of no periods, so that goes first.
rules::ClockFace without_reserve(const rules::TimeControl& control, rules::ClockFace face,
                                 nanoseconds reserve) {
  const nanoseconds from_main = std::min(reserve, face.main_left);
  face.main_left -= from_main;
  reserve -= from_main;
  const nanoseconds period = control.period;
  for (; reserve > nanoseconds(0) && face.periods_left > 1; --face.periods_left) reserve -= period;
  face.period_left -= std::clamp(reserve, nanoseconds(0), face.period_left);
  return face;
}

/// What one move may use where there is plenty: all of the present period or the increment, but
/// main time and spare periods are for the moves to come as well.
milliseconds most_for_a_move(const rules::TimeControl& control, const rules::ClockFace& face,
                             nanoseconds left) {
  const nanoseconds given = face.period_left + control.increment;
  return std::chrono::floor<milliseconds>(given + (left - face.period_left) / 4);
}

}  // namespace

JobClock clock_after(const JobClock& clock, rules::Color mover, nanoseconds searched) {
  JobClock after = clock;
  rules::Clock running(clock.control);
  const rules::ClockTime begin{};
  const bool is_set = running.restore(clock.faces, mover, begin) == rules::ClockAnswer::Done &&
                      running.resume(begin) == rules::ClockAnswer::Done;
  if (is_set) face_of(after, mover) = running.face(mover, begin + searched);
  return after;
}

JobClock told_clock(const JobClock& clock, rules::Color mover) {
  JobClock told = clock;
  rules::ClockFace& face = face_of(told, mover);
  if (const auto left = rules::time_to_flag(clock.control, face)) {
    face = without_reserve(clock.control, face, reserve_of(*left));
  }
  return told;
}

milliseconds search_time(const JobClock& clock, rules::Color mover, milliseconds limit,
                         ClockUse use) {
  const rules::ClockFace& face = face_of(clock, mover);
  const auto left = rules::time_to_flag(clock.control, face);
  if (!left) return limit;
  const auto usable = std::chrono::floor<milliseconds>(*left - reserve_of(*left));
  if (use == ClockUse::Honoured) {
    limit = std::max(limit, most_for_a_move(clock.control, face, *left));
  }
  return std::min(limit, std::max(usable, Limits::kSearchTimeMin));
}

}  // namespace tengen::pool
