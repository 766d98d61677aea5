// Whether a profile's engines can be started at all. Starts that fail, idle engines that die, and
// deaths at work in several different jobs say that they cannot; a death at work in one job says so
// of the job. Each failure makes the pause before the next start longer, and after
// kStartFailuresMax of them the profile has failed. Each kind is forgiven by its own opposite:
// failed starts by a start, deaths before or at a job by a job that is done, those after a job by
// an engine that works again.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>

#include "pool/job.h"

namespace tengen::pool {

class Health {
 public:
  /// The seed is for the jitter of the pauses.
  explicit Health(std::uint64_t seed) : random_(seed) {}

  // Each says whether the profile has failed just now.
  bool on_start_failure(TimePoint now);
  /// Of an idle engine that had finished no job, and of one that had.
  bool on_idle_death(TimePoint now);
  bool on_death_after_job(TimePoint now);
  bool on_death_at_work(JobId job, TimePoint now);

  void on_ready();
  void on_job_done();
  /// An engine has outlived the rest after a job.
  void on_rest_outlived();
  /// Everything is forgiven, as after a change of the configuration.
  void heal();

  int failures() const {
    return start_failures_ + idle_deaths_ + deaths_after_job_ + deaths_at_work_;
  }
  bool is_failed() const;
  bool may_start(TimePoint now) const { return !restart_at_ || now >= *restart_at_; }
  /// No start before; absent when one may begin at once.
  std::optional<TimePoint> restart_at() const { return restart_at_; }
  void on_deadline(TimePoint now);
  std::chrono::milliseconds pause(TimePoint now) const;

 private:
  bool on_failure(TimePoint now);
  std::chrono::milliseconds next_pause();
  void forgive(int& failures);

  std::uint64_t random_;
  int start_failures_ = 0;    // in a row
  int idle_deaths_ = 0;       // since the last job done, of engines that had finished none
  int deaths_after_job_ = 0;  // since an engine outlived its rest
  int deaths_at_work_ = 0;    // since the last job done, beyond kDeadlyJobsMin different jobs
  std::set<JobId> deadly_jobs_;
  std::optional<TimePoint> restart_at_;
};

}  // namespace tengen::pool
