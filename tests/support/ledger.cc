#include "tests/support/ledger.h"

namespace tengen::tests {

std::optional<std::string> Ledger::take(const std::vector<rules::Event>& events) {
  for (const auto& event : events) {
    const auto wanted = seen() + 1;
    if (event.seq < 1 || event.seq > wanted) {
      return "event " + std::to_string(event.seq) + " came where " + std::to_string(wanted) +
             " was due";
    }
    if (event.seq == wanted) {
      events_.push_back(event);
    } else if (event != events_[event.seq - 1]) {
      return "event " + std::to_string(event.seq) + " was '" + to_line(events_[event.seq - 1]) +
             "' and is now '" + to_line(event) + "'";
    }
  }
  return std::nullopt;
}

bool Ledger::is_finished() const {
  return !events_.empty() && std::holds_alternative<rules::Finished>(events_.back().body);
}

bool is_act_of(const rules::Event& event, std::string_view request_id) {
  return !is_derived(event.body) && event.stamp.request_id == request_id;
}

}  // namespace tengen::tests
