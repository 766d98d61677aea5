#include "rules/engine_clock.h"

#include <algorithm>

namespace tengen::rules {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

std::int64_t whole_seconds(nanoseconds time) {
  const std::int64_t count = std::chrono::floor<seconds>(time).count();
  return std::clamp<std::int64_t>(count, 0, kMaxToldSeconds);
}

std::int64_t at_least_one(nanoseconds time) {
  return std::max<std::int64_t>(1, whole_seconds(time));
}

/// The overtime of one stone that byo-yomi, Fischer and time per move are told as; nothing for the
/// other systems. A Fischer game can begin with less than an increment.
std::optional<seconds> single_stone_period(const TimeControl& control) {
  switch (control.system) {
    case ClockSystem::Fischer:
      return seconds(at_least_one(std::min(control.increment, control.main)));
    case ClockSystem::ByoYomi:
    case ClockSystem::PerMove:
      return seconds(at_least_one(control.period));
    case ClockSystem::None:
    case ClockSystem::Absolute:
    case ClockSystem::Canadian:
      break;
  }
  return std::nullopt;
}

/// Main time where there is a second of it, else the overtime.
GtpTimeLeft main_or_overtime(nanoseconds main, const GtpTimeLeft& overtime) {
  const std::int64_t told = whole_seconds(main);
  return told > 0 ? GtpTimeLeft{told, 0} : overtime;
}

std::string words(const GtpTimeSettings& settings, int count) {
  return std::to_string(settings.main) + " " + std::to_string(settings.byo_time) + " " +
         std::to_string(count);
}

/// As KGS and KataGo count, which have byo-yomi periods: what is left of the present phase.
struct PhaseLeft {
  nanoseconds time;
  int stones;  // or periods
};

PhaseLeft phase_left(const ClockFace& face) {
  if (face.main_left.count() > 0) return {face.main_left, 0};
  return {face.period_left, std::max(face.periods_left, face.stones_left)};
}

}  // namespace

GtpTimeSettings gtp_time_settings(const TimeControl& control, NoLimitForm no_limit) {
  if (control.system == ClockSystem::None) {
    return no_limit == NoLimitForm::ZeroStones ? GtpTimeSettings{0, 1, 0}
                                               : GtpTimeSettings{kMaxToldSeconds, 0, 0};
  }
  if (control.system == ClockSystem::Absolute) return {at_least_one(control.main), 0, 0};
  if (control.system == ClockSystem::Canadian) {
    return {whole_seconds(control.main), at_least_one(control.period), control.stones};
  }
  const seconds period = *single_stone_period(control);
  const nanoseconds whole = *time_to_flag(control, first_face(control));
  return {whole_seconds(whole - period), period.count(), 1};
}

std::optional<GtpTimeLeft> gtp_time_left(const TimeControl& control, const ClockFace& face) {
  const std::optional<nanoseconds> left = time_to_flag(control, face);
  if (!left) return std::nullopt;
  if (control.system == ClockSystem::Absolute) return GtpTimeLeft{whole_seconds(*left), 0};
  if (control.system == ClockSystem::Canadian) {
    return main_or_overtime(face.main_left, {whole_seconds(face.period_left), face.stones_left});
  }
  const seconds period = *single_stone_period(control);
  return main_or_overtime(*left - period, {whole_seconds(*left), 1});
}

std::string kgs_time_settings(const TimeControl& control) {
  const GtpTimeSettings told = gtp_time_settings(control);
  const GtpTimeSettings periods{whole_seconds(control.main), told.byo_time, 0};
  switch (control.system) {
    case ClockSystem::None:
      return "none";
    case ClockSystem::Absolute:
      return "absolute " + std::to_string(told.main);
    case ClockSystem::ByoYomi:
      return "byoyomi " + words(periods, control.periods);
    case ClockSystem::PerMove:
      return "byoyomi " + words(periods, 1);
    case ClockSystem::Canadian:
    case ClockSystem::Fischer:
      break;
  }
  return "canadian " + words(told, told.byo_stones);
}

std::optional<GtpTimeLeft> kgs_time_left(const TimeControl& control, const ClockFace& face) {
  if (control.system != ClockSystem::ByoYomi) return gtp_time_left(control, face);
  return main_or_overtime(face.main_left, {whole_seconds(face.period_left), face.periods_left});
}

std::string kata_time_settings(const TimeControl& control) {
  const std::string main = seconds_text(control.main);
  const std::string period = " " + seconds_text(control.period) + " ";
  switch (control.system) {
    case ClockSystem::None:
      return "none";
    case ClockSystem::Absolute:
      return "absolute " + main;
    case ClockSystem::ByoYomi:
      return "byoyomi " + main + period + std::to_string(control.periods);
    case ClockSystem::PerMove:
      return "byoyomi " + main + period + "1";
    case ClockSystem::Canadian:
      return "canadian " + main + period + std::to_string(control.stones);
    case ClockSystem::Fischer:
      break;
  }
  const std::string values = main + " " + seconds_text(control.increment);
  if (control.cap.count() == 0) return "fischer " + values;
  return "fischer-capped " + values + " " + seconds_text(control.cap) + " -1";
}

std::optional<std::string> kata_time_left(const TimeControl& control, const ClockFace& face) {
  if (control.system == ClockSystem::None) return std::nullopt;
  const PhaseLeft left = phase_left(face);
  const bool per_move = control.system == ClockSystem::PerMove;
  return seconds_text(std::chrono::floor<std::chrono::milliseconds>(left.time)) + " " +
         std::to_string(per_move ? 1 : left.stones);
}

}  // namespace tengen::rules
