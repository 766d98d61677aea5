#include "daemon/journal.h"

#include <algorithm>
#include <utility>

#include "daemon/check.h"

namespace tengen::daemon {

void Journal::add(NewGame game) { batch_.games.push_back(std::move(game)); }

void Journal::add(NewEvent event) { batch_.events.push_back(std::move(event)); }

void Journal::add(NewAgentAct act) { batch_.agent_acts.push_back(std::move(act)); }

void Journal::add_finished(rules::GameId game) { batch_.finished.push_back(game); }

void Journal::send_after(Ticket ticket, Effect effect, Effects& out) {
  if (is_durable(ticket)) {
    out.push_back(std::move(effect));
    return;
  }
  // An effect of an older batch that comes late is put before those of newer ones.
  const auto place = std::upper_bound(held_.begin(), held_.end(), ticket,
                                      [](Ticket t, const Held& held) { return t < held.ticket; });
  held_.insert(place, Held{ticket, std::move(effect)});
}

void Journal::flush(Effects& out) {
  if (in_flight_ || batch_.is_empty()) return;
  in_flight_ = open_;
  open_ = Ticket{open_.value + 1};
  out.push_back(Commit{*in_flight_, std::exchange(batch_, {})});
}

void Journal::on_stored(Ticket ticket, Effects& out) {
  check(in_flight_ == ticket, "the store answered for the batch in flight");
  durable_ = ticket;
  in_flight_.reset();
  while (!held_.empty() && is_durable(held_.front().ticket)) {
    out.push_back(std::move(held_.front().effect));
    held_.pop_front();
  }
}

}  // namespace tengen::daemon
