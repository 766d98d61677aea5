// The words for what a job can want and how it can fail.
#include "pool/job.h"

namespace tengen::pool {

std::string_view name_of(Want want) {
  switch (want) {
    case Want::Genmove:
      return "genmove";
    case Want::CleanupGenmove:
      return "cleanup genmove";
    case Want::RegGenmove:
      return "reg genmove";
    case Want::GenmoveAnalyze:
      return "genmove analyze";
    case Want::FreeHandicap:
      return "free handicap";
    case Want::DeadList:
      return "dead list";
    case Want::AliveList:
      return "alive list";
    case Want::SekiList:
      return "seki list";
    case Want::FinalScore:
      return "final score";
    case Want::Analyze:
      return "analyze";
    case Want::Raw:
      return "raw command";
  }
  return "unknown";
}

std::string_view name_of(JobError error) {
  switch (error) {
    case JobError::UnknownProfile:
      return "unknown profile";
    case JobError::QueueFull:
      return "queue full";
    case JobError::ProfileFailed:
      return "profile failed";
    case JobError::EnginesFailed:
      return "engines failed";
    case JobError::PositionRefused:
      return "position refused";
    case JobError::NotSupported:
      return "not supported";
    case JobError::Expired:
      return "expired";
    case JobError::Cancelled:
      return "cancelled";
    case JobError::Draining:
      return "draining";
  }
  return "unknown";
}

}  // namespace tengen::pool
