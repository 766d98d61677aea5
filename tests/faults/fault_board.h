// What all fault engines of one run have in common, in a file that each maps: how many moves they
// were asked for, and how often one crashed or hung. So faults come at fixed distances, whichever
// process is asked.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tengen::tests {

class FaultBoard {
 public:
  enum class Counter : std::uint8_t { Asked, Crashes, Hangs };

  /// Maps the file, which is made with all counts 0 when it is not there.
  explicit FaultBoard(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void* at = MAP_FAILED;
    if (fd >= 0 && ::ftruncate(fd, kBytes) == 0) {
      at = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (fd >= 0) ::close(fd);
    if (at == MAP_FAILED) throw std::runtime_error(path + " cannot be mapped");
    counts_ = static_cast<std::uint64_t*>(at);
  }
  ~FaultBoard() { ::munmap(counts_, kBytes); }
  FaultBoard(const FaultBoard&) = delete;
  FaultBoard& operator=(const FaultBoard&) = delete;

  /// Counts one more; how many that are.
  std::uint64_t add(Counter counter) { return at(counter).fetch_add(1) + 1; }
  std::uint64_t read(Counter counter) const { return at(counter).load(); }

 private:
  static constexpr std::size_t kBytes = 4096;
  static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free,
                "processes share these counts");

  std::atomic_ref<std::uint64_t> at(Counter counter) const {
    return std::atomic_ref(counts_[static_cast<std::size_t>(counter)]);
  }

  std::uint64_t* counts_;
};

}  // namespace tengen::tests
