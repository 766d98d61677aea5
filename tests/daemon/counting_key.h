// The key 00 01 02 ... 1f, for values that other programs have computed with it.
#pragma once

#include "daemon/tickets.h"

namespace tengen::daemon {

inline TicketKey counting_key() {
  TicketKey key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}

}  // namespace tengen::daemon
