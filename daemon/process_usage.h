// What this process takes of the machine, as the kernel tells it.
#pragma once

#include <cstdint>

namespace tengen::daemon {

/// Zero where the kernel does not tell.
struct ProcessUsage {
  std::uint64_t resident_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t open_files_max = 0;
  double cpu_seconds = 0;  // of all threads; engines are processes of their own
};

ProcessUsage process_usage();

}  // namespace tengen::daemon
