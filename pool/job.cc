// The words for how a job can fail.
#include "pool/job.h"

namespace tengen::pool {

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
    case JobError::Cancelled:
      return "cancelled";
    case JobError::Draining:
      return "draining";
  }
  return "unknown";
}

}  // namespace tengen::pool
