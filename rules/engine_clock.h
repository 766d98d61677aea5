// What engines are told of a clock, in the words they know. GTP 2 (draft 2, section 4.2) has only
// absolute time and Canadian overtime, in whole seconds; `kgs-time_settings` adds byo-yomi and
// `kata-time_settings` Fischer and fractions. What is told is never more time than there is, with
// one exception: a period or an absolute time below one second is told as 1, since 0 would name
// another system. What is left in it is then told as 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rules/clock.h"

namespace tengen::rules {

/// The most an engine is told, in seconds. Above every single field of a control; in milliseconds
/// it still fits 32 bits.
inline constexpr std::int64_t kMaxToldSeconds = 2'000'000;

/// How "no limit" is said: by GTP's own form, overtime without stones, or for engines that
/// misunderstand it by an absolute time of kMaxToldSeconds.
enum class NoLimitForm : std::uint8_t { ZeroStones, LargeAbsolute };

/// The arguments of `time_settings`: whole seconds and stones, never negative.
struct GtpTimeSettings {
  std::int64_t main = 0;
  std::int64_t byo_time = 0;
  int byo_stones = 0;

  friend bool operator==(const GtpTimeSettings&, const GtpTimeSettings&) = default;
};

/// The arguments of `time_left` after the colour. No stones: main time, or absolute.
struct GtpTimeLeft {
  std::int64_t seconds = 0;
  int stones = 0;

  friend bool operator==(const GtpTimeLeft&, const GtpTimeLeft&) = default;
};

/// As GTP 2 knows it, for a control without a problem(). Byo-yomi is Canadian overtime of one stone
/// in a period, the spare periods added to the main time. Fischer is Canadian overtime of one stone
/// in an increment, taken off the main time: a move made within what is left always leaves at least
/// the increment. Time per move is one stone in a period, without main time.
GtpTimeSettings gtp_time_settings(const TimeControl& control,
                                  NoLimitForm no_limit = NoLimitForm::ZeroStones);

/// To go with gtp_time_settings; rounded down, so 0.4 seconds are 0. Main time of less than a
/// second is told as overtime where there is any: `0 0` looks like a fallen flag. Nothing when
/// there is no limit: then no time_left must be sent.
std::optional<GtpTimeLeft> gtp_time_left(const TimeControl& control, const ClockFace& face);

/// The arguments of `kgs-time_settings`: `none`, `absolute M`, `byoyomi M P N`, `canadian M P S`,
/// in whole seconds. Time per move is byo-yomi of one period; Fischer is told as by
/// gtp_time_settings.
std::string kgs_time_settings(const TimeControl& control);

/// To go with kgs_time_settings. In byo-yomi the number of stones is that of the periods left.
std::optional<GtpTimeLeft> kgs_time_left(const TimeControl& control, const ClockFace& face);

/// The arguments of `kata-time_settings`, to the millisecond: as for KGS, and `fischer M I` or
/// `fischer-capped M I CAP -1`, the last being KataGo's limit per move, which is not used.
std::string kata_time_settings(const TimeControl& control);

/// The arguments of `time_left` after the colour, to go with kata_time_settings: "41.2 0".
std::optional<std::string> kata_time_left(const TimeControl& control, const ClockFace& face);

}  // namespace tengen::rules
