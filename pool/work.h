// A job in the pool's hands, with what it went through so far. It is in exactly one place: waiting
// in a team's queue or with the engine that does it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "pool/job.h"

namespace tengen::pool {

struct Work {
  Work(Job the_job, std::uint64_t the_order) : job(std::move(the_job)), order(the_order) {}

  Job job;
  std::uint64_t order;       // of submission; a job that is tried again keeps it
  int engines_failed = 0;    // engines that died of it, hung on it or answered rubbish
  int overtaken = 0;         // later jobs that were preferred while this one was the oldest
  bool is_told = false;      // its end was already told (cancelled); the engine just finishes
  int refusals = 0;          // sync commands refused by the engine that does it now
  std::string last_refused;  // the last of them
};

}  // namespace tengen::pool
