// Jobs that two engines failed at are refused for a while: a position that kills engines must not
// take one after the other from everybody else. A job is known again by what it asks, not by its
// id.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

#include "pool/job.h"

namespace tengen::pool {

class Quarantine {
 public:
  /// Beyond kQuarantineMax jobs the one that was added longest ago is forgotten.
  void add(const Job& job, TimePoint until);
  /// How long such a job is still refused; nothing when it is not.
  std::optional<std::chrono::milliseconds> left(const Job& job, TimePoint now) const;
  void clear();

 private:
  static std::uint64_t fingerprint(const Job& job);

  std::unordered_map<std::uint64_t, TimePoint> until_;
  std::deque<std::uint64_t> order_;  // of the last arrival, each once
};

}  // namespace tengen::pool
