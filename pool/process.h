// Real engine processes over Asio: starts them, moves bytes, reports exits. It decides nothing; the
// pool's effects come in and the handler's events go out, always from the loop, never from inside a
// call. Engines get pipes that nobody else inherits, their own process group, the death signal of
// the loop's thread, default signal dispositions and an empty mask.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "pool/effects.h"
#include "pool/keeper.h"
#include "pool/pool.h"

namespace boost::asio {
class io_context;
}

namespace tengen::pool {

/// How often the memory of the engines that are watched is looked at.
inline constexpr std::chrono::milliseconds kMemoryWatchInterval{2'000};

/// Called from the loop. `bytes` is valid during the call only.
struct ProcessEvents {
  std::function<void(EngineId, int pid)> spawned;
  std::function<void(EngineId, std::string reason)> spawn_failed;
  std::function<void(EngineId, std::string_view bytes)> output;
  std::function<void(EngineId, std::string_view bytes)> error_output;
  /// Exit seen and output read to its end (or 200 ms after the exit, when somebody else still
  /// holds the pipe).
  std::function<void(EngineId, ExitStatus)> exited;
  /// What the engine's whole process group holds, every kMemoryWatchInterval, for engines whose
  /// Spawn asked for it. May be empty.
  std::function<void(EngineId, std::uint64_t resident_bytes)> memory{};
};

class Processes {
 public:
  Processes(boost::asio::io_context& io, Keeper& keeper, ProcessEvents events);
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  void spawn(const Spawn& what);
  /// Writes what the pipe takes and queues the rest; an engine that leaves more than
  /// kWriteBacklogMax bytes unread is killed.
  void write(const Write& what);
  void close_input(const CloseInput& what);
  void kill(const Kill& what);
  std::size_t running() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tengen::pool
