// The output rule. Changes gather in an open batch; one batch at a time is on its way to the store;
// whatever reflects a change waits here until its batch is durable. A core.
#pragma once

#include <deque>
#include <optional>

#include "daemon/effects.h"

namespace tengen::daemon {

class Journal {
 public:
  void add(NewGame game);
  void add(NewEvent event);
  void add_finished(rules::GameId game);
  void add(NewAgentAct act);

  /// The batch that a change added now belongs to.
  Ticket open_ticket() const { return open_; }
  /// The batch that holds the latest change of all.
  Ticket newest_ticket() const { return batch_.is_empty() ? Ticket{open_.value - 1} : open_; }
  /// Lets the effect out once the ticket's batch is durable: at once if it is already.
  void send_after(Ticket ticket, Effect effect, Effects& out);

  /// Ends a turn: hands the open batch over unless one is in flight.
  void flush(Effects& out);
  /// The batch in flight is durable.
  void on_stored(Ticket ticket, Effects& out);

  bool is_durable(Ticket ticket) const { return ticket <= durable_; }
  /// The newest batch that is.
  Ticket durable_ticket() const { return durable_; }
  /// Nothing waits for the store.
  bool is_settled() const { return !in_flight_ && batch_.is_empty(); }

 private:
  struct Held {
    Ticket ticket;
    Effect effect;
  };

  Ticket durable_{0};
  Ticket open_{1};
  std::optional<Ticket> in_flight_;
  Batch batch_;
  std::deque<Held> held_;  // tickets never fall
};

}  // namespace tengen::daemon
