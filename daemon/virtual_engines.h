// All virtual GTP engines of the daemon, by their secret ids. One outlives the connection that
// opened it: whoever knows its id may go on with it, until it quits, is closed, or nobody has
// called it for too long. It ends with the daemon; nothing of it is stored. A core: the hub hands
// its effects to the pool and to connections.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>

#include "daemon/deadlines.h"
#include "daemon/virtual_engine.h"
#include "pool/pool.h"

namespace tengen::daemon {

/// What can grow in the table, and how far.
struct VirtualLimits {
  std::size_t engines_max = 1'000;
  std::size_t engines_per_owner_max = 16;         // opened by one connection, ended ones aside
  std::chrono::milliseconds idle_max{1'800'000};  // without a call
  VirtualEngineLimits engine{};
};

/// 64 bits that nobody can guess: ids and seeds are made of them.
using SecretBits = std::function<std::uint64_t()>;

class VirtualEngines {
 public:
  VirtualEngines(const VirtualLimits& limits, SecretBits secret_bits);

  /// Opens an engine that the profile can play as it is asked to, and gives its id. No other one
  /// that is there may have been opened under the same name.
  std::variant<VirtualEngineId, protocol::Error> open(ConnId owner, VirtualEngineSpec spec,
                                                      const pool::Pool& pool, Now now);
  /// The engine that was opened under this name and is there; nothing for the empty name.
  std::optional<VirtualEngineId> find_opened(const std::string& opening) const;
  /// One reply follows, now or later, to the call's caller; whoever that is, the id is enough.
  void on_call(VirtualEngineId id, VirtualCall call, const pool::Pool& pool, Now now,
               VirtualEffects& out);
  /// Ends it at once: its job is taken back, calls that wait are refused. An error when there is no
  /// such engine.
  std::optional<protocol::Error> close(VirtualEngineId id, VirtualEffects& out);

  /// Whether a job of the pool is one of a virtual engine, there still or not.
  static bool is_its_job(pool::JobId job) { return VirtualEngine::is_its_job(job); }
  void on_job_done(const pool::JobDone& done, const pool::Pool& pool, VirtualEffects& out);

  std::optional<TimePoint> deadline() const { return deadlines_.next(); }
  /// Ends those that nobody has called for too long.
  void on_deadline(Now now, VirtualEffects& out);

  std::size_t size() const { return engines_.size(); }
  /// Null when there is none; until the next call that changes the table.
  const VirtualEngine* find(VirtualEngineId id) const;
  /// What is broken in the table's bookkeeping; nothing when all is well. For tests.
  std::optional<std::string> broken_invariant() const;

 private:
  using Number = std::uint32_t;
  struct Entry {
    VirtualEngineId id;
    ConnId owner;
    VirtualEngine engine;
  };

  std::optional<protocol::Error> objection_to(ConnId owner, const VirtualEngineSpec& spec,
                                              const pool::Pool& pool) const;
  void drop_if_over(Number number);

  VirtualLimits limits_;
  SecretBits secret_bits_;
  Number next_number_ = 1;
  std::unordered_map<Number, Entry> engines_;
  std::unordered_map<VirtualEngineId, Number> numbers_;
  std::unordered_map<std::string, Number> openings_;  // of those that can be sent again
  std::unordered_map<ConnId, std::size_t> owned_;     // how many each has open, none left out
  Deadlines<Number> deadlines_;
};

}  // namespace tengen::daemon
