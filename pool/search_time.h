// How long a search may take for the sake of its game's clock, and what its engine is told of that
// clock. A reserve is kept back from both, so that an engine that hangs is given up while another
// one can still move, and one that answers within what it was told is never given up. The rule:
//
//   left     what the mover has until its flag falls, less what engines that failed took of it
//   reserve  a quarter of left within kReserveMin and kReserveMax, but no more than half of it
//   told     the clock without the reserve: main time goes first, then whole spare periods, then
//            the present one; the opponent's clock as it is
//   watched  no longer than left - reserve, nor than the profile's search limit. An engine that
//            honours clocks may take more than the latter where the clock gives more for one move:
//            its present period or increment, and a quarter of all other time that is left
#pragma once

#include <chrono>
#include <cstdint>

#include "pool/job.h"

namespace tengen::pool {

/// The clock once engines that failed have taken that much of the mover's time.
JobClock clock_after(const JobClock& clock, rules::Color mover, std::chrono::nanoseconds searched);

/// The clock as an engine is told it before it searches for `mover`.
JobClock told_clock(const JobClock& clock, rules::Color mover);

/// Whether the engine plays faster when it is told that it has less time.
enum class ClockUse : std::uint8_t { Ignored, Honoured };

/// When a search for `mover` is given up; `limit` is the profile's. At least kSearchTimeMin.
std::chrono::milliseconds search_time(const JobClock& clock, rules::Color mover,
                                      std::chrono::milliseconds limit, ClockUse use);

}  // namespace tengen::pool
