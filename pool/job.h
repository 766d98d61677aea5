// A job is a plain value: everything an engine needs for one piece of work. Any engine of the
// profile can do it, so a crash loses nothing and it could cross a network.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pool/analysis.h"
#include "pool/shared_record.h"
#include "rules/clock.h"
#include "rules/log.h"

namespace tengen::pool {

using TimePoint = std::chrono::steady_clock::time_point;

/// Chosen by the caller and never used twice.
struct JobId {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(const JobId&, const JobId&) = default;
};

/// Whoever asks, for fair shares and limits; chosen by the caller.
struct ClientId {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(const ClientId&, const ClientId&) = default;
};

/// Given by the pool, from 1, never used twice.
struct EngineId {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(const EngineId&, const EngineId&) = default;
};

enum class Want : std::uint8_t {
  Genmove,         // a move for `color`; the engine plays it on its own board
  CleanupGenmove,  // the same while dead stones are to be captured
  RegGenmove,      // what it would play for `color`; its board stays as it is
  GenmoveAnalyze,  // Genmove, with updates on the way
  FreeHandicap,    // `stones` handicap stones of its own choice; the record must be empty
  DeadList,        // final_status_list dead
  AliveList,       // final_status_list alive
  SekiList,        // final_status_list seki
  FinalScore,      // final_score
  Analyze,         // a stream of updates until a limit or cancel
  Raw,             // `command`, which the profile must allow
};
/// "genmove", "dead list" ...
std::string_view name_of(Want want);

/// What is served first while engines are scarce.
enum class Priority : std::uint8_t { Move, Question, Analysis };
inline constexpr std::size_t kPriorities = 3;

/// A game's clock at the moment the job is made, the mover's time not running yet.
struct JobClock {
  rules::TimeControl control;
  rules::ClockFaces faces;
  friend bool operator==(const JobClock&, const JobClock&) = default;
};

struct Job {
  JobId id;
  rules::GameId game;  // for affinity: the same game's engine first
  std::string profile;
  rules::Settings settings;  // already checked by Profile::problem
  SharedRecord record;
  rules::Ruleset rules;  // all components; ko and suicide are the record's
  int komi_half = 15;    // half points
  rules::Color color = rules::Color::Black;
  Want want = Want::Genmove;
  std::uint32_t seed = 1;  // for engines that take one, 1 to 2^31 - 1
  ClientId client{};
  Priority priority = Priority::Move;
  std::optional<JobClock> clock{};   // absent: no limit
  std::optional<TimePoint> until{};  // when it is of no use any more; sooner ones go first
  AnalysisRequest analysis{};        // for Analyze and GenmoveAnalyze
  int stones = 0;                    // for FreeHandicap, 2 and more
  std::string command{};             // for Raw, with its arguments
};

/// The engine's answer to a search for a move; not judged by any rules yet.
struct EngineMove {
  enum class Kind : std::uint8_t { Play, Pass, Resign };
  Kind kind = Kind::Pass;
  rules::Point point;  // for Play: on the board
};

/// The stones of a status list or the handicap stones placed, on the board, in the order given.
struct EngineStones {
  std::vector<rules::Point> points;
};

/// The answer to final_score: black's lead in half points, absent when the engine gave a text that
/// is no score.
struct EngineScore {
  std::optional<int> black_lead_half;
  std::string text;  // as it said, printable
};

/// A stream has ended by itself or at a limit.
struct AnalysisEnd {
  std::uint64_t updates = 0;
};

/// The answer to a raw command.
struct EngineText {
  bool is_success = true;
  std::string text;
};

enum class JobError : std::uint8_t {
  UnknownProfile,
  QueueFull,        // retry later
  ProfileFailed,    // its engines cannot be started; retry after the operator mended it
  EnginesFailed,    // two engines died of it, hung on it or answered rubbish
  PositionRefused,  // an engine refused the same part of the position twice
  NotSupported,     // the engine does not know the command, or the profile does not allow it
  Expired,          // it was still waiting at its `until`
  Cancelled,
  Draining,
};
std::string_view name_of(JobError error);

struct JobFailure {
  JobError error = JobError::EnginesFailed;
  std::string detail;  // for people
  std::chrono::milliseconds retry_after{
      0};  // an estimate of when it is worth asking again; 0: none
};

using JobResult =
    std::variant<EngineMove, EngineStones, EngineScore, AnalysisEnd, EngineText, JobFailure>;

}  // namespace tengen::pool
