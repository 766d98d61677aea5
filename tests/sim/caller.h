// Whoever makes plain HTTP requests in the simulator.
#pragma once

#include "daemon/ids.h"
#include "daemon/net/http.h"

namespace tengen::sim {

class Caller {
 public:
  virtual ~Caller() = default;
  virtual void on_answer(daemon::HttpId id, const daemon::HttpResponse& response) = 0;
  /// The daemon went down before it answered.
  virtual void on_lost(daemon::HttpId id) = 0;
};

}  // namespace tengen::sim
