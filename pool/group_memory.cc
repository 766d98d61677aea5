// See group_memory.h. A process may end at any moment between being listed and being read; it then
// counts as nothing.
#include "pool/group_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>

namespace tengen::pool {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// The process that an entry of /proc is about; 0 for the others.
pid_t pid_of(const char* name) {
  pid_t pid = 0;
  const char* end = name + std::strlen(name);
  const auto read = std::from_chars(name, end, pid);
  return read.ec == std::errc() && read.ptr == end ? pid : 0;
}

/// /proc/PID/statm: sizes in pages, the second one being what is resident.
std::uint64_t resident_bytes_of(pid_t pid) {
  const int file =
      ::open(("/proc/" + std::to_string(pid) + "/statm").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128];
  const ssize_t size = ::read(file, text, sizeof text);
  ::close(file);
  if (size <= 0) return 0;
  const char* end = text + size;
  const char* begin = std::find(static_cast<const char*>(text), end, ' ');
  std::uint64_t pages = 0;
  if (begin != end) std::from_chars(begin + 1, end, pages);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::vector<std::uint64_t> resident_bytes(const std::vector<pid_t>& groups) {
  std::vector<std::uint64_t> bytes(groups.size(), 0);
  std::unordered_map<pid_t, std::size_t> places;
  for (std::size_t i = 0; i < groups.size(); ++i) places.emplace(groups[i], i);
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir("/proc"));
  if (folder == nullptr) return bytes;
  while (const dirent* entry = ::readdir(folder.get())) {
    const pid_t pid = pid_of(entry->d_name);
    if (pid == 0) continue;
    const auto place = places.find(::getpgid(pid));
    if (place != places.end()) bytes[place->second] += resident_bytes_of(pid);
  }
  return bytes;
}

}  // namespace tengen::pool
