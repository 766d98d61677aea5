// The messages of analysis as plain values; their meaning is in tengen/v1/analysis.proto. Numbers
// are black's throughout.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rules/log.h"

namespace tengen::protocol {

// What a client may ask for. Zero on the wire is the usual value.
inline constexpr std::chrono::milliseconds kIntervalMin{50};
inline constexpr std::chrono::milliseconds kIntervalMax{10'000};
inline constexpr std::chrono::milliseconds kInterval{500};
inline constexpr std::chrono::milliseconds kAnalysisTimeMin{100};
inline constexpr std::chrono::milliseconds kAnalysisTimeMax{86'400'000};
inline constexpr std::chrono::milliseconds kReviewTimeMin{50};
inline constexpr std::chrono::milliseconds kReviewTimeMax{600'000};
inline constexpr std::chrono::milliseconds kReviewTime{1'000};
inline constexpr int kVisitsMax = 100'000'000;
inline constexpr int kCandidatesMax = 50;
inline constexpr int kCandidates = 10;
inline constexpr int kVariationMax = 50;
inline constexpr int kVariation = 15;
/// A frame that holds it is within the limit of 64 KiB.
inline constexpr std::size_t kSgfBytesMax = 60 * 1024;

struct GameSource {
  rules::GameId game;
  std::optional<std::uint32_t> move;  // absent: it is followed
  friend bool operator==(const GameSource&, const GameSource&) = default;
};
/// Points are on the board; whether stones and moves can stand there is for a record to say.
struct PositionSource {
  rules::Size size;
  rules::Ruleset rules;
  int komi_half = 15;
  std::vector<rules::Stone> setup;
  std::vector<rules::Move> moves;
  rules::Color to_move = rules::Color::Black;
  friend bool operator==(const PositionSource&, const PositionSource&) = default;
};
struct SgfSource {
  std::string sgf;
  std::uint32_t index = 0;
  std::optional<std::uint32_t> move;  // absent: the end
  friend bool operator==(const SgfSource&, const SgfSource&) = default;
};
using AnalysisSource = std::variant<GameSource, PositionSource, SgfSource>;

/// How much is told of each position.
struct AnalysisDetail {
  bool ownership = false;
  int moves_max = kCandidates;
  int variation_max = kVariation;
  friend bool operator==(const AnalysisDetail&, const AnalysisDetail&) = default;
};
struct StartAnalysis {
  AnalysisSource source;
  std::string profile;
  rules::Settings settings;
  AnalysisDetail detail;
  std::chrono::milliseconds interval{kInterval};
  std::chrono::milliseconds time_max{0};  // 0: no limit, here and below
  std::uint32_t visits_max = 0;
  friend bool operator==(const StartAnalysis&, const StartAnalysis&) = default;
};
struct StopAnalysis {
  std::uint32_t analysis = 0;
  friend bool operator==(const StopAnalysis&, const StopAnalysis&) = default;
};
/// At least one of the two limits of each position is given.
struct ReviewGame {
  AnalysisSource source;
  std::string profile;
  rules::Settings settings;
  AnalysisDetail detail;
  std::chrono::milliseconds time_per_move{kReviewTime};
  std::uint32_t visits_max = 0;
  std::uint32_t from = 0;
  std::optional<std::uint32_t> to;
  friend bool operator==(const ReviewGame&, const ReviewGame&) = default;
};

struct AnalysisStarted {
  std::uint32_t analysis = 0;
  friend bool operator==(const AnalysisStarted&, const AnalysisStarted&) = default;
};
struct AnalysisStopped {
  std::uint32_t analysis = 0;
  friend bool operator==(const AnalysisStopped&, const AnalysisStopped&) = default;
};
struct ReviewStarted {
  std::uint32_t analysis = 0;
  std::uint32_t positions = 0;
  friend bool operator==(const ReviewStarted&, const ReviewStarted&) = default;
};
struct Candidate {
  std::uint32_t visits = 0;
  double winrate = 0;
  std::optional<double> score_lead;
  std::optional<double> prior;
  std::optional<double> lcb;
  std::vector<rules::Move> variation;  // from the candidate itself, never empty
  friend bool operator==(const Candidate&, const Candidate&) = default;
};
struct PositionAnalysis {
  std::uint32_t move = 0;
  std::uint32_t position_seq = 0;
  rules::Size size;
  rules::Color to_move = rules::Color::Black;
  std::uint32_t visits = 0;
  std::optional<double> winrate;
  std::optional<double> score_lead;
  std::vector<Candidate> candidates;
  std::vector<float> ownership;  // empty, or one for each point
  friend bool operator==(const PositionAnalysis&, const PositionAnalysis&) = default;
};
/// A push, as are the two below.
struct AnalysisUpdate {
  std::uint32_t analysis = 0;
  PositionAnalysis position;
  friend bool operator==(const AnalysisUpdate&, const AnalysisUpdate&) = default;
};
struct ReviewProgress {
  std::uint32_t analysis = 0;
  std::uint32_t done = 0;
  std::uint32_t positions = 0;
  PositionAnalysis position;
  friend bool operator==(const ReviewProgress&, const ReviewProgress&) = default;
};
/// The wire's AnalysisEnd has the same names and numbers.
enum class AnalysisEnd : std::uint8_t {
  Done = 1,
  GameOver = 2,
  Forbidden = 3,
  Busy = 4,
  Engine = 5,
  Draining = 6,
};
struct AnalysisEnded {
  std::uint32_t analysis = 0;
  AnalysisEnd reason = AnalysisEnd::Done;
  std::string message;
  friend bool operator==(const AnalysisEnded&, const AnalysisEnded&) = default;
};

}  // namespace tengen::protocol
