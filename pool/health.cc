// See health.h.
#include "pool/health.h"

#include <algorithm>

#include "pool/limits.h"

namespace tengen::pool {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014): small, and good enough for jitter.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

bool Health::on_start_failure(TimePoint now) {
  ++start_failures_;
  return on_failure(now);
}

bool Health::on_idle_death(TimePoint now) {
  ++idle_deaths_;
  return on_failure(now);
}

bool Health::on_death_after_job(TimePoint now) {
  ++deaths_after_job_;
  return on_failure(now);
}

bool Health::on_death_at_work(JobId job, TimePoint now) {
  deadly_jobs_.insert(job);
  if (deadly_jobs_.size() < Limits::kDeadlyJobsMin) return false;
  ++deaths_at_work_;
  return on_failure(now);
}

bool Health::on_failure(TimePoint now) {
  restart_at_ = now + next_pause();
  return failures() == Limits::kStartFailuresMax;
}

void Health::on_ready() { forgive(start_failures_); }

void Health::on_job_done() {
  deadly_jobs_.clear();
  deaths_at_work_ = 0;
  forgive(idle_deaths_);
}

void Health::on_rest_outlived() { forgive(deaths_after_job_); }

void Health::heal() {
  on_job_done();
  on_rest_outlived();
  forgive(start_failures_);
}

void Health::forgive(int& failures_of_a_kind) {
  failures_of_a_kind = 0;
  if (failures() == 0) restart_at_.reset();
}

bool Health::is_failed() const { return failures() >= Limits::kStartFailuresMax; }

void Health::on_deadline(TimePoint now) {
  if (restart_at_ && now >= *restart_at_) restart_at_.reset();
}

std::chrono::milliseconds Health::pause(TimePoint now) const {
  if (!restart_at_ || *restart_at_ <= now) return std::chrono::milliseconds(0);
  return std::chrono::ceil<std::chrono::milliseconds>(*restart_at_ - now);
}

std::chrono::milliseconds Health::next_pause() {
  const int doublings = std::min(failures() - 1, 16);
  auto longest = std::min(Limits::kBackoffFirst * (1 << doublings), Limits::kBackoffMax);
  if (is_failed()) longest = Limits::kBackoffMax;
  const auto quarter = static_cast<std::uint64_t>(longest.count() / 4);
  return longest - std::chrono::milliseconds(next_random(random_) % (quarter + 1));
}

}  // namespace tengen::pool
