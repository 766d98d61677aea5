#include "daemon/wal_scan.h"

#include <fstream>
#include <iterator>

namespace tengen::daemon {
namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::size_t kPageBytesMin = 512;
constexpr std::size_t kPageBytesMax = 65536;
constexpr std::uint32_t kMagicLittle = 0x377f0682;  // checksums over little-endian words
constexpr std::uint32_t kMagicBig = 0x377f0683;

struct Checksum {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  friend bool operator==(Checksum, Checksum) = default;
};

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  }
  return value;
}

Checksum extend(Checksum sum, std::string_view bytes, bool is_big) {
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    sum.a += (is_big ? big_endian(bytes, at) : little_endian(bytes, at)) + sum.b;
    sum.b += (is_big ? big_endian(bytes, at + 4) : little_endian(bytes, at + 4)) + sum.a;
  }
  return sum;
}

Checksum stated_at(std::string_view bytes, std::size_t at) {
  return {big_endian(bytes, at), big_endian(bytes, at + 4)};
}

struct Layout {
  std::size_t page_bytes = 0;
  bool is_big = false;
};

// Nothing unless the log's header is sound.
std::optional<Layout> layout_of(std::string_view wal) {
  const std::uint32_t magic = big_endian(wal, 0);
  const Layout layout{big_endian(wal, 8), magic == kMagicBig};
  const bool is_known = (magic == kMagicLittle || magic == kMagicBig) &&
                        layout.page_bytes >= kPageBytesMin && layout.page_bytes <= kPageBytesMax &&
                        (layout.page_bytes & (layout.page_bytes - 1)) == 0;
  if (!is_known || stated_at(wal, 24) != extend({}, wal.substr(0, 24), layout.is_big)) {
    return std::nullopt;
  }
  return layout;
}

// `first_bad` if a good frame follows it; it is found here when not given.
std::optional<WalDamage> scan(std::string_view wal, Layout layout, std::string_view salt,
                              std::optional<WalDamage> first_bad) {
  // A frame's checksum goes on from that of the frame before. Both what that one says of itself and
  // what it comes to are tried, so that a bad frame does not hide the next one, whatever is bad.
  Checksum stated = stated_at(wal, 24);
  Checksum computed = extend({}, wal.substr(0, 24), layout.is_big);
  const std::size_t frame_bytes = kFrameHeaderBytes + layout.page_bytes;
  std::uint32_t number = 1;
  for (std::size_t at = kHeaderBytes; at + frame_bytes <= wal.size(); at += frame_bytes, ++number) {
    const auto header = wal.substr(at, kFrameHeaderBytes);
    const auto after = [&](Checksum before) {
      return extend(extend(before, header.substr(0, 8), layout.is_big),
                    wal.substr(at + kFrameHeaderBytes, layout.page_bytes), layout.is_big);
    };
    const Checksum says = stated_at(header, 16);
    const Checksum comes_to = after(stated);
    const bool follows = says == comes_to || (computed != stated && says == after(computed));
    const bool is_good = follows && header.substr(8, 8) == salt && big_endian(header, 0) != 0;
    if (is_good && first_bad) return first_bad;
    if (!is_good && !first_bad) first_bad = WalDamage{number, at};
    stated = says;
    computed = comes_to;
  }
  return std::nullopt;
}

// With a bad header SQLite takes the whole log for empty; frames that agree with each other, in
// whatever layout, show that it was not.
std::optional<WalDamage> scan_without_header(std::string_view wal) {
  if (wal.size() < kHeaderBytes + kFrameHeaderBytes) return std::nullopt;
  const auto salt = wal.substr(kHeaderBytes + 8, 8);
  for (std::size_t page = kPageBytesMin; page <= kPageBytesMax; page *= 2) {
    for (const bool is_big : {false, true}) {
      if (auto damage = scan(wal, {page, is_big}, salt, WalDamage{0, 0})) return damage;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<WalDamage> find_wal_damage(std::string_view wal) {
  if (wal.size() < kHeaderBytes) return std::nullopt;
  const auto layout = layout_of(wal);
  if (!layout) return scan_without_header(wal);
  return scan(wal, *layout, wal.substr(16, 8), std::nullopt);
}

std::optional<WalDamage> find_wal_file_damage(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string wal{std::istreambuf_iterator<char>(file), {}};
  return find_wal_damage(wal);
}

}  // namespace tengen::daemon
