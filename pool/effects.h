// What the pool wants done. The shell carries the effects out in order and reports back through the
// pool's on_ methods; a JobDone goes to whoever submitted the job.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "pool/job.h"

namespace tengen::pool {

/// Start a process. Answered by on_spawned or on_spawn_failed, later by on_exit.
struct Spawn {
  EngineId engine;
  std::vector<std::string> argv;  // argv[0] is looked up in PATH, then in /usr/games
  std::string directory;          // empty: the daemon's own
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
};
/// A line for the log.
struct Note {
  enum class Level : std::uint8_t { Debug, Info, Warning, Error };
  Level level = Level::Info;
  EngineId engine;  // 0: the pool itself
  std::string text;
};

using Effect = std::variant<Spawn, Write, CloseInput, Kill, JobDone, Note>;
using Effects = std::vector<Effect>;

}  // namespace tengen::pool
