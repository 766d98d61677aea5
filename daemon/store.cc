#include "daemon/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "daemon/check.h"
#include "daemon/sqlite.h"
#include "daemon/wal_scan.h"

namespace tengen::daemon {
namespace {

constexpr std::int64_t kSchemaVersion = 1;
constexpr int kRequestsRestoredMax = 65'536;
constexpr std::size_t kLoadsWaitingMax = 4'096;

constexpr const char* kSchema = R"(
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games(
  id BLOB PRIMARY KEY, header BLOB NOT NULL, finished INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL DEFAULT 0, crc INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS unfinished ON games(id) WHERE finished = 0;
CREATE TABLE IF NOT EXISTS events(
  game BLOB NOT NULL, seq INTEGER NOT NULL, epoch INTEGER NOT NULL, crc INTEGER NOT NULL,
  body BLOB NOT NULL, PRIMARY KEY(game, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests(
  number INTEGER PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, game BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS agent_acts(
  number INTEGER PRIMARY KEY, game BLOB NOT NULL, slot INTEGER NOT NULL, key TEXT NOT NULL,
  accepted INTEGER NOT NULL, status INTEGER NOT NULL, seq INTEGER NOT NULL, reason TEXT NOT NULL,
  UNIQUE(game, slot, key));
)";

std::string bytes_of(rules::GameId id) {
  std::string bytes;
  for (const auto half : {id.high, id.low}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift & 0xff);
  }
  return bytes;
}

rules::GameId id_of(const std::string& bytes) {
  rules::GameId id;
  for (std::size_t i = 0; i < 16 && i < bytes.size(); ++i) {
    auto& half = i < 8 ? id.high : id.low;
    half = half << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return id;
}

/// CRC32C (Castagnoli) of the link before and the bytes.
std::uint32_t chain(std::uint32_t before, std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(&before, sizeof before);
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

struct ReadGame {
  StoredGame game;
  std::uint32_t crc = 0;
};

// Reads the events of the game in a row of kReadGame or kReadUnfinished, and checks the chain to
// its end; throws on damage.
ReadGame read_game(Statement& events, const Statement& game) {
  const auto id = game.bytes(0);
  ReadGame read{{game.bytes(1), {}}, 0};
  read.crc = chain(0, read.game.header);
  events.bind(1, id);
  while (events.step()) {
    const auto seq = read.game.events.size() + 1;
    auto body = events.bytes(1);
    read.crc = chain(read.crc, body);
    if (events.integer(0) != static_cast<std::int64_t>(seq) || events.integer(2) != read.crc) {
      events.reset();
      throw SqliteError("game " + rules::to_text(id_of(id)) + " is damaged at event " +
                        std::to_string(seq));
    }
    read.game.events.push_back(std::move(body));
  }
  events.reset();
  if (game.integer(2) != static_cast<std::int64_t>(read.game.events.size()) ||
      game.integer(3) != read.crc) {
    throw SqliteError(
        "game " + rules::to_text(id_of(id)) + " is damaged: " + std::to_string(game.integer(2)) +
        " events were stored and " + std::to_string(read.game.events.size()) + " are there");
  }
  return read;
}

// The writer's statements, prepared once.
struct WriterStatements {
  explicit WriterStatements(Database& database)
      : begin(database, "BEGIN IMMEDIATE"),
        commit(database, "COMMIT"),
        add_game(database, "INSERT INTO games(id, header, crc) VALUES(?, ?, ?)"),
        // An id that the hub has forgotten may come again: the newest game of that id counts.
        add_request(database, "INSERT OR REPLACE INTO requests(request_id, game) VALUES(?, ?)"),
        add_event(database,
                  "INSERT INTO events(game, seq, epoch, crc, body) VALUES(?, ?, ?, ?, ?)"),
        set_end(database, "UPDATE games SET seq = ?, crc = ? WHERE id = ?"),
        finish_game(database, "UPDATE games SET finished = 1 WHERE id = ?"),
        add_agent_act(database,
                      "INSERT OR REPLACE INTO agent_acts(game, slot, key, accepted, status, seq, "
                      "reason) VALUES(?, ?, ?, ?, ?, ?, ?)") {}

  Statement begin;
  Statement commit;
  Statement add_game;
  Statement add_request;
  Statement add_event;
  Statement set_end;
  Statement finish_game;
  Statement add_agent_act;
};

constexpr const char* kReadGame = "SELECT id, header, seq, crc FROM games WHERE id = ?";
constexpr const char* kReadUnfinished =
    "SELECT id, header, seq, crc FROM games WHERE finished = 0 ORDER BY id";
constexpr const char* kReadEvents = "SELECT seq, body, crc FROM events WHERE game = ? ORDER BY seq";
constexpr const char* kReadAgentActs =
    "SELECT slot, key, accepted, status, seq, reason FROM agent_acts WHERE game = ? "
    "ORDER BY number";

std::vector<AgentAct> read_agent_acts(Statement& acts, const std::string& game) {
  std::vector<AgentAct> read;
  acts.bind(1, game);
  while (acts.step()) {
    read.push_back({static_cast<int>(acts.integer(0)), acts.bytes(1), acts.integer(2) != 0,
                    static_cast<int>(acts.integer(3)), static_cast<std::uint32_t>(acts.integer(4)),
                    acts.bytes(5)});
  }
  acts.reset();
  return read;
}

class Lock {
 public:
  explicit Lock(int fd) : fd_(fd) {}
  Lock(Lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Lock& operator=(Lock&&) = delete;
  ~Lock() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  int fd_;
};

std::variant<Lock, std::string> lock_folder(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return path + ": " + std::strerror(errno);
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return Lock(fd);
  ::close(fd);
  return "the data folder " + folder + " is in use by another tengend";
}

// Keeps a copy of a damaged log beside it and says where the damage is.
std::optional<std::string> refuse_damaged_wal(const std::string& database) {
  const std::string wal = database + "-wal";
  const auto damage = find_wal_file_damage(wal);
  if (!damage) return std::nullopt;
  const std::string copy = wal + ".damaged";
  std::error_code error;
  std::filesystem::copy_file(wal, copy, std::filesystem::copy_options::overwrite_existing, error);
  return wal + " is damaged at frame " + std::to_string(damage->frame) + " (offset " +
         std::to_string(damage->offset) + ") with sound changes after it; " +
         (error ? "it could not be copied: " + error.message() : "a copy is kept in " + copy) +
         "; restore a backup or move the file away to go on without those changes";
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (::getrandom(bytes.data(), count, 0) != static_cast<ssize_t>(count)) {
    throw SqliteError("no random bytes");
  }
  return bytes;
}

}  // namespace

struct Store::State {
  State(std::string database_path, Lock held)
      : path(std::move(database_path)),
        lock(std::move(held)),
        writer(path, Database::Mode::ReadWrite) {}

  void prepare();
  void check_integrity();
  void write_batches();
  void read_games();
  void write(const Batch& batch);

  std::string path;
  Lock lock;
  Database writer;
  std::optional<WriterStatements> statements;  // from prepare() on
  std::unique_ptr<Database> reader;
  TicketKey ticket_key{};
  std::int64_t epoch = 0;
  std::unordered_map<rules::GameId, std::uint32_t> crcs;  // of unfinished games; the writer's
  StoreEvents events;

  std::mutex mutex;
  std::condition_variable work;
  std::optional<Commit> to_write;
  std::deque<rules::GameId> to_load;
  bool stopping = false;
  std::thread writer_thread;
  std::thread reader_thread;
};

std::variant<std::unique_ptr<Store>, std::string> Store::open(const std::string& folder) {
  std::error_code error;
  const bool is_new = std::filesystem::create_directories(folder, error);
  if (!error && is_new) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  }
  if (error) return folder + ": " + error.message();
  auto lock = lock_folder(folder);
  if (auto* problem = std::get_if<std::string>(&lock)) return std::move(*problem);
  const std::string path = folder + "/games.sqlite";
  if (auto problem = refuse_damaged_wal(path)) return std::move(*problem);
  try {
    auto state = std::make_unique<State>(path, std::move(std::get<Lock>(lock)));
    state->prepare();
    return std::unique_ptr<Store>(new Store(std::move(state)));
  } catch (const SqliteError& failure) {
    return path + ": " + failure.what();
  }
}

void Store::State::prepare() {
  writer.run("PRAGMA journal_mode=WAL");
  check_integrity();
  writer.run("PRAGMA synchronous=FULL");
  writer.run("PRAGMA journal_size_limit=67108864");
  writer.run("BEGIN IMMEDIATE");
  writer.run(kSchema);
  const auto meta = [&](std::string_view key) -> std::optional<std::string> {
    Statement get(writer, "SELECT value FROM meta WHERE key = ?");
    get.bind_text(1, key);
    return get.step() ? std::optional(get.bytes(0)) : std::nullopt;
  };
  const auto set = [&](std::string_view key, std::string_view value) {
    Statement(writer, "INSERT OR REPLACE INTO meta VALUES(?, ?)")
        .bind_text(1, key)
        .bind(2, value)
        .run();
  };
  const auto version = meta("schema_version");
  if (version && *version != std::to_string(kSchemaVersion)) {
    throw SqliteError("written by another version of tengend (schema " + *version + ")");
  }
  set("schema_version", std::to_string(kSchemaVersion));
  const std::string before = meta("epoch").value_or("0");
  const auto [end, wrong] = std::from_chars(before.data(), before.data() + before.size(), epoch);
  if (wrong != std::errc() || end != before.data() + before.size()) {
    throw SqliteError("the epoch is damaged");
  }
  ++epoch;
  set("epoch", std::to_string(epoch));
  const auto stored = meta("ticket_key");
  const std::string key = stored ? *stored : random_bytes(ticket_key.size());
  if (!stored) set("ticket_key", key);
  if (key.size() != ticket_key.size()) throw SqliteError("the ticket key is damaged");
  std::memcpy(ticket_key.data(), key.data(), key.size());
  writer.run("COMMIT");
  statements.emplace(writer);
}

// A flipped bit in a tree of the file could hide rows that no checksum of ours would miss.
void Store::State::check_integrity() {
  Statement integrity(writer, "PRAGMA integrity_check(1)");
  const std::string found = integrity.step() ? integrity.bytes(0) : std::string();
  if (found != "ok") throw SqliteError("the file is damaged: " + found);
}

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}

Store::~Store() {
  {
    const std::lock_guard guard(state_->mutex);
    state_->stopping = true;
  }
  state_->work.notify_all();
  if (state_->writer_thread.joinable()) state_->writer_thread.join();
  if (state_->reader_thread.joinable()) state_->reader_thread.join();
}

const TicketKey& Store::ticket_key() const { return state_->ticket_key; }

std::variant<StoredState, std::string> Store::restore() {
  try {
    StoredState restored;
    Statement games(state_->writer, kReadUnfinished);
    Statement events(state_->writer, kReadEvents);
    Statement acts(state_->writer, kReadAgentActs);
    while (games.step()) {
      auto read = read_game(events, games);
      read.game.agent_acts = read_agent_acts(acts, games.bytes(0));
      state_->crcs[id_of(games.bytes(0))] = read.crc;
      restored.unfinished.push_back(std::move(read.game));
    }
    Statement requests(state_->writer,
                       "SELECT request_id, game FROM (SELECT * FROM requests ORDER BY number DESC "
                       "LIMIT ?) ORDER BY number");
    requests.bind(1, std::int64_t{kRequestsRestoredMax});
    while (requests.step()) {
      restored.requests.emplace_back(requests.bytes(0), id_of(requests.bytes(1)));
    }
    return restored;
  } catch (const SqliteError& failure) {
    return state_->path + ": " + failure.what();
  }
}

void Store::start(StoreEvents events) {
  state_->events = std::move(events);
  // Threads inherit the mask: signals are the loop's alone.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  state_->writer_thread = std::thread([this] { state_->write_batches(); });
  state_->reader_thread = std::thread([this] { state_->read_games(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Store::submit(Commit commit) {
  {
    const std::lock_guard guard(state_->mutex);
    check(!state_->to_write, "one batch at a time goes to the store");
    state_->to_write = std::move(commit);
  }
  state_->work.notify_all();
}

void Store::load(rules::GameId id) {
  {
    const std::lock_guard guard(state_->mutex);
    if (state_->to_load.size() < kLoadsWaitingMax) {
      state_->to_load.push_back(id);
      id = {};
    }
  }
  state_->work.notify_all();
  if (id != rules::GameId{})
    state_->events.loaded({id, std::nullopt, "too many loads are waiting"});
}

void Store::State::write_batches() {
  while (true) {
    std::unique_lock guard(mutex);
    work.wait(guard, [&] { return stopping || to_write; });
    if (!to_write) return;
    const Commit commit = std::move(*to_write);
    to_write.reset();
    guard.unlock();
    try {
      write(commit.batch);
    } catch (const std::exception& failure) {
      events.failed(failure.what());
      return;
    }
    events.stored(commit.ticket);
  }
}

// A failed commit is never retried: what the disk holds is unknown until it is read again.
void Store::State::write(const Batch& batch) {
  auto& [begin, commit, add_game, add_request, add_event, set_end, finish_game, add_agent_act] =
      *statements;
  begin.run();
  for (const auto& made : batch.games) {
    const auto id = bytes_of(made.id);
    const auto crc = chain(0, made.header);
    add_game.bind(1, id).bind(2, made.header).bind(3, std::int64_t{crc}).run();
    add_request.bind_text(1, made.request_id).bind(2, id).run();
    crcs[made.id] = crc;
  }
  std::unordered_map<rules::GameId, std::uint32_t> ends;
  for (const auto& made : batch.events) {
    const auto open = crcs.find(made.game);
    if (open == crcs.end()) throw SqliteError("an event for a game that is not open");
    auto& crc = open->second;
    crc = chain(crc, made.body);
    ends[made.game] = made.seq;
    const auto id = bytes_of(made.game);
    add_event.bind(1, id).bind(2, std::int64_t{made.seq}).bind(3, epoch);
    add_event.bind(4, std::int64_t{crc}).bind(5, made.body).run();
  }
  for (const auto& [id, seq] : ends) {
    const auto bytes = bytes_of(id);
    set_end.bind(1, std::int64_t{seq}).bind(2, std::int64_t{crcs.at(id)}).bind(3, bytes).run();
  }
  for (const auto& id : batch.finished) {
    const auto bytes = bytes_of(id);
    finish_game.bind(1, bytes).run();
    crcs.erase(id);
  }
  for (const auto& [game, act] : batch.agent_acts) {
    const auto id = bytes_of(game);
    add_agent_act.bind(1, id).bind(2, std::int64_t{act.slot}).bind_text(3, act.key);
    add_agent_act.bind(4, std::int64_t{act.is_accepted}).bind(5, std::int64_t{act.status});
    add_agent_act.bind(6, std::int64_t{act.seq}).bind_text(7, act.reason).run();
  }
  commit.run();
}

void Store::State::read_games() {
  while (true) {
    std::unique_lock guard(mutex);
    work.wait(guard, [&] { return stopping || !to_load.empty(); });
    if (stopping) return;
    const auto id = to_load.front();
    to_load.pop_front();
    guard.unlock();
    LoadedGame loaded{id, std::nullopt, {}};
    try {
      if (!reader) reader = std::make_unique<Database>(path, Database::Mode::ReadOnly);
      const auto bytes = bytes_of(id);
      Statement game(*reader, kReadGame);
      game.bind(1, bytes);
      if (game.step()) {
        Statement game_events(*reader, kReadEvents);
        Statement acts(*reader, kReadAgentActs);
        loaded.game = read_game(game_events, game).game;
        loaded.game->agent_acts = read_agent_acts(acts, bytes);
      }
    } catch (const std::exception& failure) {
      loaded.problem = failure.what();
    }
    events.loaded(std::move(loaded));
  }
}

}  // namespace tengen::daemon
