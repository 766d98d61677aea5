// What the pool wants done. The shell carries the effects out in order and reports back through the
// pool's on_ methods; what is about a job goes to whoever submitted it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "pool/job.h"
#include "pool/profile.h"

namespace tengen::pool {

/// Start a process. Answered by on_spawned or on_spawn_failed, later by on_exit.
struct Spawn {
  EngineId engine;
  std::vector<std::string> argv;           // argv[0] is looked up in PATH, then in /usr/games
  std::string directory;                   // empty: the daemon's own
  std::vector<std::string> environment{};  // beside kEnvironment; see Profile
  ProcessLimits limits{};
  bool is_memory_watched = false;  // on_memory is to be told now and then
};
/// Bytes for the engine's standard input.
struct Write {
  EngineId engine;
  std::string bytes;
};
/// Close the engine's standard input.
struct CloseInput {
  EngineId engine;
};
/// SIGKILL to the engine's whole process group.
struct Kill {
  EngineId engine;
};
/// A job's end; exactly one for each submitted job.
struct JobDone {
  JobId job;
  JobResult result;
  /// What of the time since the submission the engine's clock pays for: from the last answer that
  /// brought an engine to the position to the last byte of its move, failed attempts included.
  /// The rest is the server's lag.
  std::chrono::nanoseconds searched{0};
};
/// An engine has the position of a job with a clock, and from now on the clock pays for it.
struct SearchBegun {
  JobId job;
};
/// A job's engine died, hung or was lost; the job goes to another one.
struct JobMoved {
  JobId job;
  EngineId from;
  std::string reason;
  std::chrono::nanoseconds searched{0};  // so far, as in JobDone
};
/// An update of a stream.
struct AnalysisUpdate {
  JobId job;
  std::shared_ptr<const Analysis> analysis;
};
/// A line for the log.
struct Note {
  enum class Level : std::uint8_t { Debug, Info, Warning, Error };
  Level level = Level::Info;
  EngineId engine;  // 0: the pool itself
  std::string text;
};

using Effect = std::variant<Spawn, Write, CloseInput, Kill, JobDone, SearchBegun, JobMoved,
                            AnalysisUpdate, Note>;
using Effects = std::vector<Effect>;

}  // namespace tengen::pool
