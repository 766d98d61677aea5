// The store on real files: what comes back after a restart, and every damage it must name.
#include "daemon/store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>

#include "tests/support/temp_folder.h"

namespace tengen::daemon {
namespace {

constexpr rules::GameId kFirst{0x0100000000000000, 0x00000000000000ff};
constexpr rules::GameId kSecond{0x0200000000000000, 2};

// Changes or reads the database behind the store's back; the first column of the first row.
std::string sql(const std::string& folder, const std::string& text) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open((folder + "/games.sqlite").c_str(), &database), SQLITE_OK);
  std::string first;
  const auto take = [](void* to, int, char** values, char**) {
    auto& value = *static_cast<std::string*>(to);
    if (value.empty() && values[0] != nullptr) value = values[0];
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, text.c_str(), take, &first, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  return first;
}

/// A running store, with what it reported, for a test that waits for it.
class Running {
 public:
  explicit Running(const std::string& folder) {
    auto opened = Store::open(folder);
    if (auto* problem = std::get_if<std::string>(&opened)) {
      ADD_FAILURE() << *problem;
      return;
    }
    store_ = std::move(std::get<std::unique_ptr<Store>>(opened));
    auto restored = store_->restore();
    if (const auto* problem = std::get_if<std::string>(&restored)) {
      ADD_FAILURE() << *problem;
    } else {
      restored_ = std::get<StoredState>(std::move(restored));
    }
    store_->start({[this](Ticket ticket) { tell([&] { stored_ = ticket; }); },
                   [this](std::string reason) { tell([&] { failed_ = std::move(reason); }); },
                   [this](LoadedGame game) { tell([&] { loaded_ = std::move(game); }); }});
  }

  const StoredState& restored() const { return restored_; }
  const TicketKey& key() const { return store_->ticket_key(); }
  void submit(Batch batch) { store_->submit({{++submitted_}, std::move(batch)}); }
  /// Whether the batch became durable; the reason is in failure().
  bool commit(Batch batch) {
    submit(std::move(batch));
    std::unique_lock guard(mutex_);
    told_.wait(guard, [&] { return failed_ || stored_.value == submitted_; });
    return !failed_;
  }
  std::string failure() const { return failed_.value_or(""); }
  LoadedGame load(rules::GameId id) {
    store_->load(id);
    std::unique_lock guard(mutex_);
    told_.wait(guard, [&] { return loaded_.has_value(); });
    return *std::exchange(loaded_, std::nullopt);
  }

 private:
  template <typename Note>
  void tell(Note note) {
    {
      const std::lock_guard guard(mutex_);
      note();
    }
    told_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable told_;
  Ticket stored_;
  std::optional<std::string> failed_;
  std::optional<LoadedGame> loaded_;
  std::uint64_t submitted_ = 0;
  StoredState restored_;
  std::unique_ptr<Store> store_;  // goes first: its threads use the rest
};

Batch new_game(rules::GameId id, std::string header, std::string request_id,
               const std::vector<std::string>& events = {}) {
  Batch batch;
  batch.games.push_back({id, std::move(header), std::move(request_id)});
  for (const auto& body : events) {
    batch.events.push_back({id, static_cast<std::uint32_t>(batch.events.size() + 1), body});
  }
  return batch;
}

Batch new_event(rules::GameId id, std::uint32_t seq, std::string body) {
  Batch batch;
  batch.events.push_back({id, seq, std::move(body)});
  return batch;
}

Batch finish(rules::GameId id) {
  Batch batch;
  batch.finished.push_back(id);
  return batch;
}

std::string problem_of_opening(const std::string& folder) {
  auto opened = Store::open(folder);
  auto* problem = std::get_if<std::string>(&opened);
  return problem != nullptr ? *problem : std::string();
}

std::string problem_of_restoring(const std::string& folder) {
  auto opened = Store::open(folder);
  if (auto* problem = std::get_if<std::string>(&opened)) return "not opened: " + *problem;
  const auto restored = std::get<std::unique_ptr<Store>>(opened)->restore();
  const auto* problem = std::get_if<std::string>(&restored);
  return problem != nullptr ? *problem : std::string();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class StoreTest : public testing::Test {
 protected:
  std::string folder() const { return folder_.path().string(); }
  /// The folder as kill -9 would leave it at this moment.
  std::string snapshot() {
    const std::string copy = copies_.path().string() + "/" + std::to_string(++copied_);
    std::filesystem::copy(folder(), copy);
    return copy;
  }

  tests::TempFolder folder_;
  tests::TempFolder copies_;
  int copied_ = 0;
};

TEST_F(StoreTest, ANewFolderIsMadeForItsOwnerOnly) {
  const std::string path = folder() + "/a/b";
  Running store(path);
  EXPECT_TRUE(store.restored().unfinished.empty());
  EXPECT_TRUE(store.restored().requests.empty());
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
}

TEST_F(StoreTest, WhatWasCommittedComesBack) {
  {
    Running store(folder());
    EXPECT_TRUE(store.commit(new_game(kSecond, "second", "r2")));
    EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1", {"one", std::string("t\0o", 3)})));
    EXPECT_TRUE(store.commit(new_event(kFirst, 3, "three")));
    EXPECT_TRUE(store.commit(new_event(kSecond, 1, std::string(100'000, 'x'))));
  }
  const Running store(folder());
  const auto& games = store.restored().unfinished;
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(games[0].header, "first");
  EXPECT_EQ(games[0].events, (std::vector<std::string>{"one", std::string("t\0o", 3), "three"}));
  EXPECT_EQ(games[1].header, "second");
  EXPECT_EQ(games[1].events, (std::vector<std::string>{std::string(100'000, 'x')}));
}

TEST_F(StoreTest, AGameGoesOnAfterARestart) {
  { EXPECT_TRUE(Running(folder()).commit(new_game(kFirst, "first", "r1", {"one"}))); }
  { EXPECT_TRUE(Running(folder()).commit(new_event(kFirst, 2, "two"))); }
  const Running store(folder());
  ASSERT_EQ(store.restored().unfinished.size(), 1u);
  EXPECT_EQ(store.restored().unfinished[0].events, (std::vector<std::string>{"one", "two"}));
}

TEST_F(StoreTest, TheTicketKeyStaysAndIsNotThatOfAnotherFolder) {
  const TicketKey key = Running(folder()).key();
  EXPECT_EQ(Running(folder()).key(), key);
  EXPECT_NE(Running(copies_.path().string()).key(), key);
}

TEST_F(StoreTest, RequestsComeBackInTheOrderTheyWereMade) {
  std::vector<std::pair<std::string, rules::GameId>> expected;
  {
    Running store(folder());
    for (std::uint64_t i = 0; i < 20; ++i) {
      const rules::GameId id{100 - i, i};
      expected.emplace_back("r" + std::to_string(i * 7 % 20), id);
      EXPECT_TRUE(store.commit(new_game(id, "h", expected.back().first)));
    }
  }
  EXPECT_EQ(Running(folder()).restored().requests, expected);
}

TEST_F(StoreTest, ARequestIdThatTheHubHasForgottenNamesItsNewestGame) {
  {
    Running store(folder());
    EXPECT_TRUE(store.commit(new_game(kFirst, "first", "same")));
    EXPECT_TRUE(store.commit(new_game({5, 5}, "between", "other")));
    EXPECT_TRUE(store.commit(new_game(kSecond, "second", "same"))) << store.failure();
  }
  const std::vector<std::pair<std::string, rules::GameId>> expected = {{"other", {5, 5}},
                                                                       {"same", kSecond}};
  EXPECT_EQ(Running(folder()).restored().requests, expected);
}

TEST_F(StoreTest, AFinishedGameIsNotRestoredAndCanBeLoaded) {
  {
    Running store(folder());
    EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1", {"one", "two"})));
    EXPECT_TRUE(store.commit(finish(kFirst)));
  }
  Running store(folder());
  EXPECT_TRUE(store.restored().unfinished.empty());
  EXPECT_EQ(store.restored().requests.size(), 1u);
  const auto loaded = store.load(kFirst);
  EXPECT_EQ(loaded.id, kFirst);
  EXPECT_EQ(loaded.problem, "");
  ASSERT_TRUE(loaded.game);
  EXPECT_EQ(loaded.game->header, "first");
  EXPECT_EQ(loaded.game->events, (std::vector<std::string>{"one", "two"}));
}

TEST_F(StoreTest, AGameFinishedInTheBatchOfItsLastEventIsFinished) {
  {
    Running store(folder());
    Batch batch = new_game(kFirst, "first", "r1", {"one"});
    batch.finished.push_back(kFirst);
    EXPECT_TRUE(store.commit(batch));
  }
  EXPECT_TRUE(Running(folder()).restored().unfinished.empty());
}

TEST_F(StoreTest, LoadingAGameThatDoesNotExistGivesNone) {
  const auto loaded = Running(folder()).load(kFirst);
  EXPECT_EQ(loaded.id, kFirst);
  EXPECT_FALSE(loaded.game);
  EXPECT_EQ(loaded.problem, "");
}

TEST_F(StoreTest, ALoadSeesWhatWasJustCommitted) {
  Running store(folder());
  EXPECT_FALSE(store.load(kFirst).game);
  EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1", {"one"})));
  EXPECT_TRUE(store.load(kFirst).game);
}

TEST_F(StoreTest, ASecondDaemonIsRefusedWhileTheFirstLives) {
  {
    const Running store(folder());
    EXPECT_EQ(problem_of_opening(folder()),
              "the data folder " + folder() + " is in use by another tengend");
  }
  EXPECT_EQ(problem_of_opening(folder()), "");
}

TEST_F(StoreTest, AFolderThatCannotBeMadeIsNamed) {
  std::ofstream(folder() + "/file") << "x";
  EXPECT_TRUE(has(problem_of_opening(folder() + "/file/data"), folder() + "/file/data: "));
}

TEST_F(StoreTest, ACopyTakenWhileTheStoreRunsHoldsAllThatWasAcknowledged) {
  Running store(folder());
  EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1")));
  for (std::uint32_t seq = 1; seq <= 30; ++seq) {
    EXPECT_TRUE(store.commit(new_event(kFirst, seq, "event " + std::to_string(seq))));
    if (seq % 10 != 0) continue;
    const Running copy(snapshot());
    ASSERT_EQ(copy.restored().unfinished.size(), 1u);
    ASSERT_EQ(copy.restored().unfinished[0].events.size(), seq);
    EXPECT_EQ(copy.restored().unfinished[0].events.back(), "event " + std::to_string(seq));
  }
}

TEST_F(StoreTest, ABatchInFlightIsFinishedBeforeTheStoreCloses) {
  {
    Running store(folder());
    store.submit(new_game(kFirst, "first", "r1", {"one"}));
  }
  EXPECT_EQ(Running(folder()).restored().unfinished.size(), 1u);
}

TEST_F(StoreTest, ACommitThatFailsIsReportedAndLeavesNothingOfItsBatch) {
  {
    Running store(folder());
    EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1", {"one"})));
    Batch twice = new_event(kFirst, 2, "two");
    twice.events.push_back({kFirst, 2, "two again"});
    EXPECT_FALSE(store.commit(twice));
    EXPECT_TRUE(has(store.failure(), "UNIQUE")) << store.failure();
  }
  const Running store(folder());
  ASSERT_EQ(store.restored().unfinished.size(), 1u);
  EXPECT_EQ(store.restored().unfinished[0].events, (std::vector<std::string>{"one"}));
}

// The chain by another program: a bitwise CRC-32C in Python (which gives e3069283 for "123456789")
// of four zero bytes and "header", then of the result in little-endian order and "one", then "two".
TEST_F(StoreTest, EventsCarryTheChainedCrc32c) {
  { EXPECT_TRUE(Running(folder()).commit(new_game(kFirst, "header", "r1", {"one"}))); }
  { EXPECT_TRUE(Running(folder()).commit(new_event(kFirst, 2, "two"))); }
  EXPECT_EQ(sql(folder(), "SELECT crc FROM events WHERE seq = 1"), "4100022064");
  EXPECT_EQ(sql(folder(), "SELECT crc FROM events WHERE seq = 2"), "2823306752");
  EXPECT_EQ(sql(folder(), "SELECT epoch FROM events WHERE seq = 1"), "1");
  EXPECT_EQ(sql(folder(), "SELECT epoch FROM events WHERE seq = 2"), "2");
}

struct DamageCase {
  const char* name;
  const char* sql;
  const char* found;
};

class DamagedStoreTest : public StoreTest, public testing::WithParamInterface<DamageCase> {};

constexpr const char* kIdText = "010000000000000000000000000000ff";

TEST_P(DamagedStoreTest, IsRefusedAtStartWithGameAndEvent) {
  { EXPECT_TRUE(Running(folder()).commit(new_game(kFirst, "first", "r1", {"one", "two", "ten"}))); }
  sql(folder(), GetParam().sql);
  const auto problem = problem_of_restoring(folder());
  EXPECT_TRUE(has(problem, kIdText)) << problem;
  EXPECT_TRUE(has(problem, GetParam().found)) << problem;
}

TEST_P(DamagedStoreTest, IsToldOfWhenAFinishedGameIsLoaded) {
  {
    Running store(folder());
    EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1", {"one", "two", "ten"})));
    EXPECT_TRUE(store.commit(finish(kFirst)));
    EXPECT_TRUE(store.commit(new_game(kSecond, "second", "r2", {"one"})));
  }
  sql(folder(), GetParam().sql);
  Running store(folder());
  const auto loaded = store.load(kFirst);
  EXPECT_FALSE(loaded.game);
  EXPECT_TRUE(has(loaded.problem, kIdText)) << loaded.problem;
  EXPECT_TRUE(has(loaded.problem, GetParam().found)) << loaded.problem;
  EXPECT_TRUE(store.load(kSecond).game) << "one damaged game does not hide the others";
}

INSTANTIATE_TEST_SUITE_P(
    Damage, DamagedStoreTest,
    testing::Values(
        DamageCase{"Body", "UPDATE events SET body = x'747770' WHERE seq = 2 AND body = x'74776f'",
                   "damaged at event 2"},
        DamageCase{"Crc", "UPDATE events SET crc = crc + 1 WHERE seq = 3", "damaged at event 3"},
        DamageCase{"LostEvent", "DELETE FROM events WHERE seq = 2", "damaged at event 2"},
        DamageCase{"LostLast", "DELETE FROM events WHERE seq = 3",
                   "3 events were stored and 2 are there"},
        DamageCase{"LostFirst",
                   "DELETE FROM events WHERE seq = 1 AND game = "
                   "x'010000000000000000000000000000ff'",
                   "damaged at event 1"},
        DamageCase{"Swapped",
                   "UPDATE events SET body = CASE seq WHEN 2 THEN x'74656e' ELSE x'74776f' END "
                   "WHERE seq > 1",
                   "damaged at event 2"},
        DamageCase{"Header", "UPDATE games SET header = x'66' WHERE header = x'6669727374'",
                   "damaged at event 1"}),
    [](const auto& each) { return each.param.name; });

TEST_F(StoreTest, ANewerSchemaIsRefusedAndLeftAlone) {
  { EXPECT_TRUE(Running(folder()).commit(new_game(kFirst, "first", "r1"))); }
  sql(folder(), "UPDATE meta SET value = '2' WHERE key = 'schema_version'");
  const auto problem = problem_of_opening(folder());
  EXPECT_TRUE(has(problem, "written by another version of tengend (schema 2)")) << problem;
  EXPECT_EQ(sql(folder(), "SELECT value FROM meta WHERE key = 'schema_version'"), "2");
  EXPECT_EQ(sql(folder(), "SELECT value FROM meta WHERE key = 'epoch'"), "1");
}

TEST_F(StoreTest, ADamagedKeyOrEpochIsRefused) {
  { const Running store(folder()); }
  sql(folder(), "UPDATE meta SET value = 'x' WHERE key = 'epoch'");
  EXPECT_TRUE(has(problem_of_opening(folder()), "the epoch is damaged"));
  sql(folder(),
      "UPDATE meta SET value = '1' WHERE key = 'epoch';"
      "UPDATE meta SET value = 'x' WHERE key = 'ticket_key'");
  EXPECT_TRUE(has(problem_of_opening(folder()), "the ticket key is damaged"));
}

TEST_F(StoreTest, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(folder() + "/games.sqlite") << std::string(5'000, 'x');
  EXPECT_TRUE(has(problem_of_opening(folder()), folder() + "/games.sqlite: "));
}

TEST_F(StoreTest, ADamagedLogIsRefusedNamedAndKept) {
  Running store(folder());
  EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1")));
  for (std::uint32_t seq = 1; seq <= 5; ++seq) {
    EXPECT_TRUE(store.commit(new_event(kFirst, seq, "event")));
  }
  const std::string copy = snapshot();
  const std::string wal = copy + "/games.sqlite-wal";
  std::string bytes = tests::read_text(wal);
  constexpr std::size_t kFrame = 24 + 4096;
  ASSERT_GE(bytes.size(), 32 + 3 * kFrame);
  const std::size_t frame = (bytes.size() - 32) / kFrame - 1;  // the one before the last
  const std::size_t offset = 32 + (frame - 1) * kFrame;
  bytes[offset + 500] = static_cast<char>(bytes[offset + 500] ^ 4);
  std::ofstream(wal, std::ios::binary) << bytes;

  const auto problem = problem_of_opening(copy);
  EXPECT_TRUE(has(problem, wal)) << problem;
  EXPECT_TRUE(has(problem, "frame " + std::to_string(frame) + " (offset " + std::to_string(offset)))
      << problem;
  EXPECT_EQ(tests::read_text(wal + ".damaged"), bytes);
  EXPECT_EQ(tests::read_text(wal), bytes);
  EXPECT_NE(problem_of_opening(copy), "") << "it stays refused";
}

TEST_F(StoreTest, ATornTailIsNoDamage) {
  Running store(folder());
  EXPECT_TRUE(store.commit(new_game(kFirst, "first", "r1")));
  EXPECT_TRUE(store.commit(new_event(kFirst, 1, "one")));
  const std::string copy = snapshot();
  const std::string wal = copy + "/games.sqlite-wal";
  std::filesystem::resize_file(wal, std::filesystem::file_size(wal) - 100);
  const Running torn(copy);
  ASSERT_EQ(torn.restored().unfinished.size(), 1u);
  EXPECT_TRUE(torn.restored().unfinished[0].events.empty()) << "the torn batch alone is gone";
}

}  // namespace
}  // namespace tengen::daemon
