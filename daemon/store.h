// The store: games and their events in one SQLite file (WAL, synchronous=FULL) in the data folder.
// A writer thread commits one batch at a time, a reader thread with its own read-only connection
// answers loads; both share nothing with the loop but their queues. Each event carries a CRC32C
// chained within its game from the header on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "daemon/effects.h"
#include "daemon/tickets.h"

namespace tengen::daemon {

/// Called on the store's own threads: hand the values over to the loop and return.
struct StoreEvents {
  std::function<void(Ticket)> stored;
  /// The commit failed and nothing of it may be acknowledged; the store takes no more batches.
  std::function<void(std::string reason)> failed;
  std::function<void(LoadedGame)> loaded;
};

class Store {
 public:
  /// Opens or makes the data folder; refused while another daemon holds it, when it is damaged, and
  /// when a newer version wrote it. The text says what and where.
  static std::variant<std::unique_ptr<Store>, std::string> open(const std::string& folder);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const TicketKey& ticket_key() const;
  /// Unfinished games and remembered requests, or what is wrong with them. Before start.
  std::variant<StoredState, std::string> restore();

  void start(StoreEvents events);
  /// One at a time: the next only after `stored`.
  void submit(Commit commit);
  void load(rules::GameId id);

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tengen::daemon
