// A look at SQLite's write-ahead log before SQLite opens it. SQLite takes the first bad frame for
// the end of the log and drops what follows, which is right for a torn tail and wrong for damage: a
// good frame after a bad one proves that acknowledged changes would be lost. Damage to the very
// last frame cannot be told from a torn tail. Format: sqlite.org/fileformat2.html, section 4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tengen::daemon {

/// The first bad frame (from 1; 0 is the log's own header) that is followed by a good one of the
/// same salt; nothing when the log is sound, torn at its end, empty or not there.
struct WalDamage {
  std::uint32_t frame = 0;
  std::uint64_t offset = 0;  // of the frame in the file
};
std::optional<WalDamage> find_wal_damage(std::string_view wal);

/// The same for a file; a file that is not there is sound.
std::optional<WalDamage> find_wal_file_damage(const std::string& path);

}  // namespace tengen::daemon
