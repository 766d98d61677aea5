// See roster.h.
#include "pool/roster.h"

#include <algorithm>

namespace tengen::pool {

std::string_view name_of(EngineState state) {
  switch (state) {
    case EngineState::Starting:
      return "starting";
    case EngineState::Idle:
      return "idle";
    case EngineState::Searching:
      return "searching";
    case EngineState::Streaming:
      return "streaming";
    case EngineState::Interrupting:
      return "interrupting";
    case EngineState::Stopping:
      return "stopping";
    case EngineState::Gone:
      break;
  }
  return "gone";
}

void Roster::remove_idle(const Engine& engine) {
  const auto found = std::find(idle_.begin(), idle_.end(), &engine);
  if (found == idle_.end()) return;
  *found = idle_.back();
  idle_.pop_back();
}

}  // namespace tengen::pool
