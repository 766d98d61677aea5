// What /proc says of processes, for tests that count, kill and measure them. Those of one test are
// found by a variable in their environment, which children inherit whoever adopts them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tengen::tests {

/// Asks every few milliseconds until the answer is yes; false when it is still no at the end.
bool wait_until(const std::function<bool()>& is_met, std::chrono::milliseconds patience);
/// Long enough for whatever is sure to come; only a test that fails waits so long.
inline constexpr std::chrono::seconds kEventually{60};

/// A process that runs; zombies do not count.
bool is_alive(pid_t pid);
/// The path of the program, empty when it cannot be told.
std::string program_of(pid_t pid);
/// The arguments joined by blanks.
std::string command_line_of(pid_t pid);
/// Every live process whose environment holds `NAME=value` exactly.
std::vector<pid_t> processes_with(std::string_view variable);
std::vector<pid_t> children_of(pid_t pid);

struct CpuTime {
  std::chrono::microseconds user{};
  std::chrono::microseconds system{};
  std::chrono::microseconds total() const { return user + system; }
};
/// CPU time of the process and all its threads so far, children not included.
CpuTime cpu_time_of(pid_t pid);

/// Resident memory of the process now, in KiB; 0 when it has gone.
std::size_t resident_kb_of(pid_t pid);

/// Bytes in the kernel that were sent from this local IPv4 port and not read yet by their receivers
/// on this machine.
std::size_t unread_bytes_from(std::uint16_t port);

struct Switches {
  std::uint64_t voluntary = 0;
  std::uint64_t involuntary = 0;
};
/// Context switches of all threads so far.
Switches switches_of(pid_t pid);

}  // namespace tengen::tests
