// Whoever holds one end of a connection in the simulator.
#pragma once

#include <optional>

#include "daemon/ids.h"
#include "protocol/codec.h"

namespace tengen::sim {

class Line {
 public:
  virtual ~Line() = default;
  virtual std::optional<daemon::ConnId> connection() const = 0;
  virtual protocol::Format format() const = 0;
  virtual void on_connecting(daemon::ConnId id) = 0;
  virtual void on_disconnected() = 0;
  virtual void on_frame(daemon::ConnId id, const protocol::ServerFrame& frame) = 0;
};

}  // namespace tengen::sim
