// The log of one game as it comes in over the wire, written down outside of the daemon.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.h"

namespace tengen::tests {

/// Numbered without gaps; an event that comes again must be the same.
class Ledger {
 public:
  /// Gives what is wrong with the events; nothing when they fit.
  [[nodiscard]] std::optional<std::string> take(const std::vector<rules::Event>& events);
  const std::vector<rules::Event>& events() const { return events_; }
  std::uint32_t seen() const { return static_cast<std::uint32_t>(events_.size()); }
  bool is_finished() const;

 private:
  std::vector<rules::Event> events_;
};

/// Whether this event is the act that the request asked for. Derived events carry the id as well.
bool is_act_of(const rules::Event& event, std::string_view request_id);

}  // namespace tengen::tests
