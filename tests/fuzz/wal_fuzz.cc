// Any bytes as a write-ahead log: the scan ends, names a place inside the log, and does not find
// more damage in what is cut off before that place.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "daemon/wal_scan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tengen::daemon;
  const std::string_view wal(reinterpret_cast<const char*>(data), size);
  const auto damage = find_wal_damage(wal);
  if (!damage) return 0;
  if (damage->offset >= wal.size()) std::abort();
  if ((damage->frame == 0) != (damage->offset == 0)) std::abort();
  if (find_wal_damage(wal.substr(0, damage->offset))) std::abort();
  return 0;
}
