#include "daemon/process_usage.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace tengen::daemon {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long pages = 0;
  const int found = std::fscanf(file, "%*u %llu", &pages);
  std::fclose(file);
  return found == 1 ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

// Linux tells the number as the folder's size since 6.2; before, the entries have to be counted:
// they include the folder itself, the one above, and the descriptor through which it is read.
std::uint64_t open_files() {
  constexpr std::uint64_t kNotFiles = 3;
  struct stat known {};
  if (::stat("/proc/self/fd", &known) == 0 && known.st_size > 0) {
    return static_cast<std::uint64_t>(known.st_size);
  }
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return 0;
  std::uint64_t entries = 0;
  while (::readdir(folder) != nullptr) ++entries;
  ::closedir(folder);
  return entries > kNotFiles ? entries - kNotFiles : 0;
}

}  // namespace

ProcessUsage process_usage() {
  ProcessUsage usage;
  usage.resident_bytes = resident_bytes();
  usage.open_files = open_files();
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) usage.open_files_max = files.rlim_cur;
  rusage spent{};
  if (::getrusage(RUSAGE_SELF, &spent) == 0) {
    usage.cpu_seconds = seconds(spent.ru_utime) + seconds(spent.ru_stime);
  }
  return usage;
}

}  // namespace tengen::daemon
