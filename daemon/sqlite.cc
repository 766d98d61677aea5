#include "daemon/sqlite.h"

namespace tengen::daemon {
namespace {

constexpr int kBusyPatienceMs = 5'000;

}  // namespace

Database::Database(const std::string& path, Mode mode) {
  const int flags =
      SQLITE_OPEN_NOMUTEX |
      (mode == Mode::ReadWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  handle_.reset(raw);
  if (code != SQLITE_OK) fail("open");
  sqlite3_extended_result_codes(raw, 1);
  // An operator's shell that holds the file for a moment must not stop the daemon.
  sqlite3_busy_timeout(raw, kBusyPatienceMs);
}

void Database::run(const char* sql) {
  if (sqlite3_exec(get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

void Database::fail(const char* doing) const {
  throw SqliteError(std::string(doing) + ": " + sqlite3_errmsg(get()));
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database.get(), sql, -1, &raw, nullptr) != SQLITE_OK) database.fail(sql);
  statement_.reset(raw);
}

Statement& Statement::bind(int at, std::string_view bytes) {
  if (sqlite3_bind_blob64(statement_.get(), at, bytes.data(), bytes.size(), SQLITE_STATIC) !=
      SQLITE_OK) {
    database_.fail("bind");
  }
  return *this;
}

Statement& Statement::bind_text(int at, std::string_view text) {
  if (sqlite3_bind_text64(statement_.get(), at, text.data(), text.size(), SQLITE_STATIC,
                          SQLITE_UTF8) != SQLITE_OK) {
    database_.fail("bind");
  }
  return *this;
}

Statement& Statement::bind(int at, std::int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), at, value) != SQLITE_OK) database_.fail("bind");
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(sqlite3_sql(statement_.get()));
  return false;
}

void Statement::run() {
  step();
  reset();
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::string Statement::bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return data == nullptr ? std::string() : std::string(data, size);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

}  // namespace tengen::daemon
