// A job is a plain value: everything an engine needs for one search. Any engine of the profile can
// do it, so a crash loses nothing and it could cross a network.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rules/log.h"
#include "rules/record.h"

namespace tengen::pool {

using TimePoint = std::chrono::steady_clock::time_point;

/// Chosen by the caller and never used twice.
struct JobId {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(const JobId&, const JobId&) = default;
};

/// Given by the pool, from 1, never used twice.
struct EngineId {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(const EngineId&, const EngineId&) = default;
};

enum class Want : std::uint8_t {
  Genmove,   // a move for `color`; the engine plays it on its own board
  DeadList,  // final_status_list dead
};

struct Job {
  JobId id;
  rules::GameId game;  // for affinity: the same game's engine first
  std::string profile;
  rules::Settings settings;  // already checked by Profile::problem
  rules::Record record;
  rules::Ruleset rules;  // all components; ko and suicide are the record's
  int komi_half = 15;    // half points
  rules::Color color = rules::Color::Black;
  Want want = Want::Genmove;
  std::uint32_t seed = 1;  // for engines that take one, 1 to 2^31 - 1
};

/// The engine's answer to genmove; not judged by any rules yet.
struct EngineMove {
  enum class Kind : std::uint8_t { Play, Pass, Resign };
  Kind kind = Kind::Pass;
  rules::Point point;  // for Play: on the board
};

/// The stones named dead, on the board, in the order given.
struct EngineDeadList {
  std::vector<rules::Point> points;
};

enum class JobError : std::uint8_t {
  UnknownProfile,
  QueueFull,        // retry later
  ProfileFailed,    // its engines cannot be started; retry after the operator mended it
  EnginesFailed,    // two engines died of it, hung on it or answered rubbish
  PositionRefused,  // an engine refused the same part of the position twice
  NotSupported,     // the engine does not know the command
  Cancelled,
  Draining,
};
std::string_view name_of(JobError error);

struct JobFailure {
  JobError error = JobError::EnginesFailed;
  std::string detail;  // for people
};

using JobResult = std::variant<EngineMove, EngineDeadList, JobFailure>;

}  // namespace tengen::pool
