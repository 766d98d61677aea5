// Logs made by SQLite itself, then damaged. SQLite is also the judge: what it reads from a log.
#include "daemon/wal_scan.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstring>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace tengen::daemon {
namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr int kRows = 12;

void run(sqlite3* database, const std::string& sql) {
  ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sql << ": " << sqlite3_errmsg(database);
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A database file and its log as they are on the disk while the writer is still open.
struct Files {
  std::string database;
  std::string wal;
  std::size_t page = 0;
  std::size_t frames() const { return (wal.size() - kHeaderBytes) / (kFrameHeaderBytes + page); }
  std::size_t offset(std::size_t frame) const {  // frames from 1
    return kHeaderBytes + (frame - 1) * (kFrameHeaderBytes + page);
  }
};

Files make_files(std::size_t page) {
  const tests::TempFolder folder;
  const std::string path = folder.path().string() + "/t.sqlite";
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  run(database, "PRAGMA synchronous=OFF");
  run(database, "PRAGMA page_size=" + std::to_string(page));
  run(database, "PRAGMA journal_mode=WAL");
  run(database, "PRAGMA wal_autocheckpoint=0");
  run(database, "CREATE TABLE t(x)");
  run(database, "PRAGMA wal_checkpoint(TRUNCATE)");
  for (int i = 0; i < kRows; ++i) run(database, "INSERT INTO t VALUES(" + std::to_string(i) + ")");
  Files files{tests::read_text(path), tests::read_text(path + "-wal"), page};
  sqlite3_close(database);
  EXPECT_EQ((files.wal.size() - kHeaderBytes) % (kFrameHeaderBytes + page), 0u);
  EXPECT_EQ(files.frames(), static_cast<std::size_t>(kRows));
  return files;
}

// How many rows SQLite finds with this log.
int rows_in(const Files& files, std::string_view wal) {
  const tests::TempFolder folder;
  const std::string path = folder.path().string() + "/t.sqlite";
  write_file(path, files.database);
  write_file(path + "-wal", wal);
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  run(database, "PRAGMA synchronous=OFF");
  sqlite3_stmt* count = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, "SELECT count(*) FROM t", -1, &count, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_step(count), SQLITE_ROW);
  const int rows = sqlite3_column_int(count, 0);
  sqlite3_finalize(count);
  sqlite3_close(database);
  return rows;
}

std::string flipped(std::string bytes, std::size_t at, int bit = 0) {
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
  return bytes;
}

class WalScanTest : public testing::TestWithParam<std::size_t> {
 protected:
  Files files_ = make_files(GetParam());
};

INSTANTIATE_TEST_SUITE_P(PageSizes, WalScanTest, testing::Values(512, 1024, 4096, 65536),
                         [](const auto& each) { return std::to_string(each.param); });

TEST_P(WalScanTest, AnUntouchedLogIsSound) {
  EXPECT_FALSE(find_wal_damage(files_.wal));
  EXPECT_EQ(rows_in(files_, files_.wal), kRows);
}

TEST_P(WalScanTest, ALogCutOffAnywhereIsATornTail) {
  const std::size_t step = std::max<std::size_t>(1, files_.wal.size() / 500);
  for (std::size_t size = 0; size < files_.wal.size(); size += step) {
    EXPECT_FALSE(find_wal_damage(std::string_view(files_.wal).substr(0, size))) << size;
  }
  for (std::size_t frame = 1; frame <= files_.frames(); ++frame) {
    EXPECT_FALSE(find_wal_damage(std::string_view(files_.wal).substr(0, files_.offset(frame))));
  }
}

TEST_P(WalScanTest, ABadFrameBeforeAGoodOneIsDamageAndIsNamed) {
  // The page's number, the size after commit, the salt, the checksum; the page's ends.
  const std::size_t places[] = {
      0, 7, 8, 15, 16, 23, kFrameHeaderBytes, kFrameHeaderBytes + files_.page - 1};
  for (std::size_t frame = 1; frame < files_.frames(); ++frame) {
    for (const std::size_t place : places) {
      const auto bad = flipped(files_.wal, files_.offset(frame) + place);
      const auto damage = find_wal_damage(bad);
      ASSERT_TRUE(damage) << "frame " << frame << " byte " << place;
      EXPECT_EQ(damage->frame, frame);
      EXPECT_EQ(damage->offset, files_.offset(frame));
    }
  }
}

TEST_P(WalScanTest, DamageIsWhereSqliteWouldDropAcknowledgedRows) {
  // One row for each frame, so that SQLite reads the rows before the bad frame and no more.
  for (const std::size_t frame : {1, 5, 11}) {
    const auto bad = flipped(files_.wal, files_.offset(frame) + kFrameHeaderBytes + 100, 3);
    EXPECT_EQ(rows_in(files_, bad), static_cast<int>(frame) - 1);
    EXPECT_EQ(find_wal_damage(bad).value_or(WalDamage{}).frame, frame);
  }
}

TEST_P(WalScanTest, DamageToTheLastFrameCannotBeToldFromATornTail) {
  for (const std::size_t place : {std::size_t{0}, std::size_t{16}, files_.page}) {
    EXPECT_FALSE(find_wal_damage(flipped(files_.wal, files_.offset(files_.frames()) + place)));
  }
}

TEST_P(WalScanTest, DamageInTheMiddleIsSeenAlthoughTheTailIsTornToo) {
  const auto bad = flipped(files_.wal, files_.offset(3) + 50);
  const auto damage = find_wal_damage(std::string_view(bad).substr(0, bad.size() - 1));
  ASSERT_TRUE(damage);
  EXPECT_EQ(damage->frame, 3u);
}

TEST_P(WalScanTest, TheFirstOfSeveralBadFramesIsNamed) {
  auto bad = flipped(files_.wal, files_.offset(4) + 50);
  bad = flipped(std::move(bad), files_.offset(5) + 50);
  bad = flipped(std::move(bad), files_.offset(8) + 50);
  EXPECT_EQ(find_wal_damage(bad).value_or(WalDamage{}).frame, 4u);
}

TEST_P(WalScanTest, ZerosAfterTheLastFrameAreATornTail) {
  EXPECT_FALSE(find_wal_damage(files_.wal + std::string(100, '\0')));
  EXPECT_FALSE(find_wal_damage(files_.wal + std::string(3 * files_.page, '\0')));
}

TEST_P(WalScanTest, NothingButZerosIsSound) {
  EXPECT_FALSE(find_wal_damage(std::string(files_.wal.size(), '\0')));
}

TEST_P(WalScanTest, FramesLeftFromAnEarlierRoundAreNoDamage) {
  // SQLite begins again at the start with a new salt and leaves older frames behind.
  const auto newer = make_files(GetParam());
  const auto kept = newer.offset(4);
  ASSERT_NE(newer.wal.substr(16, 8), files_.wal.substr(16, 8));
  const std::string wal = newer.wal.substr(0, kept) + files_.wal.substr(kept);
  EXPECT_FALSE(find_wal_damage(wal));
}

TEST_P(WalScanTest, AnyDamageToTheHeaderIsSeenBecauseSqliteWouldTakeTheLogForEmpty) {
  for (std::size_t at = 0; at < kHeaderBytes; ++at) {
    const auto bad = flipped(files_.wal, at, static_cast<int>(at % 8));
    const auto damage = find_wal_damage(bad);
    ASSERT_TRUE(damage) << at;
    EXPECT_EQ(damage->frame, 0u);
    EXPECT_EQ(damage->offset, 0u);
  }
  EXPECT_EQ(rows_in(files_, flipped(files_.wal, 16)), 0);
}

// The same log as a big-endian machine writes it: the other magic and checksums over the other
// order of bytes, as the file format describes. SQLite reads both everywhere.
std::string as_big_endian(const Files& files) {
  std::string wal = files.wal;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value = value << 8 | static_cast<std::uint8_t>(wal[at + i]);
    }
    return value;
  };
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) wal[at + i] = static_cast<char>(value >> (24 - 8 * i));
  };
  const auto sum = [&](std::size_t from, std::size_t size) {
    for (std::size_t at = from; at < from + size; at += 8) {
      a += word(at) + b;
      b += word(at + 4) + a;
    }
  };
  put(0, 0x377f0683);
  sum(0, 24);
  put(24, a);
  put(28, b);
  for (std::size_t frame = 1; frame <= files.frames(); ++frame) {
    const auto at = files.offset(frame);
    sum(at, 8);
    sum(at + kFrameHeaderBytes, files.page);
    put(at + 16, a);
    put(at + 20, b);
  }
  return wal;
}

TEST_P(WalScanTest, ALogOfABigEndianMachineIsReadToo) {
  const std::string wal = as_big_endian(files_);
  EXPECT_EQ(rows_in(files_, wal), kRows);
  EXPECT_FALSE(find_wal_damage(wal));
  EXPECT_EQ(find_wal_damage(flipped(wal, files_.offset(2) + 40)).value_or(WalDamage{}).frame, 2u);
}

TEST(WalFileTest, AFileThatIsNotThereIsSound) {
  const tests::TempFolder folder;
  EXPECT_FALSE(find_wal_file_damage(folder.path().string() + "/none"));
}

TEST(WalFileTest, AFileIsScannedLikeItsBytes) {
  const tests::TempFolder folder;
  const auto files = make_files(4096);
  const std::string path = folder.path().string() + "/wal";
  write_file(path, files.wal);
  EXPECT_FALSE(find_wal_file_damage(path));
  write_file(path, flipped(files.wal, files.offset(2) + 99));
  EXPECT_EQ(find_wal_file_damage(path).value_or(WalDamage{}).frame, 2u);
}

}  // namespace
}  // namespace tengen::daemon
