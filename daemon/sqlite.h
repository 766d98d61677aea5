// A thin, checked use of SQLite: a connection and prepared statements that throw SqliteError. Only
// the store includes it and catches.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tengen::daemon {

class SqliteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Database {
 public:
  enum class Mode { ReadWrite, ReadOnly };
  Database(const std::string& path, Mode mode);
  void run(const char* sql);
  sqlite3* get() const { return handle_.get(); }
  [[noreturn]] void fail(const char* doing) const;

 private:
  struct Closer {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// Parameters count from 1, columns from 0. Bound bytes must live until the step.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  Statement& bind(int at, std::string_view bytes);  // as a blob
  Statement& bind_text(int at, std::string_view text);
  Statement& bind(int at, std::int64_t value);
  /// Whether there is a row.
  bool step();
  /// Runs a statement without rows and makes it ready for the next use.
  void run();
  void reset();
  std::string bytes(int column) const;
  std::int64_t integer(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

}  // namespace tengen::daemon
