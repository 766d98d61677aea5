// What process groups hold of the machine's memory, so that an engine started through a shell
// wrapper is measured with everything below it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace tengen::pool {

/// Resident bytes of each group, in the order given; 0 for one that has no processes. Pages that
/// processes share count once for each of them. Looks once at every process of the machine, at
/// about a microsecond each.
std::vector<std::uint64_t> resident_bytes(const std::vector<pid_t>& groups);

}  // namespace tengen::pool
