// A job in the pool's hands, with what it went through so far. It is in exactly one place: waiting
// in a scheduler or with the engine that does it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "pool/job.h"

namespace tengen::pool {

struct Work {
  Work(Job&& the_job, std::uint64_t the_order, TimePoint now)
      : job(std::move(the_job)), order(the_order), submitted(now) {}

  Job job;
  std::uint64_t order;  // of submission; a job that is tried again keeps it
  TimePoint submitted;
  /// When whoever asked would like to have it; sooner ones are preferred when it is close.
  std::optional<TimePoint> due;
  int engines_failed = 0;  // engines that died of it, hung on it or answered rubbish
  int overtaken = 0;       // later jobs that were preferred while it was this one's turn
  bool is_told = false;    // its end was already told (cancelled); the engine just finishes
  std::chrono::nanoseconds searched{0};  // by engines that failed at it
  std::chrono::nanoseconds charged{0};   // to its client so far, by estimate

  // With the engine that does it now.
  int refusals = 0;          // sync commands refused
  std::string last_refused;  // the last of them
  // A stream.
  std::optional<TimePoint> stream_until;  // set when it first starts
  std::uint64_t updates = 0;
};

}  // namespace tengen::pool
