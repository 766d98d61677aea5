// What the pool has counted since it began, for the metrics. Only ever added to.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "pool/job.h"

namespace tengen::pool {

/// Counts of durations by upper bound, in the manner of a Prometheus histogram.
class Histogram {
 public:
  static constexpr std::array<std::int64_t, 16> kBoundsMs = {
      1, 2, 5, 10, 20, 50, 100, 200, 500, 1'000, 2'000, 5'000, 10'000, 20'000, 60'000, 300'000};

  void add(std::chrono::nanoseconds duration);
  using Counts = std::array<std::uint64_t, kBoundsMs.size() + 1>;
  /// How many were at most kBoundsMs[i]; the last element counts all.
  Counts counts() const;
  std::chrono::nanoseconds sum() const { return sum_; }
  std::uint64_t count() const { return counts().back(); }

 private:
  Counts buckets_{};  // by the first bound that is not exceeded
  std::chrono::nanoseconds sum_{0};
};

/// Of one profile.
struct TeamStats {
  // Processes.
  std::uint64_t spawned = 0;
  std::uint64_t spawn_failures = 0;
  std::uint64_t ready = 0;
  std::uint64_t exits_unasked = 0;     // crashes, at work or idle
  std::uint64_t killed_late = 0;       // an answer did not come in time
  std::uint64_t killed_tainted = 0;    // framing lost, rubbish, a board that is not the game's
  std::uint64_t killed_cancelled = 0;  // a search that nobody wanted any more
  std::uint64_t retired = 0;           // surplus, too large, of another variant, of an old profile
  // Jobs.
  std::uint64_t submitted = 0;
  std::uint64_t done = 0;
  std::array<std::uint64_t, 9> failed{};  // by JobError
  std::uint64_t moved = 0;                // to another engine after a failure
  std::uint64_t preempted = 0;            // streams that made room for moves
  std::uint64_t quarantined = 0;
  std::uint64_t updates = 0;  // of streams
  // Position sync.
  std::uint64_t syncs_continued = 0;  // nothing or plays only
  std::uint64_t syncs_undone = 0;     // by undo
  std::uint64_t syncs_replayed = 0;   // from an empty board
  std::uint64_t commands = 0;         // written, searches included
  std::uint64_t refusals = 0;         // of sync commands
  std::uint64_t verified = 0;         // boards that were looked at
  std::uint64_t verify_mismatches = 0;
  // Framing.
  std::uint64_t noise_lines = 0;
  std::uint64_t late_answers = 0;         // to commands that were answered before; dropped
  std::uint64_t error_bytes = 0;          // read from standard error
  std::uint64_t error_bytes_dropped = 0;  // of those, beyond what is remembered
  // Time.
  Histogram wait;    // from the submission to the write
  Histogram sync;    // from the write to the last sync answer
  Histogram search;  // from there to the last byte of the answer
};

}  // namespace tengen::pool
