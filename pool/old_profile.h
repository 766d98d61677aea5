// After a reload engines of the old profile work on until others have taken their place. What they
// may still do is decided here, by what both profiles say; how an engine is spoken to stays its own
// profile's business.
#pragma once

#include "pool/job.h"
#include "pool/profile.h"

namespace tengen::pool {

/// Whether engines of the profile `old` can do a job that was accepted under `present` as its own
/// engines would: on its board, by the same rules and with the same values of the same settings.
bool can_still_do(const Profile& old, const Profile& present, const Job& job);

}  // namespace tengen::pool
