// What engines say while they think: the `info` lines of lz-analyze and kata-analyze as values.
// Engines state numbers from the side that was named in the command; here everything is black's.
// KataGo can be configured to state them from a fixed side, and no line tells which: a profile for
// it pins the side on the command line, `-override-config reportAnalysisWinratesAs=SIDETOMOVE`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pool/dialect.h"
#include "rules/color.h"
#include "rules/move.h"
#include "rules/point.h"

namespace tengen::pool {

// A line beyond these is not read.
inline constexpr std::size_t kCandidatesMax = 626;       // every point of 25x25, and a pass
inline constexpr std::size_t kVariationMovesMax = 1000;  // the most KataGo can be told to show
inline constexpr double kScoreLeadMax = 10'000;          // points, either way

/// What is asked of a stream.
struct AnalysisRequest {
  std::chrono::milliseconds interval{200};  // between two updates, at least 10 ms
  std::uint32_t visits_max = 0;             // the stream ends when a root has so many; 0: no limit
  std::chrono::milliseconds time_max{0};    // it ends after so long; 0: the profile's limit alone
  bool ownership = false;                   // KataGo only
  friend bool operator==(const AnalysisRequest&, const AnalysisRequest&) = default;
};

/// One move an engine considers. Every number is from black's side.
struct Candidate {
  rules::Move move;
  std::uint32_t visits = 0;
  double winrate = 0;                // black's, 0 to 1
  std::optional<double> score_lead;  // black's, in points
  std::optional<double> prior;       // of the policy, 0 to 1
  std::optional<double> lcb;         // black's winrate at the pessimistic end for the mover, 0 to 1
  int order = 0;                     // 0 is the engine's favourite
  std::vector<rules::Move> variation;  // begins with `move`, colours alternating
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// One update of a stream.
struct Analysis {
  rules::Color to_move = rules::Color::Black;
  std::vector<Candidate> candidates;  // in the engine's order
  /// Of the root when it says so, else the candidates' sum without copies for symmetry.
  std::uint64_t visits = 0;
  std::optional<double> winrate;     // of the root, black's; else the favourite's
  std::optional<double> score_lead;  // likewise, in points
  /// Rows from the top, left to right: 1 is black's, -1 white's; empty when not asked for.
  std::vector<float> ownership;
  friend bool operator==(const Analysis&, const Analysis&) = default;
};

/// The command of a stream: "kata-analyze B 20 ownership true rootInfo true", "lz-analyze B
/// interval 20", without `interval` for LzBare. The number is in centiseconds, at least 1 and at
/// most an hour. The dialect must not be None.
std::string analysis_command(AnalysisDialect dialect, const AnalysisRequest& request,
                             rules::Color color);
/// The same for a move with its analysis: "lz-genmove_analyze B 20".
std::string genmove_analyze_command(AnalysisDialect dialect, const AnalysisRequest& request,
                                    rules::Color color);

/// Reads one line of a stream, or says what is wrong with it. Keys in any order; unknown ones are
/// skipped, with one value or a list of numbers. Not accepted: a candidate without move, visits or
/// winrate or named twice, numbers that are not finite, chances outside 0 to 1 (except lcb, which
/// is an estimate that overshoots and is cut), moves off the board, more than the limits above.
std::variant<Analysis, std::string> read_analysis(AnalysisDialect dialect, std::string_view line,
                                                  rules::Size size, rules::Color to_move);

}  // namespace tengen::pool
