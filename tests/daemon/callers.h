// Addresses and moments for the tests of who may call how often.
#pragma once

#include <chrono>

#include "daemon/effects.h"
#include "daemon/peer.h"

namespace tengen::daemon {

inline const Peer kThere("192.0.2.1");
inline const Peer kElsewhere("198.51.100.7");
inline const Peer kHere("127.0.0.1");

inline TimePoint moment(std::chrono::nanoseconds since) {
  return TimePoint(std::chrono::hours(1)) + since;
}

}  // namespace tengen::daemon
